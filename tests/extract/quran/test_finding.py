"""Citations found in real sentences: the words, the verse, what introduces them."""

from pathlib import Path

import pytest

from kg.extract.quran import QuranFinder
from kg.extract.record import Citation
from kg.text import Passage, Words


@pytest.fixture(scope="session")
def finder(tmp_path_factory: pytest.TempPathFactory) -> QuranFinder:
    return QuranFinder.load(tmp_path_factory.mktemp("quran"))


def cite(finder: QuranFinder, text: str) -> list[tuple[Citation, str]]:
    citations = finder.find(Words(text), Passage("t:1", text))
    return [(citation, text[citation.start : citation.end]) for citation in citations]


def test_the_third_sample_cites_9_40_on_exactly_its_words(finder: QuranFinder) -> None:
    text = (Path(__file__).parents[3] / "kg/sources/sample/nawawi-abu-bakr.txt").read_text(encoding="utf-8")
    [(citation, surface)] = [pair for pair in cite(finder, text) if pair[0].refs == ("9:40",)]
    assert surface == "ثاني اثنين إذ هما في الغار إذ يقول لصاحبه لا تحزن إن الله معنا"
    assert citation.words == (10, 23)
    assert citation.marked and citation.exact
