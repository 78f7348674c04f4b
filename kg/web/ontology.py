"""/ontology for people and programs, and the description of the data set at /.well-known/void."""

import json
from dataclasses import dataclass, field

from flask import Blueprint, Response, request
from markupsafe import Markup
from pyoxigraph import Literal, NamedNode, Triple

from kg.web.conditional import conditional
from kg.web.edition import Edition
from kg.web.formats import FORMATS, Format, asked_format, write_rdf
from kg.web.isnad_svg import Bundle, Edge, Node, draw
from kg.web.languages import Text, best
from kg.web.names import PREFIXES, RDF_TYPE, RDFS_LABEL, SLS, shorten
from kg.web.site import Site, site
from kg.web.statements import Said

__all__ = ["Term", "ontology_blueprint", "terms_of"]

OWL, RDFS, SKOS, VOID = (PREFIXES[name] for name in ("owl", "rdfs", "skos", "void"))
_CLASS, _PROPERTIES = (
    OWL + "Class",
    (OWL + "ObjectProperty", OWL + "DatatypeProperty", OWL + "AnnotationProperty", PREFIXES["rdf"] + "Property"),
)
_ALIGNED = (
    RDFS + "subClassOf",
    RDFS + "subPropertyOf",
    OWL + "equivalentClass",
    OWL + "equivalentProperty",
    SKOS + "closeMatch",
    SKOS + "exactMatch",
)
_DRAWN = ("Work", "Version", "Book", "Passage", "Hadith", "Isnad", "NarratorMention", "IdentityClaim", "Person", "Event", "EventReport", "Place",
          "QuranCitation", "Verse", "Sura", "ParallelGroup")  # fmt: skip
ANCHOR = "ontology"


@dataclass(slots=True)
class Term:
    """A class, property or named value with all that its page entry shows."""

    name: str
    iri: str
    kind: str
    labels: list[Text] = field(default_factory=list)
    comments: list[Text] = field(default_factory=list)
    parents: list[str] = field(default_factory=list)
    aligned: list[str] = field(default_factory=list)
    domain: list[str] = field(default_factory=list)
    range: list[str] = field(default_factory=list)
    inverse: list[str] = field(default_factory=list)
    used: int | None = None
    example: str | None = None


def _graph(edition: Edition, name: str) -> list[Said]:
    kept: dict[str, list[Said]] = edition.kept.setdefault("graphs", {})
    if name not in kept:
        kept[name] = list(edition.store.quads(None, None, None, f"{edition.base}graph/{name}"))
    return kept[name]


def terms_of(edition: Edition) -> list[Term]:
    """The terms of the ontology, classes first, each part in alphabetical order."""
    if "terms" not in edition.kept:
        edition.kept["terms"] = _read_terms(edition)
    found: list[Term] = edition.kept["terms"]
    return found


def _read_terms(edition: Edition) -> list[Term]:
    said: dict[str, dict[str, list[NamedNode | Literal]]] = {}
    for quad in _graph(edition, "ontology"):
        if quad.subject.value.startswith(SLS):
            said.setdefault(quad.subject.value, {}).setdefault(quad.predicate.value, []).append(quad.object)
    usage, terms = _usage(edition), []
    for iri, facts in said.items():
        types = {t.value for t in facts.get(RDF_TYPE, [])}
        kind = "classes" if _CLASS in types else "properties" if types & set(_PROPERTIES) else "individuals"

        def texts(predicate: str, facts: dict[str, list[NamedNode | Literal]] = facts) -> list[Text]:
            return [Text(t.value, t.language or "") for t in facts.get(predicate, []) if isinstance(t, Literal)]

        def links(*predicates: str, facts: dict[str, list[NamedNode | Literal]] = facts) -> list[str]:
            return [t.value for p in predicates for t in facts.get(p, []) if isinstance(t, NamedNode)]

        related = links(*_ALIGNED)
        terms.append(
            Term(
                iri[len(SLS) :], iri, kind, texts(RDFS_LABEL), texts(RDFS + "comment"), [r for r in related if r.startswith(SLS)],
                [r for r in related if not r.startswith(SLS)], links(RDFS + "domain", PREFIXES["schema"] + "domainIncludes"),
                links(RDFS + "range", PREFIXES["schema"] + "rangeIncludes"), links(OWL + "inverseOf"), usage.get(iri),
                _example(edition, iri, kind),
            )
        )  # fmt: skip
    return sorted(terms, key=lambda t: (("classes", "properties", "individuals").index(t.kind), t.name.lower()))


def _usage(edition: Edition) -> dict[str, int]:
    """How often classes and properties are used, as the VoID description counted them when the data were built."""
    partition: dict[str, str] = {}
    counts: dict[str, int] = {}
    for quad in _graph(edition, "description"):
        if quad.predicate.value in (VOID + "class", VOID + "property"):
            partition[quad.subject.value] = quad.object.value
        elif quad.predicate.value in (VOID + "entities", VOID + "triples"):
            number = int(quad.object.value)
            counts[quad.subject.value] = max(counts.get(quad.subject.value, 0), number)
    used: dict[str, int] = {}
    for subject, term in partition.items():
        used[term] = max(used.get(term, 0), counts.get(subject, 0))
    return used


def _example(edition: Edition, iri: str, kind: str) -> str | None:
    pattern = (None, RDF_TYPE, iri) if kind == "classes" else (None, iri, None)
    for quad in edition.store.quads(*pattern):
        if quad.subject.value.startswith(edition.base) and "#" not in quad.subject.value:
            return quad.subject.value
    return None


def ontology_blueprint() -> Blueprint:
    blueprint = Blueprint("ontology", __name__)

    @blueprint.get("/ontology")
    def negotiated() -> Response:
        form = asked_format(request.headers.get("Accept"), request.args.get("format"))
        if form is None:
            return site().problem(406, None)
        response = _document(form)
        response.headers["Vary"] = "Accept, Accept-Language, Cookie"
        return response

    for suffix, form in FORMATS.items():
        blueprint.add_url_rule(f"/ontology{suffix}", form.name, lambda form=form: _document(form))

    @blueprint.get("/ontology/terms.json")
    def terms() -> Response:
        """Names for completion in the query editor."""
        here = site()
        rows = [
            {"name": "sls:" + t.name, "label": str(best_of(t.labels, here.messages.language)), "kind": t.kind}
            for t in terms_of(here.edition)
        ]
        response = Response(json.dumps(rows, ensure_ascii=False), mimetype="application/json")
        response.headers["Vary"] = "Accept-Language, Cookie"
        return response

    @blueprint.get("/.well-known/void")
    def void() -> Response:
        here = site()
        accept = request.headers.get("Accept", "")
        form = (
            asked_format(accept, request.args.get("format")) if accept and "*/*" not in accept.split(",")[0] else FORMATS[".ttl"]
        )
        form = FORMATS[".ttl"] if form is None or form.rdf is None else form
        quads = _graph(here.edition, "description")
        triples = [Triple(q.subject, q.predicate, q.object) for q in quads]
        response = _rdf(here, triples, form)
        response.headers["Vary"] = "Accept"
        return response

    return blueprint


def best_of(texts: list[Text], language: str) -> Text:
    """The text for a reader of a language."""
    return best([Literal(t.value, language=t.language) if t.language else Literal(t.value) for t in texts], language) or Text("")


def _rdf(here: Site, triples: list[Triple], form: Format) -> Response:
    assert form.rdf is not None
    ordered = sorted(set(triples), key=str)
    response = Response(write_rdf(ordered, form.rdf, here.edition.base), content_type=form.content_type)
    response.headers["Access-Control-Allow-Origin"] = "*"
    response.headers["Cache-Control"] = "public, max-age=60"
    return conditional(response, here.edition)


def _document(form: Format) -> Response:
    here = site()
    if form.rdf is not None:
        quads = _graph(here.edition, "ontology")
        response = _rdf(here, [Triple(q.subject, q.predicate, q.object) for q in quads], form)
    else:
        terms = terms_of(here.edition)
        groups = [(kind, [t for t in terms if t.kind == kind]) for kind in ("classes", "properties", "individuals")]
        response = here.page(
            "ontology.html", title=here.messages("ontology.title"), here="ontology", groups=groups, shown=lambda iri: _shown(here, iri),
            diagram=_diagram(here, terms), forms=[f for f in FORMATS.values() if f.rdf],
        )  # fmt: skip
    response.headers["Content-Location"] = here.path("ontology" + form.suffix)
    for other in FORMATS.values():
        if other is not form:
            response.headers.add(
                "Link", f'<{here.public("ontology" + other.suffix)}>; rel="alternate"; type="{other.media_type}"'
            )
    return response


def _shown(here: Site, iri: str) -> Markup:
    """A link to another term, or to a term of somebody else's ontology."""
    if iri.startswith(SLS):
        return Markup('<a href="#{0}"><code>sls:{0}</code></a>').format(iri[len(SLS) :])
    if iri.startswith(here.edition.base):
        return Markup('<a href="{}">{}</a>').format(
            here.path(iri.removeprefix(here.edition.base)), iri.removeprefix(here.edition.base)
        )
    return Markup('<a href="{}" rel="external noopener"><code>{}</code></a>').format(iri, shorten(iri))


def _diagram(here: Site, terms: list[Term]) -> Markup | None:
    """The chief classes and the properties between them."""
    by_iri = {t.iri: t for t in terms if t.name in _DRAWN}
    edges = [
        Edge(d, r, "")
        for t in terms if t.kind == "properties"
        for d in t.domain if d in by_iri
        for r in t.range if r in by_iri and d != r
    ]  # fmt: skip
    edges += [Edge(parent, t.iri) for t in by_iri.values() for parent in t.parents if parent in by_iri]
    nodes = tuple(
        Node(t.iri, str(best_of(t.labels, here.messages.language)) or t.name, "sls:" + t.name, f"#{t.name}") for t in by_iri.values()
        if any(t.iri in (e.teacher, e.student) for e in edges)
    )  # fmt: skip
    return draw(Bundle(nodes, tuple(edges)), here.messages("ontology.diagram"), identity="diagram") if edges else None
