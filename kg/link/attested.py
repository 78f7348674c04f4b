"""How often the texts of a built graph call a person by a surface; counted from its mentions."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from typing import Any, Protocol

from kg.graph.vocabulary import ONTOLOGY

__all__ = ["attested_surfaces"]


class Statements(Protocol):
    """What is asked of a store: its quads by pattern (``kg.store.embedded.EmbeddedStore``)."""

    def quads(self, subject: Any = None, predicate: Any = None, object: Any = None, graph: Any = None) -> Iterator[Any]: ...


def attested_surfaces(store: Statements, base: str, collection: str = "") -> Mapping[str, Mapping[str, int]]:
    """Counts of mentions by surface and person: ``{"ابْنِ شِهَابٍ": {"person/al-zuhri": 1219}}``; of one ``collection`` where given.

    Words of kinship (عمي, جده) are left out: they are no names.
    """
    kin = {quad.subject.value for quad in store.quads(None, ONTOLOGY + "kin")}
    mentions = f"{base}mention/{collection}/" if collection else f"{base}mention/"
    persons = {
        quad.subject.value: quad.object.value
        for quad in store.quads(None, ONTOLOGY + "refersTo")
        if quad.subject.value.startswith(mentions) and quad.subject.value not in kin
    }
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for quad in store.quads(None, ONTOLOGY + "surface"):
        person = persons.get(quad.subject.value)
        if person is not None:
            counts[quad.object.value][person.removeprefix(base)] += 1
    return counts
