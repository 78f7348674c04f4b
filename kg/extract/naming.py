"""Persons, groups, prophets, places and times named in running text, linked to the authority where they can be.

Who a name means is decided in this order: the same name in full earlier in the passage; a name of the table of the
Sahihs' usual bearers; a name that one person of the authority alone bears. Where none decides the mention keeps
its candidates and names nobody.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from kg.authority import Authority
from kg.extract.name_grammar import FILIATION, SERVANT, NameGrammar, NameReading
from kg.extract.name_standing import SPEECH, NameStanding, names_the_prophet
from kg.extract.phrasebook import Phrasebook, spellings, takes_alif
from kg.extract.record import Isnad, NarratorMention, PersonMention, PlaceMention, TimeMention
from kg.extract.times import TimeReader
from kg.tables import read_tsv
from kg.text import Passage, Words, fold

__all__ = ["Namer"]

_TABLES = Path(__file__).parent / "tables"
_PROPHET = "person/muhammad"
_PROPHET_WORDS = ("النبي", "رسول الله", "نبي الله", "الرسول", "رسوله", "نبينا", "نبيكم", "رسول رب العالمين")
_OPEN = frozenset({"ابي", "ابو", "ابا", "ام", "عبد", "عبيد"})
_VOWELS = frozenset("\u064b\u064c\u064d\u064e\u064f\u0650\u0652")
_MARKS = "".join(_VOWELS) + "\u0651"
_BANU = frozenset({"بنو", "بني"})
_STOP_AFTER_BANU = frozenset(
    [
        "الاسلام",
        "فلان",
        "هل",
        "قد",
        "حتي",
        "مثل",
        "كان",
        "هذا",
        "بها",
        "من",
        "في",
        "ان",
        "انه",
        "ما",
        "لا",
        "قال",
        "علي",
        "الي",
        "اخي",
        "اخيه",
        "عمي",
        "عمك",
        "عمه",
        "ادم",
        "اني",
        "لا",
        "له",
    ]
)


class Namer:
    """Finds names; made once from an authority, then asked passage by passage.

    >>> from kg.authority import load
    >>> namer, passage = Namer(load()), Passage("t:1", "فَتَبِعْتُ ابْنَ الْخَطَّابِ إِلَى الْبَقِيعِ")
    >>> persons, places, times = namer.find(Words(passage.text), passage, (), ())
    >>> [(p.surface, p.person) for p in persons], [(p.surface, p.place) for p in places]
    ([('ابْنَ الْخَطَّابِ', 'person/umar-b-al-khattab')], [('الْبَقِيعِ', 'place/al-baqi')])
    """

    def __init__(self, authority: Authority) -> None:
        self.book = Phrasebook()
        known = authority.persons  # a key that the authority does not have is not used
        for phrase in _PROPHET_WORDS:
            self.book.add(phrase, "prophet", _PROPHET)
        for _, row in read_tsv(_TABLES / "groups.tsv", ("key", "name_ar", "surfaces", "ambiguous")):
            for phrase in (row["name_ar"], *filter(None, row["surfaces"].split("|"))):
                self.book.add(phrase, "group", row["key"] if row["key"] in known else None)
        for place in authority.places.values():
            for phrase in (place.name_ar, *place.surfaces):
                self.book.add(phrase, "place", place.key)
        self.book.add("المسجد", "place", None)
        for _, row in read_tsv(_TABLES / "matn_names.tsv", ("surface", "person", "kind")):
            self.book.add(row["surface"], row["kind"], row["person"] if row["person"] in known else None)
        self._add_persons(authority)
        singles, nisbas, sure = _read_names(authority)
        self.accusatives = {f"{word}ا": word for word in sure if takes_alif(word)}
        loose = frozenset(form for form, word in self.accusatives.items() if self.book.get((word,)) is None)
        singles, sure = singles | self.accusatives.keys(), sure | self.accusatives.keys()
        self.grammar = NameGrammar(singles, nisbas, sure)
        self.standing = NameStanding(self.grammar, loose)
        for word in self.grammar.starts:
            self.book.open(word)
        for word in _BANU:
            self.book.open(word)
        self.times = TimeReader(_days(authority))

    def _add_persons(self, authority: Authority) -> None:
        bearers: dict[tuple[str, ...], set[str]] = defaultdict(set)
        for person in authority.persons.values():
            reviewed = not person.key.startswith("person/taqrib-")
            if person.kind == "group" or person.key == _PROPHET:
                continue
            names = {person.name_ar, *person.surfaces} if reviewed else set()
            if person.ism and person.nasab and (reviewed or person.companion):
                names.add(f"{person.ism} {'بنت' if person.sex == 'f' else 'بن'} {person.nasab[0]}")
            for name in names:
                for words in spellings(name):
                    if len(words) == 2 and words[0] in SERVANT and not person.companion:
                        continue  # عبد الرحمن: no story means Ibn Mahdi by it
                    if len(words) > 1:
                        bearers[words].add(person.key)
        self.bearers = bearers
        for words, keys in bearers.items():
            if len(keys) == 1:
                key = next(iter(keys))
                kind = "prophet" if authority.persons[key].kind in ("prophet", "angel") else "person"
                self.book.add(" ".join(words), kind, key)

    def find(
        self, words: Words, passage: Passage, narrators: Sequence[NarratorMention], isnads: Sequence[Isnad]
    ) -> tuple[tuple[PersonMention, ...], tuple[PlaceMention, ...], tuple[TimeMention, ...]]:
        """All names outside the chains and all times, in the order of the text."""
        folded, first = words.folded, self.book.first
        taken = {i for mention in narrators for i in range(words.at(mention.start), words.at(mention.end - 1) + 1)}
        persons: list[PersonMention] = []
        places: list[PlaceMention] = []
        named: dict[str, str] = {}  # the person last named in full, by his single name
        narrating = {words.folded[words.at(mention.start)] for mention in narrators}
        after = 0
        for i, form in enumerate(folded):
            start = first.get(form)
            if start is None or i < after or i in taken:
                continue
            particle, word = start
            entry = self.book.longest(folded, i, word)
            if word in _BANU and (entry is None or len(entry.words) < 2):
                end = self._clan(words, i)
                if end:
                    after = end
                    persons.append(self._person(words, i, end, particle, "group", None, ()))
                    continue
            if word == "ابي" and words.surface(i, i + 1).rstrip("".join(_VOWELS)).endswith("ى"):
                continue  # أبى: he refused
            reading = self.grammar.read(words, i, word) if word in self.grammar.starts else None
            if reading is not None and _ends_in_upon(words, i, reading.after):
                reading = replace(reading, after=reading.after - 1)
            if entry is not None and (reading is None or reading.after - i <= len(entry.words) or entry.kind == "place"):
                length = len(entry.words)
                if length == 1 and not self.standing.stands(words, i, word, reading is not None and entry.kind == "person"):
                    continue
                if entry.kind == "place":
                    after = i + length
                    places.append(self._place(words, i, after, particle, entry.key))
                elif entry.kind in ("person", "prophet", "group"):
                    after = i + length
                    if word in _BANU:  # بني أمية بن زيد, بني تيم الله
                        after = self._clan_end(folded, after)
                    bare = self.accusatives.get(word, word)
                    key = (named.get(bare, entry.key) or None) if length == 1 else entry.key
                    if (
                        entry.kind == "prophet"
                        and length == 1
                        and key != _PROPHET
                        and word in narrating
                        and not self.standing.is_prophet(words, i, word)
                    ):
                        persons.append(self._person(words, i, after, particle, "person", named.get(word) or None, ()))
                        continue
                    persons.append(self._person(words, i, after, particle, entry.kind, key, ()))
                    if length > 1 and key and entry.kind == "person":
                        named[entry.words[0]] = key
                continue
            if reading is None or any(j in taken for j in range(reading.first, reading.after)):
                continue
            servant = word in SERVANT
            if not reading.filiation and not reading.kunya and not servant and not self.standing.stands(words, i, word, True):
                continue
            after = reading.after
            key, candidates = self._resolve(folded, reading, word)
            single = reading.after - i == 1
            if single:
                key = named.get(self.accusatives.get(word, word)) or None
            persons.append(self._person(words, i, after, particle, "person", key, candidates))
            if reading.parts > 1 and reading.filiation and not reading.kunya:
                named[word] = key or ""  # whoever he is, the bare name now means him
        self._prophet_by_name(words, persons, taken)
        times = self.times.find(words)
        named_after = [(time.start, time.end) for time in times if time.event]
        kept = (p for p in places if not any(start <= p.start < end for start, end in named_after))
        return tuple(persons), tuple(kept), times

    def bearer(self, name: str) -> str | None:
        """Whom a name means when nothing else is known: the usual bearer, or the only one of the authority."""
        words = Words(name)
        if not len(words):
            return None
        entry = self.book.longest(words.folded, 0, words.folded[0])
        if entry is not None and entry.kind == "person" and len(entry.words) == len(words):
            return entry.key
        reading = self.grammar.read(words, 0, words.folded[0])
        return self._resolve(words.folded, reading, words.folded[0])[0] if reading is not None else None

    def _resolve(self, folded: list[str], reading: NameReading, word: str) -> tuple[str | None, tuple[tuple[str, float], ...]]:
        """The bearer of a name: of its longest beginning that the authority knows."""
        name = (self.accusatives.get(word, word), *folded[reading.first + 1 : reading.after])
        for length in range(len(name), 1, -1):
            if name[length - 1] in FILIATION or (length < len(name) and name[length - 1] in _OPEN):
                continue  # ابن أبي حاتم is not Ibn Ubayy
            entry = self.book.get(name[:length])
            if entry is not None and entry.kind in ("person", "prophet"):
                if length == len(name) or name[length] not in FILIATION or length > 2:
                    return entry.key, ()
                return None, ((entry.key, 0.5),) if entry.key else ()
            keys = self.bearers.get(name[:length])
            if keys and len(keys) > 1:
                share = round(1 / len(keys), 3)
                return None, tuple((key, share) for key in sorted(keys)[:8])
        return None, ()

    def _clan(self, words: Words, i: int) -> int | None:
        """The word after 'Banu X', 'Banu Abd X', 'Banu X b. Y'."""
        folded = words.folded
        if i + 1 >= len(folded) or folded[i + 1] in _STOP_AFTER_BANU or words.gap(i + 1).strip():
            return None
        surface = words.surface(i, i + 1)
        if surface.rstrip(_MARKS).endswith("ى") or (i and folded[i - 1] == "يا" and (folded[i + 1] not in self.grammar.singles)):
            return None  # بنى: he built
        if "نَي" in surface or "ُنَيّ" in surface or "نِيّ" in surface or folded[i] == "يبني":
            return None
        return self._clan_end(folded, i + (3 if folded[i + 1] in ("عبد", "ام", "ابي") and i + 2 < len(folded) else 2))

    @staticmethod
    def _clan_end(folded: list[str], j: int) -> int:
        """The word after the rest of a clan's name: بن زيد, and what is served (تيم الله, زيد مناة)."""
        if j < len(folded) and folded[j - 1] in ("تيم", "زيد", "عبد") and folded[j] in ("الله", "اللات", "مناه"):
            j += 1
        while j + 1 < len(folded) and folded[j] == "بن":
            j += 2
        return j

    @staticmethod
    def _person(
        words: Words, i: int, after: int, particle: int, kind: str, key: str | None, candidates: tuple[tuple[str, float], ...]
    ) -> PersonMention:
        start = words.inside(i, particle) if particle else words.starts[i]
        end = words.ends[after - 1]
        return PersonMention(start, end, words.text[start:end], key, 0.9 if key else 0.0, candidates, kind)

    @staticmethod
    def _place(words: Words, i: int, after: int, particle: int, key: str | None) -> PlaceMention:
        start = words.inside(i, particle) if particle else words.starts[i]
        end = words.ends[after - 1]
        return PlaceMention(start, end, words.text[start:end], key)

    @staticmethod
    def _prophet_by_name(words: Words, persons: list[PersonMention], taken: set[int]) -> None:
        """Muhammad by his bare name in a story (يا محمد, أن محمدا) is the Prophet."""
        for n, person in enumerate(persons):
            if person.kind == "person" and person.person is None and fold(person.surface) in ("محمد", "محمدا"):
                i = words.at(person.start)
                before = words.folded[i - 1] if i else ""
                if (before not in SPEECH or before == "يا") and names_the_prophet(words, i):
                    persons[n] = PersonMention(person.start, person.end, person.surface, _PROPHET, 0.8, (), "prophet")


def _read_names(authority: Authority) -> tuple[set[str], set[str], set[str]]:
    """Single names and nisbas of the table, and the single names that are sure: bare names of the usual bearers."""
    singles: set[str] = set()
    nisbas: set[str] = set()
    for _, row in read_tsv(_TABLES / "narrator_names.tsv", ("word", "kind")):
        (singles if row["kind"] == "ism" else nisbas).add(row["word"])
    sure = set()
    for _, row in read_tsv(_TABLES / "matn_names.tsv", ("surface", "person")):
        if len(row["surface"].split()) == 1:
            sure.add(fold(row["surface"]))
    for _, row in read_tsv(_TABLES / "given_names.tsv", ("word", "use")):
        (sure if row["use"] == "alone" else singles).add(row["word"])
    written_together = {word for word in singles - sure if word[0] in "ولف" and word[1:] in singles | sure | {"ابي", "عبد"}}
    return (singles - written_together) | sure, nisbas, sure


def _days(authority: Authority) -> dict[tuple[str, ...], str]:
    """After what a day or a year is called: the names of the events that begin with يوم, عام, ليلة, and places of battles."""
    days: dict[tuple[str, ...], str] = {}
    for event in authority.events.values():
        for name in (event.name_ar, *event.surfaces):
            words = tuple(fold(name).split())
            if len(words) > 1 and words[0] in ("يوم", "عام", "ليله", "زمن"):
                days.setdefault(words[1:], event.key)
            if len(words) > 1 and words[0] == "العقبه":
                days.setdefault(words, event.key)
            if len(words) > 1 and words[0] in ("غزوه", "فتح", "وقعه", "صلح", "بيعه", "حجه"):
                if words[0] in ("فتح", "حجه", "بيعه"):
                    days.setdefault(words, event.key)
                if words[0] in ("غزوه", "وقعه", "صلح"):
                    days.setdefault(words[1:], event.key)
    return days


def _ends_in_upon(words: Words, first: int, after: int) -> bool:
    """Whether the last word of a name is the preposition على and not the name: دخلت أنا وأبو صرمة على أبي سعيد."""
    if after - first < 2 or words.folded[after - 1] != "علي" or words.folded[after - 2] in _BEFORE_ALI:
        return False
    return words.surface(after - 1, after).rstrip(_MARKS).endswith("ى") and words.folded[after : after + 1] != ["بن"]


_BEFORE_ALI = frozenset({"بن", "ابن", "ابي", "ابو", "ابا"})
