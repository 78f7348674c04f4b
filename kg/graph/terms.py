"""RDF terms as text: each is made once in its N-Quads and its Turtle spelling, and only joined afterwards.

No RDF library stands on this path: a build writes millions of statements, and joining ready strings is what
keeps it in seconds.
"""

import re
from functools import lru_cache
from typing import NamedTuple

__all__ = ["PREFIXES", "XSD", "Statements", "Term", "Unit", "decimal", "integer", "iri", "name", "text"]

ONTOLOGY = "https://w3id.org/silsila/ontology#"
XSD = "http://www.w3.org/2001/XMLSchema#"

PREFIXES: dict[str, str] = {
    "sls": ONTOLOGY,
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "owl": "http://www.w3.org/2002/07/owl#",
    "xsd": XSD,
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "dcterms": "http://purl.org/dc/terms/",
    "foaf": "http://xmlns.com/foaf/0.1/",
    "schema": "http://schema.org/",
    "crm": "http://www.cidoc-crm.org/cidoc-crm/",
    "prov": "http://www.w3.org/ns/prov#",
    "oa": "http://www.w3.org/ns/oa#",
    "geo": "http://www.w3.org/2003/01/geo/wgs84_pos#",
    "void": "http://rdfs.org/ns/void#",
    "dcat": "http://www.w3.org/ns/dcat#",
    "sd": "http://www.w3.org/ns/sparql-service-description#",
    "sh": "http://www.w3.org/ns/shacl#",
    "spdx": "http://spdx.org/rdf/terms#",
    "vcard": "http://www.w3.org/2006/vcard/ns#",
    "wd": "http://www.wikidata.org/entity/",
    "hadith": "http://www.semantichadith.com/ontology/",
}
"""The prefixes of everything we write. ``hadith:`` is SemanticHadith 2.0."""


class Term(NamedTuple):
    """One RDF term in both spellings."""

    nt: str
    ttl: str


Statements = list[tuple[Term, Term]]
"""What is said of one subject: pairs of predicate and object."""


class Unit(NamedTuple):
    """One subject and all that one graph says of it."""

    subject: Term
    statements: Statements


_LOCAL = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*\Z")
_NEEDS_ESCAPE = re.compile('["\\\\\x00-\x1f\x7f\ud800-\udfff]')
_ESCAPES = {code: f"\\u{code:04X}" for code in [*range(0x20), 0x7F]}
_ESCAPES |= {0x09: "\\t", 0x0A: "\\n", 0x0D: "\\r", 0x08: "\\b", 0x0C: "\\f", 0x22: '\\"', 0x5C: "\\\\"}
# Half a surrogate pair is no character: it is written as U+FFFD, so that offsets stay true.
_ESCAPES |= dict.fromkeys(range(0xD800, 0xE000), "\ufffd")


@lru_cache(maxsize=8192)
def name(curie: str) -> Term:
    """A term of a vocabulary by its prefixed name.

    >>> name("sls:receivedFrom").nt
    '<https://w3id.org/silsila/ontology#receivedFrom>'
    >>> name("rdf:type").ttl
    'a'
    """
    prefix, _, local = curie.partition(":")
    full = f"<{PREFIXES[prefix]}{local}>"
    if curie == "rdf:type":
        return Term(full, "a")
    return Term(full, curie if _LOCAL.match(local) else full)


def iri(value: str) -> Term:
    """A full IRI of somebody else; characters that no IRI may hold are percent-encoded."""
    safe = _NOT_IN_IRI.sub(lambda match: "".join(f"%{byte:02X}" for byte in match[0].encode()), value)
    return Term(f"<{safe}>", f"<{safe}>")


_NOT_IN_IRI = re.compile('[\x00-\x20<>"{}|^`\\\\]')


def escape(value: str) -> str:
    """A string as it stands between the quotes of a literal."""
    return value.translate(_ESCAPES) if _NEEDS_ESCAPE.search(value) else value


def text(value: str, language: str | None = None) -> Term:
    r"""A literal, with its language where it has one.

    >>> text('قال: "نا"', "ar").nt
    '"قال: \\"نا\\""@ar'
    """
    if _NEEDS_ESCAPE.search(value):
        value = value.translate(_ESCAPES)
    written = f'"{value}"@{language}' if language else f'"{value}"'
    return Term(written, written)


@lru_cache(maxsize=65536)
def integer(value: int) -> Term:
    """A whole number (``xsd:integer``)."""
    return Term(f'"{value}"^^<{XSD}integer>', str(value))


@lru_cache(maxsize=8192)
def decimal(value: float, places: int = 3) -> Term:
    """A decimal number, never in exponent form, as other stores read it too.

    >>> decimal(0.98).ttl, decimal(1.0).ttl, decimal(24.470900, 5).ttl
    ('0.98', '1.0', '24.4709')
    """
    written = f"{value:.{places}f}".rstrip("0")
    written += "0" if written.endswith(".") else ""
    return Term(f'"{written}"^^<{XSD}decimal>', written)
