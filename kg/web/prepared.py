"""What the build prepares for the pages of things that much points at: ``pages.sqlite`` in a version's folder.

Of what more than ``MANY`` statements point at, these stand sorted, page by page; of what more than ``MOST`` point at, also all else that its
first page says; of persons with ``PARTS`` roles in events and more, these; and the ``FACTS`` that stand beside names. The rest is asked of
the store at the request.
"""

import json
import sqlite3
import threading
import zlib
from collections.abc import Iterable
from dataclasses import astuple
from pathlib import Path
from typing import Any

from pyoxigraph import NamedNode, RdfFormat, Triple, parse, serialize

from kg.web.documents import Describer, Quads
from kg.web.names import RDF_TYPE, SLS
from kg.web.parts import Part, all_parts
from kg.web.pointing import PAGE_SIZE, Pointing
from kg.web.search_index import most_met

__all__ = ["FACTS", "FILE", "Listed", "Prepared", "prepare"]

FILE = "pages.sqlite"
MANY = 300
"""Statements that are read at a request in 2 ms."""
MOST = 1_000
"""Statements above which the first page is prepared too."""
PARTS = 40
"""Roles in events above which a person's are gathered by the build."""
FACTS = ("deathYearAHEarliest", "deathYearAHLatest", "tabaqa", "passageCount")
"""Properties of neighbours that pages show beside their names, by the hundred."""

_FEW = ("Place", "Work", "Version", "Book", "Sura", "Event", "TransmissionTerm")
"""Classes of few things, any of which much may point at."""
_SCHEMA = """
CREATE TABLE thing (iri TEXT PRIMARY KEY, number INTEGER NOT NULL, total INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE page (thing INTEGER NOT NULL, number INTEGER NOT NULL, statements BLOB NOT NULL, PRIMARY KEY (thing, number)) WITHOUT ROWID;
CREATE TABLE first (iri TEXT PRIMARY KEY, own BLOB NOT NULL, labels BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE fact (name TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (name, key)) WITHOUT ROWID;
CREATE TABLE parts (iri TEXT PRIMARY KEY, parts BLOB NOT NULL) WITHOUT ROWID;
"""


class Listed:
    """What points at a thing, from the pages that the build wrote."""

    def __init__(self, prepared: "Prepared", iri: str, number: int, total: int) -> None:
        self._prepared, self._node, self._number, self.total = prepared, NamedNode(iri), number, total

    def between(self, start: int, end: int) -> list[Any]:
        """The statements from the beginning of one page to the end of another."""
        pages = range(start // PAGE_SIZE, -(-min(end, self.total) // PAGE_SIZE))
        lines = (line for page in pages for line in self._prepared.page(self._number, page))
        return [Triple(NamedNode(subject), NamedNode(predicate), self._node) for predicate, subject in lines]


class Prepared:
    """The file of a build, opened read-only; each thread has a connection of its own."""

    facts = FACTS

    def __init__(self, path: Path) -> None:
        self.path = path
        self._local = threading.local()

    def _row(self, question: str, *values: object) -> Any:
        connection: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            connection = sqlite3.connect(f"{self.path.resolve().as_uri()}?immutable=1", uri=True, check_same_thread=False)
            self._local.connection = connection
        return connection.execute(question, values).fetchone()

    def pointing(self, iri: str) -> Listed | None:
        """What points at a thing, if the build listed it."""
        row = self._row("SELECT number, total FROM thing WHERE iri = ?", iri)
        return Listed(self, iri, *row) if row else None

    def page(self, thing: int, number: int) -> list[tuple[str, str]]:
        """Predicates and subjects of one page, counted from 0."""
        row = self._row("SELECT statements FROM page WHERE thing = ? AND number = ?", thing, number)
        lines = zlib.decompress(row[0]).decode().split("\n") if row else []
        return [(predicate, subject) for predicate, _, subject in (line.partition(" ") for line in lines)]

    def first(self, iri: str) -> tuple[list[Any], list[Any]] | None:
        """What the first page of a thing says beside what points at it: its own statements and its parts', and those of neighbours."""
        row = self._row("SELECT own, labels FROM first WHERE iri = ?", iri)
        return (_read(row[0]), _read(row[1])) if row else None

    def fact(self, name: str, key: str) -> str:
        """The least value of one of the ``FACTS``; empty where there is none."""
        row = self._row("SELECT value FROM fact WHERE name = ? AND key = ?", name, key)
        return row[0] if row else ""

    def parts(self, iri: str) -> list[Part] | None:
        """A person's parts in events, if the build gathered them."""
        row = self._row("SELECT parts FROM parts WHERE iri = ?", iri)
        if row is None:
            return None
        return [
            Part(role, event, named, tuple(reports), passages)
            for role, event, named, reports, passages in json.loads(zlib.decompress(row[0]))
        ]


def prepare(folder: Path, store: Quads, base: str) -> int:
    """Write the file of a version whose store and full-text index are made; returns how many things are listed. The same store gives
    the same file."""
    path = folder / FILE
    persons = [base + key for key in most_met(folder / "search.sqlite", "person", MANY // 3)]  # a mention brings a claim, or two
    path.unlink(missing_ok=True)
    connection = sqlite3.connect(path, isolation_level=None)
    listed: list[tuple[str, int]] = []
    try:
        connection.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;" + _SCHEMA + "BEGIN;")
        few = {quad.subject.value for name in _FEW for quad in store.quads(None, RDF_TYPE, SLS + name)}
        for iri in sorted(few.union(persons)):
            pointing = Pointing(store.quads(None, None, iri))
            if pointing.total > MANY:
                listed.append((iri, pointing.total))
                _write_pages(connection, iri, len(listed), pointing)
        for name in FACTS:
            facts: dict[str, str] = {}
            for quad in store.quads(None, SLS + name):
                key = quad.subject.value.removeprefix(base)
                facts[key] = min(quad.object.value, facts.get(key, quad.object.value))
            connection.executemany("INSERT INTO fact VALUES (?, ?, ?)", ((name, *fact) for fact in sorted(facts.items())))
        for person, parts in all_parts(store, PARTS):
            data = json.dumps([astuple(part) for part in parts]).encode()
            connection.execute("INSERT INTO parts VALUES (?, ?)", (person, zlib.compress(data)))
        connection.execute("COMMIT")
        describer = Describer(store, base, Prepared(path))
        connection.execute("BEGIN")
        for iri in (iri for iri, total in listed if total > MOST):
            description = describer.describe(iri)
            if description is not None:
                row = iri, _written(description.quads), _written(description.labels)
                connection.execute("INSERT INTO first VALUES (?, ?, ?)", row)
        connection.execute("COMMIT")
    finally:
        connection.close()
    return len(listed)


def _write_pages(connection: sqlite3.Connection, iri: str, number: int, pointing: Pointing) -> None:
    connection.execute("INSERT INTO thing VALUES (?, ?, ?)", (iri, number, pointing.total))
    for page in range(-(-pointing.total // PAGE_SIZE)):
        quads = pointing.between(page * PAGE_SIZE, (page + 1) * PAGE_SIZE)
        lines = "\n".join(f"{quad.predicate.value} {quad.subject.value}" for quad in quads)
        connection.execute("INSERT INTO page VALUES (?, ?, ?)", (number, page, zlib.compress(lines.encode())))


def _written(statements: Iterable[Any]) -> bytes:
    data = serialize([Triple(q.subject, q.predicate, q.object) for q in statements], format=RdfFormat.N_TRIPLES)
    assert data is not None
    return zlib.compress(data)


def _read(data: bytes) -> list[Any]:
    return list(parse(zlib.decompress(data), format=RdfFormat.N_TRIPLES))
