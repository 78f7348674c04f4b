"""The bundle of a report: the union of its chains, from the source they go back to down to the collectors.

A node is a person, or a mention nobody has identified, which is a node of its own; the near end of a chain is its collector
(``collector/bukhari``). Edges run from teacher to student and know the passages that have them.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

__all__ = ["Bundle", "Strand", "collector"]


@dataclass(frozen=True, slots=True)
class Strand:
    """One chain of one passage: ``path`` from the narrator nearest the collector to the source."""

    passage: str
    collection: str
    path: tuple[str, ...]


def collector(collection: str) -> str:
    """The node of the one who collected.

    >>> collector("bukhari")
    'collector/bukhari'
    """
    return f"collector/{collection}"


class Bundle:
    """Strands and the graph they make.

    >>> bundle = Bundle([Strand("a:1", "a", ("hisham", "sadaqa", "busr")), Strand("b:1", "b", ("muhammad", "sadaqa", "busr"))])
    >>> sorted(bundle.students("sadaqa")), sorted(bundle.passages("sadaqa")), bundle.sources
    (['hisham', 'muhammad'], ['a:1', 'b:1'], ('busr',))
    """

    def __init__(self, strands: Iterable[Strand]) -> None:
        self.strands = tuple(dict.fromkeys(strand for strand in strands if strand.path))

    @cached_property
    def edges(self) -> dict[tuple[str, str], frozenset[str]]:
        """Teacher and student, and the passages in which the one transmits to the other."""
        found: dict[tuple[str, str], set[str]] = {}
        for strand in self.strands:
            line = (collector(strand.collection), *strand.path)
            for student, teacher in pairwise(line):
                found.setdefault((teacher, student), set()).add(strand.passage)
        return {edge: frozenset(passages) for edge, passages in found.items()}

    @cached_property
    def _students(self) -> dict[str, dict[str, frozenset[str]]]:
        found: dict[str, dict[str, frozenset[str]]] = {}
        for (teacher, student), passages in self.edges.items():
            found.setdefault(teacher, {})[student] = passages
        return found

    @cached_property
    def _passages(self) -> dict[str, set[str]]:
        found: dict[str, set[str]] = {}
        for strand in self.strands:
            for node in strand.path:
                found.setdefault(node, set()).add(strand.passage)
        return found

    def students(self, node: str) -> dict[str, frozenset[str]]:
        """The students of a node, each with the passages by which the report came to him."""
        return self._students.get(node, {})

    def passages(self, node: str) -> set[str]:
        """The passages whose chains run through a node."""
        return self._passages.get(node, set())

    def forks(self, node: str) -> bool:
        """Whether the report spreads from a node: two students and more, by more than one passage.

        Teachers joined in one passage (عن فلان وفلان) are one strand that divides and meets again, not a spreading.
        """
        students = self.students(node)
        return len(students) > 1 and len(frozenset().union(*students.values())) > 1

    @property
    def nodes(self) -> tuple[str, ...]:
        """All narrators, in the order in which the chains name them."""
        return tuple(self._passages)

    @cached_property
    def sources(self) -> tuple[str, ...]:
        """The far ends of the chains: the Companions, where the chains reach them."""
        return tuple(dict.fromkeys(strand.path[-1] for strand in self.strands))

    def of(self, source: str) -> "Bundle":
        """The part of the bundle that goes back to one source."""
        return Bundle(strand for strand in self.strands if strand.path[-1] == source)
