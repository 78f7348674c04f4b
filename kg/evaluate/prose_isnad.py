"""Isnads in running prose of OpenITI books (``gold/isnad/prose_spans.jsonl``), counted by word.

Up to eight words after a gold end are free (the annotators often leave the last narrator out); rows with ``tag_warnings`` and
al-Ya'qubi, whose spans are mostly genealogies, are left out. A text's first line of metadata is read like the rest.
"""

from pathlib import Path
from typing import Any

from kg.evaluate.counts import precision_recall
from kg.evaluate.gold import gold_rows
from kg.extract.isnad import IsnadReader
from kg.text import Passage, Words

__all__ = ["score"]

FREE_AFTER = 8


def score(gold: Path, *, rows_wrong: bool = False) -> dict[str, Any]:
    """Precision, recall and F1 by word, over all books and by book; ``rows_wrong`` adds the spans missed or too many."""
    reader = IsnadReader()
    total = [0, 0, 0]
    books: dict[str, list[int]] = {}
    wrong: list[dict[str, Any]] = []
    for row in gold_rows(gold):
        if row.get("tag_warnings") or "Yacqubi" in row["uri"]:
            continue
        counts, errors = _compare(row, reader)
        book = books.setdefault(row["uri"], [0, 0, 0])
        for k in range(3):
            total[k] += counts[k]
            book[k] += counts[k]
        if rows_wrong:
            wrong.extend(errors)
    result: dict[str, Any] = precision_recall(*total)
    result["books"] = {uri: precision_recall(*counts) for uri, counts in sorted(books.items())}
    if rows_wrong:
        result["rows_wrong"] = wrong
    return result


def _compare(row: dict[str, Any], reader: IsnadReader) -> tuple[tuple[int, int, int], list[dict[str, Any]]]:
    text = row["text"]
    words = Words(text)
    length = len(words)
    arabic = [not word[0].isascii() for word in words.folded]
    gold, free = [False] * length, [False] * length
    for start, end in row["isnads"]:
        first, after = words.at(start), words.at(end - 1) + 1
        for k in range(first, min(after, length)):
            gold[k] = True
        for k in range(after, min(after + FREE_AFTER, length)):
            free[k] = True
    ours = [False] * length
    _, isnads = reader.read(words, Passage(row["uri"], text))
    for isnad in isnads:
        for start, end in isnad.segments:
            for k in range(words.at(start), words.at(end - 1) + 1):
                ours[k] = True
    right = sum(1 for k in range(length) if arabic[k] and gold[k] and ours[k])
    found = sum(1 for k in range(length) if arabic[k] and ours[k] and (gold[k] or not free[k]))
    expected = sum(1 for k in range(length) if arabic[k] and gold[k])
    errors: list[dict[str, Any]] = []
    k = 0
    while k < length:
        kind = "missed" if gold[k] and not ours[k] else "too many" if ours[k] and not gold[k] and not free[k] else ""
        if not kind:
            k += 1
            continue
        first = k
        while k < length and ((gold[k] and not ours[k]) if kind == "missed" else (ours[k] and not gold[k] and not free[k])):
            k += 1
        errors.append(
            {
                "uri": row["uri"],
                "kind": kind,
                "before": " ".join(words.folded[max(0, first - 6) : first]),
                "words": " ".join(words.folded[first:k]),
                "after": " ".join(words.folded[k : k + 6]),
            }
        )
    return (right, found, expected), errors
