"""Links for other tools and from them: QuickStatements and SSSOM out, SSSOM and OpenRefine's export in."""

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from kg import __version__
from kg.authority.model import Authority
from kg.link.candidates import read_items
from kg.link.features import compare
from kg.link.subjects import subject_of
from kg.link.table import ENTITY, LinkRecord
from kg.link.wikidata import Solutions
from kg.store.errors import StoreError

__all__ = ["ExchangeError", "Refused", "read_exchange", "to_quickstatements", "to_sssom"]

_SUBJECT_COLUMNS = ("subject_id", "subject", "key", "id", "iri", "uri")
_ITEM_COLUMNS = ("object_id", "qid", "wikidata", "wikidata_id", "match", "matched id", "reconciled id", "item")
_LABEL_COLUMNS = ("object_label", "label", "label_seen", "name", "matched name")
_ITEM = re.compile(r"(?:wd:|wikidata:|https?://(?:www\.)?wikidata\.org/(?:entity|wiki)/)?(Q[1-9]\d*)$")


class ExchangeError(StoreError):
    """A file of links cannot be read: says which, where, and what is expected."""


@dataclass(frozen=True, slots=True)
class Refused:
    """A row that does not become a proposal, and why."""

    line: int
    said: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.said}"


def to_quickstatements(links: Iterable[LinkRecord], base: str) -> str:
    """Statements that tell Wikidata of our accepted persons, places, events and works: exact match (P2888) to our IRI, as QuickStatements' first
    version writes them."""
    rows = [f'{link.qid}\tP2888\t"{base}{link.subject}"' for link in links if link.status == "accepted"]
    return "\n".join(rows) + ("\n" if rows else "")


def to_sssom(links: Iterable[LinkRecord], base: str) -> str:
    """The links that are not rejected as a mapping set of the Simple Standard for Sharing Ontological Mappings."""
    rows = [link for link in links if link.status != "rejected"]
    dates = sorted(link.date for link in rows)
    head = [
        "#curie_map:",
        f"#  silsila: {base}",
        f"#  wd: {ENTITY}",
        "#  skos: http://www.w3.org/2004/02/skos/core#",
        "#  semapv: https://w3id.org/semapv/vocab/",
        f"#mapping_set_id: {base}dataset/links",
        "#license: https://creativecommons.org/publicdomain/zero/1.0/",
        f"#mapping_tool: silsila-kg {__version__}",
        *([f"#mapping_date: {dates[-1]}"] if dates else []),
    ]
    out = io.StringIO()
    columns = (
        "subject_id",
        "predicate_id",
        "object_id",
        "object_label",
        "mapping_justification",
        "mapping_date",
        "confidence",
        "comment",
    )
    writer = csv.writer(out, delimiter="\t", lineterminator="\n")
    writer.writerow(columns)
    for link in rows:
        accepted = link.status == "accepted"
        writer.writerow(
            (
                f"silsila:{link.subject}",
                link.predicate if accepted else "skos:closeMatch",
                f"wd:{link.qid}",
                link.label_seen,
                "semapv:ManualMappingCuration" if accepted else "semapv:LexicalMatching",
                link.date,
                {"high": "0.99", "medium": "0.9"}.get(link.confidence, "0.5"),
                f"{link.status}; {link.evidence}",
            )
        )
    return "\n".join(head) + "\n" + out.getvalue()


def read_exchange(
    path: Path, base: str, known: Authority, links: Sequence[LinkRecord], date: str, service: Solutions | None = None
) -> tuple[list[LinkRecord], list[Refused]]:
    """Links made elsewhere as proposals, each checked as ours are: the subject exists, the identifier is one, neither is linked otherwise, no
    reviewer has rejected the pair and, where ``service`` is given, nothing that it says of the item disproves it.

    Raises:
        ExchangeError: the file has no header with a column for our key and one for the item.
    """
    proposals: list[LinkRecord] = []
    refused: list[Refused] = []
    accepted = {link.subject: link.qid for link in links if link.status == "accepted"}
    taken = {qid: subject for subject, qid in accepted.items()}
    settled = {(link.subject, link.qid): link.status for link in links}
    for line, row in _rows(path):
        key = _key(_cell(row, _SUBJECT_COLUMNS), base)
        match = _ITEM.match(_cell(row, _ITEM_COLUMNS))
        if match is None:
            if _cell(row, _ITEM_COLUMNS):
                refused.append(Refused(line, f"{_cell(row, _ITEM_COLUMNS)!r} is not an item of Wikidata"))
            continue  # not matched there
        qid = match[1]
        if subject_of(key, known, {}) is None and not re.fullmatch(r"sura/(?:[1-9]|[1-9]\d|10\d|11[0-4])", key):
            refused.append(Refused(line, f"{key!r} is not a thing of ours"))
        elif settled.get((key, qid)) == "rejected":
            refused.append(Refused(line, f"{key} {qid} was rejected by a reviewer"))
        elif (key, qid) in settled:
            refused.append(Refused(line, f"{key} {qid} is on file already ({settled[key, qid]})"))
        elif key in accepted:
            refused.append(Refused(line, f"{key} is linked to {accepted[key]}: reject that row first"))
        elif qid in taken:
            refused.append(Refused(line, f"{qid} is linked to {taken[qid]}: one item a subject, one subject an item"))
        else:
            settled[key, qid] = "proposed"
            evidence = f"{path.name} line {line}"
            label = " ".join(_cell(row, _LABEL_COLUMNS).split()) or qid
            proposals.append(LinkRecord(key, qid, "skos:exactMatch", label, evidence, date, path.name, "low", "proposed", line))
    if service is not None and proposals:
        proposals = _compared(proposals, known, service, accepted, refused)
    return proposals, refused


def _compared(
    proposals: Sequence[LinkRecord], known: Authority, service: Solutions, linked: Mapping[str, str], refused: list[Refused]
) -> list[LinkRecord]:
    """The proposals that nothing disproves, with what was compared as evidence."""
    from dataclasses import replace

    items = read_items([link.qid for link in proposals], service)
    kept = []
    for link in proposals:
        item, subject = items[link.qid], subject_of(link.subject, known, linked)
        features = compare(subject, item) if subject is not None else ()
        against = [feature for feature in features if feature.verdict == "disproves"]
        if item.redirect is not None or not item.exists:
            refused.append(
                Refused(link.line, f"{link.qid} is {f'merged into {item.redirect}' if item.redirect else 'not there'}")
            )
        elif against:
            refused.append(Refused(link.line, f"{link.subject} {link.qid}: {against[0]}"))
        else:
            kept.append(
                replace(link, evidence=f"{link.evidence}: " + "; ".join(map(str, features)) if features else link.evidence)
            )
    return kept


def _rows(path: Path) -> list[tuple[int, dict[str, str]]]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise ExchangeError(f"{path} cannot be read ({error}): give a file of UTF-8 text") from None
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip() and not line.startswith("#")]
    if not lines:
        raise ExchangeError(f"{path} is empty: give an export of OpenRefine (CSV or TSV) or a mapping set (SSSOM)")
    delimiter = "\t" if "\t" in lines[0][1] else ";" if lines[0][1].count(";") > lines[0][1].count(",") else ","
    reader = csv.reader((line for _, line in lines), delimiter=delimiter)
    header = [name.strip().lower() for name in next(reader)]
    for wanted, what in ((_SUBJECT_COLUMNS, "our key"), (_ITEM_COLUMNS, "the item of Wikidata")):
        if not set(wanted) & set(header):
            raise ExchangeError(f"{path}:{lines[0][0]}: no column for {what}: name one of {', '.join(wanted)}")
    return [
        (number, dict(zip(header, (cell.strip() for cell in cells), strict=False)))
        for (number, _), cells in zip(lines[1:], reader, strict=True)
    ]


def _cell(row: Mapping[str, str], names: Iterable[str]) -> str:
    return next((row[name] for name in names if row.get(name)), "")


def _key(given: str, base: str) -> str:
    """Our key of an IRI, a CURIE or a key."""
    return given.removeprefix(base).removeprefix("silsila:")
