"""Readings of more than a word: words added, left out or put otherwise than Hafs has them (والذكر والأنثى for وما خلق الذكر والأنثى).

The readings are in ``tables/quran_readings_of_words.tsv``. One is taken as the verse where words of its sura are cited right beside it,
where a formula stands before it, or within marks of the Quran; it is never exact.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from kg.extract.quran_alignment import Match
from kg.extract.quran_index import QuranIndex
from kg.extract.quran_reading import Reading
from kg.extract.quran_search import Found
from kg.tables import TableError, read_tsv
from kg.text import fold

__all__ = ["WholeReadings"]

_TABLE = Path(__file__).with_name("tables") / "quran_readings_of_words.tsv"
_BESIDE = 4
"""Words between a reading and a citation of its sura that still stands beside it (قال قلت, قال علقمة)."""
_COST = 1.0
_CONFIDENCE = 0.85
_STRONG = 2


@dataclass(frozen=True, slots=True)
class _Whole:
    words: tuple[str, ...]
    start: int
    stop: int


class WholeReadings:
    """The readings of the table, by their first word; made once.

    Raises:
        TableError: a row names words that its verse does not have.
    """

    def __init__(self, index: QuranIndex, path: Path = _TABLE) -> None:
        self._index = index
        self._by_first: dict[str, list[_Whole]] = {}
        verses = {ref: n for n, ref in enumerate(zip(index.sura_of_verse, index.number_of_verse, strict=True))}
        for line, row in read_tsv(path, ("ref", "hafs", "reading", "reader", "source")):
            sura, _, number = row["ref"].partition(":")
            verse = verses.get((int(sura), int(number)), 0)
            start = index.verse_starts[verse]
            stop = index.verse_starts[verse + 1] if verse + 1 < len(index.verse_starts) else len(index.words)
            hafs = [index.spellings[word] for word in fold(row["hafs"]).split()]
            places = [p for p in range(start, stop - len(hafs) + 1) if list(index.words[p : p + len(hafs)]) == hafs]
            if not places:
                raise TableError(
                    path, line, f"{row['ref']} has no words {row['hafs']!r}: write them as Tanzil's Simple Clean text does"
                )
            words = tuple(fold(row["reading"]).split())
            self._by_first.setdefault(words[0], []).append(_Whole(words, places[0], places[0] + len(hafs)))

    def taken(self, cited: Sequence[Found], reading: Reading) -> list[Found]:
        """The citations with the readings among them, in text order: one that overlaps a citation of its verse or goes on from it makes
        it longer, others stand beside it."""
        found = list(cited)
        for first, whole in self._standing(reading.tokens):
            after = first + len(whole.words)
            verse = self._index.verse_of[whole.start]
            beside = [other for other in found if self._of(other, first, after, verse) is not None]
            over = [other for other in beside if other.best.first < after and first < other.best.after]
            if beside:
                one, *others = over or beside[:1]
                found = [other for other in found if not any(other is merged for merged in others)]
                self._lengthen(one, others, first, after, whole)
            elif self._is_quoted(found, first, after, whole, reading):
                match = Match(first, after, whole.start, whole.stop, _COST, len(whole.words))
                found.append(Found([match], None, None, _CONFIDENCE))
        return sorted(found, key=lambda other: other.best.first)

    def _standing(self, tokens: Sequence[str]) -> Iterator[tuple[int, _Whole]]:
        by_first = self._by_first
        for i in [i for i, token in enumerate(tokens) if token in by_first]:
            for whole in by_first[tokens[i]]:
                if tuple(tokens[i : i + len(whole.words)]) == whole.words:
                    yield i, whole

    def _of(self, found: Found, first: int, after: int, verse: int) -> Match | None:
        """The match of a citation that stands in the reading's verse and touches the reading."""
        if after < found.best.first or found.best.after < first:
            return None
        verse_of = self._index.verse_of
        return next((m for m in found.matches if verse_of[m.start] <= verse <= verse_of[m.stop - 1]), None)

    def _lengthen(self, found: Found, others: Sequence[Found], first: int, after: int, whole: _Whole) -> None:
        """Make a citation reach over a reading, and over others that the reading overlaps."""
        match = self._of(found, first, after, self._index.verse_of[whole.start]) or found.best
        if match.first < first and after <= match.after and not match.exact and not others:
            return  # grown over it already
        matches = [match, *(other.best for other in others)]
        low, high = min(first, *(m.first for m in matches)), max(after, *(m.after for m in matches))
        start, stop = min(whole.start, *(m.start for m in matches)), max(whole.stop, *(m.stop for m in matches))
        found.matches = [
            Match(low, high, start, stop, match.cost + _COST, sum(m.same for m in matches), match.odd if low < first else "")
        ]

    def _is_quoted(self, cited: Sequence[Found], first: int, after: int, whole: _Whole, reading: Reading) -> bool:
        if any(other.best.first < after and first < other.best.after for other in cited):
            return False
        sura = self._index.sura_of_verse[self._index.verse_of[whole.start]]
        for other in cited:
            near = max(other.best.first - after, first - other.best.after) <= _BESIDE
            if near and self._index.sura_of_verse[self._index.verse_of[other.best.start]] == sura:
                return True
        before = reading.before(first)
        introduced = before is not None and before.strength >= _STRONG and before.after == first and not before.elision
        return introduced or any(mark.quran and mark.first <= first and after <= mark.after for mark in reading.around(first))
