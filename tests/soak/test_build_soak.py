"""Builds killed at fifty random moments: the served version is always whole, and the build after them equals a fresh one."""

import hashlib
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

from kg.build.builder import build
from kg.build.folder import DataFolder
from kg.sources import open_sources
from kg.store.embedded import EmbeddedStore

KILLS = 50
CODE = (
    "import sys; from pathlib import Path; from kg.build.builder import build; from kg.sources import open_sources;"
    "build(open_sources(sys.argv[2]), Path(sys.argv[1]))"
)


def sums(folder: Path) -> dict[str, str]:
    """Of the dumps, what tells the difference to the version before left out."""
    files = [path for path in folder.iterdir() if not path.name.startswith(("changes.", "SHA256SUMS", "files.ttl"))]
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(files)}


def test_fifty_kills(tmp_path: Path) -> None:
    out, fresh = tmp_path / "out", tmp_path / "fresh"
    build(open_sources("sample"), fresh)
    build(open_sources("sample-bazzar"), out)
    chance = random.Random(7)
    for number in range(KILLS):
        # In turn another text, so that every build has something to do.
        started = subprocess.Popen(
            [sys.executable, "-c", CODE, str(out), ("sample", "sample-nawawi")[number % 2]], start_new_session=True
        )
        time.sleep(chance.uniform(0.1, 8))
        if started.poll() is None:
            os.killpg(started.pid, signal.SIGKILL)
        started.wait()
        version = DataFolder(out).current()
        assert (version / "manifest.json").is_file()
        assert next(iter(EmbeddedStore.open(version / "store").quads()), None) is not None
    build(open_sources("sample"), out)
    assert sums(DataFolder(out).current() / "dumps") == sums(DataFolder(fresh).current() / "dumps")
