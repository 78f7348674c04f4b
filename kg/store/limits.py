"""The limits of the SPARQL service: what one query, one client and all of them together may cost."""

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["LIMITS", "LimitNote", "Limits"]


@dataclass(frozen=True, slots=True)
class LimitNote:
    """One limit in words: its unit, what it bounds, the status a client sees, how to ask for less."""

    unit: str
    bounds: str
    status: int
    remedy: str


@dataclass(frozen=True, slots=True)
class Limits:
    """Settings of the service. Zero turns ``client_seconds`` and ``client_in_flight`` off; the others must be positive.

    >>> Limits.from_mapping({"seconds": "5"}).seconds
    5.0
    """

    seconds: float = 20.0
    rows: int = 200_000
    bytes: int = 64 * 1024 * 1024
    memory: int = 1024 * 1024 * 1024
    query_length: int = 256 * 1024
    nesting: int = 100
    in_flight: int = 8
    waiting_seconds: float = 5.0
    client_in_flight: int = 4
    client_seconds: float = 120.0
    recycle_after: int = 1_000
    spool_in_memory: int = 256 * 1024
    cache_bytes: int = 16 * 1024 * 1024

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self):
            value = getattr(self, field.name)
            least = 0 if field.name in ("client_in_flight", "client_seconds", "cache_bytes", "spool_in_memory") else 1e-3
            if not value >= least:
                raise ValueError(f"the limit {field.name!r} is {value}: give a number of at least {least:g}")

    @classmethod
    def from_mapping(cls, values: Mapping[str, object]) -> "Limits":
        """Limits from configuration; names that are no limits are refused.

        Raises:
            ValueError: an unknown name, or a value that is not a number.
        """
        kinds: dict[str, type] = {
            field.name: int if isinstance(field.default, int) else float for field in dataclasses.fields(cls)
        }
        chosen: dict[str, float] = {}
        for name, value in values.items():
            if name not in kinds:
                raise ValueError(f"there is no limit named {name!r}: the limits are {', '.join(kinds)}")
            try:
                chosen[name] = kinds[name](str(value))
            except ValueError as error:
                raise ValueError(f"the limit {name!r} is {value!r}: give a number") from error
        return cls(**chosen)  # type: ignore[arg-type]


LIMITS: dict[str, LimitNote] = {
    "seconds": LimitNote(
        "seconds", "time a query may run", 503, "Ask for less: a named thing instead of all of them, or a LIMIT."
    ),
    "rows": LimitNote(
        "rows",
        "solutions or triples in an answer; the answer is cut there and says so",
        200,
        "Page with ORDER BY, LIMIT and OFFSET, or take the dumps.",
    ),
    "bytes": LimitNote(
        "bytes",
        "size of an answer; tables are cut at a whole row and say so, graphs are refused",
        200,
        "Select fewer columns or rows, or take the dumps.",
    ),
    "memory": LimitNote(
        "bytes",
        "memory a query may take beyond the opened store",
        503,
        "Join on a named thing; avoid ORDER BY, DISTINCT and GROUP BY over everything.",
    ),
    "query_length": LimitNote("characters", "length of a query", 413, "Send long VALUES lists in several queries."),
    "nesting": LimitNote("levels", "brackets inside one another, and signs (! - + ^) in a row", 400, "Write the query flatter."),
    "in_flight": LimitNote("queries", "queries that run at the same time", 503, "Try again after the seconds in Retry-After."),
    "waiting_seconds": LimitNote(
        "seconds", "time a query waits for a free worker", 503, "Try again after the seconds in Retry-After."
    ),
    "client_in_flight": LimitNote(
        "queries", "queries that one client runs at the same time", 429, "Wait for an answer before you send the next query."
    ),
    "client_seconds": LimitNote(
        "seconds a minute", "time that one client's queries may run within a minute", 429, "Wait for the seconds in Retry-After."
    ),
    "recycle_after": LimitNote("queries", "queries a worker process answers before a fresh one replaces it", 200, ""),
    "spool_in_memory": LimitNote("bytes", "size up to which an answer is kept in memory instead of a file", 200, ""),
    "cache_bytes": LimitNote("bytes", "memory for answers to identical queries", 200, ""),
}
