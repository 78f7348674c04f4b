"""Real clients over a real socket: SPARQLWrapper, rdflib, Oxigraph federating to us, curl, a remote store of our own."""

import csv
import gc
import io
import json
import shutil
import subprocess
import warnings
from dataclasses import replace
from email.message import Message
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from xml.dom.minidom import Document

import pyoxigraph as ox
import pytest
import SPARQLWrapper as sw
from machine import PATIENCE
from rdflib import Graph, Literal, URIRef
from rdflib.plugins.stores.sparqlstore import SPARQLStore

from kg.store import remote
from kg.store.errors import StoreError
from kg.store.remote import RemoteStore
from kg.store.sparql_client import answered_with

SELECT, ASK = "SELECT ?s ?o { ?s <http://example.org/p> ?o } ORDER BY ?s", "ASK { ?s ?p 'عمر'@ar }"
CONSTRUCT, DESCRIBE = "CONSTRUCT WHERE { ?s ?p ?o }", "DESCRIBE <http://example.org/s>"
MODULES = Path(__file__).parents[3] / "node_modules"
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


def wrapped(service: Any, query: str, format: str, method: str = sw.GET, **settings: Any) -> Any:
    client = sw.SPARQLWrapper(service.url)
    client.setQuery(query)
    client.setReturnFormat(format)
    client.setMethod(method)
    client.setOnlyConneg(settings.get("only_accept", False))
    if method == sw.POST:
        client.setRequestMethod(settings.get("request", sw.URLENCODED))
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)  # raised when the type that came is not the one asked for
        result = client.query()
        converted = result.convert()
        result.response.close()
    return converted


@pytest.mark.parametrize("only_accept", [False, True])
@pytest.mark.parametrize(("method", "request_method"), [(sw.GET, None), (sw.POST, sw.URLENCODED), (sw.POST, sw.POSTDIRECTLY)])
def test_sparqlwrapper(service: Any, method: str, request_method: str | None, only_accept: bool) -> None:
    """Every format, by every way."""
    how = {"method": method, "request": request_method, "only_accept": only_accept}
    found = wrapped(service, SELECT, sw.JSON, **how)["results"]["bindings"]
    assert found[0]["o"] == {"type": "literal", "value": "عمر", "xml:lang": "ar"}
    assert wrapped(service, ASK, sw.JSON, **how)["boolean"] is True
    document = wrapped(service, SELECT, sw.XML, **how)
    assert isinstance(document, Document)
    assert len(document.getElementsByTagName("result")) == 2
    assert list(csv.reader(io.StringIO(wrapped(service, SELECT, sw.CSV, **how).decode())))[1] == ["http://example.org/s", "عمر"]
    assert wrapped(service, SELECT, sw.TSV, **how).decode().splitlines()[0] == "?s\t?o"
    for query, triples in ((CONSTRUCT, 3), (DESCRIBE, 2)):
        assert len(wrapped(service, query, sw.RDFXML, **how)) == triples
        assert len(wrapped(service, query, sw.JSONLD, **how)) == triples
        assert len(Graph().parse(data=wrapped(service, query, sw.TURTLE, **how), format="turtle")) == triples
        assert len(Graph().parse(data=wrapped(service, query, sw.N3, **how), format="n3")) == triples


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # it leaves the response of an error open
def test_sparqlwrapper_knows_our_errors(service: Any) -> None:
    for query in ("ASK {", "ASK { SERVICE <http://x> {} }"):
        with pytest.raises(Exception) as told:
            wrapped(service, query, sw.JSON)
        assert "problem" in str(told.value) or getattr(told.value, "code", 0) == 403
        del told
        gc.collect()


@pytest.mark.parametrize("format", ["json", "xml", "csv", "tsv"])
@pytest.mark.parametrize("method", ["GET", "POST", "POST_FORM"])
def test_rdflib_store(service: Any, format: str, method: str) -> None:
    graph = Graph(SPARQLStore(service.url, method=method, returnFormat=format))
    rows = list(graph.query(SELECT))
    assert [str(row.s) for row in rows] == ["http://example.org/s", "http://example.org/t"]
    if format in ("json", "xml"):
        assert rows[0].o == Literal("عمر", lang="ar")
        assert bool(graph.query(ASK))
    if format == "xml":  # with the others rdflib accepts nothing that a graph could be sent as
        built = graph.query(CONSTRUCT).graph
        assert built is not None
        assert len(built) == 3
    assert (URIRef("http://example.org/t"), None, URIRef("http://example.org/s")) in graph
    assert len(list(graph.triples((URIRef("http://example.org/s"), None, None)))) == 2


def test_rdflib_store_of_graphs(service: Any) -> None:
    graph = Graph(SPARQLStore(service.url, context_aware=True), identifier=URIRef("http://example.org/g2"))
    assert len(list(graph.triples((None, None, None)))) == 1


def test_oxigraph_federates_to_us(service: Any) -> None:
    store = ox.Store()
    for how in ("", "SILENT"):
        query = f"SELECT ?o {{ SERVICE {how} <{service.url}> {{ <http://example.org/s> <http://example.org/p> ?o }} }}"
        assert [row["o"] for row in store.query(query)] == [ox.Literal("عمر", language="ar")]


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is absent")
def test_curl(service: Any) -> None:
    def curl(*options: str) -> str:
        return subprocess.run(["curl", "-sS", *options], check=True, capture_output=True, timeout=PATIENCE).stdout.decode()

    assert json.loads(curl(service.url, "--data-urlencode", f"query={SELECT}"))["results"]["bindings"]
    assert json.loads(curl("-G", service.url, "--data-urlencode", f"query={ASK}"))["boolean"]
    assert curl("-H", "Accept: text/csv", "-G", service.url, "--data-urlencode", f"query={SELECT}").startswith("s,o\r\n")
    assert "sd:Service" in curl(service.url)
    assert "HTTP/1.1 200" in curl("-I", "-G", service.url, "--data-urlencode", f"query={ASK}")
    direct = ("-H", "Content-Type: application/sparql-query", "--data-binary", ASK, service.url)
    assert json.loads(curl(*direct))["boolean"]
    assert json.loads(curl("-X", "QUERY", *direct))["boolean"]
    assert "problem" in curl("--data", "query=nonsense", service.url)


@pytest.mark.skipif(
    not (shutil.which("node") and (MODULES / "sparql-http-client").is_dir()),
    reason="Node.js or sparql-http-client is absent: python -m kg.web.assets --with-tests",
)
def test_sparql_http_client(service: Any) -> None:
    """The client of the JavaScript world, by every way it asks."""
    script = Path(__file__).parent / "client.mjs"
    done = subprocess.run(
        ["node", str(script), service.url, str(MODULES)], check=True, capture_output=True, timeout=PATIENCE, encoding="utf-8"
    )
    found = json.loads(done.stdout)
    for operation in ("get", "postUrlencoded", "postDirect"):
        assert found[operation]["rows"] == [
            ["http://example.org/s", "عمر", "ar"],
            ["http://example.org/t", "http://example.org/s", ""],
        ]
        assert found[operation]["ask"] is True
        assert found[operation]["triples"] == 3
    assert found["refused"] == [403, "/limits#problem-refused"]


def test_a_remote_store_of_our_own(service: Any) -> None:
    """``RemoteStore`` asks us what ``EmbeddedStore`` tells."""
    store = RemoteStore(service.url)
    assert store.graphs() == ["http://example.org/g1", "http://example.org/g2"]
    assert len(list(store.quads())) == 3
    (quad,) = store.quads("http://example.org/s", "http://example.org/p")
    assert (quad.object, quad.graph_name) == (ox.Literal("عمر", language="ar"), ox.NamedNode("http://example.org/g1"))
    assert len(list(store.quads(quad.subject, quad.predicate, quad.object, quad.graph_name))) == 1
    assert (
        list(store.quads("http://example.org/s", "http://example.org/p", "http://example.org/s", "http://example.org/g1")) == []
    )
    assert store.labels(["http://example.org/s"]) == {"http://example.org/s": []}
    with pytest.raises(StoreError, match="refused the query"):
        store.solutions("SELECT nonsense")
    with pytest.raises(StoreError, match="403"):
        store.solutions("SELECT * { SERVICE <urn:x> {} }")
    with pytest.raises(StoreError, match="truth value"):
        store.solutions("ASK {}")
    with pytest.raises(StoreError, match="instead of SPARQL results"):
        store.solutions("CONSTRUCT WHERE { ?s ?p ?o }")


def test_a_remote_store_that_is_not_there(service: Any) -> None:
    with pytest.raises(StoreError, match="cannot be reached"):
        RemoteStore("http://127.0.0.1:9/sparql").graphs()
    with pytest.raises(StoreError, match="404"):
        RemoteStore(service.url + "/nothing").graphs()


def test_a_remote_store_waits_when_told_to(service: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """429 with Retry-After is waited for and asked again; too long a wait, and what is no matter of time, is told."""
    waited: list[float] = []
    store = RemoteStore(service.url)
    store.patience = replace(store.patience, sleep=waited.append)
    once = remote.results
    replies = [("429", "7"), ("503", "3"), None]

    def unwilling(endpoint: str, query: str, **settings: Any) -> bytes:
        reply = replies.pop(0)
        if reply is None:
            return once(endpoint, query, **settings)
        headers = Message()
        headers["Retry-After"] = reply[1]
        raise answered_with(endpoint, HTTPError(endpoint, int(reply[0]), "Not now", headers, io.BytesIO(b"later")))

    monkeypatch.setattr(remote, "results", unwilling)
    assert len(store.graphs()) == 2
    assert waited == [7, 3]
    for reply in (("429", "9999"), ("500", "1")):
        replies.append(reply)
        with pytest.raises(StoreError, match=f"{reply[0]} Not now"):
            store.graphs()
