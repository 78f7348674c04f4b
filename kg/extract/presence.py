"""Presence lists of biographical prose: شهد بدرا وأحدا والخندق …, لم يتخلف … في مشهد, ثبت معه يوم أحد ويوم حنين.

Each event of a list becomes a report of its own: who was present, whose word it is, and whether the author claims consensus.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from kg.authority.model import Event
from kg.extract.phrasebook import spellings
from kg.tables import TableError, read_tsv
from kg.text import Words, fold

__all__ = ["Attendance", "PresenceReader"]

_TABLE = Path(__file__).parent / "tables" / "campaigns.tsv"
_VERBS = frozenset(
    f"{before}{word}"
    for before in ("", "و", "ف")
    for word in ("شهد", "شهدت", "شهدا", "شهدوا", "شهدنا", "حضر", "يشهد", "اشهد", "شهدها")
)
_LEAD = 14  # words between the verb and the first event


_ANYONE = re.compile("(?:و\u064e?)?[أا]\u064e|(?:و\u064e?)?[أا]ح\u064e")
"""The letters of anyone (أَحَد) where they are vowelled: not Uhud."""


@dataclass(frozen=True, slots=True)
class Attendance:
    """An event of a list: its key, its words, and the word of the verb it depends on; ``negated`` where he was not there."""

    key: str
    first: int
    after: int
    verb: int
    negated: bool


class PresenceReader:
    """Reads lists of campaigns after a verb of presence."""

    def __init__(self, events: Mapping[str, Event], table: Path = _TABLE) -> None:
        self.names: dict[tuple[str, ...], str] = {}
        for line, row in read_tsv(table, ("name", "event")):
            if row["event"] not in events:
                raise TableError(table, line, f"{row['event']} is no event of events.toml: correct the key")
            for words in spellings(row["name"]):
                self.names[words] = row["event"]
        for event in events.values():
            for name in (event.name_ar, *event.surfaces):
                parts = fold(name).split()
                if len(parts) > 1 and parts[0] in ("غزوه", "بيعه", "فتح", "حجه", "صلح", "عمره", "يوم", "العقبه", "وقعه"):
                    self.names.setdefault(tuple(parts), event.key)
        self.longest = max(map(len, self.names))
        self.firsts = {words[0] for words in self.names}

    def find(self, words: Words) -> list[Attendance]:
        """All attendances of a text, in its order."""
        folded = words.folded
        found: list[Attendance] = []
        for i, word in enumerate(folded):
            if word in _VERBS:
                negated = folded[i - 1] in ("لم", "ولم", "فلم", "ما") if i else False
                found += self._list(words, i, negated)
        return found

    def _list(self, words: Words, verb: int, negated: bool) -> list[Attendance]:
        folded = words.folded
        found: list[Attendance] = []
        j, idle = verb + 1, 0
        while j < len(folded) and idle < (_LEAD if not found else 2):
            if "." in words.gap(j) and words.gap(j).count(".") and found:
                break
            name = self._name(folded, j, bool(found))
            if name is None:
                if found and folded[j] not in ("ب", "وساير", "وسائر", "ساير", "المشاهد", "بالحديبيه"):
                    break
                idle += 1
                j += 1
                continue
            key, after = name
            if folded[j].removeprefix("و") in ("احد", "احدا") and _ANYONE.match(words.surface(j, j + 1)):
                idle += 1
                j += 1
                continue  # لا يكلمني أَحَد
            if not found and folded[j].removeprefix("و") in ("احد", "احدا") and (folded[j][0] == "و" or j - verb > 6):
                idle += 1
                j += 1
                continue  # إله واحد
            if key not in {attendance.key for attendance in found}:
                found.append(Attendance(key, j, after, verb, negated))
            j, idle = after, 0
        return found

    def _name(self, folded: list[str], j: int, in_list: bool) -> tuple[str, int] | None:
        word = folded[j]
        starts = [word]
        if word.startswith("و"):
            starts.append(word[1:])
        for start in starts:
            if start not in self.firsts:
                continue
            for length in range(min(self.longest, len(folded) - j), 0, -1):
                key = self.names.get((start, *folded[j + 1 : j + length]))
                if key is not None:
                    return key, j + length
        return None
