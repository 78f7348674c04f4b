"""The extraction record: what was read in one passage, every statement with its span.

Offsets are indices into ``Passage.text`` exactly as given, end exclusive. Persons, events and places are named by
keys (``person/abu-bakr``), never by IRIs: IRIs are made in ``kg.graph`` alone. The JSON form is fixed, other
programs read it: see docs/record.md.
"""

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from kg.text import Passage

__all__ = [
    "Citation",
    "EventReport",
    "Gloss",
    "Isnad",
    "NarratorMention",
    "PersonMention",
    "PlaceMention",
    "Record",
    "Role",
    "Term",
    "TimeMention",
]

Key = str
Candidates = tuple[tuple[Key, float], ...]
SpanPair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Term:
    """A transmission term: the word between two narrators (حدثنا, عن, نا); ``concept`` is its key in the table of terms."""

    start: int
    end: int
    text: str
    concept: str | None = None


@dataclass(frozen=True, slots=True)
class Gloss:
    """An explanation beside a name: يعني ابن زيد. ``name`` holds the parts of the name it gives, where it gives one."""

    start: int
    end: int
    text: str
    name: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class NarratorMention:
    """One narrator named in a chain.

    ``term`` is the word by which this narrator's words reached the one before; ``received_from`` holds the indices (in
    ``Record.narrators``) of those this narrator received from. ``kin`` is ``father``, ``grandfather``, ``uncle``,
    ``mother`` … where the mention is a kin word (أبيه); ``kin_of`` the index of the mention it depends on.
    ``name`` are the parts of the name: ism, nasab (list), kunya, laqab, nisba (list), shuhra, mawla.
    """

    start: int
    end: int
    surface: str
    name: Mapping[str, Any] = field(default_factory=dict)
    term: Term | None = None
    received_from: tuple[int, ...] = ()
    kin: str | None = None
    kin_of: int | None = None
    anonymous: bool = False
    collective: bool = False
    gloss: tuple[Gloss, ...] = ()
    read_as: str | None = None
    person: Key | None = None
    confidence: float = 0.0
    candidates: Candidates = ()
    why: str | None = None
    claimed_by: str | None = None


@dataclass(frozen=True, slots=True)
class Isnad:
    """A path from the author towards the source, over mentions.

    ``path`` are indices into ``Record.narrators``; ``segments`` the stretches of text (an isnad may be discontinuous);
    ``attributed_to`` is prophet, companion, successor, divine or None; ``attribution_basis`` by what it is known: the ``words``
    of the report, the ``name`` of the last narrator, or the ``person`` he is identified as (None until persons are decided);
    ``matn`` the stretches of the report it carries;
    ``points_back`` is the phrase (بهذا الإسناد, مثله, نحوه) with which it stands for something told before;
    ``gap`` is true where the text breaks off at a tahwil whose continuation is missing.
    """

    path: tuple[int, ...]
    segments: tuple[SpanPair, ...] = ()
    attributed_to: str | None = None
    continuity: str | None = None
    reaches_term: Term | None = None
    matn: tuple[SpanPair, ...] = ()
    points_back: str | None = None
    gap: bool = False
    attribution_basis: str | None = None


@dataclass(frozen=True, slots=True)
class Citation:
    """A Quran citation. ``refs[0]`` is the reference asserted (``9:40``, ``96:1-3``), ``words`` its word numbers within
    the first and last verse (``(first, last)``, from 1); other verses with the same words are ``candidates``."""

    start: int
    end: int
    refs: tuple[str, ...] = ()
    candidates: tuple[str, ...] = ()
    words: tuple[int, int] | None = None
    marked: bool = False
    exact: bool = False
    confidence: float = 0.0
    introduced_by: SpanPair | None = None
    cited_by: str | None = None
    cited_by_person: str | None = None
    use: str | None = None


@dataclass(frozen=True, slots=True)
class Role:
    """Who or what takes part in an event, as this passage says: a person by key, or a span not yet resolved."""

    role: str
    person: Key | None = None
    start: int | None = None
    end: int | None = None
    value: str | None = None


@dataclass(frozen=True, slots=True)
class TimeMention:
    """A time as the passage gives it: ``text`` with its span; ``hijri`` a year or interval ``(first, last)``; ``event`` the
    event it is relative to (يوم بدر); ``duration`` as an ISO 8601 duration (``P3D``)."""

    start: int
    end: int
    text: str
    hijri: tuple[int, int] | None = None
    event: Key | None = None
    duration: str | None = None


@dataclass(frozen=True, slots=True)
class EventReport:
    """What this passage says of one event; ``type`` is a class of the ontology, ``event`` the named event where it is one."""

    type: str
    start: int
    end: int
    event: Key | None = None
    status: str = "tells"
    confidence: float = 0.0
    roles: tuple[Role, ...] = ()
    place: Key | None = None
    place_inferred: bool = False
    time: TimeMention | None = None
    according_to: str | None = None
    evidence: tuple[SpanPair, ...] = ()
    times_said: int | None = None


@dataclass(frozen=True, slots=True)
class PersonMention:
    """A person, group or the Prophet named in running text (chains apart). ``kind`` is person, group or prophet."""

    start: int
    end: int
    surface: str
    person: Key | None = None
    confidence: float = 0.0
    candidates: Candidates = ()
    kind: str = "person"


@dataclass(frozen=True, slots=True)
class PlaceMention:
    """A place named in the text; ``inferred`` where the passage does not name it."""

    start: int
    end: int
    surface: str
    place: Key | None = None
    inferred: bool = False


@dataclass(frozen=True, slots=True)
class Record:
    """All that was read in one passage."""

    passage: Passage
    narrators: tuple[NarratorMention, ...] = ()
    isnads: tuple[Isnad, ...] = ()
    quran: tuple[Citation, ...] = ()
    events: tuple[EventReport, ...] = ()
    persons: tuple[PersonMention, ...] = ()
    places: tuple[PlaceMention, ...] = ()
    times: tuple[TimeMention, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The record as ``kg extract`` prints it.

        >>> Record(Passage("t:1", "عَنْ أَنَسٍ"), narrators=(NarratorMention(5, 11, "أَنَسٍ"),)).to_json()["narrators"][0]["surface"]
        'أَنَسٍ'
        """
        passage = self.passage
        return {
            "id": passage.id,
            "text": passage.text,
            "language": passage.language,
            "translation": passage.translation,
            **{name: [_to_json(item) for item in getattr(self, name)] for name in _PARTS},
            "source": passage.source,
            "kind": passage.kind,
            "work": passage.work,
            "locators": [list(pair) for pair in passage.locators],
        }

    @classmethod
    def from_json(cls, row: Mapping[str, Any]) -> "Record":
        """The record back from its JSON form; unknown fields are ignored, missing ones take their defaults."""
        passage = Passage(
            id=row["id"],
            text=row["text"],
            language=row.get("language", "ar"),
            translation=row.get("translation"),
            source=row.get("source", ""),
            kind=row.get("kind", "passage"),
            work=row.get("work"),
            locators=tuple((scheme, value) for scheme, value in row.get("locators", ())),
        )
        return cls(
            passage, **{name: tuple(_from_json(kind, item) for item in row.get(name, ())) for name, kind in _PARTS.items()}
        )


_PARTS: dict[str, type] = {
    "narrators": NarratorMention,
    "isnads": Isnad,
    "quran": Citation,
    "events": EventReport,
    "persons": PersonMention,
    "places": PlaceMention,
    "times": TimeMention,
}
_NESTED: dict[tuple[type, str], tuple[type, bool]] = {
    (NarratorMention, "term"): (Term, False),
    (NarratorMention, "gloss"): (Gloss, True),
    (Isnad, "reaches_term"): (Term, False),
    (EventReport, "roles"): (Role, True),
    (EventReport, "time"): (TimeMention, False),
}


def _camel(name: str) -> str:
    head, *tail = name.split("_")
    return head + "".join(map(str.capitalize, tail))


_FIELDS: dict[type, tuple[tuple[str, str], ...]] = {
    kind: tuple((f.name, _camel(f.name)) for f in dataclasses.fields(kind)) for kind in (*_PARTS.values(), Term, Gloss, Role)
}


def _to_json(item: Any) -> Any:
    fields = _FIELDS.get(type(item))
    if fields is not None:
        return {camel: _to_json(getattr(item, name)) for name, camel in fields}
    if isinstance(item, tuple):
        return [_to_json(part) for part in item]
    if isinstance(item, Mapping):
        return dict(item)
    return item


def _tuple(value: Any) -> Any:
    return tuple(map(_tuple, value)) if isinstance(value, list) else value


def _from_json(kind: type, row: Mapping[str, Any]) -> Any:
    values = {}
    for name, camel in _FIELDS[kind]:
        if camel not in row:
            continue
        value = row[camel]
        nested = _NESTED.get((kind, name))
        if nested and value is not None:
            inner, many = nested
            value = tuple(_from_json(inner, part) for part in value) if many else _from_json(inner, value)
        elif name != "name":
            value = _tuple(value)
        values[name] = value
    return kind(**values)
