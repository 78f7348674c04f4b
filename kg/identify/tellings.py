"""A telling: what is kept of a passage while all passages are compared. Its words as numbered stems, its chains as numbered persons.

A person is the winner among the claims of the pass that decides who is who; a mention it leaves undecided is a node of its own.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from kg.extract.record import NarratorMention, Record
from kg.identify.likeness import Report
from kg.identify.shingles import Stems
from kg.text import Span, Words, fold

__all__ = ["Claims", "Telling", "TellingReader", "Wording", "matn_spans", "passage_key"]

_KUNYA = {"ابا": "ابي", "ابو": "ابي", "وابي": "ابي", "وابو": "ابي"}
_HEARD = 1.5  # bits: a word in more than a third of all reports says nothing
_SHORT = 8  # words of content: a row that points back and has no more of its own is only a chain
_NOTE = 24  # words of content: so much may follow the phrase where the matn begins with it (بهذا الإسناد وزاد …)


class Claims(Protocol):
    """What is asked of the pass that decides who is who."""

    def claims(self, passage_id: str) -> Mapping[int, Sequence[Any]]:
        """The claims about each mention of a passage, by its index; each has ``person`` and ``winner``."""
        ...


@dataclass(frozen=True, slots=True)
class Telling:
    """One passage. ``paths`` are its chains from the collector to the source, as numbers of nodes; ``points_back`` the phrase by which a row
    that has no matn of its own stands for one told before."""

    passage: str
    collection: str
    report: Report
    paths: tuple[tuple[int, ...], ...] = ()
    points_back: str | None = None


def matn_spans(record: Record) -> tuple[Span, ...]:
    """Where the report itself stands: the matns of the isnads, each stretch once; without isnads the whole text.

    What follows a chain that only points back (مثله) is left out where the passage has a matn of its own.

    >>> from kg.text import Passage
    >>> matn_spans(Record(Passage("t:1", "قال رسول الله")))
    (Span(start=0, end=13),)
    """
    found: list[Span] = []
    own = [isnad for isnad in record.isnads if isnad.points_back is None and isnad.matn] or record.isnads
    for start, end in sorted({span for isnad in own for span in isnad.matn}):
        if found and start <= found[-1].end:
            found[-1] = Span(found[-1].start, max(end, found[-1].end))
        else:
            found.append(Span(start, end))
    return tuple(found) or (Span(0, len(record.passage.text)),)


def passage_key(passage_id: str) -> tuple[str, str]:
    """The collection and the number of a passage.

    >>> passage_key("bukhari:3661")
    ('bukhari', '3661')
    """
    collection, _, number = passage_id.partition(":")
    return collection, number or passage_id


@dataclass(frozen=True, slots=True)
class Wording:
    """What is read of a passage from its words alone: numbers of the stems of content in order, their weight, all stems that were heard, and
    the phrase by which it only points back."""

    content: tuple[int, ...]
    weight: float
    words: frozenset[int]
    points_back: str | None = None


class TellingReader:
    """Reads records into tellings; numbers persons and names as they come. ``nodes[n]`` is the key of node ``n``."""

    def __init__(self, stems: Stems, identification: Claims | None = None) -> None:
        self.stems, self.identification = stems, identification
        self.nodes: list[str] = []
        self._numbers: dict[str, int] = {}
        self._names: dict[tuple[str, ...], int] = {}

    def wording(self, record: Record) -> Wording:
        """The words of a record's report; who is who plays no part."""
        text, weights = record.passage.text, self.stems.vocabulary.weights
        folded = [word for start, end in matn_spans(record) for word in Words(text[start:end]).folded]
        told_words = self.stems.formulas.applied(folded)
        stems = [self.stems.vocabulary.number(word) for word in told_words]
        content = tuple([stem for stem in stems if weights[stem] >= Stems.CONTENT])
        words = frozenset([stem for stem in stems if weights[stem] >= _HEARD])
        told = any(isnad.points_back is None and isnad.matn for isnad in record.isnads)
        points_back = None if told else next((isnad.points_back for isnad in record.isnads if isnad.points_back), None)
        if points_back is not None and not _only_points(points_back, folded, told_words, len(content)):
            points_back = None
        return Wording(content, sum([weights[stem] for stem in words]), words, points_back)

    def read(self, record: Record, wording: Wording | None = None) -> Telling:
        """The telling of a record, whose words may have been read before."""
        wording = wording or self.wording(record)
        persons = self._persons(record)
        names = [tuple([_KUNYA.get(word, word) for word in fold(mention.surface).split()]) for mention in record.narrators]
        narrators: set[int] = set()
        ends: list[tuple[str, ...]] = []
        for index, mention in enumerate(record.narrators):
            if not mention.anonymous and (mention.kin is None or index in persons):
                narrators.add(self._name((persons[index],) if index in persons else names[index]))
        for isnad in record.isnads:
            last = isnad.path[-1] if isnad.path else None
            if last is not None and last in persons:
                ends.append((persons[last],))
            elif last is not None and _named(record.narrators[last]) and isnad.points_back is None and names[last]:
                ends.append(names[last])
        report = Report(wording.content, wording.weight, tuple(dict.fromkeys(ends)), frozenset(narrators), wording.words)
        paths = self._paths(record, persons, names)
        return Telling(record.passage.id, record.passage.collection, report, paths, wording.points_back)

    def _persons(self, record: Record) -> dict[int, str]:
        if self.identification is None:
            return {index: mention.person for index, mention in enumerate(record.narrators) if mention.person}
        claims = self.identification.claims(record.passage.id)
        return {index: claim.person for index, made in claims.items() for claim in made if claim.winner}

    def _paths(self, record: Record, persons: Mapping[int, str], names: Sequence[tuple[str, ...]]) -> tuple[tuple[int, ...], ...]:
        collection, number = passage_key(record.passage.id)
        paths = []
        for isnad in record.isnads:
            path: list[int] = []
            for index in isnad.path:
                mention = record.narrators[index]
                if index in persons:
                    key = persons[index]
                elif self.identification is None and _named(mention):
                    key = "name/" + "-".join(names[index])
                else:
                    key = f"mention/{collection}/{number}/{mention.start}-{mention.end}"
                node = self._node(key)
                if path[-1:] != [node]:  # one man named twice running (عن ابن جريج قال ابن جريج) is one
                    path.append(node)
            if path and tuple(path) not in paths:
                paths.append(tuple(path))
        return tuple(paths)

    def _node(self, key: str) -> int:
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self.nodes)
            self.nodes.append(key)
        return number

    def _name(self, name: tuple[str, ...]) -> int:
        return self._names.setdefault(name, len(self._names))


def _only_points(points_back: str, folded: Sequence[str], told: Sequence[str], content: int) -> bool:
    """Whether a matn only points back: it is short, or begins with the phrase and then says what differs. It does not where the phrase stands
    in the author's note after the report (``told`` are the words without it)."""
    phrase = fold(points_back).split()
    if phrase and phrase[0] in folded and phrase[0] not in told:
        return False
    return content <= _SHORT or (content <= _NOTE and bool(phrase) and phrase[0] in folded[:3])


def _named(mention: NarratorMention) -> bool:
    return not mention.anonymous and not mention.collective and mention.kin is None
