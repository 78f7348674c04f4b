"""A cluster whose records go through an object store: the same bytes as one process, and a build begun again reads nothing again."""

import hashlib
import json
import os
import pickle
import socket
import subprocess
import sys
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

import pytest
import zstandard
from machine import PATIENCE, free_port, wait_for

import kg
from kg.build.extraction import extract_chunk
from kg.build.folder import BuildError
from kg.build.object_store import ChunkStore
from kg.sources import open_source
from kg.text import Passage

pytestmark = pytest.mark.xdist_group("cluster")


@pytest.fixture(scope="module")
def bucket(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """The environment in which ``s3://texts`` is a bucket of a server on this machine."""
    with open(tmp_path_factory.mktemp("moto") / "log", "w") as log:
        port = free_port()
        process = subprocess.Popen(
            [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)],
            stdout=log,
            stderr=log,
            env={**os.environ, "PYTHONWARNINGS": "ignore"},
        )
        try:
            environment = {
                "FSSPEC_S3_ENDPOINT_URL": f"http://127.0.0.1:{port}",
                "FSSPEC_S3_KEY": "key",
                "FSSPEC_S3_SECRET": "secret",
                "AWS_DEFAULT_REGION": "us-east-1",
                "PYTHONWARNINGS": "ignore",
            }
            wait_for(process, lambda: listens(port))
            run("import fsspec; fsspec.filesystem('s3').mkdir('texts')", environment)
            yield environment
        finally:
            process.terminate()
            process.wait(PATIENCE)


def listens(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), PATIENCE).close()
    except OSError:
        return False
    return True


def run(code: str, environment: dict[str, str]) -> str:
    """What a program prints in that environment; fsspec reads its settings when it is imported."""
    done = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, **environment}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


LISTED = (
    "import fsspec, json; fs = fsspec.filesystem('s3');"
    "print(json.dumps({one['Key']: str(one['LastModified']) for one in fs.ls('texts/records', detail=True)}))"
)


READ = """
import hashlib, json, pickle
from kg.build.cluster import extract_on_cluster
from test_object_store import chunks, digest
if __name__ == "__main__":
    print(digest(extract_on_cluster(chunks(), "local", records="s3://texts/records")))
"""


def chunks() -> list[list[Passage]]:
    """Three chunks of al-Bukhari."""
    passages = list(islice(open_source("bukhari").passages(), 60))
    return [passages[start : start + 20] for start in (0, 20, 40)]


def digest(pickled: Iterable[bytes]) -> str:
    """A hash of all records, in order."""
    records = [record.to_json() for chunk in pickled for record in pickle.loads(chunk)]
    return hashlib.sha256(json.dumps(records, ensure_ascii=False).encode()).hexdigest()


def test_records_through_an_object_store(bucket: dict[str, str], tmp_path: Path) -> None:
    program = tmp_path / "read.py"
    program.write_text(READ, encoding="utf-8")
    environment = {
        **os.environ,
        **bucket,
        "PYTHONPATH": os.pathsep.join(
            (str(Path(kg.__file__).parents[1]), str(Path(__file__).parent), str(Path(__file__).parents[1]))
        ),
    }

    def on_cluster() -> str:
        done = subprocess.run([sys.executable, str(program)], env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    alone = digest(map(extract_chunk, chunks()))
    assert on_cluster() == alone
    kept = json.loads(run(LISTED, bucket))
    assert len(kept) == 3
    # One chunk is lost, one was written in part: both are read again, the third is not.
    first, second, third = sorted(kept)
    run(f"import fsspec; fs = fsspec.filesystem('s3'); fs.rm('{first}'); fs.pipe_file('{second}', b'half')", bucket)
    assert on_cluster() == alone
    now = json.loads(run(LISTED, bucket))
    assert now.keys() == kept.keys() and now[third] == kept[third]


def test_a_dump_goes_to_an_object_store(bucket: dict[str, str], tmp_path: Path) -> None:
    dumps = tmp_path / "current" / "dumps"
    dumps.mkdir(parents=True)
    (dumps / "silsila.nq.zst").write_bytes(zstandard.compress(b"<urn:a> <urn:b> <urn:c> <urn:g> .\n"))
    target = "s3://texts/dumps/silsila.nq.gz"
    done = subprocess.run(
        [sys.executable, "-m", "kg.cli", "dump", "--data", str(tmp_path), "--out", target],
        env={**os.environ, **bucket},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    code = f"import fsspec, gzip; print(gzip.decompress(fsspec.filesystem('s3').cat_file('{target}')).decode(), end='')"
    assert run(code, bucket) == "<urn:a> <urn:b> <urn:c> <urn:g> .\n"


def test_an_object_store_that_is_not_there_is_told() -> None:
    with pytest.raises(BuildError, match="correct the address"):
        ChunkStore("nonsense://bucket/records")
