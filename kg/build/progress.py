"""Progress of long work: to a terminal as bars, into a file as lines, to programs as JSON lines."""

import json
import sys
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import IO, Protocol

__all__ = ["JsonLines", "PlainLines", "Progress", "Silent", "Step", "TerminalBars", "progress_for"]

EVERY = 5.0
"""Seconds between two lines about a step that goes on."""


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


class _Counted:
    """How far a step is: units done, units a second, seconds that are left."""

    def __init__(self, total: int | None) -> None:
        self.done, self.total, self.began = 0, total, time.monotonic()

    def advance(self, count: int) -> None:
        """Count."""
        self.done += count

    @property
    def seconds(self) -> float:
        """Since the step began."""
        return time.monotonic() - self.began

    @property
    def rate(self) -> float:
        """Units a second until now."""
        return self.done / self.seconds if self.seconds else 0.0

    @property
    def remaining(self) -> float | None:
        """Seconds that are left at this rate; None where that cannot be said."""
        if not self.total or not self.done:
            return None
        return max(0, self.total - self.done) / self.rate


class _Lines(ABC):
    """A line every few seconds while a step goes on, also where it counts nothing, and one at its end."""

    def __init__(self, out: IO[str] | None = None, every: float = EVERY) -> None:
        self._out, self._every = out, every

    @contextmanager
    def step(self, title: str, total: int | None = None, unit: str = "") -> Iterator[Step]:
        """A step that is told while it goes on and when it ends."""
        counted, ended = _Counted(total), threading.Event()

        def tell() -> None:
            while not ended.wait(self._every):
                self._print(self.line(title, unit, counted, ended=False))

        teller = threading.Thread(target=tell, name="progress", daemon=True)
        teller.start()
        try:
            yield counted
        finally:
            ended.set()
            teller.join()
        self._print(self.line(title, unit, counted, ended=True))

    def _print(self, line: str) -> None:
        print(line, file=self._out or sys.stderr, flush=True)

    @abstractmethod
    def line(self, title: str, unit: str, counted: _Counted, *, ended: bool) -> str:
        """What is printed."""


class JsonLines(_Lines):
    """JSON objects on standard error: step, seconds, units done, and while it goes on (``"state": "running"``) rate and seconds left."""

    def line(self, title: str, unit: str, counted: _Counted, *, ended: bool) -> str:
        """One object."""
        told: dict[str, object] = {
            "step": title,
            "state": "done" if ended else "running",
            "seconds": round(counted.seconds, 3),
            "done": counted.done,
            "total": counted.total,
            "unit": unit,
            "rate": round(counted.rate, 1),
        }
        if not ended and counted.remaining is not None:
            told["remaining"] = round(counted.remaining, 1)
        return json.dumps(told, ensure_ascii=False)


class PlainLines(_Lines):
    """Sentences for a log that people read.

    >>> counted = _Counted(400)
    >>> counted.advance(100); counted.began -= 10
    >>> PlainLines().line("reading Sahih al-Bukhari", "passages", counted, ended=False)
    'reading Sahih al-Bukhari: 100 of 400 passages, 10 a second, 30 s left'
    """

    def line(self, title: str, unit: str, counted: _Counted, *, ended: bool) -> str:
        """One sentence."""
        if ended:
            much = f" {counted.done:,} {unit}".rstrip() if counted.done else ""
            return f"{title}:{much}{' in' if much else ''} {counted.seconds:.1f} s"
        if not counted.done:
            return f"{title}: {counted.seconds:.0f} s"
        whole = f" of {counted.total:,}" if counted.total else ""
        left = f", {counted.remaining:.0f} s left" if counted.remaining is not None else ""
        return f"{title}: {counted.done:,}{whole} {unit}, {counted.rate:,.0f} a second{left}"


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
            TextColumn("{task.completed:,} " + unit + " {task.fields[rate]}" if unit else ""),
            TimeElapsedColumn(),
        ]
        if total:
            columns.append(TimeRemainingColumn())
        with Progress(*columns, console=Console(stderr=True)) as bars:
            counted = _Counted(total)
            task = bars.add_task(title, total=total, rate="")

            class Bar:
                def advance(self, count: int) -> None:
                    counted.advance(count)
                    bars.update(task, advance=count, rate=f"{counted.rate:,.0f}/s")

            yield Bar()
            bars.update(task, total=max(1, counted.done), completed=max(1, counted.done))


def progress_for(*, quiet: bool = False, json_lines: bool = False) -> Progress:
    """JSON lines where asked for, nothing where quiet is, bars on a terminal, lines elsewhere."""
    if json_lines:
        return JsonLines()
    if quiet:
        return Silent()
    return TerminalBars() if sys.stderr.isatty() else PlainLines()
