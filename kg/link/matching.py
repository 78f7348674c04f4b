"""Who or what a name may mean: the things of a built graph by the parts of their names, each candidate with what speaks for it.

A person is matched part by part (ism, lineage in order, kunya, nisba or laqab), in Arabic letters or by the skeleton of any
romanisation; how often the texts call a person by exactly this surface, and how often he is met at all, decide among namesakes.
"""

import json
import re
import sqlite3
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from heapq import nlargest
from math import log
from pathlib import Path
from threading import local

from rapidfuzz.fuzz import ratio

from kg.authority.model import Person
from kg.link.name_index import Posting, as_written, fill, words_of
from kg.link.reading import Reading, read_name
from kg.link.romanisation import is_arabic, latin_form, vowels_agree
from kg.link.weighing import Forms, Thing, forms_by_bone, spellings_of, weigh

__all__ = ["Candidate", "Index", "Thing"]

_WEIGHED = 80
"""At most so many candidates of one name are weighed part by part."""
_LOOKED_AT = 2_500
_NOT_USUAL = 0.5
"""What a bare name weighs for others where a reviewed person is usually called so."""
_KNOWN_OTHERWISE = 0.6
_SAME_VOWELS = 0.78
"""Below this a Latin name has the consonants of another one: Amr is not Umar."""
_FROM_CHAINS_ONLY = 0.5
"""What a cluster known from chains weighs beside a person of the tables who bears the same name."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A thing that a name may mean; ``score`` 0 to 1, ``features`` what it was made of."""

    thing: Thing
    score: float
    features: Mapping[str, float | bool] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Row:
    """A thing as the index has it: ``forms`` of a person in Arabic letters, ``words`` of another thing in letters and by skeleton."""

    thing: Thing
    fame: float
    reviewed: bool
    byname: bool
    called: int
    forms: Forms | None = None
    words: tuple[list[dict[str, str]], ...] = ()


class Index:
    """The things of a built graph by their names, read from its ``names.sqlite``; each thread has a connection of its own.

    >>> from kg.authority import load
    >>> persons = {p.key: p for p in load().persons.values() if p.taqrib_no in (6296, 2451)}
    >>> index = Index.of((Thing(p.key, "Person", ((p.name_ar, "ar"),), 1) for p in persons.values()), persons)
    >>> [candidate.thing.key for candidate in index.find("Ibn Šihāb az-Zuhrī")]
    ['person/al-zuhri']
    """

    def __init__(self, path: Path | None = None, connection: sqlite3.Connection | None = None) -> None:
        self._path, self._shared, self._local = path, connection, local()
        self._row = lru_cache(maxsize=20_000)(self._read_row)
        self._forms = lru_cache(maxsize=20_000)(self._forms_in)
        self._posting = lru_cache(maxsize=5_000)(self._read_posting)
        sizes = dict(self._connection.execute("SELECT type = 'Person', count(*) FROM thing GROUP BY 1"))
        self._persons_known, self._others_known = sizes.get(1, 0), sizes.get(0, 0)

    @classmethod
    def of(
        cls, things: Iterable[Thing], persons: Mapping[str, Person], attested: Mapping[str, Mapping[str, int]] | None = None
    ) -> "Index":
        """An index in memory. ``attested`` says how often texts call a person by a surface: ``{surface: {key: count}}``."""
        connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        fill(connection, things, persons, attested or {})
        return cls(connection=connection)

    @property
    def _connection(self) -> sqlite3.Connection:
        if self._shared is not None:
            return self._shared
        connection: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            assert self._path is not None
            connection = sqlite3.connect(f"{self._path.resolve().as_uri()}?immutable=1", uri=True, check_same_thread=False)
            self._local.connection = connection
        return connection

    def _read_row(self, i: int) -> _Row:
        found = self._connection.execute(
            "SELECT key, type, weight, sex, fame, reviewed, byname, called, names, forms FROM thing WHERE id = ?", (i,)
        ).fetchone()
        key, kind, weight, sex, fame, reviewed, byname, called, names, forms = found
        thing = Thing(key, kind, tuple((words, language) for words, language in json.loads(names)), weight, sex)
        read = json.loads(forms)
        if kind == "Person":
            letters = Forms(read[0], tuple((value, arabic) for value, arabic in read[1]), read[2], read[3])
            return _Row(thing, fame, bool(reviewed), bool(byname), called, forms=letters)
        return _Row(thing, fame, bool(reviewed), bool(byname), called, words=tuple(read))

    def _forms_in(self, i: int, space: int) -> Forms:
        """The forms of a person in Arabic letters (0) or by their skeletons (1)."""
        forms = self._row(i).forms
        assert forms is not None
        return forms_by_bone(forms) if space else forms

    def _read_posting(self, what: int, value: str) -> Sequence[int]:
        found = array("I")
        for (ids,) in self._connection.execute("SELECT ids FROM posting WHERE what = ? AND value = ?", (what, value)):
            found.frombytes(ids)
        return found

    def _counts(self, what: int, value: str) -> Counter[int]:
        numbers = iter(self._posting(what, value))
        return Counter(dict(zip(numbers, numbers, strict=True)))

    def __len__(self) -> int:
        return self._persons_known + self._others_known

    def place(self, key: str) -> int:
        """The place of a key in the order of fame; the end where it is not known."""
        found = self._connection.execute("SELECT id FROM thing WHERE key = ?", (key,)).fetchone()
        return int(found[0]) if found else len(self)

    def get(self, key: str) -> Thing | None:
        """The thing of a key."""
        place = self.place(key)
        return self._row(place).thing if place < len(self) else None

    def things(self, kind: str) -> Iterator[Thing]:
        """All things of a type, those most often met first."""
        for (i,) in self._connection.execute("SELECT id FROM thing WHERE type = ? ORDER BY id", (kind,)).fetchall():
            yield self._row(i).thing

    def complete(self, prefix: str, most: int) -> list[Thing]:
        """The things with a name that begins so, those most often met first."""
        typed, found = read_name(prefix).whole, set[int]()
        for whole in {typed, re.sub(r"(^|\s)ال(?=\S{0,2}$)", r"\1", typed)} - {""}:  # an article before a word hardly begun
            for what in (Posting.WHOLE_PERSON, Posting.WHOLE_OTHER):
                for (ids,) in self._connection.execute(
                    "SELECT ids FROM posting WHERE what = ? AND value >= ? AND value < ?", (what, whole, whole + "\U0010ffff")
                ):
                    found.update(array("I", ids))
        return [self._row(i).thing for i in sorted(found)[:most]]

    def find(self, name: str, types: Sequence[str] = (), most: int = _WEIGHED) -> list[Candidate]:
        """The candidates of a name, the likeliest first; ``types`` narrows to kinds of things (``Person``, ``Place`` …)."""
        reading = read_name(name)
        found: dict[int, Candidate] = {}
        if not types or "Person" in types:
            found.update(self._persons(name, reading))
        if not types or set(types) - {"Person"}:
            found.update(self._others(name, types))
        best = nlargest(most, found.items(), key=lambda one: (one[1].score, -one[0]))
        return [candidate for _, candidate in best]

    def _persons(self, name: str, reading: Reading) -> Iterator[tuple[int, Candidate]]:
        space = 0 if reading.arabic else 1
        usual = set(self._posting(Posting.WHOLE_PERSON, reading.whole))
        written = set() if reading.arabic else set(self._posting(Posting.WHOLE_PERSON, as_written(name)))
        attested = self._counts(Posting.ATTESTED, reading.whole)
        called = self._counts(Posting.CALLED, reading.parts[0].value) if len(reading.parts) == 1 else Counter()
        votes: Counter[int] = Counter()
        for part in reading.parts:
            for value in spellings_of(part.value, reading):
                votes.update(self._posting(Posting.PART + space, value)[:_LOOKED_AT])
        likely = {i for i, _ in nlargest(_WEIGHED, votes.items(), key=lambda vote: (vote[1], -vote[0]))}
        pool = likely | usual | written | set(attested)
        by_byname = any(self._row(i).reviewed for i in usual)
        persons = log(2 + self._persons_known)

        def rarity(value: str) -> float:
            return 1 - log(1 + len(self._posting(Posting.PART + space, value))) / persons

        weighed = {i: weigh(reading, self._forms(i, space), self._row(i).thing, rarity) for i in pool}
        if not reading.arabic:  # the skeleton may be another name's
            usual = {i for i in usual if weighed[i][0] >= _SAME_VOWELS} | written
            attested = Counter({i: count for i, count in attested.items() if weighed[i][0] >= _SAME_VOWELS or i in written})
        total = sum(attested.values())
        for i, (coverage, features) in weighed.items():
            if i in usual:
                coverage = 1.0
                features["usualName"] = True
            elif by_byname and len(reading.parts) == 1:
                coverage *= _NOT_USUAL
            elif self._known_otherwise(i, reading):
                coverage *= _KNOWN_OTHERWISE
            if len(reading.parts) == 1 and i not in usual:
                coverage *= _habit(called[i], self._row(i).called)
            if coverage <= 0.25 and i not in attested:
                continue
            certain = min(0.95, 0.5 + 0.22 * (len(reading.parts) - 1))
            thing = self._row(i).thing
            score = coverage**2 * (certain + (1 - certain) * self._row(i).fame)
            if thing.key.startswith("person/c-"):
                score *= _FROM_CHAINS_ONLY
            if len(reading.parts) == 1 and i not in usual and features.get("passedOver"):
                score *= 0.6
            if total:
                weight = 0.75 * total / (total + 1)
                score = score * (1 - weight) + weight * attested[i] / total
                features["attested"] = round(attested[i] / total, 3)
            features["name"] = round(coverage, 3)
            features["narrations"] = thing.weight
            yield i, Candidate(thing, min(score, 1.0), features)

    def _known_otherwise(self, i: int, reading: Reading) -> bool:
        """Whether a bare ism is asked for and an editor says that the person is called otherwise: Abu al-Yaman is not called al-Hakam."""
        return len(reading.parts) == 1 and reading.parts[0].role in ("ism", "nasab") and self._row(i).byname

    def _others(self, name: str, types: Sequence[str]) -> Iterator[tuple[int, Candidate]]:
        space = 0 if is_arabic(name) else 1
        asked = words_of(name)
        usual = set(self._posting(Posting.WHOLE_OTHER, read_name(name).whole)) if space == 0 else set()
        postings = {word: self._posting(Posting.WORD + space, word) for word in asked}
        weights = {word: log(1 + self._others_known / (1 + len(ids))) for word, ids in postings.items()}
        pool = {i for ids in postings.values() for i in ids[:_LOOKED_AT]} | usual
        for i in pool:
            thing = self._row(i).thing
            if types and thing.type not in types:
                continue
            best = 1.0 if i in usual else 0.0
            for words in self._row(i).words[space]:
                agreed = {word: _same_word(written, words[word]) for word, written in asked.items() if word in words}
                shared = sum(weights[word] * agreement for word, agreement in agreed.items())
                lacking = sum(weights[word] * (1 - agreed.get(word, 0.0)) for word in asked) + 0.6 * len(
                    words.keys() - asked.keys()
                )
                best = max(best, shared / (shared + lacking) if shared else 0.0)
            if best > 0.25:
                features: dict[str, float | bool] = {"name": round(best, 3), "narrations": thing.weight}
                if i in usual:
                    features["usualName"] = True
                yield i, Candidate(thing, best * (0.9 + 0.1 * self._row(i).fame), features)


def _habit(so: int, at_all: int) -> float:
    """What a bare name weighs for somebody whom texts call ``at_all`` times, ``so`` many of them by a name with this part.

    Yahya b. Bukayr is al-Makhzumi too, but nobody calls him so; of whom nothing is known nothing is said.
    """
    return 1 - 0.5 * (at_all - so) / (at_all + 10)


def _same_word(one: str, other: str) -> float:
    """How far two words of one skeleton are one word, 0 to 1."""
    if is_arabic(one):
        return 1.0
    if is_arabic(other):
        return vowels_agree(one, other)
    return float(1.0 if latin_form(one) == latin_form(other) else max(0.3, ratio(latin_form(one), latin_form(other)) / 100) ** 2)
