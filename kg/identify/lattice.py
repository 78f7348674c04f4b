"""Who may be meant at each place of a chain: candidates of names, of kin words from those they hang on, strangers where nobody fits.

Lists of candidates are numbered, so that what is the same for many chains is weighed once.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from kg.identify.candidates import NameIndex
from kg.identify.chains import Chain, Corpus, Node
from kg.identify.kinship import PARENTS, Kinship
from kg.identify.names import Name
from kg.identify.weights import FIRST, LAST, MIDDLE, Weights
from kg.tables import read_tsv

__all__ = ["Lattice", "position"]

_GOOD_FIT = 0.12
_STRANGE = 10.0
"""What an unknown bearer weighs where the name fits nobody well (another nisba, another grandfather)."""
_HEARD_OFTEN = 3.0
"""Chains in which a man of the father's name is heard so that he may be the father."""
_BY_HEARING = 0.8
"""How well hearing says who the father is, where the name alone does not."""
_PATRON = {"مولي", "مولاه"}
_LEAST = 1e-4
_WIDEST = 20
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


@cache
def _no_names() -> frozenset[str]:
    rows = read_tsv(Path(__file__).parent / "tables" / "no_names.tsv", ("word", "kind", "source"))
    return frozenset(row["word"] for _, row in rows)


def position(chain: Chain, node: Node) -> int:
    """Where in a chain a mention stands: next to the author, at the source, between."""
    return FIRST if node.first and not chain.suspended else MIDDLE if node.teachers else LAST


class Lattice:
    """The candidates of every mention of a corpus. ``lists`` are those in use: persons by place, and how likely each would be called so."""

    def __init__(self, corpus: Corpus, index: NameIndex, weights: Weights) -> None:
        self.corpus, self.index, self.weights = corpus, index, weights
        self.kinship = Kinship(index)
        self.width = weights.width
        self.lists: list[tuple[tuple[int, ...], tuple[float, ...]]] = []
        self._nobody = [self._is_nobody(name) for name in corpus.names]
        self._list_numbers: dict[tuple[tuple[int, ...], tuple[float, ...]], int] = {}
        self._form_lists: dict[tuple[int, int, int], int] = {}
        self._dropped: dict[tuple[int, int, int], frozenset[int]] = {}

    def forget(self) -> None:
        """Forgets the lists that were made, which the counts have outrun."""
        self._form_lists.clear()
        self._list_numbers.clear()
        self.lists.clear()

    def drop(self, best: Mapping[tuple[int, int, int], Mapping[int, float]], least: float) -> None:
        """Leaves out from now on those who were nowhere likelier than ``least`` by a name, in a collector's book, at a position."""
        for name, tops in best.items():
            dropped = frozenset(person for person, share in tops.items() if share < least)
            self._dropped[name] = self._dropped.get(name, frozenset()) | dropped

    def _is_nobody(self, name: Name) -> bool:
        """Whether what was read as a name is none: a word that nobody is called by, or that is known to be no name; several words without
        father and kunya of which none is a part of anybody's name (اشفعوا تؤجروا). Of it no person is made."""
        words = name.whole.split()
        if len(words) == 1:
            return name.whole in _no_names() or not self.index.knows(name.whole)
        if name.nasab or name.kunya or not words or words[0] in _PATRON:
            return False
        return not any(self.index.knows(word) for word in words)

    def _intern(self, persons: Sequence[int], weights: Sequence[float]) -> int:
        key = (tuple(persons), tuple(weights))
        number = self._list_numbers.get(key)
        if number is None:
            number = self._list_numbers[key] = len(self.lists)
            self.lists.append(key)
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
        named = self.lists[self._candidates(node.form, chain.collector, position(chain, node))] if node.form >= 0 else None
        if of is None or node.kin is None:
            if named is not None:
                return self._intern(*named)
            return self._intern((self.width - 1,), (1.0,))
        weights: dict[int, float] = {}
        persons, shares = self.lists[of]
        written = self.written(chain, node)
        for person, share in zip(persons, shares, strict=True):
            relatives = self.relatives(person, node.kin)
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

    def written(self, chain: Chain, node: Node) -> tuple[tuple[int, float], ...]:
        """The father or grandfather whom the text itself names, with his own father: إسماعيل بن إبراهيم بن عبد الله بن أبي ربيعة عن أبيه عن جده."""
        son = chain.nodes[node.kin_of].form if node.kin_of is not None else -1
        if son < 0 or node.kin not in PARENTS:
            return ()
        return self.kinship.written(self.corpus.names[son], PARENTS[node.kin])

    def relatives(self, person: int, kin: str) -> tuple[tuple[int, float], ...]:
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

    def of(self, chain: Chain) -> list[int]:
        """The numbers of the lists of a chain's mentions; -1 where nobody may be meant: anonymous mentions, words that are no names."""
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
                    else self._candidates(node.form, chain.collector, position(chain, node))
                )
        return lists
