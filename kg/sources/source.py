"""A source: where passages come from, under which licence, and the passages themselves, streaming."""

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from kg.text import Passage

from .errors import OnError, SourceError, raise_error
from .lines import opened

__all__ = ["LONGEST", "Source"]


LONGEST = 5_000_000
"""Characters of a passage that are read at once: with 300 bytes of memory each they stay below 2 GiB."""


@dataclass(frozen=True, slots=True)
class Source:
    """A text to read.

    ``key`` names its graph and its dump; ``collection`` is the first part of its passages' ids; ``republishable`` says whether
    its words may go out whole, ``translation_republishable`` the same of translations in it. ``files`` are what it reads (for
    the fingerprint), ``rows`` how many passages it is known to hold, where known. ``dictionary`` is true for a
    biographical dictionary, whose entries give persons as well as passages; ``join_pages`` whether a paragraph that a page
    end breaks off is read as one.
    """

    key: str
    collection: str
    title_ar: str
    title_en: str
    licence: str
    republishable: bool
    read: Callable[["Source", OnError], Iterator[Passage]] = field(repr=False)
    licence_note: str = ""
    translation_republishable: bool = True
    work: str | None = None
    kind: str = "passage"
    files: tuple[Path, ...] = ()
    notices: tuple[Path, ...] = ()
    numbering: str = "number-in-source"
    numbering_note: str = ""
    rows: int | None = None
    ids: tuple[str, ...] = ()
    locators: tuple[tuple[str, str], ...] = ()
    dictionary: bool = False
    join_pages: bool = True

    def passages(self, on_error: OnError = raise_error) -> Iterator[Passage]:
        """The passages in order, one at a time; what cannot be read goes to ``on_error`` (the default raises it).

        Raises:
            SourceError: with the default ``on_error``, at the first piece that cannot be read.
        """
        for passage in self.read(self, on_error):
            if len(passage.text) <= LONGEST:
                yield passage
                continue
            where = str(self.files[0]) if self.files else self.key
            on_error(
                SourceError(
                    where,
                    int(dict(passage.locators).get("line-in-file", 0)) or None,
                    f"passage {passage.id} has {len(passage.text):,} characters, more than the {LONGEST:,} that are read at once: "
                    "part it by blank lines or into rows",
                )
            )

    def numbered(self, passage: Passage) -> Passage:
        """The passage with an id that no other source has by chance: a bare ``7`` is ``{collection}:7``."""
        collection, _, number = passage.id.partition(":")
        whole = collection.strip() and number.strip()
        return passage if whole else replace(passage, id=f"{self.collection}:{passage.id}")

    def fingerprint(self) -> str:
        """A hash of the files' bytes and of how they are read: the same fingerprint gives the same passages.

        Raises:
            SourceError: a file is gone or may not be read.
        """
        digest = hashlib.sha256(
            repr(
                (self.key, self.collection, self.kind, self.work, self.ids, self.locators, self.join_pages, self.dictionary)
            ).encode()
        )
        for path in self.files:
            with opened(path) as stream:
                digest.update(hashlib.file_digest(stream, "sha256").digest())  # type: ignore[arg-type]
        return digest.hexdigest()
