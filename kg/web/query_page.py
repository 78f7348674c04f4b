"""/query and the pages of /sparql: an editor, the stored questions, and answers as table, graph, map and timeline."""

import json
import re
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

from flask import Blueprint, Response, redirect, request
from markupsafe import Markup
from pyoxigraph import Literal, NamedNode, RdfFormat, parse

from kg.resources import queries_folder
from kg.store.answers import Answer
from kg.web.isnad_svg import Bundle, Edge, Node, draw
from kg.web.languages import Text, best
from kg.web.maps import Spot, draw_map
from kg.web.names import PREFIXES, SLS, shorten
from kg.web.problems import Problem
from kg.web.protocol import ProtocolRequest
from kg.web.site import Site, site
from kg.web.sparql import Pages
from kg.web.timeline import Period, draw_timeline

__all__ = ["StoredQuery", "query_blueprint", "sparql_pages", "stored_queries"]

FIRST = """PREFIX sls: <https://w3id.org/silsila/ontology#>
PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
SELECT ?person ?name ?reports WHERE {
  ?person a sls:Person ; sls:passageCount ?reports ; rdfs:label ?name .
  FILTER(LANG(?name) = "ar")
}
ORDER BY DESC(?reports)
LIMIT 20
"""
IN_GRAPH, IN_MAP = 60, 400
_HEADER = re.compile(r"#\s*(title|comment)(?:@(\w+))?:\s*(.*)")
_EXPORTS = {
    "solutions": ("csv", "tsv", "json", "xml"),
    "boolean": ("json", "xml"),
    "graph": ("turtle", "jsonld", "ntriples", "rdfxml"),
}


@dataclass(frozen=True, slots=True)
class StoredQuery:
    """A query of ``queries/``: title and comment by language, and its text without them."""

    name: str
    titles: dict[str, str]
    comments: dict[str, str]
    text: str

    def title(self, language: str) -> str:
        return self.titles.get(language) or self.titles.get("en") or self.name

    def comment(self, language: str) -> str:
        return self.comments.get(language) or self.comments.get("en") or ""


@dataclass(slots=True)
class Shown:
    """An answer ready for its page."""

    kind: str
    columns: list[str] = field(default_factory=list)
    rows: list[list[Markup]] = field(default_factory=list)
    boolean: bool | None = None
    cut: str = ""
    graph: Markup | None = None
    map: Markup | None = None
    timeline: Markup | None = None
    exports: list[tuple[str, str]] = field(default_factory=list)
    seconds: float = 0.0


@lru_cache(maxsize=1)
def stored_queries(folder: Path | None = None) -> dict[str, StoredQuery]:
    """The stored queries by name; the header lines ``# title@ar: …`` are taken off."""
    found: dict[str, StoredQuery] = {}
    for path in sorted((folder or queries_folder()).glob("*.rq")):
        lines = path.read_text(encoding="utf-8").splitlines()
        texts: dict[str, dict[str, str]] = {"title": {}, "comment": {}}
        while lines and (match := _HEADER.match(lines[0])):
            texts[match[1]][match[2] or "en"] = match[3]
            lines.pop(0)
        found[path.stem] = StoredQuery(path.stem, texts["title"], texts["comment"], "\n".join(lines) + "\n")
    return found


def query_blueprint() -> Blueprint:
    blueprint = Blueprint("query", __name__)

    @blueprint.get("/query")
    def query() -> Response:
        here = site()
        stored = stored_queries().get(request.args.get("name", ""))
        text = request.args.get("query") or (stored.text if stored else FIRST)
        return here.page("query.html", **_form(here, text))

    @blueprint.get("/query/<name>")
    def run(name: str) -> Response:
        """A stored question, asked."""
        here = site()
        stored = stored_queries().get(name)
        if stored is None:
            return here.problem(404, None)
        return redirect(here.path("sparql") + "?query=" + quote(stored.text, safe=""), 303)  # type: ignore[return-value]

    @blueprint.get("/queries.json")
    def queries() -> Response:
        """The stored questions for programs."""
        here = site()
        rows = [{"name": q.name, "title": q.titles, "comment": q.comments, "query": q.text, "run": here.public("query/" + q.name)}
                for q in stored_queries().values()]  # fmt: skip
        response = Response(json.dumps(rows, ensure_ascii=False), mimetype="application/json")
        response.headers["Access-Control-Allow-Origin"] = "*"
        return response

    return blueprint


def sparql_pages() -> Pages:
    """How people see /sparql."""
    return Pages(form=lambda: _page(site(), FIRST), answer=_answer, problem=_problem)


def _form(here: Site, text: str, **more: Any) -> dict[str, Any]:
    language = here.messages.language
    stored = [(q.name, q.title(language), q.comment(language)) for q in stored_queries().values()]
    prefixes = {name: PREFIXES[name] for name in ("sls", "rdf", "rdfs", "skos", "dcterms", "xsd", "geo", "owl", "prov")}
    return {
        "title": here.messages("query.title"),
        "here": "query",
        "text": text,
        "stored": stored,
        "prefixes": prefixes,
        "shown": None,
        "problem": None,
        **more,
    }


def _page(here: Site, text: str, **more: Any) -> str:
    here.known_arguments = ("query", "name")
    return here.render("query.html", **_form(here, text, **more))


def _answer(asked: ProtocolRequest, answer: Answer) -> str:
    here = site()
    shown = Shown(answer.kind, cut=answer.cut, seconds=answer.seconds)
    data = answer.read()
    if answer.kind == "graph":
        _show_graph(here, data, shown)
    else:
        _show_solutions(here, json.loads(data), shown)
    address = here.path("sparql") + "?query=" + quote(asked.query or "", safe="")
    shown.exports = [(name, f"{address}&format={name}") for name in _EXPORTS[answer.kind]]
    return _page(here, asked.query or "", shown=shown)


def _problem(problem: Problem) -> str:
    here = site()
    query = request.args.get("query") or ""
    if not query and request.mimetype == "application/x-www-form-urlencoded":
        query = request.form.get("query", "")
    return _page(here, query or FIRST, problem=problem)


def _show_solutions(here: Site, document: dict[str, Any], shown: Shown) -> None:
    if "boolean" in document:
        shown.boolean = bool(document["boolean"])
        return
    shown.columns = document["head"].get("vars", [])
    bindings = document["results"]["bindings"]
    shown.rows = [[_cell(here, row.get(column)) for column in shown.columns] for row in bindings]
    iris = list(
        dict.fromkeys(
            v["value"]
            for row in bindings
            for v in row.values()
            if v["type"] == "uri" and v["value"].startswith(here.edition.base)
        )
    )
    _places_and_times(here, iris, shown)
    things = [c for c in shown.columns if any(row.get(c, {}).get("type") == "uri" for row in bindings)]
    if len(things) >= 2:
        pairs = [(row[things[0]]["value"], row[things[1]]["value"]) for row in bindings if things[0] in row and things[1] in row]
        shown.graph = _graph(here, pairs)


def _show_graph(here: Site, data: bytes, shown: Shown) -> None:
    triples = list(parse(data, format=RdfFormat.N_TRIPLES))
    shown.columns = ["subject", "predicate", "object"]
    shown.rows = [[_term(here, t.subject), _term(here, t.predicate), _term(here, t.object)] for t in triples]
    iris = list(
        dict.fromkeys(
            x.value
            for t in triples
            for x in (t.subject, t.object)
            if isinstance(x, NamedNode) and x.value.startswith(here.edition.base)
        )
    )
    _places_and_times(here, iris, shown)
    shown.graph = _graph(
        here,
        [
            (t.subject.value, t.object.value)
            for t in triples
            if isinstance(t.object, NamedNode) and isinstance(t.subject, NamedNode)
        ],
    )


def _cell(here: Site, value: dict[str, Any] | None) -> Markup:
    if value is None:
        return Markup("")
    if value["type"] == "uri":
        return _iri(here, value["value"])
    if value["type"] == "triple":
        return Markup("<code>{}</code>").format(json.dumps(value["value"], ensure_ascii=False))
    return Markup(Text(value["value"], value.get("xml:lang", "")).__html__())


def _term(here: Site, term: Any) -> Markup:
    if isinstance(term, NamedNode):
        return _iri(here, term.value)
    return (
        Markup(Text(term.value, term.language or "").__html__()) if isinstance(term, Literal) else Markup("{}").format(str(term))
    )


def _iri(here: Site, iri: str) -> Markup:
    """A link under the label of the thing, with its short name beside."""
    base = here.edition.base
    if iri.startswith(SLS):
        return Markup('<a href="{}#{}"><code>{}</code></a>').format(here.path("ontology"), iri[len(SLS) :], shorten(iri))
    if iri.startswith(base):
        return Markup('<a href="{}">{}</a>').format(here.path(iri[len(base) :]), _label(here, iri))
    if iri.lower().startswith(("http://", "https://")):
        return Markup('<a href="{}" rel="external noopener"><code>{}</code></a>').format(iri, shorten(iri).strip("<>"))
    return Markup("<code>{}</code>").format(iri)


def _label(here: Site, iri: str) -> Text:
    found = best([quad.object for quad in here.edition.describer.labels(iri)], here.messages.language)
    return found or Text(iri.removeprefix(here.edition.base), "en")


def _graph(here: Site, pairs: list[tuple[str, str]]) -> Markup | None:
    """The first pairs of things as a drawn graph."""
    nodes: dict[str, Node] = {}
    edges: list[Edge] = []
    for above, below in pairs:
        if above == below or len(nodes) >= IN_GRAPH:
            continue
        for iri in (above, below):
            known = iri.startswith(here.edition.base)
            label = str(_label(here, iri)) if known else shorten(iri)
            nodes.setdefault(iri, Node(iri, label, "", here.path(here_key(here, iri)) if known else None))
        edges.append(Edge(above, below))
    bundle = Bundle(tuple(nodes.values()), tuple(edges))
    return draw(bundle, here.messages("query.graph"), identity="graph") if bundle.lines else None


def here_key(here: Site, iri: str) -> str:
    """The key of one of our IRIs."""
    return iri.removeprefix(here.edition.base)


def _places_and_times(here: Site, iris: list[str], shown: Shown) -> None:
    """A map of the places and a timeline of the persons and events among the things of an answer."""
    describer, spots, periods = here.edition.describer, [], []
    for iri in iris[:IN_MAP]:
        place = describer.coordinates(iri)
        if place:
            spots.append(Spot(place[1], place[0], str(_label(here, iri)), here.path(here_key(here, iri))))
        for first, last in (("deathYearAHEarliest", "deathYearAHLatest"), ("dateAHEarliest", "dateAHLatest")):
            begin, end = describer.fact(iri, first), describer.fact(iri, last)
            if begin.lstrip("-").isdecimal() and end.lstrip("-").isdecimal():
                periods.append(Period(str(_label(here, iri)), int(begin), int(end), here.path(here_key(here, iri))))
                break
    rtl = here.messages.direction == "rtl"
    shown.map = draw_map(spots, here.messages("query.map"))
    shown.timeline = draw_timeline(periods, here.messages("query.timeline"), rtl=rtl) if len(periods) > 1 else None
