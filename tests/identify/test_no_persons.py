"""What is read where a name should stand and is none makes no person; a name after a preposition is a name."""

import pytest

from kg.authority import load
from kg.identify.candidates import NameIndex
from kg.identify.chains import Corpus
from kg.identify.lattice import Lattice
from kg.identify.names import Name
from kg.identify.weights import Weights


@pytest.fixture(scope="module")
def index() -> NameIndex:
    return NameIndex(load().persons.values())


@pytest.mark.parametrize(
    ("name", "nobody"),
    [
        (Name(whole="اشفعوا تؤجروا"), True),
        (Name(whole="حبس النساء"), True),
        (Name(ism="اعرابيا", whole="اعرابيا"), True),
        (Name(ism="وفاء", nisba=("خولاني",), whole="وفاء الخولاني"), False),
        (Name(ism="طريف", nasab=("هداج",), whole="طريف هداج"), False),
        (Name(kunya="ابو دهقانه", whole="ابو دهقانه"), False),
        (Name(ism="سفيان", whole="سفيان"), False),
    ],
)
def test_words_that_are_nobodys_name_are_nobody(index: NameIndex, name: Name, nobody: bool) -> None:
    corpus = Corpus(names=[name])
    assert Lattice(corpus, index, Weights(corpus, index))._nobody == [nobody]


def test_a_name_after_a_preposition_is_found(index: NameIndex) -> None:
    fits = index.fits(Name(ism="لعاصم", nasab=("عمر", "قتاده"), whole="لعاصم عمر قتاده"))
    assert index.persons[fits[0].person].ism == "عاصم"
    fits = index.fits(Name(ism="للقاسم", nasab=("محمد",), whole="للقاسم محمد"))
    assert index.persons[fits[0].person].ism == "القاسم"
