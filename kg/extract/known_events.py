"""Named events recognised in a passage: by their names, and by cues that only their story has together.

A name (غزوة تبوك, يوم أحد) makes a mention; the cues of ``tables/known_events.toml`` make a telling. Cues are phrases that must
stand near each other, and phrases that must not: the cave of Thawr is not that of Hira.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import ahocorasick

from kg.authority.model import Event
from kg.extract.phrasebook import spellings, with_particles
from kg.tables import TableError, read_toml
from kg.text import Words, fold

__all__ = ["KnownEvents", "Sighting"]

_TABLE = Path(__file__).parent / "tables" / "known_events.toml"
_HEADS = frozenset(
    {
        "غزوه",
        "سريه",
        "بيعه",
        "صلح",
        "فتح",
        "حجه",
        "يوم",
        "عام",
        "ليله",
        "وقعه",
        "عمره",
        "وفد",
        "حديث",
        "خطبه",
        "مقتل",
        "زمن",
        "بدر",
        "ابتداء",
        "حصار",
        "جيش",
    }
    | {"العقبه", "رزيه"}
)
_PER_PHRASE = 64  # hits of one phrase that are looked at; more are of no use


@dataclass(frozen=True, slots=True)
class Sighting:
    """A named event seen in a passage: ``tells`` or ``mentions``, over words ``first`` to ``after - 1``; ``evidence`` are the cues' words."""

    key: str
    status: str
    first: int
    after: int
    evidence: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class _Story:
    key: str
    cues: tuple[tuple[tuple[int, ...], ...], ...]
    without: tuple[int, ...]
    within: int
    parts: frozenset[str]
    inferred: bool
    reach: int


class KnownEvents:
    """The named events of an authority, compiled to one search for all phrases."""

    def __init__(self, events: Mapping[str, Event], table: Path = _TABLE) -> None:
        self.events = events
        self._ids: dict[str, int] = {}
        self._phrases: dict[str, list[int]] = {}
        self._stories: list[_Story] = []
        self._names: dict[int, str] = {}
        lines = [n for n, line in enumerate(table.read_text(encoding="utf-8").splitlines(), 1) if line.strip() == "[[event]]"]
        for line, entry in zip(lines, read_toml(table).get("event", []), strict=True):
            self._stories.append(self._story(table, line, entry))
        self.stories = {story.key: story for story in self._stories}
        self._anchored: dict[int, set[int]] = {}  # stories by the phrases of their first groups
        for n, story in enumerate(self._stories):
            for cue in story.cues:
                for number in cue[0]:
                    self._anchored.setdefault(number, set()).add(n)
        for event in events.values():
            for name in (event.name_ar, *event.surfaces):
                words = fold(name).split()
                if len(words) > 1 and words[0] in _HEADS:
                    self._names.setdefault(self._phrase(name), event.key)
        self._automaton = ahocorasick.Automaton()
        for form, ids in self._phrases.items():
            self._automaton.add_word(f" {form} ", (len(form), tuple(ids)))
        self._automaton.make_automaton()

    def _story(self, table: Path, line: int, entry: dict[str, Any]) -> _Story:
        key = entry.get("key")
        if key not in self.events:
            raise TableError(table, line, f"{key!r} is no event of events.toml: correct the key")
        cues = tuple(tuple(tuple(self._phrase(p) for p in group.split("|")) for group in cue) for cue in entry["cues"])
        without = tuple(self._phrase(p) for p in entry.get("without", ()))
        return _Story(
            str(key),
            cues,
            without,
            int(entry.get("within", 60)),
            frozenset(entry.get("parts", ())),
            bool(entry.get("inferred")),
            int(entry.get("reach", entry.get("within", 60))),
        )

    def _phrase(self, phrase: str) -> int:
        known = self._ids.get(fold(phrase))
        if known is not None:
            return known
        number = self._ids[fold(phrase)] = len(self._ids)
        for words in spellings(phrase):
            for first, _ in with_particles(words[0]):
                self._phrases.setdefault(" ".join((first, *words[1:])), []).append(number)
        return number

    def find(self, words: Words) -> tuple[Sighting, ...]:
        """The named events of a text, those told first; an event told is not listed as mentioned too."""
        hits = self._hits(words)
        if not hits:
            return ()
        found: list[Sighting] = []
        anchored = sorted({n for number in hits for n in self._anchored.get(number, ())})
        for n in anchored:
            sighting = self._told(self._stories[n], hits)
            if sighting is not None:
                found.append(sighting)
        told = {sighting.key for sighting in found}
        seen: set[str] = set(told)
        for number, key in self._names.items():
            if key in seen or number not in hits:
                continue
            seen.add(key)
            first, after = hits[number][0]
            found.append(Sighting(key, "mentions", first, after, ((first, after),)))
        return tuple(found)

    def _hits(self, words: Words) -> dict[int, list[tuple[int, int]]]:
        hits: dict[int, list[tuple[int, int]]] = {}
        joined = words.joined
        starts: list[int] | None = None
        for end, (length, ids) in self._automaton.iter(f" {joined} "):
            if starts is None:
                starts = []
                position = 0
                for word in words.folded:
                    starts.append(position)
                    position += len(word) + 1
            start = end - 1 - length  # in joined: one space stands before
            first = bisect_left(starts, start)
            after = bisect_right(starts, start + length - 1)
            for number in ids:
                spans = hits.setdefault(number, [])
                if len(spans) < _PER_PHRASE:
                    spans.append((first, after))
        return hits

    @staticmethod
    def _told(story: _Story, hits: Mapping[int, Sequence[tuple[int, int]]]) -> Sighting | None:
        for cue in story.cues:
            if not all(any(number in hits for number in group) for group in cue):
                continue
            groups = [sorted({span for number in group for span in hits.get(number, ())}) for group in cue]
            if not all(groups):
                continue
            for anchor in groups[0]:
                chosen = [anchor]
                for group in groups[1:]:
                    near = [
                        span
                        for span in group
                        if abs(span[0] - anchor[0]) <= story.within and not any(span[0] < c[1] and c[0] < span[1] for c in chosen)
                    ]
                    if not near:
                        break
                    chosen.append(min(near, key=lambda span: abs(span[0] - anchor[0])))
                if len(chosen) < len(groups):
                    continue
                if any(abs(span[0] - anchor[0]) <= story.within for number in story.without for span in hits.get(number, ())):
                    continue
                first, after = min(span[0] for span in chosen), max(span[1] for span in chosen)
                return Sighting(story.key, "tells", first, after, tuple(chosen))
        return None
