"""What the decision weighs: how often each person is met, who is known to hear whom, who is called how, what ages and books allow."""

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from kg.identify.candidates import Fit, NameIndex
from kg.identify.chains import Corpus
from kg.identify.generations import Age, age_of, disproved, early, likelihood
from kg.tables import read_tsv

__all__ = ["FIRST", "LAST", "MIDDLE", "Counts", "Weights"]

Counts = dict[int, float]
"""Counts by a pair of places, or of place and name: ``first * width + second``."""

MIDDLE, FIRST, LAST = 0, 1, 2
"""Where in a chain a mention stands: between, next to the author, at the source."""

_PULL = 4.0
"""Weight of what generations and books say, in counted pairs, against what is counted."""
_DISCOUNT = 0.5
"""How much each teacher known lets expect a further one not yet met: who hears many hears others too."""
_SURE = 0.9
_NAME_PULL = 3.0
_NAMED_ANEW = 0.02
"""In how many of his mentions anybody may be called by a name that fits him and was not met: prolific men are called by many."""
_UNKNOWN = 2e-6
"""How often somebody is met whom the authority does not know, as a share of the weight of the books' sigla."""
_MASS = 3000.0
"""Weight of the books' sigla, in mentions, for how often a person is met."""
_NOT_IN_BOOK = 0.03
_NO_BOOK_SAID = 0.3
_RELATIVE = 3e-4
_UNKNOWN_AGE = 0.08
_IMPOSSIBLE = 1e-5
"""Ages less likely than this are no pupil and teacher, whatever was counted."""
_DISPROVED = 1e-3
"""What is left of the weight of a pair whom the dates disprove, whatever was counted, where the name alone (أبو بكر) has many bearers."""
_ENDS = {None: 0.3, 1: 1.0, 2: 0.12, 3: 0.08, 4: 0.03, 5: 0.02}


@cache
def _not_heard() -> tuple[tuple[str, str], ...]:
    rows = read_tsv(Path(__file__).parent / "tables" / "not_heard.tsv", ("student", "teacher", "meant", "source"))
    return tuple((row["student"], row["teacher"]) for _, row in rows)


class Weights:
    """Counts and what is made of them. Places are those of the index, then one for each name (its unknown bearer), then relatives."""

    def __init__(self, corpus: Corpus, index: NameIndex) -> None:
        self.corpus, self.index = corpus, index
        self.known = len(index)
        self.width = self.known + len(corpus.names) + 1
        mass = sum(index.popularity(i) for i in range(self.known))
        self._popularity = [index.popularity(i) / mass for i in range(self.known)]
        numbers: dict[Age | None, int] = {None: 0}
        self.age_numbers = [numbers.setdefault(age_of(person), len(numbers)) for person in index.persons]
        self.age_numbers += [0] * (self.width - self.known)
        self.ages = list(numbers)
        self._age_table = [
            [_UNKNOWN_AGE if one is None or other is None else likelihood(one, other) for other in self.ages] for one in self.ages
        ]
        self._apt: dict[tuple[int, int], list[float]] = {}
        place = index.place
        self._not_heard: dict[int, set[int]] = {}
        for student, teacher in _not_heard():
            if student in place and teacher in place:
                self._not_heard.setdefault(place[student], set()).add(place[teacher])
        self.pairs: Counts = {}
        self.named: Counts = {}
        self._heard: dict[int, float] = {}
        self._seen: dict[int, float] = {}
        self._teachers: dict[int, list[int]] = {}
        self._total = _MASS

    def counts_of(self, counts: Mapping[tuple[int, int], float]) -> Counts:
        """Counts by pairs as one dictionary of numbers."""
        return {one * self.width + other: count for (one, other), count in counts.items()}

    def take(self, pairs: Counts, named: Counts) -> None:
        """Puts new counts in the place of the old."""
        heard: dict[int, float] = {}
        seen: dict[int, float] = {}
        teachers: dict[int, list[int]] = {}
        for key, count in pairs.items():
            student, teacher = divmod(key, self.width)
            if self._impossible(student, teacher) or teacher in self._not_heard.get(student, ()):
                continue
            if count >= 1.0:
                teachers.setdefault(student, []).append(teacher)
            heard[student] = heard.get(student, 0.0) + count
            seen[teacher] = seen.get(teacher, 0.0) + count
        self.pairs, self.named, self._heard, self._seen = pairs, named, heard, seen
        self._total = sum(seen.values()) + _MASS
        self._teachers = teachers

    def _impossible(self, student: int, teacher: int) -> bool:
        if student >= self.known or teacher >= self.known:
            return False
        return self._age_table[self.age_numbers[student]][self.age_numbers[teacher]] <= _IMPOSSIBLE

    def early(self, place: int) -> bool:
        """Whether a person is a Companion who died in the first years after the Prophet."""
        return place < self.known and early(self.index.persons[place])

    def by_dates(self, student: int, teachers: Sequence[int]) -> list[float]:
        """What dates leave of the weight of each teacher where a bare name says no more of him: hardly anything of those long dead."""
        if student >= self.known:
            return [1.0] * len(teachers)
        persons = self.index.persons
        return [_DISPROVED if t < self.known and disproved(persons[student], persons[t]) else 1.0 for t in teachers]

    def heard(self, student: int) -> list[tuple[int, float]]:
        """Whom the student is known to hear, and how often."""
        base = student * self.width
        return [(teacher, self.pairs[base + teacher]) for teacher in self._teachers.get(student, ())]

    def collector(self, number: int) -> int | None:
        """The place of a collector; None where the passage is in nobody's book."""
        return self.index.place.get(self.corpus.collectors[number].key)

    def frequency(self, place: int) -> float:
        """How large a share of all mentions is this person's; relatives without a name of their own are met where kin words say so."""
        if place >= self.width:
            return _RELATIVE
        base = self._popularity[place] * _MASS if place < self.known else _UNKNOWN * _MASS
        return (base + self._seen.get(place, 0.0)) / self._total

    def called(self, fit: Fit, form: int) -> float:
        """How likely this person is called by this name, as counted and as the name fits."""
        named = self.named.get(fit.person * self.width + form, 0.0)
        seen = self._seen.get(fit.person, 0.0)
        pull = _NAME_PULL + _NAMED_ANEW * seen
        return (named + pull * fit.weight) / (seen + pull) + 0.01 * fit.weight**2

    def in_book(self, place: int, collector: int) -> float:
        """Whether the Taqrib has the person in the chains of the collector's book."""
        sigla, books = self.corpus.collectors[collector].sigla, self.index.persons[place].books
        if not sigla or not sigla.isdisjoint(books):
            return 1.0
        return _NOT_IN_BOOK if books else _NO_BOOK_SAID

    def apt(self, collector: int, position: int) -> list[float]:
        """How well each age suits a position in a collector's chains, by the age's number."""
        key = (collector, position)
        weights = self._apt.get(key)
        if weights is None:
            place = self.collector(collector)
            if position == FIRST and place is not None:
                weights = [weight + 1e-4 for weight in self._age_table[self.age_numbers[place]]]
            elif position == LAST:
                weights = [0.3 if age is None else _end(age) for age in self.ages]
            else:
                weights = [0.3 if age is not None and age.generation == 1 else 1.0 for age in self.ages]
            self._apt[key] = weights
        return weights

    def row(self, student: int, teachers: Sequence[int], frequency: Sequence[float]) -> list[float]:
        """How likely it is, for each of the teachers, that the student hears him."""
        base, pairs, numbers, width = student * self.width, self.pairs, self.age_numbers, self.width
        ages = self._age_table[numbers[student] if student < width else 0]
        known = self._heard.get(student, 0.0)
        total = known + _PULL
        novel = _PULL + _DISCOUNT * len(self._teachers.get(student, ()))
        row = []
        for t, f in zip(teachers, frequency, strict=True):
            age = ages[numbers[t] if t < width else 0]
            heard = pairs.get(base + t, 0.0) if age > _IMPOSSIBLE and t != student else 0.0
            row.append((heard * _SURE + novel * age * f * (1e-6 if t == student else 1.0)) / total)
        for t in self._not_heard.get(student, ()):
            if t in teachers:
                place = teachers.index(t)
                row[place] = novel * ages[numbers[t]] * frequency[place] * _DISPROVED / total
        return row

    def start(self, collector: int, persons: Sequence[int], first_of_all: bool) -> list[float]:
        """How likely each of the persons stands next to the author."""
        frequency = [self.frequency(place) for place in persons]
        author = self.collector(collector)
        if author is None:
            return frequency
        leak = 0.003 if first_of_all else 0.1
        return [r + leak * f for r, f in zip(self.row(author, persons, frequency), frequency, strict=True)]

    def end(self, persons: Sequence[int], prophetic: bool) -> list[float]:
        """How likely a chain ends with each of the persons."""
        ends = []
        for place in persons:
            age = self.ages[self.age_numbers[place]] if place < self.known else None
            ends.append(0.2 if age is None else _end(age) * (1.0 if prophetic or age.companion else 4.0))
        return ends


def _end(age: Age) -> float:
    return 1.0 if age.companion else _ENDS.get(age.generation, 0.01)
