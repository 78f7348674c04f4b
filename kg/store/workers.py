"""A pool of worker processes that answer queries and can be killed: the only way to stop a query for certain.

The engine knows no timeout and no memory bound, and some queries overflow its stack. Each query therefore runs in a process of its own
(one at a time), with a deadline kept from outside, an address-space limit, no network, and a bounded spool for its answer. A worker that
dies takes its own query with it and nothing else.
"""

import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

from kg.store import guard
from kg.store.answers import Answer, AnswerCache
from kg.store.diagnosis import diagnose
from kg.store.errors import (
    Busy,
    LimitReached,
    NotAcceptable,
    PoolClosed,
    QueryError,
    StoreError,
    UnknownFunction,
    Unwritable,
    WorkerLost,
)
from kg.store.evaluation import Question
from kg.store.forkserver import receive, send
from kg.store.limits import LIMITS, Limits

__all__ = ["QueryPool"]

_PATIENCE = 0.05  # seconds that every busy worker must be at its query before an extra one is started
_AT_ONCE = 0.25  # seconds within which no query is killed for its memory
_READY = 60.0  # seconds a worker may take to open its store
_START = "import json, sys; sys.path[:] = json.loads(sys.argv[2]); from kg.store.forkserver import main; main(int(sys.argv[1]))"


class _Lost(WorkerLost):
    """Somebody killed the worker as it began: not the query's doing, so it may be asked again."""


@dataclass(slots=True)
class _Worker:
    pid: int
    link: socket.socket
    store: str
    isolated: bool = False
    answered: int = 0

    def lives(self) -> bool:
        """An idle worker says nothing: if its link can be read, it has ended."""
        return not select.select([self.link], [], [], 0)[0]


class QueryPool:
    """Runs queries on the store of one version of the data.

    ``size`` workers are kept warm; up to ``limits.in_flight`` run while others are busy. Safe to use from many threads. Close it, or use
    it as a context manager.
    """

    _idle: list[_Worker]

    def __init__(self, store: Path | str, limits: Limits | None = None, size: int = 2) -> None:
        self.limits = limits or Limits()
        self.size = min(size, self.limits.in_flight)
        self._store = str(Path(store).resolve())
        self._cache = AnswerCache(self.limits.cache_bytes)
        self._reset()
        try:
            self._idle = [self._spawn(self._store) for _ in range(self.size)]
            self._live = len(self._idle)
        except StoreError:
            self.close(0)
            raise

    def _reset(self) -> None:
        """The state of this process; a fork of it (gunicorn with preload) starts afresh and leaves its parent's workers alone."""
        self._process = os.getpid()
        self._server = _ForkServer()
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
        except _Lost:
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
                raise self._failure(question.query, head)
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
        fresh = [self._spawn(path) for _ in range(self.size)]
        with self._change:
            old, self._idle = self._idle, fresh
            self._live += len(fresh) - len(old)
            self._store = path
            self._change.notify_all()
        self._cache.clear()
        for worker in old:
            self._end(worker)

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
                os.kill(pid, signal.SIGKILL)
            idle, self._idle = self._idle, []
        for worker in idle:
            self._end(worker)
        with self._change:
            until = time.monotonic() + 5
            while self._busy and (left := until - time.monotonic()) > 0:
                self._change.wait(left)
        self._server.close()

    def __enter__(self) -> "QueryPool":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def _acquire(self) -> _Worker:
        if self._process != os.getpid():
            self._reset()
        until = time.monotonic() + self.limits.waiting_seconds
        dead: list[_Worker] = []
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
                self._end(worker)
        try:
            worker = self._spawn(path)
        except BaseException:
            with self._change:
                self._live -= 1
                self._change.notify()
            raise
        with self._change:
            self._busy[worker.pid] = time.monotonic()
        return worker

    def _release(self, worker: _Worker, *, healthy: bool) -> None:
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
            self._end(worker)
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
            worker = self._spawn(path)
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
            self._end(worker)

    def _ask(
        self, worker: _Worker, question: Question, started: float, cancelled: Callable[[], bool] | None
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
            raise self._death(status, at_once=time.monotonic() - started < _AT_ONCE) from error
        except BaseException:
            self._end(worker)
            raise

    def _death(self, status: int, at_once: bool) -> QueryError:
        """Why a worker ended in the middle of a query."""
        cause = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
        if cause == signal.SIGKILL and at_once:
            return _Lost("The worker was killed before it could answer.", remedy="Send the query again.")
        if cause in (signal.SIGABRT, signal.SIGKILL):
            return self._out_of_memory()
        if cause in (signal.SIGSEGV, signal.SIGBUS):
            return LimitReached(
                "The query is too deeply nested for the engine.",
                remedy=LIMITS["nesting"].remedy,
                limit="nesting",
                value=self.limits.nesting,
            )
        return WorkerLost(f"The worker ended with status {status}.", remedy="Please report the query that did this.")

    def _out_of_memory(self) -> LimitReached:
        return LimitReached(
            f"The query needs more than {self.limits.memory // (1024 * 1024):,} MiB of memory.",
            remedy=LIMITS["memory"].remedy,
            limit="memory",
            value=self.limits.memory,
        )

    def _failure(self, query: str, head: dict[str, Any]) -> QueryError:
        error, message = head["error"], head["message"]
        if error == "syntax":
            return diagnose(query, message)
        if error == "not-acceptable":
            return NotAcceptable(head["kind"])
        if error == "unwritable":
            return Unwritable(message, remedy="Ask for Turtle or N-Triples.")
        if error == "function":
            return UnknownFunction(f"{message}.", remedy="Use the functions of SPARQL; check the spelling of the IRI.")
        if error == "limit" and message == "memory":
            return self._out_of_memory()
        if error == "limit":
            return LimitReached(
                f"The answer is larger than {self.limits.bytes:,} bytes.",
                remedy=LIMITS["bytes"].remedy,
                limit="bytes",
                value=self.limits.bytes,
            )
        return WorkerLost(message, remedy="Please report the query that did this.")

    def _spawn(self, path: str) -> _Worker:
        pid, link = self._server.fork(path, asdict(self.limits))
        link.settimeout(_READY)
        worker = _Worker(pid, link, path)
        try:
            head, _, _ = receive(link)
        except (EOFError, OSError) as error:
            self._end(worker)
            raise StoreError(f"a query worker for {path} ended before it was ready") from error
        if head.get("error"):
            self._end(worker)
            raise StoreError(f"{path} cannot be opened as a store ({head['message']}): build it again with 'kg build'")
        worker.isolated = head["isolated"]
        return worker

    def _end(self, worker: _Worker) -> None:
        """Kill a worker unless it was ended before; an idle one has nothing to lose."""
        if worker.link.fileno() >= 0:
            worker.link.close()
            self._server.kill(worker.pid)


class _ForkServer:
    """The far end of ``kg.store.forkserver``; started again should it be killed."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None

    def fork(self, store: str, limits: dict[str, Any]) -> tuple[int, socket.socket]:
        """A new worker: its process and our end of its link."""
        ours, theirs = socket.socketpair()
        with theirs:
            try:
                return self._request({"do": "fork", "store": store, "limits": limits}, theirs.fileno())["pid"], ours
            except BaseException:
                ours.close()
                raise

    def wait(self, pid: int) -> int:
        """The status of a worker that has ended."""
        return int(self._request({"do": "wait", "pid": pid})["status"])

    def kill(self, pid: int) -> None:
        """End a worker; does not wait for it."""
        self._request({"do": "kill", "pid": pid})

    def close(self) -> None:
        """End the process and, with it, every worker."""
        with self._lock:
            if self._control is not None:
                self._control.close()
                self._control = None
            if self._process is not None:
                self._process.wait()
                self._process = None

    def _request(self, message: dict[str, Any], *files: int) -> dict[str, Any]:
        data = json.dumps(message).encode()
        with self._lock:
            for attempt in (1, 2):
                control = self._control or self._start()
                try:
                    socket.send_fds(control, [data], files) if files else control.send(data)
                    reply = control.recv(4096)
                except OSError:
                    reply = b""
                if reply:
                    return dict(json.loads(reply))
                control.close()  # it was killed, and its workers with it
                self._control = None
                if self._process is not None:
                    self._process.wait()
                if message["do"] != "fork":
                    return {"status": signal.SIGKILL}
                if attempt == 2:
                    break
        raise StoreError("the process that starts query workers ends at once: is pyoxigraph installed?")

    def _start(self) -> socket.socket:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        paths = json.dumps([os.path.abspath(path) for path in sys.path])
        environment = {name: os.environ[name] for name in ("PATH", "TMPDIR", "LANG") if name in os.environ}
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-c", _START, str(theirs.fileno()), paths],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                env={**environment, "MALLOC_ARENA_MAX": "2"},
            )
        self._control = ours
        return ours
