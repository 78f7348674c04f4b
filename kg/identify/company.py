"""A report is known by the company it keeps: what the nearest tellings of two reports say of whether the two are one.

Two abridgements of a story may share few words, but each shares many with the full tellings of it; two rulings on one subject may
share many, but the tellings of the one are unlike the other. So the odds of a pair are weighed again, together with the mean of
the odds of the nearest tellings of either with the other.
"""

from collections.abc import Callable, Iterable, Sequence

__all__ = ["Company"]

_NEAREST = 8  # tellings of a report that are asked
_NEAR = 1.0  # log odds from which a telling is one of its company
_MOST = 5.0  # log odds: no telling says more than this for or against
_ODDS = 8.0  # log odds of the pair itself, likewise


class Company:
    """The nearest tellings of each report, and the odds weighed with them.

    ``pairs`` are odds and two numbers, ``odds`` gives those of any two, ``weights`` are those of ``kg.identify.likeness.COMPANY``.

    >>> table = {(0, 1): 4.0, (1, 2): 4.0, (0, 2): -1.0, (3, 4): 4.0, (2, 3): -1.0}
    >>> odds = lambda one, other: table.get((min(one, other), max(one, other)), -5.0)
    >>> company = Company(5, ((worth, *pair) for pair, worth in table.items()), odds, (0.0, 0.5, 0.3, 0.3))
    >>> company.odds(0, 2) > 0 > company.odds(2, 3)
    True
    """

    def __init__(
        self,
        count: int,
        pairs: Iterable[tuple[float, int, int]],
        odds: Callable[[int, int], float],
        weights: Sequence[float],
    ) -> None:
        self._odds, self._weights = odds, weights
        near: list[list[tuple[float, int]]] = [[] for _ in range(count)]
        for worth, one, other in pairs:
            if worth >= _NEAR:
                near[one].append((-worth, other))
                near[other].append((-worth, one))
        self._near = [[other for _, other in sorted(found)[: _NEAREST + 1]] for found in near]

    def odds(self, one: int, other: int) -> float:
        """The logarithm of the odds that two reports are one, company considered."""
        return self.weighed(self.seen(one, other))

    def weighed(self, seen: Sequence[float]) -> float:
        """The weighted sum of what was seen."""
        return sum([weight * value for weight, value in zip(self._weights, seen, strict=True)])

    def seen(self, one: int, other: int, alone: float | None = None) -> tuple[float, float, float, float]:
        """What is weighed, as ``kg.identify.likeness.COMPANY`` names it; ``alone`` are the odds of the pair itself where they are known."""
        worth = self._odds(one, other) if alone is None else alone
        lower, higher = sorted((self._mean(one, other), self._mean(other, one)))
        return 1.0, max(-_ODDS, min(_ODDS, worth)), lower, higher

    def _mean(self, one: int, other: int) -> float:
        """The mean odds of the company of the one with the other; 0 where it has none."""
        asked = [self._odds(near, other) for near in self._near[one] if near != other][:_NEAREST]
        return sum([max(-_MOST, min(_MOST, worth)) for worth in asked]) / len(asked) if asked else 0.0
