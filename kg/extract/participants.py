"""Who takes part in a story: every name and every common noun for a person, by the words it covers."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from pathlib import Path

from kg.extract.record import PersonMention
from kg.tables import read_tsv
from kg.text import Words, fold

__all__ = ["Cast", "Participant", "after_honorific", "before_honorific", "cast_of", "prophet_honoured", "read_nouns"]

_TABLE = Path(__file__).parent / "tables" / "participants.tsv"
_HONORIFIC = frozenset(
    {
        "صلي",
        "عليه",
        "عليها",
        "رضي",
        "رضوان",
        "عنه",
        "عنها",
        "عنهما",
        "عنهم",
        "وسلم",
        "واله",
        "السلام",
        "الله",
        "ﷺ",
        "رحمه",
        "عز",
        "وجل",
    }
    | {"تعالي", "عليهما", "عليهم", "وعلي", "اله"}
)
_HONORIFIC_HEAD = frozenset({"صلي", "رضي", "رضوان", "عليه", "عليها", "عليهما", "ﷺ", "رحمه"})
_MARKS = "\u064b\u064c\u064d\u064e\u064f\u0650\u0651\u0652"
_PRONOUNS = ("ها", "هم", "هن", "هما", "ه", "ي")
_RANSOM = frozenset({"ابي", "بابي", "امي", "وامي"})
_NAME_IS = frozenset({"واسمه", "اسمه", "واسمها", "اسمها", "وكنيته", "كنيته"})  # a gloss, no further person
_PLURAL = re.compile(
    "(ال)?(مشرك|مسلم|مهاجر|كافر|منافق|مومن|قرشي|رجل|امرا|غلام|مصري|قاعد|نصراني|يهودي|ملك|بدري|مكي|شامي)(ون|ين|ان)|(ال)?(رجلان|رجلين|ملكين)"
)
_BEFORE = ("", "و", "ف", "ل", "ب", "ك", "ول", "فل", "وب", "لل")


@dataclass(frozen=True, slots=True)
class Participant:
    """A person as named at words ``first`` to ``after - 1``: key where it is known, ``who`` gender and number (ms, fs, mp …),
    ``before`` the particles written with the name (ل in لأبي بكر), ``case`` nom, acc or gen where the letters or
    vowels tell; ``members`` are those of a pair or series (رسول الله وأبو بكر)."""

    first: int
    after: int
    start: int
    end: int
    key: str | None
    who: str
    before: str = ""
    kind: str = "person"
    surface: str = ""
    case: str = ""
    members: tuple["Participant", ...] = ()

    def same(self, other: "Participant | None") -> bool:
        """Whether two namings are of one person, as far as the keys or the words tell."""
        if other is None or bool(self.members) != bool(other.members):
            return False
        if self.members:
            return all(a.same(b) for a, b in zip(self.members, other.members, strict=False))
        if self.key or other.key:
            return self.key == other.key
        one, two = fold(self.surface).removeprefix("ال"), fold(other.surface).removeprefix("ال")
        return one == two or f"{one} ".startswith(f"{two} ") or f"{two} ".startswith(f"{one} ")


@dataclass(slots=True)
class Cast:
    """The participants of a passage in the order of the text; ``at`` by first word, ``ending`` by last word, ``series``
    the joined ones by the first word of the first, ``series_ending`` by the last word of the last."""

    everyone: list[Participant] = field(default_factory=list)
    at: dict[int, Participant] = field(default_factory=dict)
    ending: dict[int, Participant] = field(default_factory=dict)
    covered: set[int] = field(default_factory=set)
    series: dict[int, Participant] = field(default_factory=dict)
    series_ending: dict[int, Participant] = field(default_factory=dict)
    _firsts: list[int] = field(default_factory=list)

    def add(self, participant: Participant) -> None:
        """A participant, unless the words are another's."""
        if participant.first in self.covered:
            return
        self.everyone.append(participant)
        self.at[participant.first] = participant
        self.ending[participant.after - 1] = participant
        self.covered.update(range(participant.first, participant.after))

    def before(self, i: int) -> Iterator[Participant]:
        """Who was named before word ``i``, the last first."""
        if len(self._firsts) != len(self.everyone):
            self._firsts = [participant.first for participant in self.everyone]
        for n in range(bisect_left(self._firsts, i) - 1, -1, -1):
            if self.everyone[n].after <= i:
                yield self.everyone[n]


def read_nouns(table: Path = _TABLE) -> dict[str, tuple[str, str]]:
    """Common nouns for persons, with the particles written before them: form → (gender and number, particles)."""
    nouns: dict[str, tuple[str, str]] = {}
    for _, row in read_tsv(table, ("word", "who", "kin", "example")):
        word = row["word"]
        for before in _BEFORE:
            form = "لل" + word[2:] if before == "لل" and word.startswith("ال") else before + word
            nouns.setdefault(form, (row["who"], "ل" if before == "لل" else before))
    return nouns


def after_honorific(words: Words, i: int) -> int:
    """The word after an honorific that stands at word ``i``, or ``i``."""
    folded = words.folded
    if i >= len(folded) or folded[i] not in _HONORIFIC_HEAD:
        return i
    j = i
    while j < len(folded) and j - i < 8 and folded[j] in _HONORIFIC:
        j += 1
    return j if j - i >= 2 or folded[i] == "ﷺ" else i


def prophet_honoured(words: Words, i: int) -> Participant | None:
    """The Prophet, where his blessing stands right after word ``i`` that does not name him: معه صلى الله عليه وسلم."""
    folded = words.folded
    if i + 1 >= len(folded) or (folded[i + 1] != "ﷺ" and folded[i + 1 : i + 4] != ["صلي", "الله", "عليه"]):
        return None
    return Participant(i, i + 1, words.starts[i], words.ends[i], "person/muhammad", "ms", "", "prophet", words.surface(i, i + 1))


def before_honorific(words: Words, i: int) -> int:
    """The last word before an honorific that ends at word ``i``, or ``i``."""
    folded = words.folded
    j = i
    while j >= 0 and i - j < 8 and folded[j] in _HONORIFIC:
        j -= 1
    return j if i - j >= 3 or (i >= 0 and folded[i] == "ﷺ") else i


def cast_of(
    words: Words,
    persons: Sequence[PersonMention],
    nouns: Mapping[str, tuple[str, str]],
    women: frozenset[str],
    skipped: Set[int] = frozenset(),
) -> Cast:
    """The participants of a passage; ``women`` are the keys of the women of the authority,
    ``skipped`` the words of the chains, whose names are no part of the story.

    >>> words = Words("فجاء رجل")
    >>> [p.surface for p in cast_of(words, (), read_nouns(), frozenset()).everyone]
    ['رجل']
    """
    cast = Cast()
    found: list[Participant] = []
    taken: set[int] = set()
    for mention in persons:
        first, after = words.at(mention.start), words.at(mention.end - 1) + 1
        before = fold(words.text[words.starts[first] : mention.start]) if mention.start > words.starts[first] else ""
        is_woman = (
            mention.person in women
            or _is_female(words.folded[first])
            or words.folded[first + 1 : first + 2] in (["بنت"], ["ابنه"])
        )
        who = "mp" if mention.kind == "group" else "fs" if is_woman else "ms"
        found.append(
            Participant(
                first,
                after,
                mention.start,
                mention.end,
                mention.person,
                who,
                before,
                mention.kind,
                mention.surface,
                _case(words, first, after),
            )
        )
        taken.update(range(first, after))
    for i, word in enumerate(words.folded):
        noun = nouns.get(word)
        if (
            noun is None
            or i in taken
            or i in skipped
            or (word in _RANSOM and _is_ransom(words, i))
            or (word.endswith("بي") and words.surface(i, i + 1).rstrip(_MARKS).endswith("ى"))
        ):
            continue
        who, before = noun
        start = words.inside(i, len(before)) if before else words.starts[i]
        found.append(
            Participant(
                i,
                i + 1,
                start,
                words.ends[i],
                None,
                who,
                before,
                "noun",
                words.text[start : words.ends[i]],
                _case_before_pronoun(words, i) if word.endswith(_PRONOUNS) and "ال" not in word[:3] else _case(words, i, i + 1),
            )
        )
    found = [participant for participant in found if not (participant.first and words.folded[participant.first - 1] in _NAME_IS)]
    found.sort(key=lambda participant: participant.first)
    for participant in found:
        cast.add(participant)
    _join(words, cast)
    return cast


def _is_ransom(words: Words, i: int) -> bool:
    """بأبي أنت وأمي, فداك أبي: said out of affection, of nobody's parents."""
    folded = words.folded
    following = folded[i + 1] if i + 1 < len(folded) else ""
    earlier = folded[max(0, i - 3) : i]
    return following in ("انت", "هو", "هي", "وامي") or not {"بابي", "فداك", "فداه", "فدي", "فداءك"}.isdisjoint(earlier)


def _join(words: Words, cast: Cast) -> None:
    """Participants joined by wa- stand together as one that has members."""
    used: set[int] = set()
    for participant in list(cast.everyone):
        if participant.first in used:
            continue
        members = [participant]
        j = after_honorific(words, participant.after)
        while j in cast.at and cast.at[j].before == "و" and not any(mark in words.gap(j) for mark in ".،,:"):
            members.append(cast.at[j])
            used.add(j)
            j = after_honorific(words, cast.at[j].after)
        if len(members) > 1:
            first, last = members[0], members[-1]
            who = "md" if len(members) == 2 else "mp"
            cast.series[first.first] = cast.series_ending[last.after - 1] = Participant(
                first.first, last.after, first.start, last.end, None, who, first.before, "series", "", first.case, tuple(members)
            )
    cast.everyone = sorted(
        (*cast.everyone, *cast.series.values()), key=lambda participant: (participant.first, -len(participant.members))
    )


def _case(words: Words, first: int, after: int) -> str:
    """Nominative, accusative or genitive, where abu-, abi-, aba- or the last vowel of the first word tells."""
    word = words.folded[first]
    bare = word.removeprefix("و").removeprefix("ف")
    if word == "ات":
        return "nom"  # فأتاهم آتٍ
    if bare in ("بنو", "بني") and after - first > 1:
        return "nom" if bare == "بنو" else "gen"
    if after - first == 1 and len(word) > 4 and word.endswith(("ون", "ين", "ان")) and _PLURAL.fullmatch(bare):
        return "gen" if word.endswith("ين") else "nom"
    if after - first == 1 and word[-1] == "ا" and len(word) > 3 and (word == "عليا" or not word.endswith("يا")):
        return "acc"
    for form, case in (("ابو", "nom"), ("ابا", "acc"), ("ابي", "gen")):
        if word.endswith(form) and after - first > 1:
            return case
    last = words.surface(first, first + 1).rstrip("\u0651")[-1]
    return {"\u064e": "acc", "\u064b": "acc", "\u064f": "nom", "\u064c": "nom", "\u0650": "gen", "\u064d": "gen"}.get(last, "")


def _case_before_pronoun(words: Words, i: int) -> str:
    """The case of a noun with a pronoun (سَيِّدُهُ), or of one in ta marbuta, where the vowel tells."""
    surface = words.surface(i, i + 1).rstrip("\u200f")
    bare = surface.rstrip(_MARKS)
    if bare.endswith("ة"):
        return _case(words, i, i + 1)
    for pronoun in _PRONOUNS[:-1]:
        if bare.endswith(pronoun):
            before = surface[: surface.rindex(pronoun[0])]
            return {"\u064e": "acc", "\u064f": "nom", "\u0650": "gen"}.get(before[-1:], "")
    return ""


def _is_female(word: str) -> bool:
    return word in ("ام", "وام", "لام", "ابنه", "بنت", "زينب", "سعاد", "هند")
