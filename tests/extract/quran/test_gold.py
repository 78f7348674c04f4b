"""The scorer, and the bars the finder keeps on the gold that lies beside the checkout."""

import json
from pathlib import Path

import pytest

from kg.evaluate import shared
from kg.evaluate.quran import GoldError, score


def test_a_path_without_gold_is_told(tmp_path: Path) -> None:
    with pytest.raises(GoldError, match=r"name the folder gold/quran or one of prose_spans\.jsonl"):
        score(tmp_path)


def test_a_broken_row_is_told_with_file_and_line(tmp_path: Path, cache: Path) -> None:
    broken = tmp_path / "prose_spans.jsonl"
    broken.write_text('{"text": "قال", "spans": []}\n{\n', encoding="utf-8")
    with pytest.raises(GoldError, match=r"prose_spans\.jsonl:2: not JSON"):
        score(broken, cache=cache)


def test_a_span_is_right_where_the_reference_is_no_wider_than_its_words(tmp_path: Path, cache: Path) -> None:
    text = "قال الله تعالى: قل هو الله أحد، الله الصمد. ثم قال: ألهاكم التكاثر"
    start, end = text.index("قل هو"), text.index(". ثم")
    span = {"start": start, "end": end, "quote": text[start:end], "ref": {"sura": 112, "aya_from": 2, "aya_to": 2}, "match": 1.0}
    row = {"text": text, "spans": [span]}
    gold = tmp_path / "prose_spans.jsonl"
    gold.write_text(json.dumps(row), encoding="utf-8")
    scores = score(gold, rows_wrong=True, cache=cache)
    assert scores["prose"]["6+"]["right"] == scores["prose"]["6+"]["spans"] == 1
    assert scores["rows_wrong"]["prose"] == []


def test_the_bars_of_the_gold_are_kept(cache: Path) -> None:
    folder = shared()
    if folder is None:
        pytest.skip("the folder ../shared with the gold data is not here")
    scores = score(folder / "gold" / "quran", cache=cache)
    prose = scores["prose"]
    assert prose["6+"]["share"] >= 0.985
    assert prose["3-5"]["share"] >= 0.93 and prose["3-5"]["candidate_share"] >= 0.97
    assert prose["1-2"]["share"] >= 0.35 and prose["1-2 introduced and unique"]["share"] >= 0.85
    assert scores["hadith"]["precision"] >= 0.97
    assert scores["near"]["false_share"] <= 0.02
