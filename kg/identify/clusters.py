"""Persons whom the authority does not know: names of chains gathered into persons by the same evidence.

Two names are one person when the one is contained in the other and they stand between the same people; a single name needs a
shared teacher and a shared pupil. Two men of one name stay two: names that stand in far-off generations are not joined.
"""

from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Mapping, Sequence

from kg.identify.names import Name

__all__ = ["Sighting", "gather"]

Sighting = tuple[int, int, int | None, int | None]
"""One mention of an unknown: its order of first appearance, its name's number, its pupil and its teacher by place (None where there is none)."""

_FAR = 3


def gather(
    sightings: Sequence[Sighting],
    names: Sequence[Name],
    depth: Mapping[int, float],
    labels: Sequence[str | None] = (),
    apart: Container[frozenset[str]] = frozenset(),
) -> list[int]:
    """For each sighting the number of the sighting that stands for its person (the first of the group).

    ``depth`` is a rough generation of known persons by place; sightings without any known neighbour go by name alone. ``labels`` are the
    ids that sightings had before; two whose ids stand in ``apart`` (a scholar says that they are two) are never one.
    """
    parent = list(range(len(sightings)))
    ids = {i: {label} for i, label in enumerate(labels) if label is not None}

    def root(i: int) -> int:
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    def join(i: int, j: int) -> bool:
        i, j = sorted((root(i), root(j)))
        if i == j:
            return True
        mine, theirs = ids.get(i, set()), ids.get(j, set())
        if mine and theirs and any(frozenset({one, other}) in apart for one in mine for other in theirs):
            return False
        parent[j] = i
        if theirs:
            ids[i] = mine | theirs
        return True

    by_name: dict[int, list[int]] = defaultdict(list)
    for i, sighting in enumerate(sightings):
        by_name[sighting[1]].append(i)
    for number, places in by_name.items():
        _within_name(places, sightings, names[number], depth, join)
    by_head: dict[tuple[str, str], list[int]] = defaultdict(list)
    for number in by_name:
        name = names[number]
        by_head[name.ism or name.kunya or name.whole, name.nasab[0] if name.nasab else ""].append(number)
    for numbers in by_head.values():
        _across_names(numbers, by_name, sightings, names, join)
    return [root(i) for i in range(len(sightings))]


def _level(sighting: Sighting, depth: Mapping[int, float]) -> float | None:
    _, _, student, teacher = sighting
    levels = []
    if student is not None and student in depth:
        levels.append(depth[student] - 2)
    if teacher is not None and teacher in depth:
        levels.append(depth[teacher] + 2)
    return sum(levels) / len(levels) if levels else None


def _within_name(
    places: list[int], sightings: Sequence[Sighting], name: Name, depth: Mapping[int, float], join: Callable[[int, int], bool]
) -> None:
    """One name: full names are one man unless far apart; a bare name only where it shares a neighbour."""
    if name.bare:
        for side in (2, 3):
            by_neighbour: dict[int, int] = {}
            for i in places:
                neighbour = sightings[i][side]
                if neighbour is None:
                    continue
                if neighbour in by_neighbour:
                    join(by_neighbour[neighbour], i)
                else:
                    by_neighbour[neighbour] = i
        return
    leaders: list[tuple[int, float | None]] = []
    for i in places:
        level = _level(sightings[i], depth)
        for leader, its in leaders:
            if (level is None or its is None or abs(level - its) < _FAR) and join(leader, i):
                break
        else:
            leaders.append((i, level))


def _across_names(
    numbers: Iterable[int],
    by_name: Mapping[int, list[int]],
    sightings: Sequence[Sighting],
    names: Sequence[Name],
    join: Callable[[int, int], bool],
) -> None:
    """Fuller and shorter forms of one name, where they share a pupil or a teacher."""
    neighbours = {number: {sightings[i][side] for i in by_name[number] for side in (2, 3)} - {None} for number in numbers}
    ordered = sorted(neighbours)
    for k, one in enumerate(ordered):
        for other in ordered[k + 1 :]:
            if names[one].bare != names[other].bare or not _agree(names[one], names[other]):
                continue
            shared = neighbours[one] & neighbours[other]
            if shared:
                mine = [i for i in by_name[one] if {sightings[i][2], sightings[i][3]} & shared]
                theirs = [i for i in by_name[other] if {sightings[i][2], sightings[i][3]} & shared]
                if mine and theirs:
                    join(mine[0], theirs[0])


def _agree(one: Name, other: Name) -> bool:
    if one.ism and other.ism and one.ism != other.ism:
        return False
    if any(mine != theirs for mine, theirs in zip(one.nasab, other.nasab, strict=False)):
        return False
    if one.kunya and other.kunya and one.kunya != other.kunya:
        return False
    return not (one.nisba and other.nisba and not set(one.nisba) & set(other.nisba))
