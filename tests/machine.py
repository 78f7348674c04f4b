"""What tests need of a machine that may be slow and shared: a port that stays free, and patience."""

import os
import socket
import subprocess
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from itertools import count
from pathlib import Path
from urllib.request import urlopen

import psutil

__all__ = ["PATIENCE", "answers", "free_port", "running", "wait_for", "wait_until"]

PATIENCE = 120.0
"""Seconds after which something that takes a moment is taken to have failed."""

_LOWEST = 10_000
_numbers = count()


def free_port() -> int:
    """A port that nobody listens on, of those that the system gives to no connection: it is still free when a server is started on it."""
    try:
        highest = int(Path("/proc/sys/net/ipv4/ip_local_port_range").read_text(encoding="ascii").split()[0])
    except OSError:
        highest = 32_768
    for _ in range(highest - _LOWEST):
        port = _LOWEST + (os.getpid() * 101 + next(_numbers)) % (highest - _LOWEST)  # no two processes begin at the same
        with socket.socket() as free:
            try:
                free.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def wait_until(condition: Callable[[], object], seconds: float = PATIENCE) -> bool:
    """Whether the condition becomes true, looked at again and again."""
    until = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > until:
            return bool(condition())
        time.sleep(0.02)
    return True


def wait_for(server: "subprocess.Popen[bytes]", ready: Callable[[], object]) -> None:
    """Waits until a server that was started is ready, and says so where it has ended instead."""
    assert wait_until(lambda: server.poll() is not None or ready()), "the server does not become ready"
    assert server.poll() is None, f"the server has ended with {server.returncode}"


def running(processes: Iterable[psutil.Process]) -> list[psutil.Process]:
    """Those that have not ended."""
    left = []
    for process in processes:
        with suppress(psutil.NoSuchProcess):  # it ends while it is looked at
            if process.status() != psutil.STATUS_ZOMBIE:
                left.append(process)
    return left


def answers(url: str) -> bool:
    """Whether a server can be asked already."""
    try:
        urlopen(url, timeout=PATIENCE).close()
    except OSError:
        return False
    return True
