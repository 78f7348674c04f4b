"""The pairs of reports that were compared: how likely each is one report by its own evidence, and what grade it may have."""

from collections.abc import Iterator, Sequence

from kg.identify.likeness import Likeness, Report, evidence, shared_weight

__all__ = ["SAME_REPORT", "SAME_WORDING", "SHARED_PART", "Compared"]

SAME_WORDING, SAME_REPORT, SHARED_PART = "same-wording", "same-report", "shared-part"

_LEAST = 0.28  # of the weight of the shorter report must be shared, or the pair is not looked at: long reports share a seventh by chance
_KEPT = -3.0  # log odds: no company makes one report of less
_UNLIKE = -5.0  # log odds of two that share too little to be looked at
_WORDING = (0.8, 0.75)  # of the longer report: covered, and in the same order
_PART = (0.65, 0.65, 0.55)  # of the shorter report: covered, in the same order; and the shared weight as evidence counts it


class Compared:
    """Compares reports by number and keeps what may be one report or share a part.

    >>> likeness = Likeness.load()
    >>> reports = [Report((1, 2, 3, 4), 36.0, (), frozenset(), frozenset({1, 2, 3, 4}))] * 2
    >>> pairs = Compared(reports, [9.0] * 5, likeness)
    >>> pairs.compare(0, 1)
    >>> [(one, other, odds > 0, pairs.grade(one, other, odds)) for odds, one, other in pairs]
    [(0, 1, True, 'same-wording')]
    """

    def __init__(self, reports: Sequence[Report], weights: Sequence[float], likeness: Likeness) -> None:
        self._reports, self._weights, self._likeness = reports, weights, likeness
        self._odds: dict[int, float] = {}
        self._marks: dict[int, str] = {}

    def compare(self, one: int, other: int) -> None:
        """Weighs the evidence of a pair; ``one`` is the lower number."""
        seen = self._seen(one, other)
        if seen is None:
            return
        worth = self._likeness.odds(seen)
        mark = _mark(seen)
        if worth >= _KEPT or mark == SHARED_PART:
            key = one << 32 | other
            self._odds[key] = worth
            if mark is not None:
                self._marks[key] = mark

    def odds(self, one: int, other: int) -> float:
        """The logarithm of the odds that any two reports are one, by their own evidence."""
        known = self._odds.get(one << 32 | other if one < other else other << 32 | one)
        if known is not None:
            return known
        seen = self._seen(one, other)
        return _UNLIKE if seen is None else self._likeness.odds(seen)

    def grade(self, one: int, other: int, worth: float) -> str | None:
        """The grade of a pair that was compared, with the odds weighed in the end; None where the two have nothing in common."""
        mark = self._marks.get(one << 32 | other)
        if worth >= 0.0:
            return SAME_WORDING if mark == SAME_WORDING else SAME_REPORT
        return SHARED_PART if mark is not None else None

    def __iter__(self) -> Iterator[tuple[float, int, int]]:
        """The odds and numbers of the pairs kept, in the order in which they were compared."""
        for key, worth in self._odds.items():
            yield worth, key >> 32, key & 0xFFFFFFFF

    def _seen(self, one: int, other: int) -> tuple[float, ...] | None:
        first, second = self._reports[one], self._reports[other]
        shared = shared_weight(first, second, self._weights)
        if shared < _LEAST * min(first.weight, second.weight):
            return None
        return evidence(first, second, self._weights, shared)


def _mark(seen: Sequence[float]) -> str | None:
    """Whether the evidence of a pair (as ``kg.identify.likeness.EVIDENCE`` names it) shows the same wording, or a shared part at least."""
    _, shorter, longer, shorter_order, longer_order, _, _, _, shared, _, _ = seen
    if longer >= _WORDING[0] and longer_order >= _WORDING[1]:
        return SAME_WORDING
    if shorter >= _PART[0] and shorter_order >= _PART[1] and shared >= _PART[2]:
        return SHARED_PART
    return None
