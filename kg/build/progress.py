"""Progress of long work: to a terminal as bars, to a log as JSON lines on demand, else not at all."""

import json
import sys
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol

__all__ = ["JsonLines", "Progress", "Silent", "Step", "TerminalBars", "progress_for"]


class Step(Protocol):
    """One step of the work."""

    def advance(self, count: int) -> None:
        """``count`` more units are done."""


class Progress(Protocol):
    """Where progress is told."""

    def step(self, title: str, total: int | None = None, unit: str = "") -> AbstractContextManager[Step]:
        """A step of the work, as a context manager that gives a ``Step``."""


class _Nothing:
    def advance(self, count: int) -> None:
        """Nothing is told."""


class Silent:
    """Tells nothing."""

    @contextmanager
    def step(self, title: str, total: int | None = None, unit: str = "") -> Iterator[Step]:
        """A step that is not told."""
        yield _Nothing()


class JsonLines:
    """One JSON object a step on standard error: title, seconds, units done."""

    @contextmanager
    def step(self, title: str, total: int | None = None, unit: str = "") -> Iterator[Step]:
        """A step that is told when it ends."""
        counted = _Counted()
        began = time.monotonic()
        yield counted
        seconds = time.monotonic() - began
        line = {"step": title, "seconds": round(seconds, 3), "done": counted.done, "unit": unit}
        print(json.dumps(line, ensure_ascii=False), file=sys.stderr, flush=True)


class _Counted:
    def __init__(self) -> None:
        self.done = 0

    def advance(self, count: int) -> None:
        """Count."""
        self.done += count


class TerminalBars:
    """Bars on standard error, with rate and remaining time where the total is known."""

    @contextmanager
    def step(self, title: str, total: int | None = None, unit: str = "") -> Iterator[Step]:
        """A step with its bar."""
        from rich.console import Console
        from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn

        columns = [
            SpinnerColumn(),
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.completed:,} " + unit if unit else ""),
            TimeElapsedColumn(),
        ]
        if total:
            columns.append(TimeRemainingColumn())
        with Progress(*columns, console=Console(stderr=True)) as bars:
            task = bars.add_task(title, total=total)

            class Bar:
                def advance(self, count: int) -> None:
                    bars.advance(task, count)

            yield Bar()
            bars.update(task, total=max(1, int(bars.tasks[0].completed)), completed=max(1, int(bars.tasks[0].completed)))


def progress_for(*, quiet: bool = False, json_lines: bool = False) -> Progress:
    """Bars on a terminal, JSON lines where asked for, else nothing."""
    if json_lines:
        return JsonLines()
    if quiet or not sys.stderr.isatty():
        return Silent()
    return TerminalBars()
