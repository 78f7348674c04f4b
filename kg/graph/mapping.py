"""From records to statements: every thing read in a passage, with the graph it belongs in."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Protocol

from kg.authority import load
from kg.authority.model import Authority
from kg.extract.record import Record
from kg.graph.authorities import authority_thing
from kg.graph.narrators import claim_statements, isnad_statements, mention_statements
from kg.graph.passages import LABEL, TYPE, book_key, passage_statements
from kg.graph.reports import citation_statements, event_report_statements, naming_statements
from kg.graph.terms import PREFIXES, Statements, name, text
from kg.graph.vocabulary import Vocabulary
from kg.graph.writer import turtle_header, turtle_of
from kg.identify.attribution import attributed
from kg.identify.named_in_text import persons_named

__all__ = ["Claim", "Identification", "Mapper", "Reading", "SourceLike", "record_to_turtle"]


class SourceLike(Protocol):
    """What the graph asks of a source (``kg.sources.Source`` is one)."""

    @property
    def key(self) -> str: ...

    @property
    def collection(self) -> str: ...

    @property
    def title_ar(self) -> str: ...

    @property
    def title_en(self) -> str: ...

    @property
    def licence(self) -> str: ...

    @property
    def licence_note(self) -> str: ...

    @property
    def republishable(self) -> bool: ...

    @property
    def translation_republishable(self) -> bool: ...

    @property
    def work(self) -> str | None: ...


class Claim(NamedTuple):
    """One answer to who a mention is, as the graph asks for it (``kg.identify`` gives its own with these fields)."""

    person: str
    confidence: float
    status: str = "machine"
    method: str = ""
    why: str | None = None
    winner: bool = False


class Identification(Protocol):
    """What the graph asks of the pass that decides who is who."""

    def claims(self, passage_id: str) -> Mapping[int, Sequence[Any]]:
        """The claims about each mention of a passage, by its index."""
        ...


@dataclass(frozen=True, slots=True)
class _OneText:
    """The source of a record that came alone."""

    key: str
    collection: str
    title_ar: str
    title_en: str
    licence: str = ""
    licence_note: str = ""
    republishable: bool = True
    translation_republishable: bool = True
    work: str | None = None


class Reading(NamedTuple):
    """All that a record says: things of the source's graph, claims of the identity graph, the persons decided on, and the record with
    what they complete in it."""

    things: dict[str, Statements]
    claims: list[tuple[str, Statements]]
    persons: dict[int, str]
    record: Record


def record_claims(record: Record) -> dict[int, tuple[Claim, ...]]:
    """The claims a record makes by itself, where no pass over all records has spoken."""
    made: dict[int, tuple[Claim, ...]] = {}
    for index, mention in enumerate(record.narrators):
        if mention.anonymous:
            continue
        found = {person: Claim(person, confidence, method="passage alone") for person, confidence in mention.candidates}
        if mention.person is not None:
            found[mention.person] = Claim(mention.person, mention.confidence, "machine", "passage alone", mention.why, True)
        if found:
            made[index] = tuple(found.values())
    return made


class Mapper:
    """Turns records into statements under one base and one authority."""

    def __init__(self, words: Vocabulary, authority: Authority, identification: Identification | None = None) -> None:
        self.words, self.authority, self.identification = words, authority, identification
        self.books = {book_key(work, number) for work, number in authority.books}
        self.named: dict[str, str] = {}
        """Every person spoken of, with the first letters under which a text spoke of him."""

    def read(self, record: Record, order: int | None, source: SourceLike, labels: tuple[str, str]) -> Reading:
        """Everything one record says; ``order`` is its place in its source, where that is known.

        Two readings of the same words under one key are one thing with both.
        """
        words, passage = self.words, record.passage
        tail = words.tail(passage)
        passage_key = words.passage(passage)
        here = words.term(passage_key)
        open_ = bool(source.republishable)
        keys = [f"mention/{tail}/{mention.start}-{mention.end}" for mention in record.narrators]
        claims = record_claims(record) if self.identification is None else self.identification.claims(passage.id)
        if len(set(keys)) < len(keys):
            # Two readings of one name are one mention: the first that is decided speaks for both.
            claims = _one_for_each(keys, claims)
        persons = {index: claim.person for index, made in claims.items() for claim in made if claim.winner}
        record = replace(record, persons=persons_named(record, persons))
        record = attributed(record, persons, self.authority.persons)
        named = self.named
        for index, made in claims.items():
            for claim in made:
                if claim.person not in named:
                    named[claim.person] = record.narrators[index].surface
        for naming in record.persons:
            if naming.person is not None and naming.person not in named:
                named[naming.person] = naming.surface

        things: dict[str, Statements] = {passage_key: passage_statements(words, passage, order, source, labels, self.books)}

        def put(key: str, statements: Statements) -> None:
            there = things.setdefault(key, statements)
            if there is not statements:
                there += [pair for pair in statements if pair not in there]

        for index, mention in enumerate(record.narrators):
            put(keys[index], mention_statements(words, record, mention, keys, here, persons.get(index), open_))
        for number, isnad in enumerate(record.isnads, 1):
            put(f"isnad/{tail}/{number}", isnad_statements(words, record, isnad, keys, here))
        for citation in record.quran:
            key = f"citation/{tail}/{citation.start}-{citation.end}"
            put(key, citation_statements(words, record, citation, here, open_))
        unique = _numbered(things)
        for report in record.events:
            for key, statements in event_report_statements(words, tail, record, report, here, open_, unique):
                put(key, statements)
        for key, statements in naming_statements(words, tail, record, here, open_):
            put(key, statements)
        return Reading(things, list(claim_statements(words, tail, record, claims, keys)), persons, record)


def _one_for_each(keys: Sequence[str], claims: Mapping[int, Sequence[Any]]) -> dict[int, Sequence[Any]]:
    chosen: dict[str, int] = {}
    for index in sorted(claims, key=lambda index: not any(claim.winner for claim in claims[index])):
        chosen.setdefault(keys[index], index)
    return {index: claims[index] for index in sorted(chosen.values())}


def _numbered(taken: Mapping[str, Any]) -> Callable[[str], str]:
    """Keys for things that may fall on the same words: the second is ``…/12-40.2``."""

    def unique(key: str) -> str:
        candidate, number = key, 1
        while candidate in taken:
            number += 1
            candidate = f"{key}.{number}"
        return candidate

    return unique


def record_to_turtle(record: Record, base: str, authority: Authority | None = None, source: SourceLike | None = None) -> str:
    """One record as readable Turtle, with the names of the persons, places and events it speaks of.

    >>> from kg.authority.model import Authority
    >>> from kg.text import Passage
    >>> record = Record(Passage("bukhari:3661", "عن أنس", kind="hadith"))
    >>> "<hadith/bukhari/3661> a sls:Hadith" in record_to_turtle(record, "https://example.org/", Authority({}, {}, {}, {}, {}))
    True
    """
    authority = load() if authority is None else authority
    words, passage = Vocabulary(base), record.passage
    work = authority.works.get(passage.work or "")
    labels = (work.title_ar, work.title_en) if work else (passage.collection, passage.collection)
    reading = Mapper(words, authority).read(record, None, source or _OneText(passage.source, passage.collection, *labels), labels)
    order = sorted(reading.things, key=lambda key: (_ORDER_OF_KINDS.get(key.partition("/")[0], 9), _spans(key)))
    parts = [turtle_of(words.term(key), reading.things[key]) for key in order]
    parts += [turtle_of(words.term(key), statements) for key, statements in reading.claims]
    spoken_of = {
        value.ttl[1:-1]
        for statements in (*reading.things.values(), *(said for _, said in reading.claims))
        for _, value in statements
        if value.ttl.startswith("<")
    }
    for key in sorted(spoken_of):
        known = authority_thing(words, authority, key)
        if known is not None:
            parts.append(turtle_of(words.term(key), [pair for pair in known if pair[0] in (TYPE, LABEL)]))
    body = "".join(parts)
    used = [prefix for prefix in PREFIXES if f"{prefix}:" in body]
    return turtle_header(words.base, used) + body


_ORDER_OF_KINDS = {
    kind: place for place, kind in enumerate(("hadith", "passage", "isnad", "mention", "citation", "report", "naming", "time"))
}


def _spans(key: str) -> list[tuple[int, str]]:
    """Sorts keys by their numbers, so that a mention at 45 stands before one at 112."""
    import re

    return [(int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"(\d+)", key)]


def bare_person(label: str) -> Statements:
    """A person of whom nothing is known but the name under which a text speaks of him."""
    return [(TYPE, name("sls:Person")), (LABEL, text(label, "ar"))]


def things_of_verses(words: Vocabulary, suras: Sequence[Any], verses: Sequence[Any]) -> Iterator[tuple[str, Statements]]:
    """The suras and verses of the Quran (``kg.extract.quran_text`` gives them), in the Kufan count."""
    from kg.graph.quran import sura_statements, verse_statements

    for sura in suras:
        yield f"sura/{sura.number}", sura_statements(sura)
    for verse in verses:
        yield f"verse/{verse.sura}/{verse.number}", verse_statements(words, verse)
