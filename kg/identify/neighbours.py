"""Which reports are worth comparing: those that share a rare pair of neighbouring words.

An inverted index of shingles, asked and filled in one pass: a report meets those before it. Shingles that stand in one report only
are sifted out first by a table of small counters, so that memory is spent on what ties reports together; shingles in very many
are passed over. The work a report is bounded, so the whole grows in proportion to the number of reports.
"""

from array import array
from collections.abc import Iterator, Sequence
from operator import itemgetter

from kg.identify.shingles import Stems

__all__ = ["Neighbours"]

_SIEVE = (1 << 26) - 5  # a prime number of counters of one byte
_COMMON = 400  # reports: a shingle in more is no sign of one report
_NEAREST = 48  # reports compared with each


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
        """The number of each report and its neighbours, the nearest first."""
        shingles, weights = self.stems.shingles, self.stems.vocabulary.weights
        seen = bytearray(_SIEVE)
        for report in reports:
            for pair in shingles(report):
                place = pair % _SIEVE
                if seen[place] < 2:
                    seen[place] += 1
        index: dict[int, array[int]] = {}
        for number, report in enumerate(reports):
            met: dict[int, float] = {}
            for pair in shingles(report):
                if seen[pair % _SIEVE] < 2:
                    continue
                others = index.get(pair)
                if others is None:
                    index[pair] = array("I", (number,))
                    continue
                if len(others) <= _COMMON:
                    weight = weights[pair >> 24] + weights[pair & 0xFFFFFF]
                    for other in others:
                        met[other] = met.get(other, 0.0) + weight
                    others.append(number)
            nearest = sorted(met.items(), key=itemgetter(1), reverse=True)[:_NEAREST]
            yield number, [other for other, _ in nearest]
