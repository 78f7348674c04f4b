"""What the death of a worker, or an error it replies, means for the query."""

import os
import signal
from typing import Any

from kg.store.diagnosis import diagnose
from kg.store.errors import LimitReached, NotAcceptable, QueryError, UnknownFunction, Unwritable, WorkerLost
from kg.store.limits import LIMITS, Limits

__all__ = ["WorkerKilled", "failure_of_death", "failure_of_reply"]

_AT_ONCE = 0.25  # seconds within which no query is killed for its memory
_REPORT = "Please report the query that did this."


class WorkerKilled(WorkerLost):
    """Somebody killed the worker as it began: not the query's doing, so it may be asked again."""


def failure_of_death(status: int, seconds: float, limits: Limits) -> QueryError:
    """Why a worker ended in the middle of a query, by its status as of ``os.waitpid`` and the seconds it was at it (0: it never read it).

    >>> failure_of_death(signal.SIGABRT, 3.0, Limits()).limit
    'memory'
    """
    cause = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
    if cause == signal.SIGKILL and seconds < _AT_ONCE:
        return WorkerKilled("The worker was killed before it could answer.", remedy="Send the query again.")
    if cause in (signal.SIGABRT, signal.SIGKILL):
        return _out_of_memory(limits)
    if cause in (signal.SIGSEGV, signal.SIGBUS):
        return LimitReached(
            "The query is too deeply nested for the engine.",
            remedy=LIMITS["nesting"].remedy,
            limit="nesting",
            value=limits.nesting,
        )
    return WorkerLost(f"The worker ended with status {status}.", remedy=_REPORT)


def failure_of_reply(query: str, head: dict[str, Any], limits: Limits) -> QueryError:
    """The error that a worker replied, as ``kg.store.evaluation.Outcome`` names it."""
    error, message = head["error"], head["message"]
    if error == "syntax":
        return diagnose(query, message)
    if error == "not-acceptable":
        return NotAcceptable(head["kind"])
    if error == "unwritable":
        return Unwritable(message, remedy="Ask for JSON, Turtle or N-Triples.")
    if error == "function":
        return UnknownFunction(f"{message}.", remedy="Use the functions of SPARQL; check the spelling of the IRI.")
    if error == "limit" and message == "memory":
        return _out_of_memory(limits)
    if error == "limit":
        return LimitReached(
            f"The answer is larger than {limits.bytes:,} bytes.", remedy=LIMITS["bytes"].remedy, limit="bytes", value=limits.bytes
        )
    return WorkerLost(message, remedy=_REPORT)


def _out_of_memory(limits: Limits) -> LimitReached:
    return LimitReached(
        f"The query needs more than {limits.memory // (1024 * 1024):,} MiB of memory.",
        remedy=LIMITS["memory"].remedy,
        limit="memory",
        value=limits.memory,
    )
