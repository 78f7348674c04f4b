"""The dumps of a build, packed by processes of their own while further graphs are written and loaded."""

from concurrent.futures import Future
from pathlib import Path
from typing import Any

from kg.build.processes import Helpers
from kg.graph.packing import join_graphs, pack_graph

__all__ = ["Packing"]


class Packing:
    """Packs each graph as it is complete; they leave the processor to those for whom the build waits. A context manager.

    Raises:
        OSError: on ``finish``, where a file could not be packed.
    """

    def __init__(self, dumps: Path, workers: int) -> None:
        self._dumps = dumps
        self._helpers = Helpers(max(1, workers // 2), in_turn=workers == 1, patient=True)
        self._given: dict[Path, Future[Any]] = {}

    def __enter__(self) -> "Packing":
        return self

    def __exit__(self, *error: object) -> None:
        self._helpers.__exit__(*error)

    def add(self, file: Path) -> None:
        """Have the complete N-Quads and Turtle of a graph packed."""
        self._given[file] = self._helpers.submit(pack_graph, file)

    def finish(self) -> None:
        """Wait until all are packed and joined, and take the plain files away."""
        join_graphs(self._dumps, [self._given[file].result() for file in sorted(self._given)])
        for file in self._given:
            file.unlink()
            file.with_suffix(".ttl").unlink()
