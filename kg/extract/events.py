"""Events told in a passage (being built)."""

from collections.abc import Sequence

from kg.authority import Authority
from kg.extract.record import Citation, EventReport, Isnad, NarratorMention, PersonMention, PlaceMention, TimeMention
from kg.text import Passage, Words

__all__ = ["EventReader"]


class EventReader:
    """Reads event reports."""

    def __init__(self, authority: Authority) -> None:
        self.authority = authority

    def read(
        self,
        words: Words,
        passage: Passage,
        narrators: Sequence[NarratorMention],
        isnads: Sequence[Isnad],
        persons: Sequence[PersonMention],
        places: Sequence[PlaceMention],
        times: Sequence[TimeMention],
        quran: Sequence[Citation],
    ) -> tuple[EventReport, ...]:
        """The reports of a passage."""
        return ()
