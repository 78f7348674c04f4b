"""Counts made while the graph is written, so that heavy questions of scholars are look-ups: who from whom and how often.

All counts are of passages, each once, however many of its chains say the same; who transmits from whom is also counted by distinct
reports, of which all tellings count as one. Persons and transmissions have a place by frequency too, so that the most frequent are found
without sorting all. They stand in ``graph/statistics``.
"""

from array import array
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any, TypeVar

from kg.authority.model import Authority
from kg.extract.record import Record
from kg.graph.narrators import term_key
from kg.graph.passages import TYPE, book_key, books_of, version_key
from kg.graph.reports import cited_things
from kg.graph.terms import Statements, integer, name
from kg.graph.vocabulary import Vocabulary
from kg.identify.heads import heard_by_author

__all__ = ["Statistics"]

Key = TypeVar("Key")

_COUNT, _STUDENT, _TEACHER = name("sls:count"), name("sls:student"), name("sls:teacher")
_TRANSMISSION, _TALLY, _NARRATED_FROM = name("sls:Transmission"), name("sls:Tally"), name("sls:narratedFrom")
_IN_VERSION, _OF_PERSON, _OF_TERM = name("sls:inVersion"), name("sls:ofPerson"), name("sls:ofTerm")
_OF_ATTRIBUTION, _OF_VERSE, _OF_BOOK = name("sls:ofAttribution"), name("sls:ofVerse"), name("sls:ofBook")
_ATTESTED_IN, _RANK = name("sls:attestedIn"), name("sls:frequencyRank")
_REPORTS, _FIRST, _LAST = name("sls:reportCount"), name("sls:firstPlace"), name("sls:lastPlace")
_OF_VERSION = (
    "passageCount",
    "isnadCount",
    "mentionCount",
    "undecidedMentionCount",
    "anonymousMentionCount",
    "citationCount",
    "eventReportCount",
)


class _Transmission:
    """What is counted of a narrator and the one he transmits from: ``passages`` by number; ``first`` and ``last`` the places of the narrator
    in chains, 1 nearest the author, who has none himself."""

    __slots__ = ("first", "last", "passages", "versions")

    def __init__(self) -> None:
        self.passages = array("I")
        self.versions: set[str] = set()
        self.first = self.last = 0

    def stands(self, place: int) -> None:
        """Counts a place."""
        self.first = min(self.first or place, place)
        self.last = max(self.last, place)


class Statistics:
    """Adds up records one by one; ``things`` gives the counts as statements at the end. Memory grows with the pairs of
    persons, not with the passages."""

    def __init__(self, authority: Authority) -> None:
        self._passages: list[str] = []
        self._books = {book_key(work, number) for work, number in authority.books}
        self._authors = {key: work.author for key, work in authority.works.items() if work.author in authority.persons}
        self.pairs: dict[tuple[str, str], _Transmission] = {}
        self.persons: Counter[tuple[str, str]] = Counter()
        self.mentions: Counter[str] = Counter()
        self.terms: Counter[tuple[str, str]] = Counter()
        self.attributions: Counter[tuple[str, str]] = Counter()
        self.ends: Counter[str] = Counter()
        self.versions: dict[str, Counter[str]] = {}
        self.events: Counter[str] = Counter()
        self.verses: Counter[str] = Counter()
        self.cited: Counter[tuple[str, str]] = Counter()

    def add(self, record: Record, persons: Mapping[int, str]) -> None:
        """One passage; ``persons`` are the persons decided on, by the index of the mention."""
        passage = record.passage
        version = version_key(passage)
        pairs: set[tuple[str, str]] = set()
        terms: set[str] = set()
        anonymous = undecided = 0
        for index, mention in enumerate(record.narrators):
            student = persons.get(index)
            if mention.term is not None and mention.term.concept:
                terms.add(mention.term.concept)
            if student is None:
                anonymous += mention.anonymous
                undecided += not (mention.anonymous or mention.collective)
                continue
            self.mentions[student] += 1
            for received in mention.received_from:
                teacher = persons.get(received)
                if teacher is not None and teacher != student:
                    pairs.add((teacher, student))
        author = self._authors.get(passage.work or "") if passage.kind == "hadith" else None
        if author:
            # The receiver of the first narrator is the author of the collection: nobody in the chain names him.
            pairs.update((teacher, author) for teacher in heard_by_author(record, persons, author))
        self._transmissions(record, pairs, version, persons)
        self.persons.update((version, person) for person in set(persons.values()))
        self.terms.update((version, concept) for concept in terms)
        self.attributions.update((version, level) for level in {isnad.attributed_to for isnad in record.isnads} if level)
        self.ends.update({persons[isnad.path[-1]] for isnad in record.isnads if isnad.path and isnad.path[-1] in persons})
        counts = self.versions.setdefault(version, Counter())
        numbers = (1, len(record.isnads), len(record.narrators), undecided, anonymous, len(record.quran), len(record.events))
        for property_name, number in zip(_OF_VERSION, numbers, strict=True):
            counts[property_name] += number
        self.events.update({report.event for report in record.events if report.event})
        verses = {cited for citation in record.quran for cited in cited_things(citation)}
        self.verses.update(verses)
        self.cited.update((book, verse) for book in books_of(passage, self._books) for verse in verses)

    def _transmissions(self, record: Record, pairs: set[tuple[str, str]], version: str, persons: Mapping[int, str]) -> None:
        number = len(self._passages)
        self._passages.append(Vocabulary.passage(record.passage))
        for pair in pairs:
            found = self.pairs.setdefault(pair, _Transmission())
            found.passages.append(number)
            found.versions.add(version)
        for isnad in record.isnads:
            for place, (student, teacher) in enumerate(pairwise(isnad.path), 1):
                pair = (persons.get(teacher, ""), persons.get(student, ""))
                if pair in pairs:
                    self.pairs[pair].stands(place)

    def things(self, words: Vocabulary, report_of: Mapping[str, str] | None = None) -> Iterator[tuple[str, Statements]]:
        """All counts: transmissions, tallies by version, and the numbers of persons, versions, events and verses. ``report_of`` gives the
        key of the group that a passage's key is in; a passage in none is a report of its own."""
        report_of = report_of or {}
        reports = [report_of.get(passage, passage) for passage in self._passages]
        slug, term = words.slug, words.remembered
        students: dict[str, list[str]] = {}
        teachers: dict[str, list[str]] = {}
        numbers = {pair: (len({reports[n] for n in found.passages}), len(found.passages)) for pair, found in self.pairs.items()}
        ranks = _ranks({pair: (-distinct, -count, pair[1], pair[0]) for pair, (distinct, count) in numbers.items()})
        for (teacher, student), found in self.pairs.items():
            students.setdefault(teacher, []).append(student)
            teachers.setdefault(student, []).append(teacher)
            distinct, count = numbers[teacher, student]
            taught: Statements = [(TYPE, _TRANSMISSION), (_TEACHER, term(teacher)), (_STUDENT, term(student))]
            taught += [(_COUNT, integer(count)), (_REPORTS, integer(distinct)), (_RANK, integer(ranks[teacher, student]))]
            if found.first:
                taught += [(_FIRST, integer(found.first)), (_LAST, integer(found.last))]
            taught += [(_ATTESTED_IN, term(version)) for version in sorted(found.versions)]
            yield f"transmission/{slug(teacher)}/{slug(student)}", taught
        passages: Counter[str] = Counter()
        for (version, person), count in self.persons.items():
            passages[person] += count
            yield (
                f"tally/{slug(version)}/{person}",
                [(TYPE, _TALLY), (_IN_VERSION, term(version)), (_OF_PERSON, term(person)), (_COUNT, integer(count))],
            )
        for (version, concept), count in self.terms.items():
            key = term_key(concept)
            yield (
                f"tally/{slug(version)}/{key}",
                [(TYPE, _TALLY), (_IN_VERSION, term(version)), (_OF_TERM, term(key)), (_COUNT, integer(count))],
            )
        for (version, level), count in self.attributions.items():
            attribution = name(f"sls:{level}")
            yield (
                f"tally/{slug(version)}/attribution/{level}",
                [(TYPE, _TALLY), (_IN_VERSION, term(version)), (_OF_ATTRIBUTION, attribution), (_COUNT, integer(count))],
            )
        for (book, verse), count in self.cited.items():
            yield (
                f"tally/{book}/{verse}",
                [(TYPE, _TALLY), (_OF_BOOK, term(book)), (_OF_VERSE, term(verse)), (_COUNT, integer(count))],
            )
        persons = sorted({*passages, *students, *teachers})
        places = _ranks({person: (-passages[person], person) for person in persons})
        for person in persons:
            said: Statements = [
                (_RANK, integer(places[person])),
                (name("sls:passageCount"), integer(passages[person])),
                (name("sls:mentionCount"), integer(self.mentions[person])),
                (name("sls:teacherCount"), integer(len(teachers.get(person, ())))),
                (name("sls:studentCount"), integer(len(students.get(person, ())))),
            ]
            if person in self.ends:
                said.append((name("sls:lastCount"), integer(self.ends[person])))
            said += [(_NARRATED_FROM, term(teacher)) for teacher in sorted(teachers.get(person, ()))]
            yield person, said
        for version, counts in self.versions.items():
            yield version, [(name(f"sls:{property_name}"), integer(counts[property_name])) for property_name in _OF_VERSION]
        for event, count in self.events.items():
            yield event, [(name("sls:passageCount"), integer(count))]
        for verse, count in self.verses.items():
            yield verse, [(name("sls:passageCount"), integer(count))]


def _ranks(measures: Mapping[Key, tuple[Any, ...]]) -> dict[Key, int]:
    """The place of each key, from 1, by its measure.

    >>> _ranks({"a": (-2,), "b": (-5,)})
    {'b': 1, 'a': 2}
    """
    return {key: place for place, key in enumerate(sorted(measures, key=measures.__getitem__), 1)}
