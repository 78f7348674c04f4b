"""Who is who over all chains at once: candidates weighed by who is known to hear whom, by generations, by the books.

Each chain is a network of mentions. A mention's candidates come from its name (``kg.identify.lattice``); a pair of candidates is as likely
as the one is known to have heard the other (``kg.identify.links``: counted over all chains, the counts improved from round to round), or,
where nothing is counted, as their generations and the books' sigla allow. Messages pass along the chain from both ends
(``kg.identify.messages``).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from kg.identify.alike import Alike
from kg.identify.candidates import NameIndex
from kg.identify.chains import Chain, Corpus
from kg.identify.lattice import Lattice, position
from kg.identify.links import Links
from kg.identify.messages import Joint, pass_messages
from kg.identify.parallel_chains import ParallelChains
from kg.identify.weights import Weights

__all__ = ["Inference", "Posterior"]

Posterior = tuple[tuple[int, float], ...]
"""A mention's candidates by place, the likeliest first, with probabilities."""

_KEPT = 6
_NO_DOUBT = 0.99
"""The share from which parallel chains are not asked."""
_NOWHERE = 2e-4
"""A candidate who is nowhere likelier by a name is left out in the next round."""


@dataclass(slots=True)
class Inference:
    """The state of deciding: counts of pairs and of names, and the posterior of every mention of every distinct chain."""

    corpus: Corpus
    index: NameIndex
    prior: Mapping[tuple[int, int], float] = field(default_factory=dict)
    prior_names: Mapping[tuple[int, int], float] = field(default_factory=dict)
    weights: Weights = field(init=False)
    lattice: Lattice = field(init=False)
    links: Links = field(init=False)
    posteriors: list[tuple[Posterior, ...]] = field(init=False, default_factory=list)
    parallel: ParallelChains | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        self.weights = Weights(self.corpus, self.index)
        self.lattice = Lattice(self.corpus, self.index, self.weights)
        self.links = Links(self.lattice, self.weights)
        self.weights.take(self.weights.counts_of(self.prior), self.weights.counts_of(self.prior_names))

    @property
    def width(self) -> int:
        """Places below are persons of the authority and unknown bearers of names; those beyond are relatives."""
        return self.weights.width

    def relation(self, place: int) -> tuple[int, str] | None:
        """Whose relative a place beyond the names is, and which; None where it is none."""
        return self.lattice.relation(place)

    def weigh(self, chain: Chain) -> tuple[list[int], list[list[float]], list[Joint]]:
        """The chain's candidate lists, their probabilities, and for each link the joint weights of both its ends."""
        nodes, every = chain.nodes, self.lattice.lists
        lists = self.lattice.of(chain)
        emission = [list(every[number][1]) if number >= 0 else [1.0] for number in lists]
        teachers: list[list[int]] = [[] for _ in nodes]
        heard = [False] * len(nodes)
        for i, node in enumerate(nodes):
            for t in node.teachers:
                if i < t < len(nodes) and lists[i] >= 0 and lists[t] >= 0:
                    teachers[i].append(t)
                    heard[t] = True
        for i, node in enumerate(nodes):
            if lists[i] < 0:
                continue
            persons = every[lists[i]][0]
            if node.first or not heard[i]:
                start = self._start(chain, persons, node.first, i == 0)
                emission[i] = [e * s for e, s in zip(emission[i], start, strict=True)]
            if not node.teachers:
                emission[i] = [e * s for e, s in zip(emission[i], self.weights.end(persons, chain.prophetic), strict=True)]
        shares, joints = pass_messages(emission, teachers, lambda i, t: self.links.of(chain, lists, i, t))
        return lists, shares, joints

    def _start(self, chain: Chain, persons: Sequence[int], first: bool, first_of_all: bool) -> list[float]:
        """How likely each person stands next to the author; where he leaves out from whom he has it, or somebody unnamed hears him, how often
        each is met at all."""
        if chain.suspended or not first:
            return [self.weights.frequency(person) for person in persons]
        return self.weights.start(chain.collector, persons, first_of_all)

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
            self.links.factors = beside.factors(passage)
            if self.links.factors:
                lists, shares, _ = self.weigh(self.corpus.chains[number])
                decided[passage] = tuple(self._kept(lists[i], shares[i]) for i in range(len(shares)))
        self.links.factors = {}
        for passage, posteriors in decided.items():
            number = self.corpus.part(passage)
            if number == len(self.posteriors):
                self.posteriors.append(posteriors)
            else:
                self.posteriors[number] = posteriors

    def _forget(self) -> None:
        self.lattice.forget()
        self.links.forget()

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
                left, right = self.lattice.lists[lists[s]][0], self.lattice.lists[lists[t]][0]
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
                persons = self.lattice.lists[lists[i]][0]
                headed = node.first and node.form >= 0 and self.lattice.head(node.form, chain.collector) is not None
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
                    tops = best.setdefault((node.form, chain.collector, position(chain, node)), {})
                    for person, share in zip(persons, shares[i], strict=True):
                        if share > tops.get(person, 0.0):
                            tops[person] = share
            if last:
                posteriors.append(tuple(self._kept(lists[i], shares[i]) for i in range(len(chain.nodes))))
        self.weights.take(pairs, named)
        self.links.forget()
        if last:
            self.posteriors = posteriors
            return
        if by_name:
            self._forget()
            return
        self.lattice.drop(best, _NOWHERE)
        self._forget()

    def _kept(self, number: int, shares: Sequence[float]) -> Posterior:
        if number < 0:
            return ()
        ranked = sorted(zip(self.lattice.lists[number][0], shares, strict=True), key=lambda item: -item[1])
        return tuple((person, share) for person, share in ranked[:_KEPT] if share >= 5e-3)


def _said(alone: Sequence[Mapping[int, float]], form: int, person: int) -> float:
    return alone[form].get(person, 0.0) if form >= 0 else 0.0


def _counted(share: float) -> float:
    """What a decision of such probability adds to the counts: more than even chances count, the rest hardly.

    Counting every doubtful share would let a minor namesake grow into the place of a famous one, chain by chain.
    """
    return share if share > 0.8 else share**3
