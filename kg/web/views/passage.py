"""The page of a hadith or another passage."""

from dataclasses import dataclass
from urllib.parse import quote

from markupsafe import Markup

from kg.web.documents import natural
from kg.web.isnad_svg import draw
from kg.web.languages import Text
from kg.web.marks import Mark, marked
from kg.web.reader import Reader
from kg.web.views.chains import Chain, Reading, bundle, chains_of, claims_of, readings_of
from kg.web.views.events import Report, grouped, report_of
from kg.web.views.parallels import telling_of

__all__ = ["PassagePage", "passage_page"]

NUMBERS = (
    "numberInSource",
    "numberAbdAlBaqi",
    "otherNumber",
    "rowInFile",
    "volume",
    "page",
    "heading",
    "paragraph",
    "entryNumber",
    "lineInFile",
)
KINDS = ("narrator", "person", "place", "verse", "event")


@dataclass(frozen=True, slots=True)
class Parallels:
    """A group the passage is in: how alike its tellings are, in words, and each other telling with the address of the two side by side."""

    group: Markup
    relation: str
    others: list[tuple[Markup, str]]


@dataclass(frozen=True, slots=True)
class PassagePage:
    """What the page of a passage shows."""

    title: Text
    text: Markup
    language: str
    complete: bool
    numbers: list[tuple[str, str]]
    version: Markup | None
    book: Markup | None
    before: str | None
    after: str | None
    chains: list[Chain]
    picture: Markup | None
    readings: dict[str, list[Reading]]
    legend: list[tuple[str, int]]
    reports: list[tuple[Report, list[Report]]]
    translation: Text | None
    translation_kept_back: bool
    parallels: list[Parallels]
    licence: Markup | None


def passage_page(reader: Reader) -> PassagePage:
    d, iri = reader.d, reader.d.iri
    claims = claims_of(reader)
    readings = readings_of(reader, iri, claims)
    chains = chains_of(reader, iri, claims)
    whole = reader.texts(iri, "text")
    letters = whole[0] if whole else next(iter(reader.texts(iri, "quotation")), Text(""))
    starts = [n for s in d.index if (n := reader.number(s, "matnStart")) is not None]
    picture = bundle(reader, [iri])
    version = next(iter(reader.links(iri, "inVersion")), None)
    book = next(iter(reader.links(iri, "inBook")), None)
    by_kind = {kind: [r for r in readings if r.kind == kind] for kind in KINDS}
    return PassagePage(
        title=reader.label(iri),
        text=marked(str(letters), _marks(reader, readings) if whole else [], min(starts, default=0)),
        language=letters.language or "ar",
        complete=bool(whole),
        numbers=[(name, value) for name in NUMBERS for value in reader.strings(iri, name)],
        version=reader.link(version) if version else None,
        book=reader.link(book) if book else None,
        before=_neighbour(reader, -1),
        after=_neighbour(reader, 1),
        chains=chains,
        picture=draw(picture, reader.t("chain.picture_of").replace("{title}", str(reader.label(iri)))) if picture.edges else None,
        readings=by_kind,
        legend=[(kind, len(by_kind[kind])) for kind in KINDS if by_kind[kind]],
        reports=grouped([report_of(reader, r.iri) for r in by_kind["event"]]),
        translation=next(iter(reader.texts(iri, "translation")), None),
        translation_kept_back=reader.string(iri, "translationAvailable") == "yes",
        parallels=_parallels(reader),
        licence=_licence(reader, version),
    )


def _marks(reader: Reader, readings: list[Reading]) -> list[Mark]:
    made = []
    for r in readings:
        label = str(r.label) if r.label else reader.t("mark.undecided")
        sure = f" · {r.confidence:.0%}" if r.confidence is not None else ""
        title = f"{reader.t('mark.' + r.kind)}: {label}{sure}"
        sign = f"﴿{r.label}﴾" if r.kind == "verse" else "◈"
        made.append(Mark(r.start, r.end, r.kind, reader.href(r.target or r.iri), title, r.id, sign))
    return made


def _parallels(reader: Reader) -> list[Parallels]:
    groups = [s for s in reader.d.index if reader.kind(s) == "parallel" and reader.d.iri in reader.links(s, "hasPassage")]
    here = quote(reader.key(reader.d.iri).partition("/")[2])
    found = []
    for group in groups:
        address = f"{reader.href(group)}.html?first={here}&telling={here}&telling="
        others = sorted((other for other in reader.links(group, "hasPassage") if other != reader.d.iri), key=natural)
        sides = [(reader.link(o), address + quote(reader.key(o).partition("/")[2]) + "#collation") for o in others]
        found.append(Parallels(reader.link(group), telling_of(reader, group, reader.d.iri), sides))
    return found


def _neighbour(reader: Reader, step: int) -> str | None:
    """The address of the passage with the number before or after, where passages are numbered so."""
    head, _, number = reader.d.iri.rpartition("/")
    other = f"{head}/{int(number) + step}" if number.isascii() and number.isdecimal() else ""
    return reader.href(other) if other and reader.describer.exists(other) else None


def _licence(reader: Reader, version: str | None) -> Markup | None:
    for quad in reader.describer.about(version) if version else ():
        if quad.predicate.value.endswith(("#licence", "#licenceText")):
            return reader.shown(quad.object)
    return None
