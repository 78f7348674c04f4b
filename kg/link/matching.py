"""Who or what a name may mean: the things of a built graph by the parts of their names, each candidate with what speaks for it.

A person is matched part by part (ism, lineage in order, kunya, nisba or laqab), in Arabic letters or by the skeleton of any
romanisation; how often the texts call a person by exactly this surface, and how often he is met at all, decide among namesakes.
"""

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from heapq import nlargest
from math import log, log1p

from rapidfuzz.fuzz import ratio

from kg.link.reading import APOSTROPHES, Reading, read_name
from kg.link.romanisation import bone, is_arabic, latin_form, vowels_agree
from kg.link.weighing import Forms, Thing, forms_by_bone, forms_of, spellings_of, weigh

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


class Index:
    """The things of a built graph by their names.

    ``attested`` says how often texts call a person by a surface: ``{surface: {key: count}}``.

    >>> from kg.authority import load
    >>> persons = [Thing(p.key, "Person", ((p.name_ar, "ar"),), 1, p) for p in load().persons.values() if p.taqrib_no in (6296, 2451)]
    >>> index = Index(persons)
    >>> [candidate.thing.key for candidate in index.find("Ibn Šihāb az-Zuhrī")]
    ['person/al-zuhri']
    """

    def __init__(self, things: Iterable[Thing], attested: Mapping[str, Mapping[str, int]] | None = None) -> None:
        self.things = sorted(things, key=lambda thing: (-thing.weight, thing.key))
        self.place = {thing.key: i for i, thing in enumerate(self.things)}
        most = max((thing.weight for thing in self.things), default=1) or 1
        self._fame = [log1p(thing.weight + _prior(thing)) / log1p(most + 12) for thing in self.things]
        self._forms: dict[int, tuple[Forms, Forms]] = {}
        self._postings: tuple[dict[str, list[int]], dict[str, list[int]]] = (defaultdict(list), defaultdict(list))
        self._wholes: dict[str, list[int]] = defaultdict(list)
        self._words: dict[int, tuple[tuple[dict[str, str], ...], tuple[dict[str, str], ...]]] = {}
        self._word_postings: tuple[dict[str, list[int]], dict[str, list[int]]] = (defaultdict(list), defaultdict(list))
        for i, thing in enumerate(self.things):
            for words in dict.fromkeys((*(words for words, _ in thing.names), *(thing.person.surfaces if thing.person else ()))):
                reading = read_name(words)
                self._wholes[reading.whole].append(i)
                if not reading.arabic:
                    self._wholes[_as_written(words)].append(i)
                if reading.arabic and _reviewed(thing):
                    self._wholes[bone(reading.whole)].append(i)
            if thing.type == "Person":
                self._add_person(i, thing)
            else:
                self._add_other(i, thing)
        self._attested: dict[str, Counter[int]] = defaultdict(Counter)
        for surface, counts in (attested or {}).items():
            whole = read_name(surface).whole
            for key, count in counts.items():
                if key in self.place:
                    self._attested[whole][self.place[key]] += count
                    self._attested[bone(whole)][self.place[key]] += count

    def __len__(self) -> int:
        return len(self.things)

    def get(self, key: str) -> Thing | None:
        """The thing of a key."""
        return self.things[self.place[key]] if key in self.place else None

    def complete(self, prefix: str, most: int) -> list[Thing]:
        """The things with a name that begins so, those most often met first."""
        typed, found = read_name(prefix).whole, set[int]()
        for whole in {typed, re.sub(r"(^|\s)ال(?=\S{0,2}$)", r"\1", typed)} - {""}:  # an article before a word hardly begun
            at = bisect_left(self._sorted, whole)
            while at < len(self._sorted) and self._sorted[at].startswith(whole):
                found.update(self._wholes[self._sorted[at]])
                at += 1
        return [self.things[i] for i in sorted(found)[:most]]

    @cached_property
    def _sorted(self) -> list[str]:
        return sorted(self._wholes)

    def _add_person(self, i: int, thing: Thing) -> None:
        letters = forms_of(thing)
        bones = forms_by_bone(letters)
        self._forms[i] = (letters, bones)
        for forms, postings in zip((letters, bones), self._postings, strict=True):
            for value in {*forms.isms, *(v for v, _ in forms.nasab), *forms.kunyas, *forms.bynames}:
                postings[value].append(i)

    def _add_other(self, i: int, thing: Thing) -> None:
        arabic: list[dict[str, str]] = []
        latin: list[dict[str, str]] = []
        for name, _ in thing.names:
            words = _words_of(name)
            if is_arabic(name):
                arabic.append(words)
                latin.append({bone(word): word for word in words})
            else:
                latin.append(words)
        self._words[i] = (tuple(arabic), tuple(latin))
        for names, postings in zip(self._words[i], self._word_postings, strict=True):
            for word in {word for words in names for word in words}:
                postings[word].append(i)

    def find(self, name: str, types: Sequence[str] = (), most: int = _WEIGHED) -> list[Candidate]:
        """The candidates of a name, the likeliest first; ``types`` narrows to kinds of things (``Person``, ``Place`` …)."""
        reading = read_name(name)
        found: dict[int, Candidate] = {}
        if not types or "Person" in types:
            found.update(self._persons(name, reading))
        if not types or set(types) - {"Person"}:
            found.update(self._others(name, types))
        return nlargest(most, found.values(), key=lambda candidate: (candidate.score, -self.place[candidate.thing.key]))

    def _persons(self, name: str, reading: Reading) -> Iterator[tuple[int, Candidate]]:
        space = 0 if reading.arabic else 1
        usual = {i for i in self._wholes.get(reading.whole, ()) if i in self._forms}
        written = set() if reading.arabic else {i for i in self._wholes.get(_as_written(name), ()) if i in self._forms}
        attested = self._attested.get(reading.whole, Counter())
        votes: Counter[int] = Counter()
        for part in reading.parts:
            for value in spellings_of(part.value, reading):
                votes.update(self._postings[space].get(value, ())[:_LOOKED_AT])
        likely = {i for i, _ in nlargest(_WEIGHED, votes.items(), key=lambda vote: (vote[1], -vote[0]))}
        pool = likely | usual | written | set(attested)
        by_byname = any(_reviewed(self.things[i]) for i in usual)
        postings, persons = self._postings[space], log(2 + len(self._forms))

        def rarity(value: str) -> float:
            return 1 - log(1 + len(postings.get(value, ()))) / persons

        weighed = {i: weigh(reading, self._forms[i][space], self.things[i], rarity) for i in pool}
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
            if coverage <= 0.25 and i not in attested:
                continue
            certain = min(0.95, 0.5 + 0.22 * (len(reading.parts) - 1))
            score = coverage**2 * (certain + (1 - certain) * self._fame[i])
            if self.things[i].person is None and self.things[i].key.startswith("person/c-"):
                score *= _FROM_CHAINS_ONLY
            if len(reading.parts) == 1 and i not in usual and features.get("passedOver"):
                score *= 0.6
            if total:
                weight = 0.75 * total / (total + 1)
                score = score * (1 - weight) + weight * attested[i] / total
                features["attested"] = round(attested[i] / total, 3)
            features["name"] = round(coverage, 3)
            features["narrations"] = self.things[i].weight
            yield i, Candidate(self.things[i], min(score, 1.0), features)

    def _known_otherwise(self, i: int, reading: Reading) -> bool:
        """Whether a bare ism is asked for and an editor says that the person is called otherwise: Abu al-Yaman is not called al-Hakam."""
        person = self.things[i].person
        bare = len(reading.parts) == 1 and reading.parts[0].role in ("ism", "nasab")
        return bare and person is not None and bool(person.name_en and person.surfaces) and _byname_first(person.surfaces[0])

    def _others(self, name: str, types: Sequence[str]) -> Iterator[tuple[int, Candidate]]:
        space = 0 if is_arabic(name) else 1
        asked = _words_of(name)
        whole = read_name(name).whole
        usual = {i for i in self._wholes.get(whole, ()) if i in self._words} if space == 0 else set()
        postings = self._word_postings[space]
        weights = {word: log(1 + len(self._words) / (1 + len(postings.get(word, ())))) for word in asked}
        pool = {i for word in asked for i in postings.get(word, ())[:_LOOKED_AT]} | usual
        for i in pool:
            thing = self.things[i]
            if types and thing.type not in types:
                continue
            best = 1.0 if i in usual else 0.0
            for words in self._words[i][space]:
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
                yield i, Candidate(thing, best * (0.9 + 0.1 * self._fame[i]), features)


def _byname_first(surface: str) -> bool:
    return surface.startswith(("أبو ", "أم ", "ابن ", "ال"))


def _reviewed(thing: Thing) -> bool:
    return thing.person is not None and bool(thing.person.name_en)


def _words_of(name: str) -> dict[str, str]:
    """The words of the name of a place, event or work as they are compared, each with the word as written."""
    reading = read_name(name)
    spelt = dict(reading.spelt)
    return {word: spelt.get(word, word) for part in reading.parts for word in part.value.split()}


def _same_word(one: str, other: str) -> float:
    """How far two words of one skeleton are one word, 0 to 1."""
    if is_arabic(one):
        return 1.0
    if is_arabic(other):
        return vowels_agree(one, other)
    return float(1.0 if latin_form(one) == latin_form(other) else max(0.3, ratio(latin_form(one), latin_form(other)) / 100) ** 2)


def _prior(thing: Thing) -> float:
    """What the sigla of the Taqrib say of how often the books have a person whom the graph has not counted."""
    if thing.person is None:
        return 0.0
    return (6.0 if "ع" in thing.person.books else 0.4 * len(thing.person.books)) + (4.0 if thing.person.name_en else 0.0)


def _as_written(name: str) -> str:
    """A Latin name as a whole, its marks left out; no skeleton has this form."""
    return "=" + latin_form(" ".join(re.findall(r"\w+", name.translate(APOSTROPHES))))
