"""The shipped counts of who hears whom, and how such counts are learnt from nothing."""

import pytest

from kg.authority import load
from kg.authority.model import Person, Year
from kg.extract.names import name_parts
from kg.extract.word_classes import WordClasses
from kg.identify.candidates import NameIndex
from kg.identify.chains import Corpus
from kg.identify.habits import Habits, attested, read_habits, write_habits
from kg.identify.learning import contradictions, learn
from kg.identify.names import name_of
from kg.text import Words

SAID = " قال قال رسول الله صلى الله عليه وسلم إنما الأعمال بالنيات"


@pytest.fixture(scope="module")
def index() -> NameIndex:
    return NameIndex(load().persons.values())


def test_nobody_in_the_shipped_counts_hears_himself_or_the_unborn(index: NameIndex) -> None:
    assert len(attested().heard) > 30_000
    assert list(contradictions(attested(), index)) == []


def test_everybody_in_the_shipped_counts_is_known_and_bears_the_names_he_is_called_by(index: NameIndex) -> None:
    classes = WordClasses.load()
    strangers = {key for pair in attested().heard for key in pair if key not in index.place}
    assert not strangers
    contradicted = []
    for person, whole in attested().called:
        words = Words(whole)
        parts = name_parts(whole.split(), classes.code(words.folded)) if len(words) == len(whole.split()) else {}
        name = name_of(parts, whole)
        if parts and not any(fit.person == index.place[person] for fit in index.fits(name)):
            contradicted.append((person, whole))
    assert len(contradicted) <= 0.02 * len(attested().called), contradicted[:20]


def test_contradictions_are_found(index: NameIndex) -> None:
    wrong = Habits({
        ("person/malik-b-anas", "person/malik-b-anas"): 2.0,
        ("person/abu-hurayra", "person/al-bukhari"): 1.0,
        ("person/malik-b-anas", "person/nafi-mawla-ibn-umar"): 80.0,
    })  # fmt: skip
    assert {(found.student, found.why) for found in contradictions(wrong, index)} == {
        ("person/malik-b-anas", "hears himself"),
        ("person/abu-hurayra", "the generations do not allow it"),
    }


def test_learning_from_nothing_gives_the_same_counts_each_time(read) -> None:
    persons = [
        Person("person/a", "أحمد بن عمر", ism="أحمد", nasab=("عمر",), tabaqa=8, death=Year(190, 190)),
        Person("person/b", "بشر بن عمر", ism="بشر", nasab=("عمر",), tabaqa=6, death=Year(150, 150)),
        Person("person/c", "بشر بن زيد", ism="بشر", nasab=("زيد",), tabaqa=6, death=Year(150, 150)),
    ]
    texts = ["حدثنا أحمد بن عمر حدثنا بشر بن عمر عن نافع" + SAID] * 4 + ["حدثنا أحمد بن عمر حدثنا بشر عن نافع" + SAID] * 3
    counts = []
    for _ in range(2):
        corpus = Corpus()
        for record in read(*texts):
            corpus.add(record)
        counts.append(learn(corpus, NameIndex(persons), 3))
    assert counts[0] == counts[1]
    heard = counts[0].heard
    assert (
        heard["person/a", "person/b"] > 5 and heard.get(("person/a", "person/c"), 0.0) < 1
    )  # the bare name follows the full one


def test_a_table_is_read_as_it_was_written(tmp_path) -> None:
    habits = Habits({("person/a", "person/taqrib-3"): 4.0}, {("person/a", "نافع"): 3.0})
    write_habits(habits, tmp_path / "t.tsv")
    assert read_habits(tmp_path / "t.tsv") == habits
