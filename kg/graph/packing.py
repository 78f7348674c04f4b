"""The dumps of a build from its plain N-Quads and Turtle: each graph in six formats and two packings, and the whole joined from their pieces.

TriG is the pieces of Turtle with a line before and after each; N-Triples, JSON-LD and RDF/XML are made of the N-Quads. Each graph is
packed by itself (``pack_graph``), as soon as it is written and by any process; joining them (``join_graphs``) only copies.
"""

from collections.abc import Sequence
from pathlib import Path

from kg.graph.formats import FORMATS, PACKINGS, WHOLE, DumpError, Piece, checksums, chunks, join, pack_pieces
from kg.graph.further import FRAMES, FURTHER, pack_document

__all__ = ["Packed", "join_graphs", "pack", "pack_graph"]

Packed = dict[str, dict[str, list[Piece | bytes]]]
"""Where the head, the body and the end of one graph stand in its packed files: by the suffix of the format, then by packing."""


def pack_graph(quads: Path) -> Packed:
    """One graph in every format and packing, from its plain N-Quads and the Turtle beside them."""
    turtle = quads.with_suffix(".ttl")
    found: Packed = {suffix: {} for suffix in ("nq", "ttl", "trig")}
    header, begin = _header(turtle)
    for packing in PACKINGS:
        with quads.open("rb") as stream:
            found["nq"][packing] = [b"", *pack_pieces(quads.with_suffix(f".nq.{packing}"), packing, [chunks(stream)]), b""]
        with turtle.open("rb") as stream:
            stream.seek(begin)
            head, body = pack_pieces(turtle.with_suffix(f".ttl.{packing}"), packing, [[header], chunks(stream)])
        found["ttl"][packing] = [head, body, b""]
        found["trig"][packing] = [head, _graph_of(quads) + b" {\n", body, b"}\n\n", b""]
        join(quads.with_suffix(f".trig.{packing}"), found["trig"][packing], packing)
    for format in FURTHER:
        found[FORMATS[format].suffix] = pack_document(quads, format)
    return found


def join_graphs(dumps: Path, graphs: Sequence[Packed]) -> None:
    """The files of the whole: the bodies of all graphs between one head and one end, and the sums of all files."""
    between = {FORMATS[format].suffix: FRAMES[format].between for format in FURTHER}
    for suffix in graphs[0]:
        for packing in PACKINGS:
            head, end = graphs[0][suffix][packing][0], graphs[0][suffix][packing][-1]
            bodies: list[Piece | bytes] = []
            for graph in graphs:
                bodies += [between.get(suffix, b"")] * bool(bodies) + graph[suffix][packing][1:-1]
            join(dumps / f"{WHOLE}.{suffix}.{packing}", [head, *bodies, end], packing)
    checksums(dumps)


def pack(dumps: Path) -> None:
    """Packs every graph of a folder and the whole; the plain files are removed afterwards.

    Raises:
        DumpError: the folder holds no ``.nq`` files.
    """
    graphs = sorted(dumps.glob("*.nq"))
    if not graphs:
        raise DumpError(f"{dumps} holds no .nq files: build the graph first")
    join_graphs(dumps, [pack_graph(path) for path in graphs])
    for path in graphs:
        path.unlink()
        path.with_suffix(".ttl").unlink()


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
