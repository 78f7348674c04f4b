"""The formats of documents: suffix of the address, media type as sent, and the writer of RDF."""

from dataclasses import dataclass

from pyoxigraph import Literal, NamedNode, RdfFormat, Triple, serialize

from kg.graph.further import xml_characters
from kg.web.names import PREFIXES
from kg.web.negotiation import DOCUMENTS, by_name, choose

__all__ = ["FORMATS", "Format", "asked_format", "write_rdf"]


@dataclass(frozen=True, slots=True)
class Format:
    """A rendering of a description: its name in negotiation, suffix, media type, name for people, and the writer of RDF."""

    name: str
    suffix: str
    media_type: str
    title: str
    rdf: RdfFormat | None = None

    @property
    def content_type(self) -> str:
        return self.media_type + ("; charset=utf-8" if self.media_type.startswith("text/") else "")


FORMATS: dict[str, Format] = {
    f.suffix: f
    for f in (
        Format("html", ".html", "text/html", "HTML"),
        Format("turtle", ".ttl", "text/turtle", "Turtle", RdfFormat.TURTLE),
        Format("jsonld", ".jsonld", "application/ld+json", "JSON-LD", RdfFormat.JSON_LD),
        Format("ntriples", ".nt", "application/n-triples", "N-Triples", RdfFormat.N_TRIPLES),
        Format("rdfxml", ".rdf", "application/rdf+xml", "RDF/XML", RdfFormat.RDF_XML),
    )
}
_BY_NAME = {f.name: f for f in FORMATS.values()}


def asked_format(accept: str | None, named: str | None = None) -> Format | None:
    """The format a client prefers: the one ``?format=`` names, else by ``Accept``; None where nothing there is suits it.

    >>> asked_format("text/turtle;q=0.5, application/ld+json").suffix
    '.jsonld'
    >>> asked_format("image/png") is None, asked_format(None, "ttl").suffix
    (True, '.ttl')
    """
    offer = by_name(named, DOCUMENTS) if named else choose(accept, DOCUMENTS)
    return _BY_NAME[offer.name] if offer else None


def write_rdf(triples: list[Triple], form: RdfFormat, base: str | None = None) -> bytes:
    """Triples in a format, the same bytes for the same triples; Turtle with ``base`` and those of our prefixes that it needs."""
    if form is RdfFormat.TURTLE:
        return _turtle(triples, base)
    prefixes = PREFIXES if form is RdfFormat.RDF_XML else None
    data = serialize(triples, format=form, prefixes=prefixes)
    assert data is not None
    return xml_characters(data) if form is RdfFormat.RDF_XML else data


def _turtle(triples: list[Triple], base: str | None) -> bytes:
    namespaces = {iri[: max(iri.rfind("#"), iri.rfind("/")) + 1] for iri in _iris(triples)}
    used = {name: namespace for name, namespace in PREFIXES.items() if namespace in namespaces}
    data = serialize(triples, format=RdfFormat.TURTLE, prefixes=used, base_iri=base)
    assert data is not None
    head = [line for line in data.split(b"\n", len(used) + 1)[: len(used) + 1] if line.startswith((b"@base", b"@prefix"))]
    body = data[sum(len(line) + 1 for line in head) :]
    return b"\n".join(sorted(head)) + b"\n\n" + body


def _iris(triples: list[Triple]) -> set[str]:
    """What may be shortened by a prefix: predicates, things named, types of literals."""
    found = {triple.predicate.value for triple in triples}
    for triple in triples:
        term = triple.object
        if isinstance(term, NamedNode):
            found.add(term.value)
        elif isinstance(term, Literal) and not term.language:
            found.add(term.datatype.value)
    return found
