"""Passages, their numbers and books, and what every thing with a span says of itself."""

from collections.abc import Collection, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from kg.graph.terms import Statements, Term, integer, name, text
from kg.graph.vocabulary import Vocabulary, segment
from kg.tables import read_tsv
from kg.text import Passage

__all__ = ["LONGEST_QUOTATION", "absorbed", "book_key", "books_of", "passage_statements", "quotation", "spanned", "version_key"]

LONGEST_QUOTATION = 15
"""Words of a source that go out where its text may not be republished."""

TYPE, LABEL = name("rdf:type"), name("rdfs:label")
IN_PASSAGE, START, END, SURFACE = name("sls:inPassage"), name("sls:start"), name("sls:end"), name("sls:surface")
_PASSAGE, _HADITH = name("sls:Passage"), name("sls:Hadith")
_TEXT, _QUOTATION, _TRANSLATION = name("sls:text"), name("sls:quotation"), name("sls:translation")
_TRANSLATION_AVAILABLE, _YES = name("sls:translationAvailable"), text("yes")
_IN_VERSION, _IN_BOOK, _ORDER, _OTHER = name("sls:inVersion"), name("sls:inBook"), name("sls:order"), name("sls:otherNumber")
_DEPRECATED, _REPLACED_BY = name("owl:deprecated"), name("dcterms:isReplacedBy")
_UNPLACED = "0"


def quotation(words: str, republishable: bool) -> str:
    """Words as they may go out: all of them, or the first fifteen where the text may not be republished.

    >>> quotation("ا ب ج د ه و ز ح ط ي ك ل م ن س ع ف", republishable=False)
    'ا ب ج د ه و ز ح ط ي ك ل م ن س …'
    """
    if republishable or words.count(" ") + words.count("\n") < LONGEST_QUOTATION:
        return words
    parts = words.split()
    return words if len(parts) <= LONGEST_QUOTATION else " ".join(parts[:LONGEST_QUOTATION]) + " …"


def spanned(kind: Term, passage: Term, start: int, end: int, surface: str, language: str) -> Statements:
    """Type, passage, offsets and the author's letters: what everything read in a passage says first."""
    return [
        (TYPE, kind),
        (IN_PASSAGE, passage),
        (START, integer(start)),
        (END, integer(end)),
        (SURFACE, text(surface, language)),
    ]


def version_key(passage: Passage) -> str:
    """The recension or edition a passage is numbered in."""
    return "version/" + Vocabulary.tail(passage).partition("/")[0]


def book_key(work: str, number: str | int) -> str:
    """A book of a work: ``book/sahih-al-bukhari/62``."""
    return f"book/{Vocabulary.slug(work)}/{segment(str(number))}"


def books_of(passage: Passage, known: Collection[str]) -> list[str]:
    """The keys of the known books of its work in which a passage stands."""
    numbers = [value for scheme, value in passage.locators if scheme == "book" and value != _UNPLACED] if passage.work else []
    return [key for key in (book_key(passage.work or "", number) for number in numbers) if key in known]


@cache
def _locators() -> dict[str, tuple[Term, bool]]:
    table = Path(__file__).parent / "tables" / "locators.tsv"
    rows = read_tsv(table, required=("scheme", "property", "value"))
    return {row["scheme"]: (name(row["property"]), row["value"] == "integer") for _, row in rows}


def _locator(scheme: str, value: str) -> tuple[Term, Term]:
    prop, whole = _locators().get(scheme, (None, False))
    if prop is None:
        return _OTHER, text(f"{scheme} {value}")
    if whole and value.isascii() and value.isdigit():
        return prop, integer(int(value))
    return prop, text(value)


def _labels(passage: Passage, source: Any, titles: tuple[str, str]) -> list[str]:
    """The title with the number; the title alone where a source is one passage whose id is a word of ours (``abu-bakr``).

    A text that has no Arabic title is called by the other, its passage by the paragraph where paragraphs are counted.
    """
    if not titles[0]:
        paragraph = any(scheme == "paragraph-in-file" for scheme, _ in passage.locators)
        return [
            f"{titles[1]}، الفقرة {passage.number}" if paragraph else f"{titles[1]} {passage.number}",
            f"{titles[1]} {passage.number}",
        ]
    alone = tuple(getattr(source, "ids", ())) == (passage.number,) and not any(map(str.isdigit, passage.number))
    return [title if alone else f"{title} {passage.number}" for title in titles]


def absorbed(words: Vocabulary, passage: Passage) -> Iterator[tuple[str, Statements]]:
    """The addresses of the paragraphs that were joined to a passage over a page end: each leads to the passage.

    >>> passage = Passage("a:7", "عن نافع", locators=(("paragraph-in-file", "7"), ("paragraph-in-file", "8")))
    >>> [key for key, _ in absorbed(Vocabulary("https://example.org/"), passage)]
    ['passage/a/8']
    """
    for scheme, number in passage.locators:
        if scheme == "paragraph-in-file" and number != passage.number:
            key = Vocabulary.passage(replace(passage, id=f"{passage.collection}:{number}"))
            yield key, [(_DEPRECATED, text("true")), (_REPLACED_BY, words.remembered(Vocabulary.passage(passage)))]


def passage_statements(
    words: Vocabulary, passage: Passage, order: int | None, source: Any, labels: tuple[str, str], books: set[str]
) -> Statements:
    """What is said of a passage: its place in the work, its numbers by scheme, its text as far as it may go out.

    ``labels`` are the Arabic and the English title of the version it stands in; ``books`` the keys of the books we know.
    """
    kind = _HADITH if passage.kind == "hadith" else _PASSAGE
    statements: Statements = [(TYPE, kind)]
    if kind is _HADITH:
        statements.append((TYPE, _PASSAGE))
    statements += [
        (LABEL, text(label, language)) for label, language in zip(_labels(passage, source, labels), ("ar", "en"), strict=True)
    ]
    statements.append((_IN_VERSION, words.remembered(version_key(passage))))
    if order is not None:
        statements.append((_ORDER, integer(order)))
    statements += [(_IN_BOOK, words.remembered(key)) for key in books_of(passage, books)]
    statements += [_locator(scheme, value) for scheme, value in passage.locators if scheme != "book"]
    republishable = bool(source.republishable)
    if republishable:
        statements.append((_TEXT, text(passage.text, passage.language)))
    else:
        statements.append((_QUOTATION, text(quotation(passage.text, False), passage.language)))
    if passage.translation is not None:
        if republishable and getattr(source, "translation_republishable", False):
            statements.append((_TRANSLATION, text(passage.translation, "en")))
        else:
            statements.append((_TRANSLATION_AVAILABLE, _YES))
    return statements
