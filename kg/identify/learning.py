"""Who hears whom, learnt from nothing: the chains of many books decided round after round, each from the counts of the one before.

The first round knows only names, generations and the sigla of the books, and counts a decision as far as the name alone says who is meant;
each further one counts what the last has decided, doubtful decisions hardly. Nothing is drawn by lot: the same chains and the same
tables give the same counts.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from kg.identify.candidates import NameIndex
from kg.identify.chains import Corpus
from kg.identify.generations import age_of, disproved, likelihood
from kg.identify.habits import Habits
from kg.identify.inference import Inference

__all__ = ["ROUNDS", "Contradiction", "contradictions", "learn"]

ROUNDS = 6
"""Rounds after which the answers hardly change: under 0.1 % of the gold's mentions (docs/quality/identity.md)."""
_HEARD = 0.7
_CALLED = 3.0
_LONGEST_NAME = 5
_CANNOT_BE = 1e-4
"""Ages less likely than this are no pupil and teacher: four generations too early, or dead before the other was born."""


def learn(corpus: Corpus, index: NameIndex, rounds: int = ROUNDS, progress: Callable[[int], None] | None = None) -> Habits:
    """The counts of a corpus, without any counts to start from: who hears whom, and who is called how.

    Pairs met fewer than 0.7 times, and names met fewer than three times or of more than five words, are left out, and so is what
    ``contradictions`` would report.

    >>> learn(Corpus(), NameIndex([])).heard
    {}
    """
    inference = Inference(corpus, index)
    inference.run(rounds, progress, from_nothing=True)
    known, width = len(index), inference.width
    heard: dict[tuple[str, str], float] = {}
    called: dict[tuple[str, str], float] = {}
    for key, count in inference.weights.pairs.items():
        student, teacher = divmod(key, width)
        if student < known and teacher < known and count >= _HEARD and _why(index, student, teacher) is None:
            heard[index.keys[student], index.keys[teacher]] = count
    for key, count in inference.weights.named.items():
        person, form = divmod(key, width)
        if person >= known or form >= len(corpus.names) or count < _CALLED:
            continue
        name = corpus.names[form]
        if 0 < len(name.whole.split()) <= _LONGEST_NAME and any(fit.person == person for fit in index.fits(name)):
            called[index.keys[person], name.whole] = called.get((index.keys[person], name.whole), 0.0) + count
    return Habits(heard, called)


class Contradiction(NamedTuple):
    """A count that cannot be right: who is said to hear whom, how often, and why he cannot."""

    student: str
    teacher: str
    times: float
    why: str


def contradictions(habits: Habits, index: NameIndex) -> Iterator[Contradiction]:
    """The counts that contradict what the authority knows: a man who hears himself, or one whose age does not allow it.

    >>> from kg.authority import load
    >>> index = NameIndex(load().persons.values())
    >>> [found.why for found in contradictions(Habits({("person/malik-b-anas", "person/malik-b-anas"): 3.0}), index)]
    ['hears himself']
    """
    for (student, teacher), count in habits.heard.items():
        if student in index.place and teacher in index.place:
            why = _why(index, index.place[student], index.place[teacher])
            if why is not None:
                yield Contradiction(student, teacher, count, why)


def _why(index: NameIndex, student: int, teacher: int) -> str | None:
    if student == teacher:
        return "hears himself"
    if likelihood(age_of(index.persons[student]), age_of(index.persons[teacher])) < _CANNOT_BE:
        return "the generations do not allow it"
    if disproved(index.persons[student], index.persons[teacher]):
        return "the teacher was long dead"
    return None
