"""Other SPARQL servers for the tests, each started on a free port of this machine and ended with the test."""

import gzip
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest
from machine import PATIENCE, answers, free_port, wait_for

from kg.store.http import Client, split_account
from kg.store.push import push
from kg.store.servers import find_endpoints

__all__ = ["STORES", "VIRTUOSO", "dumps_by_graph", "oxigraph_server", "store_with", "virtuoso_server"]

STORES = ("embedded", "oxigraph", "virtuoso")
"""What the tests of pages, queries, search and reconciliation run against."""


VIRTUOSO = ("dba", "dba")
"""User and password of a fresh Virtuoso."""

_INI = """
[Database]
DatabaseFile = {folder}/virtuoso.db
ErrorLogFile = {folder}/virtuoso.log
LockFile = {folder}/virtuoso.lck
TransactionFile = {folder}/virtuoso.trx
xa_persistent_file = {folder}/virtuoso.pxa
FileExtend = 200
[TempDatabase]
DatabaseFile = {folder}/virtuoso-temp.db
TransactionFile = {folder}/virtuoso-temp.trx
[Parameters]
ServerPort = 127.0.0.1:{sql}
ServerThreads = 10
CheckpointInterval = 0
NumberOfBuffers = {buffers}
MaxDirtyBuffers = {dirty}
DirsAllowed = {folder}
[HTTPServer]
ServerPort = 127.0.0.1:{http}
ServerRoot = {folder}
ServerThreads = 10
[SPARQL]
ResultSetMaxRows = 200000
MaxQueryCostEstimationTime = 0
MaxQueryExecutionTime = 60
"""


@contextmanager
def oxigraph_server(folder: Path) -> Iterator[str]:
    """The address of an empty Oxigraph server that may be written to."""
    program = shutil.which("oxigraph", path=str(Path(sys.executable).parent)) or shutil.which("oxigraph")
    assert program is not None, "the oxigraph of the test requirements is not installed"
    address = f"127.0.0.1:{free_port()}"
    server = subprocess.Popen(
        [program, "serve", "--location", str(folder), "--bind", address], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        wait_for(server, partial(answers, f"http://{address}/query?query=ASK%7B%7D"))
        yield f"http://{address}/"
    finally:
        server.terminate()
        server.wait(PATIENCE)


@contextmanager
def virtuoso_server(folder: Path, buffers: int = 20_000) -> Iterator[str]:
    """The address of a Virtuoso without data of ours; the test is skipped where Debian's ``virtuoso-opensource-7-bin`` is missing."""
    program = shutil.which("virtuoso-t")
    if program is None:
        pytest.skip("Virtuoso is not installed: apt-get install virtuoso-opensource-7-bin")
    sql, http = free_port(), free_port()
    ini = folder / "virtuoso.ini"
    ini.write_text(_INI.format(folder=folder, sql=sql, http=http, buffers=buffers, dirty=buffers * 3 // 4))
    server = subprocess.Popen(
        [program, "-f", "-c", str(ini)],
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "LC_ALL": "C.UTF-8"},
    )
    try:
        wait_for(server, partial(answers, f"http://127.0.0.1:{http}/sparql?query=ASK%7B%7D"))
        yield f"http://127.0.0.1:{http}/sparql"
    finally:
        server.terminate()
        try:
            server.wait(20)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait(20)


def dumps_by_graph(whole: Path, folder: Path) -> Path:
    """A folder with a dump of each graph, as a build writes them, of one file with all."""
    graphs: dict[bytes, list[bytes]] = {}
    with gzip.open(whole) as lines:
        for line in lines:
            graphs.setdefault(line.rsplit(b" <", 1)[1], []).append(line)
    folder.mkdir()
    for graph, statements in graphs.items():
        name = graph.rpartition(b"/")[2].strip(b"> .\n").decode()
        (folder / f"{name}.nq.gz").write_bytes(gzip.compress(b"".join(statements)))
    return folder


@contextmanager
def store_with(kind: str, data: Path, base: str, folder: Path) -> Iterator[str | None]:
    """The address of a server of a kind of ``STORES`` to which the built folder was pushed; None for the embedded store."""
    if kind == "embedded":
        yield None
        return
    with {"oxigraph": oxigraph_server, "virtuoso": virtuoso_server}[kind](folder) as url:
        clean, account = split_account(url, *(VIRTUOSO if kind == "virtuoso" else (None, None)))
        with Client(account) as client:
            push(
                dumps_by_graph(data / "current/dumps/silsila.nq.gz", folder / "dumps"),
                find_endpoints(clean, client),
                client,
                base=base,
            )
        yield url
