"""A small data folder whose versions differ in every statement, and readers that notice an answer mixed from two of them."""

import json
import os
import random
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import quote

from machine import PATIENCE, free_port, wait_for

from kg.store.embedded import EmbeddedStore
from kg.web.search_index import write_index

BASE = "https://w3id.org/silsila/"
SLS = "https://w3id.org/silsila/ontology#"
PARTS = 40
_MARK = re.compile(rb"build-(\d+)-mark")
_QUERY = f"SELECT * WHERE {{ ?s <{SLS}gloss> ?o }}"


def add_version(data: Path, number: int) -> str:
    """A version each of whose statements bears its number; not yet served."""
    name = f"v{number}"
    folder = data / "versions" / name
    folder.mkdir(parents=True)
    person, lines = f"<{BASE}person/abu-bakr>", []
    lines.append(f"{person} <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <{SLS}Person>")
    lines.append(f'{person} <http://www.w3.org/2000/01/rdf-schema#label> "build-{number}-mark"@en')
    lines += [f'{person} <{SLS}gloss> "build-{number}-mark {part}"' for part in range(PARTS)]
    nquads = folder / "all.nq"
    nquads.write_text("".join(f"{line} <{BASE}graph/authority> .\n" for line in sorted(lines)), encoding="utf-8")
    EmbeddedStore.create(folder / "store", [nquads])
    write_index(folder / "search.sqlite", EmbeddedStore.open(folder / "store"), BASE)
    (folder / "dumps").mkdir()
    nquads.rename(folder / "dumps" / "silsila.nq")
    (folder / "manifest.json").write_text(json.dumps({"base": BASE, "version": name, "sources": [], "counts": {}}))
    return name


def point(data: Path, name: str) -> None:
    """Serve another version, by one rename as a build does it."""
    (data / ".next").symlink_to(Path("versions") / name)
    os.replace(data / ".next", data / "current")


@contextmanager
def served(data: Path, *options: str) -> Iterator[int]:
    """The port of ``kg serve`` in a process of its own."""
    port = free_port()
    settings = data / "kg.toml"
    settings.write_text("[limits]\nclient_seconds = 0\nclient_in_flight = 0\n", encoding="utf-8")
    command = [sys.executable, "-m", "kg.cli", "serve", "--data", str(data), "--port", str(port), "--config", str(settings)]
    server = subprocess.Popen([*command, *options], stderr=subprocess.DEVNULL)
    try:
        wait_for(server, lambda: fetch(port, "/readyz")[0] == 200)
        yield port
    finally:
        server.terminate()
        server.wait(PATIENCE)


def fetch(port: int, path: str, accept: str = "*/*") -> tuple[int, bytes]:
    """Status and body; 0 where there is no connection."""
    connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    try:
        connection.request("GET", path, headers={"Accept": accept})
        answer = connection.getresponse()
        return answer.status, answer.read()
    except ConnectionRefusedError:
        return 0, b""
    finally:
        connection.close()


def read_over_swaps(data: Path, port: int, requests: int, names: list[str], readers: int = 4) -> dict[str, int]:
    """Ask for pages, documents and queries from several threads while versions change; how often each version answered.

    Raises:
        AssertionError: a request failed, or its answer had the marks of two versions or of none.
    """
    paths = ("/person/abu-bakr.html", "/person/abu-bakr.ttl", f"/sparql?query={quote(_QUERY)}", "/person/abu-bakr.jsonld")
    faults: list[str] = []
    seen: dict[str, int] = {}
    lock, done = threading.Lock(), threading.Event()

    def read(seed: int) -> None:
        chance = random.Random(seed)
        for number in range(requests // readers):
            path = chance.choice(paths)
            if path.startswith("/sparql"):
                path += quote(f" # {seed} {number}")
            status, body = fetch(port, path)
            marks = set(_MARK.findall(body))
            with lock:
                if status != 200 or len(marks) != 1:
                    faults.append(f"{path}: {status}, marks {sorted(marks)}: {body[:200]!r}")
                for mark in marks:
                    seen[mark.decode()] = seen.get(mark.decode(), 0) + 1

    threads = [threading.Thread(target=read, args=(seed,)) for seed in range(readers)]
    for thread in threads:
        thread.start()
    turning = threading.Thread(target=_turn, args=(data, names, requests, seen, done))
    turning.start()
    for thread in threads:
        thread.join()
    done.set()
    turning.join()
    assert not faults, faults[:5]
    return seen


def _turn(data: Path, names: list[str], requests: int, seen: dict[str, int], done: threading.Event) -> None:
    """Point at the next version whenever another share of the requests is answered."""
    for place, name in enumerate(names, 1):
        while sum(seen.values()) < requests * place // (len(names) + 1) and not done.wait(0.01):
            pass
        point(data, name)
