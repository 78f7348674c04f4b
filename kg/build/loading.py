"""The store of a build, loaded by a process of its own while the graph is still being written."""

from concurrent.futures import Future
from pathlib import Path
from typing import Any

from kg.build.processes import Helpers
from kg.store.embedded import StoreLoader

__all__ = ["Loading"]

_loader: StoreLoader | None = None


def _open(path: Path) -> None:
    global _loader
    _loader = StoreLoader(path)


def _add(file: Path) -> None:
    assert _loader is not None, "the loading process was not begun"
    _loader.add(file)


def _finish() -> None:
    global _loader
    assert _loader is not None, "the loading process was not begun"
    _loader.finish()
    _loader = None


class Loading:
    """Loads files in the order in which they are given, beside whoever writes the next. A context manager.

    Raises:
        StoreError: on ``finish``, where a file could not be loaded.
    """

    def __init__(self, path: Path, *, in_turn: bool = False) -> None:
        self._helper = Helpers(1, _open, (path,), in_turn=in_turn)
        self._given: list[Future[Any]] = []

    def __enter__(self) -> "Loading":
        return self

    def __exit__(self, *error: object) -> None:
        self._helper.__exit__(*error)

    def add(self, file: Path) -> None:
        """Have a complete file loaded."""
        self._given.append(self._helper.submit(_add, file))

    def finish(self) -> None:
        """Wait until all is loaded and the store is closed."""
        for future in self._given:
            future.result()
        self._helper.submit(_finish).result()
