"""Sending a built graph to another SPARQL server: every named graph replaced, in bounded batches, none sent twice without need."""

import gzip
import hashlib
import io
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import IO
from urllib.parse import quote

import zstandard

from kg.store.errors import StoreError
from kg.store.http import Answered, Client
from kg.store.remote import RemoteStore
from kg.store.servers import Endpoints

__all__ = ["IN_GRAPH_STORE", "IN_UPDATE", "Pushed", "push"]

IN_GRAPH_STORE, IN_UPDATE = 10_000, 2_000
"""Triples in one request: a PUT or POST of the graph store protocol, an INSERT DATA. Virtuoso 7 fails at 100,000 and at 5,000."""
_MOST_BYTES = 8 << 20
_LAST = "description"


@dataclass(frozen=True, slots=True)
class Pushed:
    """What was done: graphs sent, graphs that were there already, graphs of an earlier build that were removed, triples sent."""

    sent: tuple[str, ...]
    there: tuple[str, ...]
    removed: tuple[str, ...]
    triples: int


def push(
    dumps: Path,
    endpoints: Endpoints,
    client: Client,
    *,
    base: str,
    notes: Path | None = None,
    advance: Callable[[int], object] = lambda n: None,
) -> Pushed:
    """Send the graphs in ``dumps`` (``*.nq.zst`` or ``*.nq.gz``, one graph after another in each) and count them on the server.

    Every graph is replaced: what was sent in part is sent again. Graphs that ``notes`` (a file, written as graphs are done) knows to
    be there with the same statements are passed over if the server still counts as many. Graphs under ``base`` that the build does
    not have are removed. The description of the data set comes last. ``advance`` is told of triples.

    Raises:
        StoreError: the server cannot be reached, refuses, or holds another number of triples than was sent.
    """
    store = RemoteStore(endpoints.query, account=client.account)
    known = _Notes(notes, endpoints.query)
    counted = _counts(store, base)
    sent: list[str] = []
    there: list[str] = []
    triples = 0
    for path in _files(dumps):
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        graphs = known.unchanged(digest, counted)
        if graphs is None:
            graphs = {}
            for graph, statements in _graphs(path):
                known.forget(graph)
                number = 0
                for batch in _batches(statements, IN_GRAPH_STORE if endpoints.graph_store else IN_UPDATE):
                    _send(endpoints, client, graph, batch, first=number == 0)
                    number += len(batch)
                    advance(len(batch))
                graphs[graph] = number
                triples += number
                sent.append(graph)
            known.keep(digest, graphs)
        else:
            there += graphs
            advance(sum(graphs.values()))
    ours = {*sent, *there}
    counted = _counts(store, base)
    _compare(endpoints, known.expected, counted, ours)
    removed = sorted(graph for graph in counted if graph not in ours)
    for graph in removed:
        _remove(endpoints, client, graph)
    return Pushed(tuple(sent), tuple(there), tuple(removed), triples)


def _files(dumps: Path) -> list[Path]:
    """The files of single graphs, the description last."""
    found = {path.name.partition(".")[0]: path for packing in ("gz", "zst") for path in sorted(dumps.glob(f"*.nq.{packing}"))}
    found.pop("silsila", None)
    if not found:
        raise StoreError(f"{dumps} holds no N-Quads: build the folder with 'kg build'")
    return [found[name] for name in sorted(found, key=lambda name: (name == _LAST, name))]


def _open(path: Path) -> IO[bytes]:
    if path.suffix == ".gz":
        return gzip.open(path, "rb")  # type: ignore[return-value]
    stream = zstandard.ZstdDecompressor().stream_reader(path.open("rb"), read_across_frames=True, closefd=True)
    return io.BufferedReader(stream)


def _graphs(path: Path) -> Iterator[tuple[str, Iterator[bytes]]]:
    """Each graph of a file of N-Quads with its statements as lines of N-Triples."""
    with _open(path) as lines:
        pairs = (line.rsplit(b" <", 1) for line in lines)
        for graph, statements in groupby(pairs, key=lambda pair: pair[1]):
            yield graph.rstrip(b" .\n>").decode(), (statement + b" .\n" for statement, _ in statements)


def _batches(statements: Iterable[bytes], most: int) -> Iterator[list[bytes]]:
    batch: list[bytes] = []
    size = 0
    for statement in statements:
        if batch and (len(batch) == most or size + len(statement) > _MOST_BYTES):
            yield batch
            batch, size = [], 0
        batch.append(statement)
        size += len(statement)
    if batch:
        yield batch


def _send(endpoints: Endpoints, client: Client, graph: str, batch: list[bytes], *, first: bool) -> None:
    """The first batch of a graph replaces what was there, the others are added."""
    if endpoints.graph_store:
        where = f"{endpoints.graph_store}?graph={quote(graph, safe='')}"
        answered = client.send("PUT" if first else "POST", where, b"".join(batch), {"Content-Type": "application/n-triples"})
        _expect(endpoints.graph_store, graph, answered)
        return
    if first:
        _update(endpoints, client, graph, f"DROP SILENT GRAPH <{graph}>".encode())
    _update(endpoints, client, graph, b"INSERT DATA { GRAPH <" + graph.encode() + b"> {\n" + b"".join(batch) + b"} }")


def _update(endpoints: Endpoints, client: Client, graph: str, text: bytes) -> None:
    _expect(endpoints.update, graph, client.send("POST", endpoints.update, text, {"Content-Type": "application/sparql-update"}))


def _remove(endpoints: Endpoints, client: Client, graph: str) -> None:
    if endpoints.graph_store:
        answered = client.send("DELETE", f"{endpoints.graph_store}?graph={quote(graph, safe='')}")
        if answered.status != 404:
            _expect(endpoints.graph_store, graph, answered)
    else:
        _update(endpoints, client, graph, f"DROP SILENT GRAPH <{graph}>".encode())


def _expect(address: str, graph: str, answered: Answered) -> None:
    if answered.status in (401, 403):
        raise StoreError(
            f"{address} lets nobody write without an account ({answered.status}): give one with --user and KG_STORE_PASSWORD, or KG_STORE_TOKEN"
        )
    if not 200 <= answered.status < 300:
        raise StoreError(
            f"{address} did not take {graph} ({answered.status}: {answered.words}): mend what it says and push again; "
            "what was sent whole is not sent again"
        )


def _counts(store: RemoteStore, base: str) -> dict[str, int]:
    """The named graphs under ``base`` on the server, and how many triples it counts in each."""
    rows = store.solutions("SELECT ?g (COUNT(*) AS ?n) { GRAPH ?g { ?s ?p ?o } } GROUP BY ?g")
    return {row["g"].value: int(row["n"].value) for row in rows if row["g"].value.startswith(f"{base}graph/")}


def _compare(endpoints: Endpoints, expected: dict[str, int], counted: dict[str, int], ours: set[str]) -> None:
    for graph in sorted(ours):
        if counted.get(graph, 0) != expected[graph]:
            raise StoreError(
                f"{endpoints.query} counts {counted.get(graph, 0):,} triples in {graph} where {expected[graph]:,} were sent: "
                "push again; if it stays so, the server drops statements (see its log)"
            )


class _Notes:
    """What a server was sent: by the hash of a file, its graphs and their numbers of triples."""

    def __init__(self, path: Path | None, server: str) -> None:
        self._path, self._server = path, server
        self._kept: dict[str, dict[str, int]] = {}
        self.expected: dict[str, int] = {}
        if path is not None and path.is_file():
            noted = json.loads(path.read_text(encoding="utf-8"))
            self._kept = noted.get(server, {})

    def unchanged(self, digest: str, counted: dict[str, int]) -> dict[str, int] | None:
        """The graphs of a file that is on the server as it was sent; None where it must be sent."""
        graphs = self._kept.get(digest)
        if graphs is None or any(counted.get(graph) != number for graph, number in graphs.items()):
            return None
        self.expected |= graphs
        return graphs

    def keep(self, digest: str, graphs: dict[str, int]) -> None:
        """A file was sent whole."""
        self._kept[digest] = graphs
        self.expected |= graphs
        self._write()

    def forget(self, graph: str) -> None:
        """A graph is about to be replaced: what was noted of it is no longer true."""
        self._kept = {digest: held for digest, held in self._kept.items() if graph not in held}
        self._write()

    def _write(self) -> None:
        if self._path is None:
            return
        noted = json.loads(self._path.read_text(encoding="utf-8")) if self._path.is_file() else {}
        noted[self._server] = self._kept
        temporary = self._path.with_suffix(".part")
        self._path.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_text(json.dumps(noted, indent=1, sort_keys=True) + "\n", encoding="utf-8")
        temporary.replace(self._path)
