"""The chains of all records in a compact form: names numbered, mentions as arrays, equal chains counted once.

Records are streamed; what is kept of a mention is a handful of small numbers.
"""

from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from kg.extract.record import NarratorMention, Record
from kg.identify.heads import heads
from kg.identify.names import Name, name_of, shown
from kg.tables import read_tsv

__all__ = ["Chain", "Collector", "Corpus", "Node", "collector_of"]

_TABLES = Path(__file__).parent / "tables"


class Collector(NamedTuple):
    """Whose book a passage stands in: the person, the Taqrib's sigla for the book, and whom it names at the head of a chain: pairs
    of a folded name and a person's key."""

    key: str
    sigla: frozenset[str]
    heads: tuple[tuple[str, str], ...] = ()
    kunya: str = ""


_SAID = "term/qala"
_NOBODY = Collector("", frozenset())


@cache
def _collectors() -> dict[str, Collector]:
    found: dict[str, Collector] = {}
    for _, row in read_tsv(_TABLES / "collectors.tsv", ("source", "work", "collector", "sigla", "kunya")):
        sigla = frozenset(filter(None, row["sigla"].split("|")))
        collector = Collector(row["collector"], sigla, heads(row["work"]), row["kunya"])
        found[row["source"]] = collector
        found.setdefault(row["work"], collector)
    return found


def collector_of(record: Record) -> Collector:
    """The collector of a record's passage, by its work, its source, or the source that its id begins with."""
    passage = record.passage
    known = _collectors()
    for key in (passage.work, passage.source, passage.id.partition(":")[0]):
        if key and key in known:
            return known[key]
    return _NOBODY


class Node(NamedTuple):
    """One mention in a chain: the number of its name (-1 for a kin word without name, -2 for an anonymous one), the nodes it
    received from, its kinship and the node it depends on, and whether it stands at the author's end."""

    form: int
    teachers: tuple[int, ...]
    kin: str | None
    kin_of: int | None
    first: bool


class Chain(NamedTuple):
    """All chains of one passage: nodes in text order, the collector's number, whether they reach the Prophet, whether the text
    breaks one off, whether the collector leaves out from whom he has it (muʿallaq: he did not hear from the first named)."""

    collector: int
    nodes: tuple[Node, ...]
    prophetic: bool
    gap: bool = False
    suspended: bool = False


@dataclass(slots=True)
class Corpus:
    """What the inference sees: distinct names, distinct chains with how often they occur, and which chain a passage has."""

    names: list[Name] = field(default_factory=list)
    collectors: list[Collector] = field(default_factory=list)
    chains: list[Chain] = field(default_factory=list)
    times: array = field(default_factory=lambda: array("L"))
    passages: dict[str, int] = field(default_factory=dict)
    members: list[list[str]] = field(default_factory=list)
    spans: dict[str, array] = field(default_factory=dict)
    _name_numbers: dict[Name, int] = field(default_factory=dict)
    _surface_numbers: dict[tuple[str, str, str], int] = field(default_factory=dict)
    _spellings: dict[int, dict[str, int]] = field(default_factory=dict)
    _parts: dict[int, Mapping[str, Any]] = field(default_factory=dict)
    _collector_numbers: dict[Collector, int] = field(default_factory=dict)
    _chain_numbers: dict[Chain, int] = field(default_factory=dict)

    def add(self, record: Record) -> None:
        """Takes in the chains of one record."""
        mentions = record.narrators
        if not mentions:
            return
        collector = collector_of(record)
        number = self._collector_numbers.get(collector)
        if number is None:
            number = self._collector_numbers[collector] = len(self.collectors)
            self.collectors.append(collector)
        received = {teacher for mention in mentions for teacher in mention.received_from}
        nodes = self._named_again(
            tuple(self._node(i, mention, received, mentions) for i, mention in enumerate(mentions)), mentions
        )
        prophetic = any(isnad.attributed_to in {"prophet", "divine"} for isnad in record.isnads)
        suspended = any(isnad.continuity == "muallaq" for isnad in record.isnads)
        chain = Chain(number, nodes, prophetic, any(isnad.gap for isnad in record.isnads), suspended)
        place = self._chain_numbers.get(chain)
        if place is None:
            place = self._chain_numbers[chain] = len(self.chains)
            self.chains.append(chain)
            self.times.append(0)
            self.members.append([])
        self.times[place] += 1
        self.members[place].append(record.passage.id)
        self.spans[record.passage.id] = array("I", [at for mention in mentions for at in (mention.start, mention.end)])
        self.passages[record.passage.id] = place

    def _node(self, i: int, mention: NarratorMention, received: set[int], mentions: Sequence[NarratorMention]) -> Node:
        teachers = tuple(t for t in mention.received_from if 0 <= t < len(mentions) and t != i)
        first = i not in received
        if mention.anonymous or mention.collective:
            return Node(-2, teachers, None, None, first)
        if mention.kin is not None:
            named = len(mention.surface.split()) > 1
            form = self.form(mention) if named else -1
            return Node(form, teachers, mention.kin, mention.kin_of, first)
        return Node(self.form(mention), teachers, None, None, first)

    def _named_again(self, nodes: tuple[Node, ...], mentions: Sequence[NarratorMention]) -> tuple[Node, ...]:
        """A bare kunya after قال (وقال أبو بكر رفعه) is the author's teacher of the fuller name before (أبو بكر بن أبي شيبة); nobody hears him."""
        again: dict[int, int] = {}
        for i, (node, mention) in enumerate(zip(nodes, mentions, strict=True)):
            term = mention.term.concept if mention.term is not None else _SAID
            if node.form < 0 or node.teachers or node.kin is not None or term != _SAID or not self.names[node.form].bare:
                continue
            name = self.names[node.form]
            fuller = [
                other.form
                for other in nodes[:i]
                if other.first and other.form >= 0 and other.kin is None and name.shortens(self.names[other.form])
            ]
            if len(fuller) == 1:
                again[i] = fuller[0]
        if not again:
            return nodes
        return tuple(
            node._replace(
                form=again.get(i, node.form),
                first=node.first or i in again,
                teachers=tuple(t for t in node.teachers if t not in again),
            )
            for i, node in enumerate(nodes)
        )

    def form(self, mention: NarratorMention) -> int:
        """The number of the name that a mention gives."""
        surface = mention.read_as or mention.surface
        gloss = " ".join(g.text for g in mention.gloss)
        key = (surface, gloss, mention.kin or "")
        number = self._surface_numbers.get(key)
        if number is not None:
            if number >= 0:
                self._spellings[number][surface] = self._spellings[number].get(surface, 0) + 1
            return number
        parts = mention.name
        name = name_of(parts, surface, [g.name for g in mention.gloss if g.name])
        if name.empty:
            self._surface_numbers[key] = -2
            return -2
        number = self._name_numbers.get(name)
        if number is None:
            number = self._name_numbers[name] = len(self.names)
            self.names.append(name)
            self._parts[number], self._spellings[number] = parts, {}
        self._spellings[number][surface] = self._spellings[number].get(surface, 0) + 1
        self._surface_numbers[key] = number
        return number

    def spelled(self, form: int) -> tuple[str, Mapping[str, Any]]:
        """How the texts most often write a name, to be shown, and its parts as written."""
        spellings = self._spellings[form]
        return shown(max(spellings, key=lambda surface: (spellings[surface], surface)), self.names[form]), self._parts[form]

    def mentions(self, chain: int, node: int) -> Iterator[str]:
        """The mentions at a node, in every passage that has the chain: ``bukhari:3661/11-32``."""
        for passage in self.members[chain]:
            spans = self.spans[passage]
            yield f"{passage}/{spans[2 * node]}-{spans[2 * node + 1]}"

    def place_of(self, mention: str) -> tuple[int, int] | None:
        """The chain and node of a mention (``bukhari:3661/11-32``); None where the records have none."""
        passage, _, span = mention.rpartition("/")
        chain = self.passages.get(passage)
        start, _, end = span.partition("-")
        if chain is None or not (start.isdecimal() and end.isdecimal()):
            return None
        spans = self.spans[passage]
        for node in range(len(spans) // 2):
            if spans[2 * node] == int(start) and spans[2 * node + 1] == int(end):
                return chain, node
        return None

    def part(self, passage: str) -> int:
        """The number of a chain that is the passage's alone: its own where no other passage has it, else a new one like it."""
        number = self.passages[passage]
        if len(self.members[number]) == 1:
            return number
        self.members[number].remove(passage)
        self.times[number] -= 1
        self.passages[passage] = len(self.chains)
        self.chains.append(self.chains[number])
        self.times.append(1)
        self.members.append([passage])
        return self.passages[passage]

    def __iter__(self) -> Iterator[tuple[Chain, int]]:
        return zip(self.chains, self.times, strict=True)
