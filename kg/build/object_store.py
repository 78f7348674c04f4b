"""Chunks of records in a place that builder and workers share, by an address of fsspec: ``s3://bucket/records``, ``gs://…``, ``file:///shared/…``.

Imported only where such an address is given; needs the extra ``silsila-kg[cluster]`` and the package of the protocol (s3fs, gcsfs …).
"""

import hashlib
import pickle
from collections.abc import Sequence
from pathlib import Path

from kg.build.folder import BuildError
from kg.text import Passage

__all__ = ["ChunkStore", "upload"]

_DIGEST = hashlib.sha256


class ChunkStore:
    """Chunks by name. A chunk is whole or counts as absent: its hash stands before it.

    >>> store = ChunkStore("memory://records")
    >>> store.put("one", b"records"); store.get("one"), store.get("two")
    (b'records', None)

    Raises:
        BuildError: the protocol is unknown or its package is missing; the place cannot be read or written.
    """

    def __init__(self, url: str) -> None:
        self.url = url.rstrip("/")
        try:
            from fsspec.core import url_to_fs

            self._files, self._root = url_to_fs(self.url)
        except (ImportError, ValueError) as error:
            raise BuildError(
                f"{url}: {error}: install the package of this protocol on every machine, or correct the address"
            ) from None

    @staticmethod
    def name(passages: Sequence[Passage], fingerprint: str) -> str:
        """The name of what is read in these passages by this code."""
        return _DIGEST(fingerprint.encode() + pickle.dumps(passages, pickle.HIGHEST_PROTOCOL)).hexdigest()

    def get(self, name: str) -> bytes | None:
        """A chunk, or None where it is absent or was written in part."""
        try:
            data: bytes = self._files.cat_file(f"{self._root}/{name}")
        except FileNotFoundError:
            return None
        except OSError as error:
            raise self._failed(error) from error
        digest, chunk = data[:32], data[32:]
        return chunk if _DIGEST(chunk).digest() == digest else None

    def put(self, name: str, chunk: bytes) -> None:
        """Keep a chunk."""
        try:
            self._files.makedirs(self._root, exist_ok=True)
            self._files.pipe_file(f"{self._root}/{name}", _DIGEST(chunk).digest() + chunk)
        except OSError as error:
            raise self._failed(error) from error

    def _failed(self, error: OSError) -> BuildError:
        return BuildError(
            f"{self.url} cannot be used ({error}): check the address, its credentials, and that it may be written to"
        )


def upload(file: Path, url: str) -> None:
    """Copy a finished file to an address of fsspec.

    Raises:
        BuildError: the protocol is unknown or its package is missing, or the place cannot be written to.
    """
    folder, _, name = url.rpartition("/")
    store = ChunkStore(folder)
    try:
        store._files.makedirs(store._root, exist_ok=True)
        store._files.put_file(str(file), f"{store._root}/{name}")
    except OSError as error:
        raise store._failed(error) from error
