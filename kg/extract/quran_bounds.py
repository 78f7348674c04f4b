"""Where a quotation begins and ends: words that only chance to agree with the verse before or after are cut off.

A verse often begins with a word of speech (قال, قالوا), and so does the sentence after a quotation: such a word, and a single weak word over a
verse's border, is the author's own.
"""

from __future__ import annotations

from kg.extract.quran_alignment import Match
from kg.extract.quran_index import QuranIndex
from kg.extract.quran_reading import OPENS, Reading
from kg.text import fold

__all__ = ["trim"]

_SPEECH = frozenset(
    before + word for before in ("", "و", "ف") for word in fold("قال قالوا قالت قالا قل يقول قلنا قيل قلت نقول يقولون").split()
)
_BEGINS = frozenset(before + word for before in ("", "و", "ف") for word in fold("إن إذا إذ لو لما قد هل إنما لئن").split())
"""Particles with which a sentence begins and none ends: at the end of a quotation they are the author's (إذا الشمس كورت وإذا السماء انفطرت)."""
_WEAK = 9.0
"""Bits under which a single word over a verse's border tells nothing."""


def trim(match: Match, reading: Reading, index: QuranIndex) -> Match:
    """The match without such words at its ends; at least two words stay."""
    while match.after - match.first > 2 and _cut_last(match, reading, index):
        _drop_last(match)
    while match.after - match.first > 2 and _cut_first(match, reading, index):
        _drop_first(match)
    return match


def _cut_last(match: Match, reading: Reading, index: QuranIndex) -> bool:
    last, place = match.after - 1, match.stop - 1
    if reading.ids[last] != index.words[place] and match.stop - match.start != match.after - match.first:
        return False  # the last words are not one to one
    verse_start = index.verse_starts[index.verse_of[place]]
    over = match.stop - verse_start
    sign = reading.closed(last)
    if reading.tokens[last] in _BEGINS and not reading.closed(match.after):
        return True
    if reading.tokens[last] in _SPEECH and (sign or over == 1):
        return True
    if sign and index.bits[reading.ids[last]] < _WEAK and not _ends_verse(place, index):
        return True
    if match.start >= verse_start or over > 1 or _ends_verse(place, index):
        return False
    return sign or index.bits[reading.ids[last]] < _WEAK or reading.tokens[last] != index.vocabulary[index.words[place]]


def _cut_first(match: Match, reading: Reading, index: QuranIndex) -> bool:
    first, place = match.first, match.start
    if reading.ids[first] != index.words[place] and match.stop - match.start != match.after - match.first:
        return False
    if reading.tokens[first] in _SPEECH and OPENS.search(reading.gap(first + 1)):
        return True
    if not _ends_verse(place, index) or place == index.verse_starts[index.verse_of[place]]:
        return False
    return reading.closed(first + 1) or index.bits[reading.ids[first]] < _WEAK


def _ends_verse(place: int, index: QuranIndex) -> bool:
    return place + 1 >= len(index.words) or index.verse_of[place + 1] != index.verse_of[place]


def _drop_last(match: Match) -> None:
    match.after, match.stop, match.same = match.after - 1, match.stop - 1, match.same - 1


def _drop_first(match: Match) -> None:
    match.first, match.start, match.same, match.odd = match.first + 1, match.start + 1, match.same - 1, ""
