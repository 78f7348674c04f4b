"""Figures for Prometheus: requests by room of the site and status, query time, what runs, what was refused by which limit.

Where several processes serve (gunicorn), ``PROMETHEUS_MULTIPROC_DIR`` names an empty folder that they share; each then tells the sum of
all (docs/scaling.md). Without it a process tells its own.
"""

import contextlib
import os
import re
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from flask import Flask, Response, g, request
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, Metric, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

from kg import __version__

__all__ = ["CONTENT_TYPE", "Metrics"]

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_SHARED = "PROMETHEUS_MULTIPROC_DIR"
_QUERY_TIME = re.compile(r"\bquery;dur=([\d.]+)")
_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)


class Metrics:
    """The figures of one application. ``version`` gives the name of the build that is served."""

    def __init__(self, version: Callable[[], str]) -> None:
        self._version, self._began = version, time.time()
        self._told: str | None = None
        own = CollectorRegistry()
        self._registry = own
        self.requests = Counter("silsila_requests", "Requests answered.", ["room", "method", "status"], registry=own)
        self.seconds = Histogram("silsila_request_seconds", "Time of a request.", ["room"], buckets=_SECONDS, registry=own)
        self.queries = Histogram("silsila_query_seconds", "Time of a query in its worker.", buckets=_SECONDS, registry=own)
        self.refused = Counter("silsila_refused", "Requests refused or stopped by a limit.", ["limit"], registry=own)
        self.running = Gauge("silsila_requests_running", "Requests being answered.", registry=own, multiprocess_mode="livesum")
        self.build = Gauge(
            "silsila_build_info", "The build that is served.", ["version", "software"], registry=own, multiprocess_mode="livemax"
        )
        self.uptime = Gauge(
            "silsila_uptime_seconds", "Seconds since the process began.", registry=own, multiprocess_mode="livemin"
        )

    def watch(self, app: Flask) -> None:
        """Count every request of an application."""
        app.before_request(self._begin)
        app.after_request(self._end)

    def answered(self, room: str, method: str, status: int, seconds: float) -> None:
        """Count a request that was answered by a room of the site."""
        self.requests.labels(room, method, str(status)).inc()
        self.seconds.labels(room).observe(seconds)

    def queried(self, method: str, status: int, seconds: float, query_seconds: float | None, limit: str | None) -> None:
        """Count a query that was answered before the application: ``query_seconds`` in its worker, the ``limit`` that refused it."""
        self.answered("sparql", method, status, seconds)
        if query_seconds is not None:
            self.queries.observe(query_seconds)
        if limit is not None:
            self.refused.labels(limit).inc()

    def text(self) -> bytes:
        """The figures in the text format of Prometheus."""
        version = self._version()
        if self._told not in (None, version):
            self.build.labels(self._told, __version__).set(0)  # what several processes share keeps its labels
        self._told = version
        self.build.labels(version, __version__).set(1)
        self.uptime.set(time.time() - self._began)
        shared = os.environ.get(_SHARED)
        return generate_latest(_Together(Path(shared)) if shared else self._registry)

    def _begin(self) -> None:
        g.metrics_began = time.perf_counter()
        self.running.inc()

    def _end(self, response: Response) -> Response:
        began = g.pop("metrics_began", None)
        if began is None:
            return response  # refused before it was looked at
        room = request.blueprint or ("static" if request.endpoint == "static" else "other")
        limit = g.pop("refused_by", None)
        timing = _QUERY_TIME.search(response.headers.get("Server-Timing", ""))
        method = request.method if request.method in _METHODS else "other"

        def ended() -> None:
            self.running.dec()
            self.answered(room, method, response.status_code, time.perf_counter() - began)

        if limit:
            self.refused.labels(limit).inc()
        if timing:
            self.queries.observe(float(timing[1]) / 1000)
        response.call_on_close(ended)
        return response


class _Together(CollectorRegistry):
    """The figures of all processes that write into a folder; a file that one of them is just making is empty and holds none yet."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._folder = folder

    def collect(self) -> Iterable[Metric]:
        made = []
        for file in sorted(self._folder.glob("*.db")):
            with contextlib.suppress(FileNotFoundError):  # of a process that has just ended
                if file.stat().st_size:
                    made.append(str(file))
        return MultiProcessCollector.merge(made)


_METHODS = frozenset({"GET", "HEAD", "POST", "QUERY", "OPTIONS", "PUT", "DELETE", "PATCH"})
"""A client may send any word as its method: others are counted together."""
