"""``kg extract``: passages in, records out in order, with persons decided by the authority and the passages given."""

import dataclasses
import io
import pickle
import tempfile
from collections.abc import Iterator, Sequence
from typing import IO, Any

from kg import authority
from kg.extract.extractor import Extractor
from kg.extract.record import Record
from kg.extract.rijal import persons_json
from kg.identify.attribution import attributed
from kg.identify.narrators import identify
from kg.sources import OnError, Source, SourceError, raise_error
from kg.sources.lines import opened

__all__ = ["extract_sources", "persons_of_dictionaries"]


def extract_sources(sources: Sequence[Source], on_error: OnError | None = None) -> Iterator[Record]:
    """The records of all passages, one out for one in, in order, each with the id that its source gave it.

    Identity looks at all passages given, so records wait in a temporary file, not in memory, until the last is read.
    """
    known = authority.load()
    extractor = Extractor(known)
    with tempfile.TemporaryFile(prefix="kg-records-") as spool:
        for source in sources:
            for passage in source.passages(on_error or raise_error):
                record = extractor.extract(source.numbered(passage))
                pickle.dump((passage.id, record), spool, pickle.HIGHEST_PROTOCOL)
        identification = identify((record for _, record in _spooled(spool)), known)
        for given, record in _spooled(spool):
            decided = identification.apply(record)
            persons = {index: mention.person for index, mention in enumerate(decided.narrators) if mention.person}
            decided = attributed(decided, persons, known.persons)
            yield dataclasses.replace(decided, passage=dataclasses.replace(decided.passage, id=given))


def persons_of_dictionaries(sources: Sequence[Source]) -> Iterator[dict[str, Any]]:
    """The entries of the biographical dictionaries among the sources, each with its person (``kg.extract.rijal.entry_json``).

    Raises:
        SourceError: none of them is a biographical dictionary.
    """
    dictionaries = [source for source in sources if source.dictionary]
    if not dictionaries:
        where = str(sources[0].files[0]) if sources and sources[0].files else "the source"
        raise SourceError(where, None, "no biographical dictionary: say dictionary = true of it in kg.toml (docs/sources.md)")
    for source in dictionaries:
        for path in source.files:
            with opened(path) as stream, io.TextIOWrapper(stream, "utf-8-sig", "replace") as lines:
                yield from persons_json(lines, path.name)


def _spooled(spool: IO[bytes]) -> Iterator[tuple[str, Record]]:
    spool.seek(0)
    while True:
        try:
            yield pickle.load(spool)
        except EOFError:
            return
