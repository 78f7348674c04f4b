"""How much of the service one client may take: queries at the same time, and seconds of query time in a minute."""

import ipaddress
import math
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from kg.store.limits import LIMITS, Limits
from kg.web.problems import Problem

__all__ = ["ClientBudget", "client_of"]

_MOST_CLIENTS = 10_000
_MINUTE = 60.0


@dataclass(slots=True)
class _Client:
    """Seconds left, as of a moment, and queries that run."""

    left: float
    at: float
    running: int = 0


class ClientBudget:
    """Each client has ``client_seconds`` that refill within a minute; a query is paid for when it ends.

    >>> now = [0.0]
    >>> budget = ClientBudget(Limits(client_seconds=10), clock=lambda: now[0])
    >>> budget.begin("192.0.2.1"); budget.end("192.0.2.1", 13.0)
    >>> budget.begin("192.0.2.1")
    Traceback (most recent call last):
    kg.web.problems.Problem: ...
    >>> now[0] = 30.0
    >>> budget.begin("192.0.2.1")
    """

    def __init__(self, limits: Limits, clock: Callable[[], float] = time.monotonic) -> None:
        self._limits, self._clock = limits, clock
        self._clients: OrderedDict[str, _Client] = OrderedDict()
        self._lock = threading.Lock()

    def begin(self, name: str) -> None:
        """A query of this client starts.

        Raises:
            Problem: 429, with the seconds after which there is time again.
        """
        limits = self._limits
        with self._lock:
            client = self._client(name)
            if limits.client_seconds and client.left <= 0:
                wait = math.ceil((1e-9 - client.left) * _MINUTE / limits.client_seconds) or 1
                raise _too_many(
                    "client_seconds",
                    limits.client_seconds,
                    f"{limits.client_seconds:g} seconds of query time a minute are used up.",
                    wait,
                )
            if limits.client_in_flight and client.running >= limits.client_in_flight:
                raise _too_many("client_in_flight", limits.client_in_flight, f"{client.running} of your queries run already.", 1)
            client.running += 1

    def end(self, name: str, seconds: float) -> None:
        """It ended after so many seconds in a worker."""
        with self._lock:
            client = self._client(name)
            client.running = max(0, client.running - 1)
            client.left -= seconds

    def _client(self, name: str) -> _Client:
        now, most = self._clock(), self._limits.client_seconds
        client = self._clients.get(name)
        if client is None:
            client = self._clients[name] = _Client(most, now)
            if len(self._clients) > _MOST_CLIENTS:
                idle = next((other for other, state in self._clients.items() if not state.running), None)
                if idle is not None:
                    del self._clients[idle]
        client.left = min(most, client.left + (now - client.at) * most / _MINUTE)
        client.at = now
        self._clients.move_to_end(name)
        return client


@lru_cache(maxsize=1024)
def client_of(address: str | None) -> str:
    """Who a request is counted for: the address; of IPv6 the network of 64 bits, which is one household's.

    >>> client_of("2001:db8::1:2"), client_of("192.0.2.7")
    ('2001:db8::/64', '192.0.2.7')
    """
    try:
        parsed = ipaddress.ip_address(address or "")
    except ValueError:
        return address or "unknown"
    return str(ipaddress.ip_network((parsed, 64), strict=False)) if parsed.version == 6 else str(parsed)


def _too_many(limit: str, value: float, detail: str, wait: int) -> Problem:
    return Problem(
        429,
        "rate",
        "Too many queries from this address",
        detail,
        LIMITS[limit].remedy,
        {"limit": {"name": limit, "value": value}},
        {"Retry-After": str(wait)},
    )
