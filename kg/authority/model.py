"""What the authority knows: persons, places, events, works, each a row of a reviewed table.

Keys (``person/abu-bakr``) are IRIs without their base. Facts name their source; where a row rests on the editors' own
knowledge its source is ``editors`` and it carries no outside identifier.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

__all__ = ["Authority", "Book", "Event", "Person", "Place", "Work", "Year"]


@dataclass(frozen=True, slots=True)
class Year:
    """A year AH as a source gives it: ``first`` and ``last`` bound it (equal when known), ``alternatives`` are the other
    years named, ``precision`` is ``year``, ``interval``, ``before``, ``after`` or ``decade``."""

    first: int | None
    last: int | None
    alternatives: tuple[int, ...] = ()
    precision: str = "year"
    source: str = ""


@dataclass(frozen=True, slots=True)
class Person:
    """A person. ``usual`` is the name by which readers know him, where it is not ``name_ar``: for showing, never for
    finding. ``surfaces`` are further spellings under which texts name him; ``tabaqa`` is a generation in
    ``tabaqa_scheme`` (``taqrib``: Ibn Hajar's twelve); ``rank`` is quoted from ``rank_critic`` in ``rank_book``;
    ``books`` are the Taqrib's sigla of the books that have the person in their chains (خ, م, د, ت, س, ق; ع all six, 4 the four Sunan)."""

    key: str
    name_ar: str
    name_en: str = ""
    name_latn: str = ""
    sex: str | None = None
    ism: str | None = None
    nasab: tuple[str, ...] = ()
    kunya: tuple[str, ...] = ()
    laqab: tuple[str, ...] = ()
    nisba: tuple[str, ...] = ()
    shuhra: str | None = None
    surfaces: tuple[str, ...] = ()
    companion: bool = False
    tabaqa: int | None = None
    tabaqa_scheme: str = "taqrib"
    death: Year | None = None
    places: tuple[str, ...] = ()
    taqrib_no: int | None = None
    rank: str | None = None
    rank_critic: str | None = None
    rank_book: str | None = None
    father: str | None = None
    listed_teachers: tuple[str, ...] = ()
    listed_students: tuple[str, ...] = ()
    identifiers: Mapping[str, str] = field(default_factory=dict)
    kind: str = "person"
    source: str = ""
    books: tuple[str, ...] = ()
    usual: str | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """A place; ``kind`` is town, cave, mountain, spring, market, region, sanctuary …; coordinates are WGS 84 degrees."""

    key: str
    name_ar: str
    name_en: str
    kind: str = "place"
    surfaces: tuple[str, ...] = ()
    latitude: float | None = None
    longitude: float | None = None
    within: str | None = None
    source: str = ""


@dataclass(frozen=True, slots=True)
class Event:
    """A named event: ``type`` is a class of the ontology; ``participants`` pairs of role and person key;
    ``phrases`` are those of the surfaces that speak of it and are no name."""

    key: str
    type: str
    name_ar: str
    name_en: str
    surfaces: tuple[str, ...] = ()
    date: Year | None = None
    place: str | None = None
    participants: tuple[tuple[str, str], ...] = ()
    part_of: str | None = None
    after: str | None = None
    source: str = ""
    phrases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Work:
    """A work: author by person key; ``openiti`` its OpenITI identifier where evidenced."""

    key: str
    title_ar: str
    title_en: str
    title_latn: str = ""
    author: str | None = None
    kind: str = "book"
    openiti: str | None = None
    source: str = ""


@dataclass(frozen=True, slots=True)
class Book:
    """A book of a work (كتاب بدء الوحي): ``number`` as in the scheme of the source that counts it."""

    work: str
    number: int
    title_ar: str
    title_en: str
    source: str = ""


@dataclass(frozen=True, slots=True)
class Authority:
    """All tables, by key; books by ``(work, number)``. ``fingerprint`` is a hash of the tables as read."""

    persons: Mapping[str, Person]
    places: Mapping[str, Place]
    events: Mapping[str, Event]
    works: Mapping[str, Work]
    books: Mapping[tuple[str, int], Book]
    fingerprint: str = ""
