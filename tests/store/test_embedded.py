"""The store on disk: loading N-Quads, reading patterns."""

import gzip
from pathlib import Path

import pyoxigraph as ox
import pytest

from kg.store.embedded import EmbeddedStore
from kg.store.errors import StoreError

LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
ONE = f'<urn:umar> <{LABEL}> "عمر"@ar <urn:g1> .\n<urn:umar> <{LABEL}> "Umar"@en <urn:g2> .\n<urn:umar> <urn:knows> <urn:ali> <urn:g1> .\n'
TWO = f'<urn:ali> <{LABEL}> "علي"@ar <urn:g1> .\n'


@pytest.fixture
def store(tmp_path: Path) -> EmbeddedStore:
    (tmp_path / "one.nq").write_text(ONE, encoding="utf-8")
    with gzip.open(tmp_path / "two.nq.gz", "wt", encoding="utf-8") as file:
        file.write(TWO)
    return EmbeddedStore.open(EmbeddedStore.create(tmp_path / "store", [tmp_path / "one.nq", tmp_path / "two.nq.gz"]))


def test_patterns(store: EmbeddedStore) -> None:
    assert len(list(store.quads())) == 4
    assert {quad.object for quad in store.quads("urn:umar", LABEL)} == {
        ox.Literal("عمر", language="ar"),
        ox.Literal("Umar", language="en"),
    }
    assert [quad.subject.value for quad in store.quads(None, None, "urn:ali")] == ["urn:umar"]
    assert len(list(store.quads(graph="urn:g1"))) == 3
    assert len(list(store.quads(ox.NamedNode("urn:umar"), graph=ox.NamedNode("urn:g2")))) == 1
    assert list(store.quads("urn:nobody")) == []


def test_labels_and_graphs(store: EmbeddedStore) -> None:
    labels = store.labels(["urn:umar", "urn:ali", "urn:nobody"])
    assert {label.value for label in labels["urn:umar"]} == {"عمر", "Umar"}
    assert labels["urn:ali"] == [ox.Literal("علي", language="ar")]
    assert labels["urn:nobody"] == []
    assert store.graphs() == ["urn:g1", "urn:g2"]


def test_many_readers(store: EmbeddedStore) -> None:
    assert len(list(EmbeddedStore.open(store.path).quads())) == len(list(store.quads()))


def test_a_mistake_in_the_data_names_the_file(tmp_path: Path) -> None:
    (tmp_path / "bad.nq").write_text("<urn:a> <urn:b> .\n", encoding="utf-8")
    with pytest.raises(StoreError, match=r"bad\.nq: not N-Quads"):
        EmbeddedStore.create(tmp_path / "store", [tmp_path / "bad.nq"])
    with pytest.raises(StoreError, match="cannot be loaded"):
        EmbeddedStore.create(tmp_path / "other", [tmp_path / "absent.nq"])


def test_a_folder_in_use_is_left_alone(store: EmbeddedStore) -> None:
    with pytest.raises(StoreError, match="not empty"):
        EmbeddedStore.create(store.path, [])


def test_no_store(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="holds no store"):
        EmbeddedStore.open(tmp_path)
    (tmp_path / "CURRENT").write_text("nonsense", encoding="utf-8")
    with pytest.raises(StoreError, match="cannot be opened"):
        EmbeddedStore.open(tmp_path)
