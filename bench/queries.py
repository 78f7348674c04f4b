"""Quads a second of the loader, and median and p99 of the stored queries over HTTP.

    python -m bench.queries [DATA]      DATA is a built folder (default: kg-data)

Each query is asked again and again with another comment behind it, so that no answer comes from the cache of answers.
"""

import statistics
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

from bench.sparql import free_port
from kg.build.folder import DataFolder
from kg.graph.formats import read_packed
from kg.store.embedded import StoreLoader
from kg.store.queries import find_query, stored_queries

TIMES = 20


def loader_rate(data: Path) -> float:
    """Quads a second of loading the largest graph of the build into a new store."""
    packed = max(DataFolder(data).current().joinpath("dumps").glob("source-*.nq.zst"), key=lambda path: path.stat().st_size)
    with tempfile.TemporaryDirectory(prefix="kg-bench-") as name:
        plain, quads = Path(name) / "graph.nq", 0
        with read_packed(packed) as lines, plain.open("wb") as out:
            while block := lines.read(1 << 20):
                quads += block.count(b"\n")
                out.write(block)
        began = time.perf_counter()
        loader = StoreLoader(Path(name) / "store")
        loader.add(plain)
        loader.finish()
        return quads / (time.perf_counter() - began)


def asked(port: int, query: str) -> float:
    """Milliseconds from the question to the last byte of the answer."""
    body = urllib.parse.urlencode({"query": query}).encode()
    request = urllib.request.Request(f"http://127.0.0.1:{port}/sparql", body, {"Accept": "application/sparql-results+json"})
    began = time.perf_counter()
    with urllib.request.urlopen(request, timeout=60) as answer:
        answer.read()
    return (time.perf_counter() - began) * 1000


def main(data: Path) -> None:
    """Print the figures."""
    print(f"loader: {loader_rate(data):,.0f} quads/s")
    serve_and_ask(data)


def serve_and_ask(data: Path) -> None:
    """Ask every stored query of a server on the folder."""
    port = free_port()
    server = subprocess.Popen(
        [sys.executable, "-m", "kg.cli", "serve", "--data", str(data), "--port", str(port)], stderr=subprocess.DEVNULL
    )
    try:
        while server.poll() is None:
            try:
                asked(port, "ASK {}")
                break
            except (urllib.error.URLError, ConnectionError):
                time.sleep(0.1)
        else:
            raise SystemExit(f"kg serve ended with {server.returncode}: is {data} a built folder?")
        for name in sorted(stored_queries()):
            query = find_query(name)
            try:
                taken = sorted(asked(port, f"{query}\n# {count}") for count in range(TIMES))
            except urllib.error.HTTPError as error:
                print(f"{name:<32} answered {error.code}")
                continue
            print(f"{name:<32} median {statistics.median(taken):8.1f} ms   longest {taken[-1]:8.1f} ms")
    finally:
        server.terminate()
        server.wait(30)


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "kg-data"))
