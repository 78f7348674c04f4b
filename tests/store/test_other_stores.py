"""A graph sent to other servers: whole, again, after a failure in the middle; read back it is what was sent."""

import gzip
import random
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pyoxigraph as ox
import pytest

from kg.store import push as sending
from kg.store import remote as reading
from kg.store.embedded import EmbeddedStore
from kg.store.errors import LimitReached, NotAcceptable, QueryRefused, QuerySyntaxError, StoreError
from kg.store.http import Account, Answered, Client, split_account
from kg.store.limits import Limits
from kg.store.push import Pushed, push
from kg.store.remote import RemoteStore
from kg.store.remote_queries import RemotePool
from kg.store.servers import Endpoints, find_endpoints

sys.path.insert(0, str(Path(__file__).parent))

from other_stores import VIRTUOSO, oxigraph_server, virtuoso_server

BASE = "https://example.org/kg/"
KINDS = ("oxigraph", "virtuoso")
XSD = "http://www.w3.org/2001/XMLSchema#"
VALUES = (
    '"عُمَرُ"@ar', '"ʿUmar"@ar-Latn', '"a \\"b\\" \\\\ c\\nd\\te"', '""', f'"5"^^<{XSD}integer>', f'"0.25"^^<{XSD}decimal>',
    '"<b>&amp;</b>"@en', f'<{BASE}thing/%D8%B9?a=1&b=2#c>', f'"https://example.org/"^^<{XSD}anyURI>', '"مِنَ السَّمَاءِ\u200f"@ar',
)  # fmt: skip


def statements(graph: str, count: int) -> list[str]:
    return sorted(
        f"<{BASE}thing/{number}> <{BASE}p/{number % 7}> {VALUES[number % len(VALUES)]} <{BASE}graph/{graph}> .\n"
        for number in range(count)
    )


def write(dumps: Path, **graphs: list[str]) -> Path:
    dumps.mkdir(exist_ok=True)
    for name, lines in graphs.items():
        (dumps / f"{name}.nq.gz").write_bytes(gzip.compress("".join(lines).encode(), mtime=0))
    return dumps


class Server:
    """A running server, and how it is written to."""

    def __init__(self, url: str, account: tuple[str, str] | tuple[None, None]) -> None:
        self.clean, self.account = split_account(url, *account)
        with self.client() as client:
            self.endpoints = find_endpoints(self.clean, client)

    def client(self) -> Client:
        return Client(self.account)

    def push(self, dumps: Path, notes: Path | None = None, endpoints: Endpoints | None = None) -> Pushed:
        with self.client() as client:
            return push(dumps, endpoints or self.endpoints, client, base=BASE, notes=notes)

    def quads(self) -> list[ox.Quad]:
        store = RemoteStore(self.endpoints.query)
        ours = [graph for graph in store.graphs() if graph.startswith(BASE)]
        return sorted((quad for graph in ours for quad in store.quads(graph=graph)), key=str)


@pytest.fixture(scope="module", params=KINDS)
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    start, account = {"oxigraph": (oxigraph_server, (None, None)), "virtuoso": (virtuoso_server, VIRTUOSO)}[request.param]
    with start(tmp_path_factory.mktemp(request.param)) as url:
        yield Server(url, account)


def parsed(*graphs: list[str]) -> list[ox.Quad]:
    lines = "".join(line for graph in graphs for line in graph)
    return sorted(ox.parse(lines.encode(), format=ox.RdfFormat.N_QUADS), key=str)


def test_what_is_sent_is_there_and_is_not_sent_again(server: Server, tmp_path: Path) -> None:
    one, two = statements("one", 12_000), statements("description", 40)
    dumps, notes = write(tmp_path / "dumps", one=one, description=two), tmp_path / "pushed.json"
    told = server.push(dumps, notes)
    assert (told.triples, told.sent[-1]) == (12_040, f"{BASE}graph/description")
    assert server.quads() == parsed(one, two)
    assert server.push(dumps, notes) == Pushed((), told.sent, (), 0)
    shorter = statements("one", 30)
    again = server.push(write(dumps, one=shorter), notes)
    assert (again.sent, again.triples) == ((f"{BASE}graph/one",), 30)
    assert server.quads() == parsed(shorter, two)
    (dumps / "one.nq.gz").unlink()
    assert server.push(dumps, notes).removed == (f"{BASE}graph/one",)
    assert server.quads() == parsed(two)


def test_a_push_that_broke_off_is_taken_up_again(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    graphs = {name: statements(name, 2_500) for name in ("a", "b", "c")}
    dumps, notes = write(tmp_path / "dumps", **graphs), tmp_path / "pushed.json"
    monkeypatch.setattr(sending, "IN_GRAPH_STORE", 1_000)
    seen: list[str] = []

    class Failing(Client):
        def send(self, method: str, url: str, body: bytes = b"", headers: dict[str, str] | None = None) -> Answered:
            seen.append(method)
            if seen.count("POST") == 3:
                raise StoreError(f"{url} cannot be reached")
            return super().send(method, url, body, headers)

    with Failing(server.account) as client, pytest.raises(StoreError, match="cannot be reached"):
        push(dumps, server.endpoints, client, base=BASE, notes=notes)
    told = server.push(dumps, notes)
    assert told.there == (f"{BASE}graph/a",)
    assert told.sent == (f"{BASE}graph/b", f"{BASE}graph/c")
    assert server.quads() == parsed(*graphs.values())


def test_updates_do_where_there_is_no_graph_store(server: Server, tmp_path: Path) -> None:
    graph = statements("one", 5_000)
    without = Endpoints("SPARQL", server.endpoints.query, server.endpoints.update)
    assert server.push(write(tmp_path / "dumps", one=graph), endpoints=without).triples == 5_000
    assert server.quads() == parsed(graph)


def test_patterns_find_what_they_find_in_the_embedded_store(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "_PAGE", 400)
    graph = statements("one", 1_500)
    dumps = write(tmp_path / "dumps", one=graph)
    server.push(dumps)
    here = EmbeddedStore.open(EmbeddedStore.create(tmp_path / "store", [dumps / "one.nq.gz"]))
    there = RemoteStore(server.endpoints.query, graphs=[f"{BASE}graph/one"])
    chance = random.Random(3)
    quads = parsed(graph)
    for quad in chance.sample(quads, 6):
        for known in range(8):
            pattern = tuple(
                term if known >> place & 1 else None for place, term in enumerate((quad.subject, quad.predicate, quad.object))
            )
            if pattern == (None, None, None):
                continue
            assert sorted(map(str, there.quads(*pattern))) == sorted(map(str, here.quads(*pattern))), pattern
    assert sorted(map(str, there.quads())) == sorted(map(str, here.quads()))
    things = [quad.subject.value for quad in chance.sample(quads, 450)]
    assert sorted(map(str, there.of(things))) == sorted(map(str, here.of(things)))
    assert sorted(map(str, there.of(things, [f"{BASE}p/3"]))) == sorted(map(str, here.of(things, [f"{BASE}p/3"])))
    odd = [f"{BASE}thing/%D8%B9?a=1&b=2#c", f"{BASE}nothing"]
    assert sorted(map(str, there.pointing(odd, f"{BASE}p/0"))) == sorted(map(str, here.pointing(odd, f"{BASE}p/0")))


def test_queries_keep_the_limits_and_formats(server: Server, tmp_path: Path) -> None:
    graph = statements("one", 300)
    server.push(write(tmp_path / "dumps", one=graph))
    pool = RemotePool(server.endpoints.query, [f"{BASE}graph/one"], Limits(rows=50, nesting=20))
    assert b'"300"' in pool.run("SELECT (COUNT(*) AS ?n) { ?s ?p ?o }").read()
    assert b'"300"' in pool.run("SELECT (COUNT(*) AS ?n) { GRAPH ?g { ?s ?p ?o } }").read()
    assert pool.run(f"ASK {{ <{BASE}thing/1> ?p ?o }}").read() == b'{"head":{},"boolean":true}'
    assert pool.run("ASK { <urn:nothing> ?p ?o }", result_format="csv").read() == b"false"
    cut = pool.run("SELECT * { ?s ?p ?o }", result_format="tsv")
    assert (cut.cut, len(cut.read().splitlines())) == ("rows", 52)
    turtle = pool.run("CONSTRUCT WHERE { <thing/2> ?p ?o }", base=BASE, graph_format="turtle").read()
    assert list(ox.parse(turtle, format=ox.RdfFormat.TURTLE)) == list(
        ox.parse(f'<{BASE}thing/2> <{BASE}p/2> {VALUES[2]} .'.encode(), format=ox.RdfFormat.TURTLE)
    )  # fmt: skip
    for query, error in (
        ("SELECT * {", QuerySyntaxError),
        ("SELECT * { SERVICE <urn:x> { ?s ?p ?o } }", QueryRefused),
        ("ASK { " + "{ " * 30 + "}" * 31, LimitReached),
    ):
        with pytest.raises(error):
            pool.run(query)
    with pytest.raises(NotAcceptable):
        pool.run("ASK {}", result_format=None)
    assert pool.run("ASK {}").cached is False and pool.run("ASK {}").cached is True


def test_a_server_that_lets_nobody_write_is_told(tmp_path: Path) -> None:
    with virtuoso_server(tmp_path) as url:
        stranger = Server(url, (None, None))
        dumps = write(tmp_path / "dumps", one=statements("one", 3))
        with pytest.raises(StoreError, match="without an account"):
            stranger.push(dumps)
        wrong = Server(url, ("dba", "guessed"))
        with pytest.raises(StoreError, match="KG_STORE_PASSWORD"):
            wrong.push(dumps)


class Guarded(BaseHTTPRequestHandler):
    """A server that answers whoever brings its token."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        known = self.headers.get("Authorization") == "Bearer t0ken"
        body = b'{"head": {}, "boolean": true}' if known else b"who are you?"
        self.send_response(200 if known else 401)
        self.send_header("Content-Type", "application/sparql-results+json" if known else "text/plain")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *arguments: object) -> None:
        """Nothing is written."""


def test_a_bearer_token_opens_a_server_for_reading_and_writing() -> None:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Guarded)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        url, account = f"http://127.0.0.1:{server.server_port}/sparql", Account(token="t0ken")
        assert RemoteStore(url, account=account).answers()
        with RemotePool(url, [], Limits(), account).run("ASK {}") as answer:
            assert b"true" in answer.read()
        with Client(account) as client:
            assert client.send("POST", url, b"ASK {}").status == 200
        with pytest.raises(StoreError, match="KG_STORE_TOKEN"):
            RemoteStore(url).answers()
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_credentials_are_found_and_never_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KG_STORE_USER", "amr")
    monkeypatch.setenv("KG_STORE_PASSWORD", "s3cret")
    assert split_account("http://h:1/x") == ("http://h:1/x", Account("amr", "s3cret"))
    assert split_account("http://zayd:a%40b@h/x?y=1#z") == ("http://h/x?y=1", Account("zayd", "a@b"))
    monkeypatch.setenv("KG_STORE_TOKEN", "t0ken")
    assert split_account("http://h:1/x") == ("http://h:1/x", Account(token="t0ken"))
    assert split_account("http://zayd:a%40b@h/x") == ("http://h/x", Account("zayd", "a@b"))
    assert "s3cret" not in repr(Account("amr", "s3cret")) and "t0ken" not in repr(Account(token="t0ken"))
    with pytest.raises(StoreError) as told:
        split_account("ftp://zayd:hidden@h/")
    assert "hidden" not in str(told.value)
