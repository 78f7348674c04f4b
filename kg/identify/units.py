"""What a collation compares: words, and phrases that stand for one thing (a blessing, a name of the Prophet, how often)."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from rapidfuzz import fuzz

from kg.identify.shingles import TABLES, exchanges, stem
from kg.tables import TableError, read_tsv
from kg.text import Span, Words

__all__ = ["Unit", "likeness_of_units", "units_of"]

_PROPHET = ("رسول الله", "نبي الله", "النبي")
_CLITIC = "وف"
_PAUSE = frozenset('.،,:؛؟?!"«»()')


@dataclass(frozen=True, slots=True)
class Unit:
    """A stretch of a text: ``text[start:end]`` in the author's letters, ``folded`` as it is matched. ``kind`` is ``word``, ``blessing``,
    ``prophet`` or ``count`` (then ``count`` says how often: ``"3"``); ``pause``: a mark of punctuation stands before it."""

    start: int
    end: int
    folded: str
    kind: str = "word"
    count: str | None = None
    pause: bool = False

    @property
    def bare(self) -> str:
        """The folded words without a conjunction before them.

        >>> Unit(0, 4, "فقال").bare, Unit(0, 3, "وجه").bare
        ('قال', 'وجه')
        """
        return self.folded[1:] if len(self.folded) > 3 and self.folded[0] in _CLITIC else self.folded


@cache
def _phrases() -> dict[str, list[tuple[tuple[str, ...], str, str | None]]]:
    """Phrases that are one unit, by their first word, the longest first."""
    rows: list[tuple[tuple[str, ...], str, str | None]] = [(tuple(name.split()), "prophet", None) for name in _PROPHET]
    for words in _blessings(TABLES / "parallel_formulas.tsv"):
        rows.append((words, "blessing", None))
    path = TABLES / "parallel_counts.tsv"
    for number, row in read_tsv(path, ("words", "number", "example", "source")):
        if not row["number"].replace("-", "").isdigit():
            raise TableError(path, number, f"{row['number']!r} is no number and no two numbers with a hyphen")
        rows.append((tuple(row["words"].split()), "count", row["number"]))
    found: dict[str, list[tuple[tuple[str, ...], str, str | None]]] = {}
    for entry in rows:
        found.setdefault(entry[0][0], []).append(entry)
    for entries in found.values():
        entries.sort(key=lambda entry: -len(entry[0]))
    return found


def _blessings(path: Path) -> Iterable[tuple[str, ...]]:
    for _, row in read_tsv(path, ("words", "class")):
        if row["class"] == "blessing":
            found: list[tuple[str, ...]] = [()]
            for word in row["words"].split():
                found = [(*before, one) for before in found for one in word.split("/")]
            yield from found


def units_of(text: str, within: Iterable[Span] | None = None) -> list[Unit]:
    """The units of a text, or of stretches of it, with offsets into the text.

    >>> text = "فَقَالَ النَّبِيُّ صلى الله عليه وسلم صَدَقَ ثَلاَثًا"
    >>> [(text[unit.start:unit.end], unit.kind) for unit in units_of(text)][1:3]
    [('النَّبِيُّ', 'prophet'), ('صلى الله عليه وسلم', 'blessing')]
    """
    found: list[Unit] = []
    for first, after in within if within is not None else (Span(0, len(text)),):
        found += _read(Words(text[first:after]), first)
    return found


def _read(words: Words, offset: int) -> list[Unit]:
    folded, found, here, phrases = words.folded, [], 0, _phrases()
    while here < len(folded):
        length, kind, count = 1, "word", None
        for phrase, its_kind, its_count in phrases.get(folded[here], ()):
            if tuple(folded[here : here + len(phrase)]) == phrase:
                length, kind, count = len(phrase), its_kind, its_count
                break
        if folded[here] and folded[here][0] in "ﷺﷻ":
            kind = "blessing"
        start, end = words.span(here, here + length)
        pause = not _PAUSE.isdisjoint(words.gap(here))
        found.append(Unit(start + offset, end + offset, " ".join(folded[here : here + length]), kind, count, pause))
        here += length
    return found


@cache
def _exchanged() -> dict[str, str]:
    return exchanges()


@cache
def _root(word: str) -> str:
    root = stem(word)
    return _exchanged().get(root, root)


_PAUSE_MET, _PAUSE_MISSED = 0.3, -0.1


def likeness_of_units(one: Unit, other: Unit, pauses: bool = True) -> float:
    """How well two units stand beside one another: about 1 where they are one word, below 0 where they are not.

    ``pauses``: both texts have punctuation, so that a clause beginning in one and not in the other speaks against the pair.

    >>> a, b, c = units_of("قال فقال جلس")
    >>> likeness_of_units(a, a) > likeness_of_units(a, b) > 0 > likeness_of_units(a, c)
    True
    """
    score = _of_kinds(one, other)
    if pauses and (one.pause or other.pause):
        score += _PAUSE_MET if one.pause and other.pause else _PAUSE_MISSED
    return score


def _of_kinds(one: Unit, other: Unit) -> float:
    if one.kind != other.kind:
        return -0.9
    if one.folded == other.folded:
        return 1.2 if one.kind != "word" or len(one.folded) > 2 else 1.0
    if one.kind != "word":
        return 1.0 if one.kind != "blessing" else 0.8
    if one.bare == other.bare:
        return 0.8
    if len(one.bare) > 2 and len(other.bare) > 2 and _root(one.folded) == _root(other.folded):
        return 0.8
    share = fuzz.ratio(one.bare, other.bare) / 100
    if share >= 0.6 and min(len(one.bare), len(other.bare)) > 3:
        return 0.8 * share
    return -0.35
