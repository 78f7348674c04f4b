"""The things of a build that can be looked up by name, read from its full-text index and the authority."""

import sqlite3
from collections.abc import Iterator, Mapping
from itertools import groupby
from pathlib import Path

from kg.authority.model import Person
from kg.link.weighing import Thing

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
    """The things of a build's ``search.sqlite``; the label stands first among the names of a person."""
    connection = sqlite3.connect(f"{index.resolve().as_uri()}?immutable=1", uri=True)
    try:
        rows = connection.execute(
            "SELECT thing.key, thing.weight, name.shown, name.language FROM thing JOIN name ON name.id = thing.id"
            " WHERE thing.kind NOT IN ('hadith', 'term') ORDER BY thing.id, name.rowid"
        )
        for (key, weight), named in groupby(rows, lambda row: row[:2]):
            kind = TYPES_OF_KEYS.get(key.partition("/")[0])
            if kind is not None:
                yield _thing(key, kind, weight, [(shown, language) for _, _, shown, language in named], persons.get(key))
    finally:
        connection.close()


def _thing(key: str, kind: str, weight: int, names: list[tuple[str, str]], person: Person | None) -> Thing:
    if person is None:
        return Thing(key, kind, tuple(names), weight)
    names.sort(key=lambda pair: pair[0] not in (person.name_ar, person.name_en, person.name_latn))
    return Thing(key, kind, tuple(names), weight, person.sex)
