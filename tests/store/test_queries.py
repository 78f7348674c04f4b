"""``kg query``: stored queries, files, standard input; every format."""

import csv
import io
import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from kg.store import queries
from kg.store.errors import StoreError

BASE = "https://silsila.example/"
DATA = f"""\
<{BASE}person/umar> <http://www.w3.org/2000/01/rdf-schema#label> "عمر بن الخطاب"@ar <{BASE}graph/authority> .
<{BASE}person/umar> <https://w3id.org/silsila/ontology#deathYearAH> "23"^^<http://www.w3.org/2001/XMLSchema#integer> <{BASE}graph/authority> .
"""
SELECT = "SELECT ?person ?label { ?person <http://www.w3.org/2000/01/rdf-schema#label> ?label }"


@pytest.fixture(scope="module")
def data(make_store: Callable[[str], Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with one version."""
    folder = tmp_path_factory.mktemp("kg-data")
    version = folder / "versions" / "one"
    version.mkdir(parents=True)
    os.symlink(make_store(DATA), version / "store")
    (version / "manifest.json").write_text(json.dumps({"base": BASE}))
    os.symlink(version, folder / "current")
    return folder


def run(text: str, data: Path, format: str, tmp_path: Path) -> str:
    file = tmp_path / "query.rq"
    file.write_text(text, encoding="utf-8")
    return queries.run(str(file), data, format)


def test_formats_of_solutions(data: Path, tmp_path: Path) -> None:
    table = run(SELECT, data, "table", tmp_path)
    assert "person/umar" in table and "عمر بن الخطاب" in table and "1 row\n" in table
    assert BASE not in table
    assert json.loads(run(SELECT, data, "json", tmp_path))["results"]["bindings"][0]["label"]["xml:lang"] == "ar"
    assert list(csv.reader(io.StringIO(run(SELECT, data, "csv", tmp_path))))[1] == [f"{BASE}person/umar", "عمر بن الخطاب"]
    assert run(SELECT, data, "tsv", tmp_path).splitlines()[0] == "?person\t?label"
    assert run(SELECT, data, "turtle", tmp_path).startswith("?person\t")
    assert "<sparql" in run(SELECT, data, "xml", tmp_path)


def test_truth_and_graphs(data: Path, tmp_path: Path) -> None:
    assert run("ASK { ?s ?p ?o }", data, "table", tmp_path) == "yes\n"
    assert run("ASK { ?s ?p 0 }", data, "table", tmp_path) == "no\n"
    turtle = run("DESCRIBE <person/umar>", data, "turtle", tmp_path)
    assert "data:person" in turtle or f"<{BASE}person/umar>" in turtle
    assert "sls:deathYearAH 23" in turtle
    assert run("DESCRIBE <person/umar>", data, "table", tmp_path) == turtle
    assert json.loads(run("DESCRIBE <person/umar>", data, "json", tmp_path))


def test_terms_in_a_table(data: Path, tmp_path: Path) -> None:
    table = run(
        "SELECT ?a ?b ?c { BIND(<<( <person/umar> <urn:p> '[red]x' )>> AS ?a) BIND('[b]' AS ?b) }", data, "table", tmp_path
    )
    assert "<<( person/umar urn:p [red]x )>>" in table
    assert "[b]" in table


def test_standard_input(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("ASK {}"))
    assert queries.run("-", data) == "yes\n"


def test_stored_queries_are_found_by_name(data: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "people.rq").write_text(SELECT, encoding="utf-8")
    monkeypatch.setattr(queries, "stored_queries", lambda: {"people": tmp_path / "people.rq"})
    assert "1 row" in queries.run("people", data)
    with pytest.raises(StoreError, match="the stored queries are people"):
        queries.run("peoples", data)


def test_mistakes_are_one_sentence_with_the_place(data: Path, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"query\.rq:2:4: The prefix 'e:' is not declared\. Add PREFIX"):
        run("ASK {\n?s e:p ?o }", data, "table", tmp_path)
    with pytest.raises(StoreError, match="holds no built graph"):
        run("ASK {}", tmp_path, "table", tmp_path)
    (tmp_path / "latin.rq").write_bytes(b"ASK { ?s ?p '\xe9' }")
    with pytest.raises(StoreError, match="it is not UTF-8"):
        queries.run(str(tmp_path / "latin.rq"), data)
    with pytest.raises(StoreError, match="No such file"):
        queries.run(str(tmp_path / "absent.rq"), data)
