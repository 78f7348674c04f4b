"""A pool of worker processes that answer queries and can be killed: the only way to stop a query for certain.

The engine knows no timeout and no memory bound, and some queries overflow its stack. Each query therefore runs in a process of its own
(one at a time), with a deadline kept from outside, an address-space limit, no network, and a bounded spool for its answer. A worker that
dies takes its own query with it and nothing else.
"""

import contextlib
import json
import os
import select
import signal
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict
from pathlib import Path
from types import TracebackType
from typing import Any

from kg.store import guard
from kg.store.answers import Answer, AnswerCache
from kg.store.errors import Busy, LimitReached, PoolClosed, QueryError, StoreError
from kg.store.evaluation import Question
from kg.store.failures import WorkerKilled, failure_of_death, failure_of_reply
from kg.store.forkserver import receive, send
from kg.store.limits import LIMITS, Limits
from kg.store.processes import ForkServer, Worker

__all__ = ["QueryPool"]

_PATIENCE = 0.05  # seconds that every busy worker must be at its query before an extra one is started


class QueryPool:
    """Runs queries on the store of one version of the data.

    ``size`` workers are kept warm; up to ``limits.in_flight`` run while others are busy. Safe to use from many threads. Close it, or use
    it as a context manager.
    """

    _idle: list[Worker]

    def __init__(self, store: Path | str, limits: Limits | None = None, size: int = 2) -> None:
        self.limits = limits or Limits()
        self.size = min(size, self.limits.in_flight)
        self._store = str(Path(store).resolve())
        self._cache = AnswerCache(self.limits.cache_bytes)
        self._reset()
        try:
            self._idle = [self._server.spawn(self._store, asdict(self.limits)) for _ in range(self.size)]
            self._live = len(self._idle)
        except StoreError:
            self.close(0)
            raise

    def _reset(self) -> None:
        """The state of this process; a fork of it (gunicorn with preload) starts afresh and leaves its parent's workers alone."""
        self._process = os.getpid()
        self._server = ForkServer()
        self._change = threading.Condition()
        self._idle = []
        self._busy: dict[int, float] = {}  # process -> since when
        self._live = 0
        self._closed = False

    @property
    def store(self) -> str:
        """The folder of the store that new queries see."""
        return self._store

    @property
    def isolated(self) -> bool:
        """Whether the system cut the workers from the network."""
        with self._change:
            return all(worker.isolated for worker in self._idle)

    def run(
        self,
        query: str,
        *,
        base: str | None = None,
        default_graphs: Iterable[str] = (),
        named_graphs: Iterable[str] = (),
        result_format: str | None = "json",
        graph_format: str | None = "turtle",
        prefixes: Iterable[tuple[str, str]] = (),
        rows: int | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> Answer:
        """The answer of a query.

        Without a dataset, in the query or in ``default_graphs`` and ``named_graphs``, the default graph is the union of the named graphs.
        A graph that is not in the store is empty; nothing is ever fetched. ``prefixes`` shorten Turtle. ``rows`` cuts the answer
        earlier than the limit does. ``cancelled`` is asked a few times a second; when it says so, the query is stopped.

        Raises:
            QueryError: one of its kinds; the query got no answer.
        """
        seen = guard.inspect(query, self.limits)
        question = Question(
            query=query,
            base=base,
            default_graphs=tuple(default_graphs),
            named_graphs=tuple(named_graphs),
            union=not seen.names_dataset,
            result_format=result_format,
            graph_format=graph_format,
            prefixes=tuple(prefixes),
            rows=min(rows or self.limits.rows, self.limits.rows),
        )
        store = self._store
        if seen.repeatable and (kept := self._cache.get((store, question))) is not None:
            return kept
        started = time.monotonic()
        try:
            store, head, body, file = self._answered(question, cancelled)
        except WorkerKilled:
            store, head, body, file = self._answered(question, cancelled)
        answer = Answer(
            kind=head["kind"],
            format=head["format"],
            size=len(body) if file is None else head["length"],
            body=body if file is None else None,
            file=file,
            cut=head["cut"],
            seconds=time.monotonic() - started,
        )
        if seen.repeatable and self.limits.cache_bytes:
            self._cache.put((store, question), answer)
        return answer

    def graphs(self) -> list[str]:
        """The IRIs of the named graphs, sorted."""
        answer = self.run("SELECT DISTINCT ?g { GRAPH ?g {} } ORDER BY ?g", result_format="json")
        return [row["g"]["value"] for row in json.loads(answer.read())["results"]["bindings"]]

    def _answered(
        self, question: Question, cancelled: Callable[[], bool] | None
    ) -> tuple[str, dict[str, Any], bytes, int | None]:
        """A worker's reply, and the store it read."""
        worker = self._acquire()
        healthy = False
        started = time.monotonic()
        try:
            head, body, file = self._ask(worker, question, started, cancelled)
            healthy = head.get("error") != "limit" or head.get("message") != "memory"
            if head.get("error"):
                raise failure_of_reply(question.query, head, self.limits)
            return worker.store, head, body, file
        except QueryError as error:
            error.seconds = time.monotonic() - started
            raise
        finally:
            self._release(worker, healthy=healthy)

    def reopen(self, store: Path | str) -> None:
        """Answer from another version from now on; queries that run finish on the old one."""
        path = str(Path(store).resolve())
        if path == self._store:
            return
        fresh = [self._server.spawn(path, asdict(self.limits)) for _ in range(self.size)]
        with self._change:
            old, self._idle = self._idle, fresh
            self._live += len(fresh) - len(old)
            self._store = path
            self._change.notify_all()
        self._cache.clear()
        for worker in old:
            self._server.end(worker)

    def close(self, drain: float = 10.0) -> None:
        """Take no more queries, let those that run finish for ``drain`` seconds, then kill what is left."""
        if self._process != os.getpid():
            return
        with self._change:
            self._closed = True
            self._change.notify_all()
            until = time.monotonic() + drain
            while self._busy and (left := until - time.monotonic()) > 0:
                self._change.wait(left)
            for pid in self._busy:
                with contextlib.suppress(ProcessLookupError):  # it ended by itself just now
                    os.kill(pid, signal.SIGKILL)
            idle, self._idle = self._idle, []
        for worker in idle:
            self._server.end(worker)
        with self._change:
            until = time.monotonic() + 5
            while self._busy and (left := until - time.monotonic()) > 0:
                self._change.wait(left)
        self._server.close()

    def __enter__(self) -> "QueryPool":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def _acquire(self) -> Worker:
        if self._process != os.getpid():
            self._reset()
        until = time.monotonic() + self.limits.waiting_seconds
        dead: list[Worker] = []
        try:
            with self._change:
                while True:
                    if self._closed:
                        raise PoolClosed("No more queries are taken.", remedy="Try again in a minute.")
                    while self._idle:
                        worker = self._idle.pop()
                        if worker.lives():
                            self._busy[worker.pid] = time.monotonic()
                            return worker
                        self._live -= 1
                        dead.append(worker)
                    now = time.monotonic()
                    freed = max(self._busy.values(), default=now) + _PATIENCE  # one that was begun last ends soonest, as a rule
                    if self._live < self.size or (self._live < self.limits.in_flight and now >= freed):
                        self._live += 1
                        path = self._store
                        break
                    if now >= until:
                        raise Busy(
                            f"{self._live} queries run and none ended within {self.limits.waiting_seconds:g} seconds.",
                            remedy=LIMITS["in_flight"].remedy,
                            limit="in_flight",
                            value=self.limits.in_flight,
                        )
                    wake = until if self._live >= self.limits.in_flight else min(until, freed)
                    self._change.wait(max(wake - now, 0.001))
        finally:
            for worker in dead:
                self._server.end(worker)
        try:
            worker = self._server.spawn(path, asdict(self.limits))
        except BaseException:
            with self._change:
                self._live -= 1
                self._change.notify()
            raise
        with self._change:
            self._busy[worker.pid] = time.monotonic()
        return worker

    def _release(self, worker: Worker, *, healthy: bool) -> None:
        worker.answered += 1
        with self._change:
            self._busy.pop(worker.pid, None)
            keep = (
                healthy
                and not self._closed
                and worker.store == self._store
                and worker.answered < self.limits.recycle_after
                and len(self._idle) < self.size
            )
            if keep:
                self._idle.append(worker)
            else:
                self._live -= 1
            self._change.notify()
            short = not self._closed and self._live < self.size
        if not keep:
            self._server.end(worker)
        if short:
            self._refill()

    def _refill(self) -> None:
        """Start the worker that is missing, so that the next query need not wait for it."""
        with self._change:
            if self._closed or self._live >= self.size:
                return
            self._live += 1
            path = self._store
        try:
            worker = self._server.spawn(path, asdict(self.limits))
        except StoreError:
            with self._change:
                self._live -= 1  # the next query tries again and tells what is wrong
            return
        with self._change:
            keep = not self._closed and path == self._store
            if keep:
                self._idle.append(worker)
            else:
                self._live -= 1
            self._change.notify()
        if not keep:
            self._server.end(worker)

    def _ask(
        self, worker: Worker, question: Question, started: float, cancelled: Callable[[], bool] | None
    ) -> tuple[dict[str, Any], bytes, int | None]:
        fields = {name: getattr(question, name) for name in question.__slots__ if name != "query"}
        text = question.query.encode("utf-8", "surrogatepass")
        until = started + self.limits.seconds
        worker.link.settimeout(self.limits.seconds + 5)
        try:
            send(worker.link, {"question": fields}, text)
            poll = select.poll()
            poll.register(worker.link, select.POLLIN)
            while not poll.poll(max(0.0, min(until - time.monotonic(), 0.25 if cancelled else 1e6)) * 1000):
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
            status = self._server.wait(worker.pid)
            raise failure_of_death(status, time.monotonic() - started, self.limits) from error
        except BaseException:
            self._server.end(worker)
            raise
