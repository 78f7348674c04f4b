"""The page of a thing: chosen by its kind, filled from its description."""

from collections.abc import Callable
from typing import Any

from flask import request
from markupsafe import Markup

from kg.web.collations import asked_choice
from kg.web.documents import Description
from kg.web.formats import FORMATS
from kg.web.isnad_svg import draw, standalone
from kg.web.names import SLS
from kg.web.reader import Reader
from kg.web.site import Site
from kg.web.views.chains import bundle, chain, claims_of
from kg.web.views.events import event_page, report_of, telling_of
from kg.web.views.library import library_page, place_page, quran_page
from kg.web.views.parallels import parallel_page
from kg.web.views.passage import passage_page
from kg.web.views.person import person_page
from kg.web.views.person_reports import drawn_report

__all__ = ["picture_of", "render_thing"]

SORTS = ("count", "name", "year")


def render_thing(site: Site, description: Description) -> str:
    """The HTML document of a thing."""
    reader = Reader(description, site.edition.describer, site.messages, site.path)
    template, view = _view_of(description)
    page = view(reader)
    title = (
        getattr(page, "title", None) or (page.get("title") if isinstance(page, dict) else None) or reader.label(description.iri)
    )
    return site.render(
        template,
        reader=reader,
        d=description,
        page=page,
        title=title,
        iri=description.iri,
        key=description.key,
        downloads=[(f.title, f.media_type, site.path(description.key + f.suffix)) for f in FORMATS.values() if f.rdf],
        citation=_citation(site, reader, str(title)),
        statements=reader.statements(description.iri),
        pointing=_pointing(reader),
        structured=_structured(site, reader),
    )


def picture_of(site: Site, description: Description) -> bytes | None:
    """The drawing of a thing's page as an SVG file."""
    view = PICTURES.get(description.kind) or _view_of(description)[1]
    page = view(Reader(description, site.edition.describer, site.messages, site.path))
    picture = page.get("picture") if isinstance(page, dict) else getattr(page, "picture", None)
    return standalone(picture) if picture else None


def _passage(reader: Reader) -> Any:
    return passage_page(reader)


def _person(reader: Reader) -> Any:
    sort = request.args.get("sort", "count")
    return person_page(
        reader, sort if sort in SORTS else "count", request.args.get("report", ""), max(1, request.args.get("parts", 1, type=int))
    )


def _person_picture(reader: Reader) -> Any:
    """His teachers and students; the chains of a report where one is asked for."""
    report = request.args.get("report", "")
    return drawn_report(reader, report) if report else _person(reader)


def _isnad(reader: Reader) -> Any:
    iri = reader.d.iri
    passages = reader.links(iri, "inPassage")
    return {
        "title": reader.label(iri) if reader.labels(iri) else None,
        "chain": chain(reader, iri, claims_of(reader)),
        "passages": [reader.link(p) for p in passages],
        "passage_label": reader.label(passages[0]) if passages else None,
        "picture": draw(bundle(reader, passages), reader.t("chain.picture"), identity="chain"),
    }


def _report(reader: Reader) -> Any:
    report = report_of(reader, reader.d.iri)
    return {"report": report, "telling": telling_of(reader, [report])}


def _parallel(reader: Reader) -> Any:
    return parallel_page(reader, asked_choice())


def _thing(reader: Reader) -> Any:
    return {}


def _term(reader: Reader) -> Any:
    """A term of transmission: by which way of receiving it is counted, and whose usage decides."""
    iri = reader.d.iri
    said = {"mode": reader.strings(iri, "mode"), "usage": reader.strings(iri, "modeByUsageOf")}
    said["source"] = [term.value for term in reader.d.values(iri, "dcterms:source")]
    return {"facts": [(name, [reader.told(words) for words in values]) for name, values in said.items() if values]}


VIEWS: dict[str, tuple[str, Callable[[Reader], Any]]] = {
    "hadith": ("passage.html", _passage),
    "passage": ("passage.html", _passage),
    "person": ("person.html", _person),
    "isnad": ("isnad.html", _isnad),
    "event": ("event.html", event_page),
    "report": ("report.html", _report),
    "place": ("place.html", place_page),
    "verse": ("verse.html", quran_page),
    "sura": ("sura.html", quran_page),
    "work": ("library.html", library_page),
    "version": ("library.html", library_page),
    "book": ("library.html", library_page),
    "parallel": ("parallel.html", _parallel),
    "term": ("term.html", _term),
}
"""Template and view by the first part of a key; whatever else has an address is shown statement by statement."""


def _view_of(description: Description) -> tuple[str, Callable[[Reader], Any]]:
    """Template and view of a thing; a role, whose key is its report's with a number, lies in no passage itself."""
    if description.kind == "report" and not description.links(description.iri, "sls:inPassage"):
        return "thing.html", _thing
    return VIEWS.get(description.kind, ("thing.html", _thing))


PICTURES: dict[str, Callable[[Reader], Any]] = {
    "parallel": lambda reader: parallel_page(reader, None),
    "person": _person_picture,
}
"""Views that make a picture with less work than the page."""


def _pointing(reader: Reader) -> list[tuple[Markup, list[Markup]]]:
    """What points at the thing on this page of its document, by predicate."""
    groups: dict[str, list[Markup]] = {}
    listed = (
        SLS + "inPassage" if reader.d.kind in ("hadith", "passage") else ""
    )  # what lies in a passage stands on its page already
    for quad in reader.d.inverse:
        if quad.predicate.value == listed:
            continue
        groups.setdefault(quad.predicate.value, []).append(reader.link(quad.subject.value))
    return [(reader.link(predicate), subjects) for predicate, subjects in groups.items()]


def _citation(site: Site, reader: Reader, title: str) -> Markup:
    """How the page is cited; version and address run from left to right within either language."""
    apart = Markup('<bdi dir="ltr">{}</bdi>')
    named = Markup("<bdi>{}</bdi>").format(title)
    return Markup(site.messages("cite.form")).format(
        title=named, version=apart.format(site.edition.name[:12]), iri=apart.format(reader.d.iri)
    )


_SCHEMA = {"hadith": "Quotation", "passage": "Quotation", "person": "Person", "event": "Event", "place": "Place", "work": "Book"}


def _structured(site: Site, reader: Reader) -> dict[str, Any]:
    """What search engines read: JSON-LD in the terms of schema.org."""
    d = reader.d
    names = reader.labels(d.iri)
    data: dict[str, Any] = {
        "@context": "https://schema.org",
        "@type": _SCHEMA.get(d.kind, "Thing"),
        "@id": d.iri,
        "url": site.public(d.key),
        "name": [{"@value": str(n), "@language": n.language} if n.language else str(n) for n in names]
        or str(reader.label(d.iri)),
    }
    if d.kind == "place" and d.string(d.iri, "geo:lat"):
        data["geo"] = {
            "@type": "GeoCoordinates",
            "latitude": float(d.string(d.iri, "geo:lat")),
            "longitude": float(d.string(d.iri, "geo:long")),
        }
    return data
