"""``kg check``: whether a built folder keeps what the ontology promises.

Three passes. Every line of the dumps is read once: nothing dangles, no literal stands where an IRI belongs, no property
or class is unknown, nothing is said in two graphs. Whole-graph questions are SPARQL with MINUS on the store. The
SHACL shapes run on samples of every source.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path

from pyoxigraph import DefaultGraph, NamedNode, Quad, RdfFormat, Store, serialize
from rdflib import OWL, RDF, RDFS, Graph, URIRef

from kg.graph.formats import read_packed
from kg.graph.ontology import event_classes, ontology_graph
from kg.graph.spans import misplaced_spans
from kg.graph.terms import PREFIXES
from kg.graph.vocabulary import ONTOLOGY
from kg.resources import ontology_folder

__all__ = ["Finding", "check_folder", "check_lines", "check_shapes", "check_store", "integrity_checks"]

_SHOWN = 20  # findings of one kind that are listed
_SAMPLE = 15  # passages of one source, and things of one class, on which the shapes run


@dataclass(frozen=True, slots=True)
class Finding:
    """Something wrong with a thing: which check found it, where, and what was seen. ``severity`` is ``violation`` or ``warning``."""

    check: str
    severity: str
    thing: str
    detail: str = ""

    def __str__(self) -> str:
        return f"{self.severity}: {self.check}: {self.thing}{' (' + self.detail + ')' if self.detail else ''}"


@dataclass(frozen=True, slots=True)
class Check:
    """A question whose every answer is a fault: ``?thing``, and ``?detail`` where there is more to say."""

    name: str
    title: str
    severity: str
    sparql: str


def integrity_checks() -> list[Check]:
    """The questions of ``checks/``, one for each link of the ontology that says what it leads to, and the order of chains."""
    checks = []
    for path in sorted((Path(__file__).parent / "checks").glob("*.rq")):
        text = path.read_text(encoding="utf-8")
        header = dict(re.findall(r"^# (title|severity): (.+)$", text, re.MULTILINE))
        if len(header) != 2:
            raise ValueError(f"{path}:1: a check needs the lines '# title: …' and '# severity: …'")
        checks.append(Check(path.stem, header["title"], header["severity"], text))
    graph = ontology_graph()
    for link, kind in sorted(graph.subject_objects(RDFS.range)):
        if not str(kind).startswith(ONTOLOGY):
            continue
        name = str(link).removeprefix(ONTOLOGY)
        sparql = f"SELECT DISTINCT ?thing ?detail WHERE {{ ?thing <{link}> ?detail MINUS {{ ?detail a <{kind}> }} }}"
        title = f"sls:{name} leads to what is no sls:{str(kind).removeprefix(ONTOLOGY)}"
        checks.append(Check(f"range-of-{name}", title, "violation", sparql))
    member = PREFIXES["rdf"] + "_"
    for place in range(1, 12):
        sparql = (
            f"SELECT ?thing ?detail WHERE {{ ?thing <{member}{place}> ?one ; <{member}{place + 1}> ?detail "
            f"MINUS {{ ?one <{ONTOLOGY}receivedFrom> ?detail }} }}"
        )
        checks.append(
            Check(f"order-of-chain-{place}", f"narrator {place} of a chain does not receive from the next", "violation", sparql)
        )
    return checks


def check_store(store: Store, shown: int = _SHOWN) -> Iterator[Finding]:
    """The whole graph as a store holds it, by SPARQL; at most ``shown`` findings of each kind."""
    for check in integrity_checks():
        answers = store.query(check.sparql, use_default_graph_as_union=True)
        variables = {variable.value for variable in answers.variables}  # type: ignore[union-attr]
        for row in islice(answers, shown):  # type: ignore[arg-type]
            thing, detail = row["thing"], row["detail"] if "detail" in variables else None
            yield Finding(check.title, check.severity, thing.value, detail.value if detail is not None else "")


_OBJECT = re.compile(rb'(?:<([^>]*)>|"(?:[^"\\]|\\.)*"(?:@([A-Za-z0-9-]+)|\^\^<([^>]*)>)?)\Z')
_DATATYPES = {
    f"{PREFIXES['xsd']}{kind}".encode() for kind in ("integer", "decimal", "hexBinary", "anyURI", "nonNegativeInteger", "date")
}


@cache
def _declared() -> tuple[frozenset[bytes], frozenset[bytes], frozenset[bytes]]:
    """Our properties that lead to things, our properties that have values, and everything of ours that is declared."""
    graph = ontology_graph()
    links = frozenset(str(term).encode() for term in graph.subjects(RDF.type, OWL.ObjectProperty))
    values = frozenset(str(term).encode() for term in graph.subjects(RDF.type, OWL.DatatypeProperty))
    classes = {f"{ONTOLOGY}{name}".encode() for name in event_classes()}
    return links, values, frozenset(str(term).encode() for term in graph.subjects()) | classes


def _dump_files(dumps: Path) -> list[Path]:
    plain = sorted(dumps.glob("*.nq"))
    return plain or [path for path in sorted(dumps.glob("*.nq.zst")) if not path.name.startswith("silsila.")]


def check_lines(dumps: Path, base: str, shown: int = _SHOWN) -> Iterator[Finding]:
    """Every line of the dumps: blank nodes, dangling IRIs, wrong kinds of values, unknown terms, statements in two graphs,
    spans that do not lie on the author's letters."""
    links, values, declared = _declared()
    start, ours = base.encode(), ONTOLOGY.encode()
    subjects: set[bytes] = set()
    pointed: dict[bytes, bytes] = {}
    statements: dict[int, bytes] = {}
    several: set[bytes] = set()
    told: dict[str, int] = {}
    pages = {start, start + b"sparql"}

    def tell(check: str, thing: bytes, detail: bytes = b"") -> Iterator[Finding]:
        told[check] = told.get(check, 0) + 1
        if told[check] <= shown:
            yield Finding(check, "violation", thing.decode("utf-8", "replace"), detail.decode("utf-8", "replace")[:120])

    for path in _dump_files(dumps):
        here: set[bytes] = set()
        with read_packed(path) as lines:
            for line in lines:
                subject, predicate, rest = line.split(b" ", 2)
                value = rest[: rest.rindex(b" <")]
                if subject[:1] != b"<" or value[:2] == b"_:":
                    yield from tell("a blank node", subject, value)
                    continue
                subject, predicate = subject[1:-1], predicate[1:-1]
                here.add(subject)
                if subject in several or subject in subjects:
                    # Only subjects that stand in two files can say one thing twice.
                    several.add(subject)
                match = _OBJECT.match(value)
                if match is None:
                    yield from tell("a value that cannot be read", subject, value)
                    continue
                target, _, datatype = match.groups()
                if predicate.startswith(ours) and predicate not in declared:
                    yield from tell("a property that the ontology does not know", predicate, subject)
                if target is None:
                    if predicate in links:
                        yield from tell("a literal where an IRI belongs", subject, predicate + b" " + value)
                    if datatype is not None and datatype not in _DATATYPES:
                        yield from tell("a datatype that breaks other stores", subject, datatype)
                    continue
                if predicate in values:
                    yield from tell("an IRI where a literal belongs", subject, predicate + b" " + value)
                if target.startswith(ours):
                    if target != ours and target not in declared:
                        yield from tell("a term that the ontology does not know", target, subject)
                elif target.startswith(start):
                    pointed.setdefault(target, subject)
        subjects |= here
    for target, subject in pointed.items():
        if target not in subjects and target not in pages and not target.startswith(start + b"dumps/"):
            yield from tell("an IRI that nothing is said of", target, subject)
    for path in _dump_files(dumps):
        if path.name.startswith("source-"):
            for fault, thing, seen_there in misplaced_spans(path):
                yield from tell(fault, thing.encode(), seen_there.encode())
    for path in _dump_files(dumps) if several else ():
        with read_packed(path) as lines:
            for line in lines:
                if line[1 : line.index(b"> ")] in several:
                    statement = line[: line.rindex(b" <")]
                    seen = statements.setdefault(hash(statement), path.name.encode())
                    if seen != path.name.encode():
                        yield from tell("a statement in two graphs", statement, seen + b" and " + path.name.encode())


def _sample(store: Store, per_kind: int) -> bytes:
    """Some things of every class of every graph, spread over it, with all that is said of them and the classes of what
    they lead to, as N-Triples."""
    kind = NamedNode(PREFIXES["rdf"] + "type")
    chosen: dict[NamedNode, None] = {}
    for graph in store.named_graphs():
        for row in store.query(f"SELECT DISTINCT ?class WHERE {{ GRAPH <{graph.value}> {{ ?thing a ?class }} }}"):  # type: ignore[union-attr]
            found = (quad.subject for quad in store.quads_for_pattern(None, kind, row["class"], graph))
            things = [subject for subject in found if isinstance(subject, NamedNode)]
            chosen.update(dict.fromkeys(things[:: max(1, len(things) // per_kind)][:per_kind]))
    triples: dict[Quad, None] = {}
    neighbours: dict[NamedNode, None] = {}
    for thing in chosen:
        for quad in store.quads_for_pattern(thing, None, None, None):
            triples[Quad(quad.subject, quad.predicate, quad.object, DefaultGraph())] = None
            if isinstance(quad.object, NamedNode):
                neighbours[quad.object] = None
    # A neighbour has its classes in the sample, so that sh:class can be decided; it is not itself judged, as its target
    # class is hidden from the shapes unless it was chosen too.
    for thing in neighbours:
        if thing not in chosen:
            for quad in store.quads_for_pattern(thing, kind, None, None):
                triples[Quad(thing, NamedNode(_NEIGHBOUR), quad.object, DefaultGraph())] = None
    data = serialize((quad.triple for quad in triples), format=RdfFormat.N_TRIPLES)
    assert data is not None
    return data


_NEIGHBOUR = "urn:silsila:class-of-neighbour"


def check_shapes(store: Store, per_kind: int = _SAMPLE) -> Iterator[Finding]:
    """The SHACL shapes on a sample of the store."""
    from pyshacl import validate

    data = Graph().parse(data=_sample(store, per_kind), format="nt")
    judged = set(data.subjects(RDF.type))
    for thing, kind in list(data.subject_objects(URIRef(_NEIGHBOUR))):
        data.remove((thing, URIRef(_NEIGHBOUR), kind))
        data.add((thing, RDF.type, kind))
    shapes = Graph().parse(ontology_folder() / "shapes.ttl", format="turtle")
    _, report, _ = validate(data, shacl_graph=shapes, inference="none", advanced=False, meta_shacl=False)
    assert isinstance(report, Graph)
    shacl = PREFIXES["sh"]
    for result in report.subjects(RDF.type, URIRef(shacl + "ValidationResult")):
        focus = report.value(result, URIRef(shacl + "focusNode"))
        if focus not in judged:
            continue
        messages = sorted(
            report.objects(result, URIRef(shacl + "resultMessage")), key=lambda text: getattr(text, "language", "") == "ar"
        )
        path, value = report.value(result, URIRef(shacl + "resultPath")), report.value(result, URIRef(shacl + "value"))
        what = " ".join(str(part) for part in (path, value) if part is not None)
        yield Finding(f"shape: {messages[0]}", "violation", str(focus), what[:160])


def _base(store: Store) -> str:
    for graph in store.named_graphs():
        found = re.match(r"(.*/)graph/(?:ontology|authority|source/)", graph.value)
        if found:
            return found[1]
    raise ValueError("the store holds no graph of ours: build the folder again")


def check_folder(folder: Path) -> list[Finding]:
    """All that is wrong with a built folder (``kg-data/current``), violations before warnings.

    Raises:
        ValueError: the folder holds no store of ours.
    """
    store = Store.read_only(str(folder / "store"))
    findings = [*check_lines(folder / "dumps", _base(store)), *check_store(store), *check_shapes(store)]
    return sorted(findings, key=lambda finding: finding.severity != "violation")
