"""Who stands behind a kin word: his father, his grandfather, his uncle, as the lineages of the authority allow."""

from collections import defaultdict
from functools import cache
from pathlib import Path

from kg.identify.candidates import NameIndex
from kg.identify.generations import disproved
from kg.identify.names import Name, part_of
from kg.tables import read_tsv

__all__ = ["PARENTS", "Kinship"]

_TABLES = Path(__file__).parent / "tables"
_NAME_ALONE = 0.03
"""What a father's single name weighs, without a further ancestor or a tribe in common."""
_TOWNS = frozenset(
    part_of(town)
    for town in (
        *("الكوفي", "البصري", "المدني", "المكي", "الشامي", "الدمشقي", "المصري", "البغدادي", "الواسطي", "الحمصي", "الحجازي"),
        *("اليماني", "الخراساني", "الجزري", "المديني", "القاضي", "المؤذن", "القرشي"),
    )
)
PARENTS = {"father": 1, "grandfather": 2}
"""How many ancestors up a kin word leads."""
_WRITTEN = 0.25
"""From which fit a lineage as the text writes it says who the father or grandfather is."""


@cache
def _conventions() -> dict[tuple[str, str], str]:
    """Who is meant where the word says another: عمرو بن شعيب عن أبيه عن جده is his father's grandfather."""
    rows = read_tsv(_TABLES / "kin_conventions.tsv", ("person", "kin", "means"))
    return {(row["person"], row["kin"]): row["means"] for _, row in rows}


class Kinship:
    """Relatives by place in the name index. ``relatives`` gives persons with weights; nobody known gives nothing."""

    def __init__(self, index: NameIndex) -> None:
        self.index = index
        self._cache: dict[tuple[int, str], tuple[tuple[int, float], ...]] = {}
        self._by_ism: dict[str, list[int]] = defaultdict(list)
        self._by_kunya: dict[str, list[int]] = defaultdict(list)
        self._by_father: dict[str, list[int]] = defaultdict(list)
        for i, person in enumerate(index.persons):
            for ism in index.isms(i):
                self._by_ism[ism].append(i)
            for kunya in person.kunya:
                self._by_kunya[part_of(kunya)].append(i)
            if person.nasab:
                self._by_father[part_of(person.nasab[0])].append(i)

    def relatives(self, person: int, kin: str) -> tuple[tuple[int, float], ...]:
        """The persons whom a kin word may mean, seen from ``person``: place and weight."""
        key = (person, kin)
        found = self._cache.get(key)
        if found is None:
            found = self._cache[key] = tuple(self._relatives(person, kin))
        return found

    def written(self, son: Name, steps: int) -> tuple[tuple[int, float], ...]:
        """The persons whom the lineage in a name gives as father (1 step) or grandfather (2): known by their own father's name too.

        >>> from kg.authority import load
        >>> kinship = Kinship(NameIndex(load().persons.values()))
        >>> found = kinship.written(Name(ism="عبد الله", nasab=("عبد الله", "جبر", "عتيك")), 2)
        >>> [kinship.index.keys[person] for person, _ in found]
        ['person/taqrib-893']
        """
        called, further = son.nasab[steps - 1 : steps], son.nasab[steps:]
        if not called or not further:
            return ()
        kunya = called[0] if called[0].startswith("ابو ") else ""
        name = Name("" if kunya else called[0], further, kunya, whole=" بن ".join((*called, *further)))
        fits = [(fit.person, fit.weight) for fit in self.index.fits(name) if fit.weight >= _WRITTEN and "nasab" in fit.parts]
        return tuple(fits[:6])

    def _relatives(self, person: int, kin: str) -> list[tuple[int, float]]:
        meant = _conventions().get((self.index.keys[person], kin))
        if meant in self.index.place:
            return [(self.index.place[meant], 1.0)]
        if kin in PARENTS:
            return self._ancestors(person, PARENTS[kin])
        if kin in {"paternal uncle", "brother"}:
            return self._brothers(person, of_father=kin == "paternal uncle")
        if kin == "son":
            mine = self.index.isms(person)
            return [(i, 0.5) for ism in mine for i in self._by_father.get(ism, ()) if self._older(person, i)][:12]
        return []

    def _ancestors(self, person: int, steps: int) -> list[tuple[int, float]]:
        own = self.index.persons[person]
        if steps == 1 and own.father in self.index.place:
            return [(self.index.place[own.father], 1.0)]
        if steps == 2 and own.father in self.index.place:
            return self._ancestors(self.index.place[own.father], 1)
        lineage = [part_of(name) for name in own.nasab]
        if len(lineage) < steps:
            return []
        called, further = lineage[steps - 1], lineage[steps:]
        pool = self._by_kunya.get(called, []) if called.startswith("ابو ") else self._by_ism.get(called, [])
        fits = []
        for i in pool:
            if i == person or not self._older(i, person):
                continue
            shared = _shared(further, [part_of(name) for name in self.index.persons[i].nasab])
            if shared < 0 or (not shared and disproved(own, self.index.persons[i])):
                continue
            nisbas = len(self._tribes(person) & self._tribes(i))
            fits.append((i, min(1.0, _NAME_ALONE + 0.5 * min(shared, 2) + 0.15 * min(nisbas, 2)), shared))
        if not fits:
            return []
        best = max(shared for _, _, shared in fits)
        kept = [(i, weight if best == 0 else weight if shared == best else weight * 0.1) for i, weight, shared in fits]
        if best == 0:  # the name alone: the commoner of the namesakes
            top = max(self.index.popularity(i) for i, _ in kept)
            kept = [
                (i, weight * (0.1 + self.index.popularity(i) / top) * (1.0 if weight > _NAME_ALONE else 0.05))
                for i, weight in kept
            ]
        return sorted(kept, key=lambda fit: -fit[1])[:12]

    def _brothers(self, person: int, *, of_father: bool) -> list[tuple[int, float]]:
        lineage = [part_of(name) for name in self.index.persons[person].nasab]
        if of_father:
            lineage = lineage[1:]
        if not lineage:
            return []
        fits = []
        father = self.index.place.get(self.index.persons[person].father or "")
        called = part_of(self.index.persons[person].nasab[0])
        for i in self._by_father.get(lineage[0], ()):
            if i in {person, father} or (of_father and called in self.index.isms(i)):
                continue
            theirs = [part_of(name) for name in self.index.persons[i].nasab]
            shared = sum(1 for mine, his in zip(lineage, theirs, strict=False) if mine == his)
            known = min(len(lineage), len(theirs))
            if known == 1:
                if self._tribes(person) & self._tribes(i):
                    fits.append((i, 0.2))
            elif shared >= 2:
                fits.append((i, 0.6))
        return fits[:12]

    def _tribes(self, i: int) -> frozenset[str]:
        return self.index.nisbas(i) - _TOWNS

    def _older(self, elder: int, younger: int) -> bool:
        one, other = self.index.persons[elder].tabaqa, self.index.persons[younger].tabaqa
        if one is None or other is None:
            return True
        return one <= other


def _shared(mine: list[str], his: list[str]) -> int:
    """How many further ancestors of the son are the father's, in order; -1 where the two lineages contradict each other.

    >>> _shared(["اكوع"], ["عمرو", "اكوع"]), _shared(["خصيب"], ["حصيب"]), _shared(["زيد"], ["عمرو"])
    (1, 1, -1)
    """
    shared, position, against = 0, 0, False
    for ancestor in mine:
        at = next((j for j in range(position, len(his)) if _same(ancestor, his[j])), None)
        if at is not None:
            shared, position = shared + 1, at + 1
        else:
            against = against or position < len(his)
    if shared and against:  # عبد الله بن أبي ربيعة is no عبد الله بن مسعود
        shared -= 1
    if not shared and mine and his and not (mine[0].startswith("ابو ") or his[0].startswith("ابو ")):
        return -1
    return shared


def _same(one: str, other: str) -> bool:
    """Equal, or one dotted letter apart (الحصيب, الخصيب), as copyists leave them."""
    if one == other:
        return True
    return len(one) == len(other) >= 4 and sum(a != b for a, b in zip(one, other, strict=True)) == 1
