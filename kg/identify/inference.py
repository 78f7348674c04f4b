"""Who is who over all chains at once: candidates weighed by who is known to hear whom, by generations, by the books.

Each chain is a network of mentions. A mention's candidates come from its name; a pair of candidates is as likely as the one is known
to have heard the other (counted over all chains, the counts improved from round to round), or, where nothing is counted, as
their generations and the books' sigla allow. Messages pass along the chain from both ends (exact where the chain is a tree).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from kg.identify.alike import Alike
from kg.identify.candidates import NameIndex
from kg.identify.chains import Chain, Corpus, Node
from kg.identify.kinship import PARENTS, Kinship
from kg.identify.parallel_chains import ParallelChains
from kg.identify.weights import FIRST, LAST, MIDDLE, Weights
from kg.tables import read_tsv

__all__ = ["Inference", "Posterior"]

Posterior = tuple[tuple[int, float], ...]
"""A mention's candidates by place, the likeliest first, with probabilities."""

_KEPT = 6
_GOOD_FIT = 0.12
_STRANGE = 10.0
"""What an unknown bearer weighs where the name fits nobody well (another nisba, another grandfather)."""
_FROM_NO_FATHER = 0.01
"""What is left of the weight of a Companion of the first years where the chain goes on with his father: أبو بكر عن أبيه."""
_NO_DOUBT = 0.99
"""The share from which parallel chains are not asked."""
_HEARD_OFTEN = 3.0
"""Chains in which a man of the father's name is heard so that he may be the father."""
_BY_HEARING = 0.8
"""How well hearing says who the father is, where the name alone does not."""
_NAMED_TWICE = 0.005
"""How likely a name that follows itself in a chain is the same man named again: more than a namesake not known to hear him."""
_LEAST = 1e-4
_WIDEST = 20


@cache
def _no_names() -> frozenset[str]:
    rows = read_tsv(Path(__file__).parent / "tables" / "no_names.tsv", ("word", "kind", "source"))
    return frozenset(row["word"] for _, row in rows)


@dataclass(slots=True)
class Inference:
    """The state of deciding: counts of pairs and of names, and the posterior of every mention of every distinct chain."""

    corpus: Corpus
    index: NameIndex
    prior: Mapping[tuple[int, int], float] = field(default_factory=dict)
    prior_names: Mapping[tuple[int, int], float] = field(default_factory=dict)
    kinship: Kinship = field(init=False)
    weights: Weights = field(init=False)
    posteriors: list[tuple[Posterior, ...]] = field(init=False, default_factory=list)
    _nobody: list[bool] = field(init=False, default_factory=list)
    _lists: list[tuple[tuple[int, ...], tuple[float, ...]]] = field(init=False, default_factory=list)
    _list_numbers: dict[tuple[tuple[int, ...], tuple[float, ...]], int] = field(init=False, default_factory=dict)
    _form_lists: dict[tuple[int, int, int], int] = field(init=False, default_factory=dict)
    _matrices: dict[tuple[int, int, bool], list[list[float]]] = field(init=False, default_factory=dict)
    _dropped: dict[tuple[int, int, int], frozenset[int]] = field(init=False, default_factory=dict)
    parallel: ParallelChains | None = field(init=False, default=None)
    _factors: Mapping[tuple[int, int], float] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self.kinship = Kinship(self.index)
        self._nobody = [self._is_nobody(name.whole) for name in self.corpus.names]
        self.weights = Weights(self.corpus, self.index)
        self.weights.take(self.weights.counts_of(self.prior), self.weights.counts_of(self.prior_names))

    @property
    def width(self) -> int:
        """Places below are persons of the authority and unknown bearers of names; those beyond are relatives."""
        return self.weights.width

    def _is_nobody(self, whole: str) -> bool:
        """Whether what was read as a name is one word that nobody is called by, or that is known to be no name: of it no person is made."""
        return " " not in whole and (whole in _no_names() or not self.index.knows(whole))

    # -- candidates -------------------------------------------------------------------------------------------------------------

    def _intern(self, persons: Sequence[int], weights: Sequence[float]) -> int:
        key = (tuple(persons), tuple(weights))
        number = self._list_numbers.get(key)
        if number is None:
            number = self._list_numbers[key] = len(self._lists)
            self._lists.append(key)
        return number

    def _candidates(self, form: int, collector: int, position: int) -> int:
        """The candidates of a name in a collector's book, with how likely each would be called so.

        Of many namesakes those are kept whom the place in the chain allows: next to the author, at the source, between.
        """
        key = (form, collector, position)
        number = self._form_lists.get(key)
        if number is None:
            known = self.weights
            dropped = self._dropped.get(key, frozenset())
            fits = [fit for fit in self.index.fits(self.corpus.names[form]) if fit.person not in dropped]
            weighed = [(fit.person, known.called(fit, form) * known.in_book(fit.person, collector)) for fit in fits]
            apt = known.apt(collector, position)
            worth = [weight * known.frequency(person) * apt[known.age_numbers[person]] for person, weight in weighed]
            least = max(worth, default=0.0) * _LEAST
            kept = sorted(zip(worth, weighed, strict=True), reverse=True)[:_WIDEST]
            persons = [person for value, (person, _) in kept if value >= least]
            weights = [weight for value, (_, weight) in kept if value >= least]
            if not persons or len(self.index) + form not in dropped:
                persons.append(len(self.index) + form)
                weights.append(0.5 if any(fit.weight >= _GOOD_FIT for fit in fits) else _STRANGE)
            number = self._form_lists[key] = self._intern(persons, weights)
        return number

    def head(self, form: int, collector: int) -> int | None:
        """Who is meant where a collector's book begins a chain with this name: who transmits the book, or its author."""
        name = self.corpus.names[form].whole
        return next(
            (self.index.place.get(key) for called, key in self.corpus.collectors[collector].heads if called == name), None
        )

    def _kin_candidates(self, chain: Chain, node: Node, of: int | None) -> int:
        """The candidates of a kin word, from those of the mention it depends on."""
        named = self._lists[self._candidates(node.form, chain.collector, _position(chain, node))] if node.form >= 0 else None
        if of is None or node.kin is None:
            if named is not None:
                return self._intern(*named)
            return self._intern((self.width - 1,), (1.0,))
        weights: dict[int, float] = {}
        persons, shares = self._lists[of]
        written = self._written(chain, node)
        for person, share in zip(persons, shares, strict=True):
            relatives = self._relatives(person, node.kin)
            if written and (not relatives or relatives[0][1] < 1.0):
                relatives = written
            for relative, weight in relatives:
                weights[relative] = weights.get(relative, 0.0) + share * weight
            if not relatives or max(w for _, w in relatives) < 0.5:
                weights[self.stranger(person, node.kin)] = share * 0.3
        if named is not None:  # عن جده رافع بن خديج: the name decides, kinship only leans
            return self._intern(named[0], [w * (5.0 if p in weights else 1.0) for p, w in zip(*named, strict=True)])
        ranked = sorted(weights.items(), key=lambda item: -item[1])[:24]
        top = ranked[0][1] if ranked else 1.0
        return self._intern([p for p, _ in ranked], [max(w / top, 1e-3) for _, w in ranked])

    def _written(self, chain: Chain, node: Node) -> tuple[tuple[int, float], ...]:
        """The father or grandfather whom the text itself names, with his own father: إسماعيل بن إبراهيم بن عبد الله بن أبي ربيعة عن أبيه عن جده."""
        son = chain.nodes[node.kin_of].form if node.kin_of is not None else -1
        if son < 0 or node.kin not in PARENTS:
            return ()
        return self.kinship.written(self.corpus.names[son], PARENTS[node.kin])

    def _relatives(self, person: int, kin: str) -> tuple[tuple[int, float], ...]:
        """Whom a kin word may mean: by lineage, or, for uncles, mothers and aunts, among those whom the person is known to hear."""
        if person >= len(self.index):
            return ()
        relatives = self.kinship.relatives(person, kin)
        if kin == "father" and relatives and relatives[0][1] < _BY_HEARING:
            return self._heard_father(person, relatives)
        if kin not in _WOMEN or (relatives and relatives[0][1] >= 0.9):
            return relatives
        heard = [
            (teacher, count)
            for teacher, count in self.weights.heard(person)
            if teacher < len(self.index) and self.index.persons[teacher].sex == "f" and teacher != person
        ]
        total = sum(count for _, count in heard)
        by_lineage = {relative for relative, _ in relatives}
        heard = [(t, 0.4 * n / total) for t, n in heard if t not in by_lineage]
        return (*relatives, *sorted(heard, key=lambda item: -item[1])[:8])

    def _heard_father(self, person: int, namesakes: tuple[tuple[int, float], ...]) -> tuple[tuple[int, float], ...]:
        """Of those who bear his father's name, the one whom he hears in most of his chains is the father: عمر بن نافع عن نافع, and so عن أبيه."""
        heard = dict(self.weights.heard(person))
        most = max(heard, key=lambda teacher: heard[teacher], default=-1)
        if heard.get(most, 0.0) < max(_HEARD_OFTEN, sum(heard.values()) / 2) or most not in dict(namesakes):
            return namesakes
        return ((most, _BY_HEARING), *((other, weight) for other, weight in namesakes if other != most))

    def relation(self, place: int) -> tuple[int, str] | None:
        """Whose relative a place beyond the names is, and which; None where it is none."""
        if place < self.width:
            return None
        person, number = divmod(place - self.width, 16)
        return person, _KIN_BY_NUMBER.get(number, "kin")

    def stranger(self, person: int, kin: str) -> int:
        """The place of a relative whom the authority does not know."""
        return self.width + person * 16 + _KIN_NUMBERS.get(kin, 15)

    # -- weights of pairs -------------------------------------------------------------------------------------------------------

    def _matrix(self, students: int, teachers: int, *, bare: bool = False) -> list[list[float]]:
        key = (students, teachers, bare)
        matrix = self._matrices.get(key)
        if matrix is None:
            columns = self._lists[teachers][0]
            if bare:
                matrix = [
                    [weight * left for weight, left in zip(row, self.weights.by_dates(s, columns), strict=True)]
                    for s, row in zip(self._lists[students][0], self._matrix(students, teachers), strict=True)
                ]
            else:
                frequency = [self.weights.frequency(t) for t in columns]
                matrix = [self.weights.row(s, columns, frequency) for s in self._lists[students][0]]
            self._matrices[key] = matrix
        return matrix

    # -- one chain --------------------------------------------------------------------------------------------------------------

    def _lists_of(self, chain: Chain) -> list[int]:
        lists: list[int] = []
        for i, node in enumerate(chain.nodes):
            if node.kin is not None:
                of = node.kin_of if node.kin_of is not None and node.kin_of < i else None
                lists.append(self._kin_candidates(chain, node, lists[of] if of is not None else None))
            elif node.form < 0 or self._nobody[node.form]:
                lists.append(-1)
            else:
                head = self.head(node.form, chain.collector) if node.first else None
                lists.append(
                    self._intern((head,), (1.0,))
                    if head is not None
                    else self._candidates(node.form, chain.collector, _position(chain, node))
                )
        return lists

    def weigh(self, chain: Chain) -> tuple[list[int], list[list[float]], list[tuple[int, int, list[list[float]]]]]:
        """The chain's candidate lists, their probabilities, and for each edge the joint weights of both its ends."""
        nodes = chain.nodes
        lists = self._lists_of(chain)
        count = len(nodes)
        emission = [list(self._lists[number][1]) if number >= 0 else [1.0] for number in lists]
        students: list[list[int]] = [[] for _ in nodes]
        teachers: list[list[int]] = [[] for _ in nodes]
        for i, node in enumerate(nodes):
            for t in node.teachers:
                if i < t < count and lists[i] >= 0 and lists[t] >= 0:
                    teachers[i].append(t)
                    students[t].append(i)
        for i, node in enumerate(nodes):
            if lists[i] < 0:
                continue
            persons = self._lists[lists[i]][0]
            if node.first or not students[i]:
                start = self._start(chain, persons, node.first, i == 0)
                emission[i] = [e * s for e, s in zip(emission[i], start, strict=True)]
            if not node.teachers:
                emission[i] = [e * s for e, s in zip(emission[i], self.weights.end(persons, chain.prophetic), strict=True)]
        matrices: dict[tuple[int, int], list[list[float]]] = {}
        back: dict[tuple[int, int], list[float]] = {}
        behind: list[list[float]] = [[] for _ in nodes]
        for i in range(count - 1, -1, -1):
            total = [1.0] * len(emission[i])
            for t in teachers[i]:
                matrix = self._edge(chain, lists, i, t)
                matrices[i, t] = matrix
                weights = [e * b for e, b in zip(emission[t], behind[t], strict=True)]
                message = _scaled([sum(map(_times, row, weights)) for row in matrix])
                back[i, t] = message
                total = [a * b for a, b in zip(total, message, strict=True)]
            behind[i] = _scaled(total)
        before: list[list[float]] = [[] for _ in nodes]
        joints: list[tuple[int, int, list[list[float]]]] = []
        result: list[list[float]] = []
        for i in range(count):
            weights = emission[i]
            for s in students[i]:
                ahead = before[s]
                for other in teachers[s]:
                    if other != i:
                        ahead = [a * b for a, b in zip(ahead, back[s, other], strict=True)]
                matrix = matrices[s, i]
                message = [0.0] * len(weights)
                for a, row in zip(ahead, matrix, strict=True):
                    if a > 1e-9:
                        message = [m + a * r for m, r in zip(message, row, strict=True)]
                weights = [w * m for w, m in zip(weights, _scaled(message), strict=True)]
                tail = [e * b for e, b in zip(emission[i], behind[i], strict=True)]
                joints.append((s, i, _joint(ahead, matrix, tail)))
            before[i] = _scaled(weights)
            result.append(_share([w * b for w, b in zip(before[i], behind[i], strict=True)]))
        return lists, result, joints

    def _start(self, chain: Chain, persons: Sequence[int], first: bool, first_of_all: bool) -> list[float]:
        """How likely each person stands next to the author; where he leaves out from whom he has it, or somebody unnamed hears him, how often
        each is met at all."""
        if chain.suspended or not first:
            return [self.weights.frequency(person) for person in persons]
        return self.weights.start(chain.collector, persons, first_of_all)

    def _edge(self, chain: Chain, lists: list[int], i: int, t: int) -> list[list[float]]:
        """The weights of a link: as known, times what parallel chains of the report say."""
        matrix, factors = self._link(chain, lists, i, t), self._factors
        if not factors:
            return matrix
        students, teachers = self._lists[lists[i]][0], self._lists[lists[t]][0]
        return [
            [weight * factors.get((s, teacher), 1.0) for teacher, weight in zip(teachers, row, strict=True)]
            for s, row in zip(students, matrix, strict=True)
        ]

    def _link(self, chain: Chain, lists: list[int], i: int, t: int) -> list[list[float]]:
        node = chain.nodes[t]
        bare = node.form >= 0 and node.kin is None and self.corpus.names[node.form].bare
        matrix = self._matrix(lists[i], lists[t], bare=bare)
        if node.form >= 0 and node.form == chain.nodes[i].form and node.kin is None:
            return self._repeated(lists[i], lists[t], matrix)
        if node.kin is None or node.form >= 0 or node.kin_of != i:
            return matrix
        rows = []
        teachers = self._lists[lists[t]][0]
        written = dict(self._written(chain, node))
        for person, row in zip(self._lists[lists[i]][0], matrix, strict=True):
            relatives = dict(self._relatives(person, node.kin))
            if written and max(relatives.values(), default=0.0) < 1.0:
                relatives = written
            sure = max(relatives.values(), default=0.0) >= 0.5
            stranger = self.stranger(person, node.kin)
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
        columns = self._lists[teacher][0]
        return [
            [max(weight, _NAMED_TWICE) if s == t else weight for t, weight in zip(columns, row, strict=True)]
            for s, row in zip(self._lists[student][0], matrix, strict=True)
        ]

    # -- rounds -----------------------------------------------------------------------------------------------------------------

    def run(self, rounds: int, progress: Callable[[int], None] | None = None, *, from_nothing: bool = False) -> None:
        """Decides in so many rounds; each round counts anew who heard whom.

        ``from_nothing``: nothing is counted yet, so the first round counts a decision as far as the name alone says who is meant. A
        bare عبد الله decided by generations alone would otherwise outvote the عبد الله بن المبارك of the same pupil.
        """
        for number in range(rounds):
            self._round(last=number == rounds - 1, by_name=from_nothing and number == 0)
            if progress is not None:
                progress(1)

    def compare(self, parallels: Alike) -> None:
        """Weighs once more the chains that leave doubt, each with the sure links of the parallel chains of its report.

        A passage whose chain stands in others too gets one of its own, as its parallels are not theirs.
        """
        beside = self.parallel = ParallelChains(self.corpus, self.posteriors, len(self.index), parallels)
        self._forget()
        decided: dict[str, tuple[Posterior, ...]] = {}
        for passage in parallels:
            number = self.corpus.passages.get(passage)
            if number is None or all(not posterior or posterior[0][1] > _NO_DOUBT for posterior in self.posteriors[number]):
                continue
            self._factors = beside.factors(passage)
            if self._factors:
                lists, shares, _ = self.weigh(self.corpus.chains[number])
                decided[passage] = tuple(self._kept(lists[i], shares[i]) for i in range(len(shares)))
        self._factors = {}
        for passage, posteriors in decided.items():
            number = self.corpus.part(passage)
            if number == len(self.posteriors):
                self.posteriors.append(posteriors)
            else:
                self.posteriors[number] = posteriors

    def _forget(self) -> None:
        """Forgets the candidates of names and the weights of pairs, which the counts have outrun."""
        self._form_lists.clear()
        self._lists.clear()
        self._list_numbers.clear()
        self._matrices.clear()

    def _alone(self, form: int) -> dict[int, float]:
        """How likely each bearer of a name is meant by the name alone, by how often the books have him."""
        worth = {fit.person: fit.weight * self.index.popularity(fit.person) for fit in self.index.fits(self.corpus.names[form])}
        total = sum(worth.values())
        return {person: value / total for person, value in worth.items()}

    def _round(self, *, last: bool, by_name: bool = False) -> None:
        width = self.width
        alone = [self._alone(form) for form in range(len(self.corpus.names))] if by_name else []
        pairs = self.weights.counts_of(self.prior)
        named = self.weights.counts_of(self.prior_names)
        best: dict[tuple[int, int, int], dict[int, float]] = {}
        posteriors: list[tuple[Posterior, ...]] = []
        for chain, times in self.corpus:
            lists, shares, joints = self.weigh(chain)
            collector = self.weights.collector(chain.collector)
            for s, t, joint in joints:
                mine, his = chain.nodes[s].form, chain.nodes[t].form
                left, right = self._lists[lists[s]][0], self._lists[lists[t]][0]
                for person, row in zip(left, joint, strict=True):
                    base = person * width
                    for teacher, share in zip(right, row, strict=True):
                        if share > 0.05 and teacher < width and person < width and teacher != person:
                            count = _counted(share) * times
                            if by_name:
                                count *= min(_said(alone, mine, person), _said(alone, his, teacher))
                            pairs[base + teacher] = pairs.get(base + teacher, 0.0) + count
            for i, node in enumerate(chain.nodes):
                if lists[i] < 0:
                    continue
                persons = self._lists[lists[i]][0]
                headed = node.first and node.form >= 0 and self.head(node.form, chain.collector) is not None
                for person, share in zip(persons, shares[i], strict=True):
                    if share > 0.05:
                        share = _counted(share) * (_said(alone, node.form, person) if by_name else 1.0)
                        if node.form >= 0 and node.kin is None and not headed:
                            key = person * width + node.form
                            named[key] = named.get(key, 0.0) + share * times
                        if (
                            node.first
                            and collector is not None
                            and i == 0
                            and person < width
                            and not headed
                            and not chain.suspended
                        ):
                            key = collector * width + person
                            pairs[key] = pairs.get(key, 0.0) + share * times
                if node.form >= 0 and node.kin is None:
                    tops = best.setdefault((node.form, chain.collector, _position(chain, node)), {})
                    for person, share in zip(persons, shares[i], strict=True):
                        if share > tops.get(person, 0.0):
                            tops[person] = share
            if last:
                posteriors.append(tuple(self._kept(lists[i], shares[i]) for i in range(len(chain.nodes))))
        self.weights.take(pairs, named)
        self._matrices.clear()
        if last:
            self.posteriors = posteriors
            return
        if by_name:
            self._forget()
            return
        for name, tops in best.items():
            dropped = frozenset(person for person, share in tops.items() if share < 2e-4)
            self._dropped[name] = self._dropped.get(name, frozenset()) | dropped
        self._forget()

    def _kept(self, number: int, shares: Sequence[float]) -> Posterior:
        if number < 0:
            return ()
        ranked = sorted(zip(self._lists[number][0], shares, strict=True), key=lambda item: -item[1])
        return tuple((person, share) for person, share in ranked[:_KEPT] if share >= 5e-3)


_WOMEN = {"mother", "grandmother", "paternal aunt", "maternal aunt", "sister", "daughter", "wife", "mistress"}
_KIN_NUMBERS = {
    kin: number
    for number, kin in enumerate(
        (
            *(
                "father",
                "grandfather",
                "mother",
                "grandmother",
                "paternal uncle",
                "paternal aunt",
                "maternal uncle",
                "maternal aunt",
            ),
            *("brother", "sister", "son", "daughter", "husband", "wife", "master"),
        )
    )
}


_KIN_BY_NUMBER = {number: kin for kin, number in _KIN_NUMBERS.items()}


def _said(alone: Sequence[Mapping[int, float]], form: int, person: int) -> float:
    return alone[form].get(person, 0.0) if form >= 0 else 0.0


def _position(chain: Chain, node: Node) -> int:
    return FIRST if node.first and not chain.suspended else MIDDLE if node.teachers else LAST


def _counted(share: float) -> float:
    """What a decision of such probability adds to the counts: more than even chances count, the rest hardly.

    Counting every doubtful share would let a minor namesake grow into the place of a famous one, chain by chain.
    """
    return share if share > 0.8 else share**3


def _times(one: float, other: float) -> float:
    return one * other


def _scaled(weights: list[float]) -> list[float]:
    top = max(weights)
    return [w / top for w in weights] if top > 0 else [1.0] * len(weights)


def _share(weights: list[float]) -> list[float]:
    total = sum(weights)
    return [w / total for w in weights] if total > 0 else [1.0 / len(weights)] * len(weights)


def _joint(ahead: list[float], matrix: list[list[float]], tail: list[float]) -> list[list[float]]:
    rows = [
        [a * r * t for r, t in zip(row, tail, strict=True)] if a > 1e-9 else [0.0] * len(tail)
        for a, row in zip(ahead, matrix, strict=True)
    ]
    total = sum(map(sum, rows))
    return [[w / total for w in row] for row in rows] if total > 0 else rows
