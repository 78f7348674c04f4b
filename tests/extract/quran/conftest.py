"""The finder, made once with its index in a folder of the session."""

from collections.abc import Callable
from pathlib import Path

import pytest

from kg.extract.quran import QuranFinder
from kg.extract.record import Citation
from kg.text import Passage, Words

Cite = Callable[..., list[tuple[Citation, str]]]


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("quran")


@pytest.fixture(scope="session")
def finder(cache: Path) -> QuranFinder:
    return QuranFinder.load(cache)


@pytest.fixture(scope="session")
def cite(finder: QuranFinder) -> Cite:
    """The citations of a text, each with its words as the text has them."""

    def of(text: str, kind: str = "passage") -> list[tuple[Citation, str]]:
        citations = finder.find(Words(text), Passage("t:1", text, kind=kind))
        return [(citation, text[citation.start : citation.end]) for citation in citations]

    return of
