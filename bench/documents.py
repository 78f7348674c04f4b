"""Documents of things: milliseconds of processor time from a cold and a warm cache, and answers a second from gunicorn with two workers.

python -m bench.documents [DATA]        DATA is a built folder (default: kg-data)
"""

import http.client
import multiprocessing
import os
import random
import socket
import statistics
import subprocess
import sys
import time
from pathlib import Path

from bench.sparql import free_port
from kg.web.app import create_app

RDF_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
KINDS = ("Hadith", "Person", "Event", "Verse", "Place", "Isnad", "NarratorMention")
EACH, SECONDS, CLIENTS = 150, 5.0, 4


def chosen(data: Path) -> list[str]:
    """Paths of random things of the chief kinds, the same at every run."""
    shelf = create_app(data).extensions["kg-shelf"]
    edition = shelf.current()
    dice, paths = random.Random(11), []
    for kind in KINDS:
        quads = edition.store.quads(None, RDF_TYPE, "https://w3id.org/silsila/ontology#" + kind)
        keys = sorted({quad.subject.value.removeprefix(edition.base) for quad in quads})
        paths += ["/" + key for key in dice.sample(keys, min(EACH, len(keys)))]
    return paths


def latencies(data: Path, paths: list[str], suffix: str) -> tuple[list[float], list[float]]:
    """Milliseconds of processor time of each document, first and second time, within one process and without a network."""
    client = create_app(data).test_client()
    runs = []
    for _ in range(2):
        times = []
        for path in paths:
            start = time.process_time()
            answer = client.get(path + suffix)
            times.append((time.process_time() - start) * 1000)
            assert answer.status_code == 200, (path, answer.status_code)
        runs.append(sorted(times))
    return runs[0], runs[1]


def _fetch(port: int, paths: list[str], suffix: str, seconds: float, result: "multiprocessing.Queue[int]") -> None:
    """Asks for every path twice without counting, so that the workers know them, then at random."""
    dice, number = random.Random(os.getpid()), 0
    connection = http.client.HTTPConnection("127.0.0.1", port)
    for path in paths * 2:
        connection.request("GET", path + suffix)
        connection.getresponse().read()
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        connection.request("GET", dice.choice(paths) + suffix)
        answer = connection.getresponse()
        answer.read()
        number += answer.status == 200
    result.put(number)


def throughput(data: Path, paths: list[str], suffix: str) -> float:
    """Answers a second of gunicorn (two workers of four threads) to four clients on the same machine."""
    port = free_port()
    command = [
        sys.executable,
        "-m",
        "gunicorn",
        "serve:app",
        "-k",
        "gthread",
        "-w",
        "2",
        "--threads",
        "4",
        "-b",
        f"127.0.0.1:{port}",
    ]
    server = subprocess.Popen([*command, "--log-level", "error"], env={**os.environ, "SILSILA_DATA": str(data)})
    try:
        for _ in range(200):
            try:
                socket.create_connection(("127.0.0.1", port), 0.2).close()
                break
            except OSError:
                time.sleep(0.1)
        few = paths[:: max(1, len(paths) // 200)]
        result: multiprocessing.Queue[int] = multiprocessing.Queue()
        clients = [multiprocessing.Process(target=_fetch, args=(port, few, suffix, SECONDS, result)) for _ in range(CLIENTS)]
        for client in clients:
            client.start()
        rate = sum(result.get() for _ in clients) / SECONDS
        for client in clients:
            client.join()
        return rate
    finally:
        server.terminate()
        server.wait(10)


def main() -> None:
    data = Path(sys.argv[1] if len(sys.argv) > 1 else "kg-data")
    paths = chosen(data)
    print(f"{len(paths)} random things of {', '.join(KINDS)}")
    for suffix in (".html", ".ttl", ".jsonld"):
        cold, warm = latencies(data, paths, suffix)
        shown = " ".join(
            f"{name} p50 {statistics.median(times):.2f} p95 {times[int(len(times) * 0.95)]:.2f} p99 {times[int(len(times) * 0.99)]:.2f} ms;"
            for name, times in (("cold", cold), ("warm", warm))
        )
        print(f"{suffix:8} {shown} gunicorn {throughput(data, paths, suffix):,.0f} documents/s")


if __name__ == "__main__":
    main()
