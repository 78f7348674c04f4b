"""The named corpora hold what they say."""

import collections

import pytest

from kg import authority
from kg.sources import open_source, open_sources


def test_the_two_sahihs_have_14940_rows() -> None:
    counts = {name: sum(1 for _ in open_source(name).passages()) for name in ("bukhari", "muslim")}
    assert counts == {"bukhari": 7580, "muslim": 7360}


def test_the_nine_books_have_64739_rows_with_ids_of_their_own() -> None:
    seen: set[str] = set()
    count = 0
    for source in open_sources("nine-books"):
        before = count
        for passage in source.passages():
            seen.add(passage.id)
            count += 1
        assert source.rows == count - before
    assert count == len(seen) == 64_739


def test_rows_without_numbers_say_so() -> None:
    passage = next(open_source("tirmidhi").passages())
    assert passage.locators == (("row-in-file", "1"),)


def test_muslim_93_is_the_gabriel_hadith_by_a_number_in_the_source() -> None:
    source = open_source("muslim")
    passage = next(p for p in source.passages() if p.number == "93")
    assert dict(passage.locators)["number-in-source"] == "93"
    assert "Abd al-Baqi" in source.numbering_note


def test_rows_of_book_0_stand_under_unplaced_and_every_other_book_has_a_title() -> None:
    books = authority.load().books
    for name, work in (("bukhari", "work/sahih-al-bukhari"), ("muslim", "work/sahih-muslim")):
        numbers = collections.Counter(dict(p.locators)["book"] for p in open_source(name).passages())
        assert numbers.pop("unplaced") > 0
        for number in numbers:
            assert books[work, int(number)].title_ar


def test_the_sample_is_the_three_passages_with_what_may_be_republished() -> None:
    sources = open_sources("sample")
    passages = [next(source.passages()) for source in sources]
    assert [p.id for p in passages] == ["bazzar:quarrel", "bukhari:3661", "nawawi:abu-bakr"]
    assert passages[1].translation is not None
    assert not sources[1].translation_republishable


@pytest.mark.parametrize("name", ["bukhari", "muslim", "sample", "nine-books"])
def test_every_source_states_its_licence(name: str) -> None:
    for source in open_sources(name):
        assert source.licence
        assert source.title_ar and source.title_en
        assert all(path.is_file() for path in source.notices)
