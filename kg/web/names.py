"""The names that pages and documents read by: prefixes, and the predicates that label a thing."""

from functools import cache

from kg.graph.vocabulary import ONTOLOGY, PREFIXES

__all__ = ["CLAIMS", "LABELS", "PREFIXES", "RDFS_LABEL", "RDF_TYPE", "SKOS", "SLS", "expand", "shorten"]

SLS = ONTOLOGY
SKOS = PREFIXES["skos"]
RDF_TYPE = PREFIXES["rdf"] + "type"
RDFS_LABEL = PREFIXES["rdfs"] + "label"
LABELS = (RDFS_LABEL, SKOS + "prefLabel")
CLAIMS = ("claimPerson", "claimMention", "inPassage", "inVersion", "narratedFrom")
"""Predicates that come last among what points at a thing: they are many, and say again what others say."""


@cache
def expand(name: str) -> str:
    """The IRI of a prefixed name; what is an IRI already stays as it is.

    >>> expand("sls:surface")
    'https://w3id.org/silsila/ontology#surface'
    """
    prefix, colon, local = name.partition(":")
    return PREFIXES[prefix] + local if colon and prefix in PREFIXES else name


@cache
def shorten(iri: str) -> str:
    """The prefixed name of an IRI where a prefix is known, else the IRI in angle brackets.

    >>> shorten("http://www.w3.org/2000/01/rdf-schema#label")
    'rdfs:label'
    """
    for prefix, namespace in PREFIXES.items():
        if iri.startswith(namespace) and iri != namespace:
            local = iri[len(namespace) :]
            if local.replace("_", "").replace("-", "").isalnum():
                return f"{prefix}:{local}"
    return f"<{iri}>"
