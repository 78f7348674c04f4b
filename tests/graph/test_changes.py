"""What changed between two versions, and that the patch makes the one the other."""

import gzip
import json
from pathlib import Path

from kg.graph.changes import differing_lines, write_changes
from kg.graph.formats import read_packed
from kg.graph.packing import pack


def _whole(dumps: Path) -> set[bytes]:
    with read_packed(dumps / "silsila.nq.gz") as lines:
        return set(lines)


def test_the_patch_makes_the_new_graph_of_the_old(written, seed, tmp_path) -> None:
    written([seed.record("bukhari:1"), seed.record("bukhari:2")], folder="one")
    written([seed.record("bukhari:2"), seed.record("bukhari:3")], folder="two")
    one, two = tmp_path / "one" / "dumps", tmp_path / "two" / "dumps"
    pack(one)
    pack(two)
    changes = {change.graph: change for change in write_changes(one, two)}
    assert changes["source-bukhari"].added == changes["source-bukhari"].removed > 100
    assert (changes["ontology"].added, changes["ontology"].removed) == (0, 0)
    graph = _whole(one)
    lines = gzip.decompress((two / "changes.rdfp.gz").read_bytes()).splitlines(keepends=True)
    assert (lines[0], lines[-1]) == (b"TX .\n", b"TC .\n")
    for line in lines[1:-1]:
        if line.startswith(b"D "):
            graph.remove(line[2:])
        else:
            assert line.startswith(b"A ") and line[2:] not in graph
            graph.add(line[2:])
    assert graph == _whole(two)
    told = json.loads((two / "changes.json").read_text())
    assert told["previous"] == "one"
    assert "changes.rdfp.gz" in (two / "SHA256SUMS").read_text()


def test_equal_versions_have_an_empty_patch(written, seed, tmp_path) -> None:
    for folder in ("one", "two"):
        written([seed.record()], folder=folder)
        pack(tmp_path / folder / "dumps")
    changes = write_changes(tmp_path / "one" / "dumps", tmp_path / "two" / "dumps")
    assert all(change.added == change.removed == 0 for change in changes)


def test_lines_on_either_side_alone() -> None:
    assert list(differing_lines(iter([b"a"]), iter([]))) == [(b"D", b"a")]
    assert list(differing_lines(iter([b"a", b"b"]), iter([b"b", b"c"]))) == [(b"D", b"a"), (b"A", b"c")]
