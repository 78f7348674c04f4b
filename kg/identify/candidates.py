"""Which persons of the authority a name may mean: names matched part by part, as narrators are called.

A name fits a person when every part it gives is a part of the person: ism; nasab in order, ancestors may be passed over (ابن حنبل);
kunya, nisba, laqab. What a name leaves out costs nothing; what it gives beyond the table costs, and what contradicts it excludes.
"""

import dataclasses
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from kg.authority.model import Person
from kg.identify.names import Name, key_of, part_of, texts

__all__ = ["Fit", "NameIndex"]

_WIDEST = 80
"""At most so many candidates of one name are weighed: the commonest in the books."""
_WITHOUT_BYNAME = 0.02
"""What is left of the weight of a namesake without the nisba or laqab that is given, where another bears it."""
_WITHOUT_LINEAGE = 0.05
"""What is left of the weight of a namesake whose lineage is not known as far as it is given, where another's is."""
_BY_GRANDFATHER = 0.08
"""What a name weighs that passes over the father: أحمد بن حنبل."""
_BEHIND_A_FATHER = 0.2
"""What is left of that where another's father is so called."""
_USUAL = "usual name"
_NOT_USUAL = 0.25
"""What a bare name weighs for others where a reviewed person is usually called so."""
_NEPHEW = ("ابن اخي ", "ابن اخت ", "ابن عم ")
_NOT_USUAL_AS_WRITTEN = 0.05
"""The same for a name of several parts (علي بن محمد), which says more, and for a byname alone (الزهري), by which only the famous go."""
_KNOWN_OTHERWISE = 0.1
"""What a bare ism weighs for a person who is usually called by a kunya."""
_NOT_BY_KUNYA = 0.01
"""What a bare kunya weighs for a person who is usually called otherwise: chains say Ibn al-Zubayr, not Abu Bakr."""


class Fit(NamedTuple):
    """One person whom a name fits: his place in the index, how well (0 to 1), and by which parts."""

    person: int
    weight: float
    parts: str


@dataclass(frozen=True, slots=True)
class _Known:
    """A person's name parts, folded."""

    isms: frozenset[str]
    nasab: tuple[str, ...]
    kunyas: frozenset[str]
    nisbas: frozenset[str]
    laqabs: frozenset[str]
    surfaces: frozenset[str]
    bynames: frozenset[str]
    popularity: float


class NameIndex:
    """The persons of an authority by the parts of their names.

    >>> from kg.authority import load
    >>> from kg.identify.names import name_of
    >>> index = NameIndex(load().persons.values())
    >>> fits = index.fits(name_of({"ism": "صدقة", "nasab": ["خالد"]}, "صدقة بن خالد"))
    >>> index.keys[fits[0].person]
    'person/sadaqa-b-khalid'
    """

    def __init__(self, persons: Iterable[Person]) -> None:
        self.persons: list[Person] = []
        self.keys: list[str] = []
        self._known: list[_Known] = []
        self._by_ism: dict[str, list[int]] = defaultdict(list)
        self._by_kunya: dict[str, list[int]] = defaultdict(list)
        self._by_father: dict[str, list[int]] = defaultdict(list)
        self._by_byname: dict[str, list[int]] = defaultdict(list)
        self._by_surface: dict[str, list[int]] = defaultdict(list)
        self._by_kin: dict[str, list[tuple[int, str]]] = defaultdict(list)
        self._cache: dict[Name, tuple[Fit, ...]] = {}
        for person in persons:
            if person.kind == "person":
                self._add(person)
        self.place = {key: i for i, key in enumerate(self.keys)}

    def _add(self, person: Person) -> None:
        i = len(self.keys)
        surfaces = frozenset(key_of(surface) for surface in (*person.surfaces, *texts(person.shuhra)))
        isms = {part_of(person.ism)} if person.ism else set()
        isms |= {part_of(surface) for surface in surfaces if " " not in surface and not surface.endswith("ي")}
        isms |= {part_of(laqab) for laqab in person.laqab if not laqab.startswith("ال")}
        known = _Known(
            frozenset(isms),
            tuple(part_of(name) for name in person.nasab),
            frozenset(part_of(kunya) for kunya in person.kunya),
            frozenset(part_of(nisba) for nisba in person.nisba),
            frozenset(part_of(laqab) for laqab in person.laqab),
            surfaces,
            frozenset(part_of(surface) for surface in (*person.surfaces, *texts(person.shuhra)) if surface.startswith("ابن ")),
            popularity(person),
        )
        self.persons.append(person)
        self.keys.append(person.key)
        self._known.append(known)
        for ism in known.isms:
            self._by_ism[ism].append(i)
        for kunya in known.kunyas:
            self._by_kunya[kunya].append(i)
        for ancestor in dict.fromkeys(known.nasab):
            self._by_father[ancestor].append(i)
        for byname in known.nisbas | known.laqabs:
            self._by_byname[byname].append(i)
        for surface in surfaces:
            for kin in _NEPHEW:
                if surface.startswith(kin):
                    self._by_kin[kin].append((i, surface.removeprefix(kin)))
            self._by_surface[surface].append(i)

    def __len__(self) -> int:
        return len(self.keys)

    def knows(self, word: str) -> bool:
        """Whether a single word is a part of anybody's name, in whatever case."""
        part = part_of(word)
        return any(
            form in table
            for form in (part, part[:-1] if part.endswith("ا") and len(part) > 3 else part)
            for table in (self._by_ism, self._by_father, self._by_byname, self._by_surface)
        )

    def isms(self, i: int) -> frozenset[str]:
        """The single names of a person, folded."""
        return self._known[i].isms

    def nisbas(self, i: int) -> frozenset[str]:
        """The nisbas of a person, folded."""
        return self._known[i].nisbas

    def popularity(self, i: int) -> float:
        """How often the books are likely to have the person, before anything is counted."""
        return self._known[i].popularity

    def fits(self, name: Name) -> tuple[Fit, ...]:
        """The persons whom the name fits, the likeliest first."""
        found = self._cache.get(name)
        if found is None:
            found = self._fits(name)
            if not found and name.ism.endswith("ا") and len(name.ism) > 3:  # the accusative: سمعت نافعا
                found = self._fits(_called(name, name.ism[:-1]))
            if not found and name.ism.startswith("ل"):  # after a preposition: قلت لعاصم بن عمر, للقاسم
                own = name.ism.removeprefix("لل") if name.ism.startswith("لل") else name.ism[1:]
                if own in self._by_ism:
                    found = self._fits(_called(name, own))
            self._cache[name] = found
        return found

    def _fits(self, name: Name) -> tuple[Fit, ...]:
        weights: dict[int, Fit] = {}
        usual = self._by_surface.get(name.whole, ())
        for i in usual:
            weights[i] = Fit(i, 0.6 if self.persons[i].name_en else 0.3, _USUAL)
        for i in self._nephews(name.whole):
            weights[i] = Fit(i, 0.6, _USUAL)
        for i in self._pool(name):
            weight, parts = self._weigh(name, self._known[i])
            if weight > 0 and (i not in weights or weights[i].weight < weight):
                weights[i] = Fit(i, weight, parts)
        daughter = name.whole.startswith(("ابنه ", "بنت ")) or " بنت " in f" {name.whole} "
        if name.nasab and not name.ism and not name.kunya:
            weights = {i: fit for i, fit in weights.items() if (self.persons[i].sex == "f") == daughter}
        if any(self.persons[i].name_en for i in usual):
            factor = _NOT_USUAL if name.bare and not (name.nisba or name.laqab) else _NOT_USUAL_AS_WRITTEN
            weights = {i: fit if i in usual else Fit(i, fit.weight * factor, fit.parts) for i, fit in weights.items()}
        if name.bare and (name.ism or name.kunya):
            weights = {
                i: Fit(i, fit.weight * (_KNOWN_OTHERWISE if name.ism else _NOT_BY_KUNYA), fit.parts)
                if self._known_otherwise(i, name)
                else fit
                for i, fit in weights.items()
            }
        if name.nisba or name.laqab:
            # A byname is put there to tell namesakes apart: where one bears it, those who do not are hardly meant.
            bearers = {i for i, fit in weights.items() if "nisba" in fit.parts or "laqab" in fit.parts or fit.parts == _USUAL}
            if bearers and (name.kunya or name.nasab):
                weights = {
                    i: fit if i in bearers else Fit(i, fit.weight * _WITHOUT_BYNAME, fit.parts) for i, fit in weights.items()
                }
            elif bearers:  # عطاء الخراساني: nothing else is said of him
                weights = {i: fit for i, fit in weights.items() if i in bearers or not self._known[i].nisbas}
        if name.ism and name.nasab:
            sons = {i for i in weights if self._known[i].nasab[:1] == name.nasab[:1]}
            if sons:
                weights = {
                    i: fit if i in sons or i in usual else Fit(i, fit.weight * _BEHIND_A_FATHER, fit.parts)
                    for i, fit in weights.items()
                }
        if len(name.nasab) > 1:  # حميد بن عبد الرحمن بن عوف is hardly another Humayd b. Abd al-Rahman
            whole = [i for i in weights if _lineage(name.nasab, self._known[i].nasab) == 1.0]
            if whole:
                weights = {
                    i: fit if i in whole or i in usual else Fit(i, fit.weight * _WITHOUT_LINEAGE, fit.parts)
                    for i, fit in weights.items()
                }
        if name.bare and weights:
            top = max(self._known[i].popularity for i in weights)
            weights = {i: Fit(i, fit.weight * (self._known[i].popularity / top) ** 0.7, fit.parts) for i, fit in weights.items()}
        ranked = sorted(weights.values(), key=lambda fit: -fit.weight * self._known[fit.person].popularity)
        if not ranked:
            return ()
        least = 1e-4 * ranked[0].weight * self._known[ranked[0].person].popularity
        return tuple(fit for fit in ranked[:_WIDEST] if fit.weight * self._known[fit.person].popularity > least)

    def _known_otherwise(self, i: int, name: Name) -> bool:
        """Whether an editor says that the person is usually called by a kunya, and this is his ism, or the other way round.

        Abu Qatada is not called al-Harith, nor Abd Allah b. al-Zubayr Abu Bakr.
        """
        person = self.persons[i]
        if not person.name_en or not person.surfaces or name.whole in self._known[i].surfaces:
            return False
        by_kunya = any(surface.startswith(("أبو ", "أم ")) for surface in person.surfaces)
        return person.surfaces[0].startswith(("أبو ", "أم ")) if name.ism else not by_kunya

    def _nephews(self, whole: str) -> Iterator[int]:
        """Who is called another's nephew or cousin, by whichever of the other's names: ابن أخي ابن شهاب is ابن أخي الزهري."""
        for kin in _NEPHEW:
            if whole.startswith(kin):
                meant = set(self._by_surface.get(whole.removeprefix(kin), ()))
                for i, other in self._by_kin[kin] if meant else ():
                    if not meant.isdisjoint(self._by_surface.get(other, ())):
                        yield i

    def _pool(self, name: Name) -> Iterable[int]:
        if name.ism:
            pool = self._by_ism.get(name.ism, [])
            if name.kunya and not name.nasab:
                return [*pool, *self._by_kunya.get(name.kunya, ())]
            return pool
        if name.kunya:
            return self._by_kunya.get(name.kunya, [])
        if name.nasab:
            return self._by_father.get(name.nasab[0], [])
        for byname in (*name.nisba, *name.laqab):
            if byname in self._by_byname:
                return [*self._by_byname[byname], *self._by_ism.get(byname, ())]
            if byname in self._by_ism:
                return self._by_ism[byname]
        return self._by_ism.get(part_of(name.whole), [])

    def _weigh(self, name: Name, known: _Known) -> tuple[float, str]:
        weight = 1.0
        parts = []
        if name.ism:
            if name.ism not in known.isms:
                return 0.0, ""
            parts.append("ism")
            if not name.nasab and not name.kunya:
                weight *= 0.3
        if name.nasab:
            share = _lineage(name.nasab, known.nasab)
            if share < 0.5 and f"ابن {name.nasab[0]}" in known.bynames:
                share = 0.5
            if share == 0.0:
                return 0.0, ""
            parts.append("nasab")
            weight *= share if name.ism or name.kunya else 0.3 * share
        if name.kunya:
            if name.kunya in known.kunyas:
                parts.append("kunya")
                if not name.ism:
                    weight *= 0.4
            elif not name.ism:
                return 0.0, ""
            else:
                weight *= 0.05 if known.kunyas else 0.4
        for nisba in name.nisba:
            if nisba in known.nisbas or nisba in known.laqabs or f"ال{nisba}" in known.surfaces:
                parts.append("nisba")
            elif not name.ism and not name.nasab and (known.nisbas or known.laqabs or not name.kunya):
                return 0.0, ""  # أبو عبد الله الجدلي is no other Abu Abd Allah whose nisbas are known
            else:
                weight *= 0.15 if name.nasab or name.kunya else 0.08
        for laqab in name.laqab:
            if laqab in known.laqabs or f"ال{laqab}" in known.surfaces or laqab in known.nisbas or laqab in known.isms:
                parts.append("laqab")
            elif not name.ism and not name.nasab and not name.nisba and (known.nisbas or known.laqabs or not name.kunya):
                return 0.0, ""
            else:
                weight *= 0.3
        if (name.nisba or name.laqab) and not (name.ism or name.kunya or name.nasab):
            weight *= 0.3
        if not parts:
            return (0.2, "ism") if part_of(name.whole) in known.isms else (0.0, "")
        return weight, "+".join(dict.fromkeys(parts))


def _called(name: Name, ism: str) -> Name:
    """The name with its ism in another form."""
    return dataclasses.replace(name, ism=ism, whole=name.whole.replace(name.ism, ism, 1))


def _lineage(given: tuple[str, ...], known: tuple[str, ...]) -> float:
    """How well a lineage as given agrees with the one known; 0 where it contradicts it.

    >>> _lineage(("حنبل",), ("محمد", "حنبل", "هلال"))
    0.08
    >>> _lineage(("خالد", "يزيد"), ("خالد",))
    0.7
    >>> _lineage(("خالد", "يزيد"), ("خالد", "زيد"))
    0.02
    """
    if not known:
        return 0.0
    position, weight = 0, 1.0
    for place, ancestor in enumerate(given):
        found = -1
        for j in range(position, len(known)):
            if _same_ancestor(ancestor, known[j]):
                found = j
                break
        if found < 0:
            if place == 0:
                return 0.0
            beyond = position >= len(known)
            weight *= 0.7 if beyond else 0.02
            if not beyond:
                break
            continue
        skipped = found - position
        if skipped:
            weight *= _BY_GRANDFATHER if place == 0 else 0.6
        position = found + 1
    return weight


def _same_ancestor(one: str, other: str) -> bool:
    return one == other


_SIGLUM_WEIGHT = {"ع": 12.0, "خ": 3.0, "م": 3.0, "د": 1.5, "ت": 1.5, "س": 1.5, "ق": 1.5, "4": 4.0, "خت": 0.5, "بخ": 0.3}


def popularity(person: Person) -> float:
    """What the sigla of the Taqrib say of how often the books have a person."""
    weight = 0.1 + sum(_SIGLUM_WEIGHT.get(siglum, 0.1) for siglum in person.books)
    if not person.books:
        weight = 2.0 if person.name_en else 0.6
    return weight * (3.0 if person.companion and person.name_en else 1.0)
