"""The ontology as published: the hand-written part, the classes of events and the transmission terms from their tables."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

from rdflib import BNode, Graph, Literal, URIRef

from kg.graph.passages import LABEL, TYPE
from kg.graph.terms import PREFIXES, Statements, Term, integer, iri, name, text
from kg.graph.vocabulary import ONTOLOGY, Vocabulary
from kg.graph.writer import GraphError, turtle_header, turtle_of
from kg.resources import ontology_folder
from kg.tables import read_tsv

__all__ = ["event_classes", "ontology_graph", "ontology_things", "ontology_turtle", "term_things"]

_TABLES = Path(__file__).parents[1] / "extract" / "tables"
_COMMENT, _SUBCLASS, _DEFINED_BY = name("rdfs:comment"), name("rdfs:subClassOf"), name("rdfs:isDefinedBy")
_SCHEME = "term/all"


@cache
def event_classes() -> dict[str, dict[str, str]]:
    """The classes of events by name, from the table of the events room; empty where the table is absent."""
    path = _TABLES / "event_classes.tsv"
    if not path.is_file():
        return {}
    return {row["class"]: row for _, row in read_tsv(path, required=("class",))}


def _class_things() -> Iterator[tuple[Term, Statements]]:
    for class_name, row in event_classes().items():
        parent = row.get("parent") or row.get("broader") or "Event"
        statements: Statements = [(TYPE, name("owl:Class")), (_SUBCLASS, name(f"sls:{parent}"))]
        statements.append((LABEL, text(row.get("label_ar") or class_name, "ar")))
        statements.append((LABEL, text(row.get("label_en") or class_name, "en")))
        for column, language in (("comment_ar", "ar"), ("comment_en", "en"), ("comment", "en")):
            if row.get(column):
                statements.append((_COMMENT, text(row[column], language)))
        statements.append((_DEFINED_BY, iri(ONTOLOGY.rstrip("#"))))
        yield name(f"sls:{class_name}"), statements


def term_things(words: Vocabulary) -> Iterator[tuple[str, Statements]]:
    """The transmission terms as SKOS concepts; their mode is by whose usage the table says."""
    path = _TABLES / "terms.tsv"
    if not path.is_file():
        return
    yield (
        _SCHEME,
        [
            (TYPE, name("skos:ConceptScheme")),
            (LABEL, text("ألفاظ التحمل والأداء", "ar")),
            (LABEL, text("Transmission terms", "en")),
        ],
    )
    for _, row in read_tsv(path, required=("concept", "mode", "label_ar", "label_en")):
        statements: Statements = [(TYPE, name("skos:Concept")), (TYPE, name("sls:TransmissionTerm"))]
        for prop in (LABEL, name("skos:prefLabel")):
            statements += [(prop, text(row["label_ar"], "ar")), (prop, text(row["label_en"], "en"))]
        statements.append((name("skos:inScheme"), words.remembered(_SCHEME)))
        statements.append((name("sls:mode"), text(row["mode"])))
        if row.get("decides"):
            statements.append((name("sls:modeByUsageOf"), text(row["decides"])))
        if row.get("source"):
            statements.append((name("dcterms:source"), text(row["source"])))
        yield row["concept"] if row["concept"].startswith("term/") else f"term/{row['concept']}", statements


@cache
def ontology_graph() -> Graph:
    """The hand-written ontology as an rdflib graph (small: a thousand statements), read once; not to be changed."""
    graph = Graph()
    graph.parse(ontology_folder() / "silsila.ttl", format="turtle")
    return graph


def _from_rdflib(node: object) -> Term:
    if isinstance(node, URIRef):
        for prefix, namespace in PREFIXES.items():
            if node.startswith(namespace):
                return name(f"{prefix}:{node[len(namespace) :]}")
        return iri(str(node))
    if isinstance(node, Literal):
        if node.datatype is not None and str(node.datatype) == PREFIXES["xsd"] + "integer":
            return integer(int(node))
        return text(str(node), node.language)
    raise GraphError(f"the ontology holds a node without a name ({node!r}): write it with an IRI")


def ontology_things() -> Iterator[tuple[Term, Statements]]:
    """Every term of the ontology: the hand-written file, then the classes of events.

    Raises:
        GraphError: the file holds a blank node.
    """
    graph = ontology_graph()
    written = set()
    for subject in sorted(set(graph.subjects()), key=str):
        if isinstance(subject, BNode):
            raise GraphError("the ontology holds a blank node: give it an IRI")
        pairs = [(_from_rdflib(p), _from_rdflib(o)) for p, o in graph.predicate_objects(subject)]
        term = _from_rdflib(subject)
        written.add(term.nt)
        yield term, sorted(pairs, key=lambda pair: (pair[0] is not TYPE, pair))
    yield from ((term, said) for term, said in _class_things() if term.nt not in written)


def ontology_turtle(base: str) -> str:
    """The whole ontology as one Turtle document, as ``/ontology`` gives it."""
    words = Vocabulary(base)
    parts = [turtle_of(term, said) for term, said in ontology_things()]
    parts += [turtle_of(words.term(key), said) for key, said in term_things(words)]
    body = "".join(parts)
    return turtle_header(words.base, [prefix for prefix in PREFIXES if f"{prefix}:" in body]) + body
