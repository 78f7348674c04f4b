"""What the parallel chains of a report say of who stands in one of them: the same pupil of the same teacher.

A bare حماد before whom one chain of the report has حماد بن سلمة, pupil of the same man, is he. Only pairs of persons whom the authority
knows, and of whom their own chain is sure, count; a chain never counts for itself.
"""

from collections.abc import Mapping, Sequence

from kg.identify.alike import Alike
from kg.identify.chains import Corpus

__all__ = ["ParallelChains"]

_SURE = 0.9999
"""The share that both ends of a link must have in their own chain, so that it counts in another: nineteen of twenty such are right. A bare
سفيان of another pupil has less, and both Sufyans may have told the report."""
_EACH = 8.0
"""What one parallel chain adds to the weight of a link that it has, in weights of that link."""
_MOST = 4
"""Parallel chains of one link that count: the rest hang on them."""

Standing = tuple[tuple[int, float], ...]
"""A mention's candidates by place with their probabilities, the likeliest first."""


class ParallelChains:
    """The sure links of the chains of a corpus, asked by passage. ``posteriors`` are taken as they are when this is made; places from
    ``known`` on are persons whom the authority does not know."""

    def __init__(self, corpus: Corpus, posteriors: Sequence[Sequence[Standing]], known: int, parallels: Alike) -> None:
        self._corpus = corpus
        numbers = dict(corpus.passages)
        self._others = {
            passage: tuple(dict.fromkeys(numbers[other] for other in others if numbers.get(other, own) != own))
            for passage, others in parallels.items()
            if (own := numbers.get(passage)) is not None
        }
        self._links = [self._sure(number, posteriors[number], known) for number in range(len(corpus.chains))]
        self._persons = [
            frozenset(standing[0][0] for standing in chain if standing and standing[0][1] >= _SURE) for chain in posteriors
        ]

    def _sure(self, number: int, posteriors: Sequence[Standing], known: int) -> frozenset[tuple[int, int]]:
        sure = [standing[0][0] if standing and standing[0][1] >= _SURE else known for standing in posteriors]
        return frozenset(
            (sure[i], sure[t])
            for i, node in enumerate(self._corpus.chains[number].nodes)
            for t in node.teachers
            if t < len(sure) and sure[i] < known and sure[t] < known
        )

    def factors(self, passage: str) -> Mapping[tuple[int, int], float]:
        """How many times likelier each link of pupil and teacher is in a passage for standing in parallel chains."""
        counts: dict[tuple[int, int], int] = {}
        for chain in self._others.get(passage, ()):
            for link in self._links[chain]:
                counts[link] = counts.get(link, 0) + 1
        return {link: 1.0 + _EACH * min(_MOST, count) for link, count in counts.items()}

    def count(self, passage: str, person: int) -> int:
        """How many parallel chains of a passage surely have a person."""
        return sum(1 for chain in self._others.get(passage, ()) if person in self._persons[chain])
