"""Collation: two and more tellings word by word, what they agree and where they part.

Tellings are aligned one after another with the table made so far (progressive alignment with affine gaps: Gotoh, "An improved algorithm
for matching biological sequences", 1982); then words without a partner that another telling has elsewhere are told apart as moved.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kg.identify.units import Unit, likeness_of_units, units_of
from kg.text import Span

__all__ = ["KINDS", "Collation", "Place", "Reading", "collate"]

KINDS = ("agreed", "changed", "added", "missing", "moved", "counted")
"""How a telling stands to the first at a place. ``counted``: something happened or was said another number of times, or only one of them counts."""

_OPEN, _LONGER = -0.5, -0.08  # a gap is opened, and made longer by one unit
_SUBSTITUTE = 3  # units: so many on either side without a partner are one change, more are an omission and an addition
_NEAR = 14  # places: a word that stands this far away has moved

Row = list[int | None]


@dataclass(frozen=True, slots=True)
class Reading:
    """What a telling has at a place: ``text`` is the author's letters ``text[start:end]``; ``count`` how often, where it says so."""

    start: int
    end: int
    text: str
    count: str | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """A place of the table: the reading of each telling in their order (None where it has nothing), and how each stands to the first.

    ``detail`` says more of the first difference: ``spelling``, ``conjunction``, ``form``, ``one letter``, ``name of the Prophet``, ``blessing``,
    ``same number``, ``words``; ``partner`` is the number of the place at which what has moved stands.
    """

    kinds: tuple[str, ...]
    readings: tuple[Reading | None, ...]
    detail: str | None = None
    partner: int | None = None

    @property
    def kind(self) -> str:
        """The first kind that is not ``agreed``."""
        return next((kind for kind in self.kinds if kind != "agreed"), "agreed")


@dataclass(frozen=True, slots=True)
class Collation:
    """The table. ``witnesses`` are the ids of the tellings; the first is the one the others are compared with."""

    witnesses: tuple[str, ...]
    places: tuple[Place, ...]

    @property
    def differences(self) -> tuple[Place, ...]:
        """The places where they part."""
        return tuple(place for place in self.places if place.kind != "agreed")


def collate(texts: Sequence[tuple[str, str]], within: Mapping[str, Sequence[Span]] | None = None) -> Collation:
    """Collates tellings given as id and text; ``within`` limits a telling to stretches of its text (its matn), offsets stay those of the text.

    >>> one, other = ("bazzar", "أما صاحبكم أحسبه قال فقد خامر"), ("bukhari", "أَمَّا صَاحِبُكُمْ فَقَدْ غَامَرَ")
    >>> [(place.kind, [reading and reading.text for reading in place.readings]) for place in collate([one, other]).differences]
    [('missing', ['أحسبه قال', None]), ('changed', ['خامر', 'غَامَرَ'])]

    Raises:
        ValueError: fewer than two tellings are given, or two have one id.
    """
    names = [name for name, _ in texts]
    if len(texts) < 2 or len(set(names)) < len(names):
        raise ValueError(f"collating needs two tellings and more with different ids, not {names}")
    columns = [units_of(text, (within or {}).get(name)) for name, text in texts]
    rows: list[Row] = [[number] for number in range(len(columns[0]))]
    for k in range(1, len(columns)):
        rows = _with(rows, columns, k)
    places = _places(rows, columns, [text for _, text in texts])
    return Collation(tuple(names), tuple(_moved(places, columns)))


def _with(rows: list[Row], columns: list[list[Unit]], k: int) -> list[Row]:
    """The table with the k-th telling aligned to it."""
    units = columns[k]
    heads = [[columns[w][at] for w, at in enumerate(row) if at is not None] for row in rows]
    pauses = all(any(unit.pause for unit in column) for column in columns[: k + 1])
    scores = [[max([likeness_of_units(one, unit, pauses) for one in head]) for unit in units] for head in heads]
    empty: Row = [None] * k
    return [[*(rows[row] if row is not None else empty), unit] for row, unit in _aligned(scores, len(rows), len(units))]


def _aligned(scores: list[list[float]], height: int, width: int) -> list[tuple[int | None, int | None]]:
    """The best path through a table of scores, as pairs of row and unit, one of them None in a gap."""
    low = -1e9
    # Three states: 0 both, 1 only the row (the unit is in a gap), 2 only the unit.
    best = [[[low] * (width + 1) for _ in range(height + 1)] for _ in range(3)]
    came = [[[0] * (width + 1) for _ in range(height + 1)] for _ in range(3)]
    both, above, beside = best
    both[0][0] = 0.0
    for i in range(1, height + 1):
        above[i][0], came[1][i][0] = _OPEN + _LONGER * i, 1 if i > 1 else 0
    for j in range(1, width + 1):
        beside[0][j], came[2][0][j] = _OPEN + _LONGER * j, 2 if j > 1 else 0
    for i in range(1, height + 1):
        line = scores[i - 1]
        for j in range(1, width + 1):
            diagonal = (both[i - 1][j - 1], above[i - 1][j - 1], beside[i - 1][j - 1])
            state = diagonal.index(max(diagonal))
            both[i][j], came[0][i][j] = diagonal[state] + line[j - 1], state
            up = (both[i - 1][j] + _OPEN, above[i - 1][j], beside[i - 1][j] + _OPEN)
            state = up.index(max(up))
            above[i][j], came[1][i][j] = up[state] + _LONGER, state
            left = (both[i][j - 1] + _OPEN, above[i][j - 1] + _OPEN, beside[i][j - 1])
            state = left.index(max(left))
            beside[i][j], came[2][i][j] = left[state] + _LONGER, state
    ends = (both[height][width], above[height][width], beside[height][width])
    state, i, j = ends.index(max(ends)), height, width
    path: list[tuple[int | None, int | None]] = []
    while i > 0 or j > 0:
        before = came[state][i][j]
        if state == 0:
            i, j = i - 1, j - 1
            path.append((i, j))
        elif state == 1:
            i -= 1
            path.append((i, None))
        else:
            j -= 1
            path.append((None, j))
        state = before
    return path[::-1]


@dataclass(slots=True)
class _Draft:
    """A place in the making: the numbers of the units of each telling, and how each stands to the first."""

    units: list[list[int]]
    kinds: list[str]


def _places(rows: list[Row], columns: list[list[Unit]], texts: list[str]) -> list[tuple[Place, _Draft]]:
    drafts: list[_Draft] = []
    for row in _parted(rows, columns):
        kinds = [_kind(row[0], at, columns, w) for w, at in enumerate(row)]
        units = [[] if at is None else [at] for at in row]
        last = drafts[-1] if drafts else None
        if last is not None and _continues(last, kinds, units):
            for w, found in enumerate(units):
                last.units[w] += found
        else:
            drafts.append(_Draft(units, kinds))
    drafts = _substitutions(drafts, columns)
    return [(_place(draft, columns, texts), draft) for draft in drafts]


def _parted(rows: list[Row], columns: list[list[Unit]]) -> list[Row]:
    """The rows; two unlike words side by side at the end of a long omission or addition are parted: they belong to it."""
    if len(columns) != 2:
        return rows
    found: list[Row] = []
    for row in rows:
        one, other = row
        if one is not None and other is not None and _run(found) > _SUBSTITUTE:
            a, b = columns[0][one], columns[1][other]
            if a.kind == b.kind == "word" and likeness_of_units(a, b, pauses=False) < 0:
                halves: list[Row] = [[one, None], [None, other]]
                found += halves if found[-1][1] is None else halves[::-1]
                continue
        found.append(row)
    return found


def _run(rows: list[Row]) -> int:
    """How many rows at the end have only one of two tellings, the same."""
    length = 0
    for row in reversed(rows):
        if None not in row or (row[0] is None) != (rows[-1][0] is None):
            break
        length += 1
    return length


def _kind(first: int | None, at: int | None, columns: list[list[Unit]], w: int) -> str:
    if w == 0 or (first is None and at is None):
        return "agreed"
    if first is None or at is None:
        unit = columns[w][at] if at is not None else columns[0][first or 0]
        return "counted" if unit.kind == "count" else "added" if first is None else "missing"
    one, other = columns[0][first], columns[w][at]
    if one.kind == "count" and other.kind == "count" and one.count != other.count:
        return "counted"
    return "agreed" if one.folded == other.folded or _spelling(one, other) else "changed"


def _continues(last: _Draft, kinds: list[str], units: list[list[int]]) -> bool:
    """Whether a row is more of what the place before it has: a run that all agree on, or that the same tellings add or leave out."""
    same = kinds == last.kinds and [bool(found) for found in units] == [bool(found) for found in last.units]
    return same and set(kinds) <= {"agreed", "added", "missing"}


def _substitutions(drafts: list[_Draft], columns: list[list[Unit]]) -> list[_Draft]:
    """What stands in the place of one another is one change: a short omission beside a short addition (عمر, ابن الخطاب), a changed word
    beside a word too many."""
    found: list[_Draft] = []
    for draft in drafts:
        last = found[-1] if found else None
        if last is not None and _one_change(last, draft, columns):
            last.units = [a + b for a, b in zip(last.units, draft.units, strict=True)]
            last.kinds = [
                "agreed" if kind == other == "agreed" else "changed" for kind, other in zip(last.kinds, draft.kinds, strict=True)
            ]
        else:
            found.append(draft)
    return found


def _one_change(one: _Draft, other: _Draft, columns: list[list[Unit]]) -> bool:
    changed = [w for w, kind in enumerate(one.kinds) if kind != "agreed"]
    if not changed or changed != [w for w, kind in enumerate(other.kinds) if kind != "agreed"]:
        return False
    if max(len(a) + len(b) for a, b in zip(one.units, other.units, strict=True)) > _SUBSTITUTE:
        return False
    if {columns[w][at].kind for draft in (one, other) for w, units in enumerate(draft.units) for at in units} != {"word"}:
        return False
    kinds = {one.kinds[w] for w in changed}, {other.kinds[w] for w in changed}
    if kinds in (({"missing"}, {"added"}), ({"added"}, {"missing"})):
        return True
    for draft, beside in ((one, other), (other, one)):
        if {draft.kinds[w] for w in changed} == {"changed"} and {beside.kinds[w] for w in changed} <= {"added", "missing"}:
            pairs = [(columns[0][draft.units[0][0]], columns[w][draft.units[w][0]]) for w in changed]
            return all(likeness_of_units(a, b, pauses=False) < 0 for a, b in pairs)
    return False


def _place(draft: _Draft, columns: list[list[Unit]], texts: list[str]) -> Place:
    readings: list[Reading | None] = []
    for w, numbers in enumerate(draft.units):
        if not numbers:
            readings.append(None)
            continue
        start, end = columns[w][numbers[0]].start, columns[w][numbers[-1]].end
        count = next((columns[w][at].count for at in numbers if columns[w][at].count), None)
        readings.append(Reading(start, end, texts[w][start:end], count))
    return Place(tuple(draft.kinds), tuple(readings), _detail(draft, columns))


def _detail(draft: _Draft, columns: list[list[Unit]]) -> str | None:
    """What the first telling that parts from the first differs in."""
    for w, kind in enumerate(draft.kinds):
        ours, theirs = (
            [columns[0][at] for at in draft.units[0]],
            [columns[w][at] for at in draft.units[w]],
        )
        if kind in ("added", "missing"):
            return "blessing" if {unit.kind for unit in (*ours, *theirs)} == {"blessing"} else "words"
        if kind == "changed":
            return _change(ours[0], theirs[0]) if len(ours) == len(theirs) == 1 else "words"
        if kind == "agreed" and w and ours and any(a.folded != b.folded for a, b in zip(ours, theirs, strict=False)):
            return "spelling"
    return None


def _change(one: Unit, other: Unit) -> str:
    if one.kind == other.kind == "prophet":
        return "name of the Prophet"
    if one.kind == other.kind == "blessing":
        return "blessing"
    if one.kind == other.kind == "count":
        return "same number"
    if one.bare == other.bare or _last_alif(one.bare) == _last_alif(other.bare):
        return "conjunction"
    if len(one.folded) == len(other.folded) and sum(a != b for a, b in zip(one.folded, other.folded, strict=True)) == 1:
        return "one letter"
    short, long = sorted((one.bare, other.bare), key=len)
    return "form" if len(short) > 2 and long.startswith(short[:3]) else "words"


def _spelling(one: Unit, other: Unit) -> bool:
    """Whether two words are one word written in two ways: the last alif as alif or ya, an alif written or not."""
    return one.kind == other.kind == "word" and (
        _last_alif(one.folded) == _last_alif(other.folded)
        or (
            len(one.folded) > 4
            and one.folded.replace("ا", "") == other.folded.replace("ا", "")
            and one.folded[0] == other.folded[0]
        )
    )


def _last_alif(word: str) -> str:
    return word[:-1] + "ا" if len(word) > 2 and word[-1] == "ي" else word


def _moved(places: list[tuple[Place, _Draft]], columns: list[list[Unit]]) -> list[Place]:
    """Marks what one telling lacks at a place and has at another near by."""
    found = [place for place, _ in places]
    for number, (place, draft) in enumerate(places):
        for w in range(1, len(columns)):
            if place.kinds[w] != "missing" or found[number].kinds[w] != "missing":
                continue
            gone = sorted(columns[0][at].bare for at in draft.units[0])
            for there in range(max(0, number - _NEAR), min(len(places), number + _NEAR + 1)):
                other, its = places[there]
                if found[there].kinds[w] != "added" or sorted(columns[w][at].bare for at in its.units[w]) != gone:
                    continue
                if len(gone) > 1 or len(gone[0]) > 2:
                    found[number] = _as_moved(place, w, there)
                    found[there] = _as_moved(other, w, number)
                    break
    return found


def _as_moved(place: Place, w: int, partner: int) -> Place:
    kinds = (*place.kinds[:w], "moved", *place.kinds[w + 1 :])
    return Place(kinds, place.readings, "words", partner)
