"""Servers for the tests: a real SPARQL server with the small data, and one that does what services do on bad days."""

import json
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread
from typing import Any
from urllib.parse import parse_qs

from machine import PATIENCE, answers, free_port, wait_for

DATA = Path(__file__).with_name("wikidata_small.ttl")
EMPTY = {"head": {"vars": ["a"]}, "results": {"bindings": [{"a": {"type": "literal", "value": "one"}}]}}


@contextmanager
def sparql_server(folder: Path) -> Iterator[str]:
    """The address of an Oxigraph server that holds the small data."""
    program = shutil.which("oxigraph", path=str(Path(sys.executable).parent)) or shutil.which("oxigraph")
    assert program is not None, "the oxigraph of the test requirements is not installed"
    subprocess.run([program, "load", "--location", folder, "--file", DATA], check=True, capture_output=True)
    port = free_port()
    arguments = [program, "serve-read-only", "--location", str(folder), "--bind", f"127.0.0.1:{port}"]
    server = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_for(server, lambda: answers(f"http://127.0.0.1:{port}/query?query=ASK%7B%7D"))
        yield f"http://127.0.0.1:{port}/query"
    finally:
        server.terminate()
        server.wait(PATIENCE)


@contextmanager
def moody_server(*days: str, headers: dict[str, str] | None = None) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """A server that answers each request as its day says (``ok``, ``429`` …; the last for all that follow), and what it was asked."""
    seen: list[dict[str, Any]] = []
    more = Event()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            sent = self.rfile.read(int(self.headers.get("Content-Length", "0"))).decode()
            day = days[min(len(seen), len(days) - 1)]
            if seen:
                more.set()
            seen.append(
                {"agent": self.headers.get("User-Agent", ""), "at": time.monotonic(), "accept": self.headers.get("Accept", "")}
            )
            if day == "who" and "@" not in self.headers.get("User-Agent", ""):
                return self.give(403, "text/plain", b"say who you are")
            if day.isdigit():
                return self.give(int(day), "text/plain", b"not now", headers)
            if day == "html":
                return self.give(200, "text/html", b"<html><body>Please log in to the wireless network</body></html>")
            if day == "late":
                more.wait(PATIENCE)  # until it is asked again
            if day == "reconcile":
                names = json.loads(parse_qs(sent)["queries"][0])
                results = {
                    name: {"result": [{"id": "Q900000001", "name": "x", "score": 1}, {"id": "x y", "name": "x", "score": 1}]}
                    for name in names
                }
                return self.give(200, "application/json", json.dumps(results).encode())
            body = json.dumps(EMPTY).encode()
            if day == "cut":
                body = body[: len(body) // 2]
            if day == "broken-off":
                self.send_response(200)
                self.send_header("Content-Type", "application/sparql-results+json")
                self.send_header("Content-Length", str(len(body) + 100))
                self.end_headers()
                self.wfile.write(body)
                self.close_connection = True
                return None
            return self.give(200, "application/json", body)

        def give(self, status: int, kind: str, body: bytes, more: dict[str, str] | None = None) -> None:
            try:
                self.send_response(status)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                for name, value in (more or {}).items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)
            except (BrokenPipeError, ConnectionResetError):
                self.close_connection = True  # the client has gone

        def log_message(self, format: str, *args: Any) -> None:
            """Nothing is logged."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/sparql", seen
    finally:
        server.shutdown()
        server.server_close()
        thread.join(PATIENCE)
