"""``kg serve``: the application under waitress, an address and three things to try, a quiet end on SIGTERM."""

import logging
import signal
import socket
import threading
from collections.abc import Callable
from pathlib import Path
from types import FrameType

from flask import Flask

from kg.build.folder import BuildError, DataFolder
from kg.config import Config
from kg.store.errors import StoreError
from kg.store.limits import Limits
from kg.web.limits import server_options

__all__ = ["run"]

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
    from waitress.server import create_server

    from kg.web.app import create_app

    DataFolder(data).current()
    try:
        options = server_options(Limits.from_mapping(config.limits), threads)
    except ValueError as error:
        raise BuildError(f"{config.path or 'kg.toml'}, [limits]: {error}") from None
    app = create_app(
        data,
        public_url=config.public_url,
        store=store,
        watch=watch,
        LIMITS=config.limits,
        CONTACT=config.contact,
        TITLE=config.title,
    )
    try:
        server = create_server(app, host=host, port=port, clear_untrusted_proxy_headers=True, **options)
    except OSError as error:
        raise BuildError(
            f"{host}:{port} cannot be listened on ({error.strerror or error}): choose another port with --port"
        ) from None
    shown = host if host not in ("0.0.0.0", "::") else socket.gethostname()
    address = f"http://{shown}:{server.effective_port}"
    announce(f"Serving {data} at {address}/  (Ctrl-C stops it)")
    announce(f"  a chain:   {address}/hadith/bukhari/3661")
    announce(f"  a person:  {address}/person/abu-al-darda")
    announce(f"  a query:   {address}/query")

    def stop(signum: int, frame: FrameType | None) -> None:
        raise SystemExit(0)

    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, stop)
    ended = threading.Event()
    if watch:
        threading.Thread(target=_take_up_builds, args=(app, ended), name="watch", daemon=True).start()
    try:
        server.run()
    except (KeyboardInterrupt, SystemExit):
        pass
    finally:
        ended.set()
        server.close()
        close = app.extensions.get("kg-close")
        if close is not None:
            close()


def _take_up_builds(app: Flask, ended: threading.Event) -> None:
    """Open a new build and start its query workers as soon as it is there, so that no request waits for them."""
    shelf, service = app.extensions["kg-shelf"], app.extensions["kg-service"]
    served = shelf.current()
    while not ended.wait(_LOOK):
        if shelf.current() is not served:
            served = shelf.current()
            try:
                service.pool()
            except StoreError as error:  # the request that needs the workers tells it too
                _LOG.error("the query workers of %s cannot be started: %s", served.name, error)
