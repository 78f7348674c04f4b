"""References that author or editor wrote beside a quotation: [البقرة: 255], (البقرة: من الآية284), 8: 41, 17 الاسراء 88."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from kg.extract.quran_suras import SuraNames
from kg.text import Words, fold

__all__ = ["Note", "note_after", "reference_notes"]

_NOTE = re.compile(
    r"[\[(]\s*(?:سورة\s*:?\s*)?(?P<name>[^\[\]()\d:،,]{1,25}?|\d{1,3})\s*[:،,/]?\s*(?:من\s+)?(?:الآيات|الآيتان|الآية|آية|الاية)?\s*:?\s*"
    r"(?:\d{1,3}\s*:\s*)?(?P<first>\d{1,3})(?:\s*[-–,،ـ]\s*(?P<last>\d{1,3}))?\s*[\])]?"
)
"""[البقرة: 255], (البقرة: من الآية284), [غافر 40: 60], (2:255)"""
_BARE_NOTE = re.compile(r"(?P<name>\d{1,3}):\s*(?P<first>\d{1,3})(?:\s*[-–]\s*(?P<last>\d{1,3}))?")
"""8: 41, 9: 117- 118"""
_NUMBERED_NOTE = re.compile(
    r"(?P<number>\d{1,3})[\s~]+(?P<name>[^\W\d_]+(?:\s[^\W\d_]+)?)[\s~]+(?P<first>\d{1,3})(?:\s*-\s*(?P<last>\d{1,3}))?"
)
"""17 الاسراء 88"""
_DIGIT = re.compile(r"\d")
_NEAR_NOTE = 14


@dataclass(frozen=True, slots=True)
class Note:
    """A reference written beside a quotation by author or editor: its span in the text, sura, first and last verse."""

    offset: int
    end: int
    sura: int
    first: int
    last: int


def reference_notes(text: str, names: SuraNames) -> list[Note]:
    """The references in a text, in brackets or bare.

    >>> from kg.extract.quran_text import load_suras
    >>> names = SuraNames(load_suras())
    >>> reference_notes("لا ريب فيه (البقرة: من الآية2)", names)
    [Note(offset=11, end=30, sura=2, first=2, last=2)]
    >>> [(note.sura, note.first, note.last) for note in reference_notes("9: 117- 118 … 17 الاسراء 88 … [غافر 40: 60]", names)]
    [(9, 117, 118), (17, 88, 88), (40, 60, 60)]
    """
    if not _DIGIT.search(text):
        return []
    notes: dict[int, Note] = {}
    for pattern in (_NOTE, _NUMBERED_NOTE, _BARE_NOTE):
        for match in pattern.finditer(text):
            name = match["name"].strip()
            sura = int(name) if name.isdecimal() else names.numbers.get(tuple(fold(name).split()))
            first = int(match["first"])
            last = int(match["last"] or first)
            if pattern is _NUMBERED_NOTE and sura != int(match["number"]):
                continue
            if sura and 1 <= first <= names.verses.get(sura, 0):
                last = last if first <= last <= names.verses[sura] else first
                notes.setdefault(match.start(), Note(match.start(), match.end(), sura, first, last))
    found: list[Note] = []
    for offset in sorted(notes):
        if not found or offset >= found[-1].end:  # [غافر 40: 60] is one
            found.append(notes[offset])
    return found


def note_after(words: Words, after: int, notes: Sequence[Note]) -> Note | None:
    """The note that stands beside a quotation that ends before word ``after``; ``notes`` are in text order.

    Between them only signs, or al-aya, may stand."""
    end = words.ends[after - 1]
    at = bisect_left(notes, end, key=lambda note: note.offset)
    return notes[at] if at < len(notes) and notes[at].offset - end <= _NEAR_NOTE else None
