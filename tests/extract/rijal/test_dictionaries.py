"""Files of biographical dictionaries: entries, numbers, cross-references, lives in prose."""

from kg.authority import load
from kg.authority.model import Person
from kg.evaluate import shared
from kg.extract.rijal import persons, read_dictionary
from kg.extract.rijal_table import rows
from kg.identify.dictionaries import join_dictionary

DENSE = """######OpenITI#BIOGRAPHY#
#META# 000.BookURI	:: #0852.IbnHajarCasqalani.TaqribTahdhib
#META#Header#End#

### | ( حرف العين )
### $ 1 عامر بن طارق الأسدي أبو يحيى الحمصي
~~ثقة ms001 من الثامنة مات سنة سبعين PageV01P001 خ د
### $$$ الأعمى عامر بن طارق
### $$$ أبو يحيى الحمصي هو عامر بن طارق تقدم
### $ 2 يحيى بن عامر بن طارق الأسدي الحمصي صدوق من العاشرة د
### $$ 3 سلمى بنت عامر مقبولة من العاشرة ق
"""

LIVES = """######OpenITI#
#META#Header#End#
# 1 - عامر بن طارق الصحابي رضي الله عنه مذكور في الحج هو أبو يحيى عامر بن طارق بن زيد
~~الأنصاري روى عنه ابن عمر وأنس بن مالك
# توفى بحمص سنة خمس وأربعين
# 2 - قتيبة بن سعيد تكرر هو أبو رجاء قتيبة بن سعيد بن جميل سمع مالك بن أنس والليث بن سعد توفى سنة أربعين ومائتين
# 3 بشر بن بكر
# 4 بشر بن حرب
# 5 بشر بن خالد
"""


def test_a_dense_dictionary() -> None:
    dictionary, entries = read_dictionary(DENSE.splitlines(keepends=True))
    found = list(entries)
    assert dictionary.slug == "taqrib"
    assert [entry.number for entry in found] == [1, None, None, 2, 3]
    assert [entry.points_elsewhere for entry in found] == [False, True, True, False, False]
    assert "ms001" not in found[0].text and "Page" not in found[0].text
    assert found[0].line == 6
    people = list(persons(DENSE.splitlines(keepends=True)))
    assert [person.key for person in people] == ["person/taqrib-1", "person/taqrib-2", "person/taqrib-3"]
    assert people[0].death is not None and people[0].death.first == 170


def test_the_table_has_cross_references_and_fathers() -> None:
    header, *table = rows(DENSE.splitlines(keepends=True))
    by_number = {row[0]: dict(zip(header, row, strict=True)) for row in table}
    assert by_number["1"]["surfaces"] == "الأعمى|أبو يحيى الحمصي"
    assert by_number["2"]["father"] == "1"
    assert by_number["3"]["sex"] == "f"


def test_lives_in_prose() -> None:
    people = list(persons(LIVES.splitlines(keepends=True), "0676Nawawi.TahdhibAsma.JK001320-ara1"))
    first, second = people[:2]
    assert first.key == "person/tahdhib-asma-1"
    assert (first.ism, first.kunya, first.companion) == ("عامر", ("أبو يحيى",), True)
    assert first.death is not None and first.death.first == 45
    assert first.listed_students == ("ابن عمر", "أنس بن مالك")
    assert second.listed_teachers == ("مالك بن أنس", "الليث بن سعد")
    assert second.death is not None and second.death.first == 240


def test_persons_of_a_dictionary_join_the_authority() -> None:
    authority = load()
    people = list(persons(LIVES.splitlines(keepends=True), "0676Nawawi.TahdhibAsma.JK001320-ara1"))
    joined = join_dictionary(authority, people)
    qutayba = joined.persons["person/qutayba-b-said"]
    assert qutayba.listed_teachers == ("person/malik-b-anas", "person/al-layth-b-sad")
    assert "person/tahdhib-asma-2" not in joined.persons
    assert isinstance(joined.persons["person/tahdhib-asma-1"], Person)
    assert authority.persons["person/qutayba-b-said"].listed_teachers == ()


def test_scores_reach_the_bar() -> None:
    import pytest

    from kg.evaluate.rijal import score

    folder = shared()
    if folder is None:
        pytest.skip("needs the gold in ../shared")
    figures = score(folder / "gold" / "rijal" / "taqrib_fields.jsonl")
    for field in ("kunya", "rank", "tabaqa", "death"):
        assert figures[field]["accuracy"] >= 0.97, field
