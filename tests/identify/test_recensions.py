"""At the head of a chain a book calls by one name those who transmit it, or its author."""

import pytest

from kg.authority import load
from kg.extract.record import Record
from kg.identify.chains import collector_of
from kg.identify.narrators import identify

SAID = " قال قال رسول الله صلى الله عليه وسلم إنما الأعمال بالنيات"


@pytest.mark.parametrize(
    ("source", "chain", "place", "person"),
    [
        ("muwatta", "حدثني يحيى عن مالك عن نافع عن ابن عمر", 0, "person/taqrib-7669"),
        ("muwatta", "حدثني الليثي عن مالك عن نافع عن ابن عمر", 0, "person/taqrib-7669"),
        ("muwatta", "حدثني مالك عن يحيى بن سعيد عن عمرة عن عائشة", 1, "person/yahya-b-said-al-ansari"),
        ("ahmad", "حدثنا عبد الله حدثني أبي حدثنا وكيع عن سفيان", 0, "person/taqrib-3205"),
        ("ahmad", "حدثنا عبد الله حدثني أبي حدثنا وكيع عن سفيان", 1, "person/ahmad-b-hanbal"),
        ("ibn-maja", "قال أبو الحسن بن سلمة حدثنا أبو حاتم حدثنا محمد بن كثير عن سفيان", 0, "person/abu-al-hasan-al-qattan"),
    ],
)
def test_the_head_of_a_chain_is_who_hands_the_book_on(read, source: str, chain: str, place: int, person: str) -> None:
    records: list[Record] = read(chain + SAID, source=source)
    claims = identify(records, load()).claims(f"{source}:1")
    assert claims[place][0].person == person and claims[place][0].winner


def test_elsewhere_the_name_keeps_its_meaning(read) -> None:
    records = read("حدثنا مسدد حدثنا يحيى عن عبيد الله حدثني نافع عن ابن عمر" + SAID, source="bukhari")
    assert identify(records, load()).claims("bukhari:1")[1][0].person == "person/yahya-b-said-al-qattan"


def test_every_person_of_the_table_is_known_to_the_authority(read) -> None:
    persons = load().persons
    for source in ("bukhari", "muslim", "abu-dawud", "tirmidhi", "nasai", "ibn-maja", "ibnmaja", "ahmad", "muwatta"):
        heads = collector_of(read("حدثنا مالك عن نافع", source=source)[0]).heads
        assert heads and all(person in persons for _, person in heads)
