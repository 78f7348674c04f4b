"""Writing what the build prepares for the pages of things that much points at (``kg.web.prepared`` reads it).

Of what more than ``MANY`` statements point at, these stand sorted, page by page; of what more than ``MOST`` point at, also all else that its
first page says; of persons with ``PARTS`` roles in events and more, these; and the ``FACTS`` that stand beside names.
"""

import json
import sqlite3
import zlib
from collections.abc import Iterable
from dataclasses import astuple
from pathlib import Path
from typing import Any

from pyoxigraph import RdfFormat, Triple, serialize

from kg.web.documents import Describer
from kg.web.names import RDF_TYPE, SLS
from kg.web.parts import all_parts
from kg.web.pointing import PAGE_SIZE, Pointing
from kg.web.prepared import FACTS, FILE, Prepared
from kg.web.search_index import most_met
from kg.web.statements import Quads

__all__ = ["prepare"]

MANY = 300
"""Statements that are read at a request in 2 ms."""
MOST = 1_000
"""Statements above which the first page is prepared too."""
PARTS = 40
"""Roles in events above which a person's are gathered by the build."""
_FEW = ("Place", "Work", "Version", "Book", "Sura", "Event", "TransmissionTerm")
"""Classes of few things, any of which much may point at."""
_SCHEMA = """
CREATE TABLE thing (iri TEXT PRIMARY KEY, number INTEGER NOT NULL, total INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE page (thing INTEGER NOT NULL, number INTEGER NOT NULL, statements BLOB NOT NULL, PRIMARY KEY (thing, number)) WITHOUT ROWID;
CREATE TABLE first (iri TEXT PRIMARY KEY, own BLOB NOT NULL, labels BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE fact (name TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (name, key)) WITHOUT ROWID;
CREATE TABLE parts (iri TEXT PRIMARY KEY, parts BLOB NOT NULL) WITHOUT ROWID;
"""


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
