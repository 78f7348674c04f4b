"""Requests of every shape: whatever comes, the answer is one that /openapi.json describes, and never a fault of the server."""

import json
import socket
from typing import Any
from urllib.parse import quote, urlencode

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from machine import PATIENCE

from kg.store.formats import GRAPH_FORMATS, RESULT_FORMATS
from kg.store.limits import Limits
from kg.web.interface import sparql_interface
from kg.web.limits import PROBLEM_NOTES, limits_document

LIKELY = settings(max_examples=150)
INTERFACE = sparql_interface(Limits())
PROBLEM = jsonschema.Draft202012Validator(INTERFACE["components"]["schemas"]["Problem"])
MEDIA_TYPES = {format.media_type for format in (*RESULT_FORMATS.values(), *GRAPH_FORMATS.values())}

CHARACTERS = st.characters(codec="utf-8")
PIECES = st.sampled_from(
    [
        "SELECT",
        " * ",
        "{",
        "}",
        "?s",
        " ?p ",
        "?o",
        "ASK",
        "<urn:x>",
        "'x'",
        "FILTER(",
        ")",
        "1",
        " . ",
        "a",
        "e:f",
        "@ar",
        "عمر",
        "\x00",
        "\ud7ff",
    ]
)
QUERIES = st.one_of(
    st.lists(PIECES, max_size=20).map("".join),
    st.text(CHARACTERS, max_size=80),
    st.just("ASK {}"),
    st.just("SELECT * { ?s ?p ?o }"),
)
NAMES = st.sampled_from(
    ["query", "update", "default-graph-uri", "named-graph-uri", "format", "excel", "output", "version", "x", ""]
)
FIELDS = st.lists(st.tuples(NAMES, st.one_of(QUERIES, st.sampled_from(["urn:g", "json", "csv", "1", ""]))), max_size=5)
TYPES = st.sampled_from(
    [
        *(
            "application/x-www-form-urlencoded",
            "application/sparql-query",
            "application/sparql-update",
            "text/plain",
            "",
            "x",
            ";",
            "a/b;charset",
        ),
        *(
            "application/sparql-query; charset=utf-8",
            "application/sparql-query;charset=utf-7",
            "multipart/form-data",
            "APPLICATION/SPARQL-QUERY",
        ),
    ]
)
HEADERS = st.text(st.characters(min_codepoint=32, max_codepoint=255, exclude_characters="\x7f"), max_size=60)
ACCEPTS = st.one_of(
    HEADERS,
    st.lists(
        st.sampled_from(["*/*", "text/*", ",", ";", "q=0.5", "q=", "text/csv", "text/html", '"', "application/json", " ", "/"])
    ).map("".join),
)


def check(reply: Any, method: str) -> None:
    """The reply is described: its status, its type, its body."""
    described = INTERFACE["paths"]["/sparql"]["post" if method in ("POST", "QUERY") else "get"]["responses"]
    assert str(reply.status) in described or reply.status == 405, reply
    assert reply.status < 500 or reply.status == 503, reply
    if reply.status >= 400 and reply.media_type == "application/problem+json":
        PROBLEM.validate(reply.json())
        assert reply.json()["status"] == reply.status
    if reply.status == 200:
        assert reply.media_type in MEDIA_TYPES
        assert int(reply.headers["content-length"]) == len(reply.body)


@LIKELY
@given(fields=FIELDS, accept=ACCEPTS)
def test_addresses(service: Any, fields: list[tuple[str, str]], accept: str) -> None:
    check(service.ask("GET", "/sparql?" + urlencode(fields), headers={"Accept": accept.encode("latin-1")}), "GET")


@LIKELY
@given(fields=FIELDS, content_type=TYPES, method=st.sampled_from(["POST", "QUERY"]))
def test_forms(service: Any, fields: list[tuple[str, str]], content_type: str, method: str) -> None:
    check(service.ask(method, "/sparql", urlencode(fields), {"Content-Type": content_type}), method)


@LIKELY
@given(
    body=st.one_of(st.binary(max_size=200), QUERIES.map(lambda text: text.encode("utf-8", "surrogatepass"))), content_type=TYPES
)
def test_bodies(service: Any, body: bytes, content_type: str) -> None:
    check(service.ask("POST", "/sparql", body, {"Content-Type": content_type}), "POST")


@LIKELY
@given(raw=st.text(st.sampled_from("%0123456789abcdefABCDEF&=+;query{}ASK/?#"), max_size=60))
def test_percent_signs(service: Any, raw: str) -> None:
    """Half escapes, double ones, %00, surrogates."""
    check(service.ask("GET", "/sparql?query=" + raw.replace("#", "%23")), "GET")


@LIKELY
@given(query=QUERIES)
def test_one_query_by_every_way_is_one_answer(service: Any, query: str) -> None:
    if not query:
        return
    replies = [
        service.query(query),
        service.query(query, method="POST"),
        service.query(query, method="QUERY"),
        service.ask("POST", "/sparql/", "query=" + quote(query), {"Content-Type": "application/x-www-form-urlencoded"}),
    ]
    assert len({reply.status for reply in replies}) == 1
    if replies[0].status != 200 or "BNODE" not in query:
        assert len({reply.body for reply in replies}) == 1


@pytest.mark.parametrize(
    ("raw", "statuses"),
    [
        (b"GET /sparql?query=ASK%7B%7D\r\nX: y HTTP/1.1\r\nHost: x\r\n\r\n", {200, 400}),
        (b"GET /sparql?query=ASK%00%7B%7D HTTP/1.1\r\nHost: x\r\n\r\n", {400}),
        (b"GET /sparql?query=%ED%A0%80 HTTP/1.1\r\nHost: x\r\n\r\n", {400}),
        (b"GET /sparql?query=%2541SK%7B%7D HTTP/1.1\r\nHost: x\r\n\r\n", {400}),
        (b"GET /sparql?query=ASK{}&x=\xff\xfe HTTP/1.1\r\nHost: x\r\n\r\n", {400}),
        (b"GET /sparql?query=ASK%7B%7D HTTP/1.1\r\nHost: x\r\nAccept: text/csv\r\nAccept: text/html\r\n\r\n", {200}),
        (b"GET /sparql?query=ASK%7B%7D HTTP/1.1\r\nHost: x\r\nAccept: " + b"a/b," * 10_000 + b"\r\n\r\n", {200, 406, 431}),
        (b"GET //sparql HTTP/1.1\r\nHost: x\r\n\r\n", {200, 308, 404, 400}),
        (b"GET /sparql/../../etc/passwd HTTP/1.1\r\nHost: x\r\n\r\n", {404}),
        (b"GET /sparql/%2e%2e/limits HTTP/1.1\r\nHost: x\r\n\r\n", {404}),
        (b"GET /sparql%2f HTTP/1.1\r\nHost: x\r\n\r\n", {200, 404}),
        (b"POST /sparql HTTP/1.1\r\nHost: x\r\nContent-Type: application/sparql-query\r\nContent-Length: -1\r\n\r\n", {400}),
        (
            b"POST /sparql HTTP/1.1\r\nHost: x\r\nContent-Type: application/sparql-query\r\nContent-Length: 99999999\r\n\r\n",
            {413},
        ),
        (
            b"POST /sparql HTTP/1.1\r\nHost: x\r\nContent-Type: application/sparql-query\r\nTransfer-Encoding: chunked\r\n\r\n"
            b"6\r\nASK {}\r\n0\r\n\r\n",
            {200},
        ),
        (
            b"POST /sparql HTTP/1.1\r\nHost: x\r\nContent-Type: application/sparql-query\r\nTransfer-Encoding: chunked\r\n"
            b"Content-Length: 3\r\n\r\n6\r\nASK {}\r\n0\r\n\r\n",
            {200, 400},
        ),
        (b"BREW /sparql HTTP/1.1\r\nHost: x\r\n\r\n", {405}),
        (b"GET /sparql?query=ASK%7B%7D HTTP/1.0\r\n\r\n", {200}),
        (b"GET /sparql?query=ASK%7B%7D HTTP/1.1\r\nHost: evil\r\nX-Forwarded-Host: evil\r\n\r\n", {200}),
    ],
)
def test_raw_requests(service: Any, raw: bytes, statuses: set[int]) -> None:
    with socket.create_connection((service.host, service.port), timeout=PATIENCE) as connection:
        connection.sendall(raw)
        answer = b""
        while b"\r\n\r\n" not in answer and (block := connection.recv(65536)):
            answer += block
    assert int(answer.split(b" ", 2)[1]) in statuses, answer


@pytest.mark.parametrize("value", ["text/csv\r\nX-Evil: 1", "a\nb", "%0d%0aX-Evil: 1"])
def test_nothing_of_a_request_becomes_a_header(service: Any, value: str) -> None:
    for field in ("format", "default-graph-uri", "query", "excel"):
        reply = service.ask("GET", "/sparql?" + urlencode({"query": "ASK {}"} | {field: value}))
        assert "x-evil" not in reply.headers


def test_the_interface_is_sound() -> None:
    """Every status and problem that the code knows is described, and the description is JSON."""
    assert json.loads(json.dumps(INTERFACE)) == INTERFACE
    document = limits_document(Limits())
    types = INTERFACE["components"]["schemas"]["Problem"]["properties"]["type"]["enum"]
    assert {name.partition("problem-")[2] for name in types} == set(PROBLEM_NOTES) == set(document["problems"])
    assert INTERFACE["paths"]["/sparql"]["get"]["parameters"][0]["schema"]["maxLength"] == Limits().query_length


def test_limits_for_programs_and_people(service: Any) -> None:
    document = service.ask("GET", "/limits", headers={"Accept": "application/json"})
    assert document.json()["limits"]["seconds"]["value"] == 20
    page = service.ask("GET", "/limits", headers={"Accept": "text/html"})
    assert page.media_type == "text/html"
    assert b'id="problem-limit"' in page.body
    assert service.ask("GET", "/limits", headers={"Accept": "image/png"}).status == 406
    assert page.headers["vary"] == "Accept"
