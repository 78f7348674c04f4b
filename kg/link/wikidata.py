"""Asking Wikidata, or any SPARQL service of its shape: one question at a time, politely, and never the same question twice.

Wikidata refuses those who do not say who they are, and shuts out those who go on after 429. SPARQLWrapper raises 429, 403 and 503 as raw
``HTTPError`` and takes HTML with status 200 for an answer: both are looked at here.
"""

import json
import os
import time
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from hashlib import sha256
from http.client import HTTPException
from pathlib import Path
from typing import Any, Protocol
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

from SPARQLWrapper import JSON, POST, SPARQLWrapper
from SPARQLWrapper.SPARQLExceptions import SPARQLWrapperException

from kg import __version__
from kg.store.errors import StoreError

__all__ = [
    "ENDPOINT",
    "PREFIXES",
    "ReconciliationService",
    "ServiceError",
    "Snapshot",
    "Solutions",
    "TryLater",
    "WikidataService",
    "agent_of",
]

ENDPOINT = "https://query.wikidata.org/sparql"
PREFIXES = (
    "PREFIX wd: <http://www.wikidata.org/entity/>\nPREFIX wdt: <http://www.wikidata.org/prop/direct/>\n"
    "PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>\nPREFIX skos: <http://www.w3.org/2004/02/skos/core#>\n"
    "PREFIX owl: <http://www.w3.org/2002/07/owl#>\n"
)
_RESULTS = ("application/sparql-results+json", "application/json")

Row = dict[str, str]


class ServiceError(StoreError):
    """The service gives no answer that can be used: says what it gave and what to do."""


class TryLater(ServiceError):
    """The service asks to be left alone; ``seconds`` is how long. What has been answered is kept."""

    def __init__(self, message: str, seconds: float) -> None:
        super().__init__(message)
        self.seconds = seconds


class Solutions(Protocol):
    """What answers SELECT queries: a live service or a saved dump."""

    def select(self, query: str) -> list[Row]: ...


def agent_of(contact: str) -> str:
    """The User-Agent of a contact (an address of mail or of a page), as Wikimedia's policy asks.

    >>> agent_of("mail@example.org").partition(" ")[2]
    '(mail@example.org) SPARQLWrapper'

    Raises:
        ServiceError: there is no contact.
    """
    if "@" not in contact and "://" not in contact:
        raise ServiceError("the service wants to know who asks: give --contact with an address of mail or a page")
    return f"silsila-kg/{__version__} ({contact}) SPARQLWrapper"


@dataclass
class WikidataService:
    """A SPARQL service, asked for JSON by POST with a ``pause`` in seconds between questions.

    Answers are kept in ``cache`` (a folder; none: not kept) and read from there for ``cache_days``, so that work that stopped goes on where it
    was. Busy services (429, 503) are asked again after Retry-After, or longer each time, ``attempts`` times; who asks for more patience than
    ``patience`` seconds is left alone (``TryLater``).
    """

    endpoint: str = ENDPOINT
    contact: str = ""
    cache: Path | None = None
    cache_days: float = 30
    timeout: int = 60
    attempts: int = 4
    pause: float = 1.0
    patience: float = 300
    sleep: Callable[[float], None] = time.sleep
    asked: int = field(default=0, init=False)

    def select(self, query: str) -> list[Row]:
        """The solutions of a SELECT query: values of bound variables as strings.

        Raises:
            TryLater: the service wants to be left alone for longer than is waited for.
            ServiceError: it refuses, cannot be reached, or answers with anything but SPARQL results.
        """
        path = self._path(query)
        if path is not None and path.is_file() and time.time() - path.stat().st_mtime < self.cache_days * 86400:
            kept: list[Row] = json.loads(path.read_text(encoding="utf-8"))
            return kept
        rows: list[Row] = self.patiently(self.endpoint, lambda agent: self._once(query, agent))
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            half = path.with_suffix(f".{os.getpid()}.part")
            half.write_text(json.dumps(rows, ensure_ascii=False), encoding="utf-8")
            os.replace(half, path)
        return rows

    def _path(self, query: str) -> Path | None:
        if self.cache is None:
            return None
        mark = sha256(f"{self.endpoint}\n{query}".encode()).hexdigest()
        return self.cache / mark[:2] / f"{mark}.json"

    def patiently(self, address: str, ask: Callable[[str], Any]) -> Any:
        """The answer of ``ask``, which is given the User-Agent: asked again, later, where the service at ``address`` is busy or breaks off."""
        agent = agent_of(self.contact)
        for attempt in range(1, self.attempts + 1):
            if self.asked:
                self.sleep(self.pause)
            self.asked += 1
            try:
                return ask(agent)
            except HTTPError as error:
                with error:
                    wait = self._wait(error, attempt, address)
                reason = f"{address} answered {error.code} {error.reason}"
            except _Broken as error:
                wait, reason = 2.0**attempt, str(error)
            if attempt == self.attempts:
                raise ServiceError(f"{reason}, {attempt} times: go on later, what was answered is kept")
            self.sleep(wait)
        raise AssertionError("the last attempt returns or raises")

    def _wait(self, error: HTTPError, attempt: int, address: str) -> float:
        """The seconds to wait before asking again.

        Raises:
            TryLater: they are too many.
            ServiceError: asking again is of no use.
        """
        if error.code == 403:
            raise ServiceError(
                f"{address} answered 403: it refuses this User-Agent or address; check --contact, and wait before asking again"
            ) from error
        if error.code not in (429, 502, 503, 504):
            raise ServiceError(f"{address} answered {error.code} {error.reason}: check the address") from error
        told = _retry_after(error.headers.get("Retry-After", "") if error.headers else "")
        wait = told if told is not None else 5.0 * 2**attempt
        if wait > self.patience:
            raise TryLater(
                f"{address} answered {error.code} and asks to be left alone for {wait:.0f} seconds: go on after that;"
                " what was answered is kept",
                wait,
            ) from error
        return wait

    def _once(self, query: str, agent: str) -> list[Row]:
        wrapper = SPARQLWrapper(self.endpoint, agent=agent)
        wrapper.setQuery(PREFIXES + query)
        wrapper.setMethod(POST)
        wrapper.setTimeout(self.timeout)
        wrapper.setReturnFormat(JSON)
        wrapper.setOnlyConneg(True)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of a content type it did not expect: looked at below
                response = wrapper.query().response
            with response:
                media_type = response.headers.get_content_type()
                data = response.read()
        except HTTPError:
            raise
        except SPARQLWrapperException as error:
            raise ServiceError(f"{self.endpoint} refused the query: {_first_line(str(error))}") from error
        except (TimeoutError, HTTPException) as error:
            raise _Broken(f"{self.endpoint} broke off or gave no answer within {self.timeout} seconds ({error})") from error
        except (URLError, OSError) as error:
            if isinstance(getattr(error, "reason", None), TimeoutError):
                raise _Broken(f"{self.endpoint} gave no answer within {self.timeout} seconds") from error
            raise ServiceError(f"{self.endpoint} cannot be reached ({error}): check the address and the network") from error
        if media_type not in _RESULTS:
            raise ServiceError(
                f"{self.endpoint} answered with {media_type} instead of SPARQL results ({_first_line(data[:300].decode('utf-8', 'replace'))}):"
                " check the address; it must be that of the SPARQL service itself"
            )
        try:
            bindings = json.loads(data)["results"]["bindings"]
            return [{name: term["value"] for name, term in row.items()} for row in bindings]
        except (ValueError, KeyError, TypeError) as error:
            raise _Broken(f"{self.endpoint} answered with JSON that is cut off or no SPARQL results") from error


@dataclass
class ReconciliationService:
    """A service of the Reconciliation API (0.2) asked for candidates by name: an address such as OpenRefine uses. It is asked as politely as the
    SPARQL service, whose patience it borrows."""

    address: str
    polite: WikidataService

    def candidates(self, names: Mapping[str, str], kind: str, most: int = 5) -> dict[str, list[str]]:
        """Ids of the candidates of each name: ``{name: [id, …]}``; ``names`` are asked for in one batch.

        Raises:
            ServiceError: the service gives no answer, or one that is no batch of results.
        """
        body = {name: {"query": words, "limit": most, **({"type": kind} if kind else {})} for name, words in names.items()}
        form = urlencode({"queries": json.dumps(body, ensure_ascii=False)}).encode()
        answer = self.polite.patiently(self.address, lambda agent: self._once(form, agent))
        try:
            return {name: [str(one["id"]) for one in answer[name]["result"]] for name in names}
        except (KeyError, TypeError) as error:
            raise ServiceError(
                f"{self.address} answered with something else than results: give a service of the Reconciliation API"
            ) from error

    def _once(self, form: bytes, agent: str) -> Any:
        headers = {"User-Agent": agent, "Accept": "application/json", "Content-Type": "application/x-www-form-urlencoded"}
        try:
            with urlopen(Request(self.address, form, headers), timeout=self.polite.timeout) as response:
                media_type, data = response.headers.get_content_type(), response.read()
        except HTTPError:
            raise
        except (TimeoutError, HTTPException) as error:
            raise _Broken(f"{self.address} broke off or gave no answer within {self.polite.timeout} seconds ({error})") from error
        except (URLError, OSError, ValueError) as error:
            raise ServiceError(f"{self.address} cannot be reached ({error}): check the address and the network") from error
        if media_type != "application/json":
            raise ServiceError(f"{self.address} answered with {media_type} instead of JSON: check the address")
        try:
            return json.loads(data)
        except ValueError as error:
            raise _Broken(f"{self.address} answered with JSON that is cut off") from error


class _Broken(Exception):
    """An answer that may be whole when it is asked for again."""


@dataclass
class Snapshot:
    """A saved dump of Wikidata items (Turtle, N-Triples, packed or not) in place of the service; ``date`` is when it was saved."""

    path: Path
    date: str = ""

    def __post_init__(self) -> None:
        import gzip

        import pyoxigraph as ox

        if not self.path.is_file():
            raise ServiceError(f"{self.path} is not there: give the file of a saved dump")
        self.date = self.date or datetime.fromtimestamp(self.path.stat().st_mtime, UTC).date().isoformat()
        name = self.path.name.removesuffix(".gz")
        format = ox.RdfFormat.from_extension(name.rpartition(".")[2])
        if format is None:
            raise ServiceError(
                f"{self.path}: the format is not known by its name; name it .ttl, .nt or .nq, packed as .gz or not"
            )
        self._store = ox.Store()
        opener: Any = gzip.open if self.path.name.endswith(".gz") else open
        try:
            with opener(self.path, "rb") as data:
                self._store.load(data, format)
        except (SyntaxError, OSError, EOFError) as error:
            raise ServiceError(f"{self.path} cannot be read ({error}): save it again") from error

    def select(self, query: str) -> list[Row]:
        """The solutions of a SELECT query over the dump."""
        import pyoxigraph as ox

        results = self._store.query(PREFIXES + query, use_default_graph_as_union=True)
        assert isinstance(results, ox.QuerySolutions)
        names = [variable.value for variable in results.variables]
        return [{name: row[name].value for name in names if row[name] is not None} for row in results]


def _retry_after(value: str) -> float | None:
    """The seconds of a Retry-After header, given as seconds or as a date; None where it says nothing.

    >>> _retry_after("7"), _retry_after("Thu, 01 Jan 1970 00:00:00 GMT"), _retry_after("soon")
    (7.0, 0.0, None)
    """
    if value.strip().isdigit():
        return float(value)
    try:
        when = parsedate_to_datetime(value)
    except (TypeError, ValueError):
        return None
    return max(0.0, (when - datetime.now(UTC)).total_seconds())


def _first_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[0][:160] if lines else "nothing"
