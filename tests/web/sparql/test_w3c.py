"""The W3C suites of SPARQL 1.0, 1.1 and 1.2 (queries: evaluation, syntax, result formats) through the HTTP service.

All data of all tests stand in one store, each file in a graph of its own address; a test's dataset is chosen with
``default-graph-uri`` and ``named-graph-uri``. What fails, and why, stands in ``w3c_failures.tsv``: a test that fails without standing
there fails the suite, and so does one that stands there and passes.
"""

import csv
import io
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pyoxigraph as ox
import pytest

from kg.evaluate import shared

ROOT = "http://w3c.test/"
MF = "http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#"
QT = "http://www.w3.org/2001/sw/DataAccess/tests/test-query#"
RS = "http://www.w3.org/2001/sw/DataAccess/tests/result-set#"
RDF_TYPE = ox.NamedNode("http://www.w3.org/1999/02/22-rdf-syntax-ns#type")

LEFT_OUT = {
    # updates and graph store: the service is read-only; entailment and federation: not offered
    *(
        "add",
        "basic-update",
        "clear",
        "copy",
        "delete",
        "delete-data",
        "delete-insert",
        "delete-where",
        "drop",
        "move",
        "update-silent",
    ),
    *("syntax-update-1", "syntax-update-2", "graph-store-protocol", "http-rdf-update", "entailment", "service", "protocol"),
    "service-description",
}
EVALUATION = {"QueryEvaluationTest", "CSVResultFormatTest"}
POSITIVE = {"PositiveSyntaxTest", "PositiveSyntaxTest11"}
NEGATIVE = {"NegativeSyntaxTest", "NegativeSyntaxTest11"}
FORMATS = {
    ".ttl": ox.RdfFormat.TURTLE,
    ".nt": ox.RdfFormat.N_TRIPLES,
    ".rdf": ox.RdfFormat.RDF_XML,
    ".trig": ox.RdfFormat.TRIG,
    ".n3": ox.RdfFormat.TURTLE,
    ".nq": ox.RdfFormat.N_QUADS,
}

suites = shared() and shared() / "w3c"  # type: ignore[operator]
pytestmark = pytest.mark.skipif(not suites or not suites.is_dir(), reason="../shared/w3c is absent")


@dataclass(frozen=True)
class Case:
    """One test of a manifest."""

    name: str
    kind: str
    query: str
    data: tuple[str, ...]
    named: tuple[str, ...]
    result: str | None
    lax: bool


def file_of(iri: str) -> Path:
    assert suites
    return suites / iri.removeprefix(ROOT)


def folders() -> list[str]:
    if not suites or not suites.is_dir():
        return []
    found = (file.parent for file in suites.glob("sparql1?/*/manifest.ttl"))
    return sorted(f"{folder.parent.name}/{folder.name}" for folder in found if folder.name not in LEFT_OUT)


def cases(folder: str) -> list[Case]:
    """The query tests of one folder's manifest."""
    assert suites
    store = ox.Store()
    store.load(path=str(suites / folder / "manifest.ttl"), format=ox.RdfFormat.TURTLE, base_iri=f"{ROOT}{folder}/manifest.ttl")

    def values(subject: Any, predicate: str) -> list[Any]:
        return [quad.object for quad in store.quads_for_pattern(subject, ox.NamedNode(predicate), None, None)]

    found = []
    for quad in store.quads_for_pattern(None, RDF_TYPE, None, None):
        kind = quad.object.value.removeprefix(MF)
        if kind not in EVALUATION | POSITIVE | NEGATIVE:
            continue
        (action,) = values(quad.subject, f"{MF}action")
        queries = values(action, f"{QT}query") if isinstance(action, ox.BlankNode) else [action]
        result = values(quad.subject, f"{MF}result")
        data, named = (tuple(term.value for term in values(action, QT + name)) for name in ("data", "graphData"))
        name = f"{folder}#{quad.subject.value.rpartition('#')[2]}"
        lax = bool(values(quad.subject, f"{MF}resultCardinality"))
        found.append(Case(name, kind, queries[0].value, data, named, result[0].value if result else None, lax))
    return sorted(found, key=lambda case: case.name)


def quads_of(iri: str) -> tuple[list[ox.Quad], set[str]]:
    """The quads of a data file, its default graph under its address; and the names of its other graphs."""
    quads, graphs = [], set()
    for quad in ox.parse(path=str(file_of(iri)), format=FORMATS[file_of(iri).suffix], base_iri=iri, rename_blank_nodes=True):
        graph = getattr(quad, "graph_name", ox.DefaultGraph())
        if isinstance(graph, ox.DefaultGraph):
            graph = ox.NamedNode(iri)
        else:
            graphs.add(graph.value)
        quads.append(ox.Quad(quad.subject, quad.predicate, quad.object, graph))
    return quads, graphs


@pytest.fixture(scope="module")
def w3c(make_store: Any, service: Any) -> Any:
    """The service over all data, and the graphs that a TriG file names."""
    assert suites
    quads: list[ox.Quad] = []
    graphs: dict[str, set[str]] = {}
    used = {iri for folder in folders() for case in cases(folder) for iri in (*case.data, *case.named)}
    # the datasets of sparql10/dataset are named in its queries
    used |= {
        f"{ROOT}sparql10/dataset/{file.name}"
        for file in (suites / "sparql10" / "dataset").glob("*.ttl")
        if file.name != "manifest.ttl"
    }
    for iri in sorted(used):
        more, graphs[iri] = quads_of(iri)
        quads += more
    with service.another(make_store("".join(f"{quad} .\n" for quad in quads)), seconds=20) as running:
        yield running, graphs


@pytest.fixture(scope="module")
def failures() -> dict[str, str]:
    table = (Path(__file__).parent / "w3c_failures.tsv").read_text(encoding="utf-8").splitlines()
    return dict(line.split("\t") for line in table if line and not line.startswith("#"))


@pytest.mark.parametrize("folder", folders())
def test_w3c_suite(w3c: Any, failures: dict[str, str], folder: str) -> None:
    running, graphs = w3c
    wrong = {case.name: why for case in cases(folder) if (why := fault(running, graphs, case))}
    expected = {name for name in failures if name.startswith(f"{folder}#")}
    unforeseen = {name: why for name, why in wrong.items() if name not in expected}
    assert not unforeseen
    assert not expected - wrong.keys(), "these pass now: take them out of w3c_failures.tsv"


def test_the_suites_are_whole() -> None:
    counts = {
        suite: sum(len(cases(folder)) for folder in folders() if folder.startswith(suite))
        for suite in ("sparql10", "sparql11", "sparql12")
    }
    assert counts["sparql10"] > 400
    assert counts["sparql11"] > 300
    assert counts["sparql12"] > 150


def fault(running: Any, graphs: dict[str, set[str]], case: Case) -> str:
    """What is wrong with the service's answer; empty where nothing is."""
    query = file_of(case.query).read_text(encoding="utf-8")
    if case.kind in POSITIVE | NEGATIVE:
        reply = running.ask("POST", "/sparql?default-graph-uri=urn:nothing", query, {"Content-Type": "application/sparql-query"})
    if case.kind in POSITIVE:
        # understood, and then refused for what it asks: another server, a function that is not here
        understood = reply.status >= 400 and reply.json()["type"].endswith(("-refused", "-function"))
        return "" if reply.status == 200 or understood else f"{reply.status} {reply.body.decode()}"
    if case.kind in NEGATIVE:
        return "" if reply.status == 400 else f"{reply.status} for a query that is wrong"
    assert case.result
    named = [*case.named, *(graph for iri in case.data for graph in graphs[iri])]
    fields = [("default-graph-uri", iri) for iri in case.data] + [("named-graph-uri", iri) for iri in named]
    if re.search(r"\bFROM\b", query, re.IGNORECASE):
        fields = []  # the dataset is the query's
    elif not fields:
        fields = [("default-graph-uri", "urn:nothing")]
    suffix = file_of(case.result).suffix
    accept = {".csv": "text/csv", ".tsv": "text/tab-separated-values", ".srj": "application/sparql-results+json"}.get(suffix)
    reply = running.ask(
        "POST",
        "/sparql?" + urlencode(fields),
        f"BASE <{case.query}>\n{query}",
        {"Content-Type": "application/sparql-query", "Accept": accept or "application/sparql-results+xml, application/n-triples"},
    )
    if reply.status != 200:
        return f"{reply.status} {reply.body.decode()}"
    if suffix == ".csv":
        return differing(csv_rows(file_of(case.result).read_bytes()), csv_rows(reply.body))
    given = reply.body if reply.media_type == "application/n-triples" else read_results(reply.body, suffix if accept else ".srx")
    if isinstance(given, bytes):
        answer = ox.Dataset(ox.Quad(t.subject, t.predicate, t.object) for t in ox.parse(given, format=ox.RdfFormat.N_TRIPLES))
        wanted = ox.Dataset(ox.Quad(q.subject, q.predicate, q.object) for q in quads_of(case.result)[0])
        return differing(canonical(wanted), canonical(answer))
    wanted = expected_of(case.result)
    if case.lax:
        wanted, given = set(map(without_node, wanted)), set(map(without_node, given))
    return differing(wanted, given)


def without_node(triple: str) -> str:
    """A binding without the solution it stands in: where REDUCED leaves the number of solutions open."""
    return triple.partition(" ")[2]


def csv_rows(data: bytes) -> list[list[tuple[str, str]]]:
    """The solutions of CSV, each by column, sorted; blank nodes are all alike."""
    rows = csv.DictReader(io.StringIO(data.decode()))
    return sorted(sorted((name, "_:" if cell.startswith("_:") else cell) for name, cell in row.items()) for row in rows)


def expected_of(iri: str) -> Any:
    """The result a manifest expects: a truth value, or canonical solutions."""
    file = file_of(iri)
    if file.suffix in (".srx", ".srj", ".tsv"):
        return read_results(file.read_bytes(), file.suffix)
    graph = ox.Dataset(ox.Quad(quad.subject, quad.predicate, quad.object) for quad in quads_of(iri)[0])

    def value(subject: Any, name: str) -> Any:
        return next((quad.object for quad in graph.quads_for_subject(subject) if quad.predicate.value == RS + name), None)

    sets = [q.subject for q in graph.quads_for_predicate(RDF_TYPE) if q.object.value == f"{RS}ResultSet"]
    if not sets:
        return canonical(graph)
    truth = value(sets[0], "boolean")
    if truth is not None:
        return truth.value == "true"
    solutions = []
    for quad in graph.quads_for_subject(sets[0]):
        if quad.predicate.value == f"{RS}solution":
            bindings = [q.object for q in graph.quads_for_subject(quad.object) if q.predicate.value == f"{RS}binding"]
            solutions.append({value(binding, "variable").value: value(binding, "value") for binding in bindings})
    return canonical(as_graph(solutions))


def read_results(data: bytes, suffix: str) -> Any:
    formats = {".srx": ox.QueryResultsFormat.XML, ".srj": ox.QueryResultsFormat.JSON, ".tsv": ox.QueryResultsFormat.TSV}
    results = ox.parse_query_results(data, format=formats[suffix])
    if isinstance(results, ox.QueryBoolean):
        return bool(results)
    names = [variable.value for variable in results.variables]
    return canonical(as_graph([{name: row[name] for name in names if row[name] is not None} for row in results]))


def as_graph(solutions: list[dict[str, Any]]) -> ox.Dataset:
    """Solutions as a graph, so that blank nodes are compared as such: a node a solution, an arc a binding."""
    graph = ox.Dataset()
    for number, solution in enumerate(solutions):
        row = ox.BlankNode(f"solution{number}")
        graph.add(ox.Quad(row, RDF_TYPE, ox.NamedNode("urn:solution")))
        for name, term in solution.items():
            graph.add(ox.Quad(row, ox.NamedNode(f"urn:variable:{name}"), term))
    return graph


def canonical(graph: ox.Dataset) -> list[str]:
    """The triples with canonical blank nodes; numbers, dates and truth values by value, as the store keeps them."""
    graph = ox.Dataset(ox.Quad(quad.subject, quad.predicate, by_value(quad.object)) for quad in graph)
    graph.canonicalize(ox.CanonicalizationAlgorithm.RDFC_1_0)
    return sorted(map(str, graph))


def by_value(term: Any) -> Any:
    if not isinstance(term, ox.Literal) or not term.datatype.value.startswith("http://www.w3.org/2001/XMLSchema#"):
        return term
    kept = ox.Store()
    kept.add(ox.Quad(ox.NamedNode("urn:s"), ox.NamedNode("urn:p"), term))
    return next(iter(kept)).object


def differing(wanted: Any, given: Any) -> str:
    if wanted == given:
        return ""
    if isinstance(wanted, list) and isinstance(given, list):
        return f"missing {[x for x in wanted if x not in given][:4]}, surplus {[x for x in given if x not in wanted][:4]}"
    return f"{given} instead of {wanted}"
