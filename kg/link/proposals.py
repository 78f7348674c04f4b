"""Links proposed for review: a candidate that nothing disproves, with all that was compared. Nothing is accepted here."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from kg.link.candidates import Item, add_reconciled, find_candidates, read_items
from kg.link.features import Feature, compare
from kg.link.subjects import Subject
from kg.link.table import LinkRecord
from kg.link.wikidata import ReconciliationService, Solutions

__all__ = ["HEADER", "Proposal", "propose", "row_of", "write_proposals"]

SUBJECTS_AT_ONCE = 15
HEADER = ("subject", "qid", "predicate", "label_seen", "evidence", "date", "reviewer", "confidence", "status")
_WORTH = {"supports": 1.0, "neutral": 0.0, "contradicts": -1.5}
_STRONG = ("death", "teachers", "students", "coordinates", "father")


@dataclass(frozen=True, slots=True)
class Proposal:
    """An item proposed for a thing of ours; ``score`` orders proposals of one subject and decides nothing."""

    subject: Subject
    item: Item
    features: tuple[Feature, ...]
    score: float

    @property
    def disproved(self) -> bool:
        """Whether one feature alone rules the item out."""
        return any(feature.verdict == "disproves" for feature in self.features)

    @property
    def confidence(self) -> str:
        """``medium`` where a fact beside name and kind speaks for it and none against, else ``low``; never high without a reviewer."""
        strong = any(feature.name in _STRONG and feature.verdict == "supports" for feature in self.features)
        against = any(feature.verdict == "contradicts" for feature in self.features)
        return "medium" if strong and not against else "low"


def _weigh(subject: Subject, item: Item) -> Proposal:
    features = compare(subject, item)
    score = sum(_WORTH.get(feature.verdict, 0.0) * (2.0 if feature.name in _STRONG else 1.0) for feature in features)
    return Proposal(subject, item, features, score)


def propose(
    subjects: Iterable[Subject],
    service: Solutions,
    links: Sequence[LinkRecord],
    *,
    advance: Callable[[int], None] = lambda _: None,
    disproved: list[Proposal] | None = None,
    reconciliation: ReconciliationService | None = None,
) -> Iterator[Proposal]:
    """Proposals subject by subject, the likeliest of each first; what a feature disproves goes to ``disproved``.

    ``reconciliation`` is asked for further candidates.
    Items that another subject is linked to, redirects, and pairs that a reviewer has rejected are not proposed.
    """
    taken = {link.qid for link in links if link.status == "accepted"}
    settled = {(link.subject, link.qid) for link in links}
    waiting = iter(subjects)
    while block := list(islice(waiting, SUBJECTS_AT_ONCE)):
        found = find_candidates(block, service)
        if reconciliation is not None:
            add_reconciled(found, block, reconciliation)
        items = read_items({qid for qids in found.values() for qid in qids}, service)
        for subject in block:
            weighed = [
                _weigh(subject, items[qid])
                for qid in found[subject.key]
                if qid not in taken and (subject.key, qid) not in settled and items[qid].redirect is None
            ]
            for proposal in sorted(weighed, key=lambda one: (-one.score, int(one.item.qid[1:]))):
                if not proposal.disproved:
                    yield proposal
                elif disproved is not None:
                    disproved.append(proposal)
        advance(len(block))


def row_of(proposal: Proposal, date: str, where: str) -> LinkRecord:
    """A proposal as a row of the table of links."""
    label = " / ".join(proposal.item.labels[:2]) or proposal.item.qid
    evidence = f"{where} {date}: " + "; ".join(map(str, proposal.features))
    return LinkRecord(
        proposal.subject.key,
        proposal.item.qid,
        "skos:exactMatch",
        _cell(label),
        _cell(evidence),
        date,
        "kg link",
        proposal.confidence,
        "proposed",
    )


def _cell(text: str) -> str:
    return " ".join(text.split()) or "-"


def write_proposals(rows: Iterable[LinkRecord], path: Path | None = None) -> str:
    """Rows as a table for review, to a file or as text."""
    lines = ["\t".join(HEADER)]
    lines += ["\t".join(getattr(row, name) for name in HEADER) for row in rows]
    text = "\n".join(lines) + "\n"
    if path is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return text
