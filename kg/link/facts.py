"""Facts of things as reconciliation compares and fetches them: properties of the ontology, read from the store by pattern."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Protocol

from kg.graph.vocabulary import PREFIXES
from kg.link.reading import read_name
from kg.tables import TableError, read_tsv
from kg.text import fold

__all__ = ["CENTURY", "Facts", "Property", "Value", "properties", "properties_by_id"]

CENTURY = 100
"""Years between two dates of death that disprove that two persons are one."""
_NEAR = 3
"""Years by which dates of death in good sources commonly differ."""
_TABLES = Path(__file__).parent / "tables"


class Statements(Protocol):
    """What is asked of a store: its quads by pattern (``kg.store.embedded.EmbeddedStore``)."""

    def quads(self, subject: Any = None, predicate: Any = None, object: Any = None, graph: Any = None) -> Iterator[Any]: ...


@dataclass(frozen=True, slots=True)
class Property:
    """A property: ``predicate`` an IRI, asked the other way round where ``inverse``; ``narrows`` is how a value is compared."""

    id: str
    types: tuple[str, ...]
    predicate: str
    inverse: bool
    value: str
    narrows: str
    name_en: str
    name_ar: str


@dataclass(frozen=True, slots=True)
class Value:
    """A value of a property: a literal with its language, or the key (``thing``) or IRI (``outside``) of what it points at."""

    words: str
    language: str = ""
    key: str | None = None
    outside: bool = False


@cache
def properties() -> tuple[Property, ...]:
    """The properties of the table.

    Raises:
        TableError: a predicate has a prefix that is not known.
    """
    path, found = _TABLES / "properties.tsv", []
    for line, row in read_tsv(path, ("id", "types", "predicate", "value", "narrows", "name_en", "name_ar")):
        prefix, _, local = row["predicate"].lstrip("^").partition(":")
        if prefix not in PREFIXES:
            raise TableError(path, line, f"prefix {prefix!r} is not known: write one of {', '.join(sorted(PREFIXES))}")
        found.append(
            Property(
                row["id"],
                tuple(row["types"].split()),
                PREFIXES[prefix] + local,
                row["predicate"].startswith("^"),
                row["value"],
                row["narrows"],
                row["name_en"],
                row["name_ar"],
            )
        )
    return tuple(found)


@cache
def properties_by_id() -> dict[str, Property]:
    """The properties by their ids."""
    return {one.id: one for one in properties()}


class Facts:
    """The facts of a built graph's things, by key and property; remembered for the last things asked."""

    def __init__(self, store: Statements, base: str) -> None:
        self.store, self.base = store, base
        self.values = lru_cache(maxsize=50_000)(self._values)

    def _values(self, key: str, one: Property) -> tuple[Value, ...]:
        """The values of a property of a thing, links first by what they point at."""
        iri = self.base + key
        quads = self.store.quads(None, one.predicate, iri) if one.inverse else self.store.quads(iri, one.predicate)
        found: dict[Value, None] = {}
        for quad in quads:
            term = quad.subject if one.inverse else quad.object
            if hasattr(term, "language"):
                found[Value(term.value, term.language or "")] = None
            elif term.value.startswith(self.base):
                found[Value("", key=term.value[len(self.base) :])] = None
            else:
                found[Value(term.value, outside=True)] = None
        return tuple(sorted(found, key=lambda value: (value.key or "", value.words)))

    def subjects(self, one: Property, asked: str) -> Iterator[str]:
        """The keys of the things whose property has exactly this value, whatever its datatype is."""
        for quad in self.store.quads(None, one.predicate):
            if quad.object.value == asked and quad.subject.value.startswith(self.base):
                yield quad.subject.value[len(self.base) :]

    def agrees(self, key: str, one: Property, asked: str, things: frozenset[str]) -> float | None:
        """How far a thing's property agrees with what is asked, 0 to 1; None where nothing is known of it.

        ``things`` are the keys that what is asked may mean, for properties that point at things.
        """
        values = self._bounds(key) if one.id == "deathYearAH" else self.values(key, one)
        if not values:
            return None
        return max(_agreement(one, value, asked, things) for value in values)

    def _bounds(self, key: str) -> tuple[Value, ...]:
        """Every year of death that is given: the one, its bounds, alternatives."""
        found = []
        for name in ("deathYearAH", "deathYearAHEarliest", "deathYearAHLatest", "deathYearAHAlternative"):
            for quad in self.store.quads(self.base + key, PREFIXES["sls"] + name):
                found.append(Value(quad.object.value))
        return tuple(found)


def _agreement(one: Property, value: Value, asked: str, things: frozenset[str]) -> float:
    if one.narrows == "thing":
        return 1.0 if value.key in things else 0.0
    if one.narrows == "year":
        wanted, given = _number(asked), _number(value.words)
        if wanted is None or given is None:
            return 0.0
        apart = abs(wanted - given)
        return 1.0 if apart <= _NEAR else max(0.0, 1 - apart / CENTURY) * 0.7
    if one.narrows == "number":
        wanted, given = _number(asked), _number(value.words)
        return 1.0 if wanted is not None and wanted == given else 0.0
    if one.narrows == "name":
        return (
            1.0
            if {part.value for part in read_name(asked).parts} & {part.value for part in read_name(value.words).parts}
            else 0.0
        )
    return 1.0 if fold(asked).strip().lower() == fold(value.words).strip().lower() else 0.0


def _number(words: str) -> float | None:
    """A number as people write years: 125, 125 AH, ١٢٥هـ."""
    digits = "".join(str(int(c)) if c.isdecimal() else c if c in ".-" else " " for c in words)
    for word in digits.split():
        try:
            return float(word)
        except ValueError:
            continue
    return None
