"""Where words of the Quran stand in a text: stretches of three words and more anywhere, of one or two only after a formula or within marks."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kg.extract.quran_alignment import Match, grow, runs
from kg.extract.quran_index import QuranIndex
from kg.extract.quran_introduction import Introduction, Mark
from kg.extract.quran_reading import OPENS, Reading
from kg.extract.quran_spelling import variant
from kg.text import fold

__all__ = ["Found", "long_stretches", "same_words", "short_stretches"]

_RUN = re.compile(b"\x01+")
_MANY = 160
"""Places beyond which a phrase is not grown at each of them."""
_NAMED_AFTER = frozenset(fold("الآية الآيات الآيتين الآيتان").split())
_FEW = 12
"""Places of a pair of words beyond which it is not grown."""
_PLAIN = 28.0
"""Bits below which words that stand in many verses are common words."""
_GROWN = 24
"""Places beyond which a phrase is not grown at each of them."""
_ONE = 3
"""Places of a single word beyond which it is not looked at, but in marks of the Quran."""
_NAME = 5
"""Words among which the colon after the speaker's name is looked for."""
_WORSE = 1.6
"""A place whose words agree in so many fewer is no candidate."""


@dataclass(slots=True)
class Found:
    """A stretch of the text with the places it may be quoted from, best first; ``confidence`` is given by the judgement."""

    matches: list[Match]
    introduction: Introduction | None = None
    mark: Mark | None = None
    confidence: float = 0.0

    @property
    def best(self) -> Match:
        """The place where most words agree."""
        return self.matches[0]


def long_stretches(reading: Reading, index: QuranIndex) -> list[Found]:
    """Stretches with at least three words together as they stand in the Quran, in text order; they may overlap."""
    ids = reading.ids
    keys = [one << 32 | two << 16 | three for one, two, three in zip(ids, ids[1:], ids[2:], strict=False)]
    hits = bytes(map(index.triples.__contains__, keys))
    found: list[Found] = []
    for begins, ends in _hit_stretches(hits, reading):
        for first, after, places in runs(ids, keys, begins, ends, index):
            if found and found[-1].best.first <= first and after <= found[-1].best.after:
                continue
            if len(places) > _FEW and _plain(reading, index, first, after):
                continue
            low, high = _bounds(reading, first, after)
            found.append(Found(_grown(reading, index, first, after, places, low, high)))
    return found


def _hit_stretches(hits: bytes, reading: Reading) -> Iterator[tuple[int, int]]:
    """The stretches every three words of which stand together in the Quran, cut where marks of the Quran open and close."""
    cuts = sorted({cut for mark in reading.marks if mark.quran for cut in (mark.first, mark.after)})
    for hit in _RUN.finditer(hits):
        first, after = hit.start(), hit.end() + 2
        for cut in cuts[bisect_right(cuts, first) : bisect_left(cuts, after)]:
            if cut - first >= 3:
                yield first, cut
            first = cut
        if after - first >= 3:
            yield first, after


def _plain(reading: Reading, index: QuranIndex, first: int, after: int) -> bool:
    """Whether words that stand in many verses are left alone: common words, and nothing says that they are quoted."""
    before = reading.before(first + 1)
    if before is not None and before.strength > 1 and first - before.after <= _NAME:
        return False
    return sum(index.bits[number] for number in reading.ids[first:after]) < _PLAIN and not reading.around(first)


def _bounds(reading: Reading, first: int, after: int) -> tuple[int, int]:
    for mark in reading.around(first):
        if mark.quran and after <= mark.after:
            return mark.first, mark.after
    return 0, len(reading.tokens)


def _grown(
    reading: Reading, index: QuranIndex, first: int, after: int, places: Sequence[int], low: int, high: int
) -> list[Match]:
    """A run at each of its places, grown; best first, without places where clearly fewer words agree."""
    if len(places) > _GROWN:
        return [Match(first, after, place, place + after - first, 0.0, after - first) for place in places]
    grown = [grow(reading, first, after, place, index, low, high) for place in places]
    grown.sort(key=lambda match: (-match.credit, match.cost, match.start))
    best = grown[0]
    return [
        match for match in grown if match.credit > best.credit - _WORSE and match.first < best.after and match.after > best.first
    ]


def short_stretches(reading: Reading, index: QuranIndex, taken: Sequence[Found]) -> Iterator[Found]:
    """One or two words (and what grows from two) right after a formula or the opening of a mark, where no long stretch begins."""
    starts: dict[int, int] = {}
    size = len(reading.tokens)
    for introduction in reading.introductions:
        for start in _openings(reading, introduction):
            starts.setdefault(start, size)
    for mark in reading.marks:
        if mark.quran or mark.first in starts or (mark.first and _introduced_mark(reading, mark)):
            starts[mark.first] = mark.after
    begun = sorted((found.best.first, found.best.after) for found in taken)
    firsts = [first for first, _ in begun]
    for start, high in sorted(starts.items()):
        at = bisect_right(firsts, start)
        if at and begun[at - 1][1] > start:
            continue
        if at < len(begun) and begun[at][0] - start <= 1 and begun[at][0] < high:
            continue
        found = _pair(reading, index, start, high) or _single(reading, index, start, high)
        if found:
            yield found
    if _NAMED_AFTER.isdisjoint(reading.tokens):
        return
    for token in [i for i, word in enumerate(reading.tokens) if word in _NAMED_AFTER]:
        at = bisect_right(firsts, token - 1)
        if token >= 2 and not (at and begun[at - 1][1] > token - 2) and (token - 2) not in starts and (token - 1) not in starts:
            found = _pair(reading, index, token - 2, token)
            if found:
                yield found


def _openings(reading: Reading, introduction: Introduction) -> list[int]:
    """The tokens at which what is introduced may begin: right after the formula, or after a name and a colon (قال قتادة: …)."""
    after, size = introduction.after, len(reading.tokens)
    found = [after] if after < size and introduction.strength > 1 else []
    for token in range(after, min(after + _NAME, size)):
        if OPENS.search(reading.gap(token)):
            return found if token in found else [*found, token]
    return found


def same_words(match: Match, reading: Reading, index: QuranIndex) -> list[Match]:
    """The match at every place where its words stand exactly."""
    ids = list(reading.ids[match.first : match.after])
    length = len(ids)
    places = index.places_of_triple(ids[0] << 32 | ids[1] << 16 | ids[2]) if length > 2 else index.places_of_pair(*ids)
    return [
        Match(match.first, match.after, place, place + length, match.cost, length)
        for place in places
        if list(index.words[place : place + length]) == ids and place + length <= index.sura_end[place]
    ]


def _introduced_mark(reading: Reading, mark: Mark) -> bool:
    before = reading.before(mark.first)
    return before is not None and before.strength > 1 and mark.first - before.after <= 8


def _numbers(reading: Reading, index: QuranIndex, token: int) -> list[tuple[int, str]]:
    """Words of the Quran a first token may be: itself, itself without an attached letter (then odd), with wa- or fa- before it."""
    word, found = reading.tokens[token], []
    if reading.ids[token]:
        found.append((reading.ids[token], ""))
    if len(word) > 2 and word[0] in "وفبلك":
        number = index.spellings[word[1:]]
        if number:
            found.append((number, word[0]))
    for letter in "وف":
        number = index.spellings.listed(letter + word)
        if number:
            found.append((number, ""))
    return found


def _pair(reading: Reading, index: QuranIndex, start: int, high: int) -> Found | None:
    if start + 2 > high:
        return None
    matches: list[Match] = []
    quoted = reading.opened(start) or bool(reading.around(start))
    for number, odd in _numbers(reading, index, start):
        places = index.places_of_pair(number, reading.ids[start + 1])
        if len(places) > _FEW:  # where the third word agrees too; else two words in many verses: nothing to grow
            third = reading.ids[start + 2] if start + 2 < high else 0
            longer = array("I", [p for p in places if p + 2 < index.sura_end[p] and index.words[p + 2] == third])
            if not longer and not quoted:
                continue
            places = longer or places
        for place in places[:_MANY]:
            match = Match(start + 1, start + 2, place + 1, place + 2, 0.0, 1)
            if len(places) <= _FEW:
                match = grow(reading, start + 1, start + 2, place + 1, index, start + 1, high)
            match.first, match.start, match.same, match.odd = start, place, match.same + 1, odd
            if index.vocabulary[number] != reading.tokens[start]:
                match.cost += variant(reading.tokens[start], index.vocabulary[number]) or 0.0
            matches.append(match)
    if not matches and start + 3 <= high:
        for place in index.places_of_pair(reading.ids[start + 1], reading.ids[start + 2])[:_FEW]:
            match = grow(reading, start + 1, start + 3, place, index, start, high)
            if match.first == start:
                matches.append(match)
    if not matches:
        return None
    matches.sort(key=lambda match: (-match.credit, match.cost, match.start))
    best = matches[0]
    return Found([match for match in matches if match.credit > best.credit - 0.9])


def _single(reading: Reading, index: QuranIndex, start: int, high: int) -> Found | None:
    braced = any(mark.quran for mark in reading.around(start))
    for number, odd in _numbers(reading, index, start):
        places = index.singles[number]
        if len(places) <= (_MANY if braced else _ONE):
            cost = variant(reading.tokens[start], index.vocabulary[number]) or 0.0
            return Found([Match(start, start + 1, place, place + 1, cost, 1, odd) for place in places])
    return None
