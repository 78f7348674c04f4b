"""How alike two reports are: the words they share, in which order, and the chains they come by.

The evidence of a pair is ten numbers between 0 and about 1; the odds that the two tell the same report are their weighted
sum (``tables/parallel_weights.tsv``, fitted on the development part of the gold by ``bench/parallels.py fit``).
``kg.identify.company`` then asks what the nearest tellings of either say.
"""

import math
from collections.abc import Sequence, Set
from dataclasses import dataclass, field
from pathlib import Path

from rapidfuzz.distance import LCSseq

from kg.identify.shingles import TABLES
from kg.tables import TableError, read_tsv

__all__ = ["COMPANY", "EVIDENCE", "Likeness", "Report", "evidence", "in_order", "same_companion", "shared_weight"]

EVIDENCE = (
    "constant",
    "shorter_covered",
    "longer_covered",
    "shorter_in_order",
    "longer_in_order",
    "same_companion",
    "other_companion",
    "shared_narrators",
    "shared_weight",
    "shorter_weight",
    "longer_weight",
)
"""What speaks for or against one report, in the order of the numbers."""

COMPANY = ("company_constant", "company_odds", "company_lower", "company_higher")
"""What is weighed in the second step (``kg.identify.company``): the odds of the pair itself, and those of the nearest tellings of
the one with the other, the lower and the higher of the two means."""


@dataclass(frozen=True, slots=True)
class Report:
    """What is kept of a passage while the rest is read: numbered stems of content in order, and who tells it.

    ``companions`` are the far ends of its chains: a person's key, or the words of a name not resolved; ``narrators`` everyone in them
    by number; ``weight`` is the sum of the weights of the different stems.
    """

    stems: Sequence[int]
    weight: float
    companions: tuple[tuple[str, ...], ...] = ()
    narrators: frozenset[int] = frozenset()
    words: Set[int] = field(default=frozenset())


def same_companion(ones: Sequence[tuple[str, ...]], others: Sequence[tuple[str, ...]]) -> bool | None:
    """Whether two reports go back to one Companion: None where a chain is missing, or a name is resolved on one side only.

    Of two names not resolved one may be the beginning of the other.

    >>> same_companion([("جابر",)], [("جابر", "بن", "سمره")]), same_companion([("انس",)], [("person/anas-b-malik",)])
    (True, None)
    """
    compared = False
    for one in ones:
        for other in others:
            if one[: len(other)] == other[: len(one)]:
                return True
            compared = compared or (_resolved(one) == _resolved(other))
    return False if compared else None


def _resolved(name: tuple[str, ...]) -> bool:
    return name[0].startswith("person/")


def shared_weight(one: Report, other: Report, weights: Sequence[float]) -> float:
    """The weight of the words that two reports share, in bits."""
    return sum([weights[stem] for stem in one.words & other.words])


def evidence(one: Report, other: Report, weights: Sequence[float], shared: float | None = None) -> tuple[float, ...]:
    """The evidence of a pair, as ``EVIDENCE`` names it.

    ``covered``: the share of the weight of the words of one report that the other has too; ``in_order``: the share of its words that
    stand in the same order in both; ``shared_weight``: bits of shared words, 1 at 128 bits, slowly growing; ``shorter_weight`` and
    ``longer_weight``: bits of all words of either, in the same way.
    ``shared`` is that weight where it is known already.

    >>> one = Report((1, 2, 3), 9.0, (("جابر",),), frozenset({7, 8}), frozenset({1, 2, 3}))
    >>> other = Report((1, 2), 6.0, (("جابر", "بن", "عبد", "الله"),), frozenset({7, 9}), frozenset({1, 2}))
    >>> evidence(one, other, [0, 3, 3, 3])[1:6]
    (1.0, 0.6666666666666666, 1.0, 0.6666666666666666, 1.0)
    """
    if shared is None:
        shared = shared_weight(one, other, weights)
    less, more = (one, other) if one.weight <= other.weight else (other, one)
    common = LCSseq.similarity(one.stems, other.stems)
    fewer, further = sorted((len(one.stems), len(other.stems)))
    same = same_companion(one.companions, other.companions)
    met = len(one.narrators & other.narrators)
    return (
        1.0,
        shared / less.weight if less.weight else 0.0,
        shared / more.weight if more.weight else 0.0,
        common / fewer if fewer else 0.0,
        common / further if further else 0.0,
        1.0 if same else 0.0,
        1.0 if same is False else 0.0,
        min(met, 3) / 3,
        _slowly(shared),
        _slowly(less.weight),
        _slowly(more.weight),
    )


def _slowly(bits: float) -> float:
    return math.log2(1.0 + bits) / 7.0


def in_order(one: Report, other: Report) -> float:
    """The share of the words of content of two reports that stand in both in the same order, from 0 to 1.

    >>> in_order(Report((1, 2, 3), 9.0), Report((1, 3, 4), 9.0))
    0.667
    """
    words = len(one.stems) + len(other.stems)
    return round(2 * LCSseq.similarity(one.stems, other.stems) / words, 3) if words else 0.0


class Likeness:
    """The odds that two reports are one, and the grade of a pair.

    >>> likeness = Likeness.load()
    >>> one = Report((1, 2, 3, 4), 36.0, (("person/anas-b-malik",),), frozenset({7, 8}), frozenset({1, 2, 3, 4}))
    >>> likeness.odds(evidence(one, one, [9.0] * 5)) > 0
    True
    """

    def __init__(self, weights: dict[str, float]) -> None:
        self.weights = tuple(weights[name] for name in EVIDENCE)
        self.company = tuple(weights[name] for name in COMPANY)

    @classmethod
    def load(cls, path: Path = TABLES / "parallel_weights.tsv") -> "Likeness":
        """The weights of the table.

        Raises:
            TableError: a weight is missing or is no number.
        """
        weights: dict[str, float] = {}
        number = 1
        for number, row in read_tsv(path, ("evidence", "weight")):
            try:
                weights[row["evidence"]] = float(row["weight"])
            except ValueError as error:
                raise TableError(path, number, f"{row['weight']!r} is no number") from error
        missing = [name for name in (*EVIDENCE, *COMPANY) if name not in weights]
        if missing:
            raise TableError(path, number, f"the weight of {missing[0]!r} is missing: run bench/parallels.py fit")
        return cls(weights)

    def odds(self, found: Sequence[float]) -> float:
        """The logarithm of the odds that the two tell one report: above 0 more likely than not."""
        return sum([weight * value for weight, value in zip(self.weights, found, strict=True)])
