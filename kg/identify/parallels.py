"""One report, many chains: which passages tell the same report, in the same words, in other words, or in part.

One pass over all records. Reports are compared by their words and their chains (``kg.identify.likeness``), gathered into groups
(``kg.identify.grouping``); rows that only point back join the report they stand for. See docs/parallels.md.
"""

import hashlib
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from kg.extract.record import Record
from kg.identify.alike import Alike, alike
from kg.identify.bundle import Bundle, Strand
from kg.identify.common_links import CommonLinks, common_links
from kg.identify.company import Company
from kg.identify.compared import SAME_REPORT, SAME_WORDING, SHARED_PART, Compared
from kg.identify.grouping import grouped
from kg.identify.likeness import Likeness, Report, in_order, same_companion
from kg.identify.neighbours import Neighbours
from kg.identify.pointing import pointed, same_wording
from kg.identify.shingles import Stems
from kg.identify.tellings import Claims, Telling, TellingReader, Wording

__all__ = ["Member", "Pair", "ParallelGroup", "Parallels", "Prepared", "find_parallels", "prepare"]

MUTABAA, SHAHID = "mutabaa", "shahid"

_JOINS = 0.0  # log odds from which a pair may join two groups
_WORDING = 0.85  # of the words of both in both in the same order: the same wording
_ALIKE = -0.6  # log odds: the mean across two groups from which they join


class Keys(Protocol):
    """A registry of ids, as ``kg.identify.registry.Registry`` is."""

    @property
    def ids(self) -> MutableMapping[str, str]:
        """What was named before, and its key."""
        ...


@dataclass(frozen=True, slots=True)
class Member:
    """A passage of a group, and how it stands to ``beside``: the group's first passage; for a row that only points back, the report it
    stands for; for one that has a part only, the passage that has the rest. The first itself stands beside nobody and has no grade.

    ``relation`` is ``mutabaa`` where it goes back to the Companion of ``beside``, ``shahid`` where to another, None where a chain is missing;
    ``similarity`` the share of the words of content of both that stand in both in the same order, None where one has no words of its own.
    """

    passage: str
    grade: str | None = None
    relation: str | None = None
    beside: str | None = None
    similarity: float | None = None


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
    """The answer: groups, pairs, bundles and common links."""

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


@dataclass(frozen=True, slots=True)
class Prepared:
    """The words of all reports and the neighbours of each, which do not hang on who is who. ``wordings`` are in the order of the passages;
    ``alike`` are the passages that tell one report by their words."""

    stems: Stems
    wordings: Sequence[Wording]
    neighbours: Sequence[Sequence[int]]
    alike: Alike


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
    found = Neighbours(stems).of([() if n in back else telling.report.stems for n, telling in enumerate(tellings)])
    neighbours = [array("I", near) for _, near in found]
    same = alike(list(unchained), wordings, neighbours, back, stems.vocabulary.weights)
    return Prepared(stems, wordings, neighbours, same)


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
    [('a:1', None), ('b:1', 'same-wording')]
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
    back = pointed(tellings)
    graded: dict[tuple[int, int], tuple[str, float]] = {}
    pairs = Compared([telling.report for telling in tellings], stems.vocabulary.weights, likeness)
    if prepared is not None:
        candidates: Iterable[tuple[int, Sequence[int]]] = enumerate(prepared.neighbours)
    else:
        candidates = Neighbours(stems).of([() if n in back else telling.report.stems for n, telling in enumerate(tellings)])
    for number, found in candidates:
        for other in found:
            pairs.compare(other, number)
    company = Company(len(tellings), pairs, pairs.odds, likeness.company)
    for alone, one, other in pairs:
        worth = company.weighed(company.seen(one, other, alone))
        grade = pairs.grade(one, other, worth)
        if grade is not None:
            graded[one, other] = (grade, worth)
    joining = ((worth, one, other) for (one, other), (grade, worth) in graded.items() if grade != SHARED_PART)
    gathered = grouped(len(tellings), joining, company.odds, joins=_JOINS, alike=_ALIKE)
    return Parallels(tellings, reader.nodes, _groups(tellings, gathered, graded, back, registry), graded)


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
    parts: dict[int, dict[int, tuple[float, int]]] = {}
    for (one, other), (_, worth) in graded.items():
        if of.get(one) != of.get(other):
            for whole, part in ((one, other), (other, one)):
                if whole in of:
                    found = parts.setdefault(of[whole], {})
                    found[part] = max(found.get(part, (worth, whole)), (worth, whole))
    order = sorted(range(len(gathered)), key=lambda number: min(gathered[number]))
    taken: set[str] = set()
    return [_group(tellings, sorted(gathered[number]), parts.get(number, {}), back, registry, taken) for number in order]


def _group(
    tellings: Sequence[Telling],
    members: list[int],
    parts: Mapping[int, tuple[float, int]],
    back: Mapping[int, int],
    registry: Keys | None,
    taken: set[str],
) -> ParallelGroup:
    first = members[0]
    told = [Member(tellings[first].passage)] + [
        _member(tellings, number, back.get(number, first), pointing=number in back) for number in members[1:]
    ]
    only = [_member(tellings, number, whole, part=True) for number, (_, whole) in sorted(parts.items())]
    key = _key([tellings[number].passage for number in members], registry, taken)
    stands_for = tuple((tellings[row].passage, tellings[back[row]].passage) for row in members if row in back)
    return ParallelGroup(key, (*told, *only), stands_for)


def _member(tellings: Sequence[Telling], number: int, beside: int, *, pointing: bool = False, part: bool = False) -> Member:
    telling, other = tellings[number], tellings[beside]
    same = same_companion(telling.report.companions, other.report.companions)
    similarity = None if pointing or other.points_back is not None else in_order(telling.report, other.report)
    if part:
        grade = SHARED_PART
    elif pointing:
        grade = SAME_WORDING if same_wording(telling.points_back or "") else SAME_REPORT
    else:
        grade = SAME_WORDING if similarity is not None and similarity >= _WORDING else SAME_REPORT
    return Member(telling.passage, grade, None if same is None else MUTABAA if same else SHAHID, other.passage, similarity)


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
