"""The SPARQL service beside Oxigraph's own server and rdflib-endpoint: the same data, the same queries, one run, ratios.

python -m bench.sparql [DATA] [--peers PYTHON] [--seconds S]

DATA is a built folder (default: kg-data). PYTHON is an interpreter that has rdflib-endpoint and uvicorn (never a dependency of ours):

    python -m venv /elsewhere && /elsewhere/bin/pip install rdflib-endpoint uvicorn
    python -m bench.sparql kg-data --peers /elsewhere/bin/python

The load on several connections comes from wrk (Debian: ``apt-get install wrk``), so that the asker is not what is measured; without it from
this process. rdflib-endpoint holds its graph in memory and takes minutes to read millions of quads, so with ``--peers`` all three are measured on the
authority and the samples alone.
"""

import argparse
import gzip
import os
import random
import select
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import psutil

from kg.store.embedded import EmbeddedStore
from kg.store.limits import Limits

CONNECTIONS = 8
SLS, LABEL = "https://w3id.org/silsila/ontology#", "http://www.w3.org/2000/01/rdf-schema#label"
SCANS = {
    "group by term": f"SELECT ?term (COUNT(?m) AS ?n) {{ ?m <{SLS}transmissionTerm> ?term }} GROUP BY ?term",
    "labels that contain": f"SELECT (COUNT(?s) AS ?n) {{ ?s <{LABEL}> ?l FILTER(CONTAINS(STR(?l), 'عمر')) }}",
    "page of a thing": f"CONSTRUCT {{ ?s ?p ?o . ?o <{LABEL}> ?l }} WHERE {{ VALUES ?s {{ <{{iri}}> }} ?s ?p ?o OPTIONAL {{ ?o <{LABEL}> ?l }} }}",
}
ROWS = "SELECT ?s ?p ?o { ?s ?p ?o } LIMIT 100000"
PRODUCT = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }"
PEER = """
import sys, uvicorn
from rdflib import Dataset
from rdflib_endpoint import SparqlEndpoint
data = Dataset(default_union=True)
data.parse(sys.argv[1], format="nquads")
uvicorn.run(SparqlEndpoint(graph=data), host="127.0.0.1", port=int(sys.argv[2]), log_level="error")
"""


@dataclass(frozen=True)
class Run:
    """Answers of one kind: how many, how many a second, and milliseconds each: half and 99 of 100 take no longer."""

    count: int
    rate: float
    half: float
    slowest: float


WRK = """
local asked = {}
local at = 0
init = function() for line in io.lines("FILE") do asked[#asked + 1] = wrk.format("GET", "PATH?query=" .. line) end end
request = function() at = at % #asked + 1; return asked[at] end
done = function(summary, latency)
  local wrong = summary.errors.status + summary.errors.read + summary.errors.timeout
  print(string.format("FOUND %d %d %f %f %d", summary.requests, summary.duration, latency:percentile(50), latency:percentile(99), wrong))
end
"""


def flood(port: int, queries: list[str], seconds: float) -> Run:
    """Ask on several connections at once for so many seconds."""
    if shutil.which("wrk") is None:
        return load(port, [request(query) for query in queries], seconds)
    with tempfile.TemporaryDirectory() as folder:
        asked, script = Path(folder, "asked"), Path(folder, "asked.lua")
        asked.write_text("".join(quote(query, safe="") + "\n" for query in queries))
        script.write_text(WRK.replace("FILE", str(asked)).replace("PATH", PATH))
        accept = "Accept: application/sparql-results+json"
        command = ["wrk", "-t1", f"-c{CONNECTIONS}", f"-d{max(1, round(seconds))}s", "-s", str(script), "-H", accept]
        told = subprocess.run([*command, f"http://127.0.0.1:{port}"], capture_output=True, text=True, check=True).stdout
    count, duration, half, slowest, wrong = told.split("FOUND ")[1].split()
    if int(wrong):
        raise SystemExit(f"{wrong} answers of port {port} are no success")
    return Run(int(count), int(count) / int(duration) * 1e6, float(half) / 1000, float(slowest) / 1000)


def request(query: str, accept: str = "application/sparql-results+json") -> bytes:
    return f"GET {PATH}?query={quote(query, safe='')} HTTP/1.1\r\nHost: localhost\r\nAccept: {accept}\r\n\r\n".encode()


PATH = "/sparql"


class Connection:
    """One connection that is kept; reads whole answers, by length or in chunks."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=120)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.buffer, self.started = bytearray(), 0.0

    def send(self, data: bytes) -> None:
        self.buffer.clear()
        self.started = time.perf_counter()
        self.socket.sendall(data)

    def whole(self) -> bool:
        """Read what there is; whether the answer is complete."""
        self.buffer += self.socket.recv(1 << 20)
        end = self.buffer.find(b"\r\n\r\n")
        if end < 0:
            return False
        head = bytes(self.buffer[:end]).lower()
        if b"content-length: " in head:
            return len(self.buffer) >= end + 4 + int(head.partition(b"content-length: ")[2].split(b"\r\n")[0])
        return self.buffer.endswith(b"0\r\n\r\n")

    def status(self) -> int:
        return int(self.buffer[9:12])

    def ask(self, data: bytes) -> float:
        """Milliseconds of one answer."""
        self.send(data)
        while not self.whole():
            pass
        if self.status() != 200:
            raise SystemExit(f"status {self.status()}: {bytes(self.buffer[-400:])!r}")
        return (time.perf_counter() - self.started) * 1000


def load(port: int, requests: list[bytes], seconds: float, connections: int = CONNECTIONS) -> Run:
    """Ask on several connections at once for so many seconds."""
    links = [Connection(port) for _ in range(connections)]
    by_file = {link.socket.fileno(): link for link in links}
    place, times, begin = 0, [], time.perf_counter()
    poll = select.poll()
    for link in links:
        poll.register(link.socket, select.POLLIN)
        link.send(requests[place % len(requests)])
        place += 1
    while time.perf_counter() - begin < seconds:
        for file, _ in poll.poll(1000):
            link = by_file[file]
            if link.whole():
                times.append((time.perf_counter() - link.started) * 1000)
                if link.status() != 200:
                    raise SystemExit(f"status {link.status()}: {bytes(link.buffer[-400:])!r}")
                link.send(requests[place % len(requests)])
                place += 1
    took = time.perf_counter() - begin
    for link in links:
        link.socket.close()
    return Run(len(times), len(times) / took, statistics.median(times), sorted(times)[int(len(times) * 0.99)])


def work(process: psutil.Process) -> float:
    """Seconds of processor time that a server and its workers have taken: what a busy machine distorts least."""
    times = [each.cpu_times() for each in (process, *process.children(recursive=True))]
    return sum(each.user + each.system for each in times)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


@contextmanager
def server(name: str, command: list[str], port: int, path: str) -> Iterator[tuple[int, float, psutil.Process]]:
    """A server process, its port, and the seconds to its first answer."""
    global PATH
    started = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        PATH = path
        while True:
            try:
                Connection(port).ask(request("ASK {}"))
                break
            except (ConnectionError, ValueError):
                if process.poll() is not None:
                    raise SystemExit(f"{name} ended with {process.returncode}") from None
                time.sleep(0.01)
        yield port, time.perf_counter() - started, psutil.Process(process.pid)
    finally:
        process.terminate()
        process.wait()


def ours(store: Path) -> tuple[str, list[str], int, str]:
    port = free_port()
    return "silsila", [sys.executable, "-m", "bench.sparql", "--serve", str(store), str(port)], port, "/sparql"


def oxigraph(store: Path) -> tuple[str, list[str], int, str]:
    port = free_port()
    program = str(Path(sys.executable).parent / "oxigraph")
    return (
        "oxigraph",
        [program, "serve-read-only", "-l", str(store), "-b", f"127.0.0.1:{port}", "--union-default-graph"],
        port,
        "/query",
    )


def peer(python: str, quads: Path) -> tuple[str, list[str], int, str]:
    port = free_port()
    return "rdflib-endpoint", [python, "-c", PEER, str(quads), str(port)], port, "/"


def serve(store: str, port: int) -> None:
    """Our service alone, as ``kg serve`` has it, without a budget a client."""
    from flask import Flask

    from kg.store.workers import QueryPool
    from kg.web.gate import Gate
    from kg.web.server import listen, server_of
    from kg.web.service import SparqlService
    from kg.web.sparql import sparql_blueprint

    limits = Limits(client_seconds=0, client_in_flight=0, seconds=60)
    pool = QueryPool(store, limits)
    service = SparqlService(lambda: pool, limits, pool_at_once=lambda: pool)
    app = Flask("bench.sparql", root_path=str(Path(__file__).parent))
    app.register_blueprint(sparql_blueprint(service))
    server_of(Gate(app, service)).run(sockets=listen("127.0.0.1", port))


def measure(
    servers: list[tuple[str, list[str], int, str]], iris: list[str], seconds: float, mark: str = "", rounds: int = 3
) -> None:
    """All questions to each server in turn, and the ratios to the first."""
    points = [f"SELECT ?p ?o {{ <{iri}> ?p ?o }}" for iri in iris] + [f"SELECT ?l {{ <{iri}> <{LABEL}> ?l }}" for iri in iris]
    figures: dict[str, dict[str, float]] = {}
    for name, command, port, path in servers:
        with server(name, command, port, path) as (at, first, process):
            say = figures.setdefault(name, {})
            say["seconds to the first answer"] = first
            before = work(process)
            runs = [flood(at, points[number::rounds], seconds) for number in range(rounds)]
            say["  processor ms each"] = (work(process) - before) * 1000 / sum(run.count for run in runs)
            say["point queries a second"] = statistics.median(run.rate for run in runs)
            say["  p50 ms"], say["  p99 ms"] = (
                statistics.median(getattr(run, which) for run in runs) for which in ("half", "slowest")
            )
            before = work(process)
            one = [flood(at, points[:1], seconds) for _ in range(rounds)]
            say["  processor ms each, identical"] = (work(process) - before) * 1000 / sum(run.count for run in one)
            say["identical queries a second"] = statistics.median(run.rate for run in one)
            alone = [
                load(at, [request(query + f" # {number}") for number, query in enumerate(points)], seconds, 1)
                for _ in range(rounds)
            ]
            say["one client, p50 ms"], say["one client, p99 ms"] = (
                statistics.median(run.half for run in alone),
                statistics.median(run.slowest for run in alone),
            )
            for title, query in SCANS.items():
                texts = [query.replace("{iri}", iri) + f" # {number}" for number, iri in enumerate(iris[:9])]
                link = Connection(at)
                accept = "text/turtle" if query.startswith("CONSTRUCT") else "application/sparql-results+json"
                say[f"{title}, ms"] = statistics.median(link.ask(request(text, accept)) for text in texts)
            link = Connection(at)
            before = work(process)
            say["100,000 rows, ms"] = statistics.median(link.ask(request(f"{ROWS} # {number}")) for number in range(5))
            say["  processor ms each, 100,000 rows"] = (work(process) - before) * 1000 / 5
            if name == "silsila":
                say["four clients, p99 ms"] = asked_by_four(at, points, seconds, "idle").slowest
                attack = Connection(at)
                attack.send(request(PRODUCT))
                say["four clients during a hostile query, p99 ms"] = asked_by_four(at, points, seconds, "attacked").slowest
                attack.socket.close()
    titles = list(dict.fromkeys(title for say in figures.values() for title in say))
    names = list(figures)
    print(f"{'':44}" + "".join(f"{name:>18}" for name in names) + "".join(f"{'ours / ' + name:>26}" for name in names[1:]))
    for title in titles:
        row = [figures[name].get(title) for name in names]
        cells = "".join(f"{value:18.2f}" if value is not None else f"{'-':>18}" for value in row)
        ratios = "".join(f"{row[0] / value:26.2f}" if row[0] and value else f"{'-':>26}" for value in row[1:])
        print(f"{title:44}{cells}{ratios}")
    for title in ("point queries a second", "identical queries a second", "100,000 rows, ms"):
        for name in names[1:]:
            ours, theirs = figures[names[0]][title], figures[name][title]
            better = theirs / ours if title.endswith("ms") else ours / theirs
            print(f"ratio silsila/{name}{mark}:{title.removesuffix(', ms').replace(' ', '-')} {better:.2f}")


def asked_by_four(port: int, points: list[str], seconds: float, mark: str) -> Run:
    """Point queries that no answer is kept for, from four clients at once."""
    return load(port, [request(f"{query} # {mark} {number}") for number, query in enumerate(points)], seconds, 4)


def iris_of(store: Path, count: int) -> list[str]:
    """Things with a label, the same at every run."""
    found = {quad.subject.value for quad in EmbeddedStore.open(store).quads(None, LABEL)}
    return random.Random(7).sample(sorted(found), min(count, len(found)))


def main() -> None:
    if sys.argv[1:2] == ["--serve"]:
        serve(sys.argv[2], int(sys.argv[3]))
        return
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="?", type=Path, default=Path("kg-data"))
    parser.add_argument("--peers", help="a Python with rdflib-endpoint and uvicorn")
    parser.add_argument("--seconds", type=float, default=3.0)
    options = parser.parse_args()
    version = (options.data / "current").resolve()
    store = version / "store"
    print(f"load of the machine: {os.getloadavg()[0]:.1f}")
    if options.peers is None:
        print("the whole graph")
        measure([ours(store), oxigraph(store)], iris_of(store, 3_000), options.seconds)
        return
    print("the authority and the samples")
    with tempfile.TemporaryDirectory() as folder:
        quads = Path(folder, "part.nq")
        with quads.open("wb") as file:
            for dump in sorted((version / "dumps").glob("*.nq.gz")):
                if dump.name.startswith(("authority", "sample", "source-sample")):
                    file.write(gzip.decompress(dump.read_bytes()))
        part = EmbeddedStore.create(Path(folder, "store"), [quads])
        measure(
            [ours(part), oxigraph(part), peer(options.peers, quads)], iris_of(part, 3_000), options.seconds, "-on-the-samples"
        )


if __name__ == "__main__":
    main()
