"""/search for people, /search.json for programs, and the OpenSearch description."""

from dataclasses import dataclass
from urllib.parse import quote

from flask import Blueprint, Response, jsonify, request
from markupsafe import Markup, escape
from pyoxigraph import Literal

from kg.web.documents import kind_of
from kg.web.languages import Text, best, direction
from kg.web.search import COUNTED, PAGE, Found, SearchIndex, highlight, snippet
from kg.web.site import Site, site

__all__ = ["search_blueprint"]

HEADINGS = ("person", "hadith", "event", "place", "verse", "work", "term")
LONGEST = 300
"""Letters of a question that are read."""


@dataclass(frozen=True, slots=True)
class Result:
    """One line of results."""

    href: str
    label: Text
    marked: Markup
    kind: str
    snippet: Markup
    language: str
    also: list[Text]


def search_blueprint() -> Blueprint:
    blueprint = Blueprint("search", __name__)

    @blueprint.get("/search")
    def search() -> Response:
        here = site()
        question, kind, page = _asked()
        index = here.edition.search
        found = index.find(question, kind, page) if index and question else Found([], {}, 0, ())
        pages = max(1, -(-found.total // PAGE))
        return here.page(
            "search.html", title=here.messages("search.title"), q=question, kind=kind, found=found, results=_results(here, found), page=page,
            pages=pages, headings=[h for h in HEADINGS if found.counts.get(h)], available=index is not None, most=COUNTED,
        )  # fmt: skip

    @blueprint.get("/search.json")
    def search_json() -> Response:
        here = site()
        question, kind, page = _asked()
        index: SearchIndex | None = here.edition.search
        if request.args.get("complete"):
            completions = index.complete(question) if index and question else []
            response = jsonify(completions=completions)
        else:
            found = index.find(question, kind, page) if index and question else Found([], {}, 0, ())
            response = jsonify(
                query=question, total=found.total, counts=found.counts, page=page, page_size=PAGE,
                results=[_for_programs(here, hit.key, hit.kind) for hit in found.hits],
            )  # fmt: skip
        response.headers["Access-Control-Allow-Origin"] = "*"
        response.headers["Cache-Control"] = "public, max-age=60"
        return response

    @blueprint.get("/suggest.json")
    def suggest() -> Response:
        """Completions in the form browsers ask for (OpenSearch Suggestions 1.1)."""
        index = site().edition.search
        question, _, _ = _asked()
        response = jsonify([question, index.complete(question) if index and question else []])
        response.content_type = "application/x-suggestions+json"
        return response

    @blueprint.get("/opensearch.xml")
    def opensearch() -> Response:
        body = site().render("opensearch.xml")
        response = Response(body, content_type="application/opensearchdescription+xml; charset=utf-8")
        response.headers["Vary"] = "Accept-Language, Cookie"
        return response

    return blueprint


def _asked() -> tuple[str, str | None, int]:
    kind = request.args.get("kind")
    page = request.args.get("page", 1, type=int)
    return request.args.get("q", "").strip("\n\r\t ")[:LONGEST], kind if kind in HEADINGS else None, min(max(page, 1), 500)


def _results(here: Site, found: Found) -> list[Result]:
    rows = []
    describer = here.edition.describer
    for hit in found.hits:
        iri = here.edition.base + hit.key
        terms = [quad.object for quad in describer.labels(iri)]
        label = best(terms, here.messages.language) or Text(hit.key)
        other = best(terms, "en" if here.messages.language == "ar" else "ar")
        text, language = _text(here, iri)
        year = describer.fact(iri, "deathYearAHLatest") if hit.kind == "person" else ""
        died = here.messages("chain.died").replace("{year}", year) if year else ""
        also = [*([other] if other and str(other) != str(label) else []), *([Text(died, here.messages.language)] if died else [])]
        marked = highlight(str(label), found.terms)
        rows.append(
            Result(
                href=here.path(hit.key),
                label=label,
                marked=Markup(f'<bdi lang="{escape(label.language or "und")}" dir="{direction(label.language)}">{marked}</bdi>'),
                kind=here.messages.get("kind." + kind_of(hit.key), hit.kind),
                snippet=snippet(text, found.terms) if text else Markup(""),
                language=language,
                also=also,
            )
        )
    return rows


def _text(here: Site, iri: str) -> tuple[str, str]:
    for name in ("text", "quotation"):
        for quad in here.edition.store.quads(iri, "https://w3id.org/silsila/ontology#" + name):
            return quad.object.value, getattr(quad.object, "language", None) or "ar"
    return "", ""


def _for_programs(here: Site, key: str, kind: str) -> dict[str, object]:
    labels = here.edition.describer.labels(here.edition.base + key)
    return {
        "id": here.edition.base + key,
        "url": here.public(quote(key, safe="/%")),
        "kind": kind,
        "labels": [
            {"value": t.value, "lang": t.language or "", "dir": direction(t.language or "")}
            for t in (quad.object for quad in labels)
            if isinstance(t, Literal)
        ],
    }
