"""The processes behind the pool: one that forks, and the workers it forks."""

import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
from dataclasses import dataclass
from typing import Any

from kg.store.errors import StoreError
from kg.store.forkserver import receive

__all__ = ["ForkServer", "Worker"]

_READY = 60.0  # seconds a worker may take to open its store
_START = "import json, sys; sys.path[:] = json.loads(sys.argv[2]); from kg.store.forkserver import main; main(int(sys.argv[1]))"


@dataclass(slots=True)
class Worker:
    """A worker process: our end of its link, the store it has open, whether it is cut from the network, how much it answered."""

    pid: int
    link: socket.socket
    store: str
    isolated: bool = False
    answered: int = 0

    def lives(self) -> bool:
        """An idle worker says nothing: if its link can be read, it has ended."""
        return not select.select([self.link], [], [], 0)[0]


class ForkServer:
    """The far end of ``kg.store.forkserver``; started again should it be killed."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None
        self._closed = False

    def spawn(self, path: str, limits: dict[str, Any]) -> Worker:
        """A new worker that has opened the store at ``path``.

        Raises:
            StoreError: there is no store, or the worker ended at once.
        """
        pid, link = self.fork(path, limits)
        link.settimeout(_READY)
        worker = Worker(pid, link, path)
        try:
            head, _, _ = receive(link)
        except (EOFError, OSError) as error:
            self.end(worker)
            raise StoreError(f"a query worker for {path} ended before it was ready") from error
        if head.get("error"):
            self.end(worker)
            raise StoreError(f"{path} cannot be opened as a store ({head['message']}): build it again with 'kg build'")
        worker.isolated = head["isolated"]
        return worker

    def end(self, worker: Worker) -> None:
        """Kill a worker unless it was ended before; an idle one has nothing to lose."""
        if worker.link.fileno() >= 0:
            worker.link.close()
            self.kill(worker.pid)

    def fork(self, store: str, limits: dict[str, Any]) -> tuple[int, socket.socket]:
        """A new worker: its process and our end of its link."""
        ours, theirs = socket.socketpair()
        with theirs:
            try:
                return self._request({"do": "fork", "store": store, "limits": limits}, theirs.fileno())["pid"], ours
            except BaseException:
                ours.close()
                raise

    def wait(self, pid: int) -> int:
        """The status of a worker that has ended."""
        return int(self._request({"do": "wait", "pid": pid})["status"])

    def kill(self, pid: int) -> None:
        """End a worker; does not wait for it."""
        self._request({"do": "kill", "pid": pid})

    def close(self) -> None:
        """End the process and, with it, every worker."""
        with self._lock:
            self._closed = True
            if self._control is not None:
                self._control.close()
                self._control = None
            if self._process is not None:
                self._process.wait()
                self._process = None

    def _request(self, message: dict[str, Any], *files: int) -> dict[str, Any]:
        data = json.dumps(message).encode()
        with self._lock:
            if self._closed:
                if message["do"] == "fork":
                    raise StoreError("no more query workers are started: the service is shutting down")
                return {"status": signal.SIGKILL}
            for attempt in (1, 2):
                control = self._control or self._start()
                try:
                    socket.send_fds(control, [data], files) if files else control.send(data)
                    reply = control.recv(4096)
                except OSError:
                    reply = b""
                if reply:
                    return dict(json.loads(reply))
                control.close()  # it was killed, and its workers with it
                self._control = None
                if self._process is not None:
                    self._process.wait()
                if message["do"] != "fork":
                    return {"status": signal.SIGKILL}
                if attempt == 2:
                    break
        raise StoreError("the process that starts query workers ends at once: is pyoxigraph installed?")

    def _start(self) -> socket.socket:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        paths = json.dumps([os.path.abspath(path) for path in sys.path])
        environment = {name: os.environ[name] for name in ("PATH", "TMPDIR", "LANG") if name in os.environ}
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-c", _START, str(theirs.fileno()), paths],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                env={**environment, "MALLOC_ARENA_MAX": "2"},
            )
        self._control = ours
        return ours
