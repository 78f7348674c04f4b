"""Which verse, where the same words stand in several: what the text says near by, then what it cites near by.

Evidence, strongest first: a reference beside the quotation ([البقرة: 255]), the sura named before it, the quotation it continues (إلى قوله),
verses cited in the same passage, and whether the words are a whole verse or begin one.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kg.extract.quran_alignment import Match
from kg.extract.quran_index import QuranIndex
from kg.extract.quran_suras import SuraNames
from kg.text import Words, fold

__all__ = ["Note", "note_for", "rank", "reference_notes"]

_NOTE = re.compile(
    r"[\[(]\s*(?:سورة\s*:?\s*)?(?P<name>[^\[\]()\d:،,]{1,25}?|\d{1,3})\s*[:،,/]\s*(?:من\s+)?(?:الآيات|الآيتان|الآية|آية|الاية)?\s*:?\s*"
    r"(?P<first>\d{1,3})(?:\s*[-–,،ـ]\s*(?P<last>\d{1,3}))?"
)
_NEAR_NOTE = 24
_NEAR_VERSES = 15
WHOLE = 0.5


@dataclass(frozen=True, slots=True)
class Note:
    """A reference written beside a quotation by author or editor: offset in the text, sura, first and last verse."""

    offset: int
    sura: int
    first: int
    last: int


def reference_notes(text: str, names: SuraNames) -> list[Note]:
    """The references in brackets in a text.

    >>> from kg.extract.quran_text import load_suras
    >>> reference_notes("لا ريب فيه (البقرة: من الآية2)", SuraNames(load_suras()))
    [Note(offset=11, sura=2, first=2, last=2)]
    """
    notes = []
    for match in _NOTE.finditer(text):
        name = match["name"].strip()
        sura = int(name) if name.isdecimal() else names.numbers.get(tuple(fold(name).split()))
        first = int(match["first"])
        last = int(match["last"] or first)
        if sura and 1 <= first <= names.verses.get(sura, 0):
            notes.append(Note(match.start(), sura, first, last if first <= last <= names.verses[sura] else first))
    return notes


def note_for(words: Words, after: int, notes: Sequence[Note]) -> Note | None:
    """The note that stands beside a quotation that ends before word ``after``; ``notes`` are in text order."""
    end = words.ends[after - 1]
    at = bisect_left(notes, end, key=lambda note: note.offset)
    return notes[at] if at < len(notes) and notes[at].offset - end <= _NEAR_NOTE else None


def rank(
    matches: Sequence[Match],
    index: QuranIndex,
    *,
    note: Note | None,
    sura: int | None,
    continues: Match | None,
    cited: Mapping[int, Sequence[int]],
) -> list[tuple[float, Match]]:
    """The matches with what speaks for each, best first. ``cited`` are the verses (0-6235) cited near by, sorted, by sura."""
    ranked = []
    for match in matches:
        verse, last = index.verse_of[match.start], index.verse_of[match.stop - 1]
        its_sura, number = index.sura_of_verse[verse], index.number_of_verse[verse]
        score = 0.0
        if note is not None and note.sura == its_sura:
            score += 8.0 if note.first <= number <= note.last else 2.0
        if sura is not None and sura == its_sura:
            score += 4.0
        if continues is not None and index.sura_start[continues.start] == index.sura_start[match.start]:
            distance = last - index.verse_of[continues.stop - 1]
            if match.start >= continues.stop:
                score += 6.0 / (1 + distance / 8)
        if its_sura in cited:
            distance = _distance(cited[its_sura], verse)
            score += 3.0 / (1 + distance / 4) if distance <= _NEAR_VERSES else 0.0
        starts = match.start == index.verse_starts[verse]
        ends = match.stop == len(index.words) or index.verse_of[match.stop] != last
        score += (WHOLE if starts and ends else 0.0) + match.credit
        ranked.append((score, match))
    ranked.sort(key=lambda pair: (-pair[0], pair[1].start))
    return ranked


def _distance(verses: Sequence[int], verse: int) -> int:
    """How far the nearest of sorted ``verses`` is."""
    at = bisect_left(verses, verse)
    return min(abs(verse - other) for other in verses[max(0, at - 1) : at + 1])
