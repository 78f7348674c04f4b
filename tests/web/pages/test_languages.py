"""Readers of Arabic meet Arabic: whatever the tables may bring has its words in both languages."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from kg.web.languages import messages
from kg.web.phrases import told

TABLES = Path(__file__).parents[3] / "kg" / "extract" / "tables"


def roles(value: Any) -> set[str]:
    """The names of roles in a table of events."""
    found: set[str] = set()
    if isinstance(value, dict):
        for name, inner in value.items():
            found |= set(inner) if name == "roles" and isinstance(inner, dict) else roles(inner)
    elif isinstance(value, list):
        for inner in value:
            found |= roles(inner)
    return found


@pytest.mark.parametrize("language", ["ar", "en"])
def test_every_role_of_the_tables_has_its_word(language: str) -> None:
    tables = [*(TABLES / "event_types").glob("*.toml"), TABLES / "known_events.toml"]
    names = set().union(*(roles(tomllib.loads(path.read_text(encoding="utf-8"))) for path in tables))
    assert len(names) > 20
    assert {name for name in names if "role." + name not in messages(language).keys()} == set()  # noqa: SIM118


def test_both_languages_have_the_same_words() -> None:
    forms = ("_two", "_few")  # which only Arabic has
    arabic, english = ({key for key in messages(name).keys() if not key.endswith(forms)} for name in ("ar", "en"))  # noqa: SIM118
    assert arabic - english == set()
    assert english - arabic == set()


@pytest.mark.parametrize(
    ("english", "arabic"),
    [
        ("pupil of Malik b. Anas in one chain", "روى عن Malik b. Anas في إسناد واحد"),
        ("teacher of Malik b. Anas in 2 chains", "روى عنه Malik b. Anas في إسنادين"),
        ("teacher of Malik b. Anas in 1,103 chains; died before 120", "روى عنه Malik b. Anas في 1,103 أسانيد؛ ت قبل 120 هـ"),
        ("pupil of Malik b. Anas in 2 chains; 37 parallel chains", "روى عن Malik b. Anas في إسنادين؛ الأسانيد الموازية: 37"),
        ("died 120; one parallel chain", "ت 120 هـ؛ إسناد موازٍ واحد"),
        ("the father as the lineage has it; generation 4", "الأب كما في النسب؛ الطبقة 4"),
        ("taqrib; editors", "تقريب التهذيب لابن حجر؛ المحرّرون"),
        ("author (the early: as akhbarana; the later: permission)", "بحسب المصنِّف (المتقدمون: كأخبرنا؛ والمتأخرون: إجازة)"),
        ("Ibn Hisham: هجرة الرسول; al-Bukhari 3906", "سيرة ابن هشام: هجرة الرسول؛ صحيح البخاري 3906"),
    ],
)
def test_sentences_of_the_graph_are_told_in_arabic(english: str, arabic: str) -> None:
    assert told(english, "ar").value == arabic
    assert told(english, "ar").language == "ar"


def test_a_sentence_that_no_row_knows_stays_english_and_is_marked_so() -> None:
    assert told("died 120; by a rule of mine", "ar").language == "en"


def test_the_page_of_an_event_lays_each_passage_once_beside_the_other(client: FlaskClient) -> None:
    page = client.get("/event/quarrel-of-abu-bakr-and-umar.html?lang=ar").get_data(as_text=True)
    assert page.count('class="telling"') == len({*re.findall(r'<h3><a href="/(hadith/[^"]+)"', page)}) > 0
    assert ">with<" not in page
    assert re.search(r"بحسب</span> <a[^>]*><bdi[^>]*>أبي الدرداء<", page)
    assert "أبو الدرداء" in client.get("/person/abu-al-darda.html?lang=ar").get_data(as_text=True)


def test_a_verse_is_called_by_its_sura(client: FlaskClient) -> None:
    assert "سورة التوبة، الآية 40" in client.get("/verse/9/40.html?lang=ar").text
    assert "Quran 9:40 (Repentance)" in client.get("/verse/9/40.html?lang=en").text


def test_every_way_of_receiving_has_its_arabic_word() -> None:
    from kg.tables import read_tsv

    columns = ("concept", "mode", "decides", "role", "forms", "label_ar", "label_en", "source")
    rows = [row for _, row in read_tsv(TABLES / "terms.tsv", columns)]
    assert {
        words for row in rows for words in (row["mode"], row["decides"], row["source"]) if told(words, "ar").language != "ar"
    } == set()


def test_the_page_of_a_term_says_its_mode(client: FlaskClient) -> None:
    page = client.get("/term/haddathana.html?lang=ar").text
    assert "السماع" in page and "طريق التحمل" in page
