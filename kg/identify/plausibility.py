"""What scholars look for in chains: links that cannot be, generations that jump, chains that break off. No grade is given."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from kg.identify.chains import Chain, Corpus
from kg.identify.claims import Problem
from kg.identify.generations import generation_of, impossible
from kg.identify.inference import Inference

if TYPE_CHECKING:
    from kg.identify.answers import Answers

__all__ = ["problems"]

_JUMP = 5
"""Ibn Hajar's generations that a link passes over so that it is reported."""


def problems(corpus: Corpus, inference: Inference, answers: "Answers") -> Iterator[Problem]:
    """The problems of all passages, by passage in the order of the sources."""
    found: dict[int, list[tuple[str, int | None, int | None, str]]] = {}
    for number, chain in enumerate(corpus.chains):
        rows = list(_of_chain(number, chain, inference, answers))
        if rows:
            found[number] = rows
    for passage, number in corpus.passages.items():
        for kind, student, teacher, what in found.get(number, ()):
            yield Problem(kind, passage, student, teacher, what)


def _of_chain(
    number: int, chain: Chain, inference: Inference, answers: "Answers"
) -> Iterator[tuple[str, int | None, int | None, str]]:
    persons = inference.index.persons
    for i, node in enumerate(chain.nodes):
        student = answers.decided(number, i)
        for t in node.teachers:
            teacher = answers.decided(number, t) if t < len(chain.nodes) else None
            if student is None or teacher is None or student >= len(persons) or teacher >= len(persons):
                continue
            one, other = persons[student], persons[teacher]
            names = f"{one.name_en or one.name_ar} from {other.name_en or other.name_ar}"
            why = impossible(one, other)
            if why is not None:
                yield "impossible", i, t, f"{names}: {why}"
                continue
            mine, his = generation_of(one), generation_of(other)
            if mine is not None and his is not None and mine - his >= _JUMP + (2 if his == 1 else 0):
                yield "jump", i, t, f"{names}: generation {mine} from generation {his}"
        if not node.teachers and chain.prophetic and student is not None and student < len(persons):
            one = persons[student]
            generation = generation_of(one)
            if generation is not None and generation >= 3 and not one.companion and i == len(chain.nodes) - 1:
                yield "gap", i, None, f"{one.name_en or one.name_ar}, of generation {generation}, from the Prophet"
    if chain.gap:
        yield "gap", None, None, "the text breaks a chain off"
