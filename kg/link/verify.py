"""Accepted links checked: by themselves (no network), and against a live service or a dated snapshot."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from kg.authority.model import Authority
from kg.link.candidates import Item, accepted_classes, read_items, refused_classes
from kg.link.features import CENTURY, compare, death_years
from kg.link.subjects import subject_of
from kg.link.table import LinkRecord
from kg.link.wikidata import Solutions
from kg.tables import TableError, read_tsv

__all__ = ["Finding", "check_offline", "verify"]

SURAS = 114


@dataclass(frozen=True, slots=True)
class Finding:
    """What is wrong with a link: ``kind`` is a word programs read, ``said`` a sentence."""

    line: int
    subject: str
    qid: str
    kind: str
    said: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.subject} {self.qid}: {self.said}"


def _deaths(path: Path | None = None) -> Mapping[str, int]:
    path = path or Path(__file__).parent / "dates.tsv"
    found = {}
    for line, row in read_tsv(path, ("qid", "death_ce", "source")):
        try:
            found[row["qid"]] = int(row["death_ce"])
        except ValueError:
            raise TableError(path, line, f"death_ce is {row['death_ce']!r}: write a year such as 742") from None
    return found


def check_offline(links: Sequence[LinkRecord], known: Authority, deaths: Mapping[str, int] | None = None) -> list[Finding]:
    """What can be seen without a network: subjects that the authority lacks, dates of death a century apart, rows without date or label.

    Syntax, evidence, and one item a subject are checked where the table is read (``load_links``).
    """
    seen = _deaths() if deaths is None else deaths
    found: list[Finding] = []
    for link in links:
        kind, _, name = link.subject.partition("/")

        def wrong(what: str, said: str, link: LinkRecord = link) -> None:
            found.append(Finding(link.line, link.subject, link.qid, what, said))

        subject = subject_of(link.subject, known, {})
        if subject is None and not (kind == "sura" and name.isdecimal() and 1 <= int(name) <= SURAS):
            wrong("subject", "the authority has no such thing: correct the key")
        if not link.label_seen:
            wrong("label", "no label: say which label the source wrote beside the identifier")
        if not link.date or not link.reviewer:
            wrong("review", "no date or reviewer: say who looked at the evidence, and when")
        if link.confidence not in ("high", "medium", "low"):
            wrong("confidence", f"confidence is {link.confidence!r}: high, medium or low")
        if link.status == "accepted" and link.confidence == "low":
            wrong("confidence", "accepted with low confidence: find a second source, or leave it proposed")
        if subject is not None and subject.death is not None and link.qid in seen and link.status == "accepted":
            first, last = subject.death
            apart = max(first - seen[link.qid], seen[link.qid] - last, 0)
            if apart >= CENTURY:
                wrong("death", f"the item's dead {seen[link.qid]} CE, ours {first}-{last}: not one person")
    return found


def verify(
    links: Iterable[LinkRecord], known: Authority, service: Solutions, *, advance: Callable[[int], None] = lambda _: None
) -> Iterator[Finding]:
    """Accepted links against the service: redirects, deleted items, changed types, deaths, and all else that disproves."""
    accepted = [link for link in links if link.status == "accepted"]
    for start in range(0, len(accepted), 40):
        block = accepted[start : start + 40]
        items = read_items([link.qid for link in block], service)
        for link in block:
            yield from _compare(link, items[link.qid], known)
        advance(len(block))


def _compare(link: LinkRecord, item: Item, known: Authority) -> Iterator[Finding]:
    def finding(kind: str, said: str) -> Finding:
        return Finding(link.line, link.subject, link.qid, kind, said)

    if item.redirect is not None:
        yield finding("redirect", f"the item is merged into {item.redirect}: look at that one and correct the row")
        return
    if not item.exists:
        yield finding("deleted", "nothing is said of the item: it is deleted, or the snapshot lacks it")
        return
    kind = link.subject.partition("/")[0]
    types = set(item.values("types"))
    if types & refused_classes(kind) or (kind in ("person", "sura") and types and not types & accepted_classes(kind)):
        yield finding("type", f"its types are {', '.join(sorted(types))}: not what a {kind} is")
    subject = subject_of(link.subject, known, {})
    if subject is None:
        return
    for feature in compare(subject, item):
        if feature.verdict == "disproves" and feature.name != "kind":
            yield finding(feature.name, f"{feature.name} disproves it: {feature.said}")
        elif feature.name == "death" and feature.verdict == "contradicts" and death_years(item):
            yield finding("death", f"years of death differ: {feature.said}")
