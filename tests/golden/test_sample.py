"""The three sample passages, complete: every span and every statement was checked by hand.

``expected/*.json`` is what ``kg extract`` prints, without confidences and reasons, which move with the authority. After a change that is
right, write them anew and read the difference letter by letter: ``python tests/golden/test_sample.py``.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from kg.extraction_run import extract_sources
from kg.sources import open_sources

EXPECTED = Path(__file__).parent / "expected"
SHARED_NAMES = ("bazzar-quarrel", "bukhari-3661", "nawawi-abu-bakr")


def plain(value: Any) -> Any:
    """A record without what moves with the authority, and without nulls."""
    if isinstance(value, dict):
        moving = {"confidence", "candidates", "why", "translation", *(["text"] if "narrators" in value else [])}
        return {key: plain(part) for key, part in value.items() if key not in moving and part not in (None, [], {}, "")}
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    return value


def records() -> dict[str, dict[str, Any]]:
    """The records of the sample by id."""
    return {record.passage.id: record.to_json() for record in extract_sources(open_sources("sample"))}


@pytest.fixture(scope="module")
def extracted() -> dict[str, dict[str, Any]]:
    return records()


@pytest.mark.parametrize("path", sorted(EXPECTED.glob("*.json")), ids=lambda path: path.stem)
def test_a_passage_is_read_as_it_was_by_hand(path: Path, extracted: dict[str, dict[str, Any]]) -> None:
    expected = json.loads(path.read_text(encoding="utf-8"))
    assert plain(extracted[expected["id"]]) == expected


def test_each_passage_has_a_golden_file(extracted: dict[str, dict[str, Any]]) -> None:
    assert {json.loads(path.read_text(encoding="utf-8"))["id"] for path in EXPECTED.glob("*.json")} == set(extracted)


def test_every_span_lies_on_the_letters_it_names(extracted: dict[str, dict[str, Any]]) -> None:
    def spans(value: Any) -> Any:
        if isinstance(value, dict):
            if isinstance(value.get("start"), int) and isinstance(value.get("end"), int):
                yield value
            for part in value.values():
                yield from spans(part)
        elif isinstance(value, list):
            for part in value:
                yield from spans(part)

    for record in extracted.values():
        for item in spans(record):
            assert 0 <= item["start"] < item["end"] <= len(record["text"])
            said = item.get("surface", item.get("text"))
            if said is not None and item is not record:
                assert record["text"][item["start"] : item["end"]] == said


def persons(record: dict[str, Any]) -> list[str | None]:
    return [mention["person"] for mention in record["narrators"]]


def test_the_two_isnads_meet_in_sadaqa_b_khalid(extracted: dict[str, dict[str, Any]]) -> None:
    bazzar, bukhari = extracted["bazzar:quarrel"], extracted["bukhari:3661"]
    assert persons(bazzar) == [
        "person/ibrahim-b-hani-al-naysaburi",
        "person/muhammad-b-al-mubarak-al-suri",
        "person/sadaqa-b-khalid",
        "person/zayd-b-waqid",
        "person/busr-b-ubayd-allah",
        "person/abu-idris-al-khawlani",
        "person/abu-al-darda",
    ]
    assert persons(bukhari) == ["person/hisham-b-ammar", *persons(bazzar)[2:]]
    assert [mention["term"]["text"] for mention in bazzar["narrators"]] == ["حَدَّثَنَا", "نَا", "نَا", "حَدَّثَنِي", "عَنْ", "عَنْ", "عَنْ"]


def types(record: dict[str, Any]) -> set[str]:
    return {event["type"] for event in record["events"]}


def test_no_version_tells_a_reconciliation(extracted: dict[str, dict[str, Any]]) -> None:
    for record in extracted.values():
        assert "Reconciliation" not in types(record)


def test_what_the_two_tellings_of_the_quarrel_differ_in(extracted: dict[str, dict[str, Any]]) -> None:
    bazzar, bukhari = extracted["bazzar:quarrel"], extracted["bukhari:3661"]
    assert [place["place"] for place in bazzar["places"]] == ["place/al-baqi"]
    assert bukhari["places"] == []
    assert "Withdrawal" in types(bazzar) and "Withdrawal" not in types(bukhari)
    said = {
        record["id"]: {event["type"]: event["timesSaid"] for event in record["events"] if event["timesSaid"]}
        for record in (bazzar, bukhari)
    }
    assert said["bazzar:quarrel"] == {"PrayerForForgiveness": 3, "Rebuke": 3}
    assert said["bukhari:3661"] == {"PrayerForForgiveness": 3, "Rebuke": 2, "Apology": 2}


def test_umar_withdrew_from_abu_bakr_into_his_house(extracted: dict[str, dict[str, Any]]) -> None:
    (event,) = (event for event in extracted["bazzar:quarrel"]["events"] if event["type"] == "Withdrawal")
    assert {role["role"]: role["person"] for role in event["roles"]}["agent"] == "person/umar-b-al-khattab"


def test_nawawi_cites_9_40_on_exactly_its_words(extracted: dict[str, dict[str, Any]]) -> None:
    record = extracted["nawawi:abu-bakr"]
    (citation,) = record["quran"]
    text = record["text"][citation["start"] : citation["end"]]
    assert citation["refs"] == ["9:40"]
    assert text.startswith("ثاني اثنين") and text.endswith("معنا")


def test_nawawi_lists_where_abu_bakr_was_present(extracted: dict[str, dict[str, Any]]) -> None:
    present = {event["event"] for event in extracted["nawawi:abu-bakr"]["events"] if event["type"] == "Presence"}
    assert present >= {
        "event/battle-of-badr",
        "event/battle-of-uhud",
        "event/battle-of-the-trench",
        "event/pledge-of-ridwan",
        "event/conquest-of-khaybar",
        "event/conquest-of-mecca",
        "event/battle-of-hunayn",
        "event/siege-of-al-taif",
        "event/expedition-of-tabuk",
        "event/farewell-pilgrimage",
    }


def test_the_sale_of_the_saddle_is_told_by_al_bara(extracted: dict[str, dict[str, Any]]) -> None:
    record = extracted["nawawi:abu-bakr"]
    (sale,) = (
        event for event in record["events"] if event["type"] == "Purchase" and event["roles"] and "درهما" in str(event["roles"])
    )
    assert sale["accordingTo"] == "person/al-bara-b-azib"


if __name__ == "__main__":
    for identifier, record in records().items():
        path = EXPECTED / f"{identifier.replace(':', '-')}.json"
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(plain(record), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
