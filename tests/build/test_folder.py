"""A data folder: readers see the old version or the new, a killed build leaves nothing, one builder at a time."""

import multiprocessing
import os
import time
from pathlib import Path

import pytest
from machine import PATIENCE

from kg.build.folder import BuildError, DataFolder


def publish(folder: DataFolder, name: str) -> Path:
    with folder.locked():
        building = folder.begin(name)
        (building / "manifest.json").write_text(f'{{"version": "{name}"}}', encoding="utf-8")
        return folder.publish(building, name)


def test_publishing_moves_current_and_keeps_two(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path)
    for name in ("one", "two", "three"):
        version = publish(folder, name)
        assert folder.current() == version.resolve()
        os.utime(version, (time.time() + len(name), time.time() + len(name)))
    assert sorted(path.name for path in (tmp_path / "versions").iterdir()) == ["three", "two"]
    assert folder.manifest() == {"version": "three"}
    assert (tmp_path / "previous").read_text().strip() == "two"


def test_publishing_the_same_version_again_replaces_it(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path)
    publish(folder, "one")
    publish(folder, "one")
    assert folder.current_version() == "one"


def test_nothing_built_is_told_with_a_remedy(tmp_path: Path) -> None:
    with pytest.raises(BuildError, match="kg build"):
        DataFolder(tmp_path / "missing").current()


def test_what_a_killed_build_left_is_swept_by_the_next(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path)
    publish(folder, "one")
    leftover = folder.begin("two")
    (leftover / "half").write_text("x", encoding="utf-8")
    (tmp_path / ".current-99999").symlink_to("versions/nowhere")
    assert folder.current_version() == "one"
    with folder.locked():
        assert not leftover.exists()
        assert not (tmp_path / ".current-99999").is_symlink()
    assert folder.current_version() == "one"


def _hold(path: Path, ready: "multiprocessing.synchronize.Event", done: "multiprocessing.synchronize.Event") -> None:
    with DataFolder(path).locked():
        ready.set()
        done.wait(PATIENCE)


def test_a_second_builder_is_told_who_builds_or_waits(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    ready, done = context.Event(), context.Event()
    holder = context.Process(target=_hold, args=(tmp_path, ready, done))
    holder.start()
    try:
        assert ready.wait(PATIENCE)
        with pytest.raises(BuildError, match=f"process {holder.pid} "), DataFolder(tmp_path).locked(wait=False):
            pass
    finally:
        done.set()
        holder.join(PATIENCE)
    with DataFolder(tmp_path).locked(wait=True):
        pass


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(BuildError, match="cannot be written"), DataFolder(tmp_path / "file").locked():
        pass
