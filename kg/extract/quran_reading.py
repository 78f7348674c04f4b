"""A text made ready for matching: its words as the index knows them, what introduces and what marks them."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field

from kg.extract.quran_index import QuranIndex
from kg.extract.quran_introduction import Introduction, Mark
from kg.extract.quran_notes import Note, note_after
from kg.extract.quran_suras import NamedSura
from kg.text import Words

__all__ = ["OPENS", "Note", "Reading", "read"]

OPENS = re.compile(r"[:\"«“{\ufd3f\ufd3e]")
"""Signs that open a quotation."""
_DIGIT = re.compile(r"\d")
_NESTED = 4
_SURA_REACH = 12
_SURA_AFTER = 3
_QUOTES = re.compile(r"[\"«»“”{}\ufd3e\ufd3f\[\]()]")
_NO_SIGN = " \t\u200e\u200f\u00a0"


@dataclass(slots=True)
class Reading:
    """A text as it is matched: its tokens (words without digits, joined words parted), the word each comes from, their numbers
    in the index, and what introduces and marks them (in tokens); ``braced`` where marks stand that are the Quran's only."""

    words: Words
    tokens: list[str]
    origin: Sequence[int]
    ids: list[int]
    introductions: list[Introduction] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)
    suras: list[NamedSura] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    _afters: list[int] = field(default_factory=list)
    _mark_firsts: list[int] = field(default_factory=list)
    _sura_firsts: list[int] = field(default_factory=list)
    braced: bool = False

    def prepare(self) -> None:
        """Make ``before`` and ``around`` quick."""
        self._afters = [introduction.after for introduction in self.introductions]
        self.braced = any(mark.quran for mark in self.marks)
        self._sura_firsts = [named.first for named in self.suras]
        self._mark_firsts = [mark.first for mark in self.marks]

    def before(self, token: int) -> Introduction | None:
        """The last introduction that ends at or before a token."""
        at = bisect_right(self._afters, token)
        return self.introductions[at - 1] if at else None

    def around(self, token: int) -> list[Mark]:
        """The marks that begin at or a little before a token and reach over it, the widest first."""
        at = bisect_right(self._mark_firsts, token)
        return [mark for mark in self.marks[max(0, at - _NESTED) : at] if mark.after > token]

    def closed(self, token: int) -> bool:
        """Whether a sign stands right before a token, or the text ends there."""
        if token >= len(self.tokens):
            return True
        return bool(self.gap(token).strip(_NO_SIGN))

    def note_after(self, token: int) -> Note | None:
        """The reference written beside a quotation that ends before a token."""
        return note_after(self.words, self.origin[token - 1] + 1, self.notes) if self.notes else None

    def in_note(self, first: int, after: int) -> bool:
        """Whether tokens stand in such a reference (the name of a sura may look like words of the Quran)."""
        if not self.notes:
            return False
        start, end = self.words.starts[self.origin[first]], self.words.ends[self.origin[after - 1]]
        at = bisect_right(self.notes, start, key=lambda note: note.offset)
        return any(note.offset < end and start < note.end for note in self.notes[max(0, at - 1) : at + 1])

    def opened(self, token: int) -> bool:
        """Whether a sign that opens a quotation stands right before a token."""
        gap = self.gap(token)
        closed = max(map(gap.rfind, "]).؟"))  # [ق: 40 - ب], قال. or a quotation mark before a full stop: nothing is opened
        return OPENS.search(gap, closed + 1) is not None

    def quoted(self, token: int) -> bool:
        """Whether a quotation mark or a bracket stands right before a token."""
        return token < len(self.tokens) and _QUOTES.search(self.gap(token)) is not None

    def marks_from(self, token: int) -> list[Mark]:
        """The first marks that begin at a token or after it."""
        at = bisect_left(self._mark_firsts, token)
        return self.marks[at : at + 2]

    def sura_near(self, first: int, after: int, ahead: int = _SURA_AFTER) -> NamedSura | None:
        """The sura named within a few tokens before a stretch, or else within ``ahead`` tokens after it."""
        at = bisect_right(self._sura_firsts, first)
        if at and first - self.suras[at - 1].after <= _SURA_REACH:
            return self.suras[at - 1]
        return self.suras[at] if at < len(self.suras) and self.suras[at].first - after <= ahead else None

    def gap(self, token: int) -> str:
        """What stands in the text before a token (digits between included)."""
        words = self.words
        word = self.origin[token] if token < len(self.tokens) else len(words)
        if token and word == self.origin[token - 1]:
            return ""
        start = words.ends[self.origin[token - 1]] if token else 0
        end = words.starts[word] if word < len(words) else len(words.text)
        return words.text[start:end]


def read(words: Words, index: QuranIndex) -> Reading:
    """A text's words made ready for matching."""
    tokens: list[str] = words.folded
    origin: Sequence[int] = range(len(tokens))
    if _DIGIT.search(words.text):
        kept = [i for i, token in enumerate(tokens) if not token.isdigit()]
        if len(kept) < len(tokens):
            tokens, origin = [tokens[i] for i in kept], kept
    if not index.joined.keys().isdisjoint(tokens):
        parted: list[str] = []
        place: list[int] = []
        for i, token in zip(origin, tokens, strict=True):
            parts = index.joined.get(token, (token,))
            parted.extend(parts)
            place.extend([i] * len(parts))
        tokens, origin = parted, place
    return Reading(words, tokens, origin, list(map(index.spellings.__getitem__, tokens)))
