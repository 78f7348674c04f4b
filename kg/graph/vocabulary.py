"""The addresses of things: one object makes every IRI from a key, and reads keys back from every spelling of an IRI.

A key is an IRI without its base (``hadith/bukhari/3661``). Ids that users give are NFC, percent-encoded UTF-8, so that an
IRI is ASCII whatever was typed.
"""

import re
import unicodedata
from functools import lru_cache
from urllib.parse import quote, unquote_to_bytes

from kg.graph.terms import ONTOLOGY, PREFIXES, Term
from kg.text import Passage

__all__ = ["GRAPHS", "KINDS", "ONTOLOGY", "PREFIXES", "IriError", "Vocabulary", "segment"]

KINDS = frozenset(
    {
        *("hadith", "passage", "isnad", "mention", "claim", "citation", "report", "naming", "time"),
        *("person", "place", "event", "work", "version", "book", "verse", "sura", "term"),
        *("transmission", "tally", "parallel", "graph", "dataset", "partition", "query", "run"),
    }
)
"""The first segments of keys: what kinds of things have addresses."""

GRAPHS = {
    "ontology": "graph/ontology",
    "authority": "graph/authority",
    "quran": "graph/quran",
    "identity": "graph/identity",
    "links": "graph/links",
    "links-proposed": "graph/links-proposed",
    "parallels": "graph/parallels",
    "statistics": "graph/statistics",
    "provenance": "graph/provenance",
    "description": "graph/description",
}
"""The named graphs that are not a source's; a source's own is ``graph/source/{source}``."""


class IriError(ValueError):
    """An IRI or a base cannot be used: says which, and what to write instead."""


@lru_cache(maxsize=65536)
def segment(value: str) -> str:
    """One part of a key from an id as given: NFC, percent-encoded UTF-8, never empty, never a dot segment.

    >>> segment("3661"), segment("باب ١/٢"), segment("..")
    ('3661', '%D8%A8%D8%A7%D8%A8%20%D9%A1%2F%D9%A2', '%2E%2E')
    """
    if value.isascii() and value.isalnum():
        return value
    written = quote(unicodedata.normalize("NFC", value), safe="", errors="replace")
    if not written.strip("."):
        written = "%2E" * len(written) or "%00"
    return written


class Vocabulary:
    """All IRIs of one data set, from keys and back.

    Args:
        base: absolute ``http`` or ``https`` IRI that ends in a slash; everything of ours stands under it.

    >>> words = Vocabulary("https://example.org/")
    >>> words.iri("person/abu-bakr")
    'https://example.org/person/abu-bakr'
    >>> words.key("https://example.org/hadith/x/%d8%a8%d8%a7%d8%a8") == words.key("https://example.org/hadith/x/باب")
    True
    >>> words.key("https://example.org/hadith/x/باب")
    'hadith/x/%D8%A8%D8%A7%D8%A8'
    >>> words.key("https://elsewhere.org/person/abu-bakr") is None
    True
    """

    __slots__ = ("_terms", "base")

    def __init__(self, base: str) -> None:
        if not re.fullmatch(r"https?://[^\s<>\"{}|\\^`?#]+", base):
            raise IriError(f"{base!r} cannot be the base of IRIs: give an absolute one such as https://example.org/silsila/")
        self.base = base if base.endswith("/") else base + "/"
        self._terms: dict[str, Term] = {}

    def iri(self, key: str) -> str:
        """The IRI of a key."""
        return self.base + key

    def key(self, iri: str, *, strict: bool = False) -> str | None:
        """The key of an IRI, whatever its spelling: percent-encoded or not, NFC or NFD, ``%d8`` or ``%D8``.

        None where the IRI is not ours; with ``strict`` an :class:`IriError` instead.
        """
        if iri.startswith(self.base):
            key = self.normal(iri[len(self.base) :])
            if key is not None:
                return key
        if strict:
            raise IriError(
                f"{iri!r} is not one of our IRIs: they start with {self.base} and a kind, such as {self.base}person/abu-bakr"
            )
        return None

    @staticmethod
    def normal(path: str) -> str | None:
        """The key that a path under the base means, None where no thing can have it. A query or fragment is no part of it."""
        path = re.split(r"[?#]", path, maxsplit=1)[0]
        kind, *rest = path.split("/")
        if kind not in KINDS or not rest or "" in rest:
            return None
        try:
            # Spans, lists of slugs and the like are ASCII and come back as they are.
            return "/".join([kind, *(_read_segment(part) for part in rest)])
        except UnicodeDecodeError:
            return None

    def term(self, key: str) -> Term:
        """The RDF term of a key: absolute in N-Quads, relative to ``@base`` in Turtle."""
        return Term(f"<{self.base}{key}>", f"<{key}>")

    def remembered(self, key: str) -> Term:
        """The same for keys that come back often (persons, concepts): made once."""
        term = self._terms.get(key)
        if term is None:
            term = self._terms[key] = Term(f"<{self.base}{key}>", f"<{key}>")
        return term

    # Keys of what is read in a passage. ``tail`` is source and number: ``bukhari/3661``.

    @staticmethod
    def tail(passage: Passage) -> str:
        """Source and number of a passage, as its key and those of all that is in it end."""
        source, colon, number = passage.id.partition(":")
        if not colon:
            source, number = passage.source or "text", passage.id
        return f"{segment(source)}/{segment(number)}"

    @classmethod
    def passage(cls, passage: Passage) -> str:
        """The key of a passage.

        >>> Vocabulary.passage(Passage("bukhari:3661", "…", kind="hadith"))
        'hadith/bukhari/3661'
        """
        return f"{'hadith' if passage.kind == 'hadith' else 'passage'}/{cls.tail(passage)}"

    @staticmethod
    def source_graph(source: str) -> str:
        """The key of the named graph of a source."""
        return f"graph/source/{segment(source)}"

    @staticmethod
    def slug(key: str) -> str:
        """The last part of a key: ``abu-bakr`` of ``person/abu-bakr``."""
        return key.rpartition("/")[2]


def _read_segment(part: str) -> str:
    return segment(unquote_to_bytes(part.encode("utf-8")).decode("utf-8"))
