"""A data folder: versions side by side, ``current`` a link renamed over, a lock for whoever builds."""

import errno
import fcntl
import json
import os
import shutil
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

__all__ = ["BuildError", "DataFolder"]

_KEPT = 2


class BuildError(RuntimeError):
    """The build cannot go on: what was seen, where, and what to do."""


@dataclass(frozen=True, slots=True)
class DataFolder:
    """``kg-data``: ``versions/<hash>/``, ``current``, ``cache/``, ``registry/``.

    Readers resolve ``current`` once and read that version; a version is never changed after the swap.
    """

    path: Path

    @property
    def current_link(self) -> Path:
        """The link that is renamed over."""
        return self.path / "current"

    @property
    def cache(self) -> Path:
        """Extraction records and the Quran index."""
        return self.path / "cache"

    @property
    def registry(self) -> Path:
        """Ids that must not change from build to build."""
        return self.path / "registry"

    def current(self) -> Path:
        """The version that is served.

        Raises:
            BuildError: nothing was built here yet.
        """
        try:
            version = self.current_link.resolve(strict=True)
        except OSError:
            raise BuildError(f"{self.path}: nothing is built here: run `kg build --out {self.path}` first") from None
        return version

    def current_version(self) -> str | None:
        """The hash of the version that is served; None where nothing is."""
        try:
            return self.current_link.resolve(strict=True).name
        except OSError:
            return None

    def version(self, name: str) -> Path:
        """The folder of a version."""
        return self.path / "versions" / name

    def manifest(self) -> dict[str, Any]:
        """What the served version says of itself."""
        return json.loads((self.current() / "manifest.json").read_text(encoding="utf-8"))

    @contextmanager
    def locked(self, wait: bool = True) -> Iterator[None]:
        """Held while building. A second builder waits, or is told who holds the lock.

        Raises:
            BuildError: the folder cannot be written, or (``wait=False``) another build holds the lock.
        """
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            stream = (self.path / ".lock").open("a+", encoding="utf-8")
        except OSError as error:
            raise BuildError(f"{self.path}: cannot be written ({error.strerror}): choose another folder with --out") from None
        with stream:
            try:
                fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                stream.seek(0)
                holder = stream.read().strip() or "another process"
                if not wait:
                    raise BuildError(
                        f"{self.path}: {holder} is building here: wait for it, or choose another folder with --out"
                    ) from None
                fcntl.flock(stream, fcntl.LOCK_EX)
            stream.seek(0)
            stream.truncate()
            stream.write(f"process {os.getpid()} on {socket.gethostname()}, since {time.strftime('%Y-%m-%d %H:%M:%S')},")
            stream.flush()
            self._sweep()
            try:
                yield
            finally:
                stream.seek(0)
                stream.truncate()

    def _sweep(self) -> None:
        """Remove what a killed build left; only under the lock."""
        versions = self.path / "versions"
        if versions.is_dir():
            for leftover in versions.glob(".building-*"):
                shutil.rmtree(leftover, onerror=_unless_written)
        for leftover in self.path.glob(".current-*"):
            leftover.unlink()

    def begin(self, name: str) -> Path:
        """An empty folder to build a version in; it is not yet seen by readers."""
        building = self.path / "versions" / f".building-{name}-{os.getpid()}"
        building.mkdir(parents=True)
        return building

    def publish(self, building: Path, name: str) -> Path:
        """Put a finished version in its place, move ``current`` to it in one step, and keep the last two versions."""
        version = self.version(name)
        if version.exists():
            shutil.rmtree(version)
        _flush(building)
        os.replace(building, version)
        self.point(name)
        self._prune(name)
        return version

    def point(self, name: str) -> None:
        """Move ``current`` to a version that is there; readers see the old or the new, never neither."""
        previous = self.current_version()
        temporary = self.path / f".current-{os.getpid()}"
        temporary.symlink_to(Path("versions") / name)
        os.replace(temporary, self.current_link)
        if previous and previous != name:
            (self.path / "previous").write_text(previous + "\n", encoding="utf-8")

    def _prune(self, name: str) -> None:
        versions = [path for path in (self.path / "versions").iterdir() if not path.name.startswith(".")]
        versions.sort(key=lambda path: (path.name == name, path.stat().st_mtime), reverse=True)
        for old in versions[_KEPT:]:
            shutil.rmtree(old)


def _unless_written(function: object, path: str, info: tuple[object, BaseException, object]) -> None:
    """A helper of a killed build may write, or take away, for a moment yet: what it leaves is removed by the build after this one."""
    if not isinstance(info[1], OSError) or info[1].errno not in (errno.ENOTEMPTY, errno.ENOENT):
        raise info[1]


def _flush(folder: Path) -> None:
    """Ask the system to write a finished folder to disk, so that a power cut does not leave a link to empty files."""
    for path in folder.rglob("*"):
        if path.is_file():
            descriptor = os.open(path, os.O_RDONLY)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
