"""A nisba or laqab tells namesakes apart: with a kunya alone it is the name."""

import pytest

from kg import authority
from kg.extract.isnad import IsnadReader
from kg.extract.record import Record
from kg.identify.narrators import identify
from kg.text import Passage, Words

READER = IsnadReader()


@pytest.mark.parametrize(
    ("chain", "person"),
    [
        ("حدثنا أبو داود الحفري عن سفيان", "person/taqrib-4904"),
        ("عن أبي رجاء العطاردي عن ابن عباس", "person/abu-raja-al-utaridi"),
        ("عن أبي عبد الله الجدلي عن عائشة", "person/taqrib-8207"),
        ("عن أبي إدريس الخولاني عن أبي الدرداء", "person/abu-idris-al-khawlani"),
        ("عن أبي حازم الأعرج عن سهل بن سعد", "person/abu-hazim-al-araj"),
        ("عن أبي صالح السمان عن أبي هريرة", "person/abu-salih-al-samman"),
    ],
)
def test_who_bears_the_byname_is_meant(chain: str, person: str) -> None:
    passage = Passage("t:1", chain)
    record = Record(passage, *READER.read(Words(chain), passage))
    claims = identify([record], authority.load()).claims("t:1")[0]
    assert claims[0].person == person


def test_nobody_without_the_byname_is_asserted_where_none_is_known_to_bear_it() -> None:
    chain = "عن أبي عبد الله الغرنوقي عن أبي هريرة"
    passage = Passage("t:1", chain)
    record = Record(passage, *READER.read(Words(chain), passage))
    known = authority.load().persons
    for claim in identify([record], authority.load()).claims("t:1").get(0, ()):
        assert not (claim.winner and claim.person in known and known[claim.person].nisba)
