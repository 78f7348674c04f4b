"""Whether one person can have heard another: generations and death years."""

from typing import NamedTuple

from kg.authority.model import Person

__all__ = ["Age", "age_of", "disproved", "early", "generation_of", "impossible", "likelihood", "span_of_death"]

# How often a pupil stands so many of Ibn Hajar's generations after his teacher; counted over the full names of the two Sahihs.
_STEPS = {-3: 0.0003, -2: 0.001, -1: 0.006, 0: 0.05, 1: 0.2, 2: 0.3, 3: 0.22, 4: 0.1, 5: 0.03, 6: 0.006, 7: 0.001}
_LONGEST_LIFE = 120
_LONGEST_GAP = 100
"""Years after a teacher's death in which his last pupils die (Abu al-Tufayl, d. 110, heard Mu'adh, d. 18)."""
_EARLY, _TOO_LATE = 19, 4
"""Who died by this year was heard by nobody of this generation of Ibn Hajar's or a later one (al-Zuhri, Qatada: from 95 on)."""
_TOO_EARLY = 22
"""Years before the first deaths of a generation from which the year is believed and not the generation."""
_TABAQA_DEATHS = {1: (10, 110), 2: (50, 110), 3: (80, 135), 4: (95, 150), 5: (110, 165), 6: (125, 175), 7: (145, 190)}
_TABAQA_DEATHS |= {8: (165, 210), 9: (185, 240), 10: (215, 265), 11: (240, 295), 12: (270, 330)}


def span_of_death(person: Person) -> tuple[int, int] | None:
    """The years between which a person died: as said, or as his generation allows."""
    death = person.death
    if death is not None:
        first, last = death.first, death.last
        years = [year for year in (first, last, *death.alternatives) if year is not None]
        if years:
            low, high = min(years), max(years)
            if death.precision == "after":
                high = max(high, low + 25)
            if death.precision == "before":
                low = min(low, high - 25)
            return low, high
    if person.tabaqa in _TABAQA_DEATHS:
        return _TABAQA_DEATHS[person.tabaqa]
    return None


def generation_of(person: Person) -> int | None:
    """The generation, as said, or as the year of death puts him where it lies far before what is said; Companions are the first.

    Muhammad b. Ubayd al-Tanafisi "of the eleventh, died 204" is of the tenth at the latest.

    >>> from kg.authority.model import Year
    >>> generation_of(Person("person/a", "محمد بن عبيد", tabaqa=11, death=Year(204, 204)))
    9
    """
    if person.companion:
        return 1
    span = span_of_death(person)
    if person.tabaqa is not None:
        early = _TABAQA_DEATHS[person.tabaqa][0] if person.tabaqa in _TABAQA_DEATHS else 0
        if span is None or early - span[1] <= _TOO_EARLY:
            return person.tabaqa
    if span is None or span[1] - span[0] > 60:
        return None
    middle = (span[0] + span[1]) / 2
    return min(_TABAQA_DEATHS, key=lambda t: abs((_TABAQA_DEATHS[t][0] + _TABAQA_DEATHS[t][1]) / 2 - middle))


class Age(NamedTuple):
    """What of a person decides whom he can have heard: generation, Companion or not, the decades between which he died."""

    generation: int | None
    companion: bool
    first: int | None
    last: int | None


def age_of(person: Person) -> Age:
    """The age of a person; persons of one age are alike to ``likelihood``."""
    span = span_of_death(person)
    if span is None:
        return Age(generation_of(person), person.companion, None, None)
    return Age(generation_of(person), person.companion, span[0] // 10 * 10, span[1] // 10 * 10 + 9)


def likelihood(student: Age, teacher: Age) -> float:
    """How likely it is, by generation and years alone, that the one heard the other.

    >>> pupil, teacher = Age(6, False, 150, 159), Age(4, False, 120, 129)
    >>> likelihood(pupil, teacher) > 100 * likelihood(teacher, pupil)
    True
    """
    mine, his = student.generation, teacher.generation
    if mine is None or his is None:
        weight = 0.08
    else:
        weight = _STEPS.get(mine - his, 1e-6)
        if teacher.companion and mine in {3, 4, 5}:
            weight = max(weight, 0.12 if mine < 5 else 0.05)
        if teacher.companion and student.companion:
            weight = 0.015
    if student.first is not None and student.last is not None and teacher.first is not None and teacher.last is not None:
        if student.first - teacher.last > 105:
            weight *= 1e-3
        elif student.first - teacher.last > 90:
            weight *= 0.2
        elif student.first - teacher.last > 80:
            weight *= 0.15
        elif student.first - teacher.last > 70:
            weight *= 0.5
        elif teacher.first - student.last > 70:
            weight *= 1e-3
        elif teacher.first - student.last > 45:
            weight *= 0.1
    return weight


def early(person: Person) -> bool:
    """Whether somebody is a Companion who died by the year 19: he transmits from no father, and later Successors did not hear him.

    >>> from kg.authority.model import Year
    >>> early(Person("person/a", "أبو بكر", companion=True, death=Year(13, 13)))
    True
    """
    return person.companion and person.death is not None and (span_of_death(person) or (0, _EARLY + 1))[1] <= _EARLY


def disproved(student: Person, teacher: Person) -> bool:
    """Whether the dates alone say that the one did not hear the other, long dead; a chain may yet name him without it (mursal).

    >>> from kg.authority.model import Year
    >>> zuhri = Person("person/z", "الزهري", tabaqa=4, death=Year(125, 125))
    >>> siddiq = Person("person/a", "أبو بكر", companion=True, death=Year(13, 13))
    >>> disproved(zuhri, siddiq), disproved(zuhri, Person("person/b", "أنس", companion=True, death=Year(93, 93)))
    (True, False)
    """
    if early(teacher) and not student.companion and (generation_of(student) or 0) >= _TOO_LATE:
        return True
    mine, his = span_of_death(student), span_of_death(teacher)
    return mine is not None and his is not None and mine[0] - his[1] > _LONGEST_GAP


def impossible(student: Person, teacher: Person) -> str | None:
    """Why the one cannot have heard the other: he was born after the other had died, by the longest of lives; None where he can."""
    mine, his = span_of_death(student), span_of_death(teacher)
    if mine is None or his is None or student.death is None or teacher.death is None:
        return None
    gap = mine[0] - his[1]
    if gap > _LONGEST_LIFE:
        return f"died {gap} years after his teacher"
    return None
