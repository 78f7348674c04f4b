"""What the identity pass answers: for every mention the persons it may be, which of them is asserted, and why."""

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from kg.extract.record import Record
from kg.identify.named_in_text import persons_named

__all__ = ["Claim", "Cluster", "Identification", "Problem"]


class Claim(NamedTuple):
    """One answer to who a mention is. ``status`` is machine, reviewed or rejected; ``winner`` marks the one that is asserted."""

    person: str
    confidence: float
    status: str = "machine"
    method: str = "whole corpus"
    why: str | None = None
    winner: bool = False
    by: str | None = None


@dataclass(frozen=True, slots=True)
class Cluster:
    """A person known from chains only: the fullest name met, its parts, the first mention, how often, and whose relative he is."""

    key: str
    name_ar: str
    first_mention: str
    mentions: int
    ism: str | None = None
    nasab: tuple[str, ...] = ()
    kunya: tuple[str, ...] = ()
    nisba: tuple[str, ...] = ()
    kin: str | None = None
    kin_of: str | None = None

    @property
    def label(self) -> str:
        return self.name_ar


class Problem(NamedTuple):
    """Something a scholar looks for: an impossible link, a generation that jumps, a chain that breaks off.

    ``kind`` is impossible, jump or gap; ``passage`` the passage, ``student`` and ``teacher`` mention indices (None for a gap).
    """

    kind: str
    passage: str
    student: int | None
    teacher: int | None
    what: str


@dataclass(slots=True)
class Identification:
    """The answers for all passages. Claims are made when asked for; what is kept are numbers."""

    clusters: Mapping[str, Cluster]
    problems: tuple[Problem, ...]
    retired: Mapping[str, str | None]
    _answer: Callable[[str], Mapping[int, tuple[Claim, ...]]] = field(repr=False)

    def claims(self, passage_id: str) -> Mapping[int, tuple[Claim, ...]]:
        """The claims about each mention of a passage, by its index, best first; anonymous mentions have none."""
        return self._answer(passage_id)

    def apply(self, record: Record) -> Record:
        """The record with persons, confidences, candidates and reasons filled in."""
        answers = self.claims(record.passage.id)
        if not answers:
            return record
        narrators = []
        for i, mention in enumerate(record.narrators):
            claims = answers.get(i)
            if not claims:
                narrators.append(mention)
                continue
            winner = next((claim for claim in claims if claim.winner), None)
            standing = [claim for claim in claims if claim.status != "rejected"]
            narrators.append(
                dataclasses.replace(
                    mention,
                    person=winner.person if winner else None,
                    confidence=winner.confidence if winner else (standing[0].confidence if standing else 0.0),
                    candidates=tuple((claim.person, claim.confidence) for claim in standing),
                    why=winner.why if winner else (standing[0].why if standing else None),
                    claimed_by=winner.by if winner else None,
                )
            )
        decided = {i: mention.person for i, mention in enumerate(narrators) if mention.person is not None}
        return dataclasses.replace(record, narrators=tuple(narrators), persons=persons_named(record, decided))
