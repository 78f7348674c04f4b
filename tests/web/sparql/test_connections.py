"""The server's own bounds: slow and long heads, bodies that never come, readers that stall, too many connections; lane and pages give one answer."""

import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import quote

import pytest
from machine import PATIENCE, wait_until

from kg.web import connections, gate

TCP_CLOSE = 7  # of tcp_states.h
ASK = "/sparql?query=" + quote("ASK {}")


def spoken(service: Any, data: bytes, seconds: float = PATIENCE) -> bytes:
    """All that the server says to these bytes until it closes the connection."""
    with socket.create_connection((service.host, service.port), timeout=seconds) as link:
        link.sendall(data)
        answer = b""
        while block := link.recv(65536):
            answer += block
    return answer


def test_what_does_not_come_is_not_waited_for(service: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "REQUEST_SECONDS", 2)
    half = b"POST /sparql HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nquery="
    whole = f"GET {ASK} HTTP/1.1\r\nHost: x\r\n\r\n".encode()
    parts = (b"", b"GET /sparql?que", half, whole + b"GET /spa")
    with ThreadPoolExecutor(len(parts)) as clients:
        silent, head, body, second = clients.map(lambda part: spoken(service, part), parts)
    assert silent == b""
    assert head.startswith(b"HTTP/1.1 408 ")
    assert body.startswith(b"HTTP/1.1 408 ")
    assert second.startswith(b"HTTP/1.1 200 ") and second.count(b"HTTP/1.1 ") <= 2  # the second never comes whole


def test_a_letter_now_and_then_does_not_keep_a_connection(service: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "REQUEST_SECONDS", 0.5)
    began = time.monotonic()
    with socket.create_connection((service.host, service.port), timeout=PATIENCE) as link, pytest.raises(OSError):
        link.sendall(b"GET /sparql HTTP/1.1\r\nX: ")
        while time.monotonic() - began < PATIENCE:
            link.sendall(b"x")
            time.sleep(0.05)


def test_letters_of_an_address_may_come_as_they_are(service: Any) -> None:
    asked = "GET /sparql?query=SELECT*{BIND('بدر'AS?x)} HTTP/1.1\r\nHost: x\r\nAccept: text/csv\r\n".encode()
    assert "بدر".encode() in spoken(service, asked + b"Connection: close\r\n\r\n")
    with socket.create_connection((service.host, service.port), timeout=PATIENCE) as link:
        for _ in range(2):  # on a connection that is kept too
            link.sendall(asked + b"\r\n")
            answer = b""
            while "بدر".encode() not in answer:
                block = link.recv(65536)
                assert block, answer
                answer += block


@pytest.mark.parametrize("host", [b'Host: a b"<x>', b"Host: a\r\nHost: b", "Host: بدر".encode(), b"Host: a/b"])
def test_one_host_is_named_and_well_written(service: Any, host: bytes) -> None:
    asked = f"GET {ASK} HTTP/1.1\r\n".encode()
    assert spoken(service, asked + host + b"\r\n\r\n").startswith(b"HTTP/1.1 400 ")
    assert spoken(service, asked + b"Host: [::1]:8000\r\nConnection: close\r\n\r\n").startswith(b"HTTP/1.1 200 ")


def test_a_head_has_a_most(service: Any) -> None:
    long = b"GET /sparql HTTP/1.1\r\nHost: x\r\nX: " + b"x" * (connections.MOST_HEAD + 65536)
    assert spoken(service, long).startswith(b"HTTP/1.1 431 ")


@pytest.mark.skipif(not hasattr(socket, "TCP_INFO"), reason="this system does not tell the state of a connection")
def test_a_reader_that_stalls_is_let_go(service: Any, serve: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "STALLED_SECONDS", 0.3)
    running = serve(seconds=PATIENCE)
    query = quote("SELECT * { VALUES ?a { " + "1 " * 300 + "} VALUES ?b { " + "2 " * 300 + "} }")
    with socket.create_connection((running.host, running.port), timeout=PATIENCE) as link:
        link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65536)
        link.sendall(f"GET /sparql?query={query} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        assert wait_until(lambda: link.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1)[0] == TCP_CLOSE)


def test_connections_have_a_most(serve: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "MOST_CONNECTIONS", 5)
    running = serve()
    links = [socket.create_connection((running.host, running.port), timeout=PATIENCE) for _ in range(12)]
    try:
        for link in links:
            link.setblocking(False)
        assert wait_until(lambda: sum(map(closed, links)) == 7)
        assert not any(map(closed, links[:5]))
    finally:
        for link in links:
            link.close()
    assert wait_until(lambda: answers(running))


def closed(link: socket.socket) -> bool:
    """Whether the other end has ended a connection on which nothing is said."""
    try:
        return link.recv(1) == b""
    except BlockingIOError:
        return False
    except ConnectionError:
        return True


def answers(running: Any) -> bool:
    try:
        return bool(running.ask("GET", ASK).status == 200)
    except OSError:
        return False


def test_one_connection_carries_many_requests(service: Any) -> None:
    request = f"GET {ASK} HTTP/1.1\r\nHost: x\r\n\r\n".encode()
    last = request.replace(b"Host: x", b"Host: x\r\nConnection: close")
    assert spoken(service, request * 5 + last).count(b"HTTP/1.1 200 ") == 6


@pytest.mark.parametrize("method", ["GET", "HEAD", "POST", "QUERY"])
@pytest.mark.parametrize(
    "query",
    ["ASK {}", "SELECT * { ?s ?p ?o }", "CONSTRUCT WHERE { ?s ?p ?o }", "ASK {", "ASK { SERVICE <urn:x> {} }", "LOAD <urn:x>"],
)
@pytest.mark.parametrize(
    "accept", ["*/*", "application/sparql-results+xml", "text/csv", "text/turtle", "image/png", "text/plain"]
)
def test_the_lane_answers_as_the_application_does(
    service: Any, monkeypatch: pytest.MonkeyPatch, method: str, query: str, accept: str
) -> None:
    """Status, headers and body are the same, whoever answers."""
    in_lane = service.query(query, accept, method)

    async def closed(self: Any, asked: Any, receive: Any) -> None:
        return None

    monkeypatch.setattr(gate.Gate, "lane", closed)
    in_flask = service.query(query, accept, method)
    assert (in_lane.status, in_lane.body) == (in_flask.status, in_flask.body)
    differing = {"server-timing", "date"}
    assert {name: value for name, value in in_lane.headers.items() if name not in differing} == {
        name: value for name, value in in_flask.headers.items() if name not in differing
    }


def test_long_requests_are_read_in_a_thread(service: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[int] = []
    lane = gate.Gate.lane

    async def watched(self: Any, asked: Any, receive: Any) -> Any:
        taken.append(len(asked.body))
        return await lane(self, asked, receive)

    monkeypatch.setattr(gate.Gate, "lane", watched)
    for length in (1_000, 100_000):
        assert service.query("ASK {} # " + "x" * length, method="POST").status == 200
    assert [size > 10_000 for size in taken] == [False]


def test_queries_in_the_lane_take_turns(serve: Any) -> None:
    """More clients than workers: each gets its own answer."""
    running = serve(seconds=PATIENCE, waiting_seconds=PATIENCE, cache_bytes=0)
    wrong: list[Any] = []

    def ask(number: int) -> None:
        for count in range(40):
            reply = running.query(f"SELECT ({number * 1000 + count} AS ?x) {{}}")
            if reply.status != 200 or reply.json()["results"]["bindings"][0]["x"]["value"] != str(number * 1000 + count):
                wrong.append(reply)

    askers = [threading.Thread(target=ask, args=(number,)) for number in range(12)]
    for asker in askers:
        asker.start()
    for asker in askers:
        asker.join()
    assert not wrong
    assert not running.pool.roster.busy
