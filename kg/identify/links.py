"""How likely each pupil of a link is to have heard each teacher: as counted and by dates, as kin words say, as parallel chains say."""

from collections.abc import Mapping

from kg.identify.chains import Chain
from kg.identify.kinship import PARENTS
from kg.identify.lattice import Lattice
from kg.identify.weights import Weights

__all__ = ["Links"]

_FROM_NO_FATHER = 0.01
"""What is left of the weight of a Companion of the first years where the chain goes on with his father: أبو بكر عن أبيه."""
_NAMED_TWICE = 0.005
"""How likely a name that follows itself in a chain is the same man named again: more than a namesake not known to hear him."""


class Links:
    """The weights of links between candidates. ``factors`` are what the parallel chains of the report in hand say of pairs of persons."""

    def __init__(self, lattice: Lattice, weights: Weights) -> None:
        self.lattice, self.weights = lattice, weights
        self.factors: Mapping[tuple[int, int], float] = {}
        self._matrices: dict[tuple[int, int, bool], list[list[float]]] = {}

    def forget(self) -> None:
        """Forgets the weights that were made, which the counts have outrun."""
        self._matrices.clear()

    def of(self, chain: Chain, lists: list[int], i: int, t: int) -> list[list[float]]:
        """The weights of a link: as known, times what parallel chains of the report say."""
        matrix, factors = self._link(chain, lists, i, t), self.factors
        if not factors:
            return matrix
        students, teachers = self.lattice.lists[lists[i]][0], self.lattice.lists[lists[t]][0]
        return [
            [weight * factors.get((s, teacher), 1.0) for teacher, weight in zip(teachers, row, strict=True)]
            for s, row in zip(students, matrix, strict=True)
        ]

    def _link(self, chain: Chain, lists: list[int], i: int, t: int) -> list[list[float]]:
        node = chain.nodes[t]
        bare = node.form >= 0 and node.kin is None and self.lattice.corpus.names[node.form].bare
        matrix = self._matrix(lists[i], lists[t], bare=bare)
        if node.form >= 0 and node.form == chain.nodes[i].form and node.kin is None:
            return self._repeated(lists[i], lists[t], matrix)
        if node.kin is None or node.form >= 0 or node.kin_of != i:
            return matrix
        rows = []
        teachers = self.lattice.lists[lists[t]][0]
        written = dict(self.lattice.written(chain, node))
        for person, row in zip(self.lattice.lists[lists[i]][0], matrix, strict=True):
            relatives = dict(self.lattice.relatives(person, node.kin))
            if written and max(relatives.values(), default=0.0) < 1.0:
                relatives = written
            sure = max(relatives.values(), default=0.0) >= 0.5
            stranger = self.lattice.stranger(person, node.kin)
            lean = _FROM_NO_FATHER if node.kin in PARENTS and self.weights.early(person) else 1.0
            rows.append(
                [
                    lean * (weight + 1e-3) * relatives[r]
                    if r in relatives
                    else lean * ((2e-5 if sure else 4e-4) if r == stranger else 1e-3 * weight)
                    for r, weight in zip(teachers, row, strict=True)
                ]
            )
        return rows

    def _repeated(self, student: int, teacher: int, matrix: list[list[float]]) -> list[list[float]]:
        """A name that follows itself (عن ابن جريج قال ابن جريج) may be one man who is named again."""
        columns = self.lattice.lists[teacher][0]
        return [
            [max(weight, _NAMED_TWICE) if s == t else weight for t, weight in zip(columns, row, strict=True)]
            for s, row in zip(self.lattice.lists[student][0], matrix, strict=True)
        ]

    def _matrix(self, students: int, teachers: int, *, bare: bool = False) -> list[list[float]]:
        key = (students, teachers, bare)
        matrix = self._matrices.get(key)
        if matrix is None:
            columns = self.lattice.lists[teachers][0]
            if bare:
                matrix = [
                    [weight * left for weight, left in zip(row, self.weights.by_dates(s, columns), strict=True)]
                    for s, row in zip(self.lattice.lists[students][0], self._matrix(students, teachers), strict=True)
                ]
            else:
                frequency = [self.weights.frequency(t) for t in columns]
                matrix = [self.weights.row(s, columns, frequency) for s in self.lattice.lists[students][0]]
            self._matrices[key] = matrix
        return matrix
