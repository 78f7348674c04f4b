"""A pool of worker processes that answer queries and can be killed: the only way to stop a query for certain.

The engine knows no timeout and no memory bound, and some queries overflow its stack. Each query therefore runs in a process of its own
(one at a time), with a deadline kept from outside, an address-space limit, no network, and a bounded spool for its answer. A worker that
dies takes its own query with it and nothing else.
"""

import contextlib
import json
import select
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import TracebackType
from typing import Any

from kg.store import guard
from kg.store.answers import Answer, AnswerCache
from kg.store.asking import Asked
from kg.store.errors import LimitReached, QueryError
from kg.store.evaluation import Question
from kg.store.failures import WorkerKilled, failure_of_death, failure_of_reply
from kg.store.forkserver import head_of, receive, send
from kg.store.limits import LIMITS, Limits
from kg.store.processes import Worker
from kg.store.roster import Roster

__all__ = ["QueryPool", "Running"]

_LOOK = 0.25  # seconds between questions whether the asker has gone


@dataclass(slots=True)
class Running:
    """A question that a worker is at, since ``started``; ``key`` is what its answer is kept under, None where it changes by itself.

    Of one that was dead before the question reached it, ``reached`` is False.
    """

    worker: Worker
    question: Question
    started: float
    key: Question | None
    reached: bool = True

    @property
    def link(self) -> socket.socket:
        """Can be read when the answer is there, or the worker dead."""
        return self.worker.link


class QueryPool(Asked):
    """Runs queries on the store of one version of the data.

    ``size`` workers are kept warm; up to ``limits.in_flight`` run while others are busy. Safe to use from many threads. Close it, or use
    it as a context manager.
    """

    def __init__(self, store: Path | str, limits: Limits | None = None, size: int = 2) -> None:
        self.limits = limits or Limits()
        self.roster = Roster(store, self.limits, size)
        self._cache = AnswerCache(self.limits.cache_bytes)

    @property
    def size(self) -> int:
        """How many workers are kept warm."""
        return self.roster.size

    @property
    def store(self) -> str:
        """The folder of the store that new queries see."""
        return self.roster.store

    @property
    def isolated(self) -> bool:
        """Whether the system cut the workers from the network."""
        return self.roster.isolated

    def ask(self, question: Question, cancelled: Callable[[], bool] | None = None) -> Answer:
        """``run`` for a question that is put together already; waits for a free worker."""
        for _ in range(self.roster.size):  # somebody may have killed every worker that was kept warm
            with contextlib.suppress(WorkerKilled):
                return self._asked(question, cancelled)
        return self._asked(question, cancelled)

    def start(self, question: Question) -> Answer | Running | None:
        """Never waits: the answer if it is kept, else the question as a free worker begins on it, else None.

        What runs must be given to ``finish``, at best when its link can be read.
        """
        return self._begin(question, self.roster.take_idle)

    def _asked(self, question: Question, cancelled: Callable[[], bool] | None) -> Answer:
        started = self._begin(question, self.roster.take)
        if isinstance(started, Answer):
            return started
        assert started is not None  # a worker is waited for
        return self.finish(started, cancelled)

    def _begin(self, question: Question, take: Callable[[], Worker | None]) -> Answer | Running | None:
        kept = self._cache.get((self.roster.store, question))
        if kept is not None:
            return kept
        seen = guard.inspect(question.query, self.limits)
        worker = take()
        if worker is None:
            return None
        running = Running(worker, question, time.monotonic(), question if seen.repeatable else None)
        worker.link.settimeout(self.limits.seconds + 5)
        told = _told if question.default_graphs or question.named_graphs else _remembered
        head = told(
            question.base,
            question.default_graphs,
            question.named_graphs,
            not seen.names_dataset,
            question.result_format,
            question.graph_format,
            question.prefixes,
            min(question.rows, self.limits.rows),
        )
        try:
            send(worker.link, head, question.query.encode("utf-8", "surrogatepass"))
        except ConnectionError:
            running.reached = False  # it has died: ``finish`` finds out of what
        except BaseException:
            self.give_up(running)
            raise
        return running

    def finish(self, running: Running, cancelled: Callable[[], bool] | None = None, *, ready: bool = False) -> Answer:
        """The answer, waited for until the limit of time is reached (unless it is ``ready``); the worker is free again."""
        worker, healthy = running.worker, False
        try:
            head, body, file = self._wait(running, cancelled, ready)
            healthy = head.get("error") != "limit" or head.get("message") != "memory"
            if head.get("error"):
                raise failure_of_reply(running.question.query, head, self.limits)
        except QueryError as error:
            error.seconds = time.monotonic() - running.started
            raise
        finally:
            self.roster.give_back(worker, healthy=healthy)
        answer = Answer(
            kind=head["kind"],
            format=head["format"],
            size=len(body) if file is None else head["length"],
            body=body if file is None else None,
            file=file,
            cut=head["cut"],
            seconds=time.monotonic() - running.started,
        )
        if running.key is not None and self.limits.cache_bytes:
            self._cache.put((worker.store, running.key), answer, 4 * len(running.key.query))
        return answer

    def give_up(self, running: Running) -> None:
        """Stop what runs; nobody waits for it."""
        self.roster.server.end(running.worker)
        self.roster.give_back(running.worker, healthy=False)

    def graphs(self) -> list[str]:
        """The IRIs of the named graphs, sorted."""
        answer = self.run("SELECT DISTINCT ?g { GRAPH ?g {} } ORDER BY ?g", result_format="json")
        return [row["g"]["value"] for row in json.loads(answer.read())["results"]["bindings"]]

    def reopen(self, store: Path | str) -> None:
        """Answer from another version from now on; queries that run finish on the old one."""
        if self.roster.reopen(store):
            self._cache.clear()

    def close(self, drain: float = 10.0) -> None:
        """Take no more queries, let those that run finish for ``drain`` seconds, then kill what is left."""
        self.roster.close(drain)

    def __enter__(self) -> "QueryPool":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def _wait(
        self, running: Running, cancelled: Callable[[], bool] | None, ready: bool
    ) -> tuple[dict[str, Any], bytes, int | None]:
        worker, server = running.worker, self.roster.server
        until = running.started + self.limits.seconds
        try:
            poll = None if ready else select.poll()
            if poll is not None:
                poll.register(worker.link, select.POLLIN)
            while poll is not None and not poll.poll(max(0.0, min(until - time.monotonic(), _LOOK if cancelled else 1e6)) * 1000):
                if time.monotonic() >= until:
                    raise LimitReached(
                        f"The query ran for {self.limits.seconds:g} seconds and was stopped.",
                        remedy=LIMITS["seconds"].remedy,
                        limit="seconds",
                        value=self.limits.seconds,
                    )
                if cancelled is not None and cancelled():
                    raise QueryError("The client went away; the query was stopped.")
            return receive(worker.link)
        except (EOFError, ConnectionError) as error:
            worker.link.close()
            status = server.wait(worker.pid)
            reached = running.reached and isinstance(error, EOFError)  # a reset link holds what its other end never read
            raise failure_of_death(status, time.monotonic() - running.started if reached else 0, self.limits) from error
        except BaseException:
            server.end(worker)
            raise


def _told(*fields: Any) -> bytes:
    """What a worker is told of a question beside the query itself: the fields of ``Question`` after it."""
    return head_of(dict(zip(Question.__slots__[1:], fields, strict=True)))


_remembered = lru_cache(maxsize=256)(_told)  # of a client's many questions only the query differs
