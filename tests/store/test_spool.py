"""Cutting an answer: what is left can be read, has exactly the rows allowed, and says that it was cut."""

import csv
import io
import json
from typing import Any
from xml.etree import ElementTree

import pyoxigraph as ox
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.store.evaluation import Question, evaluate
from kg.store.formats import GRAPH_FORMATS, RESULT_FORMATS
from kg.store.spool import CutHere, Spool, rows_within

# texts that look like the separators of every format
AWKWARD = st.lists(
    st.sampled_from(['"', "}", "{", ",", "\\", "\n", "\r", "\t", "</result>", "]", "ع", " ", "'", "# cut", "&"]), max_size=8
).map("".join)
LIMITS = {"rows": 10, "bytes": 1_000_000, "spool_in_memory": 500}


def store_of(texts: list[str]) -> ox.Store:
    store = ox.Store()
    for number, text in enumerate(texts):
        store.add(ox.Quad(ox.NamedNode(f"urn:s{number}"), ox.NamedNode("urn:p"), ox.Literal(text), ox.NamedNode("urn:g")))
    return store


def contents(spool: Spool) -> bytes:
    data = spool.contents()
    if spool.file is not None:
        spool.file.close()
    assert len(data) == spool.size
    return data


def written(texts: list[str], name: str) -> tuple[bytes, int]:
    """A whole answer, and where its rows begin."""
    data = store_of(texts).query("SELECT ?s ?o { GRAPH ?g { ?s ?p ?o } }").serialize(format=RESULT_FORMATS[name].writer)
    starts = {"json": b'"bindings":[', "xml": b"<results>", "csv": b"\n", "tsv": b"\n"}
    return data, data.index(starts[name]) + len(starts[name])


def count(name: str, data: bytes) -> int:
    """Rows of an answer that may be cut, as a reader of the format counts them."""
    if name == "json":
        return len(json.loads(data)["results"]["bindings"])
    if name == "xml":
        return len(list(ElementTree.fromstring(data).iter("{http://www.w3.org/2005/sparql-results#}result")))
    text = data.decode()
    if name == "tsv":
        return len([line for line in text.split("\n")[1:-1] if not line.startswith("# cut")])
    rows = list(csv.reader(io.StringIO(text, newline="")))
    return len([row for row in rows[1:] if not (row and row[0].startswith("# cut"))])


@settings(max_examples=60)
@given(texts=st.lists(AWKWARD, max_size=14), name=st.sampled_from(sorted(RESULT_FORMATS)), most=st.integers(1, 14))
def test_rows_are_cut_exactly(texts: list[str], name: str, most: int) -> None:
    question = Question("SELECT ?s ?o { ?s ?p ?o }", result_format=name, rows=most)
    outcome, spool = evaluate(store_of(texts), question, {**LIMITS, "rows": 1_000})
    assert spool is not None
    data = contents(spool)
    assert count(name, data) == min(len(texts), most)
    assert outcome.cut == ("rows" if len(texts) > most else "")
    assert (b"truncated" in data or b"cut: the limit" in data) == bool(outcome.cut)


@settings(max_examples=60)
@given(texts=st.lists(AWKWARD, min_size=1, max_size=10), name=st.sampled_from(sorted(RESULT_FORMATS)), size=st.integers(1, 400))
def test_bytes_are_cut_at_a_whole_row(texts: list[str], name: str, size: int) -> None:
    data, head = written(texts, name)
    spool = Spool(name, most_rows=1_000, most_bytes=max(size, head), in_memory=100)
    try:
        for at in range(0, len(data), 7):
            spool.write(data[at : at + 7])
        spool.flush()
    except CutHere as reached:
        assert reached.limit == "bytes"
        spool.cut("bytes", size)
    assert count(name, contents(spool)) <= len(texts)


@given(texts=st.lists(AWKWARD, max_size=8), name=st.sampled_from(sorted(RESULT_FORMATS)), end=st.integers(0, 2_000))
@settings(max_examples=60)
def test_whole_rows_of_a_part_are_counted(texts: list[str], name: str, end: int) -> None:
    """The rows counted in a part are rows of the whole, and none that is complete is missed in the whole."""
    data, head = written(texts, name)
    rows, at = rows_within(name, data, 100)
    assert rows == len(texts)
    part = data[: max(end, head)]
    some, cut = rows_within(name, part, 100)
    assert some <= rows
    assert cut <= min(at, len(part))
    assert rows_within(name, data, some) == (some, cut)


@pytest.mark.parametrize("name", GRAPH_FORMATS)
@pytest.mark.parametrize("most", [3, 5, 9])
def test_graphs_are_cut_at_a_whole_triple(name: str, most: int) -> None:
    store = store_of([f'نص {n} "}},{{' for n in range(5)])
    outcome, spool = evaluate(store, Question("CONSTRUCT WHERE { ?s ?p ?o }", graph_format=name, rows=most), LIMITS)
    assert spool is not None
    data = contents(spool)
    triples = list(ox.parse(data, format=GRAPH_FORMATS[name].writer))
    assert len(triples) == min(most, 5)
    assert outcome.cut == ("rows" if most < 5 else "")
    assert (b"truncated" in data or b"cut: the limit" in data) == (most < 5)


@pytest.mark.filterwarnings("ignore::DeprecationWarning:rdflib")
def test_a_cut_json_ld_is_read_by_rdflib() -> None:
    from rdflib import Graph

    _, spool = evaluate(
        store_of(["a", "b", "c"]), Question("CONSTRUCT WHERE { ?s ?p ?o }", graph_format="jsonld", rows=2), LIMITS
    )
    assert spool is not None
    data = contents(spool)
    assert json.loads(data)["truncated"] is True
    assert len(Graph().parse(data=data, format="json-ld")) == 2


@pytest.mark.parametrize("name", GRAPH_FORMATS)
def test_graphs_too_large_are_refused(name: str) -> None:
    outcome, spool = evaluate(
        store_of(["x" * 500] * 50),
        Question("CONSTRUCT WHERE { ?s ?p ?o }", graph_format=name),
        {**LIMITS, "rows": 1_000, "bytes": 5_000},
    )
    assert spool is None
    assert (outcome.error, outcome.message) == ("limit", "bytes")


def test_rows_without_bindings() -> None:
    store = store_of(["a"] * 5)
    for name in RESULT_FORMATS:
        for query in ("SELECT ?none { ?s ?p ?o }", "SELECT * { VALUES ?x { UNDEF UNDEF UNDEF UNDEF UNDEF } }"):
            outcome, spool = evaluate(store, Question(query, result_format=name, rows=3), LIMITS)
            assert spool is not None
            data = contents(spool)
            assert outcome.cut == "rows", (name, data)
            assert count(name, data) == 3 or name == "csv", (name, data)


def test_a_spool_needs_no_file_for_little() -> None:
    spool = Spool("json", most_rows=10, most_bytes=1_000, in_memory=100)
    spool.write(b"x" * 100)
    assert spool.inline() is not None
    spool.write(b"y")
    spool.flush()
    assert spool.inline() is None
    assert contents(spool) == b"x" * 100 + b"y"


def names_of(value: Any) -> list[str]:
    return sorted(value)


def test_every_format_has_a_writer() -> None:
    assert names_of(RESULT_FORMATS) == ["csv", "json", "tsv", "xml"]
    assert names_of(GRAPH_FORMATS) == ["jsonld", "nquads", "ntriples", "rdfxml", "trig", "turtle"]
