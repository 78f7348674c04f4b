"""The description of a thing, read from the store by pattern: its statements, what points at it, and its neighbours' labels.

One description is rendered as page, Turtle, JSON-LD, N-Triples and RDF/XML alike. No path is ever pasted into a query.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain

from pyoxigraph import Literal, NamedNode, Triple

from kg.web.names import LABELS, PREFIXES, RDF_TYPE, RDFS_LABEL, SLS, expand
from kg.web.parts import Part, parts_of
from kg.web.pointing import PAGE_SIZE, Pointing
from kg.web.prepared import Listed, Prepared
from kg.web.statements import Node, Quads, Said

__all__ = ["Describer", "Description", "kind_of", "natural"]

REACH: dict[str, tuple[str, ...]] = {
    "hadith": ("^inPassage/^claimMention", "^inPassage/role", "^hasPassage", "^ofPassage"),
    "person": ("^teacher", "^student"),
    "isnad": ("rdf:_/^claimMention",),
    "event": ("^reports/role",),
    "report": ("role",),
    "mention": ("^claimMention", "receivedFrom"),
    "verse": ("^cites",),
    "work": ("^versionOf",),
    "parallel": ("hasPassage/^inPassage:isnad/rdf:_", "linkFinding", "telling", "chainFinding"),
}
"""By the first part of its key: which other things' statements belong to a thing's description, as property paths; ``^inPassage:isnad``
reaches only isnads."""
REACH["passage"] = REACH["hadith"]

_PASSAGES = ("hadith", "passage")
_PLACES = "rdf:_"
"""A step of a path: the members of a sequence, ``rdf:_1`` and so on."""
_PASSAGE_LINE = (RDF_TYPE, RDFS_LABEL, SLS + "text", SLS + "quotation", SLS + "order")
_MOST_LABELS = 20_000
_REFERS_TO = SLS + "refersTo"
_MEMBER = PREFIXES["rdf"] + "_"
_NUMBERS = re.compile(r"(\d+)")


def natural(text: str) -> tuple[tuple[int, int, str], ...]:
    """A sort key in which numbers stand in their order.

    >>> sorted(["hadith/bukhari/10", "hadith/bukhari/9"], key=natural)
    ['hadith/bukhari/9', 'hadith/bukhari/10']
    """
    return tuple((0, int(part), "") if part.isdecimal() else (1, 0, part) for part in _NUMBERS.split(text) if part)


def is_place(predicate: str) -> bool:
    """Whether a predicate is the n-th place of a sequence, ``rdf:_n``."""
    return predicate.startswith(_MEMBER) and predicate[len(_MEMBER) :].isdecimal()


def kind_of(key: str) -> str:
    """The first part of a key: ``person`` of ``person/abu-bakr``."""
    return key.partition("/")[0]


@dataclass(frozen=True, slots=True)
class Description:
    """What is said of ``iri``. ``quads`` are its own and its parts' statements, ``inverse`` those that point at it (one page
    of ``pages``, ``total`` in all), ``labels`` what names its neighbours. ``values`` reads them as one graph."""

    iri: str
    key: str
    quads: tuple[Said, ...]
    inverse: tuple[Said, ...]
    labels: tuple[Said, ...]
    page: int = 1
    pages: int = 1
    total: int = 0
    _index: dict[str, dict[str, list[Node]]] = field(default_factory=dict, compare=False, repr=False)

    @property
    def kind(self) -> str:
        return kind_of(self.key)

    @property
    def index(self) -> dict[str, dict[str, list[Node]]]:
        """Objects by subject and predicate, IRIs as strings; made at the first look."""
        if not self._index:
            index = self._index
            for quad in chain(self.quads, self.labels, self.inverse):
                objects = index.setdefault(quad.subject.value, {}).setdefault(quad.predicate.value, [])
                if quad.object not in objects:
                    objects.append(quad.object)
            for facts in index.values():  # stores give several values in an order of their own
                for objects in facts.values():
                    if len(objects) > 1:
                        objects.sort(key=_by_letters)
        return self._index

    def values(self, subject: str, predicate: str) -> list[Node]:
        """The objects of a statement; ``predicate`` may be a prefixed name (``sls:surface``, ``rdfs:label``)."""
        return self.index.get(subject, {}).get(expand(predicate), [])

    def value(self, subject: str, predicate: str) -> Node | None:
        found = self.values(subject, predicate)
        return found[0] if found else None

    def string(self, subject: str, predicate: str) -> str:
        """The letters of the first object, or an empty string."""
        found = self.values(subject, predicate)
        return found[0].value if found else ""

    def links(self, subject: str, predicate: str) -> list[str]:
        """The IRIs among the objects."""
        return [term.value for term in self.values(subject, predicate) if isinstance(term, NamedNode)]

    def pointing(self, predicate: str) -> list[str]:
        """What points at the thing by ``predicate``, in the description's order."""
        wanted = expand(predicate)
        return list(dict.fromkeys(q.subject.value for q in chain(self.inverse, self.quads) if q.predicate.value == wanted
                                  and isinstance(q.object, NamedNode) and q.object.value == self.iri))  # fmt: skip

    def triples(self) -> list[Triple]:
        """Every statement once, sorted, so that one description always gives the same bytes."""
        unique = {(q.subject.value, q.predicate.value, str(q.object)): q for q in chain(self.quads, self.inverse, self.labels)}
        return [Triple(q.subject, q.predicate, q.object) for _, q in sorted(unique.items(), key=lambda item: item[0])]


class Describer:
    """Describes the things of one opened store. ``base`` is what IRIs of things begin with; ``prepared`` is what the
    build wrote for those that much points at."""

    def __init__(self, store: Quads, base: str, prepared: Prepared | None = None) -> None:
        self.store, self.base, self.prepared = store, base, prepared
        self._pointing = lru_cache(maxsize=256)(self._read_pointing)
        self._named: dict[str, tuple[Said, ...]] = {}

    def exists(self, iri: str) -> bool:
        """Whether the store says anything of the IRI as subject or object."""
        node = _node(iri)
        if node is None:
            return False
        return any(True for _ in self.store.quads(node, None, None)) or any(True for _ in self.store.quads(None, None, node))

    def about(self, iri: str) -> list[Said]:
        """The statements whose subject is the IRI."""
        return list(self.store.quads(NamedNode(iri)))

    def describe(self, iri: str, page: int = 1) -> Description | None:
        """The description of a thing, or None where the store does not know it.

        ``page`` counts from 1; a page beyond the last gives None.
        """
        key = iri.removeprefix(self.base)
        if _node(iri) is None:
            return None
        pointing = self._pointing(iri)
        first = self.prepared.first(iri) if self.prepared is not None and page == 1 and pointing.total > PAGE_SIZE else None
        if first is not None:
            inverse, pages = pointing.between(0, PAGE_SIZE), -(-pointing.total // PAGE_SIZE)
            return Description(iri, key, tuple(first[0]), tuple(inverse), tuple(first[1]), 1, pages, pointing.total)
        quads = self.about(iri)
        if not quads and not pointing.total:
            return None
        pages = max(1, -(-pointing.total // PAGE_SIZE))
        if not 1 <= page <= pages:
            return None
        described = {iri}
        for path in REACH.get(kind_of(key), ()):
            self._follow([iri], path.split("/"), quads, described)
        inverse = pointing.between((page - 1) * PAGE_SIZE, page * PAGE_SIZE)
        labels = self._in_brief([quad.subject.value for quad in inverse], described)
        if kind_of(key) == "person":  # who is meant is a claim: its confidence and reason stand beside each mention
            self._follow(
                [q.subject.value for q in inverse if q.predicate.value == _REFERS_TO], ["^claimMention"], labels, described
            )
        # What the brief statements name is labelled too: the passage of a mention, the person of a claim.
        neighbours = _neighbours(chain(quads, inverse, labels), described)
        self.learn_labels(neighbours)
        for neighbour in neighbours:
            labels.extend(self.labels(neighbour))
        return Description(iri, key, tuple(quads), tuple(inverse), tuple(labels), page, pages, pointing.total)

    def _follow(self, subjects: Sequence[str], steps: Sequence[str], quads: list[Said], described: set[str]) -> None:
        step, rest = steps[0], steps[1:]
        step, _, kind = step.partition(":") if step != _PLACES else (step, "", "")
        predicate = SLS + step.lstrip("^")
        reached: list[str] = []
        if step == _PLACES:
            reached.extend(quad.object.value for quad in self.store.of(subjects) if is_place(quad.predicate.value))
        elif step.startswith("^"):
            reached.extend(quad.subject.value for quad in self.store.pointing(subjects, predicate))
        else:
            found = self.store.of(subjects, [predicate])
            reached.extend(quad.object.value for quad in found if isinstance(quad.object, NamedNode))
        if kind:
            reached = [iri for iri in reached if kind_of(iri.removeprefix(self.base)) == kind]
        reached = sorted(set(reached), key=natural)
        fresh = [iri for iri in reached if iri not in described]
        described.update(fresh)
        quads.extend(self.store.of(fresh))
        if rest and reached:
            self._follow(reached, rest, quads, described)

    def _in_brief(self, iris: Iterable[str], described: set[str]) -> list[Said]:
        """Of a passage its line in a list, of our other things everything; what is described already is left out."""
        fresh = [iri for iri in dict.fromkeys(iris) if iri not in described and iri.startswith(self.base)]
        described.update(iris)
        passages = [iri for iri in fresh if kind_of(iri.removeprefix(self.base)) in _PASSAGES]
        others = set(fresh).difference(passages)
        return [*self.store.of(passages, _PASSAGE_LINE), *self.store.of(iri for iri in fresh if iri in others)]

    def learn_labels(self, iris: Iterable[str]) -> None:
        """Read at once what names those things of which it is not known yet."""
        self._read_labels([iri for iri in dict.fromkeys(iris) if iri not in self._named])

    def _read_labels(self, iris: Sequence[str]) -> dict[str, tuple[Said, ...]]:
        read: dict[str, list[Said]] = {iri: [] for iri in iris}
        for quad in self.store.of(iris, LABELS):
            read[quad.subject.value].append(quad)
        if len(self._named) + len(read) > _MOST_LABELS:
            self._named = {}
        learned = {iri: tuple(sorted(quads, key=lambda quad: LABELS.index(quad.predicate.value))) for iri, quads in read.items()}
        self._named.update(learned)
        return learned

    def labels(self, iri: str) -> tuple[Said, ...]:
        """What names a thing: rdfs:label and skos:prefLabel, in every language."""
        named = self._named.get(iri)
        return self._read_labels([iri])[iri] if named is None else named

    @lru_cache(maxsize=5_000)  # noqa: B019
    def arabic_name(self, english: str) -> str:
        """The Arabic name of who alone bears an English one; the English one where nobody or several do."""
        bearers = {quad.subject.value for quad in self.store.quads(None, RDFS_LABEL, Literal(english, language="en"))}
        named = [quad.object for iri in bearers for quad in self.labels(iri) if quad.predicate.value == RDFS_LABEL]
        return next((term.value for term in named if len(bearers) == 1 and getattr(term, "language", "") == "ar"), english)

    @lru_cache(maxsize=20_000)  # noqa: B019
    def fact(self, iri: str, name: str) -> str:
        """The letters of one property of a neighbour: a year of death beside a narrator's name."""
        if self.prepared is not None and name in self.prepared.facts:
            return self.prepared.fact(name, iri.removeprefix(self.base))
        pattern = self.store.quads(NamedNode(iri), NamedNode(SLS + name), None)
        return min((quad.object.value for quad in pattern), default="")

    @lru_cache(maxsize=5_000)  # noqa: B019
    def coordinates(self, iri: str) -> tuple[float, float] | None:
        """Latitude and longitude of a place, in degrees."""
        found = [next((q.object.value for q in self.store.quads(iri, PREFIXES["geo"] + name)), None) for name in ("lat", "long")]
        return (float(found[0]), float(found[1])) if found[0] and found[1] else None

    def groups_of(self, passage: str) -> list[str]:
        """The groups of parallel tellings that a passage is in."""
        return [quad.subject.value for quad in self.store.quads(None, NamedNode(SLS + "hasPassage"), NamedNode(passage))]

    def text_of(self, passage: str) -> list[Said]:
        """The text of a passage, where it may be published."""
        return list(self.store.quads(NamedNode(passage), NamedNode(SLS + "text"), None))

    def parts(self, person: str) -> list[Part]:
        """A person's parts in events."""
        gathered = self.prepared.parts(person) if self.prepared is not None else None
        return parts_of(self.store, person) if gathered is None else gathered

    def _read_pointing(self, iri: str) -> Pointing | Listed:
        listed = self.prepared.pointing(iri) if self.prepared is not None else None
        return listed or Pointing(self.store.quads(None, None, NamedNode(iri)))


def _by_letters(term: Node) -> tuple[str, str]:
    return term.value, (term.language or "") if isinstance(term, Literal) else ""


def _node(iri: str) -> NamedNode | None:
    try:
        return NamedNode(iri)
    except ValueError:
        return None


def _neighbours(quads: Iterable[Said], described: set[str]) -> list[str]:
    found: dict[str, None] = {}
    for quad in quads:
        for term in (quad.subject, quad.object):
            if isinstance(term, NamedNode) and term.value not in described:
                found[term.value] = None
    return list(found)
