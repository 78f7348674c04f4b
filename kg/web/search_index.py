"""The full-text index of a build: names, texts and verses, folded as readers of Arabic and of its romanisations spell them.

Written once with the build (SQLite FTS5), read by ``kg.web.search``. Folding is done here and not by SQLite: ``tokens`` gives the words of
a text as they are indexed, ``alternatives`` those of a question.
"""

import re
import sqlite3
import unicodedata
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import lru_cache
from math import log1p
from pathlib import Path
from typing import Any, Protocol

from kg.link.romanisation import bare, is_arabic, skeleton
from kg.text import Words
from kg.web.pointing import in_order

__all__ = ["KINDS", "Entry", "alternatives", "latin", "most_met", "read_entries", "stems", "tokens", "write_index"]

SLS = "https://w3id.org/silsila/ontology#"
RDF_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
PREF_LABEL = "http://www.w3.org/2004/02/skos/core#prefLabel"
ALT_LABEL = "http://www.w3.org/2004/02/skos/core#altLabel"
HIDDEN_LABEL = "http://www.w3.org/2004/02/skos/core#hiddenLabel"

KINDS: dict[str, str] = {
    "Person": "person",
    "Event": "event",
    "Place": "place",
    "Work": "work",
    "Book": "work",
    "Sura": "verse",
    "Verse": "verse",
    "TransmissionTerm": "term",
    "Hadith": "hadith",
    "Passage": "hadith",
}
"""What is indexed: classes of the ontology, each under the heading it is found by."""

NAMED_BY = {"person": ("refersTo",), "place": ("refersToPlace", "place")}
"""By what a thing of a kind is met in texts."""

SCHEMA = """
CREATE TABLE thing (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, weight INTEGER NOT NULL,
  boost REAL NOT NULL);
CREATE TABLE name (folded TEXT NOT NULL, id INTEGER NOT NULL, shown TEXT NOT NULL, language TEXT NOT NULL);
CREATE VIRTUAL TABLE words USING fts5(names, exact, loose, kind, content='', tokenize='unicode61 remove_diacritics 0', prefix='2 3');
"""


class Statements(Protocol):
    """What is asked of a store: its quads by pattern (``kg.store.embedded.EmbeddedStore``)."""

    def quads(self, subject: Any = None, predicate: Any = None, object: Any = None, graph: Any = None) -> Iterator[Any]: ...


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing to be found. ``names`` are pairs of words and language, ``parts`` words it is also found by (a kunya);
    ``text`` is what it says; ``weight`` how often it is met."""

    key: str
    kind: str
    names: tuple[tuple[str, str], ...]
    parts: tuple[str, ...] = ()
    text: str = ""
    weight: int = 0


# Words that are one for a reader: cases of kunyas, the two spellings of "son of".
_SAME_WORD = {"ابي": "ابو", "ابا": "ابو", "ابن": "بن", "ابنه": "بنت"}
_CONJUNCTIONS, _PREPOSITIONS = "وف", "بكل"
_LATIN_ARTICLES = frozenset(
    ("al", "el", "ar", "as", "at", "an", "ad", "az", "ash", "ath", "adh", "b", "bin", "ibn", "ben", "bint", "the")
)
_SON_OF = re.compile(r"\s*(?:b\.|(?:ibn|bin|ben)\b)", re.IGNORECASE)
_LATIN_WORD = re.compile(r"[^\W\d_]+|\d+")
_APOSTROPHES = dict.fromkeys(map(ord, "'`’‘ʿʾʻʼ´ʹ"), None)


@lru_cache(maxsize=200_000)
def stems(word: str) -> tuple[str, ...]:
    """A folded Arabic word without what may be attached to it: wa-, fa-, bi-, ka-, li-, and the article; longest first.

    >>> stems("والوليد")
    ('والوليد', 'الوليد', 'وليد')
    >>> stems("بدر")
    ('بدر',)
    """
    found = [word]
    for form in found:
        rest: list[str] = []
        if form is word and form[0] in _CONJUNCTIONS and len(form) >= 3:
            rest.append(form[1:])
        if form.startswith("لل") and len(form) >= 5:
            rest += ["ال" + form[2:], form[2:]]
        elif form[0] in _PREPOSITIONS and len(form) >= 5:
            rest.append(form[1:])
        if form.startswith("ال") and len(form) >= 5:
            rest.append(form[2:])
        found += [form for form in rest if form not in found]
    return tuple(found)


def _arabic(word: str) -> str:
    plain = word.replace("ء", "") or word
    return _SAME_WORD.get(plain, plain)


@lru_cache(maxsize=100_000)
def latin(word: str) -> str:
    """A word in Latin letters as its many romanisations meet: without marks, long vowels and doubled letters.

    >>> [latin(word) for word in ("Aboo", "Abū", "Mohammed", "Muḥammad", "ʿĀʾisha", "Aishah", "Husayn", "Hussein")]
    ['abu', 'abu', 'muhamad', 'muhamad', 'aisha', 'aisha', 'husain', 'husain']
    >>> latin("3661")
    '3661'
    """
    plain = "".join(c for c in unicodedata.normalize("NFKD", word.lower()) if not unicodedata.combining(c)).translate(
        _APOSTROPHES
    )
    for pair, one in (("oo", "u"), ("ou", "u"), ("ee", "i"), ("ei", "ai"), ("o", "u"), ("e", "a"), ("y", "i")):
        plain = plain.replace(pair, one)
    plain = re.sub(r"(\D)\1+", r"\1", plain)
    return plain[:-1] if len(plain) > 3 and plain.endswith("ah") else plain


def tokens(text: str) -> list[tuple[str, ...]]:
    """The words of a text, each with every form under which it is found; the first is the word itself.

    >>> tokens("عَنْ أَبِي الدَّرْدَاءِ")
    [('عن',), ('ابو',), ('الدردا', 'دردا')]
    >>> tokens("Abū al-Dardāʾ")
    [('abu',), ('darda',)]
    """
    found: list[tuple[str, ...]] = []
    if re.search(r"[\u0600-\u06ff\ufb50-\ufdff\ufe70-\ufeff]", text):
        for word in Words(text).folded:
            found.append(stems(_arabic(word))) if not word.isascii() else found.extend(_of_latin(word))
        return found
    return list(_of_latin(text))


def _of_latin(text: str) -> Iterator[tuple[str, ...]]:
    return ((latin(word),) for word in latin_words(text))


def latin_words(text: str) -> Iterator[str]:
    """The words of a text in Latin letters as they are written, without articles and "son of"."""
    plain = text.translate(_APOSTROPHES)
    for match in _LATIN_WORD.finditer(unicodedata.normalize("NFC", plain)):
        word = match[0].lower()
        if word not in _LATIN_ARTICLES:
            yield word


def bones(text: str) -> list[str]:
    """The words of a name in either script by their consonants: what a name without a romanised form is found by.

    >>> bones("صدقة بن يسار"), bones("Ṣadaqa b. Yasār"), bones("Abū al-Dardāʾ") == bones("أبو الدرداء")
    (['qqsdk', 'qqysr'], ['qqsdk', 'qqysr'], True)
    """
    arabic = (word for word in map(_arabic, Words(text).folded) if word not in ("بن", "بنت"))
    words = map(bare, arabic) if is_arabic(text) else latin_words(text)
    return ["qq" + skeleton(word) for word in words]  # no word that is folded begins with a doubled letter


@lru_cache(maxsize=10_000)
def alternatives(word: str) -> tuple[str, ...]:
    """The forms that answer a word of a question: as typed, and without the article or what is attached before it.

    >>> alternatives("الوليد"), alternatives("وليد"), alternatives("بالبقيع")
    (('الوليد', 'وليد'), ('وليد',), ('بالبقيع', 'البقيع', 'بقيع'))
    """
    if re.match(r"[وفبك]?ال.{3}|[وف]?لل.{3}", word):
        return stems(word)
    return (word,)


def read_entries(store: Statements, base: str) -> Iterator[Entry]:
    """Everything to be indexed, read from a store by pattern."""
    seen: set[str] = set()
    for name, kind in KINDS.items():
        subjects = sorted({quad.subject.value for quad in store.quads(None, RDF_TYPE, SLS + name)}, key=in_order)
        for iri in subjects:
            if iri in seen or not iri.startswith(base):
                continue
            seen.add(iri)
            yield _entry(store, iri, iri.removeprefix(base), kind)


def _entry(store: Statements, iri: str, key: str, kind: str) -> Entry:
    names: dict[tuple[str, str], None] = {}
    parts: list[str] = []
    texts: list[str] = []
    weight = 0
    for quad in store.quads(iri):
        predicate, value = quad.predicate.value, quad.object
        if predicate in (LABEL, PREF_LABEL, ALT_LABEL):
            names[value.value, value.language or ""] = None
        elif predicate in (SLS + "text", SLS + "quotation", SLS + "translation"):
            texts.append(value.value)
        elif predicate in (SLS + "shuhra", SLS + "kunya", SLS + "laqab", HIDDEN_LABEL):
            parts.append(value.value)
        elif predicate in (SLS + "passageCount", SLS + "mentionCount"):
            weight = max(weight, int(value.value))
    if kind in NAMED_BY:  # whom texts tell of is named in them more often than in chains
        weight = max(weight, sum(1 for name in NAMED_BY[kind] for _ in store.quads(None, SLS + name, iri)))
    if key.startswith("work/"):
        versions = [quad.subject.value for quad in store.quads(None, SLS + "versionOf", iri)]
        weight = sum(int(quad.object.value) for version in versions for quad in store.quads(version, SLS + "passageCount"))
    return Entry(key, kind, tuple(names), tuple(parts), "\n".join(texts), weight)


def write_index(path: Path, store: Statements, base: str) -> int:
    """Write the index of a store to ``path``; returns the number of things in it. The same store gives the same answers."""
    return write_entries(path, read_entries(store, base))


def write_entries(path: Path, entries: Iterable[Entry]) -> int:
    """Write entries to a new index."""
    path.unlink(missing_ok=True)
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        connection.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN;" + SCHEMA)
        number = 0
        for number, entry in enumerate(entries, 1):
            connection.execute(
                "INSERT INTO thing VALUES (?, ?, ?, ?, ?)",
                (number, entry.key, entry.kind, entry.weight, 0.9 * log1p(entry.weight)),
            )
            names: list[str] = []
            for shown, language in entry.names:
                forms = tokens(shown)
                names += [form for word in forms for form in word]
                connection.execute("INSERT INTO name VALUES (?, ?, ?, ?)", (folded_name(shown), number, shown, language))
            names += [form for part in entry.parts for word in tokens(part) for form in word]
            if entry.kind == "person":
                names += _by_consonants(connection, number, entry)
            words = tokens(entry.text)
            exact = " ".join(word[0] for word in words)
            loose = " ".join(form for word in words for form in word[1:])
            connection.execute(
                "INSERT INTO words (rowid, names, exact, loose, kind) VALUES (?, ?, ?, ?, ?)",
                (number, " ".join(dict.fromkeys(names)), exact, loose, entry.kind),
            )
        connection.execute("CREATE INDEX name_folded ON name (folded)")
        connection.execute("CREATE INDEX name_id ON name (id)")
        connection.execute("INSERT INTO words(words) VALUES ('optimize')")
        connection.execute("COMMIT")
    finally:
        connection.close()
    return number


def most_met(path: Path, kind: str, least: int) -> list[str]:
    """The keys of the things of a kind in an index that are met ``least`` times and more."""
    with closing(sqlite3.connect(path)) as index:
        rows = index.execute("SELECT key FROM thing WHERE kind = ? AND weight >= ? ORDER BY key", (kind, least)).fetchall()
    return [key for (key,) in rows]


def _by_consonants(connection: sqlite3.Connection, number: int, entry: Entry) -> list[str]:
    """Write the Arabic names of a person by their consonants; gives the words that one who has no romanised name is found by."""
    arabic = [(shown, language) for shown, language in entry.names if is_arabic(shown)]
    rows = [(" ".join(bones(shown)), number, shown, language) for shown, language in arabic]
    connection.executemany("INSERT INTO name VALUES (?, ?, ?, ?)", rows)
    if len(arabic) < len(entry.names):
        return []
    return [bone for name in (*(shown for shown, _ in arabic), *entry.parts) for bone in bones(name)]


def folded_name(text: str) -> str:
    """A name as the table ``name`` holds it: "son of" counts where a name begins with it, and nowhere else.

    >>> folded_name("أَبُو الدَّرْدَاءِ") == folded_name("أبي الدرداء")
    True
    >>> folded_name("Ibn Umar"), folded_name("Umar b. al-Khattab"), folded_name("bin Umar")
    ('ibn umar', 'umar khatab', 'ibn umar')
    """
    words = [word[0] for word in tokens(text)]
    return " ".join(["ibn", *words] if _SON_OF.match(text) and words else words)
