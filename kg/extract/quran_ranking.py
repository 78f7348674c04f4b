"""Which verse, where the same words stand in several: what the text says near by, then what it cites near by.

Evidence, strongest first: a reference beside the quotation ([البقرة: 255]), the sura named before it, the quotation it continues (إلى قوله),
verses cited in the same passage, and whether the words are a whole verse or begin one.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence

from kg.extract.quran_alignment import Match
from kg.extract.quran_index import QuranIndex
from kg.extract.quran_notes import Note

__all__ = ["rank"]

_NEAR_VERSES = 15
WHOLE = 0.5


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
