"""Named events against the passages that people labelled as telling, alluding to or merely resembling them (gold/events)."""

from pathlib import Path
from typing import Any

from kg.authority import load
from kg.evaluate.event_reports import score_reports
from kg.evaluate.gold import gold_rows
from kg.extract.extractor import Extractor
from kg.text import Passage

__all__ = ["score"]

_EVENTS = {
    "QuarrelAbuBakrUmar": "event/quarrel-of-abu-bakr-and-umar",
    "DisputeOverBanuTamimDelegation": "event/dispute-over-the-banu-tamim-delegation",
    "CaveOfThawr": "event/stay-in-the-cave-of-thawr",
    "BayaOfSaqifa": "event/pledge-at-the-saqifa",
}
_LEFT_OUT = {("BayaOfSaqifa", "7219"), ("BayaOfSaqifa", "2462")}  # the gold's README: the general pledge, the meeting


def score(gold_path: Path, *, rows_wrong: bool = False) -> dict[str, Any]:
    """Precision and recall of the named events, and how many hard negatives were asserted.

    A row of gold/events counts as found where a report of its event tells it; rows labelled ``mention`` count as neither.
    Rows of our own gold (bench/gold/events.jsonl) are scored by report: see ``kg.evaluate.event_reports``.
    """
    rows = list(gold_rows(gold_path))
    if rows and "reports" in rows[0]:
        return score_reports(rows, rows_wrong=rows_wrong)
    extractor = Extractor(load())
    positives = found = negatives = asserted = 0
    wrong: list[dict[str, Any]] = []
    for row in rows:
        number = str(row["number_lk"]).removesuffix(".0")
        if (row["event"], number) in _LEFT_OUT or row["label"] not in ("positive", "negative"):
            continue
        record = extractor.extract(Passage(f"lk:{number}", f"{row['isnad']} {row['matn']}"))
        told = any(report.event == _EVENTS[row["event"]] and report.status == "tells" for report in record.events)
        if row["label"] == "positive":
            positives += 1
            found += told
        else:
            negatives += 1
            asserted += told
        if told != (row["label"] == "positive"):
            wrong.append({"number": number, "event": row["event"], "label": row["label"], "matn": row["matn"][:200]})
    result: dict[str, Any] = {
        "positives": positives,
        "negatives": negatives,
        "recall": round(found / max(1, positives), 4),
        "precision": round(found / max(1, found + asserted), 4),
        "negatives_asserted": asserted,
    }
    if rows_wrong:
        result["wrong"] = wrong
    return result
