"""The store of a built folder: Oxigraph on disk, loaded once from N-Quads, then only read."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pyoxigraph as ox

from kg.store.errors import StoreError

__all__ = ["EmbeddedStore", "StoreLoader"]

_LABEL = ox.NamedNode("http://www.w3.org/2000/01/rdf-schema#label")

Subject = ox.NamedNode | ox.BlankNode | ox.Triple
Object = ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple


class StoreLoader:
    """Loads N-Quads files into a new store as they come, so that a graph may be loaded while the next is written.

    Raises:
        StoreError: the folder exists and is not empty.
    """

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path)
        if self.path.exists() and any(self.path.iterdir()):
            raise StoreError(f"{self.path} is not empty: give a new folder for the store")
        self.path.mkdir(parents=True, exist_ok=True)
        self._store = ox.Store(str(self.path))

    def add(self, file: Path | str) -> None:
        """Load a file; ``.gz`` are unpacked.

        Raises:
            StoreError: it cannot be read or parsed.
        """
        file = Path(file)
        try:
            if file.suffix == ".gz":
                import gzip

                with gzip.open(file, "rb") as data:
                    self._store.bulk_load(data, ox.RdfFormat.N_QUADS)  # type: ignore[arg-type]
            else:
                self._store.bulk_load(path=str(file), format=ox.RdfFormat.N_QUADS)
        except SyntaxError as error:
            raise StoreError(f"{file}: not N-Quads ({error}): correct the line or leave the file out") from error
        except OSError as error:
            raise StoreError(f"{file} cannot be loaded: {error}") from error

    def finish(self) -> Path:
        """Write all to disk and let the store go; returns its path."""
        self._store.flush()
        self._store.optimize()
        del self._store
        return self.path


class EmbeddedStore:
    """Reading quads by pattern. Terms are pyoxigraph's; a pattern's IRIs may be given as plain strings.

    Many processes and threads may have the same folder open. Queries from outside do not belong here but in
    ``kg.store.workers``: this object cannot stop one.
    """

    def __init__(self, store: ox.Store, path: Path) -> None:
        self._store, self.path = store, path

    @classmethod
    def create(cls, path: Path | str, nquads_files: Iterable[Path | str]) -> Path:
        """Load N-Quads files (``.gz`` are unpacked) into a new store at ``path``; returns the path.

        Raises:
            StoreError: the folder exists and is not empty, or a file cannot be read or parsed.
        """
        loader = StoreLoader(path)
        for file in nquads_files:
            loader.add(file)
        return loader.finish()

    @classmethod
    def open(cls, path: Path | str) -> "EmbeddedStore":
        """Open for reading.

        Raises:
            StoreError: there is no store at ``path``.
        """
        path = Path(path)
        if not (path / "CURRENT").is_file():
            raise StoreError(f"{path} holds no store: build one with 'kg build'")
        try:
            return cls(ox.Store.read_only(str(path)), path)
        except (OSError, RuntimeError) as error:  # RuntimeError: its files are damaged
            raise StoreError(f"{path} cannot be opened as a store ({error}): build it again with 'kg build'") from error

    def quads(
        self,
        subject: Subject | str | None = None,
        predicate: ox.NamedNode | str | None = None,
        object: Object | str | None = None,
        graph: ox.NamedNode | str | None = None,
    ) -> Iterator[ox.Quad]:
        """The quads that fit; None fits everything.

        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     file = Path(folder, "one.nq")
        ...     _ = file.write_text('<urn:a> <urn:p> "عمر"@ar <urn:g> .', encoding="utf-8")
        ...     store = EmbeddedStore.open(EmbeddedStore.create(Path(folder, "store"), [file]))
        ...     [quad.object.value for quad in store.quads("urn:a")]
        ['عمر']
        """
        return self._store.quads_for_pattern(_term(subject), _term(predicate), _term(object), _term(graph))

    def of(self, subjects: Iterable[str], predicates: Sequence[str] = ()) -> Iterator[ox.Quad]:
        """What is said of several things, by these predicates or by all."""
        for subject in dict.fromkeys(subjects):
            for predicate in predicates or (None,):
                yield from self.quads(subject, predicate)

    def pointing(self, objects: Iterable[str], predicate: str) -> Iterator[ox.Quad]:
        """What points at several things by a predicate."""
        for one in dict.fromkeys(objects):
            yield from self.quads(None, predicate, one)

    def answers(self) -> bool:
        """Whether anything is in it and can be read."""
        return next(iter(self.quads()), None) is not None

    def labels(self, iris: Iterable[str]) -> dict[str, list[ox.Literal]]:
        """The ``rdfs:label`` literals of each of the things; one without labels has an empty list."""
        found: dict[str, list[ox.Literal]] = {}
        for iri in iris:
            quads = self._store.quads_for_pattern(ox.NamedNode(iri), _LABEL, None, None)
            found[iri] = list({quad.object: None for quad in quads if isinstance(quad.object, ox.Literal)})
        return found

    def graphs(self) -> list[str]:
        """The IRIs of the named graphs, sorted."""
        return sorted(graph.value for graph in self._store.named_graphs() if isinstance(graph, ox.NamedNode))


def _term(value: Any) -> Any:
    return ox.NamedNode(value) if isinstance(value, str) else value
