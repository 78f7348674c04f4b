"""Which reports are worth comparing: those that share a pair of neighbouring words, or a rare word.

An inverted index of shingles and rare words, asked and filled in one pass: a report meets those before it. What stands in one report
only is sifted out first by a table of small counters, so that memory is spent on what ties reports together; what stands in very many
is passed over. The work a report is bounded, so the whole grows in proportion to the number of reports.
"""

import heapq
import math
from array import array
from collections.abc import Iterator, Sequence

from kg.identify.shingles import Stems

__all__ = ["Neighbours"]

_SIEVE = (1 << 26) - 5  # a prime number of counters of one byte
_COMMON = 400  # reports: a shingle in more is no sign of one report
_NEAREST = 64  # reports compared with each
_RARE = 8.0  # bits: a word in fewer than one of 256 reports ties two together by itself
_SHORT = 8.0  # bits: no report counts as shorter when the nearest are sought


class Neighbours:
    """The neighbours of each report among those before it.

    >>> stems = Stems.load()
    >>> texts = ["خربت خيبر انا اذا نزلنا بساحه قوم", "جثا علي ركبتيه", "نزلنا بساحه قوم فساء صباح المنذرين"]
    >>> reports = [stems.read(text.split()) for text in texts]
    >>> [(number, found) for number, found in Neighbours(stems).of(reports)]
    [(0, []), (1, []), (2, [0])]
    """

    def __init__(self, stems: Stems) -> None:
        self.stems = stems

    def of(self, reports: Sequence[Sequence[int]]) -> Iterator[tuple[int, list[int]]]:
        """The number of each report and its neighbours, the nearest first: by the weight they share, halfway between that
        itself, which long reports have most of, and its share of the shorter report."""
        weights = self.stems.vocabulary.weights
        sizes = [max(_SHORT, sum([weights[stem] for stem in report])) for report in reports]
        seen = bytearray(_SIEVE)
        for report in reports:
            for tie, _ in self._ties(report):
                place = tie % _SIEVE
                if seen[place] < 2:
                    seen[place] += 1
        index: dict[int, array[int]] = {}
        for number, report in enumerate(reports):
            met: dict[int, float] = {}
            for tie, weight in self._ties(report):
                if seen[tie % _SIEVE] < 2:
                    continue
                others = index.get(tie)
                if others is None:
                    index[tie] = array("I", (number,))
                    continue
                if len(others) <= _COMMON:
                    for other in others:
                        met[other] = met.get(other, 0.0) + weight
                    others.append(number)
            size = sizes[number]
            near = [(weight / math.sqrt(min(size, sizes[other])), -other) for other, weight in met.items()]
            yield number, [-other for _, other in heapq.nlargest(_NEAREST, near)]

    def _ties(self, report: Sequence[int]) -> Iterator[tuple[int, float]]:
        """What may tie a report to another, each with its weight: pairs of words, and rare words as numbers below 0."""
        weights = self.stems.vocabulary.weights
        for pair in self.stems.shingles(report):
            yield pair, weights[pair >> 24] + weights[pair & 0xFFFFFF]
        for stem in set(report):
            if weights[stem] >= _RARE:
                yield ~stem, weights[stem]
