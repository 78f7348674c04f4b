"""Who transmitted from whom, how often, and where: counts over distinct reports.

A report told in twenty places says once that its teacher taught its student: all passages of a parallel group count as one report,
whatever their wording; a passage that has no parallel is a report of its own. How many passages there are is counted beside it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from kg.identify.tellings import Telling

__all__ = ["Transmission", "transmissions"]


@dataclass(frozen=True, slots=True)
class Transmission:
    """A teacher and a student met in chains. ``reports``: distinct reports; ``passages``: passages; ``first`` and ``last``: the nearest to and
    furthest from the collector that the student stands in a chain, from 1; ``first_passage`` and ``last_passage``: where the
    sources first and last have the two; ``collections``: the passages by collection, in the order of the sources."""

    teacher: str
    student: str
    reports: int
    passages: int
    first: int
    last: int
    first_passage: str
    last_passage: str
    collections: tuple[tuple[str, int], ...]


class _Count:
    __slots__ = ("collections", "first", "first_passage", "last", "last_passage", "passages", "reports")

    def __init__(self, passage: str) -> None:
        self.reports: set[str] = set()
        self.passages = 0
        self.first, self.last = 1 << 30, 0
        self.first_passage = self.last_passage = passage
        self.collections: dict[str, int] = {}


def transmissions(tellings: Sequence[Telling], nodes: Sequence[str], group_of: Mapping[str, str]) -> list[Transmission]:
    """All pairs of identified persons, in the order in which the sources first have them; ``group_of`` gives the key of a passage's group.

    >>> from kg.identify.likeness import Report
    >>> report = Report((), 0.0)
    >>> told = [Telling("a:1", "a", report, ((0, 1),)), Telling("a:2", "a", report, ((0, 1),)), Telling("b:1", "b", report, ((2, 0, 1),))]
    >>> found = transmissions(told, ["person/malik", "person/nafi", "person/qutayba"], {"a:1": "parallel/x", "b:1": "parallel/x"})
    >>> (found[0].teacher, found[0].student, found[0].reports, found[0].passages, found[0].first, found[0].last)
    ('person/nafi', 'person/malik', 2, 3, 1, 2)
    """
    counts: dict[tuple[int, int], _Count] = {}
    known = [not node.startswith("mention/") for node in nodes]
    for telling in tellings:
        places: dict[tuple[int, int], list[int]] = {}
        for path in telling.paths:
            for place, (student, teacher) in enumerate(pairwise(path), 1):
                if student != teacher and known[student] and known[teacher]:
                    places.setdefault((teacher, student), []).append(place)
        for pair, at in places.items():
            count = counts.get(pair)
            if count is None:
                count = counts[pair] = _Count(telling.passage)
            count.reports.add(group_of.get(telling.passage, telling.passage))
            count.passages += 1
            count.first, count.last = min(count.first, *at), max(count.last, *at)
            count.last_passage = telling.passage
            count.collections[telling.collection] = count.collections.get(telling.collection, 0) + 1
    return [
        Transmission(
            nodes[teacher],
            nodes[student],
            len(count.reports),
            count.passages,
            count.first,
            count.last,
            count.first_passage,
            count.last_passage,
            tuple(count.collections.items()),
        )
        for (teacher, student), count in counts.items()
    ]
