"""The SPARQL 1.1 Protocol over a real socket: the W3C manifest, and what it leaves out."""

import gzip
from typing import Any
from urllib.parse import quote, urlencode

import pyoxigraph as ox
import pytest
from rdflib import RDF, Graph, Namespace
from rdflib.collection import Collection

from kg.evaluate import shared

MF = Namespace("http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#")
HT = Namespace("http://www.w3.org/2011/http#")
CNT = Namespace("http://www.w3.org/2011/content#")
SD = "http://www.w3.org/ns/sparql-service-description#"
FORM, DIRECT = "application/x-www-form-urlencoded", "application/sparql-query"

folder = shared() and shared() / "w3c" / "sparql11" / "protocol"  # type: ignore[operator]
needs_manifest = pytest.mark.skipif(not folder or not folder.is_dir(), reason="../shared/w3c is absent")

RDF_TYPES = {"text/turtle", "application/rdf+xml", "application/n-triples", "application/ld+json"}
RESULT_TYPES = {"application/sparql-results+json", "application/sparql-results+xml", "text/csv", "text/tab-separated-values"}


def protocol_tests() -> list[tuple[str, list[dict[str, Any]]]]:
    """Name and requests of each test of the manifest."""
    if not folder or not folder.is_dir():
        return []
    graph = Graph().parse(folder / "manifest.ttl")
    tests = []
    for test in graph.subjects(RDF.type, MF.ProtocolTest):
        requests = []
        for request in Collection(graph, graph.value(graph.value(test, MF.action), HT.requests)):
            body = graph.value(request, HT.body)
            encoding = str(graph.value(body, CNT.characterEncoding) or "UTF-8") if body else "UTF-8"
            response = graph.value(request, HT.resp)
            requests.append(
                {
                    "method": str(graph.value(request, HT.methodName)),
                    "path": str(graph.value(request, HT.absolutePath)),
                    "body": str(graph.value(body, CNT.chars)).encode(encoding) if body else None,
                    "headers": {
                        str(graph.value(header, HT.fieldName)): str(graph.value(header, HT.fieldValue))
                        for header in Collection(graph, graph.value(request, HT.headers) or RDF.nil)
                    },
                    "statuses": {str(status)[-3] for status in graph.objects(response, MF.expectedStatus)},
                    "boolean": graph.value(response, MF.expectedBoolean),
                    "format": graph.value(response, MF.expectedFormat),
                }
            )
        tests.append((str(test).partition("#")[2], requests))
    return sorted(tests, key=lambda named: named[0])


@pytest.fixture(scope="module")
def w3c(make_store: Any, service: Any) -> Any:
    """A service over the three documents of the manifest, each in the graph of its address."""
    assert folder
    lines = []
    for n in (1, 2, 3):
        name = f"http://kasei.us/2009/09/sparql/data/data{n}.rdf"
        for triple in ox.parse(path=str(folder / f"data{n}.nt"), format=ox.RdfFormat.N_TRIPLES):
            lines.append(f"{triple.subject} {triple.predicate} {triple.object} <{name}> .")
    with service.another(make_store("\n".join(lines) + "\n")) as running:
        yield running


@needs_manifest
@pytest.mark.parametrize(("name", "requests"), protocol_tests(), ids=lambda value: value if isinstance(value, str) else "")
def test_w3c_protocol(w3c: Any, name: str, requests: list[dict[str, Any]]) -> None:
    """All query tests pass; of each update test, the update is refused and says that the service is read-only."""
    if "update" in name:
        request = requests[0]
        reply = w3c.ask(request["method"], request["path"], request["body"], request["headers"])
        assert 400 <= reply.status < 500
        assert b"read-only" in reply.body
        return
    for request in requests:
        reply = w3c.ask(request["method"], request["path"], request["body"], request["headers"])
        assert str(reply.status)[0] in request["statuses"], reply
        if request["boolean"] is not None:
            assert reply.json()["boolean"] is request["boolean"].toPython()
        if request["format"] is not None:
            expected = RDF_TYPES if str(request["format"]) == "RDF" else RESULT_TYPES
            assert reply.media_type in expected


@needs_manifest
def test_the_manifest_is_whole() -> None:
    names = [name for name, _ in protocol_tests()]
    assert len(names) == 34
    assert sum("update" in name for name in names) == 14


@pytest.mark.parametrize("accept", [None, "text/turtle", "application/rdf+xml", "application/ld+json", "application/n-triples"])
def test_service_description(service: Any, accept: str | None) -> None:
    """The three W3C tests: it is RDF, has the matching endpoint, keeps to the schema (known terms, right kinds)."""
    reply = service.ask("GET", "/sparql", headers={"Accept": accept} if accept else {})
    assert reply.status == 200
    triples = list(ox.parse(reply.body, format=ox.RdfFormat.from_media_type(reply.media_type)))
    said = {(triple.subject.value, triple.predicate.value, triple.object.value) for triple in triples}
    assert (service.url, f"{SD}endpoint", service.url) in said
    types = {subject for subject, predicate, value in said if predicate == str(RDF.type) and value == f"{SD}Service"}
    assert types == {service.url}
    known = [
        "endpoint",
        "supportedLanguage",
        "feature",
        "resultFormat",
        "defaultDataset",
        "availableGraphs",
        "defaultGraph",
        "namedGraph",
        "name",
        "graph",
    ]
    assert {p.removeprefix(SD) for _, p, _ in said if p.startswith(SD)} == set(known)
    assert {o for _, p, o in said if p == f"{SD}name"} == {"http://example.org/g1", "http://example.org/g2"}
    values = {s.partition("#limit-")[2]: o for s, p, o in said if p == "https://schema.org/value"}
    assert values["seconds"] == "20"
    assert values["rows"] == "200000"


def test_both_addresses_answer_without_redirect(service: Any) -> None:
    for path in ("/sparql", "/sparql/"):
        reply = service.ask("POST", path, "query=ASK%7B%7D", {"Content-Type": FORM})
        assert (reply.status, reply.json()["boolean"]) == (200, True)


@pytest.mark.parametrize("content_type", [FORM, FORM + "; charset=utf-8", FORM.upper(), FORM + ';charset="UTF-8"'])
def test_form_types(service: Any, content_type: str) -> None:
    assert service.ask("POST", "/sparql", "query=ASK%7B%7D", {"Content-Type": content_type}).status == 200


@pytest.mark.parametrize(
    ("method", "path", "body", "content_type", "status"),
    [
        ("POST", "/sparql", "", FORM, 400),
        ("POST", "/sparql", "q=1", FORM, 400),
        ("POST", "/sparql", "query=ASK{}&query=ASK{}", FORM, 400),
        ("POST", "/sparql?query=ASK%7B%7D", "query=ASK{}", FORM, 400),
        ("POST", "/sparql?query=ASK%7B%7D", "ASK {}", DIRECT, 400),
        ("POST", "/sparql", "query=ASK{}&update=CLEAR+ALL", FORM, 400),
        ("GET", "/sparql?query=ASK%7B%7D&update=CLEAR+ALL", None, None, 400),
        ("GET", "/sparql?query=ASK%7B%7D&default-graph-uri=relative", None, None, 400),
        ("GET", "/sparql?query=ASK%7B%7D&named-graph-uri=urn:a%20b", None, None, 400),
        ("GET", "/sparql?query=", None, None, 400),
        ("GET", "/sparql?query=%FF%FE", None, None, 400),
        ("GET", "/sparql?query=ASK%7B%7D&x=%C3%28", None, None, 400),
        ("POST", "/sparql", b"query=%ED%A0%80", FORM, 400),
        ("POST", "/sparql", b"\xff\xfeA\x00", DIRECT, 400),
        ("POST", "/sparql", b"\xff", FORM, 400),
        ("POST", "/sparql", "ASK {}", "application/sparql-query; charset=latin-1", 415),
        ("POST", "/sparql", "ASK {}", "multipart/form-data; boundary=x", 415),
        ("POST", "/sparql", "{}", "application/json", 415),
        ("POST", "/sparql", "CLEAR ALL", "application/sparql-update", 403),
        ("POST", "/sparql", "CLEAR ALL", DIRECT, 403),
        ("POST", "/sparql", "&".join(["a=1"] * 1001) + "&query=ASK{}", FORM, 400),
        ("QUERY", "/sparql", "ASK {}", DIRECT, 200),
        ("QUERY", "/sparql", "query=ASK%7B%7D", FORM, 200),
        ("QUERY", "/sparql", "ASK {}", None, 415),
        ("PUT", "/sparql", "ASK {}", DIRECT, 405),
        ("DELETE", "/sparql", None, None, 405),
        ("PATCH", "/sparql", None, None, 405),
    ],
)
def test_statuses_of_the_protocol(service: Any, method: str, path: str, body: Any, content_type: str | None, status: int) -> None:
    reply = service.ask(method, path, body, {"Content-Type": content_type} if content_type else {})
    assert reply.status == status, reply
    if status >= 400:
        assert reply.media_type == "application/problem+json"
        assert reply.json()["status"] == status
        assert reply.json()["title"]


def test_refused_types_say_what_is_read(service: Any) -> None:
    reply = service.ask("POST", "/sparql", "ASK {}", {"Content-Type": "text/plain"})
    assert DIRECT in reply.headers["accept-post"]
    reply = service.ask("QUERY", "/sparql", "ASK {}", {"Content-Type": "text/plain"})
    assert DIRECT in reply.headers["accept-query"]
    assert "QUERY" in service.ask("PUT", "/sparql").headers["allow"]


@pytest.mark.parametrize("length", [10, 20_000], ids=["in the lane", "in Flask"])
def test_packed_bodies_are_not_read(service: Any, length: int) -> None:
    """A body with Content-Encoding is refused, whatever it holds; the answer says what is read."""
    query = b"ASK {} #" + b"x" * length
    for encoding in ("gzip", "deflate", "br", "zstd", "gzip, gzip", "nonsense"):
        body = gzip.compress(query) if encoding == "gzip" else query
        for method in ("POST", "QUERY"):
            reply = service.ask(method, "/sparql", body, {"Content-Type": DIRECT, "Content-Encoding": encoding})
            assert (reply.status, reply.headers["accept-encoding"]) == (415, "identity")
            assert encoding in reply.json()["detail"]
    assert service.ask("POST", "/sparql", query, {"Content-Type": DIRECT, "Content-Encoding": "Identity"}).status == 200
    assert service.ask("GET", "/sparql?query=ASK%7B%7D", headers={"Content-Encoding": "gzip"}).status == 200  # it has no body


def test_a_version_may_be_named(service: Any) -> None:
    """As the draft of the SPARQL 1.2 Protocol has it: in the address, with a media type, in the query."""
    accept = {"Accept": "application/sparql-results+json;version=1.2"}
    for reply in (
        service.ask("GET", "/sparql?query=ASK%7B%7D&version=1.2", headers=accept),
        service.ask("POST", "/sparql?version=1.2", "ASK {}", {"Content-Type": DIRECT + ";version=1.2", **accept}),
        service.ask("QUERY", "/sparql", 'VERSION "1.2" ASK {}', {"Content-Type": DIRECT, **accept}),
    ):
        assert (reply.status, reply.media_type, reply.json()["boolean"]) == (200, "application/sparql-results+json", True)


def test_head_sends_the_headers_of_get(service: Any) -> None:
    query = "SELECT * { ?s ?p ?o }"
    get, head = service.query(query), service.query(query, method="HEAD")
    assert head.status == 200
    assert head.body == b""
    kept = ("content-type", "content-length", "etag", "vary", "cache-control")
    assert {name: head.headers[name] for name in kept} == {name: get.headers[name] for name in kept}


def test_cors_without_credentials(service: Any) -> None:
    headers = {"Origin": "https://elsewhere.example", "Access-Control-Request-Method": "POST"}
    preflight = service.ask("OPTIONS", "/sparql", headers=headers)
    assert preflight.status == 204
    assert "QUERY" in preflight.headers["access-control-allow-methods"]
    for reply in (
        preflight,
        service.query("ASK {}"),
        service.query("ASK {"),
        service.query("ASK {}", "image/png"),
        service.ask("PUT", "/sparql"),
    ):
        assert reply.headers["access-control-allow-origin"] == "*"
        assert "access-control-allow-credentials" not in reply.headers


def ask_dataset(service: Any, query: str, **graphs: list[str]) -> bool:
    fields = [("query", query)] + [(f"{kind}-graph-uri", graph) for kind, names in graphs.items() for graph in names]
    by_get = service.ask("GET", "/sparql?" + urlencode(fields))
    by_form = service.ask("POST", "/sparql", urlencode(fields), {"Content-Type": FORM})
    assert by_get.json() == by_form.json()
    return bool(by_get.json()["boolean"])


G1, G2, NOWHERE = "http://example.org/g1", "http://example.org/g2", "http://example.org/nowhere"
IN_G1 = "?s <http://example.org/q> ?o"
IN_G2 = "<http://example.org/t> ?p ?other"


def test_datasets(service: Any) -> None:
    """Without one, the union of the named graphs; the protocol's goes before the query's; unknown graphs are empty."""
    assert ask_dataset(service, f"ASK {{ {IN_G1} . {IN_G2} }}")
    assert ask_dataset(service, f"ASK {{ {IN_G1} }}", default=[G1])
    assert not ask_dataset(service, f"ASK {{ {IN_G2} }}", default=[G1])
    assert ask_dataset(service, f"ASK {{ {IN_G1} . {IN_G2} }}", default=[G1, G2])
    assert not ask_dataset(service, "ASK { ?s ?p ?o }", named=[G1])
    assert not ask_dataset(service, "ASK { GRAPH ?g { ?s ?p ?o } }", default=[G1])
    assert ask_dataset(service, f"ASK {{ GRAPH <{G1}> {{ {IN_G1} }} }}", named=[G1])
    assert not ask_dataset(service, f"ASK FROM <{G1}> {{ {IN_G1} }}", default=[G2])
    assert not ask_dataset(service, "ASK { ?s ?p ?o }", default=[NOWHERE])
    assert not ask_dataset(service, f"ASK FROM <{G2}> {{ {IN_G1} }}")
    assert not ask_dataset(service, f"ASK FROM NAMED <{G1}> {{ ?s ?p ?o }}")
    assert ask_dataset(service, f"ASK FROM NAMED <{G1}> {{ GRAPH ?g {{ {IN_G1} }} }}")


def test_arabic_is_decoded_once(service: Any) -> None:
    query = 'ASK { ?s ?p "عمر"@ar }'
    for reply in (
        service.query(query),
        service.query(query, method="POST"),
        service.ask("POST", "/sparql", "query=" + quote(query), {"Content-Type": FORM}),
    ):
        assert reply.json()["boolean"]
    twice = 'SELECT ("%D8%B1" AS ?x) {}'
    assert service.query(twice).json()["results"]["bindings"][0]["x"]["value"] == "%D8%B1"
    assert (
        service.ask("POST", "/sparql", urlencode({"query": twice}), {"Content-Type": FORM}).json()["results"]["bindings"][0]["x"][
            "value"
        ]
        == "%D8%B1"
    )


@pytest.mark.parametrize("accept", ["application/sparql-results+json", "text/csv", "application/sparql-results+xml"])
def test_unchanged_answers_are_304(service: Any, accept: str) -> None:
    query = "SELECT * { ?s ?p ?o }"
    first = service.query(query, accept)
    again = service.ask(
        "GET", "/sparql?query=" + quote(query), headers={"Accept": accept, "If-None-Match": first.headers["etag"]}
    )
    assert (again.status, again.body, again.headers["etag"], again.headers["vary"]) == (304, b"", first.headers["etag"], "Accept")
    other = service.ask(
        "GET",
        "/sparql?query=" + quote(query),
        headers={"Accept": "text/tab-separated-values", "If-None-Match": first.headers["etag"]},
    )
    assert other.status == 200


def test_excel_gets_a_byte_order_mark(service: Any) -> None:
    reply = service.ask("GET", "/sparql?excel=1&format=csv&query=" + quote("SELECT ?o { ?s ?p ?o }"))
    assert reply.body.startswith(b"\xef\xbb\xbfo\r\n")
    assert int(reply.headers["content-length"]) == len(reply.body)


def test_relative_iris_are_resolved(service: Any) -> None:
    reply = service.query("SELECT (<a> AS ?x) {}")
    assert reply.json()["results"]["bindings"][0]["x"]["value"] == f"http://{service.host}:{service.port}/a"


@pytest.mark.parametrize(
    ("query", "line", "column", "token"),
    [
        ("SELECT * {\n ?s ex:p ?o }", 2, 5, "ex:p"),
        ("SELECT * {\n ?s ?p ?o", 1, 10, "{"),
        ("SELECT * { ?s ?p ?o ) }", 1, 21, ")"),
        ("SELEKT * {}", 1, 1, "SELEKT"),
        ('ASK {\n\n ?s ?p "open }', 3, 8, '"'),
        ("", 1, 1, ""),
        ("SELECT * {\n <http://example.org/a b> ?p ?o }", 2, 2, "<http://example.org/a b>"),
        ("PREFIX ex: <http://example.org/ > ASK { ?s ex:p ?o }", 1, 12, "<http://example.org/ >"),
        ("ASK { <a b> ?p ?o }", 1, 7, "<a b>"),
        ("ASK { ?s <urn:a{b}> ?o }", 1, 10, "<urn:a{b}>"),
        ("ASK { ?s <http://example.org/a ?o }", 1, 10, "<http://example.org/a"),
        ("ASK { ?s ?p ?o FILTER(?o <ex:a && ?p > 3) }", 1, 27, "ex:a"),
        ('SELECT * { ?س ?p "عمر" "x" }', 1, 24, '"x"'),
    ],
)
def test_syntax_errors_point_at_the_token(service: Any, query: str, line: int, column: int, token: str) -> None:
    problem = service.query(query).json()
    assert (problem["status"], problem["line"], problem["column"], problem.get("token", "")) == (400, line, column, token)
    assert problem["detail"]
    assert problem["remedy"]


def test_errors_for_people_are_pages_that_escape(service: Any) -> None:
    reply = service.query("<script>alert(1)</script>", "text/html,application/xhtml+xml,*/*;q=0.8")
    assert (reply.status, reply.media_type) == (400, "text/html")
    assert b"<script" not in reply.body
    assert service.query("ASK {", "text/plain").media_type == "text/plain"
    assert service.query("ASK {", "application/sparql-results+json").media_type == "application/problem+json"
