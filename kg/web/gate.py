"""The whole site as an ASGI application: a fast lane for programs' queries, the WSGI application for all else.

The lane takes short requests that can be answered without waiting: an answer that is kept, or a query that a free worker begins on at once. It is the
same service as at the application's /sparql; what needs a page, a thread or patience goes there.
"""

import asyncio
import re
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from time import perf_counter
from typing import Any

from kg.store.answers import Answer
from kg.store.errors import QueryError, StoreError
from kg.store.failures import WorkerKilled
from kg.store.workers import QueryPool, Running
from kg.web.budget import client_of
from kg.web.problems import Problem, render
from kg.web.protocol import most_body, too_large
from kg.web.service import ANSWERED, SHARED, Asked, Reply, SparqlService
from kg.web.wsgi import Application, Threads

__all__ = ["Gate"]

_SEARCH = "matches"  # without this word a query does not ask the full-text index
_METHODS = frozenset({"GET", "HEAD", "POST", "QUERY"})
_HOST = re.compile(rb"[A-Za-z0-9.:_\[\]-]{1,255}")
_SOON = 0.25  # seconds after which a query that still runs is given a thread, and its client is watched
_TURN, _MOST_WAITING = 0.05, 64  # seconds that a query waits for another of the lane to end, and how many may wait
_MOST = 16 * 1024  # bytes of a request that the lane reads: a longer one takes time to read, which is a thread's
_LONGEST_BODY = 4  # times the longest body that can hold a query: what is little too large gets an answer that says so
_WANTED = frozenset({b"content-type", b"content-encoding", b"accept", b"if-none-match", b"host"})


class Gate:
    """``headers`` are put on every answer of the lane; ``threads`` bound the pages that are made at once; ``answered`` counts what the lane
    answers: method, status, seconds, seconds in a worker, the limit that refused it."""

    def __init__(
        self,
        application: Application,
        service: SparqlService,
        *,
        prefix: str = "",
        headers: dict[str, str] | None = None,
        threads: int = 0,
        answered: Callable[[str, int, float, float | None, str | None], None] | None = None,
    ) -> None:
        limits = service.limits
        more = {name: value for name, value in (headers or {}).items() if name not in ANSWERED}
        self.service, self.answered, self.headers = service, answered, _encoded(SHARED | more)
        self.pages = Threads(application, max(threads, limits.in_flight + 8))
        self.waiting: deque[asyncio.Future[bool]] = deque()
        self.most_body = _LONGEST_BODY * most_body(limits)
        self.paths = {place + "/sparql" + slash: place for place in {"", prefix.rstrip("/")} for slash in ("", "/")}

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            return
        body = b""
        if scope["method"] not in ("GET", "HEAD"):
            try:
                read = await self.body(scope, receive)
            except ConnectionError:
                return None  # nobody is there to be answered
            if read is None:
                return await _send(send, self.too_large())
            body = read
        place = self.paths.get(scope["path"])
        if place is not None and scope["method"] in _METHODS and len(scope["query_string"]) + len(body) <= _MOST:
            began = perf_counter()
            asked = _asked(scope, body, place)
            if asked is not None and (reply := await self.lane(asked, receive)) is not None:
                await _send(send, reply, self.headers)
                if self.answered is not None:
                    self.answered(asked.method, reply.status, perf_counter() - began, reply.seconds, reply.limit)
                return None
        client = _Client(receive)
        try:
            await self.pages(scope, body, send, client.gone)
        finally:
            client.forget()

    async def body(self, scope: dict[str, Any], receive: Any) -> bytes | None:
        """The whole body; None where it is too long for anything."""
        for name, value in scope["headers"]:
            if name == b"content-length" and int(value) > self.most_body:
                return None
        found = bytearray()
        while True:
            message = await receive()
            if message["type"] != "http.request":
                raise ConnectionError("the client left in the middle of its request")
            found += message["body"]
            if len(found) > self.most_body:
                return None
            if not message["more_body"]:
                return bytes(found)

    async def lane(self, asked: Asked, receive: Any) -> Reply | None:
        """The reply to a query, where it is the lane's to give."""
        service = self.service
        try:
            prepared = service.prepare(asked)
            if prepared.request.query is None or (pool := service.pool_at_once()) is None:
                return None
            if _SEARCH in prepared.request.query:
                return None  # the full-text index is asked first
            with service.paid_by(asked.client) as bill:
                try:
                    answer = None if self.waiting else pool.start(prepared.question)
                    while answer is None and await self.turn():
                        answer = pool.start(prepared.question)
                    if answer is None:
                        return None
                    if isinstance(answer, Running):
                        answer = await _finished(pool, answer, receive)
                finally:
                    self.next()
                bill.seconds = answer.seconds
            return service.reply(asked, prepared, answer)
        except WorkerKilled:
            return None  # asked again, with patience
        except (Problem, QueryError, StoreError) as error:
            problem = service.problem(error, asked.method)
            return _told(problem, asked.accept)

    async def turn(self) -> bool:
        """Wait a little for a query of the lane to end; False where none did."""
        if len(self.waiting) >= _MOST_WAITING:
            return False
        turn: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        patience = asyncio.get_running_loop().call_later(_TURN, _settle, turn, False)
        self.waiting.append(turn)
        try:
            return await turn
        finally:
            patience.cancel()

    def next(self) -> None:
        """A worker is free: the one who has waited longest may ask."""
        while self.waiting:
            turn = self.waiting.popleft()
            if not turn.done():
                return turn.set_result(True)

    def too_large(self) -> Reply:
        """The answer to a body that is not even read."""
        problem = too_large(self.service.limits)
        problem.headers = {"Connection": "close"}
        return _told(problem, None)


class _Client:
    """Watches for the client's leaving."""

    def __init__(self, receive: Any) -> None:
        self._left = False
        self._task = asyncio.get_running_loop().create_task(self._watch(receive))

    async def _watch(self, receive: Any) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        self._left = True

    def gone(self) -> bool:
        """Whether it has left."""
        return self._left

    def forget(self) -> None:
        """Watch no longer."""
        self._task.cancel()


async def _finished(pool: QueryPool, running: Running, receive: Any) -> Answer:
    """The answer of what runs; as long as it takes in a thread, so that others are answered meanwhile."""
    try:
        soon = await _readable(running.link, _SOON)
    except BaseException:
        pool.give_up(running)
        raise
    if soon:
        return pool.finish(running, ready=True)
    client = _Client(receive)
    try:
        return await asyncio.to_thread(pool.finish, running, client.gone)
    finally:
        client.forget()


async def _readable(link: Any, seconds: float) -> bool:
    """Whether a socket can be read within so many seconds."""
    loop = asyncio.get_running_loop()
    ready: asyncio.Future[bool] = loop.create_future()
    loop.add_reader(link, _settle, ready, True)
    patience = loop.call_later(seconds, _settle, ready, False)
    try:
        return await ready
    finally:
        loop.remove_reader(link)
        patience.cancel()


def _told(problem: Problem, accept: str | None) -> Reply:
    headers, text = render(problem, accept)
    body = text.encode()
    limit = problem.members["limit"]["name"] if "limit" in problem.members else None
    return Reply(problem.status, {**headers, "Content-Length": str(len(body))}, body, limit=limit)


def _settle(ready: "asyncio.Future[bool]", value: bool) -> None:
    if not ready.done():
        ready.set_result(value)


def _asked(scope: dict[str, Any], body: bytes, place: str) -> Asked | None:
    """The request for the lane; None where it is for people, or says oddly for whom it is."""
    found: dict[bytes, bytes] = {}
    for name, value in scope["headers"]:
        if name in _WANTED:
            found[name] = found[name] + b"," + value if name in found else value
    accept, host = found.get(b"accept", b""), found.get(b"host", b"")
    if b"html" in accept or not _HOST.fullmatch(host):
        return None
    known = found.get(b"if-none-match")
    kind, packed = found.get(b"content-type"), found.get(b"content-encoding")
    return Asked(
        scope["method"],
        scope["query_string"],
        body,
        kind.decode("latin-1") if kind is not None else None,
        packed.decode("latin-1") if packed is not None else None,
        accept.decode("latin-1"),
        known.decode("latin-1") if known is not None else None,
        client_of((scope["client"] or ("unknown",))[0]),
        f"{scope['scheme']}://{host.decode()}{place}/sparql",
    )


async def _send(send: Callable[..., Any], reply: Reply, shared: Sequence[tuple[bytes, bytes]] = ()) -> None:
    try:
        await send({"type": "http.response.start", "status": reply.status, "headers": [*shared, *_encoded(reply.headers)]})
        blocks = reply.blocks()
        block = next(blocks, b"")
        for following in blocks:
            await send({"type": "http.response.body", "body": block, "more_body": True})
            block = following
        await send({"type": "http.response.body", "body": block})
    finally:
        if reply.answer is not None:
            reply.answer.close()


def _encoded(headers: Mapping[str, str]) -> list[tuple[bytes, bytes]]:
    return [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers.items()]
