"""The dumps people take away: packed, whole and by graph, in every format, with checksums.

``pack`` needs no parser: gzip and Zstandard files may be joined end to end, so that the whole graph is the graphs' packed
pieces one after the other, and TriG is the pieces of Turtle with a line before and after each. ``write_further`` makes
N-Triples, JSON-LD and RDF/XML from the whole, once, after the version is served.
"""

import gzip
import hashlib
import io
import os
import re
import shutil
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, Any, NamedTuple, cast

import pyoxigraph
import zstandard

from kg.graph.terms import PREFIXES

__all__ = [
    "FILES",
    "FORMATS",
    "PACKINGS",
    "WHOLE",
    "DumpError",
    "checksums",
    "pack",
    "read_packed",
    "write_format",
    "write_further",
    "xml_characters",
]

WHOLE = "silsila"
"""The stem of the files that hold every graph."""

_CHUNK = 1 << 20
_LEVEL = {"gz": 5, "zst": 5}
_SUMS = "SHA256SUMS"
FILES = "files.ttl"
"""DCAT of the files themselves: sizes and checksums."""


class DumpError(ValueError):
    """A dump cannot be made: says what is missing, and what to do."""


class Format(NamedTuple):
    """A format of dumps: its suffix, media type and name for people."""

    suffix: str
    media_type: str
    title: str


FORMATS: dict[str, Format] = {
    "nquads": Format("nq", "application/n-quads", "N-Quads"),
    "turtle": Format("ttl", "text/turtle", "Turtle"),
    "trig": Format("trig", "application/trig", "TriG"),
    "ntriples": Format("nt", "application/n-triples", "N-Triples"),
    "jsonld": Format("jsonld", "application/ld+json", "JSON-LD"),
    "rdfxml": Format("rdf", "application/rdf+xml", "RDF/XML"),
}

PACKINGS: dict[str, str] = {"gz": "application/gzip", "zst": "application/zstd"}
"""Suffix and media type of the two packings."""


class _Piece(NamedTuple):
    """A stretch of a packed file."""

    path: Path
    start: int
    end: int


def _gzip(chunks: Iterable[bytes], out: IO[bytes]) -> None:
    # No name and no time go into the header: equal content is equal bytes.
    packer = zlib.compressobj(_LEVEL["gz"], zlib.DEFLATED, -zlib.MAX_WBITS)
    out.write(b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff")
    sum_, size = 0, 0
    for chunk in chunks:
        sum_, size = zlib.crc32(chunk, sum_), size + len(chunk)
        out.write(packer.compress(chunk))
    out.write(packer.flush())
    out.write(sum_.to_bytes(4, "little") + (size & 0xFFFFFFFF).to_bytes(4, "little"))


def _zstandard(chunks: Iterable[bytes], out: IO[bytes]) -> None:
    packer = zstandard.ZstdCompressor(level=_LEVEL["zst"], write_checksum=True).compressobj()
    for chunk in chunks:
        out.write(packer.compress(chunk))
    out.write(packer.flush())


_PACKERS: dict[str, Callable[[Iterable[bytes], IO[bytes]], None]] = {"gz": _gzip, "zst": _zstandard}


def _chunks(stream: IO[bytes]) -> Iterator[bytes]:
    while chunk := stream.read(_CHUNK):
        yield chunk


def _pack_pieces(target: Path, packing: str, pieces: Iterable[Iterable[bytes]]) -> list[_Piece]:
    """Writes each piece as a member (a frame) of its own and says where it stands."""
    found, start = [], 0
    with target.open("wb") as out:
        for piece in pieces:
            _PACKERS[packing](piece, out)
            found.append(_Piece(target, start, out.tell()))
            start = out.tell()
    return found


def _join(target: Path, pieces: Iterable[_Piece | bytes], packing: str) -> None:
    with target.open("wb") as out:
        for piece in pieces:
            if isinstance(piece, bytes):
                _PACKERS[packing]([piece], out)
                continue
            with piece.path.open("rb") as source:
                source.seek(piece.start)
                left = piece.end - piece.start
                while left:
                    chunk = source.read(min(_CHUNK, left))
                    out.write(chunk)
                    left -= len(chunk)


def _header(turtle: Path) -> tuple[bytes, int]:
    """The ``@base`` and ``@prefix`` lines of a Turtle file of ours, and where its body begins."""
    lines = []
    with turtle.open("rb") as stream:
        for line in stream:
            lines.append(line)
            if not line.strip():
                break
        return b"".join(lines), stream.tell()


def _graph_of(quads: Path) -> bytes:
    with quads.open("rb") as stream:
        line = stream.readline()
    return line[line.rindex(b" <") + 1 : -3]


def pack(dumps: Path, *, keep: bool = False) -> None:
    """Packs the N-Quads and Turtle of every graph, joins them to the whole graph (N-Quads, Turtle, TriG), writes SHA256SUMS.

    The plain files are removed afterwards unless ``keep``. Both packings run side by side.

    Raises:
        DumpError: the folder holds no ``.nq`` files.
    """
    graphs = sorted(path for path in dumps.glob("*.nq"))
    if not graphs:
        raise DumpError(f"{dumps} holds no .nq files: build the graph first")

    def one_packing(packing: str) -> None:
        quads: list[_Piece | bytes] = []
        turtle: list[_Piece | bytes] = []
        trig: list[_Piece | bytes] = []
        for path in graphs:
            text = path.with_suffix(".ttl")
            with path.open("rb") as stream:
                quads += _pack_pieces(path.with_suffix(f".nq.{packing}"), packing, [_chunks(stream)])
            header, body = _header(text)
            with text.open("rb") as stream:
                stream.seek(body)
                pieces = _pack_pieces(text.with_suffix(f".ttl.{packing}"), packing, [[header], _chunks(stream)])
            if not turtle:
                turtle.append(pieces[0])
                trig.append(pieces[0])
            turtle.append(pieces[1])
            trig += [_graph_of(path) + b" {\n", pieces[1], b"}\n\n"]
        for suffix, joined in (("nq", quads), ("ttl", turtle), ("trig", trig)):
            _join(dumps / f"{WHOLE}.{suffix}.{packing}", joined, packing)

    with ThreadPoolExecutor(len(PACKINGS)) as pool:
        list(pool.map(one_packing, PACKINGS))
    if not keep:
        for path in graphs:
            path.unlink()
            path.with_suffix(".ttl").unlink()
    checksums(dumps)


def checksums(dumps: Path) -> dict[str, str]:
    """Writes ``SHA256SUMS`` (as ``sha256sum`` reads it) of every packed file of the folder, and gives the sums by name."""
    sums = {}
    for path in sorted(dumps.iterdir()):
        if path.suffix.lstrip(".") in PACKINGS:
            with path.open("rb") as stream:
                sums[path.name] = hashlib.file_digest(stream, "sha256").hexdigest()
    _describe_files(dumps, sums)
    part = dumps / f"{_SUMS}.part"
    part.write_text("".join(f"{digest}  {name}\n" for name, digest in sums.items()), encoding="utf-8")
    os.replace(part, dumps / _SUMS)
    return sums


def _describe_files(dumps: Path, sums: dict[str, str]) -> None:
    """``files.ttl``: size and checksum of every distribution of the description. They cannot stand in the graph, of which
    the files are made."""
    header = dumps / f"{WHOLE}.ttl.gz"
    if not header.is_file():
        return
    with read_packed(header) as stream:
        base = stream.readline().decode().partition("<")[2].partition(">")[0]
    lines = [f"@base <{base}> .", *(f"@prefix {prefix}: <{PREFIXES[prefix]}> ." for prefix in ("dcat", "spdx", "xsd")), ""]
    for file, digest in sums.items():
        size = (dumps / file).stat().st_size
        lines.append(
            f'<dataset/file/{file}> dcat:byteSize "{size}"^^xsd:nonNegativeInteger ; spdx:checksum <dataset/file/{file}/sha256> .'
        )
        lines.append(
            f"<dataset/file/{file}/sha256> a spdx:Checksum ; spdx:algorithm spdx:checksumAlgorithm_sha256 ; "
            f'spdx:checksumValue "{digest}"^^xsd:hexBinary .'
        )
    (dumps / FILES).write_text("\n".join(lines) + "\n", encoding="utf-8")


@contextmanager
def read_packed(path: Path) -> Iterator[IO[bytes]]:
    """A ``.gz``, ``.zst`` or plain file, open for reading what is in it."""
    with ExitStack() as stack:
        raw: Any = stack.enter_context(path.open("rb"))
        if path.suffix == ".gz":
            yield io.BufferedReader(stack.enter_context(gzip.GzipFile(fileobj=raw, mode="rb")), _CHUNK)
        elif path.suffix == ".zst":
            yield io.BufferedReader(zstandard.ZstdDecompressor().stream_reader(raw, read_across_frames=True), _CHUNK)
        else:
            yield raw


@contextmanager
def write_packed(path: Path) -> Iterator[IO[bytes]]:
    """Writes beside ``path`` and renames at the end; packs as the suffix says."""
    part = path.with_name(path.name + ".part")
    try:
        with part.open("wb") as raw:
            if path.suffix == ".gz":
                packed: Any = gzip.GzipFile(filename="", mode="wb", fileobj=raw, compresslevel=_LEVEL["gz"], mtime=0)
                with packed as stream:
                    yield stream
            elif path.suffix == ".zst":
                packer = zstandard.ZstdCompressor(level=_LEVEL["zst"], write_checksum=True)
                with packer.stream_writer(raw, closefd=False) as writer:
                    yield writer
            else:
                yield raw
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)


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


def write_further(dumps: Path, formats: Iterable[str] = ("ntriples", "jsonld", "rdfxml")) -> None:
    """N-Triples, JSON-LD and RDF/XML of the whole graph, both packings; to be run after ``pack``, best after the swap.

    Raises:
        DumpError: ``pack`` has not been run.
    """
    source = dumps / f"{WHOLE}.nq.zst"
    if not source.is_file():
        raise DumpError(f"{source} is missing: pack the dumps first")
    for format in formats:
        stem = f"{WHOLE}.{FORMATS[format].suffix}"
        with (
            read_packed(source) as quads,
            write_packed(dumps / f"{stem}.gz") as gz,
            write_packed(dumps / f"{stem}.zst") as zst,
            _Both(gz, zst) as both,
        ):
            _write(format, quads, cast(IO[bytes], both))
    checksums(dumps)


class _Both:
    """Writes to several streams, in pieces that are worth packing; each stream packs in a thread of its own."""

    def __init__(self, *streams: IO[bytes]) -> None:
        self._streams = streams
        self._threads = [ThreadPoolExecutor(1) for _ in streams]
        self._packing: list[Future[int]] = []
        self._held: list[bytes] = []
        self._size = 0

    def __enter__(self) -> "_Both":
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self._pass_on()
            for packed in self._packing:
                packed.result()
        finally:
            for thread in self._threads:
                thread.shutdown()

    def write(self, data: bytes) -> int:
        self._held.append(bytes(data))
        self._size += len(data)
        if self._size >= _CHUNK:
            self._pass_on()
        return len(data)

    def flush(self) -> None:
        """Nothing is passed on before there is a piece worth packing, or the end."""

    def _pass_on(self) -> None:
        block = b"".join(self._held)
        self._held, self._size = [], 0
        for packed in self._packing:
            packed.result()  # at most one piece waits: memory stays bounded
        self._packing = [thread.submit(stream.write, block) for thread, stream in zip(self._threads, self._streams, strict=True)]


def write_format(dumps: Path, format: str, out: Path | None = None) -> None:
    """The whole graph of a built folder in a format, to a file (packed as its suffix says) or to standard output.

    Raises:
        DumpError: the folder holds no dumps, or there is no such format.
    """
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
            shutil.copyfileobj(stack.enter_context(read_packed(ready)), target, _CHUNK)
            return
        pieces = stack.enter_context(_Both(target))
        _write(format, stack.enter_context(read_packed(whole)), cast(IO[bytes], pieces))
