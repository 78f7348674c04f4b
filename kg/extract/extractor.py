"""Reading a passage: chains, Quran citations, names, places, times and events, as one ``Record``.

Pure: the tables, the Quran index and the authority come in, keys come out; no file is read while extracting.
"""

from pathlib import Path

from kg.authority.model import Authority, Person
from kg.extract.events import EventReader
from kg.extract.isnad import IsnadReader
from kg.extract.naming import Namer
from kg.extract.quran import QuranFinder
from kg.extract.quran_citer import Citers
from kg.extract.record import PersonMention, Record
from kg.text import Passage, Words

__all__ = ["Extractor"]

_SUCCESSORS = range(2, 6)


class Extractor:
    """Reads passages. Made once (it compiles the tables), used for many; the same passage gives the same record."""

    def __init__(self, authority: Authority, cache: Path | None = None) -> None:
        self.authority = authority
        self.isnads = IsnadReader()
        self.quran = QuranFinder.load(cache)
        self.names = Namer(authority)
        self.events = EventReader(authority)
        ranks = {key: rank for key, person in authority.persons.items() if (rank := _rank(person))}
        self.citers = Citers(ranks, self.isnads.classes.ranks)

    def extract(self, passage: Passage) -> Record:
        """All that is read in a passage. A passage that is not Arabic has an empty record."""
        if passage.language not in ("ar", "und"):
            return Record(passage)
        words = Words(passage.text)
        narrators, isnads = self.isnads.read(words, passage)
        quran = self.quran.find(words, passage)
        persons, places, times = self.names.find(words, passage, narrators, isnads)
        taken = [(citation.start, citation.end) for citation in quran] + [(time.start, time.end) for time in times]
        persons = _names_apart(persons, taken)
        if quran and isnads:
            quoted = {i for citation in quran for i in range(words.at(citation.start), words.at(citation.end - 1) + 1)}
            scene = self.events.scene(words, narrators, isnads, persons, quoted)
            quran = self.citers.named(words, quran, isnads, scene, quoted)
        events = self.events.read(words, passage, narrators, isnads, persons, places, times, quran)
        return Record(passage, narrators, isnads, quran, events, persons, places, times)


def _rank(person: Person) -> str | None:
    """Companion or Successor; the Successors are Ibn Hajar's second to fifth generation (Taqrib, preface)."""
    if person.companion:
        return "companion"
    return "successor" if person.tabaqa_scheme == "taqrib" and person.tabaqa in _SUCCESSORS else None


def _names_apart(persons: tuple[PersonMention, ...], taken: list[tuple[int, int]]) -> tuple[PersonMention, ...]:
    """The persons without unknown ones inside a verse or a time: إن الله معنا and هلال شهر name nobody."""
    return tuple(
        person
        for person in persons
        if person.person is not None or person.candidates or not any(a <= person.start and person.end <= b for a, b in taken)
    )
