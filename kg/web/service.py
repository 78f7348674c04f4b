"""The SPARQL service without a framework: what a request asks of the pool, and the response that its answer makes."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import lru_cache
from hashlib import blake2b

from kg.store.answers import Answer
from kg.store.errors import LimitReached, NotAcceptable, QueryError, StoreError
from kg.store.evaluation import Question
from kg.store.limits import Limits
from kg.store.remote_queries import RemotePool
from kg.store.workers import QueryPool
from kg.web.budget import ClientBudget
from kg.web.matches import expand
from kg.web.negotiation import GRAPHS, HTML, RESULTS, Offer, by_name, choose
from kg.web.problems import Problem, problem_of
from kg.web.protocol import ACCEPT_QUERY, METHODS, ProtocolRequest, read_request

__all__ = [
    "ANSWERED",
    "PREFLIGHT",
    "SHARED",
    "Asked",
    "Prepared",
    "Reply",
    "SparqlService",
    "chosen",
    "cut_headers",
    "nothing_suits",
    "tag_of",
]

_SHORT = 4096  # bytes of a request that is remembered as it was read
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_SHOWN_RESULTS, _SHOWN_GRAPHS = (*RESULTS, HTML), (*GRAPHS, HTML)
SHARED = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": "Content-Location, ETag, Link, Retry-After, Server-Timing, Silsila-Truncated",
}
"""On every response."""

ANSWERED = {"Vary": "Accept", "Cache-Control": "no-cache", "Accept-Query": ACCEPT_QUERY, "X-Content-Type-Options": "nosniff"}
"""On every answer."""

PREFLIGHT = {
    "Allow": ", ".join(METHODS),
    "Accept-Post": ACCEPT_QUERY,
    "Accept-Query": ACCEPT_QUERY,
    "Access-Control-Allow-Methods": ", ".join(METHODS),
    "Access-Control-Allow-Headers": "Accept, Accept-Language, Content-Type, If-None-Match",
    "Access-Control-Max-Age": "86400",
}


@dataclass(frozen=True, slots=True)
class Asked:
    """A request for a query: its parts as they came, the client it is counted for, and the address at which the service was asked."""

    method: str
    query_string: bytes
    body: bytes
    content_type: str | None
    content_encoding: str | None
    accept: str | None
    if_none_match: str | None
    client: str
    address: str


@dataclass(frozen=True, slots=True)
class Prepared:
    """What a request asks of the pool, and the format for solutions and for graphs (None: nothing suits)."""

    request: ProtocolRequest
    question: Question
    result: Offer | None
    graph: Offer | None


@dataclass(frozen=True, slots=True)
class Reply:
    """A response. Its body is ``body``, or ``mark`` and the blocks of ``answer``; both are empty where only headers are sent. ``seconds`` in a
    worker and the ``limit`` that refused it are for the figures."""

    status: int
    headers: dict[str, str]
    body: bytes = b""
    answer: Answer | None = None
    mark: bytes = b""
    seconds: float | None = None
    limit: str | None = None

    def blocks(self) -> Iterator[bytes]:
        """The bytes of the body; closes the answer."""
        if self.mark or self.body:
            yield self.mark + self.body
        if self.answer is not None:
            yield from self.answer.chunks()


@dataclass(slots=True)
class SparqlService:
    """``pool`` gives the pool of the moment, ``pool_at_once`` too where that takes no time (else None); ``base`` the IRI that relative
    IRIs of queries are resolved against, given the address of the service; ``prefixes`` shorten Turtle, TriG and RDF/XML;
    ``search(words, most)`` gives the IRIs of what ``sls:matches`` finds."""

    pool: Callable[[], QueryPool | RemotePool]
    limits: Limits
    base: Callable[[str], str] = str
    prefixes: tuple[tuple[str, str], ...] = ()
    search: Callable[[str, int], Iterable[str]] = lambda words, most: ()
    pool_at_once: Callable[[], QueryPool | None] = lambda: None
    budget: ClientBudget = field(init=False)
    _short: Callable[..., Prepared] = field(init=False)

    def __post_init__(self) -> None:
        self.budget = ClientBudget(self.limits)
        self._short = lru_cache(maxsize=512)(self._prepare)  # programs send the same few questions again and again

    def prepare(self, asked: Asked, page_rows: int | None = None) -> Prepared:
        """What is asked; pages of so many rows for people are on offer where ``page_rows`` is given.

        Raises:
            Problem: the protocol does not allow the request.
        """
        short = len(asked.query_string) + len(asked.body) <= _SHORT
        prepare = self._short if short else self._prepare
        return prepare(
            asked.method,
            asked.query_string,
            asked.content_type,
            asked.content_encoding,
            asked.body,
            asked.accept,
            self.base(asked.address),
            page_rows,
        )

    def _prepare(
        self,
        method: str,
        query_string: bytes,
        content_type: str | None,
        content_encoding: str | None,
        body: bytes,
        accept: str | None,
        base: str,
        page_rows: int | None,
    ) -> Prepared:
        request = read_request(method, query_string, content_type, body, self.limits, content_encoding)
        result = chosen(request, accept, RESULTS if page_rows is None else _SHOWN_RESULTS)
        graph = chosen(request, accept, GRAPHS if page_rows is None else _SHOWN_GRAPHS)
        question = Question(
            query=request.query or "",
            base=base,
            default_graphs=request.default_graphs,
            named_graphs=request.named_graphs,
            result_format=_written(result, "json"),
            graph_format=_written(graph, "ntriples"),
            prefixes=self.prefixes,
            rows=min(page_rows or 0, self.limits.rows) if HTML in (result, graph) else self.limits.rows,
        )
        return Prepared(request, question, result, graph)

    def searched(self, question: Question) -> Question:
        """The question with its searches of the full-text index answered."""
        query = expand(question.query, self.search)
        return question if query is question.query else replace(question, query=query)

    @contextmanager
    def paid_by(self, client: str) -> Iterator["Bill"]:
        """Counts a query for its client: what is written on the bill, or the time until it failed."""
        bill = Bill()
        self.budget.begin(client)
        try:
            yield bill
        except QueryError as error:
            bill.seconds = error.seconds
            raise
        finally:
            self.budget.end(client, bill.seconds)

    def reply(self, asked: Asked, prepared: Prepared, answer: Answer) -> Reply:
        """The answer as a response to a program; 304 where the client has it."""
        offer = prepared.graph if answer.kind == "graph" else prepared.result
        assert offer is not None  # the pool refuses a form without a format
        mark = _BYTE_ORDER_MARK if prepared.request.excel and offer.name == "csv" else b""
        headers = {
            **ANSWERED,
            "Content-Type": offer.content_type,
            "Content-Length": str(answer.size + len(mark)),
            "Server-Timing": f"query;dur={answer.seconds * 1000:.1f}",
        }
        headers |= cut_headers(answer.cut, self.limits.rows)
        if offer.name in ("csv", "tsv"):
            headers["Content-Disposition"] = f'inline; filename="answer.{offer.name}"'
        if answer.body is not None:
            headers["ETag"] = tag_of(answer.body, offer.name)
        return self.unless_known(asked, Reply(200, headers, answer=answer, mark=mark, seconds=answer.seconds))

    def unless_known(self, asked: Asked, reply: Reply) -> Reply:
        """304 where the client names the tag of what it would get."""
        tag = reply.headers.get("ETag")
        if (
            tag is None
            or asked.if_none_match is None
            or asked.method not in ("GET", "HEAD")
            or not _has(asked.if_none_match, tag)
        ):
            return reply
        return Reply(
            304, {name: value for name, value in reply.headers.items() if name not in ("Content-Type", "Content-Length")}
        )

    def problem(self, error: Exception, method: str) -> Problem:
        """What is told of an error: a problem as it is, an error of the query or of the store by its kind."""
        if isinstance(error, Problem):
            return error
        if isinstance(error, NotAcceptable):
            return nothing_suits(GRAPHS if error.kind == "graph" else RESULTS)
        if isinstance(error, StoreError):
            return Problem(503, "closed", "The store cannot be reached", str(error), headers={"Retry-After": "30"})
        if not isinstance(error, QueryError):
            raise error
        problem = problem_of(error)
        if isinstance(error, LimitReached) and error.limit == "query_length" and method in ("GET", "HEAD"):
            problem.status = 414
        return problem


@dataclass(slots=True)
class Bill:
    """The seconds that a query took in a worker."""

    seconds: float = 0.0


def chosen(request: ProtocolRequest, accept: str | None, offers: Sequence[Offer]) -> Offer | None:
    """A format named in the address goes before Accept, where it is one of this form of query."""
    named = (by_name(name, offers) for name in request.formats)
    return next((offer for offer in named if offer is not None), None) or choose(accept, offers)


def nothing_suits(offers: Sequence[Offer]) -> Problem:
    """406 with what there is."""
    return Problem(
        406,
        "not-acceptable",
        "No answer in the formats asked for",
        "Nothing that the Accept header names can be sent for this form of query.",
        "Ask for one of the available formats, or leave the header out.",
        {"available": [offer.media_type for offer in offers]},
    )


def cut_headers(cut: str, rows: int) -> dict[str, str]:
    """What tells that an answer was cut at the limit ``cut``; nothing where it is empty."""
    if not cut:
        return {}
    return {"Silsila-Truncated": f"{cut}={rows}" if cut == "rows" else cut, "Link": '</limits>; rel="help"'}


def tag_of(body: bytes, name: str) -> str:
    """The ETag of a body in the format of this name."""
    return f'"{blake2b(body, digest_size=12, person=name.encode()).hexdigest()}"'


def _has(if_none_match: str, tag: str) -> bool:
    """Whether an If-None-Match header names the tag, or any (weak comparison, RFC 9110)."""
    return if_none_match.strip() == "*" or tag in (part.strip().removeprefix("W/") for part in if_none_match.split(","))


def _written(offer: Offer | None, shown: str) -> str | None:
    """What a worker writes for an offer; a page is made from ``shown``."""
    return None if offer is None else shown if offer is HTML else offer.name
