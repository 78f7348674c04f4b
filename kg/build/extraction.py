"""Extraction of a source in chunks, by this process or by several; the order of the passages is kept."""

import pickle
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from itertools import islice
from pathlib import Path

from kg import authority
from kg.build.processes import Helpers
from kg.extract.extractor import Extractor
from kg.text import Passage

__all__ = ["AHEAD", "CHUNK", "Readers", "extract_chunk"]

CHUNK = 100
AHEAD = 4

_extractor: Extractor | None = None


def _begin(cache: Path | None) -> None:
    global _extractor
    if _extractor is None:
        _extractor = Extractor(authority.load(), cache)


def extract_chunk(passages: list[Passage]) -> bytes:
    """The records of some passages, pickled; the extractor is made once a process."""
    if _extractor is None:
        _begin(None)
    assert _extractor is not None
    return pickle.dumps([_extractor.extract(passage) for passage in passages], pickle.HIGHEST_PROTOCOL)


def _chunks(passages: Iterable[Passage]) -> Iterator[list[Passage]]:
    iterator = iter(passages)
    while chunk := list(islice(iterator, CHUNK)):
        yield chunk


class Readers:
    """Those who read texts for a build: this process, several, or a dask.distributed cluster. A context manager.

    ``scheduler`` is the address of a cluster (``tcp://…``), or ``local`` for one on this machine;
    ``records`` a place that its machines share. The processes start with the
    first text and read all texts of the build.
    """

    def __init__(
        self, workers: int = 1, *, scheduler: str | None = None, records: str | None = None, cache: Path | None = None
    ) -> None:
        self.workers, self.scheduler, self.records, self.cache = workers, scheduler, records, cache
        self._pool: Helpers | None = None

    def __enter__(self) -> "Readers":
        return self

    def __exit__(self, *error: object) -> None:
        if self._pool is not None:
            self._pool.__exit__(*error)

    def read(self, passages: Iterable[Passage], advance: Callable[[int], object] = lambda n: None) -> Iterator[bytes]:
        """Pickled lists of records, in the order of the passages; the same records for any number of workers.

        ``advance`` is told how many passages were read since the last call.

        Raises:
            BuildError: the cluster cannot be reached, or a chunk killed workers again and again.
        """
        if self.scheduler is not None:
            from kg.build.cluster import extract_on_cluster

            yield from extract_on_cluster(
                _chunks(passages), self.scheduler, workers=self.workers, records=self.records, advance=advance
            )
        elif self.workers <= 1:
            _begin(self.cache)
            for chunk in _chunks(passages):
                yield extract_chunk(chunk)
                advance(len(chunk))
        else:
            yield from self._read_together(passages, advance)

    def _read_together(self, passages: Iterable[Passage], advance: Callable[[int], object]) -> Iterator[bytes]:
        if self._pool is None:
            self._pool = Helpers(self.workers, _begin, (self.cache,))
        waiting: deque[tuple[Future[bytes], int]] = deque()

        def oldest() -> bytes:
            future, count = waiting.popleft()
            records = future.result()
            advance(count)
            return records

        for chunk in _chunks(passages):
            waiting.append((self._pool.submit(extract_chunk, chunk), len(chunk)))
            if len(waiting) > self.workers * AHEAD:
                yield oldest()
        while waiting:
            yield oldest()
