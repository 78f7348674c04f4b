"""The head of a chain: by which names a book calls those who hand it on and its author there, and from whom the author himself received."""

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from kg.extract.record import Record
from kg.identify.names import key_of
from kg.tables import read_tsv

__all__ = ["heads", "heard_by_author", "transmitters"]

_TABLES = Path(__file__).parent / "tables"
_TERMS = Path(__file__).parents[1] / "extract" / "tables" / "terms.tsv"
_NOT_HEARD = {"an", "anna", "qala", "reported", "finding", "ilam", "wasiyya"}
"""Modes of a term by which an author does not say that he himself received: قال الليث, وعن الزهري, بلغني."""


@cache
def _rows() -> tuple[dict[str, str], ...]:
    return tuple(row for _, row in read_tsv(_TABLES / "recensions.tsv", ("work", "names", "person", "role", "source")))


def heads(work: str) -> tuple[tuple[str, str], ...]:
    """The names, folded, by which a book means one man at the head of a chain, each with the person's key.

    >>> dict(heads("work/muwatta"))["الليثي"]
    'person/taqrib-7669'
    """
    return tuple((key_of(name), row["person"]) for row in _rows() if row["work"] == work for name in row["names"].split("|"))


def transmitters(work: str) -> frozenset[str]:
    """Who hands a book on and stands in it before its author: the author did not hear from them.

    >>> "person/taqrib-3205" in transmitters("work/musnad-ahmad")
    True
    """
    return frozenset(row["person"] for row in _rows() if row["work"] == work and row["role"] == "transmitter")


@cache
def _heard() -> frozenset[str]:
    return frozenset(row["concept"] for _, row in read_tsv(_TERMS, ("concept", "mode")) if row["mode"] not in _NOT_HEARD)


def heard_by_author(record: Record, persons: Mapping[int, str], author: str) -> Iterator[str]:
    """The persons from whom the author of a record's book says that he received: the first of each chain that he tells in his own name.

    A chain that he begins with قال or عن leaves out from whom he has it (muʿallaq), and one that begins with who hands the book on, or
    has the author in it, begins before him. ``persons`` are those decided on, by the index of the mention.
    """
    before = transmitters(record.passage.work or "")
    for isnad in record.isnads:
        path = isnad.path
        if not path or isnad.continuity == "muallaq":
            continue
        teacher, term = persons.get(path[0]), record.narrators[path[0]].term
        if teacher is None or term is None or term.concept not in _heard():
            continue
        if teacher not in before and author not in (persons.get(place) for place in path):
            yield teacher
