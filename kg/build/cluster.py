"""Extraction on a dask.distributed cluster: the same chunks, the same order, whoever dies on the way.

Imported only where a scheduler is asked for; needs the extra ``silsila-kg[cluster]`` on this machine and the package on every worker.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from kg.build.extraction import AHEAD, extract_chunk
from kg.build.fingerprint import extraction_fingerprint
from kg.build.folder import BuildError
from kg.build.object_store import ChunkStore
from kg.text import Passage

__all__ = ["extract_on_cluster"]

_ATTEMPTS = 5
_PATIENCE = 30  # seconds to wait for the scheduler


def _checked(fingerprint: str, passages: list[Passage]) -> bytes:
    """Runs on a worker: refuses to read with other code or tables than the build's own."""
    if extraction_fingerprint() != fingerprint:
        raise RuntimeError("this worker has another version of silsila-kg than the build: install the same on all machines")
    return extract_chunk(passages)


def _checked_into(url: str, name: str, fingerprint: str, passages: list[Passage]) -> None:
    """Runs on a worker: the records of a chunk go to the shared place, if they are not there from a build that broke off."""
    store = ChunkStore(url)
    if store.get(name) is None:
        store.put(name, _checked(fingerprint, passages))


def extract_on_cluster(
    chunks: Iterable[list[Passage]],
    scheduler: str,
    *,
    workers: int = 1,
    records: str | None = None,
    advance: Callable[[int], object] = lambda n: None,
) -> Iterator[bytes]:
    """Pickled lists of records in the order of the chunks. ``scheduler`` is an address (``tcp://host:8786``) or ``local``.

    A chunk whose worker dies is read again by another; no chunk is read into the result twice, none is left out. Records come back
    through the scheduler, or through ``records``, a place that all share (``kg.build.object_store``); there they stay, so that a
    build that broke off reads no chunk again.

    Raises:
        BuildError: the extra is not installed, the scheduler does not answer, or a chunk failed on several workers.
    """
    try:
        from distributed import Client, KilledWorker, LocalCluster
    except ImportError:
        raise BuildError("dask.distributed is not installed: pip install 'silsila-kg[cluster]'") from None
    cluster = LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None) if scheduler == "local" else None
    try:
        client = Client(cluster or scheduler, timeout=_PATIENCE)
    except (OSError, TimeoutError) as error:
        raise BuildError(f"{scheduler}: the scheduler does not answer ({error}): check the address, and that it runs") from None
    fingerprint = extraction_fingerprint()
    shared = ChunkStore(records) if records is not None else None

    def submit(chunk: list[Passage]) -> Any:
        if shared is None:
            return client.submit(_checked, fingerprint, chunk, pure=False, retries=_ATTEMPTS)
        name = ChunkStore.name(chunk, fingerprint)
        return client.submit(_checked_into, shared.url, name, fingerprint, chunk, pure=False, retries=_ATTEMPTS)

    def result(future: Any, chunk: list[Passage]) -> bytes:
        for _ in range(_ATTEMPTS):
            try:
                done = future.result()
                if shared is None:
                    return bytes(done)
                if (kept := shared.get(ChunkStore.name(chunk, fingerprint))) is not None:
                    return kept
                future = submit(chunk)
            except KilledWorker:
                future = submit(chunk)
            except BuildError:
                raise
            except RuntimeError as error:
                raise BuildError(f"{scheduler}: {error}") from error
        raise BuildError(
            f"{scheduler}: the passages from {chunk[0].id} on killed {_ATTEMPTS} workers, or their records were lost: give the workers more memory"
        )

    try:
        waiting: deque[tuple[Any, list[Passage]]] = deque()
        ahead = AHEAD
        for chunk in chunks:
            waiting.append((submit(chunk), chunk))
            if len(waiting) > ahead:
                ahead = AHEAD * max(1, len(client.scheduler_info()["workers"]))
            while len(waiting) > ahead:
                future, oldest = waiting.popleft()
                yield result(future, oldest)
                advance(len(oldest))
        while waiting:
            future, oldest = waiting.popleft()
            yield result(future, oldest)
            advance(len(oldest))
    finally:
        client.close()
        if cluster is not None:
            cluster.close()
