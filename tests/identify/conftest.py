"""Small corpora for the tests of identity: a few chains, read by the project's own reader."""

from collections.abc import Callable

import pytest

from kg.extract.isnad import IsnadReader
from kg.extract.record import Record
from kg.text import Passage, Words

Reading = Callable[..., list[Record]]


@pytest.fixture(scope="session")
def read() -> Reading:
    """Records of texts: ``read("حدثنا …", "…", source="bukhari")``; passages are numbered from 1."""
    reader = IsnadReader()

    def records(*texts: str, source: str = "book", first: int = 1, work: str | None = None) -> list[Record]:
        passages = [
            Passage(f"{source}:{number}", text, source=source, work=work, kind="hadith")
            for number, text in enumerate(texts, first)
        ]
        return [Record(passage, *reader.read(Words(passage.text), passage)) for passage in passages]

    return records
