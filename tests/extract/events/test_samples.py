"""The three sample passages, complete: every event, role, place and time that they tell, checked by hand, and nothing that they do not."""

from typing import Any

import pytest

from kg.authority import load
from kg.extract.extractor import Extractor
from kg.extract.record import EventReport, Record
from kg.sources import open_source

QUARREL = "event/quarrel-of-abu-bakr-and-umar"
ABU_BAKR, UMAR, PROPHET = "person/abu-bakr", "person/umar-b-al-khattab", "person/muhammad"
DARDA, AISHA, ASMA = "person/abu-al-darda", "person/aisha", "person/asma-bt-abi-bakr"


@pytest.fixture(scope="module")
def records() -> dict[str, Record]:
    extractor = Extractor(load())
    found = {}
    for name in ("sample-bazzar", "sample-bukhari", "sample-nawawi"):
        (passage,) = [p for p in open_source(name).passages() if p.language == "ar"]
        found[name] = extractor.extract(passage)
    return found


def told(record: Record, type_: str, *, event: str | None = None, words: str | None = None) -> list[EventReport]:
    reports = [r for r in record.events if r.type == type_ and (event is None or r.event == event)]
    if words is not None:
        reports = [r for r in reports if words in record.passage.text[r.start : r.end]]
    return reports


def roles(report: EventReport) -> set[tuple[str, str | None]]:
    return {(role.role, role.person or role.value) for role in report.roles}


QUARREL_IN_BOTH: list[tuple[str, set[tuple[str, str]], str, int | None]] = [
    ("Quarrel", {("participant", ABU_BAKR), ("opponent", UMAR)}, ABU_BAKR, None),
    ("HarshSpeech", {("agent", ABU_BAKR), ("victim", UMAR)}, ABU_BAKR, None),
    ("Regret", {("agent", ABU_BAKR)}, ABU_BAKR, None),
    ("RequestForForgiveness", {("agent", ABU_BAKR), ("granter", UMAR)}, ABU_BAKR, None),
    ("RefusalOfForgiveness", {("agent", UMAR), ("refused", ABU_BAKR)}, ABU_BAKR, None),
    ("Visit", {("agent", ABU_BAKR), ("host", PROPHET)}, ABU_BAKR, None),
    ("PrayerForForgiveness", {("agent", PROPHET), ("beneficiary", ABU_BAKR)}, PROPHET, 3),
    ("Regret", {("agent", UMAR)}, DARDA, None),
    ("Visit", {("agent", UMAR), ("host", ABU_BAKR)}, DARDA, None),
    ("Visit", {("agent", UMAR), ("host", PROPHET)}, DARDA, None),
    ("Displeasure", {("agent", PROPHET)}, DARDA, None),
    ("Plea", {("agent", ABU_BAKR)}, DARDA, None),
    ("Testimony", {("agent", PROPHET), ("person", ABU_BAKR)}, PROPHET, None),
    ("Charity", {("giver", ABU_BAKR), ("recipient", PROPHET)}, PROPHET, None),
]


@pytest.mark.parametrize("source", ["sample-bazzar", "sample-bukhari"])
@pytest.mark.parametrize(("type_", "players", "according_to", "times"), QUARREL_IN_BOTH)
def test_the_quarrel(
    records: dict[str, Record], source: str, type_: str, players: set[tuple[str, Any]], according_to: str, times: int | None
) -> None:
    reports = told(records[source], type_, event=QUARREL)
    fitting = [r for r in reports if roles(r) == players and r.according_to == according_to and r.times_said == times]
    assert fitting, [(roles(r), r.according_to, r.times_said) for r in reports]


def test_what_the_two_versions_of_the_quarrel_differ_in(records: dict[str, Record]) -> None:
    bazzar, bukhari = records["sample-bazzar"], records["sample-bukhari"]
    # only al-Bazzar's has al-Baqi' and Umar shutting himself in his house
    (pursuit,) = told(bazzar, "Pursuit", event=QUARREL)
    assert pursuit.place == "place/al-baqi" and roles(pursuit) == {("pursuer", ABU_BAKR), ("pursued", UMAR)}
    assert told(bazzar, "Withdrawal", event=QUARREL)
    assert not told(bukhari, "Pursuit") and not told(bukhari, "Withdrawal")
    assert "place/al-baqi" not in {place.place for place in bukhari.places} | {r.place for r in bukhari.events}
    # how often it was said
    assert [r.times_said for r in told(bazzar, "Rebuke")] == [3] and [r.times_said for r in told(bukhari, "Rebuke")] == [2]
    assert [r.times_said for r in told(bazzar, "Apology")] == [None] and [r.times_said for r in told(bukhari, "Apology")] == [2]
    for record in (bazzar, bukhari):
        assert {roles(r) == {("agent", ABU_BAKR), ("addressee", PROPHET)} for r in told(record, "Apology")} == {True}
        assert {roles(r) == {("agent", PROPHET)} for r in told(record, "Rebuke")} == {True}
    # nobody hurt him after it: al-Bukhari's alone
    assert told(bukhari, "Cessation") and not told(bazzar, "Cessation")


@pytest.mark.parametrize("source", ["sample-bazzar", "sample-bukhari"])
def test_no_version_tells_a_reconciliation_or_another_event(records: dict[str, Record], source: str) -> None:
    record = records[source]
    assert not told(record, "Reconciliation") and not told(record, "Forgiveness")
    assert {r.event for r in record.events if r.event} == {QUARREL}
    word = "خَامَرَ" if source == "sample-bazzar" else "غَامَرَ"
    at = record.passage.text.index(word)
    assert not [r.type for r in record.events if r.start <= at < r.end]  # غامر is not glossed as a quarrel


NAWAWI: list[tuple[str, str | None, set[tuple[str, str]], str | None]] = [
    ("AskingPermission", "event/hijra", {("agent", PROPHET)}, None),
    ("PermissionToLeave", "event/hijra", {("beneficiary", PROPHET)}, PROPHET),
    (
        "Purchase",
        "event/hijra",
        {("seller", ABU_BAKR), ("buyer", PROPHET), ("goods", "راحلتي هاتين"), ("price", "بالثمن")},
        ABU_BAKR,
    ),
    ("Making", None, {("agent", ASMA), ("piece", "قطعة"), ("source", "نطاقها")}, AISHA),
    ("NameGiving", None, {("named", ASMA), ("name", "ذات النطاق"), ("variant", "ذات النطاقين")}, AISHA),
    ("StayInCave", "event/stay-in-the-cave-of-thawr", {("agent", PROPHET), ("agent", ABU_BAKR)}, AISHA),
    (
        "Companionship",
        "event/hijra",
        {("agent", "person/abd-allah-b-abi-bakr-al-siddiq"), ("host", PROPHET), ("host", ABU_BAKR)},
        AISHA,
    ),
    ("Hijra", "event/hijra", {("agent", PROPHET), ("agent", ABU_BAKR)}, AISHA),
    (
        "Pursuit",
        "event/pursuit-by-suraqa",
        {("pursuer", "person/suraqa-b-malik"), ("pursued", PROPHET), ("pursued", ABU_BAKR)},
        AISHA,
    ),
    ("Mishap", "event/pursuit-by-suraqa", set(), AISHA),
    ("Hijra", "event/hijra", {("agent", ABU_BAKR), ("companion", PROPHET)}, None),
    ("Stay", "event/hijra", {("agent", ABU_BAKR), ("host", PROPHET)}, None),
    ("Praise", None, {("agent", PROPHET), ("praised", ABU_BAKR)}, None),
    ("Appointment", None, {("appointer", PROPHET), ("appointee", ABU_BAKR)}, None),
    ("Hijra", "event/hijra", {("agent", PROPHET), ("agent", ABU_BAKR)}, "person/ibn-ishaq"),
    ("Pledge", "event/second-pledge-of-al-aqaba", {("recipient", PROPHET)}, "person/ibn-ishaq"),
    ("Journey", None, {("agent", PROPHET), ("agent", ABU_BAKR)}, "person/ibn-ishaq"),
    ("Presence", None, {("participant", ABU_BAKR), ("commander", PROPHET), ("consensus", "أهل السير")}, None),
    ("StandingFirm", "event/battle-of-uhud", {("agent", ABU_BAKR), ("commander", PROPHET)}, "person/muhammad-b-sad"),
    ("StandingFirm", "event/battle-of-hunayn", {("agent", ABU_BAKR), ("commander", PROPHET)}, "person/muhammad-b-sad"),
    (
        "Purchase",
        None,
        {("buyer", ABU_BAKR), ("seller", "person/azib-b-al-harith"), ("goods", "رحلا"), ("price", "بثلاثة عشر درهما")},
        "person/al-bara-b-azib",
    ),
    ("Arrival", None, {("agent", ABU_BAKR)}, ABU_BAKR),
]


@pytest.mark.parametrize(("type_", "event", "players", "according_to"), NAWAWI)
def test_al_nawawi_s_passage(
    records: dict[str, Record], type_: str, event: str | None, players: set[tuple[str, Any]], according_to: str | None
) -> None:
    reports = told(records["sample-nawawi"], type_)
    fitting = [r for r in reports if roles(r) == players and r.event == event and r.according_to == according_to]
    assert fitting, [(r.event, roles(r), r.according_to) for r in reports]


def test_the_banner_of_tabuk(records: dict[str, Record]) -> None:
    (banner,) = told(records["sample-nawawi"], "BannerBearing")
    assert roles(banner) == {("appointer", PROPHET), ("appointee", ABU_BAKR), ("banner", "رايته العظمى"), ("colour", "سوداء")}
    assert banner.event == "event/expedition-of-tabuk" and banner.according_to == "person/muhammad-b-sad"


def test_where_and_when(records: dict[str, Record]) -> None:
    record = records["sample-nawawi"]
    cave = told(record, "StayInCave")
    assert {r.place for r in cave} >= {"place/cave-of-thawr"} and not any(r.place_inferred for r in cave)
    assert {r.time.duration for r in cave if r.time} == {"P3D"}
    (with_him,) = told(record, "Stay")
    assert with_him.time is not None and with_him.time.text == "ثلاثة أيام"
    (after_aqaba,) = [r for r in told(record, "Hijra") if r.according_to == "person/ibn-ishaq"]
    assert after_aqaba.time is not None and after_aqaba.time.event == "event/second-pledge-of-al-aqaba"
    assert after_aqaba.time.duration == "P2M" and after_aqaba.time.hijri is None  # months and days, no year
    (set_out,) = [r for r in told(record, "Journey") if r.according_to == "person/ibn-ishaq"]
    assert set_out.time is not None and set_out.time.text == "هلال شهر ربيع الأول"


def test_the_presence_list(records: dict[str, Record]) -> None:
    record = records["sample-nawawi"]
    present = [r for r in told(record, "Presence") if r.event]
    assert [r.event for r in present] == [
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
    ]
    assert {frozenset(roles(r)) for r in present} == {frozenset({("participant", ABU_BAKR), ("commander", PROPHET)})}


@pytest.mark.parametrize("source", ["sample-bazzar", "sample-bukhari", "sample-nawawi"])
def test_every_span_is_the_author_s(records: dict[str, Record], source: str) -> None:
    record = records[source]
    length = len(record.passage.text)
    for report in record.events:
        spans = [(report.start, report.end), *report.evidence, *((r.start, r.end) for r in report.roles if r.start is not None)]
        assert all(0 <= start < (end or 0) <= length for start, end in spans)
        for role in report.roles:
            if role.value is not None and role.start is not None and not role.value.startswith("place/"):
                assert record.passage.text[role.start : role.end] == role.value
    for mention in (*record.persons, *record.places):
        assert record.passage.text[mention.start : mention.end] == mention.surface
    for time in record.times:
        assert record.passage.text[time.start : time.end] == time.text
