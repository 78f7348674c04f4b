"""The pool of workers: answers, limits, deaths, another version, the end."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil
import pytest
from machine import PATIENCE, running, wait_until

from kg.store.errors import (
    Busy,
    LimitReached,
    NotAcceptable,
    PoolClosed,
    QueryError,
    QueryRefused,
    QuerySyntaxError,
    StoreError,
    UnknownFunction,
    Unwritable,
    UpdateRefused,
)
from kg.store.limits import Limits
from kg.store.workers import QueryPool

ALL = "SELECT * { ?s ?p ?o }"
ENDLESS = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l }"


def stopped(pool: QueryPool, query: str) -> None:
    """Run a query that is stopped in one way or another."""
    with pytest.raises(QueryError):
        pool.run(query)


@contextmanager
def busy(pool: QueryPool) -> Iterator[threading.Thread]:
    """While a worker is at a query without end, asked by the thread that is given; at the end the pool is closed under it."""
    asker = threading.Thread(target=lambda: stopped(pool, ENDLESS))
    asker.start()
    try:
        assert wait_until(lambda: pool.roster.busy)
        yield asker
    finally:
        pool.close(drain=0)
        asker.join()


def answers(pool: QueryPool) -> bool:
    """Whether an easy question is answered; a machine that stalls may take longer for it than the pool allows."""
    try:
        return value(pool, "SELECT (1 AS ?x) {}") == "1"
    except LimitReached:
        return False


def value(pool: QueryPool, query: str) -> str:
    rows = json.loads(pool.run(query).read())["results"]["bindings"]
    return str(next(iter(rows[0].values()))["value"])


@pytest.fixture(scope="module")
def pool(numbers: Path) -> Any:
    with QueryPool(numbers, Limits(seconds=20, spool_in_memory=1_000)) as running:
        yield running


def test_answers_by_form(pool: QueryPool) -> None:
    assert value(pool, "SELECT (COUNT(*) AS ?n) { ?s ?p ?o }") == "1000"
    assert json.loads(pool.run("ASK { <urn:s1> ?p '1' }").read())["boolean"] is True
    graph = pool.run("CONSTRUCT WHERE { <urn:s1> ?p ?o }", prefixes=[("u", "urn:")])
    assert (graph.kind, graph.content_type) == ("graph", "text/turtle; charset=utf-8")
    assert b'u:s1 u:p "1"' in graph.read()
    with pytest.raises(NotAcceptable) as refused:
        pool.run(ALL, result_format=None)
    assert refused.value.kind == "solutions"
    with pytest.raises(NotAcceptable):
        pool.run("DESCRIBE <urn:s1>", graph_format=None)


def test_group_concat_joins_texts(pool: QueryPool) -> None:
    """Of numbers, IRIs and strings with a language, as SPARQL 1.1 says; what is no query is told where it was sent."""
    values = "VALUES ?x { 1 <urn:a> 'b'@ar 'b'@ar }"
    assert set(value(pool, f"SELECT (GROUP_CONCAT(?x) AS ?all) {{ {values} }}").split()) == {"1", "urn:a", "b"}
    assert len(value(pool, f"SELECT (group_concat(distinct ?x; separator='|') AS ?all) {{ {values} }}").split("|")) == 3
    assert value(pool, f"SELECT (GROUP_CONCAT(CONCAT(STR(?x), ')')) AS ?all) {{ {values} }}").count(")") == 4
    with pytest.raises(QuerySyntaxError) as wrong:
        pool.run("SELECT (GROUP_CONCAT(?x) AS ?all) { nonsense }")
    assert wrong.value.position is not None
    assert wrong.value.position.column > 36


def test_large_answers_are_files_that_vanish(pool: QueryPool) -> None:
    before = len(os.listdir("/proc/self/fd"))
    with pool.run(ALL) as answer:
        assert answer.body is None
        assert answer.file is not None
        assert sum(map(len, answer.chunks())) == answer.size
        assert answer.file is None
    with pool.run(ALL):
        pass
    unread = pool.run(ALL)
    del unread
    assert wait_until(lambda: len(os.listdir("/proc/self/fd")) <= before)


def test_datasets(pool: QueryPool) -> None:
    count = "SELECT (COUNT(*) AS ?n) { ?s ?p ?o }"
    assert json.loads(pool.run(count, default_graphs=["urn:g0"]).read())["results"]["bindings"][0]["n"]["value"] == "500"
    assert json.loads(pool.run(count, named_graphs=["urn:g0"]).read())["results"]["bindings"][0]["n"]["value"] == "0"
    assert pool.graphs() == ["urn:g0", "urn:g1"]
    with pytest.raises(QuerySyntaxError):
        pool.run(count, default_graphs=["no iri"])


@pytest.mark.parametrize(
    ("query", "error"),
    [
        ("SELECT * {", QuerySyntaxError),
        ("SELECT ('\\uD800' AS ?x) {}", QuerySyntaxError),
        ("SELECT * { SERVICE <urn:x> {} }", QueryRefused),
        ("INSERT DATA { <urn:a> <urn:b> <urn:c> }", UpdateRefused),
        ("SELECT (<urn:f>(1) AS ?x) {}", UnknownFunction),
        ("ASK {" + "{" * 200 + "}" * 200 + "}", LimitReached),
        ("ASK {} #" + "x" * 300_000, LimitReached),
    ],
)
def test_errors_by_kind(pool: QueryPool, query: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        pool.run(query)
    assert value(pool, "SELECT (1 AS ?x) {}") == "1"


def test_what_a_format_cannot_say(pool: QueryPool) -> None:
    with pytest.raises(Unwritable):
        pool.run("CONSTRUCT { <urn:a> <urn:b> <<( <urn:a> <urn:c:1> 2 )>> } WHERE {}", graph_format="rdfxml")
    with pytest.raises(Unwritable):
        pool.run("CONSTRUCT { <urn:a> <urn:b:1/> 2 } WHERE {}", graph_format="rdfxml")
    for query in (
        "CONSTRUCT { <urn:a> <urn:b> 'a\\u0001' } WHERE {}",
        "SELECT ('a\\u0001' AS ?x) {}",
        "SELECT ('a\\uFFFF' AS ?x) {}",
    ):
        with pytest.raises(Unwritable):
            pool.run(query, graph_format="rdfxml", result_format="xml")
        assert pool.run(query).read()


def test_time(numbers: Path) -> None:
    with QueryPool(numbers, Limits(seconds=1), size=1) as pool:
        with pytest.raises(LimitReached) as reached:
            pool.run(ENDLESS)
        assert reached.value.limit == "seconds"
        assert PATIENCE > reached.value.seconds >= 1
        assert wait_until(lambda: answers(pool))


def test_memory(numbers: Path) -> None:
    double = " ".join(f"BIND(CONCAT(?x{n}, ?x{n}) AS ?x{n + 1})" for n in range(40))
    with QueryPool(numbers, Limits(seconds=60, memory=64 * 1024 * 1024), size=1) as pool:
        with pytest.raises(LimitReached) as reached:
            pool.run(f"SELECT ?x40 {{ BIND('0123456789' AS ?x0) {double} }}")
        assert reached.value.limit == "memory"
        assert value(pool, "SELECT (1 AS ?x) {}") == "1"


def test_more_queries_than_workers(numbers: Path) -> None:
    with (
        QueryPool(numbers, Limits(seconds=600, in_flight=1, waiting_seconds=0.1), size=1) as pool,
        busy(pool),
        pytest.raises(Busy),
    ):
        pool.run("ASK {}")


def test_an_extra_worker_runs_beside_busy_ones(numbers: Path) -> None:
    limits = Limits(seconds=600, in_flight=2, waiting_seconds=PATIENCE)
    with QueryPool(numbers, limits, size=1) as pool, busy(pool) as asker:
        assert value(pool, "SELECT (1 AS ?x) {}") == "1"
        assert asker.is_alive()


def test_answers_are_remembered_unless_they_change(numbers: Path) -> None:
    with QueryPool(numbers, size=1) as pool:
        assert not pool.run(ALL + " LIMIT 1").cached
        assert pool.run(ALL + " LIMIT 1").cached
        assert not pool.run(ALL + " LIMIT 1", result_format="csv").cached
        for call in ("RAND()", "NOW()", "UUID()", "STRUUID()", "BNODE()"):
            assert not pool.run(f"SELECT ({call} AS ?x) {{}}").cached
            assert not pool.run(f"SELECT ({call} AS ?x) {{}}").cached
    with QueryPool(numbers, Limits(cache_bytes=0), size=1) as pool:
        pool.run("ASK {}")
        assert not pool.run("ASK {}").cached


def test_workers_are_replaced_after_a_while(numbers: Path) -> None:
    with QueryPool(numbers, Limits(recycle_after=3, cache_bytes=0), size=1) as pool:
        seen = set()
        for _ in range(9):
            pool.run("ASK {}")
            seen |= {worker.pid for worker in pool.roster.idle}
        assert len(seen) >= 3


@pytest.mark.parametrize("size", [1, 2, 3])
def test_idle_workers_that_were_killed_are_not_noticed(numbers: Path, size: int) -> None:
    with QueryPool(numbers, Limits(cache_bytes=0), size=size) as pool:
        for _ in range(10):
            for worker in pool.roster.idle:
                os.kill(worker.pid, signal.SIGKILL)
            assert value(pool, "SELECT (1 AS ?x) {}") == "1"


def test_workers_that_die_before_they_read_the_question_are_not_noticed(numbers: Path) -> None:
    """However long it takes until their death is seen: here they are stopped with the question unread."""
    with QueryPool(numbers, Limits(cache_bytes=0), size=2) as pool:
        idle = list(pool.roster.idle)
        for worker in idle:
            os.kill(worker.pid, signal.SIGSTOP)

        def kill_late() -> None:
            for worker in reversed(idle):
                time.sleep(0.4)
                os.kill(worker.pid, signal.SIGKILL)

        killer = threading.Thread(target=kill_late)
        killer.start()
        assert value(pool, "SELECT (1 AS ?x) {}") == "1"
        killer.join()


def test_a_fork_server_that_was_killed_is_started_again(numbers: Path) -> None:
    with QueryPool(numbers, Limits(cache_bytes=0)) as pool:
        process = pool.roster.server._process
        assert process is not None
        process.kill()
        process.wait()
        for worker in pool.roster.idle:
            assert wait_until(lambda worker=worker: not worker.lives())
        assert value(pool, "SELECT (1 AS ?x) {}") == "1"


def test_another_version_loses_no_query(numbers: Path, make_store: Callable[[str], Path]) -> None:
    """Queries go on while the data change; one that runs ends on the version it began with."""
    other = make_store("<urn:a> <urn:p> 'new' <urn:g> .\n".replace("'", '"'))
    counts: list[str] = []
    with QueryPool(numbers, Limits(cache_bytes=0)) as pool:
        stop = threading.Event()

        def ask() -> None:
            while not stop.is_set():
                counts.append(value(pool, "SELECT (COUNT(*) AS ?n) { ?s ?p ?o }"))

        askers = [threading.Thread(target=ask) for _ in range(3)]
        for asker in askers:
            asker.start()
        for store in (other, numbers, other, numbers, other):
            time.sleep(0.05)
            pool.reopen(store)
        assert value(pool, "SELECT (COUNT(*) AS ?n) { ?s ?p ?o }") == "1"
        stop.set()
        for asker in askers:
            asker.join()
        assert set(counts) == {"1", "1000"}
        assert wait_until(lambda: pool.roster.live == len(pool.roster.idle) == 2)  # one may just be started
        with pytest.raises(StoreError):
            pool.reopen(numbers / "nowhere")
        assert value(pool, "SELECT (COUNT(*) AS ?n) { ?s ?p ?o }") == "1"


def test_cached_answers_are_of_the_version(numbers: Path, make_store: Callable[[str], Path]) -> None:
    other = make_store('<urn:a> <urn:p> "new" <urn:g> .\n')
    with QueryPool(numbers, size=1) as pool:
        assert value(pool, "SELECT (COUNT(*) AS ?n) { ?s ?p ?o }") == "1000"
        pool.reopen(other)
        assert value(pool, "SELECT (COUNT(*) AS ?n) { ?s ?p ?o }") == "1"


def test_the_end_waits_for_what_runs(numbers: Path) -> None:
    pool = QueryPool(numbers, Limits(seconds=600), size=1)
    results: list[Any] = []
    # about as long as a scan of a million pairs
    asker = threading.Thread(target=lambda: results.append(value(pool, "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f }")))
    asker.start()
    while not pool.roster.busy and not results:
        time.sleep(0.001)
    pool.close(drain=600)
    asker.join()
    assert results == ["1000000"]
    with pytest.raises(PoolClosed):
        pool.run("ASK {}")


def test_the_end_kills_what_does_not_end(numbers: Path) -> None:
    pool = QueryPool(numbers, Limits(seconds=600), size=1)
    process = pool.roster.server._process
    assert process is not None
    workers = psutil.Process(process.pid).children()
    with busy(pool) as asker:
        pool.close(drain=0.1)
        asker.join(PATIENCE)
        assert not asker.is_alive()
    assert not any(worker.is_running() for worker in workers)


def test_no_store(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be opened"):
        QueryPool(tmp_path)


def test_workers_end_with_a_process_that_is_killed(numbers: Path) -> None:
    """Nothing survives kill -9 of the server, not even a worker in an endless query."""
    code = f"""
import sys, threading, time
from kg.store.workers import QueryPool
from kg.store.limits import Limits
pool = QueryPool({str(numbers)!r}, Limits(seconds=600), size=1)
threading.Thread(target=pool.run, args=({ENDLESS!r},)).start()
while not pool.roster.busy: time.sleep(0.01)
print(pool.roster.server._process.pid, *pool.roster.busy, flush=True)
sys.stdin.read()
"""
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stdin=subprocess.PIPE)
    assert process.stdout is not None and process.stdin is not None
    with process.stdout, process.stdin:
        left = [psutil.Process(int(pid)) for pid in process.stdout.readline().split()]
        process.kill()
        process.wait()
        assert wait_until(lambda: not running(left))


def test_a_fork_of_the_process_has_workers_of_its_own(numbers: Path) -> None:
    """As under gunicorn with preload: parent and child both answer, and end cleanly."""
    code = f"""
import os
from kg.store.workers import QueryPool
pool = QueryPool({str(numbers)!r}, size=1)
pool.run("ASK {{}} # parent")
child = os.fork()
if child == 0:
    answer = pool.run("ASK {{}} # child").read()
    pool.close()
    os._exit(0 if answer else 1)
assert os.waitpid(child, 0)[1] == 0
assert pool.run("ASK {{}} # parent again").read()
pool.close()
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=PATIENCE)
