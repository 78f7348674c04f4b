"""What the build prepared for the pages of things that much points at (``kg.web.preparing``): ``pages.sqlite`` in a version's folder.

What is not in it is asked of the store at the request.
"""

import json
import sqlite3
import threading
import zlib
from pathlib import Path
from typing import Any

from pyoxigraph import NamedNode, RdfFormat, Triple, parse

from kg.web.parts import Part
from kg.web.pointing import PAGE_SIZE

__all__ = ["FACTS", "FILE", "Listed", "Prepared"]

FILE = "pages.sqlite"
FACTS = ("deathYearAHEarliest", "deathYearAHLatest", "tabaqa", "passageCount")
"""Properties of neighbours that pages show beside their names, by the hundred."""


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


def _read(data: bytes) -> list[Any]:
    return list(parse(zlib.decompress(data), format=RdfFormat.N_TRIPLES))
