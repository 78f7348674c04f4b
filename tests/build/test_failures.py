"""Builds on a bad day: a full disk, a folder that is read-only, a source that goes away. What is served stays whole, and one sentence tells."""

import json
import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest
from machine import running, wait_until

from kg.build.builder import build
from kg.build.extraction import Readers
from kg.build.folder import BuildError, DataFolder
from kg.build.processes import Helpers
from kg.sources import SourceError, open_sources
from kg.store.embedded import EmbeddedStore

ISNAD = "حدثنا مالك عن نافع عن ابن عمر قال قال رسول الله صلى الله عليه وسلم"


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("small")
    (folder / "a.txt").write_text(ISNAD, encoding="utf-8")
    build(open_sources(str(folder / "a.txt")), folder / "out")
    return folder


@pytest.fixture
def served(small: Path, tmp_path: Path) -> Path:
    """A data folder with a small version in it."""
    shutil.copytree(small, tmp_path, symlinks=True, dirs_exist_ok=True)
    return tmp_path / "out"


def whole(out: Path) -> str:
    """The name of the served version, which is read to its end."""
    version = DataFolder(out).current()
    manifest = json.loads((version / "manifest.json").read_text(encoding="utf-8"))
    assert sum(1 for _ in EmbeddedStore.open(version / "store").quads()) == manifest["counts"]["quads"]
    assert (version / "dumps" / "SHA256SUMS").is_file() and (version / "search.sqlite").is_file()
    return version.name


def run(arguments: list[str], most_bytes: int | None = None) -> "subprocess.CompletedProcess[str]":
    """``kg`` in a process of its own, no file of which may grow beyond so many bytes."""

    def limit() -> None:
        assert most_bytes is not None
        resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, most_bytes))

    return subprocess.run(
        [sys.executable, "-m", "kg.cli", *arguments],
        capture_output=True,
        text=True,
        preexec_fn=limit if most_bytes is not None else None,
        check=False,
    )


@pytest.mark.parametrize("most_bytes", [1_000, 3_000_000], ids=["records", "store"])
def test_a_disk_that_is_full_is_told_and_the_old_version_is_served(served: Path, most_bytes: int) -> None:
    before = whole(served)
    source = served.parent / "b.txt"
    source.write_text("\n\n".join(f"{ISNAD} {number}" for number in range(40)), encoding="utf-8")
    failed = run(["build", str(source), "--out", str(served), "--quiet", "--workers", "2"], most_bytes)
    assert failed.returncode == 1, failed.stderr
    assert "Traceback" not in failed.stderr
    assert "old version is still served" in failed.stderr.splitlines()[-1], failed.stderr
    assert whole(served) == before
    assert not list((served / "cache").glob("*.part"))


def test_the_helpers_of_a_killed_build_end_with_it(tmp_path: Path) -> None:
    code = "from pathlib import Path; from kg.build.builder import build; from kg.sources import open_sources;"
    code += f"build(open_sources('nine-books'), Path({str(tmp_path / 'out')!r}), workers=3)"
    started = psutil.Popen([sys.executable, "-c", code])
    helpers: list[psutil.Process] = []

    def all_there() -> bool:
        helpers[:] = started.children(recursive=True)
        return len(helpers) >= 5  # three that read, the server that starts them, the tracker of multiprocessing

    try:
        assert wait_until(all_there)
    finally:
        started.kill()  # the one process alone: nobody tells its helpers
        started.wait()
    try:
        assert wait_until(lambda: not running(helpers))
    finally:
        for process in running(helpers):
            process.kill()


@contextmanager
def read_only(folder: Path) -> Iterator[None]:
    """Nobody may write into the folder: by its permissions, or for root, whom they do not bind, by a mount."""
    if os.geteuid():
        for path in (folder, *(path for path in folder.rglob("*") if path.is_dir() and not path.is_symlink())):
            path.chmod(0o555)
        try:
            yield
        finally:
            for path in (folder, *(path for path in folder.rglob("*") if path.is_dir() and not path.is_symlink())):
                path.chmod(0o755)
        return
    mounted = subprocess.run(["mount", "--bind", str(folder), str(folder)], capture_output=True, check=False).returncode == 0
    if not mounted:
        pytest.skip("root may write everywhere, and this machine lets nobody mount: read-only folders are not tested")
    try:
        subprocess.run(["mount", "-o", "remount,ro,bind", str(folder)], capture_output=True, check=True)
        yield
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def test_a_folder_that_is_read_only_is_told_and_still_read(served: Path) -> None:
    before = whole(served)
    with read_only(served):
        failed = run(["build", str(served.parent / "a.txt"), "--out", str(served), "--base", "https://example.org/"])
        assert failed.returncode == 1 and "cannot be written" in failed.stderr and "--out" in failed.stderr
        assert whole(served) == before
        asked = run(["query", "-", "--data", str(served)])
        assert asked.returncode == 1 and "Traceback" not in asked.stderr  # no query was given


def test_a_source_that_is_gone_is_named(served: Path, tmp_path: Path) -> None:
    before = whole(served)
    texts = tmp_path / "texts"
    texts.mkdir()
    for name in ("one", "two", "three"):
        (texts / f"{name}.txt").write_text(ISNAD, encoding="utf-8")
    sources = open_sources(str(texts))
    (texts / "two.txt").unlink()
    with pytest.raises(SourceError, match=r"two\.txt"):
        build(sources, served)
    assert whole(served) == before
    failed = run(["build", str(texts / "two.txt"), "--out", str(served)])
    assert failed.returncode == 1 and "two.txt" in failed.stderr and failed.stderr.count("\n") == 1


def test_a_source_that_goes_away_while_others_are_read(served: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = tmp_path / "texts"
    texts.mkdir()
    for name in ("one", "two"):
        (texts / f"{name}.txt").write_text(ISNAD, encoding="utf-8")
    sources = open_sources(str(texts))
    for source in sources:
        monkeypatch.setattr(type(source), "fingerprint", lambda self: self.key)
    (texts / "two.txt").unlink()
    with pytest.raises((SourceError, BuildError), match=r"two\.txt"):
        build(sources, served)
    kept = build(sources, served, keep_going=True)
    assert ["two.txt" in str(error) for error in kept.skipped] == [True] and kept.counts["passages"] == 1


def test_a_helper_that_is_killed_is_told(served: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = whole(served)

    def read(self: Readers, passages: object, advance: object = None) -> Iterator[bytes]:
        with Helpers(1) as helpers:
            yield helpers.submit(os._exit, 9).result()

    monkeypatch.setattr(Readers, "read", read)
    (served.parent / "b.txt").write_text(ISNAD * 2, encoding="utf-8")
    with pytest.raises(BuildError, match="processes was killed: give the machine more memory"):
        build(open_sources(str(served.parent / "b.txt")), served)
    assert whole(served) == before
