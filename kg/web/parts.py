"""A person's parts in events: the named event or the kind of event, with his role, once for all passages that say so."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from kg.web.names import SLS
from kg.web.statements import Quads

__all__ = ["SHOWN", "Part", "all_parts", "parts_of"]

SHOWN = 5
"""Reports named beside a part, each of another passage."""


@dataclass(frozen=True, slots=True)
class Part:
    """A role in ``event``, a named event (``named``) or a class of events. ``reports`` are those of the first passages that say so,
    ``passages`` how many there are in all."""

    role: str
    event: str
    named: bool
    reports: tuple[str, ...]
    passages: int


def parts_of(store: Quads, person: str) -> list[Part]:
    """The parts of a person, read from the store by pattern; named events first, then what most passages tell."""
    roles = sorted({quad.subject.value for quad in store.pointing([person], SLS + "rolePerson")})
    names = {quad.subject.value: quad.object.value for quad in store.of(roles, [SLS + "roleName"])}
    reports = sorted({role.rpartition("/")[0] for role in roles})
    kinds = {quad.subject.value: quad.object.value for quad in store.of(reports, [SLS + "eventType"])}
    events = {quad.subject.value: quad.object.value for quad in store.of(reports, [SLS + "reports"])}
    return _gathered(roles, names, kinds, events)


def all_parts(store: Quads, least: int) -> Iterator[tuple[str, list[Part]]]:
    """The parts of every person who has ``least`` or more, read in four passes over the store."""
    names, kinds, events = (
        {quad.subject.value: quad.object.value for quad in store.quads(None, SLS + predicate)}
        for predicate in ("roleName", "eventType", "reports")
    )
    roles: dict[str, list[str]] = {}
    for quad in store.quads(None, SLS + "rolePerson"):
        roles.setdefault(quad.object.value, []).append(quad.subject.value)
    for person in sorted(roles):
        if len(roles[person]) >= least:
            yield person, _gathered(roles[person], names, kinds, events)


def _gathered(roles: Iterable[str], names: Mapping[str, str], kinds: Mapping[str, str], events: Mapping[str, str]) -> list[Part]:
    found: dict[tuple[str, str, bool], dict[str, str]] = {}
    for role in sorted(roles, key=_in_order):
        report = role.rpartition("/")[0]
        event = events.get(report) or kinds.get(report)
        if event is not None:
            told = found.setdefault((names.get(role, ""), event, report in events), {})
            told.setdefault(_passage(report), report)
    parts = [Part(name, event, named, tuple(told.values())[:SHOWN], len(told)) for (name, event, named), told in found.items()]
    return sorted(parts, key=lambda part: (not part.named, -part.passages, part.event, part.role))


def _passage(report: str) -> str:
    """What the keys of the reports of one passage have in common: ``…/report/bukhari/3661``."""
    return report.rpartition("/")[0].rpartition("/")[0]


def _in_order(role: str) -> tuple[str, int, str, str]:
    """By collection and number: ``…/report/bukhari/3661/quarrel/120-180/1``."""
    passage = _passage(role.rpartition("/")[0])
    collection, _, number = passage.rpartition("/")
    return collection, int(number) if number.isdecimal() else -1, number, role
