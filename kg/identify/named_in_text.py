"""Whom a bare name outside the chain means where the chain of the same passage names him in full.

قال زهير حدثنا, وفي حديث قتيبة, واللفظ لأبي بكر: the author speaks of the transmitters he has just named. The reader of names
does not know who they are; this is asked once the chain is decided.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import NamedTuple

from kg.extract.record import NarratorMention, PersonMention, Record
from kg.identify.chains import collector_of
from kg.tables import read_tsv
from kg.text import Words, fold

__all__ = ["persons_named"]

_TABLES = Path(__file__).parent / "tables"
_CASES = {"ابي": "ابو", "ابا": "ابو", "ابن": "بن", "ابنه": "بنت", "ابنت": "بنت"}
_WIDTH = 40
"""Letters before and after a name that are looked at."""
_PROPHETS = frozenset(
    "ابراهيم اسماعيل اسحاق اسحق يعقوب يوسف داود سليمان موسي عيسي هارون يحيي زكريا زكرياء يونس نوح ادم صالح شعيب ايوب الياس".split()
)
"""Names under which a story may mean a prophet: a transmitter only beside a word of the table."""


class _Remarks(NamedTuple):
    before: frozenset[str]
    with_li: frozenset[str]
    after: frozenset[str]
    sure_before: frozenset[str]
    sure_with_li: frozenset[str]


@cache
def _remarks() -> _Remarks:
    rows = [row for _, row in read_tsv(_TABLES / "remark_words.tsv", ("word", "place", "sure", "example"))]

    def words(place: str, sure: bool = False) -> frozenset[str]:
        return frozenset(row["word"] for row in rows if row["place"] == place and (not sure or row["sure"] == "yes"))

    return _Remarks(words("before"), words("with-li"), words("after"), words("before", True), words("with-li", True))


def persons_named(record: Record, decided: Mapping[int, str]) -> tuple[PersonMention, ...]:
    """The persons of a record, those among them found that its chains name; ``decided`` is who each narrator is, by its index.

    A name that means nobody yet, and begins a narrator's or stands in his name as kunya, byname or filiation, is that narrator's
    where all narrators so called are one person and a word of ``remark_words.tsv`` stands beside it, or the chain ends with him. A name
    that the Sahihs use of a famous man (أبو بكر) is a narrator's only where the words can be said of transmitters alone. The kunya by which
    a collector calls himself (قال أبو عبد الله) is his where he speaks and no other is known.

    >>> from kg.extract.isnad import IsnadReader
    >>> from kg.text import Passage
    >>> text = "حدثنا أبو بكر بن أبي شيبة عن حاتم بن إسماعيل، قال أبو بكر حدثنا حاتم، عن جعفر"
    >>> passage = Passage("muslim:1", text)
    >>> named = PersonMention(text.index("قال ") + 4, text.index(" حدثنا حاتم"), "أبو بكر", "person/abu-bakr", 0.9)
    >>> record = Record(passage, *IsnadReader().read(Words(text), passage), persons=(named,))
    >>> [person.person for person in persons_named(record, {0: "person/abu-bakr-b-abi-shayba"})]
    ['person/abu-bakr-b-abi-shayba']
    """
    if not record.persons or not decided:
        return record.persons
    chain = [(_name(mention.surface), decided.get(i), not mention.received_from) for i, mention in _named(record)]
    author = collector_of(record)
    narrating = set(decided.values())
    persons = list(record.persons)
    for n, naming in enumerate(persons):
        if naming.kind != "person" or naming.person in narrating:
            continue
        name = _name(naming.surface)
        beside, sure, said = _beside(record.passage.text, naming)
        bearers = {(key, ends) for whole, key, ends in chain if _calls(name, whole)}
        if said and naming.person is None and not bearers and " ".join(name) == author.kunya:
            persons[n] = replace(naming, person=author.key, confidence=0.9, candidates=())
            continue
        keys = {key for key, _ in bearers}
        if len(keys) != 1 or None in keys:
            continue
        key = next(iter(keys))
        if sure or (
            naming.person is None
            and (beside or (any(ends for _, ends in bearers) and name[0] not in _PROPHETS))
            and not any(_fuller(name, other) for other in persons if other is not naming)
        ):
            persons[n] = replace(naming, person=key, confidence=0.9, candidates=())
    return tuple(persons)


def _named(record: Record) -> Iterator[tuple[int, NarratorMention]]:
    for i, mention in enumerate(record.narrators):
        if not mention.anonymous and (mention.kin is None or mention.name):
            yield i, mention


def _name(surface: str) -> tuple[str, ...]:
    """The words of a name in the nominative: أبي بكر and أبا بكر are أبو بكر."""
    return tuple(_CASES.get(word, word) for word in Words(surface).folded)


def _calls(name: tuple[str, ...], whole: tuple[str, ...]) -> bool:
    """Whether a narrator's name may be said so: by its beginning, or by a kunya, byname or filiation within it."""
    if not name:
        return False
    last = name[-1]
    for short in (name, (*name[:-1], last[:-1])) if last.endswith("ا") else (name,):
        if whole[: len(short)] == short:
            return True
        within = short[0] in ("ابو", "بن") or short[0].startswith("ال")
        if within and any(whole[k : k + len(short)] == short for k in range(1, len(whole) - len(short) + 1)):
            return True
    return False


def _fuller(name: tuple[str, ...], other: PersonMention) -> bool:
    """Whether the text itself names somebody in full whom the bare name may mean: سعد بن معاذ … سعد."""
    whole = _name(other.surface)
    return len(whole) > len(name) and whole[: len(name)] == name


def _beside(text: str, naming: PersonMention) -> tuple[bool, bool, bool]:
    """Whether words beside a name are said of transmitters; whether they are said of nobody else; whether the named speaks."""
    remarks = _remarks()
    before = fold(text[max(0, naming.start - _WIDTH) : naming.start]).replace("،", " ").split()
    after = fold(text[naming.end : naming.end + _WIDTH]).replace("،", " ").split()
    last = before[-1] if before else ""
    if last in ("ل", "لا") and not text[naming.start - 1].isspace():
        carrier = before[-2] if len(before) > 1 else ""
        return carrier in remarks.with_li, carrier in remarks.sure_with_li, False
    following = after[0] if after else ""
    if following == "في" and len(after) > 1:
        following = after[1]
    said = last in ("قال", "وقال")
    sure = last in remarks.sure_before or (said and (following in remarks.after or following == "وقال"))
    return last in remarks.before or following in remarks.after, sure, said
