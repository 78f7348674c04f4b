"""Asking a server that may be busy: again after what Retry-After says, or longer each time, and never for ever."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TypeVar

__all__ = ["BUSY", "Broken", "Busy", "Patience", "retry_after"]

BUSY = frozenset({429, 503})
"""Statuses that say: ask again later."""

Answer = TypeVar("Answer")


class Busy(Exception):
    """An answer that may come when it is asked for again: ``after`` so many seconds, where the server says it; ``said`` is for people."""

    def __init__(self, said: str, after: float | None = None) -> None:
        super().__init__(said)
        self.said, self.after = said, after


class Broken(Busy):
    """No whole answer: the connection broke off, or nothing came in time."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How patient one is: ``attempts`` in all, ``first`` seconds before the second where the server names none (twice as long before each
    next), and no wait longer than ``longest``."""

    attempts: int = 5
    first: float = 0.5
    longest: float = 120
    sleep: Callable[[float], None] = time.sleep

    def ask(self, once: Callable[[], Answer]) -> Answer:
        """The answer of ``once``, asked again as long as it raises ``Busy`` and patience lasts.

        >>> answers = iter([Busy("not yet", 3), "here"])
        >>> waits = []
        >>> def once():
        ...     answer = next(answers)
        ...     if isinstance(answer, Busy):
        ...         raise answer
        ...     return answer
        >>> Patience(sleep=waits.append).ask(once), waits
        ('here', [3])

        Raises:
            Busy: the last one met, when the attempts are used up or the wait is too long.
        """
        wait = self.first
        for attempt in range(1, self.attempts + 1):
            try:
                return once()
            except Busy as busy:
                asked = busy.after if busy.after is not None else wait
                if attempt == self.attempts or asked > self.longest:
                    raise
            self.sleep(asked)
            wait *= 2
        raise AssertionError("the last attempt returns or raises")


def retry_after(value: str) -> float | None:
    """The seconds of a Retry-After header, given as seconds or as a date; None where it says nothing.

    >>> retry_after("7"), retry_after("Thu, 01 Jan 1970 00:00:00 GMT"), retry_after("soon")
    (7.0, 0.0, None)
    """
    if value.strip().isdigit():
        return float(value)
    try:
        when = parsedate_to_datetime(value)
    except (TypeError, ValueError):
        return None
    return max(0.0, (when - datetime.now(UTC)).total_seconds())
