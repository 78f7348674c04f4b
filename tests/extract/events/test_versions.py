"""What the two versions of the quarrel differ in, as a table."""

from kg.authority import load
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
