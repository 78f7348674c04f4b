"""Parallel groups against pairs that a person judged (``bench/gold/parallels.jsonl``: ids and hashes, no texts).

A pair counts as found where both passages stand in one group as tellings of the report itself (not as ``shared-part``). The gold's
grades: ``W`` same wording, ``R`` same report in other words or at other length, ``P`` a part shared, ``S`` same subject or Companion
only, ``F`` formulas only, ``N`` nothing, ``?`` undecided (left out). Rows of the part ``development`` were seen while the weights were
fitted; ``held`` and ``check`` rows were not.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from kg import authority
from kg.evaluate.gold import gold_rows
from kg.extract.isnad import IsnadReader
from kg.extract.record import Record
from kg.identify.narrators import identify
from kg.identify.parallels import Parallels, find_parallels
from kg.sources import open_sources
from kg.text import Words

__all__ = ["read_records", "score", "score_groups"]

_SAME = frozenset("WR")
_FROM_SYSTEM = frozenset(
    ("edge", "group", "short-in-long", "companion", "apart-alike")
)  # strata drawn by what the system makes of them


def read_records(collections: Sequence[str]) -> list[Record]:
    """The chains and matns of the passages of some corpora, by name."""
    reader = IsnadReader()
    return [
        Record(passage, *reader.read(Words(passage.text), passage))
        for name in collections
        for source in open_sources(name)
        for passage in source.passages()
    ]


def score(gold: Path, *, rows_wrong: bool = False, identified: bool = True) -> dict[str, Any]:
    """Precision and recall for "same report" over the gold's pairs, by part and by stratum; reads all books that the gold names.

    ``identified``: narrators are identified first (as in a build); without it names stand for persons, which is faster.
    """
    rows = list(gold_rows(gold))
    named = {row[side].partition(":")[0] for row in rows for side in ("a", "b")}
    records = read_records([name for name in _BOOKS if name in named])
    identification = identify(records, authority.load()) if identified else None
    texts = {record.passage.id: record.passage.text for record in records}
    found = find_parallels(records, identification)
    return score_groups(rows, found, texts, rows_wrong=rows_wrong)


_BOOKS = ("bukhari", "muslim", "abu-dawud", "tirmidhi", "nasai", "ibn-maja", "darimi", "ahmad", "muwatta")


def score_groups(
    rows: Sequence[Mapping[str, Any]], found: Parallels, texts: Mapping[str, str], *, rows_wrong: bool = False
) -> dict[str, Any]:
    """The scores of groups already found; rows whose text is another than the one judged are counted apart."""
    told = {passage: group.key for group in found.groups for passage in group.passages}
    parts: dict[str, _Count] = {}
    wrong: list[dict[str, Any]] = []
    changed = 0
    for row in rows:
        if row["grade"] == "?":
            continue
        if not all(_is_text(texts.get(row[side]), row[f"{side}_sha256"]) for side in ("a", "b")):
            changed += 1
            continue
        ours = row["a"] in told and told[row["a"]] == told.get(row["b"])
        theirs = row["grade"] in _SAME
        for name in _parts(row):
            parts.setdefault(name, _Count()).add(ours, theirs)
        if ours != theirs and rows_wrong and row["part"] == "development":
            wrong.append({"a": row["a"], "b": row["b"], "grade": row["grade"], "found": ours})
    scores: dict[str, Any] = {name: count.scores() for name, count in sorted(parts.items())}
    scores["rows_with_another_text"] = changed
    if rows_wrong:
        scores["wrong"] = wrong
    return scores


def _parts(row: Mapping[str, Any]) -> Iterator[str]:
    drawn = f"drawn from the system ({row['stratum']})" if row["stratum"] in _FROM_SYSTEM else "drawn apart from the system"
    yield f"{drawn}, {row['part']}"
    yield f"{drawn}, all"
    if drawn.startswith("drawn apart"):
        yield f"grade {row['grade']}"


def _is_text(text: str | None, digest: str) -> bool:
    return text is not None and hashlib.sha256(text.encode()).hexdigest() == digest


class _Count:
    """Pairs found and right, found and wrong, missed, and rightly left apart."""

    def __init__(self) -> None:
        self.right = self.wrong = self.missed = self.apart = 0

    def add(self, ours: bool, theirs: bool) -> None:
        self.right += ours and theirs
        self.wrong += ours and not theirs
        self.missed += theirs and not ours
        self.apart += not ours and not theirs

    def scores(self) -> dict[str, Any]:
        found, true = self.right + self.wrong, self.right + self.missed
        return {
            "pairs": self.right + self.wrong + self.missed + self.apart,
            "precision": self.right / found if found else 1.0,
            "recall": self.right / true if true else 1.0,
            "found_wrongly": self.wrong,
            "missed": self.missed,
        }
