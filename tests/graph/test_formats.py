"""Every dump can be read back, by other people's programs too, and holds the same triples."""

import gzip
import hashlib
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from pyoxigraph import RdfFormat, parse
from rdflib import Graph

from kg.graph.dump import write_graph
from kg.graph.formats import FORMATS, WHOLE, DumpError, read_packed
from kg.graph.further import write_format
from kg.graph.packing import pack

_OXIGRAPH = {
    "nquads": RdfFormat.N_QUADS,
    "turtle": RdfFormat.TURTLE,
    "trig": RdfFormat.TRIG,
    "ntriples": RdfFormat.N_TRIPLES,
    "jsonld": RdfFormat.JSON_LD,
    "rdfxml": RdfFormat.RDF_XML,
}
_RAPPER = {"nquads": "nquads", "turtle": "turtle", "trig": "trig", "ntriples": "ntriples", "rdfxml": "rdfxml"}


@pytest.fixture(scope="module")
def made(seed, tmp_path_factory) -> tuple[Path, int]:
    """The packed dumps of three passages, and how many triples they hold."""
    folder = tmp_path_factory.mktemp("made")
    records = [seed.record(f"bukhari:{number}") for number in (1, 2, 3)]
    counts = write_graph(folder, base=seed.BASE, sources=[seed.BUKHARI], records=records, authority=seed.authority())
    pack(folder / "dumps")
    return folder / "dumps", counts.quads


@pytest.fixture
def dumps(made, tmp_path) -> tuple[Path, int]:
    """A copy of them to work on."""
    shutil.copytree(made[0], tmp_path / "dumps")
    return tmp_path / "dumps", made[1]


def _read(path: Path) -> bytes:
    with read_packed(path) as stream:
        return stream.read()


@pytest.mark.parametrize("packing", ["gz", "zst"])
@pytest.mark.parametrize("format", FORMATS)
def test_oxigraph_reads_each_whole(dumps, format: str, packing: str) -> None:
    folder, triples = dumps
    data = _read(folder / f"{WHOLE}.{FORMATS[format].suffix}.{packing}")
    assert len({quad.triple for quad in parse(data, format=_OXIGRAPH[format])}) == triples


@pytest.mark.parametrize("packing", ["gz", "zst"])
@pytest.mark.parametrize("format", FORMATS)
def test_each_source_by_itself_is_whole_in_every_format(dumps, format: str, packing: str) -> None:
    folder, _ = dumps
    lines = _read(folder / "source-bukhari.nq.gz").splitlines()
    data = _read(folder / f"source-bukhari.{FORMATS[format].suffix}.{packing}")
    assert len({quad.triple for quad in parse(data, format=_OXIGRAPH[format])}) == len(lines)


@pytest.mark.parametrize("format", ["turtle", "ntriples", "rdfxml"])
def test_rdflib_reads_the_same_graph(dumps, format: str) -> None:
    folder, triples = dumps
    kind = {"turtle": "turtle", "ntriples": "nt", "rdfxml": "xml"}[format]
    assert len(Graph().parse(data=_read(folder / f"{WHOLE}.{FORMATS[format].suffix}.gz"), format=kind)) == triples


def test_rdflib_reads_the_dump_of_one_source(dumps) -> None:
    folder, _ = dumps
    lines = _read(folder / "source-bukhari.nq.gz").splitlines()
    assert len(Graph().parse(data=_read(folder / "source-bukhari.ttl.gz"), format="turtle")) == len(lines)


@pytest.mark.parametrize("format", _RAPPER)
def test_rapper_reads_each_whole(dumps, tmp_path, format: str) -> None:
    program = shutil.which("rapper")
    if program is None:
        pytest.skip("rapper is not installed (Debian: raptor2-utils)")
    folder, triples = dumps
    file = tmp_path / f"dump.{format}"
    file.write_bytes(_read(folder / f"{WHOLE}.{FORMATS[format].suffix}.gz"))
    done = subprocess.run([program, "-q", "-i", _RAPPER[format], "-o", "ntriples", str(file)], capture_output=True, check=True)
    assert len(done.stdout.splitlines()) == triples


def test_named_graphs_survive(dumps) -> None:
    folder, _ = dumps
    graphs = [
        {quad.graph_name for quad in parse(_read(folder / f"{WHOLE}.{suffix}.gz"), format=format)}
        for suffix, format in (("nq", RdfFormat.N_QUADS), ("trig", RdfFormat.TRIG), ("jsonld", RdfFormat.JSON_LD))
    ]
    assert graphs[0] == graphs[1] == graphs[2]
    assert len(graphs[0]) >= 5


def test_the_sums_are_those_of_the_files(dumps) -> None:
    folder, _ = dumps
    lines = (folder / "SHA256SUMS").read_text().splitlines()
    named = {line[66:]: line[:64] for line in lines}
    assert set(named) == {path.name for path in folder.iterdir()} - {"SHA256SUMS", "files.ttl"}
    assert all(hashlib.sha256((folder / name).read_bytes()).hexdigest() == digest for name, digest in named.items())
    assert not list(folder.glob("*.nq")) and not list(folder.glob("*.part"))


def test_packing_twice_gives_equal_bytes(written, seed, tmp_path) -> None:
    sums = []
    for folder in ("one", "two"):
        written([seed.record()], folder=folder)
        pack(tmp_path / folder / "dumps")
        sums.append((tmp_path / folder / "dumps" / "SHA256SUMS").read_text())
    assert sums[0] == sums[1]


def test_a_dump_is_written_on_request(dumps, tmp_path, capfdbinary) -> None:
    folder, triples = dumps
    write_format(folder, "turtle", tmp_path / "out.ttl.gz")
    assert gzip.decompress((tmp_path / "out.ttl.gz").read_bytes()).startswith(b"@base")
    (folder / f"{WHOLE}.nt.zst").unlink()
    write_format(folder, "ntriples")
    assert len(capfdbinary.readouterr().out.splitlines()) == triples
    with pytest.raises(DumpError, match="take one of nquads"):
        write_format(folder, "hdt")


def test_missing_dumps_are_told(tmp_path) -> None:
    for work in (pack, lambda folder: write_format(folder, "turtle")):
        with pytest.raises(DumpError, match=str(tmp_path)):
            work(tmp_path)


def test_xml_holds_what_xml_can_hold(written, seed, tmp_path) -> None:
    record = seed.record(narrators=(), isnads=(), events=(), persons=())
    written([replace(record, passage=replace(record.passage, text="قال\x01\x0b <ابن> & عمر\tنا"))])
    folder = tmp_path / "built" / "dumps"
    pack(folder)
    graph = Graph().parse(data=_read(folder / f"{WHOLE}.rdf.gz"), format="xml")
    assert "قال?? <ابن> & عمر\tنا" in {str(value) for value in graph.objects()}
