"""The built folder that is being served: one opened version, exchanged when ``current`` points elsewhere."""

import json
import logging
import os
from dataclasses import dataclass, field
from email.utils import formatdate
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import Any, cast

from kg.store.embedded import EmbeddedStore
from kg.store.errors import StoreError
from kg.store.http import Account, Client, split_account
from kg.store.remote import RemoteStore
from kg.store.servers import find_endpoints
from kg.web.documents import Describer
from kg.web.prepared import FILE as PREPARED
from kg.web.prepared import Prepared
from kg.web.search import SearchIndex
from kg.web.statements import Quads

__all__ = ["Edition", "Elsewhere", "Shelf"]

_LOG = logging.getLogger(__name__)
DEFAULT_BASE = "https://w3id.org/silsila/"


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """The statements of an edition on another SPARQL server: its address, an account, the named graphs of ours there."""

    endpoint: str
    account: Account | None
    graphs: tuple[str, ...]


@dataclass(frozen=True)
class Edition:
    """One version of a built folder. ``manifest`` is what the build wrote about it; ``name`` its folder's name; ``elsewhere`` the
    server that is asked instead of its own store."""

    folder: Path
    base: str
    manifest: dict[str, Any] = field(default_factory=dict)
    elsewhere: Elsewhere | None = None

    @property
    def name(self) -> str:
        return self.folder.name

    @cached_property
    def store(self) -> Quads:
        if self.elsewhere is not None:
            there = self.elsewhere
            return cast(Quads, RemoteStore(there.endpoint, graphs=there.graphs, account=there.account))
        return cast(Quads, EmbeddedStore.open(self.folder / "store"))

    @cached_property
    def describer(self) -> Describer:
        path = self.folder / PREPARED
        return Describer(self.store, self.base, Prepared(path) if path.exists() else None)

    @cached_property
    def search(self) -> SearchIndex | None:
        """The full-text index, or None where the build wrote none."""
        path = self.folder / "search.sqlite"
        return SearchIndex(path) if path.exists() else None

    def matching(self, words: str, most: int) -> list[str]:
        """The IRIs of what the full-text index finds, the best first; none where the build wrote no index."""
        keys = self.search.keys(words, most) if self.search is not None else []
        return [self.base + key for key in keys]

    @property
    def dataset(self) -> str:
        """The IRI of the data set that all documents are part of."""
        return self.base + "dataset/silsila"

    @cached_property
    def store_path(self) -> str:
        """Where the store of the query workers is."""
        return str((self.folder / "store").resolve())

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

    ``store`` is the address of another SPARQL server that holds the same graph (``kg push``) and is asked instead of the folder's own
    store; dumps, search index and notices are the folder's. Without ``watch`` the first edition stays. A new build that cannot be
    opened is not taken up: ``refused`` says why.

    Raises:
        FileNotFoundError: there is no built folder; the message says how to build one.
        StoreError: the server cannot be reached or holds nothing of ours.
    """

    def __init__(self, data: Path, base: str | None = None, store: str | None = None, *, watch: bool = True) -> None:
        self.data, self._base, self._watch = data, base, watch
        self.refused = ""
        self._server = split_account(store) if store else None
        self._lock = Lock()
        self._edition = self._open()

    def _target(self) -> str:
        current = self.data / "current"
        try:
            return os.readlink(current)
        except OSError:
            return "current" if current.is_dir() else "."

    def _open(self) -> Edition:
        link = self._target()
        folder = (self.data / link).resolve()
        if self._server is not None and not (folder / "dumps").is_dir():
            raise FileNotFoundError(
                f"{self.data} holds no built graph: with --store too, the search, the names of reconciliation, dumps, notices and the"
                " description are read from the folder that was pushed: name it with --data, or copy it here (its store/ may be left out)"
            )
        if self._server is None and not (folder / "store").is_dir():
            raise FileNotFoundError(f"{self.data} holds no built graph ({folder / 'store'} is missing): run `kg build` first")
        path = folder / "manifest.json"
        manifest = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
        base = self._base or manifest.get("base") or DEFAULT_BASE
        edition = Edition(folder, base, manifest, self._found_elsewhere(base))
        edition.store  # noqa: B018 - open it now, not at the first request
        self._link = link
        return edition

    def _found_elsewhere(self, base: str) -> Elsewhere | None:
        if self._server is None:
            return None
        url, account = self._server
        with Client(account, timeout=60) as client:
            endpoint = find_endpoints(url, client).query
        graphs = RemoteStore(endpoint, account=account).graphs()
        ours = tuple(graph for graph in graphs if graph.startswith(f"{base}graph/"))
        if not ours:
            raise StoreError(f"{endpoint} holds no graph under {base}graph/: send it with `kg push --to {endpoint}`")
        return Elsewhere(endpoint, account, ours)

    def current(self) -> Edition:
        """The edition to answer from; a new build is taken up at the next request."""
        if self._watch and self._target() != self._link:
            with self._lock:
                if (target := self._target()) != self._link:
                    self._take_up(target)
        return self._edition

    def _take_up(self, target: str) -> None:
        """Answer from the new build, or from the old one as long as the new one cannot be opened."""
        try:
            self._edition = self._open()
            self.refused = ""
        except (OSError, StoreError, ValueError) as error:
            self._link = target  # looked at once
            self.refused = f"{self.data / target} cannot be opened, {self._edition.name} is served on: {error}"
            _LOG.error(self.refused)
