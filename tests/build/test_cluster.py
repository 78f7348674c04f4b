"""The same build on a dask cluster: real schedulers and workers, one killed in the middle, one that joins late."""

import hashlib
import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from machine import PATIENCE, free_port, wait_until

from kg.build.builder import build
from kg.build.folder import BuildError, DataFolder
from kg.sources import open_source, open_sources

pytestmark = [pytest.mark.xdist_group("cluster"), pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")]


def start(*arguments: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "distributed.cli." + arguments[0], *arguments[1:]],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        env={**os.environ, "PYTHONWARNINGS": "ignore"},
    )


def end(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
    process.wait(PATIENCE)


class Cluster:
    """A scheduler and its workers, each with its nanny, on this machine."""

    def __init__(self) -> None:
        self.address = f"tcp://127.0.0.1:{free_port()}"
        port = self.address.rpartition(":")[2]
        self.scheduler = start("dask_scheduler", "--host", "127.0.0.1", "--port", port, "--no-dashboard", "--no-show")
        self.workers = [self.worker()]

    def worker(self) -> subprocess.Popen[bytes]:
        return start(
            "dask_worker", self.address, "--host", "127.0.0.1", "--nthreads", "1", "--no-dashboard", "--death-timeout", "600"
        )

    def join(self) -> None:
        self.workers.append(self.worker())

    def close(self) -> None:
        for process in (*self.workers, self.scheduler):
            end(process)


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    running = Cluster()
    yield running
    running.close()


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The first thousand reports of al-Bukhari as a file of rows."""
    path = tmp_path_factory.mktemp("text") / "rows.jsonl"
    with path.open("w", encoding="utf-8") as rows:
        for count, passage in enumerate(open_source("bukhari").passages()):
            if count == 1000:
                break
            rows.write(json.dumps({"id": passage.id, "text": passage.text}, ensure_ascii=False) + "\n")
    return path


def dumps(out: Path) -> dict[str, str]:
    folder = DataFolder(out).current() / "dumps"
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(folder.iterdir()) if path.is_file()}


def test_a_worker_killed_and_one_that_joins_late_change_nothing(cluster: Cluster, text: Path, tmp_path: Path) -> None:
    build(open_sources(str(text)), tmp_path / "alone")
    failure: list[BaseException] = []

    def run() -> None:
        try:
            build(open_sources(str(text)), tmp_path / "cluster", scheduler=cluster.address)
        except BaseException as error:
            failure.append(error)

    cluster.join()
    building = threading.Thread(target=run)
    building.start()
    assert wait_until(lambda: any((tmp_path / "cluster" / "cache").rglob("*"))), "no record has come back"
    assert building.is_alive()
    end(cluster.workers[0])  # the worker and its nanny: they are one process group
    cluster.join()
    building.join(1200)
    assert not building.is_alive()
    assert not failure, failure
    assert dumps(tmp_path / "cluster") == dumps(tmp_path / "alone")


def test_a_scheduler_that_does_not_answer_is_told(text: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import kg.build.cluster as module

    monkeypatch.setattr(module, "_PATIENCE", 2)
    with socket.socket() as taken:  # nobody else can listen there meanwhile
        taken.bind(("127.0.0.1", 0))
        with pytest.raises(BuildError, match="does not answer"):
            build(open_sources(str(text)), tmp_path / "out", scheduler=f"tcp://127.0.0.1:{taken.getsockname()[1]}")
