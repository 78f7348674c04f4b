"""The tellings of a report side by side, word by word: which are compared, how they differ, and what was left out."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from urllib.parse import quote

from markupsafe import Markup

from kg.identify.collation import Collation, collate
from kg.identify.collation_bounds import LONGEST, MOST, compared_words, within_bounds
from kg.text import Span
from kg.web.documents import natural
from kg.web.languages import Messages, Text
from kg.web.reader import Reader
from kg.web.views.chains import isnads_by_passage
from kg.web.views.library import incipit

__all__ = ["Choice", "Collated", "Telling", "chosen", "collated", "collation_of", "tellings_of"]

USUAL = 4
"""Tellings in a table for which none were chosen."""

KINDS = ("agreed", "changed", "added", "missing", "moved", "counted")


@dataclass(frozen=True, slots=True)
class Choice:
    """What a reader chose: tellings by ``bukhari/3661``, the one the others are compared with, and whether only differences are shown."""

    tellings: tuple[str, ...] = ()
    first: str = ""
    differences: bool = False


@dataclass(frozen=True, slots=True)
class Telling:
    """A telling that can be chosen. ``span`` is its matn, cut after so many words; ``withheld``: its words may not go out."""

    iri: str
    name: str
    label: Text
    link: Markup
    letters: str
    span: Span
    words: int
    withheld: bool

    @property
    def title(self) -> str:
        return str(self.label)

    @property
    def cut(self) -> bool:
        return self.words > LONGEST

    @property
    def beginning(self) -> str:
        return incipit(self.letters[self.span.start : self.span.end], 60)


@dataclass(frozen=True, slots=True)
class Cell:
    """What a telling has at a place: its letters (None: nothing), and how it stands to the first, as a word."""

    telling: str
    kind: str
    text: str | None
    says: str


@dataclass(frozen=True, slots=True)
class Row:
    """A place of the table. ``same``: all have the same words; ``partner`` is the number of the place where what moved stands."""

    number: int
    kind: str
    says: str
    cells: list[Cell]
    same: bool
    partner: int | None


@dataclass(frozen=True, slots=True)
class Collated:
    """The table with the choice it came from."""

    tellings: list[Telling]
    compared: list[Telling]
    rows: list[Row]
    counts: list[tuple[str, str, int]]
    left_out: int
    differences: bool
    query: str


def tellings_of(reader: Reader, passages: Iterable[str]) -> list[Telling]:
    """The tellings of a group, each with the span of its matn (where no chain was read, its whole text)."""
    isnads = isnads_by_passage(reader)
    found = []
    for iri in passages:
        whole = next(iter(reader.texts(iri, "text")), None)
        letters = str(whole) if whole else ""
        spans = ((reader.number(isnad, "matnStart"), reader.number(isnad, "matnEnd")) for isnad in isnads.get(iri, ()))
        start, end = next(((a, b) for a, b in spans if a is not None and b is not None and a < b), (0, len(letters)))
        read = compared_words(letters, Span(start, end))
        name = reader.key(iri).partition("/")[2]
        found.append(Telling(iri, name, reader.label(iri), reader.link(iri), letters, read.span, read.words, not read.words))
    return found


def chosen(tellings: Sequence[Telling], choice: Choice) -> list[Telling]:
    """The tellings that are compared, the first before the others: those asked for, else one of each collection and then more."""
    able = {telling.name: telling for telling in tellings if not telling.withheld}
    asked = [able[name] for name in dict.fromkeys([choice.first, *choice.tellings]) if name in able]
    if choice.tellings and len(asked) > 1:
        return _within_bounds(asked[:MOST])
    turns: dict[str, int] = {}
    ranked = []
    for telling in able.values():
        collection = telling.name.partition("/")[0]
        turns[collection] = turns.get(collection, 0) + 1
        ranked.append((turns[collection], natural(telling.name), telling))
    usual = [telling for _, _, telling in sorted(ranked, key=lambda r: r[:2])]
    return _within_bounds(list({t.name: t for t in [*asked, *usual]}.values())[:USUAL])


def _within_bounds(tellings: list[Telling]) -> list[Telling]:
    """The first of them whose words together do not ask for too much work, two at least."""
    return [tellings[number] for number in within_bounds([telling.words for telling in tellings])]


def collated(compared: Sequence[Telling]) -> Collation | None:
    """The tellings word by word; None where there are not two."""
    if len(compared) < 2:
        return None
    return collate([(t.name, t.letters) for t in compared], {t.name: [t.span] for t in compared})


def collation_of(reader: Reader, tellings: list[Telling], choice: Choice) -> Collated | None:
    """The table of a group's tellings, None where there are not two whose words may be shown."""
    compared = chosen(tellings, choice)
    found = collated(compared)
    if found is None:
        return None
    rows = list(_rows(found, reader.t))
    counts = [(kind, reader.t("collation." + kind), sum(row.kind == kind for row in rows)) for kind in KINDS]
    shown = [row for row in rows if not (choice.differences and row.same)]
    query = "&".join([f"first={quote(compared[0].name)}", *(f"telling={quote(t.name)}" for t in compared)])
    return Collated(
        tellings, compared, shown, [c for c in counts if c[2]], len(tellings) - len(compared), choice.differences, query
    )


def _rows(found: Collation, t: Messages) -> Iterable[Row]:
    for number, place in enumerate(found.places, 1):
        says = t("collation." + place.kind)
        detail = t.get("collation." + (place.detail or "").replace(" ", "_"), "")
        cells = [
            Cell(name, kind, reading.text if reading else None, t("collation." + kind) if kind != "agreed" else "")
            for name, kind, reading in zip(found.witnesses, place.kinds, place.readings, strict=True)
        ]
        partner = place.partner + 1 if place.partner is not None else None
        yield Row(number, place.kind, f"{says} ({detail})" if detail else says, cells, place.kind == "agreed", partner)
