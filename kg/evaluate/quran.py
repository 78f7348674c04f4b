"""Quran citations against gold: references in prose by length, precision in the Sahih, false verses asserted.

Figures are shares between 0 and 1 beside the numbers they were counted from. The rules are those of the gold folder's README:
a reference is right when ``refs[0]`` contains the editor's verse and is no wider than the editor's own or a verse for each three words quoted.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from math import ceil
from pathlib import Path
from typing import Any

from kg.evaluate.gold import GoldError, GoldRow, gold_rows
from kg.extract.quran import QuranFinder
from kg.extract.record import Citation
from kg.text import Passage, Words

__all__ = ["GoldError", "score"]

_FILES = ("prose_spans.jsonl", "hadith_spans.jsonl", "near_quotations.jsonl")
_CERTAIN = 0.9
_COVERS = 0.8


def score(gold_path: Path, *, rows_wrong: bool = False, cache: Path | None = None) -> dict[str, Any]:
    """The scores of the finder on the folder ``gold/quran`` or on one of its files.

    ``prose``: for each length (``1-2``, ``3-5``, ``6+`` words) ``spans``, ``right``, ``share``, ``candidate_share`` (the editor's verse
    is asserted or among the candidates) and, for 1-2 words, the same of spans introduced and unique. ``hadith``: asserted
    citations of three words and more inside marked spans, right ones and ``precision``; ``outside`` are asserted where
    nothing is marked, to be judged by people. ``near``:
    false and true verses, and those that one asserted citation covers over 80 % of, exactly. With ``rows_wrong`` the wrong rows are listed.

    Raises:
        GoldError: the path holds none of the three files, or a row is not JSON.
    """
    paths = [gold_path / name for name in _FILES] if gold_path.is_dir() else [gold_path]
    paths = [path for path in paths if path.name in _FILES and path.is_file()]
    if not paths:
        raise GoldError(f"{gold_path}: name the folder gold/quran or one of {', '.join(_FILES)}")
    finder = QuranFinder.load(cache)
    scores: dict[str, Any] = {}
    wrong: dict[str, list[dict[str, Any]]] = {}
    for path in paths:
        task = path.name.partition("_")[0]
        scores[task], wrong[task] = _TASKS[task](finder, [_numbered(row) for row in gold_rows(path)])
    if rows_wrong:
        scores["rows_wrong"] = wrong
    return scores


def _numbered(row: GoldRow) -> GoldRow:
    row["line"] = row.line
    return row


def _verses(ref: str) -> tuple[int, int, int]:
    """Sura, first and last verse of a reference.

    >>> _verses("96:1-3"), _verses("9:40")
    ((96, 1, 3), (9, 40, 40))
    """
    sura, _, verses = ref.partition(":")
    first, _, last = verses.partition("-")
    return int(sura), int(first), int(last or first)


def _contains(ref: str, sura: int, first: int, last: int) -> bool:
    its_sura, its_first, its_last = _verses(ref)
    return its_sura == sura and its_first <= first and last <= its_last


def _names(ref: str, sura: int, first: int, last: int) -> bool:
    """Whether a reference contains the editor's verse or, where he gives a range, is within it."""
    its_sura, its_first, its_last = _verses(ref)
    return _contains(ref, sura, first, last) or (its_sura == sura and first <= its_first and its_last <= last)


def _width(ref: str) -> int:
    _, first, last = _verses(ref)
    return last - first + 1


def _overlapping(citations: Sequence[Citation], start: int, end: int) -> list[Citation]:
    """The citations that share letters with a span, the one that shares most first."""
    found = [c for c in citations if c.start < end and start < c.end]
    return sorted(found, key=lambda c: -(min(c.end, end) - max(c.start, start)))


def _find(finder: QuranFinder, text: str) -> tuple[Citation, ...]:
    return finder.find(Words(text), Passage("gold:0", text))


def _length(words: int) -> str:
    return "1-2" if words <= 2 else "3-5" if words <= 5 else "6+"


def _share(right: int, of: int) -> float:
    return round(right / of, 4) if of else 0.0


def _prose(finder: QuranFinder, rows: Sequence[Mapping[str, Any]]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    counts: Counter[tuple[str, str]] = Counter()
    wrong = []
    for row in rows:
        citations = _find(finder, row["text"])
        for span in row["spans"]:
            if span["ref"] is None or (span["match"] or 0) < _CERTAIN:
                continue
            ref = (span["ref"]["sura"], span["ref"]["aya_from"], span["ref"]["aya_to"])
            quoted = Words(row["text"][span["start"] : span["end"]])
            length = _length(len(quoted))
            found = _overlapping(citations, span["start"], span["end"])
            allowed = max(ref[2] - ref[1] + 1, ceil(len(quoted) / 3))
            right = bool(found and found[0].refs and _contains(found[0].refs[0], *ref) and _width(found[0].refs[0]) <= allowed)
            candidate = right or any(_names(r, *ref) for c in found[:1] for r in (*c.refs, *c.candidates))
            introduced = length == "1-2" and _introduced_and_unique(finder, row["text"], span["start"], quoted)
            for name in (length, "all", *(("1-2 introduced and unique",) if introduced else ())):
                counts[name, "spans"] += 1
                counts[name, "right"] += right
                counts[name, "candidate"] += candidate
                counts[name, "asserted wrong"] += bool(found and found[0].refs and not right)
            if not right:
                got = [[c.refs[:1], c.candidates[:4], row["text"][c.start : c.end]] for c in found]
                wrong.append(
                    {
                        "line": row["line"],
                        "start": span["start"],
                        "quote": span["quote"],
                        "ref": ref,
                        "found": got,
                        "length": length,
                    }
                )
    scores = {
        name: {
            "spans": counts[name, "spans"],
            "right": counts[name, "right"],
            "share": _share(counts[name, "right"], counts[name, "spans"]),
            "candidate_share": _share(counts[name, "candidate"], counts[name, "spans"]),
            "asserted_wrong": counts[name, "asserted wrong"],
        }
        for name in ("6+", "3-5", "1-2", "1-2 introduced and unique", "all")
    }
    return scores, wrong


def _introduced_and_unique(finder: QuranFinder, text: str, start: int, quoted: Words) -> bool:
    """Whether a formula stands before a short span and its words stand in one place of the Quran only."""
    index = finder.index
    ids = [index.spellings[word] for word in quoted.folded]
    places = index.singles.get(ids[0], []) if len(ids) == 1 else index.places_of_pair(*ids)
    before = Words(text[:start]).folded[-12:]
    introductions = [i for i in finder.introductions.find(before) if i.strength > 1 and len(before) - i.after <= 1]
    return len(places) == 1 and bool(introductions)


def _hadith(finder: QuranFinder, rows: Sequence[Mapping[str, Any]]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    counts: Counter[str] = Counter()
    wrong: list[dict[str, Any]] = []
    for row in rows:
        text = row["text"]
        citations = _find(finder, text)
        for span in row["spans"]:
            if not span["exact_refs"]:
                continue
            counts["spans"] += 1
            found = _overlapping(citations, span["start"], span["end"])
            right = any(c.refs and _among(c.refs[0], span["exact_refs"]) for c in found)
            counts["spans found"] += right
            if not right:
                wrong.append({"line": row["line"], "kind": "missed", "quote": span["quote"], "ref": span["exact_refs"][:3],
                              "found": [[c.refs[:1], text[c.start : c.end]] for c in found]})  # fmt: skip
        for citation in citations:
            if not citation.refs or len(Words(text[citation.start : citation.end])) < 3 or citation.use == "sura-named":
                continue
            spans = [span for span in row["spans"] if span["start"] < citation.end and citation.start < span["end"]]
            if not spans:
                counts["outside"] += 1
                wrong.append({"line": row["line"], "kind": "outside", "found": [citation.refs[0], text[citation.start : citation.end]],
                              "confidence": citation.confidence, "before": text[max(0, citation.start - 40) : citation.start]})  # fmt: skip
                continue
            refs = [ref for span in spans for ref in span["exact_refs"]]
            if not refs:
                counts["in spans without reference"] += 1
                continue
            counts["asserted"] += 1
            right = _among(citation.refs[0], refs)
            counts["right"] += right
            if not right:
                wrong.append(
                    {
                        "line": row["line"],
                        "kind": "wrong",
                        "found": [citation.refs[0], text[citation.start : citation.end]],
                        "ref": refs[:3],
                    }
                )
    scores = {
        "asserted": counts["asserted"],
        "right": counts["right"],
        "precision": _share(counts["right"], counts["asserted"]),
        "outside": counts["outside"],
        "in_spans_without_reference": counts["in spans without reference"],
        "spans": counts["spans"],
        "spans_found": counts["spans found"],
        "recall": _share(counts["spans found"], counts["spans"]),
    }
    return scores, wrong


def _among(ref: str, refs: Sequence[Mapping[str, int]]) -> bool:
    sura, first, last = _verses(ref)
    return any(gold["sura"] == sura and first <= gold["aya_to"] and gold["aya_from"] <= last for gold in refs)


def _near(finder: QuranFinder, rows: Sequence[Mapping[str, Any]]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    counts: Counter[str] = Counter()
    wrong = []
    for row in rows:
        text = row["generated_answer"]
        citations = _find(finder, text)
        for note in row["annotations"]:
            for segment in note["segments"]:
                if segment["type"] != "Ayah" or segment["label"] not in ("correct", "incorrect"):
                    continue
                start, end = segment["span_start"], segment["span_end"]
                kind = "true" if segment["label"] == "correct" else "false"
                covering = [c for c in citations if c.refs and min(c.end, end) - max(c.start, start) >= _COVERS * (end - start)]
                counts[kind] += 1
                counts[kind + " asserted"] += bool(covering)
                exact = [c for c in covering if c.exact]
                counts[kind + " asserted exact"] += bool(exact)
                if (kind == "false" and exact) or (kind == "true" and not covering):
                    wrong.append(
                        {
                            "line": row["line"],
                            "kind": kind,
                            "text": text[start:end],
                            "found": [[c.refs[0], text[c.start : c.end]] for c in exact],
                        }
                    )
    scores = {
        "false": counts["false"],
        "false_asserted_exact": counts["false asserted exact"],
        "false_share": _share(counts["false asserted exact"], counts["false"]),
        "false_asserted_at_all": counts["false asserted"],
        "true": counts["true"],
        "true_asserted": counts["true asserted"],
        "true_share": _share(counts["true asserted"], counts["true"]),
    }
    return scores, wrong


_TASKS = {"prose": _prose, "hadith": _hadith, "near": _near}
