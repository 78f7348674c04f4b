"""A small application over a small store, served on a real socket: what the tests of this folder speak to.

Tests get everything through fixtures: ``service`` (ready), ``serve`` (with limits of your own), ``make_store``.
"""

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from flask import Flask
from machine import PATIENCE

from kg.store.embedded import EmbeddedStore
from kg.store.limits import Limits
from kg.store.workers import QueryPool
from kg.web.gate import Gate
from kg.web.limits import limits_blueprint
from kg.web.server import running
from kg.web.service import SparqlService
from kg.web.sparql import Pages, sparql_blueprint


@dataclass(frozen=True)
class Reply:
    """A whole response."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def media_type(self) -> str:
        return self.headers.get("content-type", "").partition(";")[0]

    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class Service:
    """A running service."""

    host: str
    port: int
    pool: QueryPool

    @property
    def url(self) -> str:
        return f"http://{self.host}:{self.port}/sparql"

    @contextmanager
    def another(self, store: Path, pages: Pages | None = None, size: int = 2, **limits: Any) -> Iterator["Service"]:
        """A service over another store, or with other limits."""
        with serving(QueryPool(store, small_limits(**limits), size), pages) as running:
            yield running

    def ask(
        self,
        method: str,
        path: str,
        body: bytes | str | None = None,
        headers: dict[str, str] | None = None,
        timeout: float = PATIENCE,
    ) -> Reply:
        """One request on a connection of its own."""
        connection = HTTPConnection(self.host, self.port, timeout=timeout)
        try:
            connection.request(method, path, body.encode() if isinstance(body, str) else body, headers or {})
            response: HTTPResponse = connection.getresponse()
            return Reply(response.status, {name.lower(): value for name, value in response.getheaders()}, response.read())
        finally:
            connection.close()

    def query(self, query: str, accept: str | None = None, method: str = "GET", **extra: Any) -> Reply:
        """A query, by GET or as the body of a POST or QUERY."""
        headers = {"Accept": accept} if accept is not None else {}
        if method in ("GET", "HEAD"):
            return self.ask(method, "/sparql?query=" + quote(query, safe=""), None, headers, **extra)
        return self.ask(method, "/sparql", query, {**headers, "Content-Type": "application/sparql-query"}, **extra)


def application(pool: QueryPool, pages: Pages | None = None) -> Gate:
    service = SparqlService(lambda: pool, pool.limits, prefixes=(("ex", "http://example.org/"),), pool_at_once=lambda: pool)
    app = Flask("sparql-tests")
    app.register_blueprint(sparql_blueprint(service, pages=pages))
    app.register_blueprint(limits_blueprint(pool.limits))
    return Gate(app, service)


@contextmanager
def serving(pool: QueryPool, pages: Pages | None = None) -> Iterator[Service]:
    """The application of a pool under the server of ``kg serve``, on a free port of the loopback."""
    with running(application(pool, pages)) as port:
        try:
            yield Service("127.0.0.1", port, pool)
        finally:
            pool.close(0)


def store_of(folder: Path, nquads: str) -> Path:
    """A store of these N-Quads."""
    file = folder / "data.nq"
    file.write_text(nquads, encoding="utf-8")
    return EmbeddedStore.create(folder / "store", [file])


def small_limits(**values: Any) -> Limits:
    """Limits for tests: no budget a client, so that thousands of test queries pass."""
    return Limits(**{"client_seconds": 0, "client_in_flight": 0, **values})


SMALL = """\
<http://example.org/s> <http://example.org/p> "عمر"@ar <http://example.org/g1> .
<http://example.org/s> <http://example.org/q> "1"^^<http://www.w3.org/2001/XMLSchema#integer> <http://example.org/g1> .
<http://example.org/t> <http://example.org/p> <http://example.org/s> <http://example.org/g2> .
"""


def products(people: int = 2_000) -> str:
    """Enough triples for products that no limit lets finish: a ring of people, each with a name, in two graphs."""
    lines = []
    for n in range(people):
        person = f"<http://example.org/person/{n}>"
        lines.append(
            f"{person} <http://example.org/knows> <http://example.org/person/{(n + 1) % people}> <http://example.org/g{n % 2}> ."
        )
        lines.append(f'{person} <http://example.org/name> "حدثنا {n} {"ا" * (n % 40)}"@ar <http://example.org/g{n % 2}> .')
    return "\n".join(lines) + "\n"


@pytest.fixture(scope="session")
def make_store(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """A store of given N-Quads; the same text gives the same store."""
    made: dict[str, Path] = {}

    def make(nquads: str) -> Path:
        if nquads not in made:
            made[nquads] = store_of(tmp_path_factory.mktemp("store"), nquads)
        return made[nquads]

    return make


@pytest.fixture(scope="session")
def service(make_store: Callable[[str], Path]) -> Iterator[Service]:
    """A service over three quads, for everything that asks little."""
    with serving(QueryPool(make_store(SMALL), small_limits(seconds=20))) as running:
        yield running


@pytest.fixture(scope="session")
def large_store(make_store: Callable[[str], Path]) -> Path:
    """The store that hostile queries attack."""
    return make_store(products())


@pytest.fixture
def serve(make_store: Callable[[str], Path]) -> Iterator[Callable[..., Service]]:
    """Start a service: ``serve(nquads, pages=…, size=…, seconds=…)``; all are stopped after the test."""
    with ExitStack() as running:

        def start(nquads: str | Path = SMALL, pages: Pages | None = None, size: int = 2, **limits: Any) -> Service:
            store = nquads if isinstance(nquads, Path) else make_store(nquads)
            return running.enter_context(serving(QueryPool(store, small_limits(**limits), size), pages))

        yield start
