"""Who received from whom, on chains read by hand (``bench/gold/edges.jsonl``: references and offsets, no texts).

A row names its passage (``source``, ``id``, ``sha256`` of the text), the mentions in it (``[start, end]``, with ``anonymous``: only the
start counts; with ``optional``: a person told of whom one may or may not count as reached) and the edges between them, student to
teacher. A mention is found when it starts and ends on the same words, a leading conjunction and a gloss in or out of it. What the
reader finds beyond ``read_to`` is not judged. Texts that are not there (sources in ``../shared``) are left out and counted.
"""

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from kg.evaluate import shared
from kg.evaluate.counts import precision_recall
from kg.evaluate.gold import gold_rows
from kg.extract.isnad import IsnadReader
from kg.sources import open_source, open_sources
from kg.text import Passage, Words

__all__ = ["score"]

_FILES = {
    "ibnhisham": "texts/0213IbnHisham.SiraNabawiyya.Shamela0023833-ara1.completed",
    "nawawi": "texts/0676Nawawi.TahdhibAsma.JK001320-ara1",
    "muwatta": "texts/0179MalikIbnAnas.Muwatta.Shamela0028107-ara1.completed",
}
Edge = tuple[int, int]


def score(gold: Path, *, rows_wrong: bool = False) -> dict[str, Any]:
    """Precision, recall and F1 of edges, the share of reports whose whole graph is right, in all and by kind of chain and source."""
    rows = list(gold_rows(gold))
    texts = dict(_texts({row["source"] for row in rows}, {row["sha256"] for row in rows}))
    reader = IsnadReader()
    total = [0, 0, 0, 0, 0]
    parts: dict[str, list[int]] = {}
    wrong: list[dict[str, Any]] = []
    absent = 0
    for row in rows:
        text = texts.get(row["sha256"])
        if text is None:
            absent += 1
            continue
        right, found, expected, errors = _compare(row, text, reader)
        counts = [right, found, expected, not errors, 1]
        for part in (total, parts.setdefault(row["kind"], [0] * 5), parts.setdefault(row["source"], [0] * 5)):
            for k in range(5):
                part[k] += counts[k]
        if errors and rows_wrong:
            wrong.append({"source": row["source"], "id": row["id"], "errors": errors, "text": text[: row["read_to"]]})
    result: dict[str, Any] = {
        **_figures(total),
        "absent": absent,
        "parts": {name: _figures(part) for name, part in sorted(parts.items())},
    }
    if rows_wrong:
        result["rows_wrong"] = wrong
    return result


def _figures(part: list[int]) -> dict[str, Any]:
    return {"rows": part[4], **precision_recall(*part[:3]), "whole_graph": part[3] / part[4] if part[4] else 0.0}


def _texts(sources: set[str], wanted: set[str]) -> Iterator[tuple[str, str]]:
    """The texts asked for, by their hash."""
    folder = shared()
    for source in sorted(sources):
        if source not in ("ibnmaja", *_FILES):
            texts = (passage.text for part in open_sources(source) for passage in part.passages())
        elif folder is None:
            continue
        elif source == "ibnmaja":
            lines = (folder / "gold/narrators/segmentation.jsonl").read_text(encoding="utf-8").splitlines()
            texts = (json.loads(line)["text"] for line in lines)
        else:
            texts = (passage.text for passage in open_source(str(folder / _FILES[source])).passages())
        for text in texts:
            key = hashlib.sha256(text.encode()).hexdigest()
            if key in wanted:
                yield key, text


def _compare(row: dict[str, Any], text: str, reader: IsnadReader) -> tuple[int, int, int, list[str]]:
    words = Words(text)
    mentions, _ = reader.read(words, Passage(row["id"], text))
    starts: dict[int, tuple[int, int, str]] = {}
    for k, (start, end, *flag) in enumerate(row["mentions"]):
        starts[words.at(start)] = (k, words.at(end - 1) + 1, flag[0] if flag else "")
    errors: list[str] = []
    found: dict[int, int] = {}  # mention to gold
    optional: set[int] = set()
    for m, mention in enumerate(mentions):
        if mention.start >= row["read_to"]:
            optional.add(m)
            continue
        here = starts.get(words.at(mention.start))
        ends = {words.at(mention.end - 1) + 1} | {words.at(gloss.end - 1) + 1 for gloss in mention.gloss}
        if here is not None and here[2] == "optional":
            optional.add(m)
        elif here is not None and (here[2] == "anonymous" or here[1] in ends):
            found[m] = here[0]
        else:
            errors.append(f"no narrator: {mention.surface}")
    reached = set(found.values())
    for k, (start, end, *flag) in enumerate(row["mentions"]):
        if k not in reached and "optional" not in flag:
            errors.append(f"not read: {text[start:end]}")
    ours = {
        (found.get(m, -1 - m), found.get(teacher, -1 - teacher))
        for m, mention in enumerate(mentions)
        for teacher in mention.received_from
        if m not in optional and teacher not in optional
    }
    gold = {(student, teacher) for student, teacher in row["edges"]}
    names = [text[start:end] for start, end, *_ in row["mentions"]]
    errors += [f"edge missed: {names[a]} > {names[b]}" for a, b in sorted(gold - ours)]
    errors += [f"edge too many: {_name(names, a)} > {_name(names, b)}" for a, b in sorted(ours - gold)]
    return len(gold & ours), len(ours), len(gold), errors


def _name(names: list[str], k: int) -> str:
    return names[k] if k >= 0 else "?"
