"""The description says what is there: its counts are the store's, its files exist, its queries run."""

from pathlib import Path

import pytest
from pyoxigraph import Store
from pyshacl import validate
from rdflib import DCTERMS, RDF, Graph, URIRef

from kg.graph.packing import pack
from kg.graph.queries import stored_queries
from kg.graph.terms import PREFIXES

VOID, DCAT, SH = PREFIXES["void"], PREFIXES["dcat"], PREFIXES["sh"]


@pytest.fixture
def described(written, seed, tmp_path: Path) -> tuple[Graph, Store, Path]:
    """The description of a small graph, the graph itself, and its folder of dumps."""
    _, store = written([seed.record("bukhari:1"), seed.record("bukhari:2")])
    dumps = tmp_path / "built" / "dumps"
    return Graph().parse(dumps / "description.ttl", format="turtle"), store, dumps


def _number(graph: Graph, subject: str, prop: str) -> int:
    value = graph.value(URIRef(subject), URIRef(VOID + prop))
    assert value is not None, (subject, prop)
    return int(str(value))


def test_the_counts_are_those_of_the_store(described, seed) -> None:
    graph, store, _ = described
    assert _number(graph, seed.BASE + "dataset/silsila", "triples") == len(store)
    for named in store.named_graphs():
        assert _number(graph, named.value, "triples") == sum(1 for _ in store.quads_for_pattern(None, None, None, named)), named
    for partition, kind in graph.subject_objects(URIRef(VOID + "class")):
        found = store.query(
            f"SELECT (COUNT(DISTINCT ?x) AS ?n) {{ ?x a <{kind}> FILTER(!CONTAINS(STR(?x), 'nothing')) "
            f"MINUS {{ GRAPH <{seed.BASE}graph/description> {{ ?x ?p ?o }} }} MINUS {{ GRAPH <{seed.BASE}graph/provenance> {{ ?x a ?c }} }} }}",
            use_default_graph_as_union=True,
        )
        if "ontology#" in str(kind):
            assert _number(graph, str(partition), "entities") == int(next(iter(found))["n"].value), kind


def test_each_class_says_which_properties_it_has(described, seed) -> None:
    graph, _, _ = described
    part = URIRef(seed.BASE + "partition/class/sls-NarratorMention/sls-refersTo")
    assert (URIRef(seed.BASE + "partition/class/sls-NarratorMention"), URIRef(VOID + "propertyPartition"), part) in graph
    assert _number(graph, str(part), "triples") == 12
    person = graph.value(part, URIRef(VOID + "classPartition"))
    assert graph.value(person, URIRef(VOID + "class")) == URIRef(PREFIXES["sls"] + "Person")


def test_the_stored_queries_stand_in_it_and_run(described, seed) -> None:
    graph, store, _ = described
    texts = dict(graph.subject_objects(URIRef(SH + "select")))
    assert len(texts) == len(stored_queries())
    for subject, text in texts.items():
        list(store.query(str(text), use_default_graph_as_union=True))
        assert {label.language for label in graph.objects(subject, URIRef(PREFIXES["rdfs"] + "label"))} == {"ar", "en"}


def test_it_keeps_dcat_ap_and_its_files_exist(described) -> None:
    graph, _, dumps = described
    pack(dumps)
    graph.parse(dumps / "files.ttl", format="turtle")
    shapes = Graph().parse(Path(__file__).with_name("dcat_ap.ttl"), format="turtle")
    conforms, _, report = validate(graph, shacl_graph=shapes, inference="none")
    assert conforms, report
    files = {str(address).rpartition("/")[2] for address in graph.objects(None, URIRef(DCAT + "downloadURL"))}
    assert files == {path.name for path in dumps.iterdir()} - {"SHA256SUMS", "files.ttl"}


def test_a_fault_in_dcat_would_be_seen(described) -> None:
    graph, _, _ = described
    graph.remove((None, DCTERMS.title, None))
    conforms, _, _ = validate(
        graph, shacl_graph=Graph().parse(Path(__file__).with_name("dcat_ap.ttl"), format="turtle"), inference="none"
    )
    assert not conforms


def test_licences_are_told_by_source(described, seed) -> None:
    graph, _, _ = described
    assert graph.value(URIRef(seed.BASE + "graph/source/bukhari"), DCTERMS.license) == URIRef("https://unlicense.org/")


def test_provenance_leads_from_every_graph_to_the_build(described, seed) -> None:
    _, _, dumps = described
    graph = Graph()
    graph.parse(dumps / "provenance.ttl", format="turtle")
    made = set(graph.subjects(URIRef(PREFIXES["prov"] + "wasGeneratedBy"), URIRef(seed.BASE + "run/build")))
    assert len(made) == 7
    assert (URIRef(seed.BASE + "run/software"), RDF.type, URIRef(PREFIXES["prov"] + "SoftwareAgent")) in graph
