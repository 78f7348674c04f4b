"""Search over the index of an edition: names, texts, verses and places, highlighted in the original spelling."""

import re
import sqlite3
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from markupsafe import Markup, escape

from kg.link.romanisation import is_arabic
from kg.text import Words
from kg.web.search_index import alternatives, bones, folded_name, tokens

__all__ = ["COUNTED", "Found", "Hit", "SearchIndex", "highlight", "snippet"]

PAGE = 20
COUNTED = 2_000
"""Hits that are counted exactly; beyond, the number is a lower bound."""

WHOLE, BEGINS = 8, 5
"""What it counts that a name is the one asked for, or begins with it."""
BONES_WHOLE, BONES_BEGIN = 3, 1
"""The same, of its consonants alone."""
MATCH = 10
"""The most that the words' rarity counts (BM25)."""

_RANKED = f"""
WITH called AS (
  SELECT id, max(CASE WHEN folded = ?1 THEN {WHOLE} WHEN folded > ?1 || ' ' AND folded < ?1 || '!' THEN {BEGINS} ELSE 0 END)
    + max(CASE WHEN folded = ?5 THEN {BONES_WHOLE} WHEN folded > ?5 || ' ' AND folded < ?5 || '!' THEN {BONES_BEGIN} ELSE 0 END) AS name FROM name
  WHERE folded = ?1 OR (folded > ?1 || ' ' AND folded < ?1 || '!') OR folded = ?5 OR (folded > ?5 || ' ' AND folded < ?5 || '!') GROUP BY id)
SELECT thing.key, thing.kind FROM words JOIN thing ON thing.id = words.rowid LEFT JOIN called ON called.id = words.rowid
WHERE words MATCH ?2
ORDER BY iif(called.id IS NULL, min(-bm25(words, 12.0, 1.0, 0.6, 0.0), {MATCH}), {MATCH} + called.name) + thing.boost DESC, thing.id
LIMIT ?3 OFFSET ?4
"""
"""Added up: how the name is the one asked for, else how rare the words are, and how often a thing is met."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A thing that was found: its key, and the heading it stands under."""

    key: str
    kind: str


@dataclass(frozen=True, slots=True)
class Found:
    """One page of hits; ``counts`` by heading, ``total`` of those asked for, ``terms`` the folded words for highlighting."""

    hits: list[Hit]
    counts: dict[str, int]
    total: int
    terms: tuple[tuple[str, ...], ...]


class SearchIndex:
    """An index opened read-only; each thread has a connection of its own."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._local = threading.local()
        self.find = lru_cache(maxsize=1_000)(self._find)

    @property
    def _connection(self) -> sqlite3.Connection:
        connection: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            connection = sqlite3.connect(f"{self.path.resolve().as_uri()}?immutable=1", uri=True, check_same_thread=False)
            self._local.connection = connection
        return connection

    def _find(self, question: str, kind: str | None = None, page: int = 1) -> Found:
        """The things that hold every word of the question (the last word may be unfinished); ``"in quotation marks"`` they stand together."""
        terms = tuple(alternatives(word[0]) for word in tokens(question))
        match = match_expression(question, romanised=True)
        if not match:
            return Found([], {}, 0, ())
        counts = {
            name: number
            for name, number in self._connection.execute(
                "SELECT kind, count(*) FROM (SELECT thing.kind FROM words JOIN thing ON thing.id = words.rowid WHERE words MATCH ? LIMIT ?)"
                " GROUP BY kind",
                (match, COUNTED),
            )
        }
        if kind:
            match = f"({match}) AND kind : {kind}"
        rows = self._connection.execute(_RANKED, (folded_name(question), match, PAGE, (page - 1) * PAGE, _consonants(question)))
        hits = [Hit(key, name) for key, name in rows]
        return Found(hits, counts, counts.get(kind, 0) if kind else sum(counts.values()), terms)

    def keys(self, question: str, most: int) -> list[str]:
        """The keys of the things that hold every word of the question, the best first."""
        match = match_expression(question + " ", romanised=True)
        if not match:
            return []
        return [
            key for key, _ in self._connection.execute(_RANKED, (folded_name(question), match, most, 0, _consonants(question)))
        ]

    def complete(self, question: str, most: int = 8) -> list[str]:
        """Names in the script that is typed in: first those that begin with the question, then those that hold it, each the most
        frequent first."""
        match = match_expression(question)
        if not match:
            return []
        rows = self._connection.execute(
            "SELECT words.rowid FROM words JOIN thing ON thing.id = words.rowid WHERE words MATCH ? AND thing.kind != 'hadith'"
            " ORDER BY thing.weight DESC, words.rowid LIMIT ?",
            (f"names : ({match})", most * 10),
        ).fetchall()
        arabic = bool(re.search(r"[\u0600-\u06ff]", question))
        terms = [alternatives(word[0]) for word in tokens(question)]
        asked = folded_name(question)
        found: dict[str, bool] = {}
        for (identity,) in rows:
            names = self._connection.execute("SELECT shown, folded FROM name WHERE id = ?", (identity,)).fetchall()
            for shown, folded in names:
                if bool(re.search(r"[\u0600-\u06ff]", shown)) == arabic and _holds(shown, terms):
                    found.setdefault(shown, not folded.startswith(asked))
                    break
        return sorted(found, key=lambda name: found[name])[:most]

    def named(self, kind: str, name: str) -> list[str]:
        """The keys of the things of a kind that bear a name, however it is spelt; two at most."""
        folded = folded_name(name)
        rows = self._connection.execute(
            "SELECT DISTINCT thing.key FROM name JOIN thing ON thing.id = name.id WHERE name.folded = ? AND thing.key GLOB ? LIMIT 2",
            (folded, f"{kind.replace('[', '').replace('*', '').replace('?', '')}/*"),
        ).fetchall()
        return [key for (key,) in rows] if folded else []


def _consonants(question: str) -> str:
    """A name in Latin letters as Arabic names are kept by their consonants; nothing for one in Arabic letters."""
    return "" if is_arabic(question) else " ".join(bones(question))


def _holds(name: str, terms: Sequence[tuple[str, ...]]) -> bool:
    forms = [form for word in tokens(name) for form in word]
    return all(any(form.startswith(term) for form in forms for term in alternative) for alternative in terms)


def match_expression(question: str, *, romanised: bool = False) -> str:
    """The question in the language of FTS5. Only folded words go into it, in quotation marks. ``romanised``: words in Latin letters
    are also met by names of which only the Arabic form is known.

    >>> match_expression("أبو بكر")
    '("ابو") AND ("بكر" OR "بكر"*)'
    >>> match_expression('"ما أوذي بعدها"')
    '(exact : "ما اوذي بعدها")'
    >>> match_expression("Sadaqa ", romanised=True)
    '("sadaqa" OR "qqsdk")'
    """
    parts: list[str] = []
    open_end = bool(question) and not question[-1].isspace() and not question.endswith('"')
    pieces = re.findall(r'"([^"]*)"|([^"]+)', question)
    for place, (phrase, loose) in enumerate(pieces):
        if phrase.strip():
            words = [word[0] for word in tokens(phrase)]
            if words:
                parts.append('(exact : "{}")'.format(" ".join(words)))
        words = [word[0] for word in tokens(loose)]
        met = dict(zip(words, bones(loose), strict=True)) if romanised and not is_arabic(loose) else {}
        for position, word in enumerate(words):
            unfinished = open_end and place == len(pieces) - 1 and position == len(words) - 1
            if unfinished and len(word) == 1 and parts:
                continue  # one letter of the next word says nothing yet
            forms = [f'"{form}"' for form in alternatives(word)]
            if len(met.get(word, "")) > 2:
                forms.append(f'"{met[word]}"')
            if unfinished:
                forms.append(f'"{word}"*')
            parts.append(f"({' OR '.join(forms)})")
    return " AND ".join(parts)


def _spans(text: str, terms: Sequence[tuple[str, ...]]) -> list[tuple[int, int]]:
    """Where words of a question stand in a text as it was written."""
    wanted = {form for alternative in terms for form in alternative}
    unfinished = terms[-1][0] if terms else ""
    spans: list[tuple[int, int]] = []
    words = Words(text)
    for index, word in enumerate(words.folded):
        forms = [form for token in tokens(word) for form in token]
        if wanted.intersection(forms) or (len(unfinished) > 2 and any(form.startswith(unfinished) for form in forms)):
            spans.append((words.starts[index], words.ends[index]))
    return spans


def highlight(text: str, terms: Sequence[tuple[str, ...]]) -> Markup:
    """A text with the words of the question marked, in its own letters.

    >>> str(highlight("عَنْ أَبِي الدَّرْدَاءِ", (("دردا",),)))
    'عَنْ أَبِي <mark>الدَّرْدَاءِ</mark>'
    """
    parts: list[Markup] = []
    before = 0
    for start, end in _spans(text, terms):
        parts += [escape(text[before:start]), Markup("<mark>{}</mark>").format(text[start:end])]
        before = end
    return Markup("").join([*parts, escape(text[before:])])


def snippet(text: str, terms: Sequence[tuple[str, ...]], letters: int = 220) -> Markup:
    """The stretch of a text that holds most words of the question, marked."""
    flat = " ".join(text.split())
    spans = _spans(flat, terms)
    best, most = 0, -1
    for start, _ in spans:
        inside = len({flat[s:e] for s, e in spans if start <= s and e <= start + letters})
        if inside > most:
            best, most = start, inside
    first = flat.rfind(" ", 0, max(0, best - letters // 4)) + 1 if best > letters // 4 else 0
    last = flat.find(" ", first + letters)
    cut = flat[first:] if last < 0 else flat[first:last]
    return Markup("{}{}{}").format("… " if first else "", highlight(cut, terms), " …" if last >= 0 else "")
