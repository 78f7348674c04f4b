"""The service description (SPARQL 1.1): what the service is, its formats, graphs and limits, as RDF."""

import dataclasses
from collections.abc import Iterable

import pyoxigraph as ox

from kg.store.formats import GRAPH_FORMATS, RESULT_FORMATS
from kg.store.limits import LIMITS, Limits

__all__ = ["PREFIXES", "describe_service"]

_SD, _SCHEMA = "http://www.w3.org/ns/sparql-service-description#", "https://schema.org/"
_RDF, _XSD = "http://www.w3.org/1999/02/22-rdf-syntax-ns#", "http://www.w3.org/2001/XMLSchema#"
PREFIXES = {"sd": _SD, "schema": _SCHEMA, "rdf": _RDF, "xsd": _XSD}

_LANGUAGES = ("SPARQL10Query", "SPARQL11Query")


def describe_service(endpoint: str, graphs: Iterable[str], limits: Limits, format: str) -> bytes:
    """The description of the service at ``endpoint`` in a graph format of ``kg.store.formats``.

    >>> text = describe_service("http://localhost/sparql", ["urn:g"], Limits(), "turtle").decode()
    >>> "sd:UnionDefaultGraph" in text and "sd:name <urn:g>" in text
    True
    """
    triples: list[ox.Triple] = []

    def say(subject: str, predicate: str, value: str | ox.Literal) -> None:
        triples.append(
            ox.Triple(ox.NamedNode(subject), ox.NamedNode(predicate), ox.NamedNode(value) if isinstance(value, str) else value)
        )

    service, dataset, default = endpoint, f"{endpoint}#dataset", f"{endpoint}#default-graph"
    say(service, f"{_RDF}type", f"{_SD}Service")
    say(service, f"{_SD}endpoint", endpoint)
    for language in _LANGUAGES:
        say(service, f"{_SD}supportedLanguage", _SD + language)
    say(service, f"{_SD}feature", f"{_SD}UnionDefaultGraph")
    for result in (*RESULT_FORMATS.values(), *GRAPH_FORMATS.values()):
        say(service, f"{_SD}resultFormat", result.writer.iri)
    say(service, f"{_SD}defaultDataset", dataset)
    say(service, f"{_SD}availableGraphs", dataset)
    for field in dataclasses.fields(limits):
        node = f"{endpoint}#limit-{field.name}"
        say(service, f"{_SCHEMA}additionalProperty", node)
        say(node, f"{_RDF}type", f"{_SCHEMA}PropertyValue")
        say(node, f"{_SCHEMA}propertyID", ox.Literal(field.name))
        value = getattr(limits, field.name)
        say(
            node,
            f"{_SCHEMA}value",
            ox.Literal(str(value), datatype=ox.NamedNode(_XSD + ("integer" if isinstance(value, int) else "decimal"))),
        )
        say(node, f"{_SCHEMA}unitText", ox.Literal(LIMITS[field.name].unit, language="en"))
        say(node, f"{_SCHEMA}description", ox.Literal(LIMITS[field.name].bounds, language="en"))
    say(dataset, f"{_RDF}type", f"{_SD}Dataset")
    say(dataset, f"{_RDF}type", f"{_SD}GraphCollection")
    say(dataset, f"{_SD}defaultGraph", default)
    say(default, f"{_RDF}type", f"{_SD}Graph")
    for number, graph in enumerate(graphs, 1):
        node = f"{endpoint}#graph-{number}"
        say(dataset, f"{_SD}namedGraph", node)
        say(node, f"{_RDF}type", f"{_SD}NamedGraph")
        say(node, f"{_SD}name", graph)
        say(node, f"{_SD}graph", f"{node}-content")
        say(f"{node}-content", f"{_RDF}type", f"{_SD}Graph")
    return ox.serialize(triples, format=GRAPH_FORMATS[format].writer, prefixes=PREFIXES) or b""
