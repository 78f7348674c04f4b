"""Writing an answer to a bounded spool, and cutting it at a whole row so that what is left can still be read.

The engine writes its results itself, fast, in blocks of bytes; it knows nothing of limits. The spool counts bytes and,
cheaply, row separators. Only when the cheap count passes the limit are rows counted exactly, from the spooled bytes.
"""

import json
import os
import re
import tempfile
from typing import IO

__all__ = ["CutHere", "NotWritable", "Spool", "cut_mark", "rows_within"]

_SEPARATORS = {"json": b"},{", "xml": b"</result>", "csv": b"\n", "tsv": b"\n", "ntriples": b"\n", "nquads": b"\n"}
_CSV = re.compile(rb'"[^"]*"|\r?\n')
# what XML 1.0 cannot hold; the engine writes it all the same
_NOT_XML = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f]|\xef\xbf[\xbe\xbf]")
_HELD = 256 * 1024  # bytes of an answer that are looked at together
_SPACE = re.compile(r"[\s,]*")


class CutHere(OSError):
    """Raised into the engine's writer when the spool is full; ``limit`` is ``rows`` or ``bytes``."""

    def __init__(self, limit: str) -> None:
        super().__init__(f"the answer is cut: {limit}")
        self.limit = limit


class NotWritable(OSError):
    """Raised into the engine's writer when the format cannot say what the answer holds."""


class Spool:
    """A writable that keeps an answer in memory, then in an unlinked file, and stops at ``most_bytes`` or ``most_rows``.

    >>> spool = Spool("tsv", most_rows=1, most_bytes=100, in_memory=50)
    >>> spool.write(b"?s\\n1\\n")
    5
    >>> spool.write(b"2\\n3\\n")
    Traceback (most recent call last):
    kg.store.spool.CutHere: the answer is cut: rows
    >>> spool.cut("rows", 1)
    >>> spool.inline().splitlines()[:2]
    [b'?s', b'1']
    """

    def __init__(self, format: str, *, most_rows: int, most_bytes: int, in_memory: int) -> None:
        self.format, self.most_rows, self.most_bytes, self.in_memory = format, most_rows, most_bytes, in_memory
        self.size = 0
        self.file: IO[bytes] | None = None
        self._buffer = bytearray()
        self._held = bytearray()
        self._hold = min(_HELD, most_rows, most_bytes, in_memory)  # so few bytes are not too many rows
        self._separator = _SEPARATORS.get(format)
        self._is_xml = format in ("xml", "rdfxml")
        self._seen = 0
        self._tail = b""
        # The separator of the last row may be missing or the head may have one: allow both before counting exactly.
        self._suspect = most_rows + 2

    def write(self, data: bytes) -> int:
        """Take a piece of the answer; it is looked at when there is a block of them, or at ``flush``.

        Raises:
            NotWritable: the format is XML and the block has a character that XML has not.
            CutHere: a limit is reached; the block is kept up to the byte limit, so that a cut finds its row.
        """
        self._held += data
        if len(self._held) >= self._hold:
            self.flush()
        return len(data)

    def flush(self) -> None:
        """Look at what is held back, and keep it."""
        if self._held:
            data, self._held = bytes(self._held), bytearray()
            self._take(data)

    def _take(self, data: bytes) -> None:
        if self._is_xml and _NOT_XML.search(self._tail + data if self._tail else data):
            raise NotWritable("a control character is no character of XML")
        room = self.most_bytes - self.size
        self._keep(data[:room] if len(data) > room else data)
        if len(data) > room:
            raise CutHere("bytes")
        if self._separator is not None:
            self._seen += (self._tail + data).count(self._separator)
            self._tail = data[-len(self._separator) + 1 :] if len(self._separator) > 1 else b""
            if self._seen > self._suspect:
                rows, _ = rows_within(self.format, self.contents(), self.most_rows + 1)
                if rows > self.most_rows:
                    raise CutHere("rows")
                self._suspect += max(self.most_rows, self._seen) // 2 + 1

    def over(self) -> bool:
        """Whether the finished answer has more rows than allowed (a last look, when no separator told it).

        Raises:
            NotWritable, CutHere: of what was held back.
        """
        self.flush()
        if self._separator is None or self._seen + 1 <= self.most_rows:
            return False
        return rows_within(self.format, self.contents(), self.most_rows + 1)[0] > self.most_rows

    def cut(self, limit: str, value: int) -> None:
        """Keep the first ``most_rows`` whole rows and end the answer with the mark of its format."""
        _, end = rows_within(self.format, self.contents(), self.most_rows)
        mark = cut_mark(self.format, limit, value)
        if self.file is not None:
            self.file.truncate(end)
            self.file.seek(end)
            self.file.write(mark)
            self.file.flush()
        else:
            del self._buffer[end:]
            self._buffer += mark
        self.size = end + len(mark)

    def contents(self) -> bytes:
        """Everything spooled so far."""
        if self.file is None:
            return bytes(self._buffer)
        self.file.flush()
        return os.pread(self.file.fileno(), self.size, 0)

    def inline(self) -> bytes | None:
        """The answer, if it stayed in memory."""
        return bytes(self._buffer) if self.file is None else None

    def close(self) -> None:
        """Give up what was spooled."""
        if self.file is not None:
            self.file.close()

    def _keep(self, data: bytes) -> None:
        if self.file is None and self.size + len(data) > self.in_memory:
            self.file = tempfile.TemporaryFile(prefix="silsila-answer-")  # noqa: SIM115 - handed over to the asker
            self.file.write(self._buffer)
            self._buffer = bytearray()
        if self.file is None:
            self._buffer += data
        else:
            self.file.write(data)
        self.size += len(data)


def rows_within(format: str, data: bytes, most: int) -> tuple[int, int]:
    """How many whole rows ``data`` holds, counted up to ``most``, and the offset where the last of them ends.

    >>> rows_within("csv", b's\\r\\n"a\\nb"\\r\\nc\\r\\nd', 5)
    (2, 13)
    """
    if format == "json":
        return _rows_of_json(data, most)
    if format == "xml":
        return _rows_ended_by(re.finditer(rb"</result>|<result/>", data), most, data.find(b"<results>") + len(b"<results>"))
    if format == "csv":
        head = next((found.end() for found in _CSV.finditer(data) if found[0][-1:] == b"\n"), 0)
        ends = (found for found in _CSV.finditer(data, head) if found[0][-1:] == b"\n")
        return _rows_ended_by(ends, most, head)
    head = data.find(b"\n") + 1 if format == "tsv" else 0
    return _rows_ended_by(re.compile(rb"\n").finditer(data, head), most, head)


def cut_mark(format: str, limit: str, value: int) -> bytes:
    """The end of a cut answer: closes what is open, and says that it was cut and by which limit."""
    words = f"cut: the limit '{limit}' is {value}; see /limits"
    if format == "json":
        return b"]}," + json.dumps({"truncated": True, "limit": {"name": limit, "value": value}})[1:].encode()
    if format == "xml":
        return f"</results><!-- {words} --></sparql>".encode()
    return f"# {words}\r\n".encode() if format == "csv" else f"# {words}\n".encode()


def _rows_ended_by(ends: "re.Iterator[re.Match[bytes]]", most: int, start: int) -> tuple[int, int]:  # type: ignore[name-defined]
    rows, end = 0, start
    for found in ends:
        if rows == most:
            break
        rows, end = rows + 1, found.end()
    return rows, end


def _rows_of_json(data: bytes, most: int) -> tuple[int, int]:
    text = data.decode("utf-8", "ignore")
    at = text.index('"bindings":[') + len('"bindings":[')
    decode, rows = json.JSONDecoder().raw_decode, 0
    while rows < most:
        row = _SPACE.match(text, at)
        try:
            _, end = decode(text, row.end() if row else at)
        except json.JSONDecodeError:
            break  # the array's end, or a row that is not whole
        rows, at = rows + 1, end
    return rows, len(text[:at].encode())
