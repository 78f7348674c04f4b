"""The things of a built folder that can be looked up by name, read from its full-text index and the authority."""

import sqlite3
from collections.abc import Iterator, Mapping
from pathlib import Path

from kg.authority.model import Person
from kg.link.matching import Thing

__all__ = ["TYPES_OF_KEYS", "read_things"]

TYPES_OF_KEYS: Mapping[str, str] = {
    "person": "Person",
    "place": "Place",
    "event": "Event",
    "work": "Work",
    "sura": "Sura",
    "verse": "Verse",
}
"""Types by the first part of a key."""


def read_things(index: Path, persons: Mapping[str, Person]) -> Iterator[Thing]:
    """The things of a build's ``search.sqlite``, persons with what the authority says of their names.

    A build may be older than the authority: who has a readable key since then is found by his number in the Taqrib too.
    """
    persons = {**persons, **{f"person/taqrib-{one.taqrib_no}": one for one in persons.values() if one.taqrib_no is not None}}
    connection = sqlite3.connect(f"{index.resolve().as_uri()}?immutable=1", uri=True)
    try:
        rows = connection.execute(
            "SELECT thing.key, thing.weight, name.shown, name.language FROM thing JOIN name ON name.id = thing.id"
            " WHERE thing.kind NOT IN ('hadith', 'term') ORDER BY thing.id, name.rowid"
        )
        key, weight, names = "", 0, list[tuple[str, str]]()
        for found, met, shown, language in rows:
            if found != key:
                if names:
                    yield from _thing(key, weight, names, persons)
                key, weight, names = found, met, []
            names.append((shown, language))
        if names:
            yield from _thing(key, weight, names, persons)
    finally:
        connection.close()


def _thing(key: str, weight: int, names: list[tuple[str, str]], persons: Mapping[str, Person]) -> Iterator[Thing]:
    kind = TYPES_OF_KEYS.get(key.partition("/")[0])
    if kind is None:
        return
    person = persons.get(key)
    if person is not None:  # the label first
        names.sort(key=lambda pair: pair[0] not in (person.name_ar, person.name_en, person.name_latn))
    yield Thing(key, kind, tuple(names), weight, person)
