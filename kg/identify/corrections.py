"""Corrections by scholars: what a mention is, who is one, who are two, what is no name. They win over the machine.

A file in CSV or Turtle; docs/corrections.md says how it is written. Each row says who corrects and why.
"""

import codecs
import csv
import dataclasses
import io
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

__all__ = ["Correction", "CorrectionError", "Corrections"]

KINDS = ("is", "is-not", "same", "different", "no-name")
_COLUMNS = ("kind", "subject", "object", "by", "why")
_NAMESPACE = "https://w3id.org/silsila/ontology#"
_PREDICATES = {
    f"{_NAMESPACE}refersTo": "is",
    f"{_NAMESPACE}doesNotReferTo": "is-not",
    "http://www.w3.org/2002/07/owl#sameAs": "same",
    "http://www.w3.org/2002/07/owl#differentFrom": "different",
}


class CorrectionError(ValueError):
    """A file of corrections cannot be used: says where and what to do."""

    def __init__(self, path: Path, line: int | None, message: str) -> None:
        super().__init__(f"{path}:{line}: {message}" if line else f"{path}: {message}")
        self.path, self.line, self.message = path, line, message


@dataclass(frozen=True, slots=True)
class Correction:
    """One correction. ``subject`` is a mention (``mention/bukhari/3661/11-32``) or a person; ``other`` a person."""

    kind: str
    subject: str
    other: str | None
    by: str
    why: str
    line: int | None = None

    @property
    def said(self) -> str:
        """Who corrects and why, as it is shown."""
        return f"{self.why} ({self.by})" if self.why else self.by


@dataclass(slots=True)
class Corrections:
    """The corrections of a file, by what they are about."""

    mentions: dict[str, Correction] = field(default_factory=dict)
    rejected: dict[str, list[Correction]] = field(default_factory=dict)
    same: list[Correction] = field(default_factory=list)
    different: dict[frozenset[str], Correction] = field(default_factory=dict)
    path: Path = Path("corrections")

    @classmethod
    def load(cls, path: Path | None) -> "Corrections":
        """Reads a file in CSV or Turtle (by its ending); None gives no corrections.

        Raises:
            CorrectionError: the file is missing, lacks a column, or a row says something we do not know.
        """
        if path is None:
            return cls()
        corrections = cls(path=path)
        if not path.is_file():
            raise CorrectionError(
                path, None, "no such file of corrections: write it (docs/corrections.md), or take the setting out"
            )
        rows = _turtle(path) if path.suffix in {".ttl", ".nt"} else _csv(path)
        for line, correction in rows:
            corrections._take(path, line, correction)
        corrections._without_circles()
        return corrections

    def readdressed(self, current: Callable[[str], str]) -> "Corrections":
        """The corrections with every person under the address that he has now: a row may name one that a later build retired."""

        def now(row: Correction) -> Correction:
            subject = row.subject if row.subject.startswith("mention/") else current(row.subject)
            return dataclasses.replace(row, subject=subject, other=current(row.other) if row.other else None)

        return Corrections(
            {mention: now(row) for mention, row in self.mentions.items()},
            {mention: [now(row) for row in rows] for mention, rows in self.rejected.items()},
            [now(row) for row in self.same],
            {frozenset({row.subject, row.other or ""}): row for row in map(now, self.different.values())},
            self.path,
        )

    def require(self, known: Callable[[str], bool]) -> None:
        """Refuses the first row that names a person whom nobody knows.

        Raises:
            CorrectionError: with the row's line and what to do.
        """
        rows = [*self.mentions.values(), *(row for rows in self.rejected.values() for row in rows)]
        rows += [*self.same, *self.different.values()]
        for row in sorted(rows, key=lambda row: row.line or 0):
            persons = [row.other] if row.subject.startswith("mention/") else [row.subject, row.other]
            for person in persons:
                if person is not None and not known(person):
                    raise CorrectionError(
                        self.path,
                        row.line,
                        f"nobody is {person}: copy the address from the person's page, or take the row out",
                    )

    def _without_circles(self) -> None:
        """Refuses rows that call two persons one in both directions, or lead on in a circle."""
        leads: dict[str, str] = {}
        for row in self.same:
            path = [row.subject, row.other or ""]
            while path[-1] in leads and leads[path[-1]] not in path[1:]:
                path.append(leads[path[-1]])
                if path[-1] == row.subject:
                    raise CorrectionError(
                        self.path, row.line, f"'same' leads in a circle ({' → '.join(path)}): take one of these rows out"
                    )
            leads[row.subject] = row.other or ""

    def _take(self, path: Path, line: int | None, correction: Correction) -> None:
        kind, subject = correction.kind, correction.subject
        if kind not in KINDS:
            raise CorrectionError(path, line, f"{kind!r} is no kind of correction: write one of {', '.join(KINDS)}")
        about_mention = kind in {"is", "is-not", "no-name"}
        if about_mention and not subject.startswith("mention/"):
            raise CorrectionError(
                path, line, f"{subject!r} is no mention: write mention/source/number/start-end, as its page shows it"
            )
        if not about_mention and not subject.startswith("person/"):
            raise CorrectionError(path, line, f"{subject!r} is no person: write person/…, as the person's page shows it")
        if kind != "no-name" and not (correction.other or "").startswith("person/"):
            raise CorrectionError(path, line, f"{correction.other!r} is no person: write person/…, as the person's page shows it")
        for key in (subject, correction.other or ""):
            if re.search(r"[\s<>\"{}|\\^`]", key):
                raise CorrectionError(path, line, f"{key!r} has a character that no address has: copy it from the page's address")
        if subject == correction.other:
            raise CorrectionError(path, line, f"{subject} stands on both sides: name two persons, or take the row out")
        if not correction.by:
            raise CorrectionError(path, line, "nobody stands behind this correction: fill in the column 'by'")
        if kind == "is-not":
            self.rejected.setdefault(subject, []).append(correction)
        elif about_mention:
            before = self.mentions.get(subject)
            if before is not None and (before.kind, before.other) != (kind, correction.other):
                raise CorrectionError(path, line, f"{subject} was corrected otherwise before: keep one of the two")
            self.mentions[subject] = correction
        elif kind == "same":
            self.same.append(correction)
        else:
            self.different[frozenset({subject, correction.other or ""})] = correction


def _csv(path: Path) -> Iterator[tuple[int, Correction]]:
    """The rows of a table, parted by commas, semicolons or tabs, as spreadsheets in different countries save it."""
    text, before = _without_separator(_read(path))
    header = text.partition("\n")[0]
    reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=max(",;\t", key=header.count))
    names = [(name or "").strip().lower() for name in reader.fieldnames or ()]
    missing = [name for name in _COLUMNS if name not in names]
    if missing:
        raise CorrectionError(path, 1, f"the header lacks the column {missing[0]!r}: it is {','.join(_COLUMNS)}")
    reader.fieldnames = names
    for row in reader:
        line = reader.line_num + before
        if any(cell.strip() for cell in row.pop(None, None) or ()):
            raise CorrectionError(path, line, "the row has more cells than the header: put a reason with a comma in it in quotes")
        cells = {name: (row[name] or "").strip() for name in _COLUMNS}
        if any(cells.values()):
            subject, other = _key(cells["subject"]), _key(cells["object"])
            yield line, Correction(cells["kind"].lower(), subject, other or None, cells["by"], cells["why"], line)


def _read(path: Path) -> str:
    data = path.read_bytes()
    try:
        return data.decode("utf-16" if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else "utf-8-sig")
    except UnicodeDecodeError as error:
        raise CorrectionError(path, None, f"not UTF-8 ({error.reason}): save it as “CSV UTF-8”") from error


def _without_separator(text: str) -> tuple[str, int]:
    """The text without the line ``sep=;`` that Excel may put before the header, and how many lines were taken away."""
    first, _, rest = text.partition("\n")
    return (rest, 1) if first.strip().lower().startswith("sep=") else (text, 0)


def _turtle(path: Path) -> Iterator[tuple[None, Correction]]:
    """Reified statements: ``rdf:subject``, ``rdf:predicate``, ``rdf:object`` with ``dcterms:creator`` and ``rdfs:comment``."""
    from rdflib import RDF, RDFS, Graph, URIRef
    from rdflib.namespace import DCTERMS

    graph = Graph()
    try:
        graph.parse(path, format="turtle")
    except Exception as error:  # rdflib's parsers raise many kinds
        raise CorrectionError(path, getattr(error, "lines", None), f"not Turtle ({error}): correct the file") from error
    for statement in sorted(graph.subjects(RDF.type, RDF.Statement), key=str):
        subject, predicate, other = (graph.value(statement, p) for p in (RDF.subject, RDF.predicate, RDF.object))
        no_name = predicate == RDF.type and other == URIRef(f"{_NAMESPACE}NoName")
        kind = "no-name" if no_name else _PREDICATES.get(str(predicate))
        if kind is None:
            raise CorrectionError(path, None, f"{predicate} is no predicate of a correction: see docs/corrections.md")
        by, why = graph.value(statement, DCTERMS.creator), graph.value(statement, RDFS.comment)
        yield None, Correction(kind, _key(str(subject)), None if no_name else _key(str(other)), str(by or ""), str(why or ""))


def _key(iri: str) -> str:
    """The key in an IRI, or in the address of its page: what stands from ``mention/`` or ``person/`` on.

    >>> _key("https://example.org/person/abu-bakr.html")
    'person/abu-bakr'
    """
    for room in ("mention/", "person/"):
        _, found, rest = iri.rpartition(room)
        if found:
            return room + (rest.removesuffix(".html") if "://" in iri else rest)
    return iri
