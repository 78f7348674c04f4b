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


@pytest.mark.parametrize(
    ("chain", "place", "person"),
    [
        ("عن الزهري عن حميد بن عبد الرحمن بن عوف عن أبي هريرة", 1, "person/taqrib-1552"),
        ("عن مهدي بن ميمون عن حميد بن عبد الرحمن الحميري عن أبي هريرة", 1, "person/taqrib-1554"),
        ("حدثنا ابن جريج عن عطاء الخراساني عن أنس بن مالك", 1, "person/taqrib-4600"),
        ("حدثنا حماد عن يزيد بن أبي عبيد عن سلمة بن الأكوع", 1, "person/taqrib-7754"),
    ],
)
def test_who_knows_the_whole_name_is_meant(chain: str, place: int, person: str) -> None:
    passage = Passage("t:1", chain)
    record = Record(passage, *READER.read(Words(chain), passage))
    assert identify([record], authority.load()).claims("t:1")[place][0].person == person


def test_a_man_without_known_father_is_nobody_s_son() -> None:
    chain = "حدثنا سفيان عن يزيد بن طلق عن عبد الرحمن بن البيلماني"
    passage = Passage("t:1", chain)
    record = Record(passage, *READER.read(Words(chain), passage))
    known = authority.load().persons
    for claim in identify([record], authority.load()).claims("t:1")[1]:
        assert claim.person not in known or known[claim.person].nasab
