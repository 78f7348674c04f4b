"""Who cites: the Prophet, a Companion or the author, where the words before the quotation make it plain.

The name stands right after the verb of the formula (ثم تلا رسول الله) or right before it (عن النبي صلى الله عليه وسلم ثم قرأ). An author
cites in his own voice where nobody speaks in the words before. Names are in ``tables/quran_speakers.tsv``.
"""

from __future__ import annotations

from pathlib import Path

from kg.extract.quran_introduction import Introduction
from kg.extract.quran_reading import Reading
from kg.tables import TableError, read_tsv
from kg.text import fold

__all__ = ["Speakers"]

_TABLE = Path(__file__).with_name("tables") / "quran_speakers.tsv"
_HONORIFIC = frozenset(fold("صلى الله عليه وسلم وآله وعلى آله رضي رضى عنه عنها عنهما عنهم تعالى السلام ﷺ").split())
_LINKS = frozenset(fold("ثم وهو وهي أنه أنها فقال قال قالت يقول و حين إذ").split())
_SPEAKERS_OF_OTHERS = frozenset(
    before + word
    for before in ("", "و", "ف")
    for word in fold("قال قالت قالوا يقول حدثنا حدثني أخبرنا أخبرني عن سمعت روى روينا زعم ذكر").split()
)
_BEFORE = 60
_HONORIFICS = 7
_NAME = 4


class Speakers:
    """The names of the Prophet and of Companions at a formula."""

    def __init__(self, path: Path = _TABLE) -> None:
        self._who: dict[tuple[str, ...], str] = {}
        for line, row in read_tsv(path, ("phrase", "who", "source")):
            if row["who"] not in ("prophet", "companion"):
                raise TableError(path, line, f"who {row['who']!r}: write prophet or companion")
            self._who[tuple(fold(row["phrase"]).split())] = row["who"]

    def cited_by(self, reading: Reading, introduction: Introduction | None, kind: str) -> str | None:
        """``prophet``, ``companion``, ``author`` or None where the text does not tell; ``kind`` is that of the passage."""
        if introduction is None:
            return None
        if introduction.cited_by:
            return introduction.cited_by
        if introduction.use == "occasion" or introduction.elision:
            return None
        named = self._after(reading, introduction) or self._before(reading, introduction.first)
        if named and (introduction.use == "recitation" or introduction.strength > 1):
            return named
        if named is None and kind != "hadith" and introduction.use == "proof":
            before = reading.tokens[max(0, introduction.first - _BEFORE) : introduction.first]
            if _SPEAKERS_OF_OTHERS.isdisjoint(before):
                return "author"
        return None

    def _after(self, reading: Reading, introduction: Introduction) -> str | None:
        """The name right after the verb."""
        for start in (introduction.first + 1, introduction.after):
            for length in range(_NAME, 0, -1):
                who = self._who.get(tuple(reading.tokens[start : start + length]))
                if who:
                    return who
        return None

    def _before(self, reading: Reading, first: int) -> str | None:
        """The name right before the formula, with its honorific."""
        tokens, end = reading.tokens, first
        while end > 0 and first - end < 2 and tokens[end - 1] in _LINKS:
            end -= 1
        ends = [end]
        while end > 0 and ends[0] - end < _HONORIFICS and tokens[end - 1] in _HONORIFIC:
            end -= 1
            ends.append(end)
        for end in ends:
            for length in range(_NAME, 0, -1):
                who = self._who.get(tuple(tokens[max(0, end - length) : end]))
                if who:
                    return who
        return None
