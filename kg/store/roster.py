"""Who among the workers is free, who is at a query, and when another is started or one is let go."""

import contextlib
import os
import signal
import threading
import time
from dataclasses import asdict
from pathlib import Path

from kg.store.errors import Busy, PoolClosed, StoreError
from kg.store.limits import LIMITS, Limits
from kg.store.processes import ForkServer, Worker

__all__ = ["Roster"]

_PATIENCE = 0.05  # seconds that every busy worker must be at its query before an extra one is started


class Roster:
    """Keeps ``size`` workers warm on the store; up to ``limits.in_flight`` run while others are busy. Safe to use from many threads."""

    def __init__(self, store: Path | str, limits: Limits, size: int) -> None:
        self.limits = limits
        self.size = min(size, limits.in_flight)
        self.store = str(Path(store).resolve())
        self._reset()
        try:
            for _ in range(self.size):
                self.idle.append(self.server.spawn(self.store, asdict(self.limits)))
                self.live += 1
        except StoreError:
            self.close(0)
            raise

    def _reset(self) -> None:
        """The state of this process; a fork of it (gunicorn with preload) starts afresh and leaves its parent's workers alone."""
        self._process = os.getpid()
        self.server = ForkServer()
        self._change = threading.Condition()
        self.idle: list[Worker] = []
        self.busy: dict[int, float] = {}  # process -> since when
        self.live = 0
        self._closed = False

    @property
    def isolated(self) -> bool:
        """Whether the system cut the workers from the network."""
        with self._change:
            return all(worker.isolated for worker in self.idle)

    def take_idle(self) -> Worker | None:
        """A free worker, now busy; None where none is free, or one would have to be started."""
        if self._process != os.getpid():
            return None
        with self._change:
            if self._closed or not self.idle or not self.idle[-1].lives():
                return None
            worker = self.idle.pop()
            self.busy[worker.pid] = time.monotonic()
            return worker

    def take(self) -> Worker:
        """A worker, now busy: a free one, a new one, or the first that comes free.

        Raises:
            Busy: none came free in time.
            PoolClosed: no more queries are taken.
        """
        if self._process != os.getpid():
            self._reset()
        until = time.monotonic() + self.limits.waiting_seconds
        dead: list[Worker] = []
        try:
            with self._change:
                while True:
                    if self._closed:
                        raise PoolClosed("No more queries are taken.", remedy="Try again in a minute.")
                    while self.idle:
                        worker = self.idle.pop()
                        if worker.lives():
                            self.busy[worker.pid] = time.monotonic()
                            return worker
                        self.live -= 1
                        dead.append(worker)
                    now = time.monotonic()
                    freed = max(self.busy.values(), default=now) + _PATIENCE  # one that was begun last ends soonest, as a rule
                    if self.live < self.size or (self.live < self.limits.in_flight and now >= freed):
                        self.live += 1
                        path = self.store
                        break
                    if now >= until:
                        raise Busy(
                            f"{self.live} queries run and none ended within {self.limits.waiting_seconds:g} seconds.",
                            remedy=LIMITS["in_flight"].remedy,
                            limit="in_flight",
                            value=self.limits.in_flight,
                        )
                    wake = until if self.live >= self.limits.in_flight else min(until, freed)
                    self._change.wait(max(wake - now, 0.001))
        finally:
            for worker in dead:
                self.server.end(worker)
        try:
            worker = self.server.spawn(path, asdict(self.limits))
        except BaseException:
            with self._change:
                self.live -= 1
                self._change.notify()
            raise
        with self._change:
            self.busy[worker.pid] = time.monotonic()
        return worker

    def give_back(self, worker: Worker, *, healthy: bool) -> None:
        """The worker's query has ended. One that is worn out, of an older version or not ``healthy`` is let go, and replaced aside."""
        worker.answered += 1
        with self._change:
            self.busy.pop(worker.pid, None)
            keep = (
                healthy
                and not self._closed
                and worker.store == self.store
                and worker.answered < self.limits.recycle_after
                and len(self.idle) < self.size
            )
            if keep:
                self.idle.append(worker)
            else:
                self.live -= 1
            self._change.notify()
            short = not self._closed and self.live < self.size
        if not keep:
            self.server.end(worker)
        if short:
            threading.Thread(target=self._refill, name="kg-refill").start()

    def _refill(self) -> None:
        """Start the worker that is missing, so that the next query need not wait for it."""
        with self._change:
            if self._closed or self.live >= self.size:
                return
            self.live += 1
            path = self.store
        try:
            worker = self.server.spawn(path, asdict(self.limits))
        except StoreError:
            with self._change:
                self.live -= 1  # the next query tries again and tells what is wrong
            return
        with self._change:
            keep = not self._closed and path == self.store
            if keep:
                self.idle.append(worker)
            else:
                self.live -= 1
            self._change.notify()
        if not keep:
            self.server.end(worker)

    def reopen(self, store: Path | str) -> bool:
        """Take another version for new queries; those that run finish on the old one. False where it is the same."""
        path = str(Path(store).resolve())
        if path == self.store:
            return False
        fresh = [self.server.spawn(path, asdict(self.limits)) for _ in range(self.size)]
        with self._change:
            old, self.idle = self.idle, fresh
            self.live += len(fresh) - len(old)
            self.store = path
            self._change.notify_all()
        for worker in old:
            self.server.end(worker)
        return True

    def close(self, drain: float) -> None:
        """Take no more queries, let those that run finish for ``drain`` seconds, then kill what is left."""
        if self._process != os.getpid():
            return
        with self._change:
            self._closed = True
            self._change.notify_all()
            until = time.monotonic() + drain
            while self.busy and (left := until - time.monotonic()) > 0:
                self._change.wait(left)
            for pid in self.busy:
                with contextlib.suppress(ProcessLookupError):  # it ended by itself just now
                    os.kill(pid, signal.SIGKILL)
            idle, self.idle = self.idle, []
        for worker in idle:
            self.server.end(worker)
        with self._change:
            until = time.monotonic() + 5
            while self.busy and (left := until - time.monotonic()) > 0:
                self._change.wait(left)
        self.server.close()
