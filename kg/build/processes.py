"""Processes that help a build. They start clean: the caller's own script is not run again in them."""

import os
import signal
import sys
import threading
import types
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from multiprocessing import get_context, parent_process
from typing import Any

__all__ = ["Helpers"]

_PATIENT = 5  # of nice(1)


class Helpers:
    """A pool of ``count`` processes; each calls ``begin(*arguments)`` once. A context manager.

    With ``in_turn`` the caller waits for each piece of work, so that no two processes are busy at once; ``patient`` ones leave the
    processor to all others.
    """

    def __init__(
        self,
        count: int,
        begin: Callable[..., object] | None = None,
        arguments: tuple[Any, ...] = (),
        *,
        in_turn: bool = False,
        patient: bool = False,
    ) -> None:
        self._in_turn = in_turn
        self._pool = ProcessPoolExecutor(
            count, mp_context=get_context("forkserver"), initializer=_start, initargs=(patient, begin, arguments)
        )

    def __enter__(self) -> "Helpers":
        return self

    def __exit__(self, *error: object) -> None:
        self._pool.shutdown(cancel_futures=True)

    def submit(self, work: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """Have a function of a module called in one of the processes."""
        with _apart_from_main():
            future = self._pool.submit(work, *arguments)
        if self._in_turn:
            wait([future])
        return future


def _start(patient: bool, begin: Callable[..., object] | None, arguments: tuple[Any, ...]) -> None:
    # Ctrl-C in a terminal reaches every process; the one that builds ends its helpers and says so once.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, name="parent", daemon=True).start()
    if patient and hasattr(os, "nice"):
        os.nice(_PATIENT)
    if begin is not None:
        begin(*arguments)


def _end_with_parent() -> None:
    # A build that is killed cannot end its helpers: each waits for its end, which closes a pipe between the two.
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


@contextmanager
def _apart_from_main() -> Iterator[None]:
    # multiprocessing runs the main module's file again in every process that it starts; a script without the
    # __main__ guard would build again in each, and one read from standard input cannot be run at all.
    main = sys.modules["__main__"]
    sys.modules["__main__"] = types.ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main
