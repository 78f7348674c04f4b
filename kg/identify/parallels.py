"""One report, many chains: which passages tell the same report, in the same words, in other words, or in part.

One pass over all records. Reports are compared by their words and their chains (``kg.identify.likeness``), gathered into groups
(``kg.identify.grouping``); rows that only point back join the report they stand for. See docs/parallels.md.
"""

import hashlib
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from kg.extract.record import Record
from kg.identify.bundle import Bundle, Strand
from kg.identify.common_links import CommonLinks, common_links
from kg.identify.grouping import grouped
from kg.identify.likeness import Likeness, Report, evidence, same_companion, shared_weight
from kg.identify.neighbours import Neighbours
from kg.identify.pointing import pointed, same_wording
from kg.identify.shingles import Stems
from kg.identify.tellings import Claims, Telling, TellingReader, Wording
from kg.identify.transmission import Transmission, transmissions

__all__ = ["Member", "Pair", "ParallelGroup", "Parallels", "Prepared", "find_parallels", "prepare"]

SAME_WORDING, SAME_REPORT, SHARED_PART = "same-wording", "same-report", "shared-part"
MUTABAA, SHAHID = "mutabaa", "shahid"

_LEAST = 0.28  # of the weight of the shorter report must be shared, or the pair is not looked at: long reports share a seventh by chance
_IN_ORDER = 0.2  # of the words of the shorter report must stand in one order, or the two speak against one another in a group
_UNLIKE = -5.0  # log odds of two that do not
_JOINS = 0.0  # log odds from which a pair may join two groups
_ALIKE = -0.6  # log odds: the mean across two groups from which they join
_FOLLOWING, _WITNESS = 0.6, -0.3  # log odds added there where the Companion is the same, and where he is another
_WORDING = (0.8, 0.75)  # of the longer report: covered, and in the same order
_PART = (0.65, 0.65, 0.55)  # of the shorter report: covered, in the same order; and the shared weight as evidence counts it


class Keys(Protocol):
    """A registry of ids, as ``kg.identify.registry.Registry`` is."""

    @property
    def ids(self) -> MutableMapping[str, str]:
        """What was named before, and its key."""
        ...


@dataclass(frozen=True, slots=True)
class Member:
    """A passage of a group. ``grade`` is its grade to the nearest other passage of the group; ``relation`` is ``mutabaa`` where it goes back to
    the Companion of the group's first passage, ``shahid`` where to another, None for the first itself and where a chain is missing."""

    passage: str
    grade: str
    relation: str | None = None


@dataclass(frozen=True, slots=True)
class ParallelGroup:
    """A report with its tellings in the order of the sources. Those of grade ``shared-part`` only have a part of it, and stand last; they
    may be in other groups too. ``stands_for`` holds the rows that only point back (مثله), each with the report told before that is meant."""

    key: str
    members: tuple[Member, ...]
    stands_for: tuple[tuple[str, str], ...] = ()

    @property
    def passages(self) -> tuple[str, ...]:
        """The ids of the passages that tell the report itself."""
        return tuple(member.passage for member in self.members if member.grade != SHARED_PART)


@dataclass(frozen=True, slots=True)
class Pair:
    """Two passages, their grade, and the logarithm of the odds that they tell one report."""

    first: str
    second: str
    grade: str
    odds: float


class Parallels:
    """The answer: groups, pairs, bundles and common links, and who transmitted from whom."""

    def __init__(
        self,
        tellings: Sequence[Telling],
        nodes: Sequence[str],
        groups: Sequence[ParallelGroup],
        graded: Mapping[tuple[int, int], tuple[str, float]],
    ) -> None:
        self.groups = tuple(groups)
        self._tellings, self._nodes, self._graded = tellings, nodes, graded
        self._numbers = {telling.passage: number for number, telling in enumerate(tellings)}
        self._by_key = {group.key: group for group in groups}
        self._group_of = {passage: group.key for group in groups for passage in group.passages}

    @property
    def pairs(self) -> Iterator[Pair]:
        """The pairs that were found alike, in the order of the sources."""
        for (one, other), (grade, odds) in sorted(self._graded.items()):
            yield Pair(self._tellings[one].passage, self._tellings[other].passage, grade, round(odds, 2))

    def group(self, key: str) -> ParallelGroup:
        """The group of a key.

        Raises:
            KeyError: there is no such group.
        """
        return self._by_key[key]

    def group_of(self, passage: str) -> ParallelGroup | None:
        """The group of the report that a passage tells; None where nobody else tells it."""
        key = self._group_of.get(passage)
        return self._by_key[key] if key else None

    def bundle(self, group: ParallelGroup) -> Bundle:
        """The union of the chains of the passages that tell the report."""
        nodes = self._nodes
        return Bundle(
            Strand(passage, self._tellings[self._numbers[passage]].collection, tuple(nodes[node] for node in path))
            for passage in group.passages
            for path in self._tellings[self._numbers[passage]].paths
        )

    def common_links(self, group: ParallelGroup) -> CommonLinks:
        """Common link, partial common links, single strands, spiders and dives of a group."""
        return common_links(self.bundle(group))

    @cached_property
    def transmissions(self) -> tuple[Transmission, ...]:
        """Teacher to student, with counts over distinct reports (``kg.identify.transmission``)."""
        return tuple(transmissions(self._tellings, self._nodes, self._group_of))


@dataclass(frozen=True, slots=True)
class Prepared:
    """The words of all reports and the neighbours of each, which do not hang on who is who. ``wordings`` are in the order of the passages."""

    stems: Stems
    wordings: Sequence[Wording]
    neighbours: Sequence[Sequence[int]]


def prepare(records: Iterable[Record]) -> Prepared:
    """Read the words of all reports and find their neighbours. A passage met again is passed over."""
    stems = Stems.load()
    reader = TellingReader(stems)
    wordings: list[Wording] = []
    unchained: dict[str, Telling] = {}
    for record in records:
        identifier = record.passage.id
        if identifier not in unchained:
            worded = reader.wording(record)
            wordings.append(worded)
            report = Report(worded.content, worded.weight, (), frozenset(), worded.words)
            unchained[identifier] = Telling(identifier, record.passage.collection, report, (), worded.points_back)
    tellings = list(unchained.values())
    back = pointed(tellings)  # which rows point back hangs on their words; on their chains, to which
    neighbours = Neighbours(stems).of([() if n in back else telling.report.stems for n, telling in enumerate(tellings)])
    return Prepared(stems, wordings, [array("I", found) for _, found in neighbours])


def find_parallels(
    records: Iterable[Record],
    identification: Claims | None = None,
    *,
    registry: Keys | None = None,
    progress: Callable[[int], None] | None = None,
    prepared: "Prepared | None" = None,
) -> Parallels:
    """The parallels among the records, which are read once; only numbers are kept of them. A passage met again is passed over.

    ``prepared`` is what ``prepare`` read from the same records before it was known who is who.

    ``identification`` says who the narrators are; without it a name is taken for a person. ``registry`` keeps the keys of groups from
    build to build; without it a key comes from the group's first passage.

    >>> from kg.text import Passage
    >>> texts = {"a:1": "كنت جالسا عند النبي إذ أقبل أبو بكر آخذا بطرف ثوبه حتى أبدى عن ركبته", "a:2": "خربت خيبر إنا إذا نزلنا بساحة قوم",
    ...          "b:1": "كنت جالسا عند رسول الله إذ أقبل أبو بكر آخذا بطرف ثوبه قد أبدى عن ركبته"}
    >>> found = find_parallels(Record(Passage(id, text)) for id, text in texts.items())
    >>> [(member.passage, member.grade) for member in found.groups[0].members]
    [('a:1', 'same-wording'), ('b:1', 'same-wording')]
    """
    stems, likeness = prepared.stems if prepared is not None else Stems.load(), Likeness.load()
    reader = TellingReader(stems, identification)
    tellings: list[Telling] = []
    passages: set[str] = set()
    for count, record in enumerate(records, 1):
        if record.passage.id not in passages:
            passages.add(record.passage.id)
            tellings.append(reader.read(record, prepared.wordings[len(tellings)] if prepared is not None else None))
        if progress is not None and count % 500 == 0:
            progress(500)
    weights = stems.vocabulary.weights
    back = pointed(tellings)
    graded: dict[tuple[int, int], tuple[str, float]] = {}

    def across(one: int, other: int) -> float:
        seen = evidence(tellings[one].report, tellings[other].report, weights)
        shorter, in_order, same, another = seen[1], seen[3], *seen[5:7]
        if shorter < _LEAST or in_order < _IN_ORDER:
            return _UNLIKE
        return likeness.odds(seen) + _FOLLOWING * same + _WITNESS * another

    if prepared is not None:
        candidates: Iterable[tuple[int, Sequence[int]]] = enumerate(prepared.neighbours)
    else:
        candidates = Neighbours(stems).of([() if n in back else telling.report.stems for n, telling in enumerate(tellings)])
    for number, found in candidates:
        report = tellings[number].report
        for other in found:
            shared = shared_weight(report, tellings[other].report, weights)
            if shared < _LEAST * min(report.weight, tellings[other].report.weight):
                continue
            seen = evidence(report, tellings[other].report, weights, shared)
            worth = likeness.odds(seen)
            grade = _grade(seen, worth)
            if grade is not None:
                graded[other, number] = (grade, worth)
    joining = ((worth, one, other) for (one, other), (grade, worth) in graded.items() if grade != SHARED_PART)
    gathered = grouped(len(tellings), joining, across, joins=_JOINS, alike=_ALIKE)
    return Parallels(tellings, reader.nodes, _groups(tellings, gathered, graded, back, registry), graded)


def _grade(seen: Sequence[float], worth: float) -> str | None:
    """The grade of a pair by its evidence (as ``kg.identify.likeness.EVIDENCE`` names it) and its odds."""
    _, shorter, longer, shorter_order, longer_order, *_, shared = seen
    if worth >= _JOINS:
        return SAME_WORDING if longer >= _WORDING[0] and longer_order >= _WORDING[1] else SAME_REPORT
    if shorter >= _PART[0] and shorter_order >= _PART[1] and shared >= _PART[2]:
        return SHARED_PART
    return None


def _groups(
    tellings: Sequence[Telling],
    gathered: list[list[int]],
    graded: Mapping[tuple[int, int], tuple[str, float]],
    back: Mapping[int, int],
    registry: Keys | None,
) -> list[ParallelGroup]:
    of = {member: number for number, members in enumerate(gathered) for member in members}
    for row, target in back.items():
        if target not in of:
            of[target] = len(gathered)
            gathered.append([target])
        of[row] = of[target]
        gathered[of[target]].append(row)
    worded = {row for row, target in back.items() if same_wording(tellings[row].points_back or "")}
    worded |= {back[row] for row in worded}
    parts: dict[int, set[int]] = {}
    for (one, other), (grade, _) in graded.items():
        first, second = of.get(one), of.get(other)
        if first is not None and first == second:
            if grade == SAME_WORDING:
                worded |= {one, other}
            continue
        for group, member in ((first, other), (second, one)):
            if group is not None:
                parts.setdefault(group, set()).add(member)
    order = sorted(range(len(gathered)), key=lambda number: min(gathered[number]))
    taken: set[str] = set()
    return [
        _group(tellings, sorted(gathered[number]), sorted(parts.get(number, ())), worded, back, registry, taken)
        for number in order
    ]


def _group(
    tellings: Sequence[Telling],
    members: list[int],
    parts: list[int],
    worded: set[int],
    back: Mapping[int, int],
    registry: Keys | None,
    taken: set[str],
) -> ParallelGroup:
    first = tellings[members[0]]

    def member(number: int, grade: str) -> Member:
        telling = tellings[number]
        same = None if telling is first else same_companion(first.report.companions, telling.report.companions)
        return Member(telling.passage, grade, None if same is None else MUTABAA if same else SHAHID)

    told = [member(number, SAME_WORDING if number in worded else SAME_REPORT) for number in members]
    key = _key([tellings[number].passage for number in members], registry, taken)
    stands_for = tuple((tellings[row].passage, tellings[back[row]].passage) for row in members if row in back)
    return ParallelGroup(key, (*told, *(member(number, SHARED_PART) for number in parts)), stands_for)


def _key(passages: Sequence[str], registry: Keys | None, taken: set[str]) -> str:
    """The key of a group: the oldest that one of its passages had and no other group of this build has, or else one from its first passage."""
    named = {passage: f"parallel:{passage}" for passage in passages}
    known = [] if registry is None else [registry.ids[name] for name in named.values() if name in registry.ids]
    fresh = "parallel/" + hashlib.sha256(passages[0].encode()).hexdigest()[:12]
    key = next((key for key in (*known, fresh) if key not in taken), f"{fresh}-{len(taken)}")
    taken.add(key)
    if registry is not None:
        registry.ids.update(dict.fromkeys(named.values(), key))
    return key
