"""The pieces that the decision stands on: names, kin, generations, clusters, what is impossible."""

import pytest

from kg.authority import load
from kg.authority.model import Person, Year
from kg.identify.candidates import NameIndex
from kg.identify.generations import age_of, impossible, likelihood
from kg.identify.kinship import Kinship
from kg.identify.names import name_of
from kg.identify.narrators import identify


@pytest.fixture(scope="module")
def index() -> NameIndex:
    return NameIndex(load().persons.values())


@pytest.mark.parametrize(
    ("parts", "surface", "key"),
    [
        ({"ism": "أحمد", "nasab": ["حنبل"]}, "أَحْمَدُ بْنُ حَنْبَلٍ", "ahmad-b-hanbal"),
        ({"kunya": "أبو هريرة"}, "أبا هريرة", "abu-hurayra"),
        ({"ism": "خليل", "nasab": ["عمرو"]}, "الخليل بن عمرو", "taqrib-1756"),
        ({"ism": "نافعا"}, "نَافِعًا", "nafi-mawla-ibn-umar"),
        ({"nasab": ["شهاب"], "shuhra": "ابن شهاب"}, "ابن شهاب", "al-zuhri"),
        ({"ism": "غندر"}, "غندر", "ghundar"),
        ({"ism": "سعيد", "nasab": ["أبي سعيد"], "nisba": ["المقبري"]}, "سعيد بن أبي سعيد المقبري", "said-al-maqburi"),
        ({"ism": "زكرياء", "nasab": ["عدي"]}, "زكرياء بن عدي", "taqrib-2024"),
    ],
)
def test_a_name_finds_its_bearer(index: NameIndex, parts: dict[str, object], surface: str, key: str) -> None:
    fits = index.fits(name_of(parts, surface))
    assert f"person/{key}" in [index.keys[fit.person] for fit in fits[:3]]


def test_a_daughter_is_no_son(index: NameIndex) -> None:
    fits = index.fits(name_of({"nasab": ["عمر"], "shuhra": "ابن عمر"}, "ابن عمر"))
    assert fits and all(index.persons[fit.person].sex != "f" for fit in fits)


def test_kin_words_follow_the_lineage(index: NameIndex) -> None:
    kinship = Kinship(index)

    def relatives(slug: str, kin: str) -> list[str]:
        return [index.keys[i] for i, _ in kinship.relatives(index.place[f"person/{slug}"], kin)]

    assert relatives("hisham-b-urwa", "father") == ["person/urwa-b-al-zubayr"]
    assert relatives("hisham-b-urwa", "grandfather") == ["person/al-zubayr-b-al-awwam"]
    assert relatives("taqrib-5050", "grandfather") == ["person/abd-allah-b-amr"]
    assert relatives("suhayl-b-abi-salih", "father") == ["person/abu-salih-al-samman"]


def _person(died: int, *, companion: bool = False) -> Person:
    return Person("person/x", "س", death=Year(died, died), companion=companion)


def test_years_decide_what_cannot_be() -> None:
    assert impossible(_person(300), _person(150)) == "died 150 years after his teacher"
    assert impossible(_person(200), _person(150)) is None
    assert likelihood(age_of(_person(180)), age_of(_person(120))) > 100 * likelihood(age_of(_person(120)), age_of(_person(180)))


def test_a_successor_from_the_prophet_is_a_gap(read) -> None:
    records = read("حدثنا قتيبة بن سعيد حدثنا مالك عن الزهري قال قال رسول الله صلى الله عليه وسلم كذا", source="muslim")
    kinds = {(problem.kind, problem.passage) for problem in identify(records, load()).problems}
    assert ("gap", "muslim:1") in kinds
