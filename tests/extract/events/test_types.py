"""Every declared event type reads its own examples and none of its counter-examples."""

import pytest

from kg.authority import load
from kg.extract.event_types import EventType, read_classes, read_event_types
from kg.extract.events import EventReader
from kg.extract.naming import Namer
from kg.extract.record import EventReport
from kg.text import Passage, Words, fold

TYPES = read_event_types()


@pytest.fixture(scope="module")
def readers() -> tuple[Namer, EventReader]:
    authority = load()
    return Namer(authority), EventReader(authority)


def read(readers: tuple[Namer, EventReader], text: str) -> tuple[EventReport, ...]:
    namer, reader = readers
    words, passage = Words(text), Passage("t:1", text)
    names = namer.find(words, passage, (), ())
    return reader.read(words, passage, (), (), *names, ())


def name_of(entry: EventType) -> str:
    return f"{entry.file.stem}:{entry.line} {entry.name}"


@pytest.mark.parametrize("entry", TYPES, ids=name_of)
def test_examples_are_read(readers: tuple[Namer, EventReader], entry: EventType) -> None:
    for example in entry.examples:
        reports = [report for report in read(readers, example.text) if report.type == entry.name]
        assert reports, f"{example.text!r} is not read as {entry.name}"
        for role, surface in example.roles.items():
            players = [
                example.text[r.start : r.end] if r.start is not None else r.person
                for report in reports
                for r in report.roles
                if r.role == role
            ]
            assert any(player and fold(surface) in fold(player) for player in players) or _same_person(
                readers, reports, role, surface
            ), f"{example.text!r}: {role} is {players}, not {surface}"


def _same_person(readers: tuple[Namer, EventReader], reports: list[EventReport], role: str, surface: str) -> bool:
    words, passage = Words(surface), Passage("t:2", surface)
    people = {person.person for person in readers[0].find(words, passage, (), ())[0] if person.person}
    return any(r.person in people for report in reports for r in report.roles if r.role == role)


@pytest.mark.parametrize("entry", TYPES, ids=name_of)
def test_counter_examples_are_not_read(readers: tuple[Namer, EventReader], entry: EventType) -> None:
    for text in entry.counter:
        assert entry.name not in {report.type for report in read(readers, text)}, f"{text!r} is read as {entry.name}"


def test_every_type_has_an_example_and_a_class() -> None:
    classes = read_classes()
    with_example = {entry.name for entry in TYPES if entry.examples}
    assert {entry.name for entry in TYPES} <= with_example
    assert with_example <= set(classes)


def test_the_issue_s_types_are_all_declared() -> None:
    declared = {entry.name for entry in TYPES}
    wanted = """Quarrel HarshSpeech Apology Forgiveness RefusalOfForgiveness Reconciliation Journey Hijra StayInCave Pursuit Battle
        Expedition Pledge Treaty Conquest Pilgrimage Embassy Purchase Sale Gift Marriage Divorce Birth Death Burial Conversion Appointment
        BannerBearing Captivity Freeing Illness DreamVision RevelationOfVerse Miracle Asking Teaching PrayerLeading Praise Rebuke"""
    assert set(wanted.split()) <= declared


@pytest.mark.parametrize(
    "text",
    [
        "من حج هذا البيت فلم يرفث",
        "إذا مات أحدكم عرض عليه مقعده",
        "لا يبع بعضكم على بيع بعض",
        "لم يقتل عمر رجلا",
        "فليصل أحدكم ثم ليسأل",
    ],
)
def test_what_is_supposed_forbidden_or_denied_is_not_told(readers: tuple[Namer, EventReader], text: str) -> None:
    assert [report.type for report in read(readers, text) if report.status == "tells"] == []


def test_another_opinion_is_about_the_same_person(readers: tuple[Namer, EventReader]) -> None:
    text = "معاوية بن عامر، حليف لهم، قتله علي بن أبي طالب، ويقال: قتله عكاشة بن محصن"
    killings = [report for report in read(readers, text) if report.type == "Killing"]
    players = [{role.role: text[role.start : role.end] for role in report.roles if role.start is not None} for report in killings]
    assert [player["victim"] for player in players] == ["معاوية بن عامر"] * 2
    assert [player["agent"] for player in players] == ["علي بن أبي طالب", "عكاشة بن محصن"]
