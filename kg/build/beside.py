"""Parallels, found by a process of their own: their words while it is decided who is who (and for that), the rest while the graph is written."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any, NamedTuple

from kg.build.cache import read_records
from kg.build.processes import Helpers
from kg.build.reports import ReportGroup, report_groups
from kg.graph.vocabulary import Vocabulary
from kg.identify.alike import Alike
from kg.identify.claims import Identification
from kg.identify.parallels import Prepared, find_parallels, prepare
from kg.identify.registry import Registry

__all__ = ["ParallelPass"]

_prepared: Prepared | None = None


class ParallelPass:
    """Begins when it is made, with the records in ``paths``. A context manager."""

    def __init__(self, paths: Sequence[Path], *, in_turn: bool = False) -> None:
        self._paths = list(paths)
        self._helper = Helpers(1, in_turn=in_turn)
        self._begun = self._helper.submit(_prepare, self._paths)
        self._found: Future[Any] | None = None
        self._registry: Registry | None = None

    def __enter__(self) -> "ParallelPass":
        return self

    def __exit__(self, *error: object) -> None:
        self._helper.__exit__(*error)

    def alike(self) -> Alike:
        """The passages that tell one report, by their words alone: waits until they are read."""
        found: Alike = self._begun.result()
        return found

    def decide(self, identification: Identification, passages: Iterable[str], registry: Registry) -> None:
        """It is known who is who: go on. The keys of groups are taken from the registry, and noted in it by ``groups``."""
        winners = {
            passage: {
                index: claim.person for index, made in identification.claims(passage).items() for claim in made if claim.winner
            }
            for passage in passages
        }
        self._registry = registry
        self._found = self._helper.submit(_find, self._paths, winners, registry.ids)

    def groups(self) -> Iterator[ReportGroup]:
        """The groups, as soon as they are found."""
        assert self._found is not None and self._registry is not None, "nobody said who is who"
        self._begun.result()
        groups, ids = self._found.result()
        self._registry.ids.update(ids)
        yield from groups


class _Winner(NamedTuple):
    person: str
    winner: bool = True


class _Winners:
    """Who each mention is, as the pass over parallels asks it."""

    def __init__(self, persons: Mapping[str, Mapping[int, str]]) -> None:
        self._persons = persons

    def claims(self, passage_id: str) -> Mapping[int, Sequence[_Winner]]:
        return {index: (_Winner(person),) for index, person in self._persons.get(passage_id, {}).items()}


def _prepare(paths: list[Path]) -> Alike:
    global _prepared
    _prepared = prepare(read_records(paths))
    return _prepared.alike


def _find(paths: list[Path], winners: dict[str, dict[int, str]], ids: dict[str, str]) -> tuple[list[ReportGroup], dict[str, str]]:
    """Groups, and the ids that are new or changed."""
    keys = {record.passage.id: Vocabulary.passage(record.passage) for record in read_records(paths)}
    registry = Registry(dict(ids))
    found = find_parallels(read_records(paths), _Winners(winners), registry=registry, prepared=_prepared)
    groups = list(report_groups(found, keys))
    return groups, {name: key for name, key in registry.ids.items() if ids.get(name) != key}
