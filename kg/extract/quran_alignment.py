"""Words of a text laid beside words of the Quran: exact runs first, then a little way over what differs.

A run is three words that stand together in the Quran; from it the match grows to both sides over spellings, a dropped or added
wa-/fa-, an attached preposition, a reading of the verb's prefix, a slip of a letter, a skipped or added word. Every step over a difference must
be followed by words that agree again, so that nothing is taken that only looks alike.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kg.extract.quran_index import QuranIndex
from kg.extract.quran_reading import Reading
from kg.extract.quran_spelling import CONJUNCTION, PREPOSITION, READING, SLIP, SPELLING, variant

__all__ = ["Match", "grow", "runs"]

_STEPS = ((1, 1), (0, 1), (1, 0), (0, 2), (2, 2), (1, 2), (0, 3))
_STEP_COST = {(1, 1): 1.0, (0, 1): 0.8, (1, 0): 0.8, (0, 2): 1.3, (2, 2): 2.0, (1, 2): 1.8, (0, 3): 1.8}
_MANY = 60
"""Places beyond which a phrase is too common to be grown at each of them."""


@dataclass(slots=True)
class Match:
    """Words ``first`` to ``after - 1`` of a text as words ``start`` to ``stop - 1`` of the Quran (places in the index).

    ``cost`` is what differs, in words; ``same`` the number of words that are the same; ``odd`` the letter that the
    first word of the text carries before the Quran's word (بقل for قل), or nothing."""

    first: int
    after: int
    start: int
    stop: int
    cost: float = 0.0
    same: int = 0
    odd: str = ""

    @property
    def exact(self) -> bool:
        """Whether the words are the Quran's, however they are spelt; a preposition before the first is the author's."""
        return self.cost - (PREPOSITION if self.odd in ("ب", "ك", "ل") else 0.0) < CONJUNCTION

    @property
    def credit(self) -> float:
        """The words that agree, less what differs."""
        return self.same - self.cost


def runs(
    ids: Sequence[int], keys: Sequence[int], first: int, after: int, index: QuranIndex
) -> Iterator[tuple[int, int, list[int]]]:
    """The longest exact runs among words ``first`` to ``after - 1``, every three of which stand together in the Quran:
    first word, word after, places."""
    words = index.words
    size = len(words)
    at = first
    reached = first
    while at + 3 <= after:
        places = list(index.places_of_triple(keys[at]))
        end = at + 3
        while end < after:
            length = end - at
            wanted = ids[end]
            longer = [place for place in places if place + length < size and words[place + length] == wanted]
            if not longer:
                break
            places, end = longer, end + 1
        if end > reached:
            length = end - at
            places = [p for p in places if p + length <= index.sura_end[p]]
            if places:
                yield at, end, places
                reached = end
        at = max(at + 1, end - 4) if end < after else after


class _Comparison:
    """The text's words and the Quran's, with the costs of reading one as the other."""

    __slots__ = ("ids", "index", "reading", "tokens")

    def __init__(self, reading: Reading, index: QuranIndex) -> None:
        self.reading, self.tokens, self.ids, self.index = reading, reading.tokens, reading.ids, index

    def cost(self, word: int, place: int) -> float | None:
        index = self.index
        number = index.words[place]
        token = self.tokens[word]
        quran = index.vocabulary[number]
        if token == quran:
            return 0.0
        if token in index.readings.get(place, ()):
            return READING
        if (quran, token) in index.attested:
            return 0.0
        cost = variant(token, quran)
        if cost == SPELLING and token in index.listed:
            return SLIP  # another word of the Quran: قال is not a spelling of قل
        return cost

    def agrees(self, word: int, place: int, count: int, low: int, high: int, start: int, stop: int) -> bool:
        """Whether ``count`` words from ``word`` on are those from ``place`` on, all within their bounds."""
        if word < low or place < start or word + count > high or place + count > stop:
            return False
        ids, words = self.ids, self.index.words
        return all(ids[word + k] == words[place + k] and ids[word + k] for k in range(count))


def grow(reading: Reading, first: int, after: int, place: int, index: QuranIndex, low: int, high: int) -> Match:
    """A run grown to both sides within words ``low`` to ``high - 1`` of the text and within its sura."""
    compare = _Comparison(reading, index)
    tokens, ids = reading.tokens, reading.ids
    start, stop = index.sura_start[place], index.sura_end[place]
    length = after - first
    match = Match(first, after, place, place + length, 0.0, length)
    for word in range(first, after):
        if tokens[word] != index.vocabulary[ids[word]]:
            match.cost += compare.cost(word, place + word - first) or 0.0
    _rightwards(compare, match, high, stop)
    _leftwards(compare, match, low, start)
    return match


def _allowed(match: Match) -> float:
    return 1.0 + match.same / 4


def _rightwards(compare: _Comparison, match: Match, high: int, stop: int) -> None:
    ids, words = compare.ids, compare.index.words
    while match.after < high and match.stop < stop:
        word, place = match.after, match.stop
        if ids[word] == words[place]:
            match.cost += (
                0.0 if compare.tokens[word] == compare.index.vocabulary[ids[word]] else (compare.cost(word, place) or 0.0)
            )
            match.after, match.stop, match.same = word + 1, place + 1, match.same + 1
            continue
        cost = compare.cost(word, place)
        if cost and cost > SPELLING and compare.reading.quoted(word):
            return  # what differs is not within the quotation marks
        follows = compare.agrees(word + 1, place + 1, 1, word, high, place, stop)
        if (
            cost is not None
            and (cost <= SPELLING or follows or (cost < SLIP and _ends(compare, word + 1, high)))
            and match.cost + cost <= _allowed(match)
        ):
            match.after, match.stop, match.same, match.cost = word + 1, place + 1, match.same + 1, match.cost + cost
            continue
        joined = _joined(compare, word, place, high, stop)
        if joined:
            match.after, match.stop, match.same = word + joined[0], place + joined[1], match.same + max(joined)
            continue
        for step in () if compare.reading.quoted(word) or compare.reading.quoted(word + 1) else _STEPS:
            cost = _STEP_COST[step]
            if match.cost + cost <= _allowed(match) and compare.agrees(
                word + step[0], place + step[1], 2 if max(step) == 1 else 3, word, high, place, stop
            ):
                match.after, match.stop, match.cost = word + step[0], place + step[1], match.cost + cost
                break
        else:
            return


def _ends(compare: _Comparison, token: int, high: int) -> bool:
    return token >= high or compare.reading.closed(token)


def _leftwards(compare: _Comparison, match: Match, low: int, start: int) -> None:
    ids, words = compare.ids, compare.index.words
    while match.first > low and match.start > start:
        word, place = match.first - 1, match.start - 1
        if ids[word] == words[place]:
            match.cost += (
                0.0 if compare.tokens[word] == compare.index.vocabulary[ids[word]] else (compare.cost(word, place) or 0.0)
            )
            match.first, match.start, match.same = word, place, match.same + 1
            continue
        cost = compare.cost(word, place)
        if cost and cost > SPELLING and compare.reading.quoted(word + 1):
            return
        follows = compare.agrees(word - 1, place - 1, 1, low, word, start, place)
        if cost is not None and (cost < 0.5 or follows) and match.cost + cost <= _allowed(match):
            quran = compare.index.vocabulary[words[place]]
            added = len(compare.tokens[word]) > len(quran) and compare.tokens[word][1:] == quran
            match.first, match.start, match.same, match.cost = word, place, match.same + 1, match.cost + cost
            if added and not follows:
                match.odd = compare.tokens[word][0]
                return
            continue
        joined = _joined(compare, word - 1, place, match.first, match.start) or _joined(
            compare, word, place - 1, match.first, match.start
        )
        if joined and word + 1 - joined[0] >= low and place + 1 - joined[1] >= start:
            match.first, match.start, match.same = word + 1 - joined[0], place + 1 - joined[1], match.same + max(joined)
            continue
        for step in () if compare.reading.quoted(word) or compare.reading.quoted(word + 1) else _STEPS:
            cost = _STEP_COST[step]
            count = 2 if max(step) == 1 else 3
            if match.cost + cost <= _allowed(match) and compare.agrees(
                word + 1 - step[0] - count, place + 1 - step[1] - count, count, low, word + 1, start, place + 1
            ):
                match.first, match.start, match.cost = word + 1 - step[0], place + 1 - step[1], match.cost + cost
                break
        else:
            return


def _joined(compare: _Comparison, word: int, place: int, high: int, stop: int) -> tuple[int, int] | None:
    """How many words of each, where two words of one are written as one word of the other (ان لا for الا)."""
    tokens, vocabulary, words = compare.tokens, compare.index.vocabulary, compare.index.words
    if word < 0 or place < 0:
        return None
    if word + 2 <= high and place < stop:
        both, quran = tokens[word] + tokens[word + 1], vocabulary[words[place]]
        if both == quran or _JOINED.get((tokens[word], tokens[word + 1])) == quran:
            return 2, 1
    if place + 2 <= stop and word < high:
        one, two = vocabulary[words[place]], vocabulary[words[place + 1]]
        if one + two == tokens[word] or _JOINED.get((one, two)) == tokens[word]:
            return 1, 2
    return None


_JOINED = {
    ("ان", "لا"): "الا", ("من", "ما"): "مما", ("عن", "ما"): "عما", ("من", "من"): "ممن", ("ان", "ما"): "اما", ("ان", "لم"): "الم", ("عن", "من"): "عمن",
}  # fmt: skip
"""Particles that the two spellings part or join with a letter lost; others (فيما, كلما, أينما) are simply written together."""
