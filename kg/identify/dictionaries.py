"""Persons of a biographical dictionary joined to the authority: recognised where one person alone fits, added where nobody does."""

import dataclasses
from collections.abc import Iterable

from kg.authority.model import Authority, Person
from kg.identify.candidates import Fit, NameIndex
from kg.identify.names import Name, name_of, part_of
from kg.text import fold

__all__ = ["join_dictionary"]

_SURE = 0.8
"""The share of its likeliness that one candidate must have to be taken."""


def join_dictionary(authority: Authority, persons: Iterable[Person]) -> Authority:
    """The authority with the persons of a dictionary in it, for one build.

    A person of the dictionary who is known already gains listed teachers and students, and a year of death where none was known; one
    who is not known is added under the dictionary's key. Teachers and students are keys where one person alone fits the name, else
    the names as written.

    >>> from kg.authority import load
    >>> life = Person("person/lives-1", "زيد بن ثابت بن الضحاك", ism="زيد", nasab=("ثابت", "الضحاك"), companion=True,
    ...               listed_students=("أبو إدريس الخولاني",))
    >>> join_dictionary(load(), [life]).persons["person/zayd-b-thabit"].listed_students
    ('person/abu-idris-al-khawlani',)
    """
    index = NameIndex(authority.persons.values())
    numbers = {person.taqrib_no: key for key, person in authority.persons.items() if person.taqrib_no is not None}
    known = dict(authority.persons)
    for person in persons:
        teachers = tuple(dict.fromkeys(_resolved(index, name) for name in person.listed_teachers))
        students = tuple(dict.fromkeys(_resolved(index, name) for name in person.listed_students))
        key = numbers.get(person.taqrib_no) if person.taqrib_no is not None else None
        if key is None and person.taqrib_no is None:
            key = _same(index, person)
        if key is None:
            known[person.key] = dataclasses.replace(person, listed_teachers=teachers, listed_students=students)
            continue
        there = known[key]
        sources = dict.fromkeys([*filter(None, there.source.split("; ")), person.source])
        known[key] = dataclasses.replace(
            there,
            listed_teachers=tuple(dict.fromkeys([*there.listed_teachers, *teachers])),
            listed_students=tuple(dict.fromkeys([*there.listed_students, *students])),
            death=there.death or person.death,
            source="; ".join(sources),
        )
    return dataclasses.replace(authority, persons=known)


def _same(index: NameIndex, person: Person) -> str | None:
    """The known person whom a dictionary's entry is about; None where none or several fit."""
    name = Name(
        part_of(person.ism or ""),
        tuple(part_of(ancestor) for ancestor in person.nasab),
        part_of(person.kunya[0]) if person.kunya and not person.ism else "",
        (),
        (),
        fold(person.name_ar),
    )
    if not name.nasab and not name.kunya:
        return None
    fits = [fit for fit in index.fits(name) if fit.weight >= 0.25 and _agrees(index.persons[fit.person], person)]
    return _likeliest(index, fits)


def _agrees(one: Person, other: Person) -> bool:
    if one.companion and not other.companion and other.death is not None and (other.death.first or 0) > 110:
        return False
    if other.companion and not one.companion and one.tabaqa is not None and one.tabaqa > 2:
        return False
    if one.death is None or other.death is None or one.death.first is None or other.death.first is None:
        return True
    years = {one.death.first, *one.death.alternatives}
    return min(abs(year - other.death.first) for year in years) <= 15


def _resolved(index: NameIndex, surface: str) -> str:
    parts = _parts(surface)
    return _likeliest(index, index.fits(parts)) or surface


def _parts(surface: str) -> Name:
    from kg.authority.persons import name_parts

    parts = name_parts(
        surface.replace("أبا ", "أبو ").replace("أبي ", "أبو ", 1) if surface.startswith(("أبا", "أبي")) else surface
    )
    named = {key: (value[0] if key == "kunya" and value else value) for key, value in parts.items() if value}
    return name_of(named, surface)


def _likeliest(index: NameIndex, fits: Iterable[Fit]) -> str | None:
    ranked = sorted(((fit.weight * index.popularity(fit.person), fit.person) for fit in fits), reverse=True)
    total = sum(weight for weight, _ in ranked)
    if ranked and ranked[0][0] >= _SURE * total:
        return index.keys[ranked[0][1]]
    return None
