"""What a build writes for reconciliation, and the reconciler that reads it."""

from collections.abc import Mapping
from pathlib import Path

from kg.authority.model import Person
from kg.link.attested import Statements, attested_surfaces
from kg.link.facts import Facts
from kg.link.matching import Index
from kg.link.name_index import write_names
from kg.link.reconcile import Reconciler
from kg.link.things import read_things

__all__ = ["NAMES", "reconciler_of_folder", "write_names_of_folder"]

NAMES = "names.sqlite"
"""The file of a built folder that holds the index of names."""


def write_names_of_folder(folder: Path, store: Statements, base: str, persons: Mapping[str, Person]) -> None:
    """Write the index of names of a version whose store and full-text index are made."""
    things = read_things(folder / "search.sqlite", persons)
    write_names(folder / NAMES, things, persons, attested_surfaces(store, base))


def reconciler_of_folder(folder: Path, store: Statements, base: str) -> Reconciler:
    """A reconciler over one version of a built folder; it answers at once."""
    return Reconciler(Index(folder / NAMES), Facts(store, base), base)
