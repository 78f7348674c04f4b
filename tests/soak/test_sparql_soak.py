"""Two thousand hostile queries, and ten thousand over changing versions: memory and descriptors stay flat. Run with ``--soak``."""

import gc
import os
import random
import threading
import time
from pathlib import Path
from typing import Any

import psutil
import pytest

from kg.store.embedded import EmbeddedStore
from kg.store.errors import QueryError
from kg.store.limits import Limits
from kg.store.workers import QueryPool

HOSTILE = [
    "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }",
    "SELECT * { ?a ?b ?c . ?d ?e ?f } ORDER BY ?c ?f",
    "SELECT * { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }",
    "CONSTRUCT { ?a ?b ?f } WHERE { ?a ?b ?c . ?d ?e ?f }",
    "SELECT (COUNT(*) AS ?n) { ?a (<urn:p>|^<urn:p>)+ ?b }",
    "SELECT ?x40 { BIND('0123456789' AS ?x0) " + " ".join(f"BIND(CONCAT(?x{n}, ?x{n}) AS ?x{n + 1})" for n in range(40)) + " }",
    "ASK { FILTER(" + "!" * 10_000 + "1) }",
    "ASK { " + "OPTIONAL { ?s ?p ?o } " * 3_000 + " }",
    "SELECT * { SERVICE <http://127.0.0.1:9/> { ?s ?p ?o } }",
    "SELECT * {",
]


@pytest.fixture(scope="module")
def stores(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Two versions: 2,000 and 1,000 things."""
    made = []
    for size in (2_000, 1_000):
        folder = tmp_path_factory.mktemp("store")
        lines = (
            f'<urn:s{n}> <urn:p> <urn:s{(n + 1) % size}> <urn:g> .\n<urn:s{n}> <urn:name> "حدثنا {n}" <urn:g> .\n'
            for n in range(size)
        )
        (folder / "data.nq").write_text("".join(lines), encoding="utf-8")
        made.append(EmbeddedStore.create(folder / "store", [folder / "data.nq"]))
    return made


def footprint() -> tuple[int, int, int]:
    """Resident MiB of this process, its open files, its descendants."""
    gc.collect()
    process = psutil.Process()
    return process.memory_info().rss >> 20, len(os.listdir("/proc/self/fd")), len(process.children(recursive=True))


def settle(pool: QueryPool) -> None:
    until = time.monotonic() + 10
    while time.monotonic() < until and (pool.roster.busy or len(psutil.Process().children(recursive=True)) > pool.size + 1):
        time.sleep(0.05)


def ask(pool: QueryPool, query: str) -> None:
    try:
        pool.run(query).close()
    except QueryError:
        return


def test_two_thousand_hostile_queries(stores: list[Path], capsys: Any) -> None:
    limits = Limits(seconds=0.15, memory=192 << 20, rows=500, bytes=500_000, cache_bytes=0)
    with QueryPool(stores[0], limits) as pool:
        for number in range(100):
            ask(pool, HOSTILE[number % len(HOSTILE)])
        settle(pool)
        memory, files, processes = footprint()
        for number in range(2_000):
            ask(pool, HOSTILE[number % len(HOSTILE)] + f" # {number}")
        settle(pool)
        after = footprint()
        assert pool.run("ASK {}").read()
    with capsys.disabled():
        print(
            f"\n2,000 hostile queries: {memory} -> {after[0]} MiB, {files} -> {after[1]} files, {processes} -> {after[2]} processes"
        )
    assert after[0] <= memory + 16
    assert after[1:] == (files, processes)


def test_ten_thousand_queries_over_changing_versions(stores: list[Path], capsys: Any) -> None:
    counts: list[int] = []
    wrong: list[bytes] = []
    with QueryPool(stores[0], Limits(recycle_after=200)) as pool:
        ask(pool, "ASK {}")
        memory, files, processes = footprint()

        def reader(seed: int) -> None:
            chance = random.Random(seed)
            for _ in range(2_500):
                body = pool.run(f"SELECT (COUNT(*) AS ?n) {{ ?s <urn:p> ?o }} # {chance.random()}").read()
                counts.append(1)
                if b'"2000"' not in body and b'"1000"' not in body:
                    wrong.append(body)

        readers = [threading.Thread(target=reader, args=(seed,)) for seed in range(4)]
        for thread in readers:
            thread.start()
        turn = 0
        while any(thread.is_alive() for thread in readers):
            turn += 1
            pool.reopen(stores[turn % 2])
            time.sleep(0.2)
        for thread in readers:
            thread.join()
        settle(pool)
        after = footprint()
    with capsys.disabled():
        print(
            f"\n10,000 queries, {turn} versions: {memory} -> {after[0]} MiB, {files} -> {after[1]} files, {processes} -> {after[2]} processes"
        )
    assert not wrong
    assert len(counts) == 10_000
    assert after[1:] == (files, processes)
    assert after[0] <= memory + 32  # the cache of answers fills meanwhile
