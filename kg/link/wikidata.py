"""Asking Wikidata, or any SPARQL service of its shape: one question at a time, politely, and never the same question twice.

Wikidata refuses those who do not say who they are, and shuts out those who go on after 429.
"""

import json
import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from http.client import HTTPException
from pathlib import Path
from typing import Any, Protocol, TypeVar
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

from kg import __version__
from kg.store.errors import StoreError
from kg.store.patience import Broken, Busy, Patience
from kg.store.sparql_client import answered_with, results, unanswered

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
Row = dict[str, str]
Answer = TypeVar("Answer")


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

    def patiently(self, address: str, ask: Callable[[str], Answer]) -> Answer:
        """The answer of ``ask``, which is given the User-Agent: asked again, later, where the service at ``address`` is busy or breaks off."""
        agent = agent_of(self.contact)

        def once() -> Answer:
            if self.asked:
                self.sleep(self.pause)
            self.asked += 1
            return ask(agent)

        try:
            return Patience(self.attempts, 10.0, self.patience, self.sleep).ask(once)
        except Busy as busy:
            if busy.after is not None and busy.after > self.patience:
                raise TryLater(
                    f"{busy.said} and asks to be left alone for {busy.after:.0f} seconds: go on after that; what was answered is kept",
                    busy.after,
                ) from busy
            raise ServiceError(f"{busy.said}, {self.attempts} times: go on later, what was answered is kept") from busy
        except StoreError as error:
            raise ServiceError(str(error)) from error

    def _once(self, query: str, agent: str) -> list[Row]:
        data = results(self.endpoint, PREFIXES + query, agent=agent, timeout=self.timeout)
        try:
            bindings = json.loads(data)["results"]["bindings"]
            return [{name: term["value"] for name, term in row.items()} for row in bindings]
        except (ValueError, KeyError, TypeError) as error:
            raise Broken(f"{self.endpoint} answered with JSON that is cut off or no SPARQL results") from error


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
        except HTTPError as error:
            raise answered_with(self.address, error) from error
        except (HTTPException, OSError, ValueError) as error:
            raise unanswered(self.address, error, self.polite.timeout) from error
        if media_type != "application/json":
            raise ServiceError(f"{self.address} answered with {media_type} instead of JSON: check the address")
        try:
            return json.loads(data)
        except ValueError as error:
            raise Broken(f"{self.address} answered with JSON that is cut off") from error


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
