"""``kg serve``: the application under waitress, an address and three things to try, a quiet end on SIGTERM."""

import signal
import socket
import threading
from collections.abc import Callable
from pathlib import Path
from types import FrameType

from kg.build.folder import BuildError, DataFolder
from kg.config import Config
from kg.store.limits import Limits
from kg.web.limits import server_options

__all__ = ["run"]


def run(
    data: Path,
    *,
    host: str,
    port: int,
    threads: int,
    config: Config,
    announce: Callable[[str], object],
    store: str | None = None,
) -> None:
    """Serve the built folder ``data`` until the process is told to stop. ``port`` 0 takes a free one; ``store`` is another SPARQL
    server that holds the same graph and is asked instead of the folder's own store.

    A new build in the same folder is taken up without a restart and without losing a request.

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
        data, public_url=config.public_url, store=store, LIMITS=config.limits, CONTACT=config.contact, TITLE=config.title
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
    try:
        server.run()
    except (KeyboardInterrupt, SystemExit):
        pass
    finally:
        server.close()
        close = app.extensions.get("kg-close")
        if close is not None:
            close()
