"""Our things as they are looked for elsewhere: names in both scripts, and the facts by which a namesake is told apart."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from kg.authority.model import Authority, Person, Year
from kg.link.facts import Facts, properties_by_id
from kg.link.table import LinkRecord
from kg.tables import read_tsv

__all__ = ["KINDS", "Subject", "ce_years", "subject_of", "subjects", "with_neighbours"]

KINDS = ("person", "place", "event", "work", "sura")
_NAMES = 12
"""Names of one thing that are looked for at most."""


@dataclass(frozen=True, slots=True)
class Subject:
    """A thing of ours without an accepted link. ``death`` are the years CE between which a person died, ``exact`` where a source says so
    (else his generation allows them); ``teachers`` and ``students`` are items of Wikidata that ours are linked to."""

    key: str
    kind: str
    names: tuple[str, ...]
    death: tuple[int, int] | None = None
    exact: bool = False
    sex: str | None = None
    father: str | None = None
    latitude: float | None = None
    longitude: float | None = None
    teachers: frozenset[str] = frozenset()
    students: frozenset[str] = frozenset()


def with_neighbours(subject: Subject, facts: Facts, linked: Mapping[str, str]) -> Subject:
    """The subject with the items of those from whom he narrates, and who narrate from him, in the chains of a built graph."""
    if subject.kind != "person":
        return subject
    known = properties_by_id()

    def items(name: str) -> frozenset[str]:
        return frozenset(linked[key] for value in facts.values(subject.key, known[name]) if (key := value.key) and key in linked)

    return replace(subject, teachers=subject.teachers | items("teacher"), students=subject.students | items("student"))


def ce_years(year: int) -> tuple[int, int]:
    """The years CE in which a year AH begins and ends (tabular reckoning: 354.367 days a year from 16 July 622).

    >>> ce_years(1), ce_years(125), ce_years(256)
    ((622, 623), (742, 743), (869, 870))
    """
    begins = 622.5384 + (year - 1) * 354.36667 / 365.2425
    return int(begins), int(begins + 0.97022)


@cache
def _generations() -> dict[int, tuple[int, int]]:
    path = Path(__file__).parent / "tables" / "generations.tsv"
    return {int(row["tabaqa"]): (int(row["first"]), int(row["last"])) for _, row in read_tsv(path, ("tabaqa", "first", "last"))}


def _death(person: Person) -> tuple[tuple[int, int] | None, bool]:
    """The years CE between which a person died, and whether a source says so."""
    death: Year | None = person.death
    if death is not None:
        years = [year for year in (death.first, death.last, *death.alternatives) if year is not None]
        if years:
            return (ce_years(min(years))[0], ce_years(max(years))[1]), death.precision == "year"
    tabaqa = 1 if person.companion else person.tabaqa
    if tabaqa in _generations():
        first, last = _generations()[tabaqa]
        return (ce_years(first)[0], ce_years(last)[1]), False
    return None, False


def subject_of(key: str, known: Authority, linked: Mapping[str, str]) -> Subject | None:
    """One thing of the authority; None where it has none of this key. ``linked`` are accepted items by key."""
    if key in known.persons:
        return _person(known.persons[key], linked)
    if key in known.places:
        place = known.places[key]
        return Subject(
            key,
            "place",
            _named(place.name_ar, place.name_en, *place.surfaces),
            latitude=place.latitude,
            longitude=place.longitude,
        )
    if key in known.events:
        event = known.events[key]
        return Subject(key, "event", _named(event.name_ar, event.name_en, *event.surfaces))
    if key in known.works:
        work = known.works[key]
        return Subject(key, "work", _named(work.title_ar, work.title_en, work.title_latn))
    return None


def _person(person: Person, linked: Mapping[str, str]) -> Subject:
    death, exact = _death(person)
    return Subject(
        person.key,
        "person",
        _named(*_looked_for(person)),
        death,
        exact,
        person.sex,
        person.nasab[0] if person.nasab else None,
        teachers=frozenset(linked[key] for key in person.listed_teachers if key in linked),
        students=frozenset(linked[key] for key in person.listed_students if key in linked),
    )


def _looked_for(person: Person) -> Iterator[str]:
    """The names of a person that tell enough to be looked for: no bare ism, and in Latin letters both spellings of "son of"."""
    latin = [name for name in (person.name_en, person.name_latn) if name]
    yield from (person.name_ar, *latin)
    for name in latin:
        if " b. " in name:
            yield name.replace(" b. ", " ibn ")
    for name in (person.shuhra or "", *_short(person), *person.surfaces):
        if " " in name or name.startswith("ال"):
            yield name


def _short(person: Person) -> Iterator[str]:
    """The names by which reference works head an article: ism and father, with the first nisba."""
    if person.ism and person.nasab:
        name = f"{person.ism} {'بنت' if person.sex == 'f' else 'بن'} {person.nasab[0]}"
        yield name
        if person.nisba:
            yield f"{name} {person.nisba[0]}"


def _named(*names: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for name in names if name))[:_NAMES]


def subjects(
    known: Authority, links: Iterable[LinkRecord], kinds: Iterable[str] = KINDS, *, every: bool = False
) -> Iterator[Subject]:
    """The things without an accepted link: reviewed persons (with ``every`` those of the Taqrib too), places, events, works."""
    linked = {link.subject: link.qid for link in links if link.status == "accepted"}
    wanted = set(kinds)
    for kind, table in (("person", known.persons), ("place", known.places), ("event", known.events), ("work", known.works)):
        if kind not in wanted:
            continue
        for key in table:
            if key in linked or (kind == "person" and not every and not known.persons[key].name_en):
                continue
            subject = subject_of(key, known, linked)
            if subject is not None:
                yield subject
