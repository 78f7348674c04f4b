"""A short name shared by a famous Companion and later men: dates, a fuller name before it, and a father tell them apart."""

import pytest

from kg import authority
from kg.extract.isnad import IsnadReader
from kg.extract.record import Record
from kg.identify.narrators import identify
from kg.text import Passage, Words

READER = IsnadReader()
SIDDIQ = "person/abu-bakr"


def _decided(chain: str, place: int) -> str:
    passage = Passage("t:1", chain)
    record = Record(passage, *READER.read(Words(chain), passage))
    return identify([record], authority.load()).claims("t:1")[place][0].person


@pytest.mark.parametrize(
    ("chain", "place"),
    [
        ("حدثنا يونس عن ابن شهاب عن عروة وأبي بكر قالت عائشة", 3),
        ("حدثنا همام بن يحيى حدثني أبو جمرة الضبعي عن أبي بكر عن أبيه أن رسول الله صلى الله عليه وسلم قال", 2),
    ],
)
def test_who_was_long_dead_is_not_meant(chain: str, place: int) -> None:
    assert _decided(chain, place) != SIDDIQ


def test_whom_he_can_have_heard_stays() -> None:
    assert _decided("حدثنا إسرائيل عن أبي إسحاق عن البراء عن أبي بكر رضى الله عنه قال", 3) == SIDDIQ


def test_a_kunya_after_the_fuller_name_is_the_same_man() -> None:
    chain = "وحدثنا أبو بكر بن أبي شيبة وعمرو الناقد قالا حدثنا سفيان عن الزهري عن سالم عن أبيه . قال عمرو يبلغ به . وقال أبو بكر رفعه ."
    assert _decided(chain, 6) == "person/abu-bakr-b-abi-shayba"
