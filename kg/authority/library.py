"""The tables of works and of the books they fall into."""

from pathlib import Path

from kg.authority.model import Book, Work
from kg.tables import TableError, read_tsv

__all__ = ["read_books", "read_works"]


def read_works(path: Path) -> dict[str, Work]:
    """The works, by key; an absent table is empty."""
    works: dict[str, Work] = {}
    if not path.is_file():
        return works
    for line, row in read_tsv(path, ("key", "title_ar", "title_en", "author", "source")):
        if row["key"] in works:
            raise TableError(path, line, f"{row['key']} stands twice: remove one of the two rows")
        works[row["key"]] = Work(
            key=row["key"],
            title_ar=row["title_ar"],
            title_en=row["title_en"],
            title_latn=row.get("title_latn", ""),
            author=row["author"] or None,
            kind=row.get("kind") or "book",
            openiti=row.get("openiti") or None,
            source=row["source"],
        )
    return works


def read_books(path: Path) -> dict[tuple[str, int], Book]:
    """The books of works, by work and number; an absent table is empty."""
    books: dict[tuple[str, int], Book] = {}
    if not path.is_file():
        return books
    for line, row in read_tsv(path, ("work", "number", "title_ar", "title_en", "source")):
        if not row["number"].isdecimal():
            raise TableError(path, line, f"{row['number']!r} is not a number: correct the cell")
        key = (row["work"], int(row["number"]))
        if key in books:
            raise TableError(path, line, f"book {key[1]} of {key[0]} stands twice: remove one of the two rows")
        books[key] = Book(key[0], key[1], row["title_ar"], row["title_en"], row["source"])
    return books
