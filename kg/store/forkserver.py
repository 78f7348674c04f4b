"""The process that forks query workers, and what a worker does.

Forking happens in a small single-threaded process that has the engine loaded but no store open and no threads, so a fresh
worker is ready in milliseconds and inherits nothing of the web server. Messages on the control socket are JSON datagrams:
``{"do": "fork", "store": …, "limits": …}`` with the worker's end of a socket pair as file descriptor, answered by
``{"pid": n}``; ``{"do": "wait", "pid": n}``, of one that has ended, by ``{"status": s}`` as of ``os.waitpid``; ``{"do": "kill", "pid": n}``
by ``{"status": 0}`` at once (freeing the memory of a large worker takes a while). When the control socket closes, all
workers are killed and the process ends.
"""

import array
import ctypes
import json
import os
import resource
import select
import signal
import socket
import struct
import sys
import threading
import traceback
from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache
from typing import Any, NoReturn

__all__ = ["head_of", "main", "receive", "send"]

_LENGTHS = struct.Struct(">II")  # of head and body
_STACK = 256 * 1024 * 1024  # the engine recurses on nested queries
_DIE_WITH_PARENT, _NO_NEW_PRIVILEGES = 1, 38
_NEW_USER_NAMESPACE, _NEW_NETWORK_NAMESPACE = 0x10000000, 0x40000000
_MOST_DATAGRAM = 65536
_REAP = 0.05  # seconds between looks at workers that die


def head_of(fields: Mapping[str, Any]) -> bytes:
    """The head of a message: JSON."""
    return json.dumps(fields, ensure_ascii=True).encode()


def send(link: socket.socket, head: bytes, body: bytes = b"", file: int | None = None) -> None:
    """One message over a stream: the lengths of head and body, then both; an open file goes with the first byte."""
    data = _LENGTHS.pack(len(head), len(body)) + head + body
    if file is not None:
        sent = link.sendmsg([data], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [file]))])
        data = data[sent:]
    link.sendall(data)


def receive(link: socket.socket) -> tuple[dict[str, Any], bytes, int | None]:
    """The next message: head, body, open file or None.

    Raises:
        EOFError: the other end is gone.
    """
    data, files, _, _ = socket.recv_fds(link, 65536, 1)
    file = files[0] if files else None
    try:
        head, body = _message(link, data)
        return json.loads(head), body, file
    except BaseException:
        if file is not None:
            os.close(file)
        raise


def _message(link: socket.socket, data: bytes) -> tuple[bytes, bytes]:
    """Head and body of the message that begins with ``data``."""
    data = _filled(link, data, _LENGTHS.size)
    head, body = _LENGTHS.unpack_from(data)
    start = _LENGTHS.size + head
    data = _filled(link, data, start + body)
    return data[_LENGTHS.size : start], data[start:]


def _filled(link: socket.socket, data: bytes, size: int) -> bytes:
    if not data:
        raise EOFError("the other end is gone")
    if len(data) >= size:
        return data
    buffer = bytearray(data)
    while len(buffer) < size:
        more = link.recv(min(size - len(buffer), 1 << 20))
        if not more:
            raise EOFError("the other end is gone")
        buffer += more
    return bytes(buffer)


def main(descriptor: int) -> None:
    """Serve the control socket of this descriptor until it closes."""
    import pyoxigraph  # noqa: F401 - loaded here once, for all workers

    import kg.store.evaluation  # noqa: F401

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C goes to the server, which closes the socket
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    control = socket.socket(fileno=descriptor)
    running: set[int] = set()
    dying: set[int] = set()
    while True:
        if not select.select([control], [], [], _REAP if dying else None)[0]:
            dying = {pid for pid in dying if os.waitpid(pid, os.WNOHANG)[0] == 0}
            continue
        data, files, _, _ = socket.recv_fds(control, _MOST_DATAGRAM, 1)
        if not data:
            break
        message = json.loads(data)
        reply = {"status": 0}
        if message["do"] == "fork":
            pid = os.fork()
            if pid == 0:
                control.close()
                _work(socket.socket(fileno=files[0]), message)
            os.close(files[0])
            running.add(pid)
            reply = {"pid": pid}
        elif (pid := message["pid"]) not in running | dying:
            reply = {"status": signal.SIGKILL}  # a worker of a fork server before this one: it ended with that
        else:
            running.discard(pid)
            os.kill(pid, signal.SIGKILL)
            if message["do"] == "kill":
                dying.add(pid)
            else:
                dying.discard(pid)
                reply = {"status": os.waitpid(pid, 0)[1]}
        control.send(json.dumps(reply).encode())
    for pid in running:
        os.kill(pid, signal.SIGKILL)
    for pid in running | dying:
        os.waitpid(pid, 0)


def _work(link: socket.socket, message: Mapping[str, Any]) -> NoReturn:
    status = 1
    try:
        isolated = _isolate()
        threading.stack_size(_STACK)
        thread = threading.Thread(target=_answer_until_closed, args=(link, message["store"], message["limits"], isolated))
        thread.start()
        thread.join()
        status = 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(status)


def _isolate() -> bool:
    """End with the parent, gain no rights, see no network; True where the system allowed the last."""
    system = ctypes.CDLL(None, use_errno=True)
    system.prctl(_DIE_WITH_PARENT, signal.SIGKILL, 0, 0, 0)
    system.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    return bool(system.unshare(_NEW_NETWORK_NAMESPACE) == 0 or system.unshare(_NEW_USER_NAMESPACE | _NEW_NETWORK_NAMESPACE) == 0)


def _answer_until_closed(link: socket.socket, path: str, limits: dict[str, int], isolated: bool) -> None:
    """Answer until nobody asks; who goes away before the answer (``kg query … | head``) is no error."""
    with suppress(BrokenPipeError, ConnectionResetError):
        _answer(link, path, limits, isolated)


def _answer(link: socket.socket, path: str, limits: dict[str, int], isolated: bool) -> None:
    """Open the store, say so, and answer questions until the other end closes."""
    import pyoxigraph as ox

    from kg.store.evaluation import Question, evaluate

    try:
        store = ox.Store.read_only(path)
    except (OSError, RuntimeError) as error:
        send(link, head_of({"error": "store", "message": str(error)}))
        return
    _bound_memory(limits["memory"], limits["bytes"])
    send(link, head_of({"ready": True, "isolated": isolated}))
    while data := link.recv(65536):
        try:
            head, body = _message(link, data)
            outcome, spool = evaluate(store, Question(query=body.decode(), **_fields(head)), limits)
        except EOFError:
            return
        except MemoryError:
            send(link, head_of({"error": "limit", "message": "memory"}))
            return
        if spool is None:
            send(link, head_of(outcome.as_dict()))
        elif spool.file is None:
            send(link, head_of(outcome.as_dict()), spool.inline() or b"")
        else:
            spool.file.flush()
            send(link, head_of({**outcome.as_dict(), "length": spool.size}), file=spool.file.fileno())
            spool.file.close()
        del spool


@lru_cache(maxsize=16)  # of one client's many questions only the query differs
def _fields(head: bytes) -> dict[str, Any]:
    return {name: _tupled(value) for name, value in json.loads(head).items()}


def _tupled(value: Any) -> Any:
    return tuple(map(_tupled, value)) if isinstance(value, list) else value


def _bound_memory(memory: int, file_size: int) -> None:
    """Bound the address space to what the opened store takes plus ``memory``, and files to the size of an answer."""
    with open("/proc/self/statm", encoding="ascii") as numbers:
        taken = int(numbers.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (taken + memory, taken + memory))
    signal_limit = file_size + (1 << 20)
    resource.setrlimit(resource.RLIMIT_FSIZE, (signal_limit, signal_limit))


if __name__ == "__main__":
    main(int(sys.argv[1]))
