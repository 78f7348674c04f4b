"""The scorer of identity, on chains of our own whose answers are known."""

import json
from pathlib import Path

import pytest

from kg.evaluate.identity import linked_share, score

CHAINS = {
    "ibnmaja:1": ("حدثنا أبو بكر بن أبي شيبة حدثنا وكيع عن الأعمش عن أبي صالح عن أبي هريرة قال قال رسول الله كذا", [1, 2, 3, 4, 5]),
    "ibnmaja:2": ("حدثنا هشام بن عمار حدثنا مالك عن نافع عن ابن عمر قال قال رسول الله صلى الله عليه وسلم كذا", [6, 7, 8, 9]),
    "ibnmaja:3": ("حدثنا هشام بن عمار حدثنا مالك عن الزهري عن سالم عن أبيه قال قال رسول الله صلى الله عليه وسلم كذا", [6, 7, 10, 11, 9]),
}  # fmt: skip
NAMES = {
    "ibnmaja:1": ["أبو بكر بن أبي شيبة", "وكيع", "الأعمش", "أبي صالح", "أبي هريرة"],
    "ibnmaja:2": ["هشام بن عمار", "مالك", "نافع", "ابن عمر"],
    "ibnmaja:3": ["هشام بن عمار", "مالك", "الزهري", "سالم", "أبيه"],
}


@pytest.fixture()
def gold(tmp_path: Path) -> Path:
    with (
        (tmp_path / "identity.jsonl").open("w", encoding="utf-8") as who,
        (tmp_path / "segmentation.jsonl").open("w", encoding="utf-8") as where,
    ):
        for key, (text, persons) in CHAINS.items():
            narrators, at = [], 0
            for name, person in zip(NAMES[key], persons, strict=True):
                start = text.index(name, at)
                at = start + len(name)
                narrators.append({"start": start, "end": at, "plain": name, "person": person, "known": person != 7})
            who.write(json.dumps({"id": key, "narrators": narrators}, ensure_ascii=False) + "\n")
            where.write(json.dumps({"id": key, "text": text}, ensure_ascii=False) + "\n")
    return tmp_path / "identity.jsonl"


def test_right_chains_score_as_right(gold: Path) -> None:
    figures = score(gold, rows_wrong=True)
    assert figures["own"]["all"]["mentions"] == 14
    assert figures["own"]["all"]["right_best"] == 1.0 and figures["wrong"] == []
    assert figures["own"]["known"]["mentions"] == 12
    assert figures["own"]["abihi"]["mentions"] == 1
    assert figures["gold_spans"]["chains"] == 3


def test_a_person_taken_for_two_is_wrong(gold: Path) -> None:
    rows = [json.loads(line) for line in gold.read_text(encoding="utf-8").splitlines()]
    rows[2]["narrators"][1]["person"] = 99
    gold.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    figures = score(gold, rows_wrong=True)
    assert figures["own"]["all"]["right_best"] == pytest.approx(13 / 14)
    assert len(figures["wrong"]) == 1 and figures["wrong"][0]["name"] == "مالك"


def test_the_share_of_links_with_a_person(gold: Path) -> None:
    from kg.authority import load
    from kg.extract.isnad import IsnadReader
    from kg.extract.record import Record
    from kg.identify.narrators import identify
    from kg.text import Passage, Words

    reader = IsnadReader()
    passages = [Passage(key, text, source="ibn-maja") for key, (text, _) in CHAINS.items()]
    records = [Record(passage, *reader.read(Words(passage.text), passage)) for passage in passages]
    figures = linked_share(records, identify(records, load()), load())
    assert figures["links"] == 14 and figures["linked"] == figures["links"] - figures["open"]
