"""The built folder that is being served: one opened version, exchanged when ``current`` points elsewhere."""

import json
import os
from dataclasses import dataclass, field
from email.utils import formatdate
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import Any, cast

from kg.store.embedded import EmbeddedStore
from kg.web.documents import Describer, Quads
from kg.web.search import SearchIndex

__all__ = ["Edition", "Shelf"]

DEFAULT_BASE = "https://w3id.org/silsila/"


@dataclass(frozen=True)
class Edition:
    """One version of a built folder. ``manifest`` is what the build wrote about it; ``name`` its folder's name."""

    folder: Path
    base: str
    manifest: dict[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return self.folder.name

    @cached_property
    def store(self) -> Quads:
        return cast(Quads, EmbeddedStore.open(self.folder / "store"))

    @cached_property
    def describer(self) -> Describer:
        return Describer(self.store, self.base)

    @cached_property
    def search(self) -> SearchIndex | None:
        """The full-text index, or None where the build wrote none."""
        path = self.folder / "search.sqlite"
        return SearchIndex(path) if path.exists() else None

    @property
    def dataset(self) -> str:
        """The IRI of the data set that all documents are part of."""
        return self.base + "dataset/silsila"

    @property
    def dumps(self) -> Path:
        return self.folder / "dumps"

    @cached_property
    def modified(self) -> float:
        """When the build ended, in seconds of the epoch."""
        path = self.folder / "manifest.json"
        return (path if path.exists() else self.folder).stat().st_mtime

    @property
    def last_modified(self) -> str:
        return formatdate(self.modified, usegmt=True)

    @cached_property
    def kept(self) -> dict[Any, Any]:
        """What pages remember as long as this edition is served."""
        return {}


class Shelf:
    """Gives the edition that ``data/current`` points at; ``data`` may also be a version's folder itself.

    Raises:
        FileNotFoundError: there is no built folder; the message says how to build one.
    """

    def __init__(self, data: Path, base: str | None = None) -> None:
        self.data, self._base = data, base
        self._lock = Lock()
        self._edition = self._open()

    def _target(self) -> str:
        current = self.data / "current"
        try:
            return os.readlink(current)
        except OSError:
            return "current" if current.is_dir() else "."

    def _open(self) -> Edition:
        self._link = self._target()
        folder = (self.data / self._link).resolve()
        if not (folder / "store").is_dir():
            raise FileNotFoundError(f"{self.data} holds no built graph ({folder / 'store'} is missing): run `kg build` first")
        path = folder / "manifest.json"
        manifest = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
        edition = Edition(folder, self._base or manifest.get("base") or DEFAULT_BASE, manifest)
        edition.store  # noqa: B018 - open it now, not at the first request
        return edition

    def current(self) -> Edition:
        """The edition to answer from; a new build is taken up at the next request."""
        if self._target() != self._link:
            with self._lock:
                if self._target() != self._link:
                    self._edition = self._open()
        return self._edition
