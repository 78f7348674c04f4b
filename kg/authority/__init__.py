"""What the authority knows of persons, places, events and works; ``load()`` reads its reviewed tables."""

import hashlib
from functools import lru_cache
from pathlib import Path

from kg.authority.events import read_events
from kg.authority.library import read_books, read_works
from kg.authority.model import Authority, Book, Event, Person, Place, Work, Year
from kg.authority.persons import REVIEWED, read_persons
from kg.authority.places import read_places

__all__ = ["Authority", "Book", "Event", "Person", "Place", "Work", "Year", "load"]

_TABLES = (*REVIEWED, "persons_taqrib.tsv", "persons_names.tsv", "places.tsv", "events.toml", "works.tsv", "books.tsv")


def load(folder: Path | None = None) -> Authority:
    """The authority of a folder of tables (the package's own where none is given), read once.

    Raises:
        kg.tables.TableError: a table has a mistake; the message names file, line and remedy.

    >>> authority = load()
    >>> authority.persons["person/abu-al-darda"].name_en
    "Abu al-Darda'"
    >>> authority.persons["person/hisham-b-ammar"].taqrib_no
    7303
    """
    return _load((folder or Path(__file__).parent).resolve())


@lru_cache(maxsize=4)
def _load(folder: Path) -> Authority:
    print_of_tables = hashlib.sha256()
    for name in _TABLES:
        path = folder / name
        if path.is_file():
            print_of_tables.update(name.encode() + b"\0" + path.read_bytes())
    return Authority(
        persons=read_persons(folder),
        places=read_places(folder / "places.tsv") if (folder / "places.tsv").is_file() else {},
        events=read_events(folder / "events.toml") if (folder / "events.toml").is_file() else {},
        works=read_works(folder / "works.tsv"),
        books=read_books(folder / "books.tsv"),
        fingerprint=print_of_tables.hexdigest(),
    )
