"""Requests as no library sends them: framing that two servers could read differently, odd targets, versions, methods; each has its status."""

import re
import socket
from typing import Any

import pytest
from machine import PATIENCE

TARGET = b"/sparql?query=ASK%7B%7D"
HOST, CLOSE = b"Host: x\r\n", b"Host: x\r\nConnection: close\r\n"
DIRECT = b"Content-Type: application/sparql-query\r\n"
FORM = b"Content-Type: application/x-www-form-urlencoded\r\n"
GET = b"GET " + TARGET + b" HTTP/1.1\r\n"
POST = b"POST /sparql HTTP/1.1\r\n" + CLOSE + DIRECT
CHUNKED = POST + b"Transfer-Encoding: chunked\r\n\r\n"
ASK = b"6\r\nASK {}\r\n"
SMUGGLED = b"GET /limits HTTP/1.1\r\nHost: x\r\n\r\n"

REQUESTS: dict[str, tuple[bytes, list[int]]] = {
    # whose end is where
    "length and chunks": (POST + b"Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + SMUGGLED, [400]),
    "chunks and length": (POST + b"Transfer-Encoding: chunked\r\nContent-Length: 6\r\n\r\n" + ASK + b"0\r\n\r\n", [400]),
    "a space before the colon": (POST + b"Transfer-Encoding : chunked\r\nContent-Length: 6\r\n\r\nASK {}", [400]),
    "no such coding": (POST + b"Transfer-Encoding: xchunked\r\nContent-Length: 6\r\n\r\nASK {}", [400]),
    "chunked is not last": (POST + b"Transfer-Encoding: chunked, identity\r\n\r\n" + ASK + b"0\r\n\r\n", [400]),
    "packed and chunked": (POST + b"Transfer-Encoding: gzip, chunked\r\n\r\n" + ASK + b"0\r\n\r\n", [501]),
    "packed alone": (POST + b"Transfer-Encoding: gzip\r\n\r\nASK {}", [501]),
    "chunked twice": (POST + b"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n" + ASK + b"0\r\n\r\n", [400]),
    "one length twice": (POST + b"Content-Length: 6\r\nContent-Length: 6\r\n\r\nASK {}", [400]),
    "two lengths": (POST + b"Content-Length: 6\r\nContent-Length: 7\r\n\r\nASK {}", [400]),
    "a list of lengths": (POST + b"Content-Length: 6, 6\r\n\r\nASK {}", [400]),
    "a length with a sign": (POST + b"Content-Length: +6\r\n\r\nASK {}", [400]),
    "a hexadecimal length": (POST + b"Content-Length: 0x6\r\n\r\nASK {}", [400]),
    "a length beyond all numbers": (POST + b"Content-Length: " + b"9" * 40 + b"\r\n\r\nASK {}", [400]),
    "no length, no body": (POST + b"\r\n", [400]),
    "a chunk beyond all numbers": (CHUNKED + b"F" * 17 + b"\r\nASK {}\r\n0\r\n\r\n", [400]),
    "a negative chunk": (CHUNKED + b"-6\r\nASK {}\r\n0\r\n\r\n", [400]),
    "chunks that end in line feeds": (CHUNKED + b"6\nASK {}\n0\n\n", [400]),
    "a chunk with an extension": (CHUNKED + b"6;a=b\r\nASK {}\r\n0\r\n\r\n", [200]),
    "a chunk a letter": (CHUNKED + b"".join(b"1\r\n%c\r\n" % letter for letter in b"ASK {}") + b"0\r\n\r\n", [200]),
    "another type behind the body": (CHUNKED + ASK + b"0\r\nContent-Type: text/plain\r\n\r\n", [200]),
    "another host behind the body": (CHUNKED + ASK + b"0\r\nHost: evil\r\nAccept: image/png\r\n\r\n", [200]),
    # one connection, several requests
    "four in one piece": (
        GET + HOST + b"\r\nPOST /sparql HTTP/1.1\r\n" + HOST + DIRECT + b"Content-Length: 6\r\n\r\nASK {}"
        b"HEAD " + TARGET + b" HTTP/1.1\r\n" + HOST + b"\r\nGET /limits HTTP/1.1\r\n" + CLOSE + b"\r\n",
        [200, 200, 200, 200],
    ),
    "another after one that was refused": (
        b"POST /sparql HTTP/1.1\r\n" + HOST + FORM + b"Content-Length: 3\r\n\r\nq=1" + GET + CLOSE + b"\r\n",
        [400, 200],
    ),
    "nonsense after one": (GET + HOST + b"\r\nnonsense\r\n\r\n", [200]),
    "a body after a GET": (GET + CLOSE + DIRECT + b"Content-Length: 9\r\n\r\nCLEAR ALL", [200]),
    "a body after a HEAD": (b"HEAD " + TARGET + b" HTTP/1.1\r\n" + CLOSE + b"Content-Length: 9\r\n\r\nCLEAR ALL", [200]),
    "empty lines before": (b"\r\n\r\n" + GET + CLOSE + b"\r\n", [200]),
    # versions and other protocols
    "no version": (b"GET " + TARGET + b"\r\n\r\n", [400]),
    "1.0": (b"GET " + TARGET + b" HTTP/1.0\r\n\r\n", [200]),
    "1.1 without a host": (GET + b"Connection: close\r\n\r\n", [400]),
    "1.2": (b"GET " + TARGET + b" HTTP/1.2\r\n" + CLOSE + b"\r\n", [400]),
    "the preface of HTTP/2": (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", [400]),
    "a hello of TLS": (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\x00" * 32, [400]),
    "an upgrade to HTTP/2": (GET + b"Host: x\r\nConnection: close, Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMA\r\n\r\n", [200]),
    "an upgrade with a body": (
        b"POST /sparql HTTP/1.1\r\nHost: x\r\nConnection: close, Upgrade\r\nUpgrade: h2c\r\n" + DIRECT + b"Content-Length: 6\r\n\r\nASK {}",
        [200],
    ),
    "an upgrade to a web socket, and a request": (
        GET + b"Host: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n" + GET + CLOSE + b"\r\n",
        [200, 200],
    ),
    "100-continue": (POST + b"Content-Length: 6\r\nExpect: 100-continue\r\n\r\nASK {}", [100, 200]),
    # targets
    "absolute": (b"GET http://x" + TARGET + b" HTTP/1.1\r\n" + CLOSE + b"\r\n", [200]),
    "of a tunnel": (b"CONNECT x:80 HTTP/1.1\r\n" + CLOSE + b"\r\n", [400]),
    "a star": (b"GET * HTTP/1.1\r\n" + CLOSE + b"\r\n", [404]),
    "no slash": (b"GET sparql?query=ASK%7B%7D HTTP/1.1\r\n" + CLOSE + b"\r\n", [400]),
    "a path in escapes": (b"GET /%73parql?query=ASK+%7B%7D HTTP/1.1\r\n" + CLOSE + b"\r\n", [200]),
    "a parameter of the path": (b"GET /sparql;x=1?query=ASK%7B%7D HTTP/1.1\r\n" + CLOSE + b"\r\n", [404]),
    "backslashes": (b"GET /sparql\\..\\x HTTP/1.1\r\n" + CLOSE + b"\r\n", [404]),
    "a space": (b"GET /sparql?query=ASK {} HTTP/1.1\r\n" + CLOSE + b"\r\n", [400]),
    "a null byte": (b"GET /sparql?query=ASK\x00 HTTP/1.1\r\n" + CLOSE + b"\r\n", [400]),
    "60,000 letters": (b"GET " + TARGET + b"%23" + b"x" * 60_000 + b" HTTP/1.1\r\n" + CLOSE + b"\r\n", [200]),
    "70,000 letters": (b"GET " + TARGET + b"%23" + b"x" * 70_000 + b" HTTP/1.1\r\n" + CLOSE + b"\r\n", [414]),
    # heads
    "a null byte in a header": (GET + CLOSE + b"X: a\x00b\r\n\r\n", [400]),
    "a folded header": (GET + CLOSE + b"Accept: text/csv,\r\n text/html\r\n\r\n", [400]),
    "a header without a colon": (GET + CLOSE + b"nonsense\r\n\r\n", [400]),
    "a header without a name": (GET + CLOSE + b": x\r\n\r\n", [400]),
    "a carriage return alone": (GET + CLOSE + b"X: a\rb\r\n\r\n", [400]),
    "line feeds alone": (b"GET " + TARGET + b" HTTP/1.1\nHost: x\nConnection: close\n\n", [400]),
    "a header of 100,000 letters": (GET + CLOSE + b"X: " + b"a" * 100_000 + b"\r\n\r\n", [200]),
    "5,000 headers": (GET + CLOSE + b"".join(b"X%d: a\r\n" % number for number in range(5_000)) + b"\r\n", [200]),
    "two types": (POST + b"Content-Type: text/plain\r\nContent-Length: 6\r\n\r\nASK {}", [415]),
    "a type with an underscore": (
        b"POST /sparql HTTP/1.1\r\n" + CLOSE + b"Content_Type: application/sparql-query\r\nContent-Length: 6\r\n\r\nASK {}",
        [415],
    ),
    "two charsets": (
        b"POST /sparql HTTP/1.1\r\n" + CLOSE + DIRECT[:-2] + b"; charset=utf-8; charset=utf-16\r\nContent-Length: 6\r\n\r\nASK {}",
        [415],
    ),
    "UTF-16, as it says": (
        b"POST /sparql HTTP/1.1\r\n" + CLOSE + DIRECT[:-2] + b"; charset=utf-16\r\nContent-Length: 14\r\n\r\n" + "ASK {}".encode("utf-16"),
        [415],
    ),
    "a multipart form": (
        b"POST /sparql HTTP/1.1\r\n" + CLOSE + b"Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 61\r\n\r\n"
        b'--b\r\nContent-Disposition: form-data; name="query"\r\n\r\nASK {}\r\n--b--\r\n',
        [415],
    ),
    "three queries in a form": (
        b"POST /sparql HTTP/1.1\r\n" + CLOSE + FORM + b"Content-Length: 35\r\n\r\nquery=ASK{}&query=ASK{}&query=ASK{}",
        [400],
    ),
    "another method in a header": (POST + b"X-HTTP-Method-Override: DELETE\r\nContent-Length: 6\r\n\r\nASK {}", [200]),
    # methods
    "small letters": (b"get " + TARGET + b" HTTP/1.1\r\n" + CLOSE + b"\r\n", [405]),
    "TRACE": (b"TRACE /sparql HTTP/1.1\r\n" + CLOSE + b"\r\n", [405]),
    "a null byte in the method": (b"GE\x00T " + TARGET + b" HTTP/1.1\r\n" + CLOSE + b"\r\n", [400]),
    "HEAD of what is no query": (b"HEAD /sparql?query=ASK HTTP/1.1\r\n" + CLOSE + b"\r\n", [400]),
    "OPTIONS with an update": (b"OPTIONS /sparql?query=CLEAR%20ALL HTTP/1.1\r\n" + CLOSE + b"Content-Length: 6\r\n\r\nASK {}", [204]),
    "QUERY with two queries": (b"QUERY " + TARGET + b" HTTP/1.1\r\n" + CLOSE + DIRECT + b"Content-Length: 6\r\n\r\nASK {}", [400]),
    "QUERY of an update": (
        b"QUERY /sparql HTTP/1.1\r\n" + CLOSE + b"Content-Type: application/sparql-update\r\nContent-Length: 9\r\n\r\nCLEAR ALL",
        [403],
    ),
    "QUERY of JSON": (b"QUERY /sparql HTTP/1.1\r\n" + CLOSE + b"Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}", [415]),
    "QUERY without a body": (b"QUERY /sparql HTTP/1.1\r\n" + CLOSE + DIRECT + b"\r\n", [400]),
    # conditions
    "a part of an answer": (GET + CLOSE + b"Range: bytes=0-3\r\n\r\n", [200]),
    "any tag": (GET + CLOSE + b"If-None-Match: *\r\n\r\n", [304]),
    "any tag, of a POST": (POST + b"If-None-Match: *\r\nContent-Length: 6\r\n\r\nASK {}", [200]),
}  # fmt: skip


@pytest.mark.parametrize("name", REQUESTS)
def test_a_raw_request(service: Any, name: str) -> None:
    """The statuses in order, until the server closes the connection; it does so after whatever it could not read."""
    request, statuses = REQUESTS[name]
    answer = b""
    with socket.create_connection((service.host, service.port), timeout=PATIENCE) as link:
        link.sendall(request)
        while block := link.recv(65536):
            answer += block
    assert [int(status) for status in re.findall(rb"HTTP/1\.1 (\d{3}) ", answer)] == statuses, answer
