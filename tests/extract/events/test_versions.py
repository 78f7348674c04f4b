"""What the two versions of the quarrel differ in, as a table."""

from kg.authority import load
from kg.evaluate.event_gold import passages_of
from kg.extract.extractor import Extractor
from kg.identify.events import compare
from kg.sources import open_source

QUARREL = "event/quarrel-of-abu-bakr-and-umar"


def test_the_quarrel_in_two_versions() -> None:
    extractor = Extractor(load())
    reports, texts = {}, {}
    for name in ("sample-bazzar", "sample-bukhari"):
        (passage,) = [p for p in open_source(name).passages() if p.language == "ar"]
        reports[name] = [r for r in extractor.extract(passage).events if r.event == QUARREL or r.type == "Cessation"]
        texts[name] = passage.text
    table = {row.what: row for row in compare(reports, texts)}
    assert (
        table["Rebuke, times said"].said == {"sample-bazzar": ("3",), "sample-bukhari": ("2",)}
        and not table["Rebuke, times said"].agree
    )
    assert table["PrayerForForgiveness, times said"].agree
    assert table["Pursuit, place"].said == {"sample-bazzar": ("place/al-baqi",)}
    assert set(table["Withdrawal"].said) == {"sample-bazzar"} and set(table["Cessation"].said) == {"sample-bukhari"}
    assert table["Apology, times said"].said == {"sample-bukhari": ("2",)}
    assert table["Quarrel, participant"].agree and table["Quarrel, opponent"].agree
    words = table["Testimony, words"].said
    assert "صَدَقْتَ" in words["sample-bazzar"][0] and "صَدَقَ" in words["sample-bukhari"][0] and not table["Testimony, words"].agree
    quarrel = table["Quarrel, words"].said
    assert "عُمَرَ" in quarrel["sample-bazzar"][0] and "ابْنِ الْخَطَّابِ" in quarrel["sample-bukhari"][0]


def test_the_quarrel_in_three_and_four_tellings() -> None:
    """Al-Bukhari 4640 tells it of Umar's shutting his door and Abu Bakr's following him; al-Nawawi quotes 3661."""
    extractor = Extractor(load())
    tellings = {"3661": next(p for p in open_source("sample-bukhari").passages() if p.language == "ar")}
    tellings["bazzar"] = next(p for p in open_source("sample-bazzar").passages() if p.language == "ar")
    tellings["4640"] = next(p for p in open_source("bukhari").passages() if p.id == "bukhari:4640")
    nawawi = next((p for (_, i), p in passages_of(["nawawi"]).items() if i.endswith(":4286")), None)
    if nawawi is not None:  # ../shared is at hand
        tellings["nawawi"] = nawawi
    reports = {name: [r for r in extractor.extract(p).events if r.event == QUARREL] for name, p in tellings.items()}
    table = {row.what: row for row in compare(reports, {name: p.text for name, p in tellings.items()})}
    for what in ("Quarrel, opponent", "Quarrel, participant", "Apology, agent", "Displeasure, agent", "Rebuke, agent"):
        assert table[what].agree, (what, table[what].said)
    assert table["Apology, agent"].said["4640"] == ("person/abu-bakr",)
    assert set(table["Withdrawal"].said) == {"bazzar", "4640"} == set(table["Pursuit"].said)
    assert table["Withdrawal, words"].said["4640"] == ("أَغْلَقَ بَابَهُ",)
    assert "4640" not in table["Plea"].said and "4640" not in table["RequestForForgiveness"].said
