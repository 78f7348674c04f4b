"""Pages that lead to passages: works, their versions and books, suras and verses, places."""

from dataclasses import dataclass

from markupsafe import Markup

from kg.web.documents import natural
from kg.web.languages import Text
from kg.web.maps import Spot, draw_map
from kg.web.names import expand
from kg.web.reader import Reader

__all__ = ["Entry", "entries", "incipit", "library_page", "place_page", "quran_page"]

INCIPIT = 130
LIKELY = 0.05
"""Below this the words of a passage are not shown beside a verse that they may be taken from."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of a list of passages: its link, and the first words of what it reports."""

    link: Markup
    words: Text


def incipit(text: str, letters: int = INCIPIT) -> str:
    """The first words of a text.

    >>> incipit("عن أنس قال", 7)
    'عن أنس …'
    """
    flat = " ".join(text.split())
    return flat if len(flat) <= letters else flat[: flat.rfind(" ", 0, letters)] + " …"


def entries(reader: Reader, subjects: list[str]) -> list[Entry]:
    """Passages in the order of their numbers, each with the first words of its matn (of its text where no chain was read)."""
    rows = []
    for iri in sorted(subjects, key=natural):
        text = next(iter([*reader.texts(iri, "text"), *reader.texts(iri, "quotation")]), Text(""))
        isnad = f"{reader.base}isnad/{reader.key(iri).partition('/')[2]}/1"
        start = reader.describer.fact(isnad, "matnStart")
        words = str(text)[int(start) :] if start.isdecimal() and int(start) < len(str(text)) else str(text)
        rows.append(Entry(reader.link(iri), Text(incipit(words), text.language)))
    return rows


def library_page(reader: Reader) -> dict[str, object]:
    """A work (versions, books), a version or a book (passages)."""
    d, iri = reader.d, reader.d.iri
    books = sorted(d.pointing("sls:bookOf"), key=lambda b: reader.number(b, "bookNumber") or 0)
    return {
        "title": reader.label(iri),
        "labels": reader.labels(iri),
        "author": [reader.shown(t) for name in ("author", "authorName") for t in d.values(iri, "sls:" + name)],
        "versions": [reader.link(v) for v in d.pointing("sls:versionOf")],
        "version_of": [reader.link(w) for w in reader.links(iri, "versionOf")],
        "book_of": [reader.link(w) for w in reader.links(iri, "bookOf")],
        "books": [(reader.number(b, "bookNumber"), reader.link(b)) for b in books],
        "entries": entries(reader, list(dict.fromkeys([*d.pointing("sls:inBook"), *_passages(reader, d.pointing("sls:inVersion"))]))),
        "schemes": _schemes(reader) if d.kind == "version" else [],
        "counts": [(name, n) for name in ("passageCount", "isnadCount", "mentionCount", "undecidedMentionCount", "anonymousMentionCount",
                                          "citationCount", "eventReportCount") if (n := reader.number(iri, name)) is not None],
        "licence": [reader.shown(t) for name in ("licence", "licenceText") for t in d.values(iri, "sls:" + name)],
    }  # fmt: skip


def _schemes(reader: Reader) -> list[str]:
    """The schemes of numbers that the passages of a version have, as far as the passages of this page show."""
    passages = _passages(reader, reader.d.pointing("sls:inVersion"))[:20]
    return [scheme for scheme in ("numberInSource", "numberAbdAlBaqi") if any(reader.describer.fact(p, scheme) for p in passages)]


def _passages(reader: Reader, subjects: list[str]) -> list[str]:
    return [s for s in subjects if reader.kind(s) in ("hadith", "passage")]


def quran_page(reader: Reader) -> dict[str, object]:
    """A verse with the passages that cite it, or a sura with its verses."""
    d, iri = reader.d, reader.d.iri
    sura = next(iter(reader.links(iri, "inSura")), None)
    number = reader.number(iri, "verseNumber")
    verses = [v for v in d.pointing("sls:inSura") if reader.kind(v) == "verse"]
    neighbours = []
    if sura and number is not None:
        for other, relation in ((number - 1, "prev"), (number + 1, "next")):
            key = f"{reader.base}verse/{iri.removeprefix(reader.base).split('/')[1]}/{other}"
            if other and reader.describer.exists(key):
                neighbours.append((relation, reader.link(key)))
    return {
        "title": _verse_title(reader, sura, number) if sura and number else reader.label(iri),
        "sura": reader.link(sura) if sura else None,
        "text": next(iter(reader.texts(iri, "text")), None),
        "neighbours": neighbours,
        "verses": [(reader.number(v, "verseNumber") or 0, reader.link(v, str(reader.number(v, "verseNumber") or "")),
                    next(iter(reader.texts(v, "text")), Text(""))) for v in sorted(verses, key=natural)],
        "citations": [_citing(reader, c) for c in d.pointing("sls:cites")],
        "licence": _licence_of(reader, iri if number is not None else min(verses, key=natural, default=iri)),
        "candidates": [one for c in d.pointing("sls:candidate") if ((one := _citing(reader, c))[2] or 0) >= LIKELY],
    }  # fmt: skip


def _licence_of(reader: Reader, verse: str) -> Markup:
    """Licence and source of the text of a verse."""
    said = {quad.predicate.value: quad.object for quad in reader.describer.about(verse)}
    terms = [said[expand(name)] for name in ("dcterms:license", "dcterms:source") if expand(name) in said]
    return Markup(", ").join(map(reader.shown, terms))


def _verse_title(reader: Reader, sura: str, number: int) -> Text:
    name, chapter = reader.label(sura), reader.number(sura, "suraNumber") or reader.key(sura).rpartition("/")[2]
    words = (
        reader.t("verse.title").replace("{sura}", str(name)).replace("{chapter}", str(chapter)).replace("{number}", str(number))
    )
    return Text(words, reader.language)


def _told_here(reader: Reader, reports: list[str]) -> list[tuple[Markup, list[Markup]]]:
    """What passages tell of a place: each passage once, with what it tells."""
    told: dict[str, dict[str, None]] = {}
    for report in reports:
        for passage in reader.links(report, "inPassage"):
            what = reader.links(report, "reports") or reader.links(report, "eventType")
            told.setdefault(passage, {}).update(dict.fromkeys(what))
    return [(reader.link(passage), [reader.link(w) for w in told[passage]]) for passage in sorted(told, key=natural)]


def _citing(reader: Reader, citation: str) -> tuple[Markup, Text, float | None, bool]:
    passage = next(iter(reader.links(citation, "inPassage")), citation)
    surface = reader.text(citation, "surface") or Text("…")
    return reader.link(passage), surface, reader.decimal(citation, "confidence"), reader.string(citation, "exact") == "yes"


def place_page(reader: Reader) -> dict[str, object]:
    """A place with what happened there and where it is named."""
    d, iri = reader.d, reader.d.iri
    here = d.pointing("sls:place")
    latitude, longitude = d.string(iri, "geo:lat"), d.string(iri, "geo:long")
    return {
        "title": reader.label(iri),
        "other_names": reader.other_names(iri),
        "kind": reader.t.get("place." + reader.string(iri, "placeKind"), reader.string(iri, "placeKind")),
        "within": [reader.link(p) for p in reader.links(iri, "within")],
        "holds": [reader.link(p) for p in d.pointing("sls:within")],
        "coordinates": (float(latitude), float(longitude)) if latitude and longitude else None,
        "map": draw_map([Spot(float(longitude), float(latitude), str(reader.label(iri)), None, True)], reader.t("place.map"))
        if latitude and longitude
        else None,
        "events": [reader.link(e) for e in here if reader.kind(e) == "event"],
        "reports": _told_here(reader, [r for r in here if reader.kind(r) == "report"]),
        "persons": [reader.link(p) for p in d.pointing("sls:livedIn")],
        "namings": [(reader.link(p), reader.text(n, "surface") or Text("…")) for n in d.pointing("sls:refersToPlace")
                    for p in reader.links(n, "inPassage")],
    }  # fmt: skip
