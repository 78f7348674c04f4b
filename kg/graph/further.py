"""N-Triples, JSON-LD and RDF/XML of a named graph, packed so that the whole graph can be joined from the pieces.

A document of RDF/XML or JSON-LD has a head and an end around its body; packed as pieces of their own, the bodies of all graphs between one
head and one end are the whole graph, without another parse.
"""

import re
import shutil
import sys
from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Any, NamedTuple

import pyoxigraph

from kg.graph.formats import (
    CHUNK,
    FORMATS,
    PACKINGS,
    WHOLE,
    DumpError,
    Piece,
    pack_pieces,
    read_packed,
    write_packed,
)

__all__ = ["FRAMES", "FURTHER", "pack_document", "write_format", "xml_characters"]

FURTHER = ("ntriples", "jsonld", "rdfxml")
"""The formats made from N-Quads."""


class _Frame(NamedTuple):
    """What stands around the body of a document: its head ends with this, ``end`` follows it; ``between`` parts two bodies."""

    head: bytes
    end: bytes
    between: bytes


FRAMES = {
    "ntriples": _Frame(b"", b"", b""),
    "jsonld": _Frame(b"[", b"]", b","),
    "rdfxml": _Frame(b'xmlns:its="http://www.w3.org/2005/11/its">', b"\n</rdf:RDF>", b""),
}


_NOT_XML = bytes.maketrans(bytes([*range(0x09), 0x0B, 0x0C, *range(0x0E, 0x20)]), b"?" * 29)
_NO_CHARACTER = re.compile(b"\xef\xbf[\xbe\xbf]")


def xml_characters(data: bytes) -> bytes:
    """A whole XML document in UTF-8 with what XML 1.0 cannot hold replaced, byte for byte.

    >>> xml_characters("a\\x07b\\ufffe".encode()).decode()
    'a?b�'
    """
    return _NO_CHARACTER.sub(b"\xef\xbf\xbd", data.translate(_NOT_XML))


class _XmlText:
    """Passes RDF/XML on; what XML 1.0 cannot hold in any spelling is replaced: a control character by a question mark,
    U+FFFE and U+FFFF by U+FFFD. The end of a piece waits where it may be half of one of them."""

    def __init__(self, out: IO[bytes]) -> None:
        self._out = out
        self._half = b""

    def write(self, data: bytes) -> int:
        piece = xml_characters(self._half + bytes(data))
        self._half = next((half for half in (b"\xef\xbf", b"\xef") if piece.endswith(half)), b"")
        self._out.write(piece[: len(piece) - len(self._half)])
        return len(data)

    def flush(self) -> None:
        self._out.flush()


def _write(format: str, quads: IO[bytes], out: IO[bytes]) -> None:
    """One of the further formats from N-Quads."""
    if format == "ntriples":
        for line in quads:
            out.write(line[: line.rindex(b" <")] + b" .\n")
        return
    parsed = pyoxigraph.parse(quads, format=pyoxigraph.RdfFormat.N_QUADS, lenient=True)
    if format == "jsonld":
        pyoxigraph.serialize(parsed, out, format=pyoxigraph.RdfFormat.JSON_LD)
    elif format == "rdfxml":
        triples = (quad.triple for quad in parsed)
        xml: Any = _XmlText(out)
        pyoxigraph.serialize(triples, xml, format=pyoxigraph.RdfFormat.RDF_XML)
    else:
        raise DumpError(f"no format {format!r}: take one of {', '.join(FORMATS)}")


def pack_document(quads: Path, format: str) -> dict[str, list[Piece | bytes]]:
    """One graph in a format, from its plain N-Quads: where its head, body and end stand in the file of each packing."""
    plain = quads.with_name(f"{quads.stem}.{FORMATS[format].suffix}.part")
    try:
        with quads.open("rb") as source, plain.open("wb") as out:
            _write(format, source, out)
        frame, size = FRAMES[format], plain.stat().st_size
        with plain.open("rb") as document:
            start = document.read(1_000).index(frame.head) + len(frame.head)
        found = {}
        for packing in PACKINGS:
            with plain.open("rb") as document:
                parts = (_stretch(document, length) for length in (start, size - start - len(frame.end), len(frame.end)))
                target = quads.with_name(f"{quads.stem}.{FORMATS[format].suffix}.{packing}")
                found[packing] = list[Piece | bytes](pack_pieces(target, packing, parts))
        return found
    finally:
        plain.unlink(missing_ok=True)


def _stretch(stream: IO[bytes], length: int) -> Iterable[bytes]:
    """The next ``length`` bytes of a stream, in pieces."""
    while length > 0 and (chunk := stream.read(min(CHUNK, length))):
        length -= len(chunk)
        yield chunk


def write_format(dumps: Path, format: str, out: Path | None = None) -> None:
    """The whole graph of a built folder in a format, to a file (packed as its suffix says) or to standard output.

    Raises:
        DumpError: the folder holds no dumps, there is no such format, or no folder for ``out``.
    """
    if out is not None and not out.parent.is_dir():
        raise DumpError(f"{out}: there is no folder {out.parent}: make it first, or give another path")
    if format not in FORMATS:
        raise DumpError(f"no format {format!r}: take one of {', '.join(FORMATS)}")
    suffix = FORMATS[format].suffix
    with ExitStack() as stack:
        ready = dumps / f"{WHOLE}.{suffix}.zst"
        whole = dumps / f"{WHOLE}.nq.zst"
        if not whole.is_file():
            raise DumpError(f"{dumps} holds no packed dumps: run 'kg build' again")
        target: IO[bytes] = stack.enter_context(write_packed(out)) if out is not None else sys.stdout.buffer
        if ready.is_file():
            shutil.copyfileobj(stack.enter_context(read_packed(ready)), target, CHUNK)
            return
        _write(format, stack.enter_context(read_packed(whole)), target)
