"""The tables of persons: what they hold, and how they say what is wrong with them."""

from pathlib import Path

import pytest

from kg.authority import load
from kg.authority.persons import read_persons
from kg.tables import TableError

REVIEWED = (
    "slug\ttaqrib_no\tkind\tcompanion\tsex\tname_ar\tname_en\tname_latn\tkunya\tlaqab\tsurfaces\ttabaqa\tdeath\tfather\tsource\n"
)
NUMBERED = "no\tism\tnasab\tkunya\tnisba\tlaqab\tshuhra\tsurfaces\tsex\tcompanion\ttabaqa\tdeath\trank\tbooks\tfather\n"


def _tables(folder: Path, reviewed: str, numbered: str = "") -> Path:
    (folder / "persons_reviewed.tsv").write_text(REVIEWED + reviewed, encoding="utf-8")
    (folder / "persons_taqrib.tsv").write_text(NUMBERED + numbered, encoding="utf-8")
    return folder


def test_the_seed_narrators_carry_their_numbers_and_years() -> None:
    persons = load().persons
    expected = {
        "hisham-b-ammar": (7303, 245),
        "sadaqa-b-khalid": (2911, 171),
        "zayd-b-waqid": (2158, None),
        "busr-b-ubayd-allah": (667, None),
        "abu-idris-al-khawlani": (3115, 80),
        "abu-al-darda": (5228, 32),
        "muhammad-b-al-mubarak-al-suri": (6262, 215),
        "ibrahim-b-hani-al-naysaburi": (None, 265),
        "ibrahim-b-hani-al-jurjani": (None, 301),
    }
    for slug, (number, year) in expected.items():
        person = persons[f"person/{slug}"]
        assert person.taqrib_no == number
        assert (person.death.first if person.death else None) == year


def test_a_reviewed_person_stands_in_the_place_of_the_numbered_entry() -> None:
    persons = load().persons
    assert "person/taqrib-7303" not in persons
    assert persons["person/hisham-b-ammar"].books == ("خ", "4")
    numbers = [person.taqrib_no for person in persons.values() if person.taqrib_no is not None]
    assert len(numbers) == len(set(numbers)) == 8824


def test_keys_are_plain_and_every_row_names_its_source() -> None:
    for key, person in load().persons.items():
        assert key.isascii() and key.startswith("person/") and key == key.lower()
        assert person.source
        assert not person.identifiers or person.source != "editors"


def test_fathers_are_known_and_not_younger_than_their_sons() -> None:
    persons = load().persons
    sons = [person for person in persons.values() if person.father]
    assert len(sons) > 500
    for person in sons:
        father = persons[person.father or ""]
        if person.tabaqa and father.tabaqa and not person.companion and father.kind == "person":
            assert father.tabaqa <= person.tabaqa


def test_the_prophet_is_no_narrator() -> None:
    assert load().persons["person/muhammad"].kind == "prophet"


def test_the_fingerprint_follows_the_tables(tmp_path: Path) -> None:
    first = load(_tables(tmp_path / "a", "") if (tmp_path / "a").mkdir() is None else tmp_path)
    (tmp_path / "b").mkdir()
    second = load(_tables(tmp_path / "b", "zayd\t-\tperson\t-\tm\tزيد بن عمرو\tZayd\tZayd\t-\t-\t-\t-\t-\t-\teditors\n"))
    assert first.fingerprint != second.fingerprint
    assert first.persons == {} and list(second.persons) == ["person/zayd"]


@pytest.mark.parametrize(
    ("reviewed", "said"),
    [
        ("zayd\t9\tperson\t-\tm\tزيد\tZayd\tZayd\t-\t-\t-\t-\t-\t-\teditors\n", "the Taqrib has no entry 9"),
        ("zayd\t-\tperson\t-\tm\tزيد\tZayd\tZayd\t-\t-\t-\t-\tlate\t-\teditors\n", "'late' is no year"),
        ("zayd\t-\tperson\t-\tm\tزيد\tZayd\tZayd\t-\t-\t-\t-\t-\tamr\teditors\n", "the father person/amr is not in the table"),
        ("zayd\t-\tperson\t-\tm\tزيد\tZayd\tZayd\t-\t-\t-\t-\t-\t-\teditors\n" * 2, "person/zayd stands twice"),
        (
            "zayd\t1\tperson\t-\tm\tزيد\tZayd\tZayd\t-\t-\t-\t-\t-\t-\teditors\nbakr\t1\tperson\t-\tm\tبكر\tBakr\tBakr\t-\t-\t-\t-\t-\t-\teditors\n",
            "Taqrib 1 stands twice",
        ),
    ],
)
def test_a_mistake_is_told_with_file_and_line(tmp_path: Path, reviewed: str, said: str) -> None:
    folder = _tables(tmp_path, reviewed, "1\tزيد\tعمرو\t-\t-\t-\t-\t-\t-\t-\t3\t101-110\tثقة\tع\t-\n")
    with pytest.raises(TableError, match=r"persons_reviewed.tsv:\d+: .*" + said):
        read_persons(folder)


def test_readers_see_the_usual_name_and_texts_are_read_with_all_others() -> None:
    persons = load().persons
    expected = {
        "muhammad": "محمد رسول الله ﷺ",
        "abu-bakr": "أبو بكر الصديق",
        "abu-hurayra": "أبو هريرة",
        "al-zuhri": "ابن شهاب الزهري",
        "al-amash": "الأعمش",
        "aisha": "عائشة أم المؤمنين",
    }
    assert {slug: persons[f"person/{slug}"].usual for slug in expected} == expected
    assert persons["person/abu-bakr"].name_ar.startswith("عبد الله بن عثمان")
    assert all(person.usual != person.name_ar for person in persons.values())


def test_further_names_stand_with_the_person_of_the_number(tmp_path: Path) -> None:
    assert "منصور ابن صفية" in load().persons["person/taqrib-6904"].surfaces
    folder = _tables(tmp_path, "", "1\tزيد\tعمرو\t-\t-\t-\t-\t-\t-\t-\t3\t-\tثقة\tع\t-\n")
    (folder / "persons_names.tsv").write_text("taqrib_no\tsurfaces\tsource\n7\tزيد\teditors\n", encoding="utf-8")
    with pytest.raises(TableError, match=r"persons_names.tsv:2: the Taqrib has no entry 7"):
        read_persons(folder)


def test_a_year_that_its_generation_contradicts_stands_with_the_other_century() -> None:
    death = load().persons["person/taqrib-6877"].death  # Makki b. Ibrahim, of the ninth: "115" in the edition
    assert death is not None and death.first is None and death.alternatives == (115, 215)
    marwan = load().persons["person/marwan-b-al-hakam"]
    assert marwan.death is not None and marwan.death.first == 65 and not marwan.companion
