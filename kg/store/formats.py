"""The formats of answers: their names here, the engine's serializers, their media types."""

from dataclasses import dataclass
from typing import Any

from pyoxigraph import QueryResultsFormat, RdfFormat

__all__ = ["GRAPH_FORMATS", "RESULT_FORMATS", "Format", "format_named"]


@dataclass(frozen=True, slots=True)
class Format:
    """One format: ``name`` (``json``), ``media_type`` as registered, ``suffix`` of a file, the engine's ``writer``."""

    name: str
    media_type: str
    suffix: str
    writer: Any

    @property
    def content_type(self) -> str:
        """The media type as a Content-Type header; text formats say that they are UTF-8."""
        return f"{self.media_type}; charset=utf-8" if self.media_type.startswith("text/") else self.media_type


_RESULTS = (
    Format("json", "application/sparql-results+json", "srj", QueryResultsFormat.JSON),
    Format("xml", "application/sparql-results+xml", "srx", QueryResultsFormat.XML),
    Format("csv", "text/csv", "csv", QueryResultsFormat.CSV),
    Format("tsv", "text/tab-separated-values", "tsv", QueryResultsFormat.TSV),
)
_GRAPHS = (
    Format("turtle", "text/turtle", "ttl", RdfFormat.TURTLE),
    Format("jsonld", "application/ld+json", "jsonld", RdfFormat.JSON_LD),
    Format("ntriples", "application/n-triples", "nt", RdfFormat.N_TRIPLES),
    Format("rdfxml", "application/rdf+xml", "rdf", RdfFormat.RDF_XML),
    Format("trig", "application/trig", "trig", RdfFormat.TRIG),
    Format("nquads", "application/n-quads", "nq", RdfFormat.N_QUADS),
)

RESULT_FORMATS: dict[str, Format] = {format.name: format for format in _RESULTS}
"""For SELECT and ASK, the one given by default first."""

GRAPH_FORMATS: dict[str, Format] = {format.name: format for format in _GRAPHS}
"""For CONSTRUCT and DESCRIBE, the one given by default first."""


def format_named(name: str) -> Format:
    """The format of a name.

    >>> format_named("turtle").media_type
    'text/turtle'
    """
    return RESULT_FORMATS.get(name) or GRAPH_FORMATS[name]
