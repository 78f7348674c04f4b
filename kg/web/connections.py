"""Connections that do not wait for ever and hold no more than they should: what uvicorn leaves to a proxy in front of it.

A request must be there within ``REQUEST_SECONDS`` of the connection or of its first byte, its head within ``MOST_HEAD`` bytes; a client that
does not read its answer is let go after ``STALLED_SECONDS``; beyond ``MOST_CONNECTIONS`` new ones are closed at once.
"""

import asyncio
import os
import re
import socket
import struct

import httptools
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from kg.web.protocol import METHODS

__all__ = ["Connection"]

REQUEST_SECONDS = 30.0
STALLED_SECONDS = 30.0
MOST_HEAD = 128 * 1024
MOST_CONNECTIONS = 500
_MOST_ADDRESS = 65_535  # the parser of addresses counts no further
_LINGER = 1.0
_RESET = struct.pack("ii", 1, 0)  # linger for no time
_LINE = re.compile(rb"(?:GET|HEAD) (\S*) HTTP/1\.[01]\r\n")
_UPGRADE = re.compile(rb"(?i)\r\nupgrade(?=[ \t]*:)")
_METHOD = re.compile(rb"[\r\n]*[!#$%&'*+.^_`|~0-9A-Za-z-]+ ")
_HOST = re.compile(rb"[A-Za-z0-9._~%!$&'()*+,;=:\[\]-]{0,300}")  # RFC 3986, 3.2.2, with a port


def percent_encoded(data: bytes) -> bytes:
    """A request with the letters of its address that are not ASCII percent-encoded, as browsers send them.

    >>> percent_encoded("GET /search?q=بدر HTTP/1.1\\r\\n".encode())
    b'GET /search?q=%D8%A8%D8%AF%D8%B1 HTTP/1.1\\r\\n'
    """
    line = _LINE.match(data)
    if line is None or line[1].isascii():
        return data
    address = re.sub(rb"[\x80-\xff]", lambda byte: b"%%%02X" % byte[0][0], line[1])
    return data[: line.start(1)] + address + data[line.end(1) :]


def without_upgrade(data: bytes) -> bytes:
    """A request with its wish for another protocol under a name that nobody reads: the parser would leave its body unread.

    >>> without_upgrade(b"GET / HTTP/1.1\\r\\nUpgrade: h2c\\r\\n\\r\\n")
    b'GET / HTTP/1.1\\r\\nx-upgrade: h2c\\r\\n\\r\\n'
    """
    if b"pgrade" not in data and b"PGRADE" not in data:
        return data
    head, end, rest = data.partition(b"\r\n\r\n")
    return _UPGRADE.sub(b"\r\nx-upgrade", head) + end + rest


class Connection(HttpToolsProtocol):
    """One connection of the server."""

    _deadline: asyncio.TimerHandle | None = None
    _stalled: asyncio.TimerHandle | None = None
    _head = 0  # bytes of the head that is being read
    _refused = False
    _wrong = 400  # what a head that cannot be taken is answered with

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if len(self.connections) > MOST_CONNECTIONS:
            transport.abort()
            return
        self._expect()

    def connection_lost(self, exc: Exception | None) -> None:
        self._relax()
        self._resumed()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._refused:
            return
        if self._head == 0 or (self._head < 0 and self.cycle is not None and self.cycle.response_complete):
            data = without_upgrade(percent_encoded(data))  # a request begins here
        if self._head >= 0:
            self._head += len(data)
        try:
            self._unset_keepalive_if_required()
            self.parser.feed_data(data)
        except httptools.HttpParserInvalidMethodError:
            if _METHOD.match(data):
                self._refuse(405, b"allow: " + ", ".join(METHODS).encode() + b"\r\n")
            else:
                self._refuse(400)
        except httptools.HttpParserUpgrade:
            self._refuse(400)  # no other language is spoken here
        except httptools.HttpParserError:
            self._refuse(self._wrong)
        else:
            if self._head > MOST_HEAD:
                self._refuse(431)

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._head = max(self._head, 0)
        if self._deadline is None:
            self._expect()

    def on_header(self, name: bytes, value: bytes) -> None:
        if self._head >= 0:  # what stands behind a body in chunks changes nothing of the head
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        self._head = -1
        version = self.parser.get_http_version()
        hosts = [value for name, value in self.headers if name == b"host"]
        if len(hosts) > 1 or not all(map(_HOST.fullmatch, hosts)) or (version == "1.1" and not hosts) or version == "0.9":
            raise ValueError("one host, well written, is named in a request")  # the parser ends with it
        if any(name == b"transfer-encoding" and value.strip().lower() != b"chunked" for name, value in self.headers):
            self._wrong = 501
            raise ValueError("a body comes in chunks or as it is")
        if len(self.url) > _MOST_ADDRESS:
            self._wrong = 414
            raise ValueError("a long query is posted")
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self._relax()
        super().on_message_complete()

    def pause_writing(self) -> None:
        super().pause_writing()
        if self._stalled is None:
            self._stalled = self.loop.call_later(STALLED_SECONDS, self._let_go)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._resumed()

    def _let_go(self) -> None:
        """End the connection by a reset, so that the system keeps nothing of what was not read either."""
        with socket.socket(fileno=os.dup(self.transport.get_extra_info("socket").fileno())) as link:
            link.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
        self.transport.abort()

    def _expect(self) -> None:
        self._deadline = self.loop.call_later(REQUEST_SECONDS, self._too_late)

    def _too_late(self) -> None:
        self._deadline = None
        if self._head:
            self._refuse(408)
        else:
            self.transport.close()  # it never said anything

    def _relax(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _resumed(self) -> None:
        if self._stalled is not None:
            self._stalled.cancel()
            self._stalled = None

    def _refuse(self, status: int, headers: bytes = b"") -> None:
        """What is no request gets a line and the end of the connection, after the answers that are under way."""
        self._refused = True
        self._relax()
        cycle = self.cycle
        if cycle is not None and not cycle.response_complete:
            if not cycle.more_body:
                cycle.keep_alive = False  # the request before was whole
                return
            if self.pipeline or cycle.response_started:
                self.transport.close()
                return
            cycle.disconnected = True  # half a body is all that will be read
            cycle.message_event.set()
        text = STATUS_LINE[status].split(b" ", 1)[1]
        lengths = b"content-type: text/plain; charset=utf-8\r\ncontent-length: " + str(len(text)).encode()
        self.transport.write(STATUS_LINE[status] + headers + lengths + b"\r\nconnection: close\r\n\r\n" + text)
        self.transport.write_eof()
        self.loop.call_later(_LINGER, self.transport.close)  # what still comes is not read: a reset would take the line with it
