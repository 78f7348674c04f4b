"""The first page, the lists of things of a kind, and what crawlers ask for."""

from flask import Blueprint, Response, request
from markupsafe import Markup
from pyoxigraph import Literal

from kg.web.conditional import conditional
from kg.web.documents import kind_of, natural
from kg.web.edition import Edition
from kg.web.health import PRIVATE
from kg.web.languages import Messages, Text, best
from kg.web.names import RDF_TYPE, SLS
from kg.web.site import Site, site

__all__ = ["front_blueprint", "tried"]

TRIES = (
    ("home.try_hadith", "hadith/bukhari/3661"),
    ("home.try_person", "person/abu-al-darda"),
    ("home.try_event", "event/quarrel-of-abu-bakr-and-umar"),
)
"""Three things to try, in order; a thing that an edition lacks is replaced by one of its kind."""
_OTHERS = {"hadith": ("Hadith", "Passage"), "person": ("Person",), "event": ("Event",)}
"""By the first part of a key, the classes of which the first thing that a text tells of stands in for one that is lacking."""

CLASSES = {"works": "Work", "events": "Event", "places": "Place", "quran": "Sura", "persons": "Person"}
"""The class whose things a list shows."""

FIGURES = ("passageCount", "isnadCount", "mentionCount", "citationCount", "eventReportCount")
"""Counts of a version that the first page adds up."""
SCHEMES = ("numberInSource", "numberAbdAlBaqi")
"""Schemes of numbers by which a reader can ask for a passage."""
OWN = 10
"""Texts of one's own that the first page names."""
LONG = 400
"""Above so many, a list is shown letter by letter."""
IN_SITEMAP = 40_000
"""Addresses in one file; 50,000 are allowed."""


def front_blueprint() -> Blueprint:
    blueprint = Blueprint("front", __name__)

    @blueprint.get("/")
    def home() -> Response:
        here = site()
        tries = [(here.messages(words), here.path(key), _name(here, key)) for words, key in tried(here.edition)]
        return here.page("home.html", title=None, tries=tries, figures=_figures(here), texts=_own_texts(here))

    for name in CLASSES:
        blueprint.add_url_rule(f"/{name}", name, _list(name))

    @blueprint.get("/go")
    def go() -> Response:
        """The passage with a number, in one of the schemes by which a version is numbered."""
        here = site()
        scheme, number, version = (request.args.get(name, "").strip() for name in ("scheme", "number", "version"))
        if scheme in SCHEMES and number and version.startswith("version/"):
            for quad in here.edition.store.quads(None, SLS + scheme, Literal(number)):
                passage = quad.subject.value
                if any(here.edition.store.quads(passage, SLS + "inVersion", here.edition.base + version)):
                    return Response(status=303, headers={"Location": here.path(passage.removeprefix(here.edition.base))})
        return here.problem(404, None)

    @blueprint.get("/robots.txt")
    def robots() -> Response:
        here = site()
        lines = [
            "User-agent: *",
            *(f"Disallow: {here.path(p)}" for p in ("sparql", "query?", "search?", "reconcile", *PRIVATE)),
            f"Sitemap: {here.public('sitemap.xml')}",
        ]
        return Response("\n".join(lines) + "\n", mimetype="text/plain")

    @blueprint.get("/sitemap.xml")
    def sitemap() -> Response:
        """The addresses of things, or of the parts of the list where one file may not hold them all."""
        here = site()
        keys = _sitemap_keys(here.edition)
        if len(keys) > IN_SITEMAP:
            parts = range(1, -(-len(keys) // IN_SITEMAP) + 1)
            return _sitemap(here, "sitemapindex", "sitemap", [f"sitemap-{part}.xml" for part in parts])
        return _sitemap(here, "urlset", "url", keys)

    @blueprint.get("/sitemap-<int:part>.xml")
    def sitemap_part(part: int) -> Response:
        here = site()
        keys = _sitemap_keys(here.edition)[max(0, part - 1) * IN_SITEMAP : part * IN_SITEMAP]
        return _sitemap(here, "urlset", "url", keys) if keys and part else here.problem(404, None)

    return blueprint


def tried(edition: Edition) -> list[tuple[str, str]]:
    """A passage, a person and an event that this edition holds, each with the words of the first page for it."""
    kept: list[tuple[str, str]] | None = edition.kept.get("tried")
    if kept is None:
        kept = [(words, found) for words, key in TRIES if (found := _there(edition, key))]
        edition.kept["tried"] = kept
    return kept


def _there(edition: Edition, key: str) -> str | None:
    """The key, where a text of the edition is it or speaks of it; else that of the first thing of its kind of which this is so."""
    for iri in (edition.base + key, *(iri for name in _OTHERS[kind_of(key)] for iri in members(edition, name))):
        if any(edition.store.quads(iri, SLS + "inVersion")) or edition.describer.fact(iri, "passageCount") not in ("", "0"):
            return iri.removeprefix(edition.base)
    return None


def _name(here: Site, key: str) -> Text:
    return label(here.edition, here.edition.base + key, here.messages)


def label(edition: Edition, iri: str, t: Messages) -> Text:
    """What names a thing to a reader."""
    return best([quad.object for quad in edition.describer.labels(iri)], t.language) or Text(iri.removeprefix(edition.base))


def own_versions(edition: Edition) -> list[str]:
    """The versions of no known work: files of the user's own."""
    return [iri for iri in members(edition, "Version") if not any(edition.store.quads(iri, SLS + "versionOf"))]


def _own_texts(here: Site) -> list[tuple[str, Text, str]]:
    """Own texts, the first ten: the address, the title, the address of the first passage (``/passage/NAME/1``)."""
    edition = here.edition
    kept: dict[str, str] | None = edition.kept.get("own")
    if kept is None:
        kept = {version: first for version in own_versions(edition)[:OWN] if (first := _first_passage(edition, version))}
        edition.kept["own"] = kept
    keys = [(version.removeprefix(edition.base), first.removeprefix(edition.base)) for version, first in kept.items()]
    return [(here.path(version), _name(here, version), here.path(first)) for version, first in keys]


def _first_passage(edition: Edition, version: str) -> str | None:
    inside = (quad.subject.value for quad in edition.store.quads(None, SLS + "inVersion", version))
    return min((p for p in inside if kind_of(p.removeprefix(edition.base)) in ("hadith", "passage")), key=natural, default=None)


def _figures(here: Site) -> list[tuple[str, int]]:
    """How much there is, added up over the versions from the counts that the build made."""
    edition = here.edition
    kept: dict[str, int] | None = edition.kept.get("figures")
    if kept is None:
        versions = members(edition, "Version")
        kept = {name: sum(int(edition.describer.fact(v, name) or 0) for v in versions) for name in FIGURES}
        kept["persons"] = len(members(edition, "Person"))
        edition.kept["figures"] = kept
    return [(here.messages("home." + name), number) for name, number in kept.items() if number]


def members(edition: Edition, name: str) -> list[str]:
    """The IRIs of a class, in natural order; read once an edition."""
    kept: dict[str, list[str]] = edition.kept.setdefault("classes", {})
    if name not in kept:
        quads = edition.store.quads(None, RDF_TYPE, SLS + name)
        kept[name] = sorted({quad.subject.value for quad in quads}, key=natural)
    return kept[name]


def _list(name: str):
    def listing() -> Response:
        here = site()
        language = here.messages.language
        kept = here.edition.kept.setdefault("lists", {})
        if (name, language) not in kept:
            iris = members(here.edition, CLASSES[name])
            if name == "works":
                iris = [*iris, *own_versions(here.edition)]
            here.edition.describer.learn_labels(iris)
            rows = [(label(here.edition, iri, here.messages), iri.removeprefix(here.edition.base)) for iri in iris]
            if name != "quran":
                rows.sort(key=lambda row: (row[0].language != language, _letter(str(row[0])), natural(str(row[0]))))
            kept[name, language] = rows
        rows = kept[name, language]
        letters = sorted({_letter(str(text)) for text, _ in rows}) if len(rows) > LONG else []
        letter = request.args.get("letter", letters[0] if letters else "")
        shown = [row for row in rows if _letter(str(row[0])) == letter] if letters else rows
        linked = [(here.path(key), text, _beside(here, name, key)) for text, key in shown]
        return here.page(
            "list.html",
            title=here.messages("browse." + name),
            here=name,
            name=name,
            rows=linked,
            total=len(rows),
            letters=letters,
            letter=letter,
        )

    return listing


def _beside(here: Site, name: str, key: str) -> str:
    if name == "persons":
        year = here.edition.describer.fact(here.edition.base + key, "deathYearAHLatest")
        return here.messages("chain.died").replace("{year}", year) if year else ""
    if name == "quran":
        return here.edition.describer.fact(here.edition.base + key, "suraNumber")
    return ""


def _letter(text: str) -> str:
    """The letter under which a name stands: without article, marks and hamza.

    >>> _letter("al-Bukhari"), _letter("الوليد"), _letter("ʿAlī")
    ('B', 'و', 'A')
    """
    import unicodedata

    from kg.text import fold

    plain = fold(text)
    for article in ("ال", "al-", "Al-"):
        if plain.startswith(article) and len(plain) > len(article) + 1:
            plain = plain[len(article) :]
            break
    for character in unicodedata.normalize("NFKD", plain):
        if character.isalpha() and unicodedata.category(character) != "Lm":
            return character.upper()
    return "#"


def _sitemap_keys(edition: Edition) -> list[str]:
    """What search engines are told of: things that people look for, not the parts of passages; read once an edition."""
    kept: list[str] | None = edition.kept.get("sitemap")
    if kept is None:
        names = ("Work", "Event", "Place", "Sura", "Person", "Hadith", "Passage")
        iris = (iri for name in names for iri in members(edition, name))
        kept = ["", *dict.fromkeys(iri.removeprefix(edition.base) for iri in iris)]
        edition.kept["sitemap"] = kept
    return kept


def _sitemap(here: Site, outer: str, inner: str, keys: list[str]) -> Response:
    """A list of addresses in the form of sitemaps.org."""
    rows = "".join(f"<{inner}><loc>{Markup.escape(here.public(key))}</loc></{inner}>" for key in keys)
    body = f'<?xml version="1.0" encoding="UTF-8"?><{outer} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{rows}</{outer}>'
    return conditional(Response(body, mimetype="application/xml"), here.edition)
