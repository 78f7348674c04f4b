"""The reviewed tables of links: who our things are elsewhere, with evidence, and who said so."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from kg.tables import TableError, read_tsv

__all__ = ["ENTITY", "LinkRecord", "identifier_links", "load_links"]

ENTITY = "http://www.wikidata.org/entity/"
STATUSES = ("proposed", "accepted", "rejected")
PREDICATES = ("skos:exactMatch", "skos:closeMatch")

_HERE = Path(__file__).parent
_COLUMNS = ("subject", "qid", "predicate", "label_seen", "evidence", "date", "reviewer", "confidence", "status")
_AUTHORITIES = {
    "viaf": "http://viaf.org/viaf/{}",
    "lccn": "http://id.loc.gov/authorities/names/{}",
    "gnd": "https://d-nb.info/gnd/{}",
}


@dataclass(frozen=True, slots=True)
class LinkRecord:
    """A row of the table: ``subject`` is a key of ours (``person/abu-bakr``), ``qid`` an item of Wikidata."""

    subject: str
    qid: str
    predicate: str
    label_seen: str
    evidence: str
    date: str
    reviewer: str
    confidence: str
    status: str
    line: int = 0

    @property
    def target(self) -> str:
        """The IRI of the item: http, not https, and not the page."""
        return ENTITY + self.qid


def load_links(path: Path | None = None) -> tuple[LinkRecord, ...]:
    """The rows of the table, in order.

    >>> next(link for link in load_links() if link.subject == "person/abu-bakr").target
    'http://www.wikidata.org/entity/Q334923'

    Raises:
        TableError: a row has no evidence, an identifier of another form, a status or predicate that is not known, or a
            subject or item that another accepted row has.
    """
    path = path or _HERE / "links.tsv"
    rows: list[LinkRecord] = []
    subjects: dict[str, int] = {}
    items: dict[str, int] = {}
    for line, row in read_tsv(path, _COLUMNS):
        link = LinkRecord(**{name: row[name] for name in _COLUMNS}, line=line)
        if not re.fullmatch(r"Q[1-9]\d*", link.qid):
            raise TableError(path, line, f"{link.qid!r} is not an item of Wikidata: write it as Q42")
        if link.status not in STATUSES:
            raise TableError(path, line, f"status {link.status!r} is not one of {', '.join(STATUSES)}")
        if link.predicate not in PREDICATES:
            raise TableError(path, line, f"predicate {link.predicate!r} is not one of {', '.join(PREDICATES)}")
        if not link.evidence:
            raise TableError(path, line, "no evidence: say where the identifier was seen beside this label")
        if link.status == "accepted":
            for seen, value in ((subjects, link.subject), (items, link.qid)):
                if value in seen:
                    raise TableError(
                        path, line, f"{value} is already linked in line {seen[value]}: one item a subject, one subject an item"
                    )
                seen[value] = line
        rows.append(link)
    return tuple(rows)


def identifier_links(path: Path | None = None) -> Iterator[tuple[str, str]]:
    """Pairs of a key of ours and the IRI of the same person at VIAF, the Library of Congress or the German National Library.

    Raises:
        TableError: a scheme is not known.
    """
    path = path or _HERE / "identifiers.tsv"
    for line, row in read_tsv(path, ("subject", "scheme", "value", "source")):
        if row["scheme"] not in _AUTHORITIES:
            raise TableError(path, line, f"scheme {row['scheme']!r} is not one of {', '.join(_AUTHORITIES)}")
        yield row["subject"], _AUTHORITIES[row["scheme"]].format(row["value"].replace(" ", ""))
