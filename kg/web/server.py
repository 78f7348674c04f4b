"""``kg serve``: the site under uvicorn, an address and three things to try, a quiet end on SIGTERM."""

import logging
import math
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import uvicorn
from flask import Flask

from kg.build.folder import BuildError, DataFolder
from kg.config import Config
from kg.store.errors import StoreError
from kg.store.limits import Limits
from kg.web.connections import Connection
from kg.web.documents import kind_of
from kg.web.front import tried
from kg.web.gate import Gate

__all__ = ["gate_of", "listen", "run", "running", "server_of"]

_DRAIN = 10  # seconds that requests may still take, beyond those of a query and of waiting for a worker, when the server is told to end
_IDLE = 30  # seconds that a connection is kept open between two requests

_TRIED = {"hadith": "a chain:", "passage": "a text:", "person": "a person:", "event": "an event:"}

_LOG = logging.getLogger(__name__)
_LOOK = 0.5  # seconds between two looks for a new build


def run(
    data: Path,
    *,
    host: str,
    port: int,
    threads: int,
    config: Config,
    announce: Callable[[str], object],
    store: str | None = None,
    watch: bool = True,
) -> None:
    """Serve the built folder ``data`` until the process is told to stop. ``port`` 0 takes a free one; ``store`` is another SPARQL
    server that holds the same graph and is asked instead of the folder's own store.

    With ``watch`` a new build in the same folder is taken up without a restart and without losing a request.

    Raises:
        BuildError: nothing is built in ``data``, or the port is taken.
    """
    from kg.web.app import create_app

    DataFolder(data).current()
    try:
        Limits.from_mapping(config.limits)
    except ValueError as error:
        raise BuildError(f"{config.path or 'kg.toml'}, [limits]: {error}") from None
    listeners = listen(host, port)
    app = create_app(
        data,
        public_url=config.public_url,
        store=store,
        watch=watch,
        LIMITS=config.limits,
        CONTACT=config.contact,
        TITLE=config.title,
    )
    shown = host if host not in ("0.0.0.0", "::") else socket.gethostname()
    address = f"http://{shown}:{listeners[0].getsockname()[1]}"
    announce(f"Serving {data} at {address}/  (Ctrl-C stops it)")
    for _, key in tried(app.extensions["kg-shelf"].current()):
        announce(f"  {_TRIED[kind_of(key)]:10} {address}/{key}")
    announce(f"  a query:   {address}/query")

    def stop(signum: int, frame: FrameType | None) -> None:
        raise SystemExit(0)

    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, stop)
    ended = threading.Event()
    threading.Thread(target=_keep_workers_ready, args=(app, ended, watch), name="watch", daemon=True).start()
    gate = gate_of(app, threads)
    try:
        server_of(gate).run(sockets=listeners)
    except (KeyboardInterrupt, SystemExit):
        pass
    finally:
        ended.set()
        gate.pages.close()
        app.extensions["kg-close"]()


def _keep_workers_ready(app: Flask, ended: threading.Event, watch: bool) -> None:
    """Start the query workers at once and, with ``watch``, those of a new build as soon as it is there: no request waits for them."""
    shelf, service = app.extensions["kg-shelf"], app.extensions["kg-service"]
    served = None
    while True:
        if shelf.current() is not served:
            served = shelf.current()
            try:
                service.pool()
            except StoreError as error:  # the request that needs the workers tells it too
                _LOG.error("the query workers of %s cannot be started: %s", served.name, error)
        if not watch or ended.wait(_LOOK):
            return


def gate_of(app: Flask, threads: int = 0) -> Gate:
    """The ASGI application of a site made by ``create_app``."""
    from kg.web.app import GUARDS

    return Gate(
        app,
        app.extensions["kg-sparql"],
        prefix=app.extensions["kg-prefix"],
        headers=GUARDS,
        threads=threads,
        answered=app.extensions["kg-metrics"].queried,
    )


def listen(host: str, port: int) -> list[socket.socket]:
    """Listening sockets on every address of the host; on the first alone where the port is to be a free one.

    Raises:
        BuildError: the port is taken, or there is no such host.
    """
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        places = list(dict.fromkeys((family, place[:2]) for family, _, _, _, place in found))
        listeners = [
            socket.create_server(place, family=family, backlog=1024) for family, place in places[: 1 if port == 0 else None]
        ]
    except OSError as error:
        raise BuildError(
            f"{host}:{port} cannot be listened on ({error.strerror or error}): choose another port with --port"
        ) from None
    return listeners


def _drain(limits: Limits) -> int:
    """Seconds after which requests that still run when the server is told to end are cut: no query runs so long."""
    return math.ceil(limits.waiting_seconds + limits.seconds) + _DRAIN


def server_of(gate: Gate) -> uvicorn.Server:
    """The server; ``run(sockets=…)`` serves until it is told to stop."""
    return uvicorn.Server(
        uvicorn.Config(
            gate,
            http=Connection,
            ws="none",
            lifespan="off",
            interface="asgi3",
            log_config=None,
            access_log=False,
            proxy_headers=False,
            server_header=False,
            headers=[("server", "silsila")],
            timeout_keep_alive=_IDLE,
            timeout_graceful_shutdown=_drain(gate.service.limits),
        )
    )


@contextmanager
def running(gate: Gate, host: str = "127.0.0.1") -> Iterator[int]:
    """Serve in a thread on a free port, which is given, as long as the context lasts."""
    listeners = listen(host, 0)
    port = int(listeners[0].getsockname()[1])
    server = server_of(gate)
    thread = threading.Thread(target=server.run, args=(listeners,), daemon=True)
    thread.start()
    try:
        yield port
    finally:
        server.should_exit = server.force_exit = True
        thread.join(_DRAIN)
        gate.pages.close()
