"""To whom a report is attributed: Companion or Successor by who the last narrator is, where his name alone did not tell it.

What the words say (the Prophet, God) stands; whether the chain is connected is another matter and is not touched here.
"""

import dataclasses
from collections.abc import Mapping

from kg.authority.model import Person
from kg.extract.record import Isnad, Record
from kg.identify.generations import generation_of

__all__ = ["attributed", "level_of"]

_LAST_SUCCESSORS = 5
"""The last of Ibn Hajar's generations that met a Companion."""
_BY_WORDS = ("prophet", "divine")


def level_of(person: Person) -> str | None:
    """Companion or Successor by generation; None for who came after them.

    >>> level_of(Person("person/a", "أنس بن مالك", companion=True)), level_of(Person("person/b", "مالك بن أنس", tabaqa=7))
    ('companion', None)
    """
    generation = generation_of(person)
    if generation is None:
        return None
    return "companion" if generation == 1 else "successor" if generation <= _LAST_SUCCESSORS else None


def attributed(record: Record, persons: Mapping[int, str], known: Mapping[str, Person]) -> Record:
    """The record with the attribution of its chains completed or corrected from the persons decided on, by index of the mention.

    A chain that breaks off (a gap, or one that only points back to a longer one) is not attributed to the Successor at whom it stops,
    nor one after whom no word says that he speaks.
    """
    isnads = tuple(_attributed(isnad, persons, known) for isnad in record.isnads)
    return record if isnads == record.isnads else dataclasses.replace(record, isnads=isnads)


def _attributed(isnad: Isnad, persons: Mapping[int, str], known: Mapping[str, Person]) -> Isnad:
    level = isnad.attributed_to
    if level in _BY_WORDS:
        return dataclasses.replace(isnad, attribution_basis="words")
    person = known.get(persons.get(isnad.path[-1], "")) if isnad.path else None
    if person is not None and generation_of(person) is not None:
        found = level_of(person)
        breaks_off = isnad.gap or isnad.points_back is not None or isnad.reaches_term is None
        if found == "successor" and level is None and breaks_off:
            return isnad
        return dataclasses.replace(isnad, attributed_to=found, attribution_basis="person" if found else None)
    return dataclasses.replace(isnad, attribution_basis="name") if level else isnad
