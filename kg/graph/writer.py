"""One named graph on its way to disk: sorted N-Quads and Turtle grouped by subject, in one pass and bounded memory.

Units (a subject and all that the graph says of it) are written to text at once and kept in memory up to a limit, then
spilled as sorted runs and merged at the end. Lines come out in byte order, so that equal graphs are equal files.
"""

import heapq
import pickle
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import IO

from kg.graph.terms import PREFIXES, Statements, Term, name

__all__ = ["GraphError", "GraphWriter", "Shape", "turtle_header", "turtle_of"]

_TYPE = name("rdf:type")
_LIMIT = 24_000_000  # bytes of text held by one graph before a run is spilled

Shape = tuple[tuple[str, ...], tuple[str, ...]]
"""What a subject looks like: its classes and, once for each statement, its properties (both as full IRIs in brackets)."""

Block = tuple[bytes, bytes, bytes]
"""Subject, N-Quads lines, Turtle text."""


class GraphError(ValueError):
    """The graph cannot be written as it should be: says which thing, and what to do."""


def turtle_header(base: str, prefixes: Iterable[str] = PREFIXES) -> str:
    """``@base`` and ``@prefix`` lines."""
    lines = [f"@base <{base}> ."]
    lines += [f"@prefix {prefix}: <{PREFIXES[prefix]}> ." for prefix in prefixes]
    return "\n".join(lines) + "\n\n"


def turtle_of(subject: Term, statements: Statements) -> str:
    """One subject in Turtle, a property a line, objects of one property together."""
    grouped: dict[str, list[str]] = {}
    for predicate, value in statements:
        objects = grouped.setdefault(predicate.ttl, [])
        objects.append(value.ttl)
    lines = []
    for predicate_text, objects in grouped.items():
        lines.append(f"{predicate_text} {', '.join(dict.fromkeys(objects)) if len(objects) > 1 else objects[0]}")
    return subject.ttl + " " + " ;\n    ".join(lines) + " .\n\n"


class GraphWriter:
    """Collects the units of one graph and writes ``{stem}.nq`` and ``{stem}.ttl``.

    ``shapes`` counts subjects by what they look like: the description of the data set is made of it. Leaving the ``with``
    block removes what was spilled.
    """

    def __init__(self, folder: Path, stem: str, graph: Term, base: str, limit: int = _LIMIT) -> None:
        self.stem, self.graph = stem, graph
        self.quads = 0
        self.shapes: Counter[Shape] = Counter()
        self._folder, self._base, self._limit = folder, base, limit
        self._blocks: list[Block] = []
        self._held = 0
        self._runs: list[IO[bytes]] = []
        self._ending = f" {graph.nt} .\n"

    def __enter__(self) -> "GraphWriter":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        for run in self._runs:
            run.close()

    def add(self, subject: Term, statements: Statements) -> None:
        """One unit. A statement said twice counts once; a subject must come once only."""
        start, ending = subject.nt + " ", self._ending
        lines = [start + predicate.nt + " " + value.nt + ending for predicate, value in statements]
        lines.sort()
        if any(map(str.__eq__, lines, lines[1:])):
            statements = list(dict.fromkeys(statements))
            lines = sorted(set(lines))
        self.quads += len(lines)
        self.shapes[
            tuple([value.nt for predicate, value in statements if predicate is _TYPE]),
            tuple([predicate.nt for predicate, _ in statements]),
        ] += 1
        block = (start.encode(), "".join(lines).encode(), turtle_of(subject, statements).encode())
        self._blocks.append(block)
        self._held += len(block[1]) + len(block[2])
        if self._held > self._limit:
            self._spill()

    def _spill(self) -> None:
        self._blocks.sort()
        run = tempfile.TemporaryFile(dir=self._folder)  # noqa: SIM115 (closed on leaving the with block)
        for block in self._blocks:
            pickle.dump(block, run, pickle.HIGHEST_PROTOCOL)
        run.seek(0)
        self._runs.append(run)
        self._blocks, self._held = [], 0

    def finish(self) -> tuple[Path, Path]:
        """Writes both files.

        Raises:
            GraphError: two units have the same subject.
        """
        self._blocks.sort()
        blocks: Iterable[Block] = self._blocks
        if self._runs:
            blocks = heapq.merge(*(_read_run(run) for run in self._runs), self._blocks)
        quads, turtle = self._folder / f"{self.stem}.nq", self._folder / f"{self.stem}.ttl"
        before = b""
        with quads.open("wb") as nq, turtle.open("wb") as ttl:
            ttl.write(turtle_header(self._base).encode())
            for subject, lines, text in blocks:
                if subject == before:
                    raise GraphError(
                        f"{subject.decode().strip()} is described twice in {self.graph.nt}: ids must be unique in a source"
                    )
                before = subject
                nq.write(lines)
                ttl.write(text)
        self._blocks = []
        return quads, turtle


def _read_run(run: IO[bytes]) -> Iterator[Block]:
    while True:
        try:
            yield pickle.load(run)
        except EOFError:
            return
