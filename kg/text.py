"""Passages, spans, and Arabic folded for matching with a map back to the author's letters.

Everything that is matched is matched on folded words; everything that is shown or published is cut
out of the text as given. Offsets are Python string indices (code points), end exclusive.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from pyarabic import araby

__all__ = ["HONORIFIC_LIGATURES", "Passage", "Span", "Words", "fold"]


class Span(NamedTuple):
    """A stretch of a passage's text: ``text[start:end]``."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Passage:
    """One unit of a source: a hadith, a paragraph, a row.

    ``id`` is a collection and a number in it (``bukhari:3661``), unique in a build: the same id from two sources is the
    same passage. ``source`` is the key of the source it was read from; ``text`` is what the source gave. ``kind`` is
    ``hadith`` or ``passage``. ``locators`` are pairs of scheme and value, in the order in which a reader would look
    them up: ``(("number-in-source", "3661"), ("book", "62"))``. A locator whose scheme is ``offset-in-file``
    counts code points of the file as read.
    """

    id: str
    text: str
    language: str = "ar"
    translation: str | None = None
    source: str = ""
    kind: str = "passage"
    work: str | None = None
    locators: tuple[tuple[str, str], ...] = field(default=())

    @property
    def collection(self) -> str:
        """The first part of the id, the collection or version it is numbered in: ``bukhari``."""
        return self.id.partition(":")[0]

    @property
    def number(self) -> str:
        """The id without its collection: ``3661``."""
        return self.id.partition(":")[2] or self.id


# Letters of one skeleton are one letter for matching. pyarabic names the classes; the rest are spellings met
# in OpenITI and in web editions: Persian and Urdu kaf and ya, alif wasla, Quranic small letters.
_SAME_LETTER = {
    araby.ALEF_MADDA: "ا",
    araby.ALEF_HAMZA_ABOVE: "ا",
    araby.ALEF_HAMZA_BELOW: "ا",
    "\u0671": "ا",  # alif wasla
    "\u0672": "ا",
    "\u0673": "ا",
    "\u0675": "ا",
    araby.WAW_HAMZA: "و",
    "\u0676": "و",
    araby.YEH_HAMZA: "ي",
    araby.ALEF_MAKSURA: "ي",
    "\u06cc": "ي",  # Persian ya
    "\u06d2": "ي",  # Urdu ya barree
    "\u06d3": "ي",
    "\u0678": "ي",
    "\u06a9": "ك",  # Persian kaf
    "\u06aa": "ك",
    araby.TEH_MARBUTA: "ه",
    "\u06c1": "ه",  # Urdu he goal
    "\u06be": "ه",
    "\u06c0": "ه",
    "\u06c3": "ه",
    "\u06d5": "ه",
}

# Marks carry no skeleton: short vowels, tanwin, shadda, sukun, dagger alif, combining hamza and madda,
# Quranic annotation signs, tatweel, and the invisible characters of bidirectional text.
_MARKS = (
    "".join(araby.TASHKEEL)
    + araby.TATWEEL
    + araby.MINI_ALEF
    + araby.MADDA_ABOVE
    + araby.HAMZA_ABOVE
    + araby.HAMZA_BELOW
    + "".join(map(chr, range(0x0610, 0x061B)))
    + "".join(map(chr, range(0x0656, 0x0660)))
    + "".join(map(chr, range(0x06D6, 0x06DD)))
    + "".join(map(chr, range(0x06DF, 0x06E9)))
    + "".join(map(chr, range(0x06EA, 0x06EE)))
    + "".join(map(chr, range(0x08D3, 0x0900)))
    + "".join(map(chr, [*range(0xFC5E, 0xFC64), *range(0xFE70, 0xFE80)]))  # marks as presentation forms
)
_INVISIBLE = "\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff\u00ad\u061c"

HONORIFIC_LIGATURES = "\ufdfa\ufdfb\ufdfd\ufdf2\ufdf4" + "".join(map(chr, range(0xFD40, 0xFD50)))
"""Whole phrases written as one character (ﷺ, ﷻ, ﷽, ﷲ, ﷴ): each is one word, folded to itself, but ﷲ and ﷴ to their letters."""


def _folding_table() -> dict[int, str | None]:
    import unicodedata

    table: dict[int, str | None] = {}
    for code in [*range(0xFB50, 0xFE00), *range(0xFE70, 0xFEFF)]:  # presentation forms
        character = chr(code)
        if character in HONORIFIC_LIGATURES:
            table[code] = character
            continue
        plain = unicodedata.normalize("NFKC", character)
        if plain != character and " " not in plain:
            table[code] = "".join(_SAME_LETTER.get(c, c) for c in plain if c not in _MARKS)
    table[0xFDF2] = "الله"
    table[0xFDF4] = "محمد"
    for mark in _MARKS + _INVISIBLE:
        table[ord(mark)] = None
    for letter, same in _SAME_LETTER.items():
        table[ord(letter)] = same
    return table


_FOLD = _folding_table()

# A word is a run of letters with the marks and invisible characters inside it (it does not end in an invisible one), or
# a run of digits: كتبنا1 is a word and a footnote number. Latin words count, so that no text is passed over unseen.
_INSIDE = re.escape(_MARKS)
_LETTER = rf"[^\W\d_{_INSIDE}]|[{HONORIFIC_LIGATURES}]"
_WORD = re.compile(rf"(?:{_LETTER})(?:{_LETTER}|[{_INSIDE}]|[{_INVISIBLE}]+(?=[^\W\d_]|[{_INSIDE}]))*|\d+")
_FOLDED_WORD = re.compile(rf"[^\W\d_{HONORIFIC_LIGATURES}]+[{HONORIFIC_LIGATURES}]*|[{HONORIFIC_LIGATURES}]+|\d+")
# Marks of OpenITI mARkdown that look like words; a row of JSON Lines may carry them in its text.
_MARKUP = re.compile(r"PageV\d+P\d+[A-Z]?|ms\d+|@Q[BE]@|@[A-Z]{3}@\w*")


def fold(text: str) -> str:
    """Text as it is matched: without marks and tatweel, hamza seats, alif maqsura and ta marbuta unified.

    >>> fold("حَدَّثَنَا صَدَقَةُ بْنُ خَالِدٍ، عَنْ أَبِي الدَّرْدَاءِ")
    'حدثنا صدقه بن خالد، عن ابي الدرداء'
    >>> fold("رَأَىٰ") == fold("راي")
    True
    """
    return text.translate(_FOLD)


class Words:
    """The words of a text: each folded for matching, each with its span in the text as given.

    ``folded[i]`` is the i-th word as it is matched; ``text[starts[i]:ends[i]]`` the same word in the author's
    letters, trailing vowel included. What stands between two words (punctuation, brackets, white space) is
    ``gap(i)``, the stretch before word ``i``.

    >>> words = Words("عَنْ أَبِي الدَّرْدَاءِ ـ رضى الله عنه ـ قَالَ")
    >>> words.folded
    ['عن', 'ابي', 'الدرداء', 'رضي', 'الله', 'عنه', 'قال']
    >>> words.surface(1, 3)
    'أَبِي الدَّرْدَاءِ'
    >>> words.gap(3)
    ' ـ '
    """

    __slots__ = ("__dict__", "ends", "folded", "starts", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        spans = [match.span() for match in _WORD.finditer(text)]
        folded_text = text.translate(_FOLD)
        if _MARKUP.search(text):
            markup = [match.span() for match in _MARKUP.finditer(text)]
            spans = _outside(spans, markup)
            folded_text = _MARKUP.sub(" ", folded_text)
        self.starts = [start for start, _ in spans]
        self.ends = [end for _, end in spans]
        # Folding the whole line once is fast; where it does not fall into the same words (a ligature with
        # a space, a stray mark between words) each word is folded by itself.
        folded = _FOLDED_WORD.findall(folded_text)
        if len(folded) != len(spans):
            folded = [text[start:end].translate(_FOLD) for start, end in spans]
        self.folded: list[str] = folded

    def __len__(self) -> int:
        return len(self.folded)

    def __iter__(self) -> Iterator[str]:
        return iter(self.folded)

    def span(self, first: int, after: int) -> Span:
        """The span of words ``first`` to ``after - 1``."""
        return Span(self.starts[first], self.ends[after - 1])

    def surface(self, first: int, after: int) -> str:
        """The author's letters of words ``first`` to ``after - 1``."""
        return self.text[self.starts[first] : self.ends[after - 1]]

    def gap(self, i: int) -> str:
        """What stands before word ``i``; ``gap(len(words))`` is what stands after the last word."""
        before = self.ends[i - 1] if i > 0 else 0
        after = self.starts[i] if i < len(self.starts) else len(self.text)
        return self.text[before:after]

    def inside(self, i: int, letters: int) -> int:
        """The offset in the text after ``letters`` folded letters of word ``i``, with the marks they carry.

        >>> words = Words("وَوَكِيعٌ")
        >>> words.text[words.inside(0, 1):]
        'وَكِيعٌ'
        """
        position, end, seen = self.starts[i], self.ends[i], 0
        while position < end:
            width = len(self.text[position].translate(_FOLD))
            if width and seen >= letters:
                break
            seen += width
            position += 1
        return position

    def at(self, offset: int) -> int:
        """The index of the first word that ends after ``offset`` (``len(words)`` where there is none)."""
        from bisect import bisect_right

        return bisect_right(self.ends, offset)

    @cached_property
    def joined(self) -> str:
        """The folded words with one space between them, for searching phrases."""
        return " ".join(self.folded)


def _outside(spans: list[tuple[int, int]], holes: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The spans that touch none of the holes; both in order."""
    kept, hole = [], iter([*holes, (1 << 60, 1 << 60)])
    first, last = next(hole)
    for start, end in spans:
        while last <= start:
            first, last = next(hole)
        if end <= first:
            kept.append((start, end))
    return kept
