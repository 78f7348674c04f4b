"""Suras and verses of the Quran as things, in the Kufan count."""

from typing import Any

from kg.extract.quran_text import SHOWN
from kg.graph.passages import LABEL, TYPE
from kg.graph.terms import Statements, integer, iri, name, text
from kg.graph.vocabulary import Vocabulary

__all__ = ["sura_statements", "verse_statements"]

_SURA, _VERSE, _IN_SURA = name("sls:Sura"), name("sls:Verse"), name("sls:inSura")
_SURA_NUMBER, _VERSE_NUMBER, _VERSE_COUNT = name("sls:suraNumber"), name("sls:verseNumber"), name("sls:verseCount")
_TEXT, _ALT = name("sls:text"), name("skos:altLabel")
_OF_THE_TEXT: Statements = [(name("dcterms:license"), iri(SHOWN.licence_url)), (name("dcterms:source"), iri(SHOWN.source_url))]


def sura_statements(sura: Any) -> Statements:
    """A sura (``kg.extract.quran_text.Sura``): its names and the number of its verses."""
    statements: Statements = [(TYPE, _SURA), (LABEL, text(sura.name_ar, "ar"))]
    if sura.name_en:
        statements.append((LABEL, text(sura.name_en, "en")))
    if sura.name_latn:
        statements.append((LABEL, text(sura.name_latn, "ar-Latn")))
    statements += [(_ALT, text(surface, "ar")) for surface in sura.surfaces if surface != sura.name_ar]
    return [*statements, (_SURA_NUMBER, integer(sura.number)), (_VERSE_COUNT, integer(sura.verses))]


def verse_statements(words: Vocabulary, verse: Any) -> Statements:
    """A verse (``kg.extract.quran_text.Verse``): its place, its text as shown with source and licence, its reference as label."""
    return [
        (TYPE, _VERSE),
        (LABEL, text(f"{verse.sura}:{verse.number}")),
        (_IN_SURA, words.remembered(f"sura/{verse.sura}")),
        (_VERSE_NUMBER, integer(verse.number)),
        (_TEXT, text(verse.text, "ar")),
        *_OF_THE_TEXT,
    ]
