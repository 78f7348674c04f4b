"""A WSGI application inside an ASGI server: requests come whole, answers go out block by block, threads wait for nobody's network."""

import asyncio
import io
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import unquote_to_bytes

__all__ = ["Application", "Threads"]

Application = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]
_BLOCK = 64 * 1024


class Threads:
    """Runs the application in up to ``most`` threads; a thread is taken for a page and for each block of a long answer."""

    def __init__(self, application: Application, most: int) -> None:
        self.application = application
        self._pool = ThreadPoolExecutor(most, thread_name_prefix="kg-page")

    async def __call__(self, scope: dict[str, Any], body: bytes, send: Any, gone: Callable[[], bool]) -> None:
        """Answer one request; ``gone`` tells whether the client has left."""
        loop = asyncio.get_running_loop()
        answering = _Answering(self.application, _environ(scope, body) | {"kg.client_disconnected": gone})
        try:
            block = await loop.run_in_executor(self._pool, answering.begin)
            await send({"type": "http.response.start", "status": answering.status, "headers": answering.headers})
            while not answering.over and not gone():
                await send({"type": "http.response.body", "body": block, "more_body": True})
                block = await loop.run_in_executor(self._pool, answering.more)
            await send({"type": "http.response.body", "body": block})
        finally:
            if answering.close is not None:
                await loop.run_in_executor(self._pool, answering.close)

    def close(self) -> None:
        """Let the threads end."""
        self._pool.shutdown(wait=False, cancel_futures=True)


class _Answering:
    """One call of the application and what it gives."""

    def __init__(self, application: Application, environ: dict[str, Any]) -> None:
        self.application, self.environ = application, environ
        self.status, self.headers = 500, list[tuple[bytes, bytes]]()
        self.over = False
        self.close: Callable[[], Any] | None = None
        self._blocks: Iterator[bytes] = iter(())

    def begin(self) -> bytes:
        """Call the application; its first block."""
        blocks = self.application(self.environ, self._start)
        self.close = getattr(blocks, "close", None)
        self._blocks = iter(blocks)
        return self.more()

    def more(self) -> bytes:
        """Bytes until there are enough for a block, or no more."""
        found = bytearray()
        while len(found) < _BLOCK:
            block = next(self._blocks, None)
            if block is None:
                self.over = True
                break
            if not found and len(block) >= _BLOCK:
                return block
            found += block
        return bytes(found)

    def _start(self, status: str, headers: list[tuple[str, str]], error: Any = None) -> None:
        self.status = int(status[:3])
        self.headers = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers]


def _environ(scope: dict[str, Any], body: bytes) -> dict[str, Any]:
    """The request as PEP 3333 wants it.

    >>> _environ({"method": "GET", "raw_path": b"/a%20b", "query_string": b"", "http_version": "1.1", "scheme": "http",
    ...     "client": ("192.0.2.1", 5), "server": ("192.0.2.2", 80), "headers": [(b"accept", b"a/b"), (b"accept", b"*/*")]}, b"")["HTTP_ACCEPT"]
    'a/b,*/*'
    """
    server, client = scope["server"] or ("localhost", 80), scope["client"] or ("", 0)
    environ: dict[str, Any] = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": unquote_to_bytes(scope["raw_path"]).decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "REQUEST_URI": (scope["raw_path"] + (b"?" + scope["query_string"] if scope["query_string"] else b"")).decode("latin-1"),
        "SERVER_NAME": server[0],
        "SERVER_PORT": str(server[1]),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "REMOTE_ADDR": client[0],
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.input": io.BytesIO(body),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
    }
    for name, value in scope["headers"]:
        if b"_" in name or name in (b"transfer-encoding", b"content-length"):  # a_b would pass for a-b; the body is whole
            continue
        key = name.decode("latin-1").upper().replace("-", "_")
        key = key if key == "CONTENT_TYPE" else f"HTTP_{key}"
        text = value.decode("latin-1")
        environ[key] = f"{environ[key]},{text}" if key in environ else text
    if scope["method"] not in ("GET", "HEAD") or body:
        environ["CONTENT_LENGTH"] = str(len(body))
    return environ
