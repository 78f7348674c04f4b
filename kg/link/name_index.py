"""The index of names that is written with a build (``names.sqlite``): who and what may be meant by each part of a name.

``kg.link.matching`` reads it. Nothing is kept in memory: a service answers its first question as soon as any other, and the processes of
one server share what the operating system has read.
"""

import json
import re
import sqlite3
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from math import log1p
from pathlib import Path

from kg.authority.model import Person
from kg.link.reading import APOSTROPHES, read_name
from kg.link.romanisation import bone, is_arabic, latin_form
from kg.link.weighing import Thing, forms_by_bone, forms_of

__all__ = ["Posting", "as_written", "fill", "words_of", "write_names"]

SCHEMA = """
CREATE TABLE thing (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, type TEXT NOT NULL, weight INTEGER NOT NULL, fame REAL NOT NULL,
  sex TEXT, reviewed INTEGER NOT NULL, byname INTEGER NOT NULL, called INTEGER NOT NULL, names TEXT NOT NULL, forms TEXT NOT NULL);
CREATE TABLE posting (what INTEGER NOT NULL, value TEXT NOT NULL, ids BLOB NOT NULL, PRIMARY KEY (what, value)) WITHOUT ROWID;
"""


class Posting:
    """What a row of the table ``posting`` lists under a value: ids of things in the order of their fame, ids and counts by turns
    in ``ATTESTED`` (called exactly so) and ``CALLED`` (by a surface with this part). Parts stand under their Arabic letters, and one place
    further under their skeletons."""

    PART, WORD, WHOLE_PERSON, WHOLE_OTHER, ATTESTED, CALLED = 0, 2, 4, 5, 6, 7


def as_written(name: str) -> str:
    """A Latin name as a whole, its marks left out; no skeleton has this form."""
    return "=" + latin_form(" ".join(re.findall(r"\w+", name.translate(APOSTROPHES))))


def words_of(name: str) -> dict[str, str]:
    """The words of the name of a place, event or work as they are compared, each with the word as written."""
    reading = read_name(name)
    spelt = dict(reading.spelt)
    return {word: spelt.get(word, word) for part in reading.parts for word in part.value.split()}


def _count_surfaces(
    attested: Mapping[str, Mapping[str, int]], place: Mapping[str, int], postings: dict[tuple[int, str], list[int]]
) -> Counter[int]:
    """How often each thing is called by any surface; how often by this one, and by one with this part, goes into ``postings``."""
    called: Counter[int] = Counter()
    counts: dict[tuple[int, str], Counter[int]] = defaultdict(Counter)
    for surface, by_key in attested.items():
        reading = read_name(surface)
        values = [(Posting.ATTESTED, reading.whole), *((Posting.CALLED, part.value) for part in reading.parts)]
        rows = dict.fromkeys((*values, *((what, bone(value)) for what, value in values)))
        for key, count in by_key.items():
            if key in place:
                called[place[key]] += count
                for row in rows:
                    counts[row][place[key]] += count
    for row, by_place in counts.items():
        postings[row] = [number for pair in sorted(by_place.items()) for number in pair]
    return called


def _wholes(named: Iterable[str], person: Person | None) -> Iterator[str]:
    """Names as wholes: as they are compared, Latin ones also as written, those of reviewed persons also by their skeletons."""
    found: dict[str, None] = {}
    for words in named:
        reading = read_name(words)
        found[reading.whole] = None
        if not reading.arabic:
            found[as_written(words)] = None
        elif _reviewed(person):
            found[bone(reading.whole)] = None
    return iter(found)


def _of_person(thing: Thing, person: Person | None) -> tuple[object, list[tuple[int, str]]]:
    letters = forms_of(thing, person)
    parts = [(Posting.PART, value) for value in letters.values()]
    parts += [(Posting.PART + 1, value) for value in forms_by_bone(letters).values()]
    return (letters.isms, letters.nasab, letters.kunyas, letters.bynames), parts


def _of_other(thing: Thing) -> tuple[object, list[tuple[int, str]]]:
    arabic: list[dict[str, str]] = []
    latin: list[dict[str, str]] = []
    for name, _ in thing.names:
        words = words_of(name)
        if is_arabic(name):
            arabic.append(words)
            latin.append({bone(word): word for word in words})
        else:
            latin.append(words)
    parts = [(Posting.WORD, word) for words in arabic for word in words]
    return (arabic, latin), parts + [(Posting.WORD + 1, word) for words in latin for word in words]


def _prior(person: Person | None) -> float:
    """What the sigla of the Taqrib say of how often the books have a person whom the graph has not counted."""
    if person is None:
        return 0.0
    return (6.0 if "ع" in person.books else 0.4 * len(person.books)) + (4.0 if person.name_en else 0.0)


def _reviewed(person: Person | None) -> bool:
    return person is not None and bool(person.name_en)


def _by_byname(person: Person | None) -> bool:
    """Whether an editor says that the person is called by something else than his ism: Abu al-Yaman is not called al-Hakam."""
    called = person.surfaces[0] if person is not None and person.name_en and person.surfaces else ""
    return called.startswith(("أبو ", "أم ", "ابن ", "ال"))


def write_names(
    path: Path, things: Iterable[Thing], persons: Mapping[str, Person], attested: Mapping[str, Mapping[str, int]]
) -> None:
    """Write the index to a new file; the same things give the same answers."""
    path.unlink(missing_ok=True)
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        connection.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;")
        fill(connection, things, persons, attested)
    finally:
        connection.close()


def fill(
    connection: sqlite3.Connection,
    things: Iterable[Thing],
    persons: Mapping[str, Person],
    attested: Mapping[str, Mapping[str, int]],
) -> None:
    """Fill an empty data base. ``attested`` says how often texts call a person by a surface: ``{surface: {key: count}}``."""
    ordered = sorted(things, key=lambda thing: (-thing.weight, thing.key))
    most = max((thing.weight for thing in ordered), default=1) or 1
    postings: dict[tuple[int, str], list[int]] = defaultdict(list)
    rows = []
    called = _count_surfaces(attested, {thing.key: i for i, thing in enumerate(ordered)}, postings)
    for i, thing in enumerate(ordered):
        person = persons.get(thing.key)
        fame = log1p(thing.weight + _prior(person)) / log1p(most + 12)
        named = tuple(dict.fromkeys((*(words for words, _ in thing.names), *(person.surfaces if person else ()))))
        for value in _wholes(named, person):
            postings[Posting.WHOLE_PERSON if thing.type == "Person" else Posting.WHOLE_OTHER, value].append(i)
        forms, parts = _of_person(thing, person) if thing.type == "Person" else _of_other(thing)
        for row in dict.fromkeys(parts):
            postings[row].append(i)
        rows.append(
            (
                *(i, thing.key, thing.type, thing.weight, fame, person.sex if person else None),
                *(_reviewed(person), _by_byname(person), called[i], json.dumps(thing.names, ensure_ascii=False)),
                json.dumps(forms, ensure_ascii=False),
            )
        )
    connection.executescript("BEGIN;" + SCHEMA)
    connection.executemany("INSERT INTO thing VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
    connection.executemany(
        "INSERT INTO posting VALUES (?, ?, ?)",
        ((what, value, array("I", ids).tobytes()) for (what, value), ids in sorted(postings.items())),
    )
    connection.execute("COMMIT")
