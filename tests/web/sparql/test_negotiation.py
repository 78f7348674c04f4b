"""Real Accept headers against every form of query: ``accept_headers.tsv`` names the client, its header, and what it must get."""

import csv
import io
import json
from pathlib import Path
from typing import Any
from urllib.parse import quote
from xml.etree import ElementTree

import pyoxigraph as ox
import pytest

from kg.store.formats import format_named
from kg.web.negotiation import DOCUMENTS, GRAPHS, HTML, RESULTS, choose, choose_language
from kg.web.sparql import Pages

TABLE = [line.split("\t") for line in (Path(__file__).parent / "accept_headers.tsv").read_text(encoding="utf-8").splitlines()[1:]]

FORMS = {
    "SELECT": ("SELECT * { ?s ?p ?o }", 2),
    "ASK": ("ASK { ?s ?p ?o }", 2),
    "CONSTRUCT": ("CONSTRUCT WHERE { ?s ?p ?o }", 3),
    "DESCRIBE": ("DESCRIBE <http://example.org/s>", 3),
    "description": (None, 3),
}


def test_the_table_is_long_enough() -> None:
    assert len(TABLE) >= 60
    assert len({row[1] for row in TABLE}) >= 60


@pytest.mark.parametrize(("who", "accept", "results", "graphs", "documents"), TABLE, ids=[row[0] for row in TABLE])
def test_choices(who: str, accept: str, results: str, graphs: str, documents: str) -> None:
    chosen = [choose(accept, offers) for offers in (RESULTS, GRAPHS, DOCUMENTS)]
    assert [offer.name if offer else "406" for offer in chosen] == [results, graphs, documents]


@pytest.mark.parametrize("form", FORMS)
def test_choices_over_http(service: Any, form: str) -> None:
    """The type that is sent is the one chosen, it is registered, the body is of that type, and caches are told."""
    query, column = FORMS[form]
    path = "/sparql" if query is None else "/sparql?query=" + quote(query)
    for row in TABLE:
        reply = service.ask("GET", path, headers={"Accept": row[1].strip()} if row[0] != "none" else {})
        expected = row[column]
        assert reply.headers["vary"] == "Accept", row
        if expected == "406":
            assert reply.status == 406, row
            offers = GRAPHS if column == 3 else RESULTS
            if reply.media_type == "application/problem+json":
                assert set(reply.json()["available"]) == {offer.media_type for offer in offers}
            else:
                assert all(offer.media_type.encode() in reply.body for offer in offers)
            continue
        assert reply.status == 200, row
        assert reply.headers["content-type"] == format_named(expected).content_type, row
        assert is_of(expected, reply.body, form), row


def is_of(name: str, body: bytes, form: str) -> bool:
    """Whether a body reads as the format and holds something."""
    if name == "json":
        document = json.loads(body)
        return bool(document["boolean"] if form == "ASK" else document["results"]["bindings"])
    if name == "xml":
        return ElementTree.fromstring(body).tag == "{http://www.w3.org/2005/sparql-results#}sparql"
    if name in ("csv", "tsv"):
        rows = list(csv.reader(io.StringIO(body.decode()), delimiter="," if name == "csv" else "\t"))
        return rows == [["true"]] if form == "ASK" else len(rows) == 4
    return len(list(ox.parse(body, format=format_named(name).writer))) >= 2


@pytest.mark.parametrize(
    ("query", "name", "media_type"),
    [
        ("SELECT * {}", "csv", "text/csv"),
        ("SELECT * {}", "application/sparql-results+xml", "application/sparql-results+xml"),
        ("SELECT * {}", "sparql-results+xml", "application/sparql-results+xml"),
        ("CONSTRUCT WHERE { ?s ?p ?o }", "nt", "application/n-triples"),
        ("CONSTRUCT WHERE { ?s ?p ?o }", "json", "application/ld+json"),
        ("CONSTRUCT WHERE { ?s ?p ?o }", "json-ld", "application/ld+json"),
        ("CONSTRUCT WHERE { ?s ?p ?o }", "rdf+xml", "application/rdf+xml"),
        ("SELECT * {}", "turtle", "application/sparql-results+json"),
        ("SELECT * {}", "nonsense", "application/sparql-results+json"),
    ],
)
@pytest.mark.parametrize("field", ["format", "output", "results"])
def test_format_in_the_address(service: Any, query: str, name: str, media_type: str, field: str) -> None:
    """It goes before Accept where it fits the form of query, and is passed over where it does not."""
    reply = service.ask("GET", f"/sparql?query={quote(query)}&{field}={name}", headers={"Accept": "image/png, */*;q=0.1"})
    assert reply.media_type == media_type


BROWSERS = [
    row[1] for row in TABLE if row[0] in ("Chrome", "Firefox", "Safari", "Googlebot", "old Firefox", "java.net.HttpURLConnection")
]


def test_browsers_get_pages_where_there_are_pages(serve: Any) -> None:
    pages = Pages(
        form=lambda: "<p>form",
        answer=lambda asked, answer: f"<p>{answer.kind} {answer.format} {answer.cut} {len(answer.read())}",
        problem=lambda problem: f"<p>{problem.status}",
        rows=2,
    )
    running = serve(pages=pages)
    for accept in BROWSERS:
        headers = {"Accept": accept}
        assert running.ask("GET", "/sparql", headers=headers).body == b"<p>form"
        assert running.query("SELECT * { ?s ?p ?o }", accept).body.startswith(b"<p>solutions json rows ")
        assert running.query("ASK {}", accept).body.startswith(b"<p>boolean json  ")
        assert running.query("CONSTRUCT WHERE { ?s ?p ?o }", accept).body.startswith(b"<p>graph ntriples rows ")
        assert running.query("ASK {", accept).body == b"<p>400"
    for accept in (None, "*/*", "application/sparql-results+json,*/*;q=0.9"):
        assert running.query("ASK {}", accept).media_type == "application/sparql-results+json"
        assert running.ask("GET", "/sparql", headers={"Accept": accept} if accept else {}).media_type == "text/turtle"
    assert len(BROWSERS) == 6


@pytest.mark.parametrize(
    ("header", "language"),
    [
        (None, "ar"),
        ("", "ar"),
        ("en", "en"),
        ("en-GB,en;q=0.9,ar;q=0.8", "en"),
        ("ar-EG, en;q=0.5", "ar"),
        ("fr, de;q=0.9", "ar"),
        ("fr, en;q=0.2", "en"),
        ("*", "ar"),
        ("en;q=0", "ar"),
        ("en;q=x, ar;q=0.1", "ar"),
    ],
)
def test_languages(header: str | None, language: str) -> None:
    assert choose_language(header, ["ar", "en"]) == language


def test_html_is_named_by_xhtml_too() -> None:
    assert choose("application/xhtml+xml", DOCUMENTS) is HTML
