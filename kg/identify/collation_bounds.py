"""How much is collated at once, on a page, as a file and by the command alike: the work grows with the product of the lengths."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from kg.text import Span

__all__ = ["LONGEST", "MOST", "TOGETHER", "Compared", "compared_words", "within_bounds"]

MOST = 6
"""Tellings in one table."""
LONGEST = 400
"""Words of a telling that are compared: what follows is left out, and said to be."""
TOGETHER = 1200
"""Words of all tellings of a table together."""

_WORD = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class Compared:
    """The stretch of a telling that is compared, and how many words the telling has in all."""

    span: Span
    words: int

    @property
    def cut(self) -> bool:
        """Whether words are left out."""
        return self.words > LONGEST


def compared_words(text: str, span: Span) -> Compared:
    """The first ``LONGEST`` words of a stretch of a text.

    >>> found = compared_words("قال " * 500, Span(0, 2000))
    >>> found.span, found.words, found.cut
    (Span(start=0, end=1599), 500, True)
    """
    words = list(_WORD.finditer(text, span.start, span.end))
    end = words[LONGEST - 1].end() if len(words) > LONGEST else span.end
    return Compared(Span(span.start, end), len(words))


def within_bounds(words: Sequence[int]) -> list[int]:
    """Which of tellings, of which the words are given, fit into one table, by number: two at least, and then as many as there is room for.

    >>> within_bounds([400, 400, 400, 10, 10]), within_bounds([400, 300, 400, 100])
    ([0, 1, 2], [0, 1, 2, 3])
    """
    kept: list[int] = []
    together = 0
    for number, count in enumerate(words):
        count = min(count, LONGEST)
        if len(kept) < MOST and (len(kept) < 2 or together + count <= TOGETHER):
            kept.append(number)
            together += count
    return kept
