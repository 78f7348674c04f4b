"""What can go wrong with a query, each with a name that programs read and a remedy that people read."""

from dataclasses import dataclass

__all__ = [
    "Busy",
    "LimitReached",
    "NotAcceptable",
    "PoolClosed",
    "Position",
    "QueryError",
    "QueryRefused",
    "QuerySyntaxError",
    "StoreError",
    "UnknownFunction",
    "Unwritable",
    "UpdateRefused",
    "WorkerLost",
]


class StoreError(Exception):
    """A store cannot be made, opened or reached: says which and what to do."""


@dataclass(frozen=True, slots=True)
class Position:
    """A place in a query, counted from 1, and the token found there."""

    line: int
    column: int
    token: str = ""


class QueryError(Exception):
    """A query got no answer.

    ``name`` is stable and short (``syntax``, ``limit``), ``title`` one line without details, ``detail`` what was seen,
    ``remedy`` what to do. ``position`` is where in the query, ``limit`` the name of the limit that was hit and
    ``value`` its setting; ``seconds`` is the time it took in a worker.
    """

    name = "query"
    title = "The query got no answer"

    def __init__(
        self,
        detail: str,
        *,
        remedy: str = "",
        position: Position | None = None,
        limit: str | None = None,
        value: float | None = None,
    ) -> None:
        super().__init__(detail)
        self.detail, self.remedy, self.position, self.limit, self.value = detail, remedy, position, limit, value
        self.seconds = 0.0


class QuerySyntaxError(QueryError):
    """The text is not a SPARQL query."""

    name = "syntax"
    title = "The query is not valid SPARQL"


class QueryRefused(QueryError):
    """A valid query that asks for what is never done here: SERVICE, LOAD."""

    name = "refused"
    title = "This service does not send requests to other servers"


class UpdateRefused(QueryError):
    """An update: the service is read-only."""

    name = "read-only"
    title = "This service is read-only"


class LimitReached(QueryError):
    """A limit of the service was hit; ``limit`` names it as in ``kg.store.limits``."""

    name = "limit"
    title = "The query costs more than this service gives"


class Busy(QueryError):
    """All workers answer other queries and none came free in time."""

    name = "busy"
    title = "Too many queries at once"


class NotAcceptable(QueryError):
    """The query's form has no answer in any of the formats asked for. ``kind`` is the form of the answer."""

    name = "not-acceptable"
    title = "No answer in the formats asked for"

    def __init__(self, kind: str) -> None:
        super().__init__(f"An answer of the kind '{kind}' cannot be written in any of the formats asked for.")
        self.kind = kind


class UnknownFunction(QueryError):
    """The query calls a function by an IRI that means nothing here."""

    name = "function"
    title = "The query calls a function that is not here"


class Unwritable(QueryError):
    """The answer cannot be said in the format asked for (a predicate without an XML name in RDF/XML)."""

    name = "unwritable"
    title = "The answer cannot be written in this format"


class WorkerLost(QueryError):
    """The worker process died of the query and no limit explains it."""

    name = "worker-lost"
    title = "The query brought its worker down"


class PoolClosed(QueryError):
    """The pool is shutting down."""

    name = "closed"
    title = "The service is shutting down"
