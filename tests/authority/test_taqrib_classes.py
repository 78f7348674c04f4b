"""Classes of mistakes that the table of the Taqrib once had: ranks that no critic gives, names and years that contradict each other."""

from pathlib import Path

import pytest

from kg.authority import load
from kg.authority.persons import read_persons
from kg.extract.rijal_entry import read_entry
from kg.extract.rijal_rank import judgement
from kg.identify.generations import _TABAQA_DEATHS
from kg.identify.names import part_of
from kg.tables import read_tsv

AUTHORITY = Path(read_persons.__code__.co_filename).parent
_FARTHEST = 30
"""Years that a stated year of death may lie outside the deaths of the stated generation."""


def test_every_rank_is_a_judgement_and_nothing_else() -> None:
    wrong = {
        person.rank
        for person in load().persons.values()
        if person.rank and person.taqrib_no and judgement(person.rank) != person.rank
    }
    assert not wrong


def test_no_single_word_of_kin_or_of_a_sentence_is_a_rank() -> None:
    ranks = {person.rank for person in load().persons.values() if person.rank}
    assert not ranks & {"زوج", "أم", "أحد", "له", "لها", "لم", "لا", "بن", "بنت", "عم", "سبط", "خادم", "كبار", "شهد", "مختلف"}
    assert not any(rank.split()[-1] in {"بن", "له", "ربما", "كثير"} for rank in ranks)


@pytest.mark.parametrize(
    ("entry", "rank"),
    [
        ("عبيد الله بن الأسود الخولاني ربيب ميمونة زوج النبي صلى الله عليه وسلم ثقة من الثالثة خ م د س", "ثقة"),
        ("حسان شيخ لذر بن عبد الله مجهول من السادسة س", "مجهول"),
        ("أحمد بن علي النميري إمام مسجد سلمية صدوق ضعفه الأزدي بلا حجة من التاسعة د", "صدوق"),
        ("ميمونة بنت الحارث الهلالية زوج النبي صلى الله عليه وسلم ماتت سنة إحدى وخمسين ع", None),
        ("طارق بن زيد صدوق ربما وهم ورمي بالإرجاء من السابعة ق", "صدوق ربما وهم ورمي بالإرجاء"),
        ("طارق بن زيد وثقه النسائي من الثالثة س", "وثقه النسائي"),
    ],
)
def test_a_judgement_is_found_behind_kin_and_office(entry: str, rank: str | None) -> None:
    assert judgement(read_entry(entry).rank) == rank


def test_a_reviewed_name_is_the_name_of_its_entry() -> None:
    isms = {int(row["no"]): row["ism"] for _, row in read_tsv(AUTHORITY / "persons_taqrib.tsv", ("no", "ism"))}
    reviewed = [person for person in load().persons.values() if person.name_en and person.taqrib_no and person.ism]
    assert len(reviewed) > 300
    for person in reviewed:
        own = isms[person.taqrib_no or 0]
        assert not own or part_of(person.ism or "") == part_of(own), person.key


def test_years_of_death_lie_near_the_generation() -> None:
    far = []
    for person in load().persons.values():
        death = person.death
        if person.companion or death is None or death.first is None or death.precision != "year" or person.tabaqa is None:
            continue
        first, last = _TABAQA_DEATHS[person.tabaqa]
        if not first - _FARTHEST <= death.first <= last + _FARTHEST:
            far.append((person.key, person.tabaqa, death.first))
    # So the book says them, its copyists' slips: kg.identify.generations believes the years of such.
    assert {key for key, _, _ in far} == {"person/taqrib-3377", "person/taqrib-6114"}


@pytest.mark.parametrize(
    ("entry", "nisba", "laqab", "shuhra"),
    [
        ("عبد الله بن الحارث الأنصاري البصري نسيب بن سيرين ثقة من الثالثة ع", ("الأنصاري", "البصري"), (), ()),
        ("إسماعيل بن طارق الفزاري الكوفي نسيب السدي صدوق من العاشرة د", ("الفزاري", "الكوفي"), (), ()),
        ("طارق بن زيد الخراط صاحب العباء صدوق من السادسة م", (), ("الخراط",), ()),
        ("طارق بن زيد المدني ابن أخي عبد الله بن مسعود ثقة من الثانية خ", ("المدني",), (), ()),
        ("طارق بن زيد الأسدي ابن علية ثقة من الثامنة ع", ("الأسدي",), (), ("ابن علية",)),
    ],
)
def test_what_stands_behind_kin_and_company_is_anothers_name(
    entry: str, nisba: tuple[str, ...], laqab: tuple[str, ...], shuhra: tuple[str, ...]
) -> None:
    facts = read_entry(entry)
    assert (facts.nisba, facts.laqab, facts.shuhra) == (nisba, laqab, shuhra)


def test_no_byname_is_kin_or_a_critic() -> None:
    wrong = {"ابن أخي", "ابن أخت", "ابن عم", "ابن حبان", "ابن معين", "ابن منده", "ابن ماكولا"}
    for person in load().persons.values():
        if person.taqrib_no and not person.name_en:
            assert person.shuhra not in wrong and "النبي" not in person.nisba, person.key
