"""Collation: the differences of the two seed tellings, the offsets, and the written forms."""

import xml.etree.ElementTree as ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.extract.isnad import IsnadReader
from kg.extract.record import Record
from kg.identify.collation import Collation, collate
from kg.identify.collation_forms import to_json, to_rows, to_tei
from kg.identify.tellings import matn_spans
from kg.sources import open_source
from kg.text import Words, fold

BAZZAR, BUKHARI = "bazzar:quarrel", "bukhari:3661"


@pytest.fixture(scope="module")
def seeds() -> tuple[Record, Record]:
    reader = IsnadReader()
    passages = [next(open_source(name).passages()) for name in ("sample-bazzar", "sample-bukhari")]
    first, second = [Record(passage, *reader.read(Words(passage.text), passage)) for passage in passages]
    return first, second


@pytest.fixture(scope="module")
def quarrel(seeds: tuple[Record, Record]) -> Collation:
    return collate([(s.passage.id, s.passage.text) for s in seeds], {s.passage.id: matn_spans(s) for s in seeds})


def differences(collation: Collation) -> list[tuple[str | None, ...]]:
    return [
        (place.kind, *(fold(reading.text) if reading else None for reading in place.readings)) for place in collation.differences
    ]


LISTED = [
    ("missing", "فتبعته الي البقيع حتي تحوز بداره مني", None),
    ("changed", "خامر", "غامر"),
    ("missing", "احسبه قال", None),
    ("changed", "عمر", "ابن الخطاب"),
    ("missing", "نعلم اتي رسول الله - صلي الله عليه وسلم", None),
    ("changed", "صدقت", "صدق"),
    ("counted", "ثلاث مرار", "مرتين"),
    ("counted", None, "مرتين"),
    ("added", None, "فما اوذي بعدها"),
]


@pytest.mark.parametrize("difference", LISTED, ids=lambda row: f"{row[0]} {row[1] or row[2]}")
def test_the_listed_differences_of_the_quarrel_all_appear(
    quarrel: Collation, difference: tuple[str, str | None, str | None]
) -> None:
    assert difference in differences(quarrel)


def test_may_god_forgive_you_is_said_three_times_in_both(quarrel: Collation) -> None:
    counts = [[reading and reading.count for reading in place.readings] for place in quarrel.places]
    assert ["3", "3"] in counts
    place = quarrel.places[counts.index(["3", "3"])]
    assert (place.kind, place.detail) == ("changed", "same number")
    counted = [[r and r.count for r in place.readings] for place in quarrel.places if place.kind == "counted"]
    assert counted == [[None, "2"], ["3", "2"]]


def test_no_difference_is_invented(quarrel: Collation) -> None:
    for place in quarrel.differences:
        first, second = place.readings
        if place.kind in ("added", "missing", "moved"):
            assert (first is None) != (second is None)
        elif first is not None and second is not None:
            assert fold(first.text) != fold(second.text), "two readings that are one"
    for place in quarrel.places:
        if place.kind == "agreed" and place.detail is None:
            first, second = place.readings
            assert first is not None and second is not None
            assert Words(first.text).folded == Words(second.text).folded


def test_every_word_stands_in_the_table_once_and_in_the_authors_letters(quarrel: Collation, seeds: tuple[Record, Record]) -> None:
    for w, record in enumerate(seeds):
        text = record.passage.text
        read = [reading for place in quarrel.places if (reading := place.readings[w])]
        assert all(text[reading.start : reading.end] == reading.text for reading in read)
        words = [word for reading in read for word in Words(reading.text).folded]
        assert words == [word for start, end in matn_spans(record) for word in Words(text[start:end]).folded]


def test_a_text_agrees_with_itself() -> None:
    text = "إِنَّ اللَّهَ بَعَثَنِي إِلَيْكُمْ فَقُلْتُمْ كَذَبْتَ"
    assert collate([("a", text), ("b", fold(text))]).differences == ()


def test_what_stands_elsewhere_has_moved() -> None:
    found = collate([("a", "أنا والله يا رسول الله كنت أظلم"), ("b", "يا رسول الله والله أنا كنت أظلم")])
    moved = [place for place in found.places if place.kind == "moved"]
    assert len(moved) == 2
    assert found.places[moved[0].partner or 0] is moved[1] or found.places[moved[1].partner or 0] is moved[0]


def test_three_tellings_share_one_table() -> None:
    found = collate([("a", "فقد خامر"), ("b", "فقد غامر"), ("c", "أما صاحبكم فقد غامر")])
    assert [place.kinds for place in found.places] == [
        ("agreed", "agreed", "added"),
        ("agreed", "agreed", "agreed"),
        ("agreed", "changed", "changed"),
    ]


@settings(max_examples=40)
@given(
    *(st.lists(st.sampled_from("قال فقال النبي رسول الله صدق صدقت ثلاثا مرتين عمر ثم".split()), max_size=14) for _ in range(2))
)
def test_readings_are_the_texts_in_order(one: list[str], other: list[str]) -> None:
    texts = [("a", " ".join(one)), ("b", " ".join(other))]
    found = collate(texts)
    for w, (_, text) in enumerate(texts):
        spans = [(reading.start, reading.end) for place in found.places if (reading := place.readings[w])]
        assert spans == sorted(spans)
        assert [word for start, end in spans for word in text[start:end].split()] == text.split()


def test_two_tellings_with_one_id_are_refused() -> None:
    with pytest.raises(ValueError, match="different ids"):
        collate([("a", "قال"), ("a", "قال")])


def test_written_as_json_and_rows(quarrel: Collation) -> None:
    written = to_json(quarrel)
    assert written["witnesses"] == [BAZZAR, BUKHARI]
    assert len(written["places"]) == len(to_rows(quarrel)) == len(quarrel.places)
    changed = next(place for place in written["places"] if place["detail"] == "one letter")
    assert {name: reading["text"] for name, reading in changed["readings"].items()} == {BAZZAR: "خَامَرَ", BUKHARI: "غَامَرَ"}
    assert changed["kinds"] == {BUKHARI: "changed"}


def test_written_as_tei_it_gives_each_witness_back(quarrel: Collation) -> None:
    root = ElementTree.fromstring(to_tei(quarrel, {BAZZAR: "al-Bazzar", BUKHARI: "al-Bukhari"}))
    tei = "{http://www.tei-c.org/ns/1.0}"
    assert [witness.text for witness in root.iter(f"{tei}witness")] == ["al-Bazzar", "al-Bukhari"]
    paragraph = next(element for element in root.iter(f"{tei}p") if element.find(f"{tei}app") is not None)
    for w, mark in ((0, "#w1"), (1, "#w2")):
        parts = [paragraph.text or ""]
        for app in paragraph:
            parts += [reading.text or "" for reading in app if mark in (reading.get("wit") or "").split()]
            parts.append(app.tail or "")
        expected = [word for place in quarrel.places if (r := place.readings[w]) for word in Words(r.text).folded]
        assert len(Words(" ".join(parts)).folded) == len(expected)
