"""What tests need of a machine that may be slow and shared: a port that stays free, and patience."""

import os
import socket
import time
from collections.abc import Callable
from itertools import count
from pathlib import Path

__all__ = ["PATIENCE", "free_port", "wait_until"]

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
    while highest > _LOWEST:
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
