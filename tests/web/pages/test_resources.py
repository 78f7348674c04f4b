"""Things and their documents: 303, formats, variance, tags, 304, HEAD, 404, 406, 410, 301, spellings."""

import re
from pathlib import Path
from random import Random
from urllib.parse import quote

import pytest
from flask.testing import FlaskClient
from pyoxigraph import parse
from rdflib import Graph, URIRef

from kg.web.app import create_app
from kg.web.formats import FORMATS

pytestmark = pytest.mark.filterwarnings("ignore:ConjunctiveGraph is deprecated:DeprecationWarning")  # rdflib's own JSON-LD reader

BASE = "https://w3id.org/silsila/"
HADITH = "/hadith/bukhari/3661"
READERS = {".ttl": "turtle", ".jsonld": "json-ld", ".nt": "nt", ".rdf": "xml"}


@pytest.mark.parametrize(
    ("accept", "suffix"),
    [
        (None, ".html"),
        ("*/*", ".html"),
        ("text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8", ".html"),
        ("text/turtle", ".ttl"),
        ("application/x-turtle", ".ttl"),
        ("application/ld+json", ".jsonld"),
        ("application/n-triples", ".nt"),
        ("application/rdf+xml", ".rdf"),
        ("text/turtle;q=0.5, application/rdf+xml;q=0.9", ".rdf"),
        ("text/html;q=0, */*", ".ttl"),
        ("nonsense, text/turtle", ".ttl"),
    ],
)
def test_a_thing_leads_to_the_document_asked_for(client: FlaskClient, accept: str | None, suffix: str) -> None:
    answer = client.get(HADITH, headers={"Accept": accept} if accept else {})
    assert answer.status_code == 303
    assert answer.location == f"http://localhost{HADITH}{suffix}"
    assert "Accept" in answer.headers["Vary"]
    assert 'rel="cite-as"' in answer.headers["Link"]
    assert answer.headers["Cache-Control"]


def test_format_in_the_address_wins(client: FlaskClient) -> None:
    assert client.get(HADITH + "?format=ttl", headers={"Accept": "text/html"}).location.endswith(".ttl")


def test_nothing_acceptable_is_406_with_the_list(client: FlaskClient) -> None:
    answer = client.get(HADITH, headers={"Accept": "image/png"})
    assert answer.status_code == 406
    assert "Accept" in answer.headers["Vary"]
    for form in FORMATS.values():
        assert form.media_type in answer.text


def test_the_same_under_the_path_of_the_base(client: FlaskClient) -> None:
    answer = client.get("/silsila/person/abu-bakr", headers={"Accept": "text/turtle", "Host": "elsewhere.example"})
    assert answer.location == "http://elsewhere.example/silsila/person/abu-bakr.ttl"
    page = client.get("/silsila/person/abu-bakr.html")
    assert 'href="/silsila/static/style.css' in page.text
    assert 'href="/person/' not in page.text


def test_a_public_address_goes_before_the_request(data: Path) -> None:
    public = create_app(data, public_url="https://graph.example/kg/").test_client()
    answer = public.get("/person/abu-bakr", headers={"Accept": "text/turtle"})
    assert answer.location == "https://graph.example/kg/person/abu-bakr.ttl"
    assert 'href="/kg/static/style.css' in public.get("/person/abu-bakr.html").text


def test_every_representation_has_a_strong_tag_of_its_own(client: FlaskClient) -> None:
    tags = {}
    for suffix in FORMATS:
        answer = client.get(HADITH + suffix)
        tags[suffix] = answer.headers["ETag"]
        assert answer.status_code == 200 and not tags[suffix].startswith("W/")
        assert answer.headers["Last-Modified"]
        assert answer.headers["Content-Location"] == HADITH + suffix
        again = client.get(HADITH + suffix, headers={"If-None-Match": tags[suffix]})
        assert again.status_code == 304 and again.headers["ETag"] == tags[suffix] and "Link" in again.headers
    assert len(set(tags.values())) == len(FORMATS)
    for suffix in FORMATS:
        for other, tag in tags.items():
            if other != suffix:
                assert client.get(HADITH + suffix, headers={"If-None-Match": tag}).status_code == 200


def test_languages_are_two_representations(client: FlaskClient) -> None:
    arabic = client.get(HADITH + ".html", headers={"Accept-Language": "ar"})
    english = client.get(HADITH + ".html", headers={"Accept-Language": "en-GB, ar;q=0.5"})
    assert '<html lang="ar" dir="rtl">' in arabic.text and '<html lang="en" dir="ltr">' in english.text
    assert arabic.headers["ETag"] != english.headers["ETag"]
    assert "Accept-Language" in arabic.headers["Vary"]
    assert client.get(HADITH + ".html?lang=ar", headers={"Accept-Language": "en"}).headers["Set-Cookie"].startswith("lang=ar")


def test_head_says_what_get_says(client: FlaskClient) -> None:
    for path in (HADITH, *(HADITH + suffix for suffix in FORMATS)):
        got, headed = client.get(path), client.head(path)
        assert headed.status_code == got.status_code and headed.data == b""
        for name in ("ETag", "Content-Type", "Content-Length", "Vary", "Location"):
            assert headed.headers.get(name) == got.headers.get(name)


def test_what_is_not_there_is_404_in_the_format_asked_for(client: FlaskClient) -> None:
    assert client.get("/person/nobody").content_type.startswith("text/html")
    assert client.get("/person/nobody", headers={"Accept": "text/turtle"}).content_type.startswith("text/turtle")
    for suffix, reader in READERS.items():
        answer = client.get("/person/nobody" + suffix)
        assert answer.status_code == 404 and answer.mimetype == FORMATS[suffix].media_type
        assert len(Graph().parse(data=answer.data, format=reader)) == 2


def test_merged_and_withdrawn_things(client: FlaskClient) -> None:
    merged = client.get("/person/merged-away")
    assert merged.status_code == 301 and merged.location.endswith("/person/abu-bakr")
    gone = client.get("/person/withdrawn.ttl")
    assert gone.status_code == 410 and "deprecated" in gone.text
    page = client.get("/person/withdrawn.html?lang=en")
    assert page.status_code == 410 and "This address was withdrawn." in page.text
    assert "was withdrawn" not in client.get("/person/abu-bakr.html?lang=en").text


@pytest.mark.parametrize("kind", ["hostile"])
def test_every_spelling_of_an_id_resolves(client: FlaskClient, kind: str) -> None:
    number = "<script>alert(1)</script>"
    tight = quote(number, safe="")
    for spelling in (tight, tight.lower(), quote(number, safe="()<>"), tight.replace("%2F", "%2f")):
        answer = client.get(f"/hadith/hostile/{spelling}", headers={"Accept": "text/turtle"})
        assert answer.status_code == 303, spelling
        assert answer.location == f"http://localhost/hadith/hostile/{tight}.ttl"


def test_documents_of_random_things_in_every_format(client: FlaskClient, app) -> None:
    """Status, type, variance, and that the body parses as what it claims to be and speaks of the thing."""
    shelf = app.extensions["kg-shelf"]
    subjects = sorted({q.subject.value for q in shelf.current().store.quads() if q.subject.value.startswith(BASE)})
    number = 60 if shelf.current().elsewhere is None else 15
    chosen = [s for s in Random(7).sample(subjects, number) if "#" not in s and not s.endswith(("merged-away", "withdrawn"))]
    for iri in chosen:
        path = "/" + iri.removeprefix(BASE)
        for suffix, form in FORMATS.items():
            lead = client.get(path, headers={"Accept": form.media_type})
            assert lead.status_code == 303 and lead.location == f"http://localhost{path}{suffix}", (path, suffix)
            assert "Accept" in lead.headers["Vary"]
            answer = client.get(path + suffix)
            assert answer.status_code == 200 and answer.mimetype == form.media_type
            if form.rdf is None:
                assert iri in answer.text and "Accept-Language" in answer.headers["Vary"]
            else:
                triples = list(parse(answer.data, format=form.rdf))
                assert any(iri in (str(t.subject.value), getattr(t.object, "value", "")) for t in triples)


def test_one_description_in_all_formats_read_by_rdflib(client: FlaskClient) -> None:
    graphs = [Graph().parse(data=client.get(HADITH + suffix).data, format=reader) for suffix, reader in READERS.items()]
    sizes = {len(graph) for graph in graphs}
    assert len(sizes) == 1 and sizes.pop() > 80
    thing = URIRef(BASE + "hadith/bukhari/3661")
    assert all((thing, None, None) in graph for graph in graphs)


def test_the_same_bytes_from_another_process_of_the_same_build(data: Path, client: FlaskClient) -> None:
    other = create_app(data).test_client()
    for suffix in READERS:
        assert other.get(HADITH + suffix).data == client.get(HADITH + suffix).data


def test_what_points_at_a_thing_is_paged(client: FlaskClient) -> None:
    first = client.get("/sura/9.ttl")
    assert 'rel="next"' not in first.headers["Link"]
    assert client.get("/sura/9.ttl?page=2").status_code == 404
    book = client.get("/work/sahih-al-bukhari.nt")
    assert b"bookOf" in book.data


def test_pictures_stand_alone(client: FlaskClient) -> None:
    answer = client.get(HADITH + ".svg")
    assert answer.content_type.startswith("image/svg+xml") and answer.data.startswith(b"<?xml")
    import xml.etree.ElementTree as xml

    assert xml.fromstring(answer.data).tag.endswith("svg")
    assert client.get("/place/medina.svg").status_code == 404


def test_cors_preflight(client: FlaskClient) -> None:
    answer = client.options(HADITH)
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    assert "ETag" in client.get(HADITH + ".ttl").headers["Access-Control-Expose-Headers"]


def test_gets_only(client: FlaskClient) -> None:
    answer = client.post(HADITH)
    assert answer.status_code == 405 and "GET" in answer.headers["Allow"]


def test_a_number_that_no_verse_has_is_not_found(client: FlaskClient) -> None:
    assert client.get("/verse/2/999").status_code == 404
    assert client.get("/verse/9/40", headers={"Accept": "text/turtle"}).status_code == 303


def test_things_of_every_kind_have_all_documents(data: Path) -> None:
    """One of each class there is: a role, whose key begins as its report's does, among them."""
    app = create_app(data)
    client, shelf = app.test_client(), app.extensions["kg-shelf"]
    one_of = {}
    for quad in shelf.current().store.quads(None, "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"):
        if quad.subject.value.startswith(BASE) and not re.search("#|withdrawn|merged-away", quad.subject.value):
            one_of[quad.object.value] = min(quad.subject.value, one_of.get(quad.object.value, quad.subject.value))
    assert any(name.endswith("#RoleClaim") for name in one_of)
    for name, iri in one_of.items():
        for suffix in FORMATS:
            assert client.get("/" + iri.removeprefix(BASE) + suffix).status_code == 200, (name, iri, suffix)
        assert client.get("/" + iri.removeprefix(BASE) + ".svg").status_code in (200, 404), iri
