"""Who acts in a long story without quotation marks: the teller who goes on, a topic far before its verb, two who act together."""

import pytest

from kg.authority import load
from kg.extract.events import EventReader
from kg.extract.extractor import Extractor
from kg.extract.naming import Namer
from kg.text import Passage, Words


@pytest.fixture(scope="module")
def readers() -> tuple[Namer, EventReader]:
    authority = load()
    return Namer(authority), EventReader(authority)


def told(readers: tuple[Namer, EventReader], text: str) -> list[tuple[str, str, str]]:
    """Type, role and player (the key's slug, or the words) of all that is told in a text."""
    namer, reader = readers
    words, passage = Words(text), Passage("t:1", text)
    names = namer.find(words, passage, (), ())
    return [
        (report.type, role.role, role.person.removeprefix("person/") if role.person else text[role.start : role.end])
        for report in reader.read(words, passage, (), (), *names, ())
        for role in report.roles
    ]


def test_the_teller_goes_on_with_he_said(readers: tuple[Namer, EventReader]) -> None:
    text = "فقال له أبو بكر: لا تفعل. قال: ثم خرج عمر إلى مكة، فقدم مكة"
    assert ("Journey", "agent", "umar-b-al-khattab") in told(readers, text)
    assert ("Arrival", "agent", "umar-b-al-khattab") in told(readers, text)


def test_a_topic_stands_far_before_its_verb(readers: tuple[Namer, EventReader]) -> None:
    text = "وكان ربيعة بن حرام من عذرة بن سعد بن زيد قد قدم مكة"
    assert ("Arrival", "agent", "ربيعة بن حرام") in told(readers, text)


def test_he_whom_the_news_reaches_acts_next(readers: tuple[Namer, EventReader]) -> None:
    text = "بلغ عبد الله بن سلام مقدم رسول الله المدينة، فدخل على عمر"
    assert ("Visit", "agent", "abd-allah-b-salam") in told(readers, text)


def test_two_who_are_sent_set_out(readers: tuple[Namer, EventReader]) -> None:
    text = "ثم بعثوا أبا بكر وعمر بن الخطاب، فخرجا حتى قدما مكة"
    travellers = {player for kind, role, player in told(readers, text) if (kind, role) == ("Journey", "agent")}
    assert travellers == {"abu-bakr", "umar-b-al-khattab"}


def test_that_is_no_if(readers: tuple[Namer, EventReader]) -> None:
    text = "قد أمرت أن أستغفر لهم. فانطلق عمر إلى مكة"
    assert ("Journey", "agent", "umar-b-al-khattab") in told(readers, text)


def test_what_he_became_is_not_another_man(readers: tuple[Namer, EventReader]) -> None:
    text = "فلما بلغ عمر وصار رجلا أتى مكة"
    assert ("Arrival", "agent", "رجلا") not in told(readers, text)
    assert ("Arrival", "agent", "umar-b-al-khattab") in told(readers, text)


def test_what_is_asked_for_is_not_told(readers: tuple[Namer, EventReader]) -> None:
    assert "Killing" not in {kind for kind, _, _ in told(readers, "سأل رجل النبي قتله فمنعه")}
    assert ("Killing", "agent", "umar-b-al-khattab") in told(readers, "ثم لقي عمر رجلا فقتله")


def test_a_name_of_no_table_before_a_people(readers: tuple[Namer, EventReader]) -> None:
    assert ("Journey", "agent", "مرحب اليهودي") in told(readers, "خرج مرحب اليهودي من حصنهم")


def test_a_clan_behind_whom_it_bought(readers: tuple[Namer, EventReader]) -> None:
    assert ("Purchase", "buyer", "بنو الحارث بن عامر") in told(readers, "فابتاع خبيبا بنو الحارث بن عامر")


def test_upon_is_no_name(readers: tuple[Namer, EventReader]) -> None:
    assert ("Visit", "host", "abu-said-al-khudri") in told(readers, "دخلت أنا وأبو صرمة على أبي سعيد الخدري")


@pytest.mark.parametrize(
    ("chain", "teller"),
    [("عن هشام عن أبيه", ["person/urwa-b-al-zubayr"]), ("عن هشام بن عامر عن أبيه", []), ("عن سالم بن أبي الجعد عن أبيه", [])],
)
def test_his_father_is_his_alone(chain: str, teller: list[str]) -> None:
    text = f"حدثنا قتيبة حدثنا سفيان {chain} قال بعثني رسول الله صلى الله عليه وسلم إلى أهل نجران"
    record = Extractor(load()).extract(Passage("t:1", text, kind="hadith"))
    assert record.events
    assert [role.person for report in record.events for role in report.roles if role.role == "envoy"] == teller
