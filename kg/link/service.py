"""The reconciler of a built folder: names from its full-text index and the authority, counts of surfaces from its store."""

from pathlib import Path

from kg.authority import load
from kg.link.attested import Statements, attested_surfaces
from kg.link.facts import Facts
from kg.link.matching import Index
from kg.link.reconcile import Reconciler
from kg.link.things import read_things

__all__ = ["reconciler_of_folder"]


def reconciler_of_folder(folder: Path, store: Statements, base: str) -> Reconciler:
    """A reconciler over one version of a built folder; takes some seconds for two Sahihs, and answers quickly then."""
    things = read_things(folder / "search.sqlite", load().persons)
    return Reconciler(Index(things, attested_surfaces(store, base)), Facts(store, base), base)
