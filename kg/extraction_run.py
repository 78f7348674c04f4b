"""``kg extract``: passages in, records out in order, with persons decided by the authority and the passages given."""

import dataclasses
import pickle
import tempfile
from collections.abc import Iterator, Sequence
from typing import IO

from kg import authority
from kg.extract.extractor import Extractor
from kg.extract.record import Record
from kg.identify.attribution import attributed
from kg.identify.narrators import identify
from kg.sources import OnError, Source, raise_error

__all__ = ["extract_sources"]


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


def _spooled(spool: IO[bytes]) -> Iterator[tuple[str, Record]]:
    spool.seek(0)
    while True:
        try:
            yield pickle.load(spool)
        except EOFError:
            return
