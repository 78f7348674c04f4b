"""Extraction of a source in chunks, by this process or by several; the order of the passages is kept."""

import multiprocessing
import pickle
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from itertools import islice
from pathlib import Path

from kg import authority
from kg.extract.extractor import Extractor
from kg.text import Passage

__all__ = ["AHEAD", "CHUNK", "extract_chunk", "extract_chunks"]

CHUNK = 100
AHEAD = 4

_extractor: Extractor | None = None


def _begin(cache: Path | None) -> None:
    global _extractor
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


def extract_chunks(
    passages: Iterable[Passage],
    *,
    workers: int = 1,
    scheduler: str | None = None,
    cache: Path | None = None,
    advance: Callable[[int], object] = lambda n: None,
) -> Iterator[bytes]:
    """Pickled lists of records, in the order of the passages; the same records for any number of workers.

    With ``scheduler`` the chunks go to a dask.distributed cluster (``tcp://…``, or ``local`` for one on this machine).
    ``advance`` is told how many passages were read since the last call.

    Raises:
        BuildError: the cluster cannot be reached, or a chunk killed workers again and again.
    """
    if scheduler is not None:
        from kg.build.cluster import extract_on_cluster

        yield from extract_on_cluster(_chunks(passages), scheduler, workers=workers, advance=advance)
        return
    if workers <= 1:
        _begin(cache)
        for chunk in _chunks(passages):
            yield extract_chunk(chunk)
            advance(len(chunk))
        return
    context = multiprocessing.get_context("forkserver")
    with ProcessPoolExecutor(workers, mp_context=context, initializer=_begin, initargs=(cache,)) as pool:
        waiting: deque[tuple[Future[bytes], int]] = deque()
        for chunk in _chunks(passages):
            waiting.append((pool.submit(extract_chunk, chunk), len(chunk)))
            if len(waiting) > workers * AHEAD:
                yield _next(waiting, advance)
        while waiting:
            yield _next(waiting, advance)


def _next(waiting: deque[tuple[Future[bytes], int]], advance: Callable[[int], object]) -> bytes:
    future, count = waiting.popleft()
    records = future.result()
    advance(count)
    return records
