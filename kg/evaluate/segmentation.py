"""Narrator spans in Sunan Ibn Maja against links that people set (``gold/narrators/segmentation.jsonl``).

A span is right when it starts and ends on the same words as the gold's, a leading conjunction and a gloss (يعني ابن زيد) in or out
of it. Left out: rows with a tail chain, unnamed narrators on both sides, and what stands after a gap of over 60 characters
between two gold names (names told in a story, which the source tags by whim).
"""

from itertools import pairwise
from pathlib import Path
from typing import Any

from kg.evaluate.counts import precision_recall
from kg.evaluate.gold import gold_rows
from kg.extract.isnad import IsnadReader
from kg.text import Passage, Words

__all__ = ["score"]

STORY_GAP = 60
_UNNAMED = (
    "رجل رجال رجلا رجلين رجلان بعض ناس نفر شيخ شيخا امراه غير عده اناس اشياخ مشيخه جماعه رهط شيوخ من مولي نسوه اصحاب ابن_اخ"
)
UNNAMED = frozenset(_UNNAMED.split())
GLOSS = frozenset(["يعني", "هو", "وهو", "هي", "وهي", "مولي", "مولاه", "صاحب", "زوج", "واسمه", "اسمه", "يقال"])


def score(gold: Path, *, rows_wrong: bool = False) -> dict[str, Any]:
    """Precision, recall and F1 of narrator spans and the share of chains wholly right.

    ``rows_wrong`` adds the rows that are not wholly right, each with the spans missed and the spans too many.
    """
    reader = IsnadReader()
    right = found = expected = whole = rows = 0
    wrong: list[dict[str, Any]] = []
    for row in gold_rows(gold):
        if row.get("tail_chain"):
            continue
        missed, extra, hits = _compare(row, reader)
        rows += 1
        right += hits
        expected += hits + len(missed)
        found += hits + len(extra)
        if not missed and not extra:
            whole += 1
        elif rows_wrong:
            wrong.append({"id": row["id"], "missed": missed, "too_many": extra, "text": row["text"]})
    result: dict[str, Any] = {
        "rows": rows,
        **precision_recall(right, found, expected),
        "whole_chain": whole / rows if rows else 0.0,
    }
    if rows_wrong:
        result["rows_wrong"] = wrong
    return result


def _compare(row: dict[str, Any], reader: IsnadReader) -> tuple[list[str], list[str], int]:
    text = row["text"]
    words = Words(text)
    limit = len(text)
    named = row["narrators"]
    for before, after in pairwise(named):
        if after["start"] - before["end"] > STORY_GAP:
            limit = before["end"]
            break
    gold: dict[int, set[int]] = {}
    for narrator in named:
        if narrator["end"] > limit:
            continue
        first, after = words.at(narrator["start"]), words.at(narrator["end"] - 1) + 1
        if words.folded[first] in UNNAMED or words.folded[first].removeprefix("و") in UNNAMED:
            continue
        ends = {after} | {k for k in range(first + 1, after) if words.folded[k] in GLOSS}
        gold[first] = ends
    mentions, _ = reader.read(words, Passage(row["id"], text))
    extra: list[str] = []
    hits: set[int] = set()
    for mention in mentions:
        if mention.anonymous or mention.start > limit:
            continue
        first, after = words.at(mention.start), words.at(mention.end - 1) + 1
        ends = {after} | {words.at(gloss.end - 1) + 1 for gloss in mention.gloss}
        if first in gold and first not in hits and ends & gold[first]:
            hits.add(first)
        elif words.folded[first] not in UNNAMED:
            extra.append(mention.surface)
    missed = [text[words.starts[first] : words.ends[max(ends) - 1]] for first, ends in gold.items() if first not in hits]
    return missed, extra, len(hits)
