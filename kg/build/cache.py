"""Extraction records on disk: one file a source, named by what it was read from and with; whole or absent.

The file is a sequence of pickled lists of ``Record``. It is the program's own: a record made by other code or
tables has another name and is never opened.
"""

import os
import pickle
from collections.abc import Iterable, Iterator
from pathlib import Path

from kg.extract.record import Record

__all__ = ["RecordCache", "read_records"]


class RecordCache:
    """The records of sources, kept under ``folder``."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path(self, key: str, fingerprint: str) -> Path:
        """Where the records of a source are kept; ``fingerprint`` covers the text, the code and the tables."""
        return self.folder / f"{key}.{fingerprint[:24]}.records"

    def has(self, key: str, fingerprint: str) -> bool:
        """Whether the source has been read before, by this code."""
        return self.path(key, fingerprint).is_file()

    def write(self, key: str, fingerprint: str, chunks: Iterable[bytes]) -> Path:
        """Keep pickled chunks under the source's name; older records of the source are removed after."""
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.path(key, fingerprint)
        temporary = path.with_suffix(f".{os.getpid()}.part")
        try:
            with temporary.open("wb") as stream:
                for chunk in chunks:
                    stream.write(chunk)
            os.replace(temporary, path)
        finally:
            temporary.unlink(missing_ok=True)
        for old in self.folder.glob(f"{key}.*"):
            if old != path and old.name.removeprefix(f"{key}.").count(".") in (1, 2) and old.suffix in (".records", ".part"):
                old.unlink(missing_ok=True)
        return path

    def rename(self, key: str, fingerprint: str, other: str) -> None:
        """Keep records under another fingerprint: those of a source that was read in part are never taken for the whole."""
        os.replace(self.path(key, fingerprint), self.path(key, other))

    def read(self, key: str, fingerprint: str) -> Iterator[Record]:
        """The records of a source in order, a chunk in memory at a time."""
        return read_records([self.path(key, fingerprint)])


def read_records(paths: Iterable[Path]) -> Iterator[Record]:
    """The records in several files in order, a chunk in memory at a time; a passage that was met before is passed over."""
    seen: set[str] = set()
    for path in paths:
        with path.open("rb") as stream:
            while True:
                try:
                    chunk: list[Record] = pickle.load(stream)
                except EOFError:
                    break
                for record in chunk:
                    if record.passage.id not in seen:
                        seen.add(record.passage.id)
                        yield record
