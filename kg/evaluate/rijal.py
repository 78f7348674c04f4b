"""How well the entries of the Taqrib are read: kunya, rank, generation and death year, where the entry's own words say them."""

import re
from collections import Counter
from pathlib import Path
from typing import Any

from kg.authority.model import Year
from kg.evaluate.gold import gold_rows
from kg.extract.rijal_entry import Facts, read_entry
from kg.text import fold

__all__ = ["score"]

_FIELDS = ("kunya", "rank", "tabaqa", "death")


def score(gold_path: Path, *, rows_wrong: bool = False) -> dict[str, Any]:
    """Scores against ``rijal/taqrib_fields.jsonl``.

    For each field: ``rows`` (entries whose words say it), ``right``, ``accuracy``; ``found`` counts the rows where we gave a value.
    A kunya or year is right when it is among those of the gold row; a rank when it opens with the same judgement, word for
    word up to the shorter of both (``rank_whole``: to the last word). With ``rows_wrong`` the wrong rows are listed.
    """
    counts: Counter[str] = Counter()
    wrong: list[dict[str, Any]] = []
    for row in gold_rows(gold_path):
        facts = read_entry(row["text"])
        text = fold(row["text"])
        for field, said, right, ours in (
            ("kunya", _says_kunya(row, text), _kunya_right(row, facts), list(facts.kunya)),
            ("rank", _says_rank(row, text), _rank_right(row, facts), facts.rank),
            ("rank_whole", _says_rank(row, text), _rank_right(row, facts, whole=True), facts.rank),
            ("tabaqa", bool(row["tabaqa_no"]) and fold(row["tabaqa"]) in text, facts.tabaqa == row["tabaqa_no"], facts.tabaqa),
            ("death", _says_death(row, text), _death_right(row, facts.death), _shown(facts.death)),
            ("death_first", _says_death(row, text), _death_right(row, facts.death, others=False), _shown(facts.death)),
        ):
            if not said:
                continue
            counts[f"{field} rows"] += 1
            counts[f"{field} right"] += right
            counts[f"{field} found"] += bool(ours)
            if not right and rows_wrong and field in _FIELDS:
                gold = row["death_raw"] if field == "death" else row["tabaqa_no"] if field == "tabaqa" else row[field]
                wrong.append({"taqrib_no": row["taqrib_no"], "field": field, "ours": ours, "gold": gold, "text": row["text"]})
    figures: dict[str, Any] = {}
    for field in (*_FIELDS, "rank_whole", "death_first"):
        rows = counts[f"{field} rows"]
        figures[field] = {
            "rows": rows,
            "found": counts[f"{field} found"],
            "right": counts[f"{field} right"],
            "accuracy": counts[f"{field} right"] / rows if rows else 0.0,
        }
    return {"task": "rijal", **figures, **({"wrong": wrong} if rows_wrong else {})}


def _names(cell: str | None) -> list[str]:
    return [fold(part).replace(" ", "") for part in re.split(r"[،,]|ويقال\s*:?|وقيل\s*:?", cell or "") if len(part.strip()) > 2]


def _says_kunya(row: dict[str, Any], text: str) -> bool:
    """The entry says a kunya of the gold row: ابو … as a kunya, not as the father's name."""
    tight = text.replace(" ", "")
    for kunya in _names(row["kunya"]):
        forms = (kunya, kunya.replace("ابو", "ابا", 1), kunya.replace("ابو", "بابي", 1))
        if any(form in tight for form in forms):
            return True
    return False


def _kunya_right(row: dict[str, Any], facts: Facts) -> bool:
    ours = {fold(kunya).replace(" ", "") for kunya in facts.kunya}
    return bool(ours & set(_names(row["kunya"])))


def _rank_words(rank: str | None) -> list[str]:
    words = re.sub(r"[^\w ]", " ", fold(rank or "").replace("يء", "ي")).split()
    words = ["بن" if word == "ابن" else word for word in words]
    return [
        word.removeprefix("و") if len(word) > 3 else word for word in words if word not in {"و", "وهو", "كان", "وكان", "يقال"}
    ]


def _says_rank(row: dict[str, Any], text: str) -> bool:
    words = _rank_words(row["rank"])
    return bool(words) and words[0] in {word.removeprefix("و") if len(word) > 3 else word for word in text.split()}


def _rank_right(row: dict[str, Any], facts: Facts, *, whole: bool = False) -> bool:
    gold, ours = _rank_words(row["rank"]), _rank_words(facts.rank)
    if whole:
        return gold == ours
    shorter = min(len(gold), len(ours))
    return shorter > 0 and gold[:shorter] == ours[:shorter]


def _says_death(row: dict[str, Any], text: str) -> bool:
    if not row["death_years"]:
        return False
    words = text.split()
    return any(word.removeprefix("و") in {"مات", "ماتت", "قتل", "توفي", "استشهد", "قتلت"} for word in words) and any(
        word in text for word in ("سنه", "المايه", "المايتين", "بعد ال", "قبل ال", "حدود", "بضع", "مايتين", "بعد ا")
    )


def _death_right(row: dict[str, Any], death: Year | None, *, others: bool = True) -> bool:
    if death is None:
        return False
    gold = set(row["death_years"])
    if "وبضع" in row["death_raw"]:
        gold |= {year + few for year in gold for few in range(3, 10)}
    ours = set(death.alternatives) if others else set()
    for bound in (death.first, death.last):
        if bound is not None:
            ours.add(bound)
    if death.first is not None and death.last is not None:
        ours.update(range(death.first, death.last + 1))
    if death.precision == "after":
        ours.add((death.first or 0) + 1)
    if death.precision == "before":
        ours.add((death.last or 0) - 1)
    return bool(gold & ours)


def _shown(death: Year | None) -> str | None:
    return None if death is None else f"{death.precision} {death.first}-{death.last} {list(death.alternatives)}"
