"""The scores against answers that people gave hold; each test is left out where its gold is not beside the checkout."""

from pathlib import Path

import pytest

from kg.evaluate import boundary, edges, prose_isnad, segmentation, shared

GOLD = shared()
needs_gold = pytest.mark.skipif(GOLD is None, reason="the folder of gold data (../shared) is not there")


@needs_gold
def test_narrator_spans_in_ibn_maja() -> None:
    assert GOLD is not None
    scores = segmentation.score(GOLD / "gold/narrators/segmentation.jsonl")
    assert scores["f1"] > 0.993 and scores["whole_chain"] > 0.95


@needs_gold
def test_where_the_matn_starts_in_al_bukhari() -> None:
    assert GOLD is not None
    scores = boundary.score(GOLD / "gold/isnad/boundary.jsonl", rows_wrong=True)
    assert scores["within_6"] > 0.965
    assert len(scores["rows_wrong"]) == round(scores["rows"] * (1 - scores["right"]))


@needs_gold
def test_isnads_in_prose() -> None:
    assert GOLD is not None
    assert prose_isnad.score(GOLD / "gold/isnad/prose_spans.jsonl")["f1"] > 0.92


def test_edges() -> None:
    scores = edges.score(Path(__file__).parents[3] / "bench/gold/edges.jsonl")
    assert scores["rows"] >= 220  # the two Sahihs are always there
    assert scores["f1"] > 0.97 and scores["whole_graph"] > 0.9
