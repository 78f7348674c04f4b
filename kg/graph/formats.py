"""The dumps people take away: packed, whole and by graph, in every format, with checksums.

Gzip and Zstandard files may be joined end to end, so that the whole graph is the graphs' packed pieces one after the other
(``kg.graph.packing``).
"""

import gzip
import hashlib
import io
import os
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, Any, NamedTuple

import zstandard

from kg.graph.terms import PREFIXES

__all__ = [
    "CHUNK",
    "FILES",
    "FORMATS",
    "PACKINGS",
    "WHOLE",
    "DumpError",
    "Piece",
    "checksums",
    "chunks",
    "join",
    "pack_pieces",
    "read_packed",
    "write_packed",
]

WHOLE = "silsila"
"""The stem of the files that hold every graph."""

CHUNK = 1 << 20
_LEVEL = {"gz": 5, "zst": 3}  # more costs four times the seconds for a tenth of the size
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


class Piece(NamedTuple):
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


def chunks(stream: IO[bytes]) -> Iterator[bytes]:
    while chunk := stream.read(CHUNK):
        yield chunk


def pack_pieces(target: Path, packing: str, pieces: Iterable[Iterable[bytes]]) -> list[Piece]:
    """Writes each piece as a member (a frame) of its own and says where it stands."""
    found, start = [], 0
    with target.open("wb") as out:
        for piece in pieces:
            _PACKERS[packing](piece, out)
            found.append(Piece(target, start, out.tell()))
            start = out.tell()
    return found


def join(target: Path, pieces: Iterable[Piece | bytes], packing: str) -> None:
    """Writes pieces one after the other: those of packed files as they are, bytes as a member (a frame) of their own."""
    with target.open("wb") as out:
        for piece in pieces:
            if isinstance(piece, bytes):
                if piece:
                    _PACKERS[packing]([piece], out)
                continue
            with piece.path.open("rb") as source:
                source.seek(piece.start)
                left = piece.end - piece.start
                while left:
                    chunk = source.read(min(CHUNK, left))
                    out.write(chunk)
                    left -= len(chunk)


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
            yield io.BufferedReader(stack.enter_context(gzip.GzipFile(fileobj=raw, mode="rb")), CHUNK)
        elif path.suffix == ".zst":
            yield io.BufferedReader(zstandard.ZstdDecompressor().stream_reader(raw, read_across_frames=True), CHUNK)
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
