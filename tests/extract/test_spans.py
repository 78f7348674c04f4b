"""Whatever the text, every span that any room returns lies on the author's letters, and a passage gives one record."""

import json
import unicodedata
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg import authority
from kg.extract.extractor import Extractor
from kg.extract.record import Record
from kg.text import Passage

WORDS = (
    "حَدَّثَنَا أخبرنا عن قال سَمِعْتُ نا ثنا ح وَ كلاهما جميعا مثله نحوه بهذا الإسناد يعني ابن زيد أبو بكر عمر بن الخطاب عائشة أبيه جده رجل "
    "رسول الله صلى عليه وسلم النبي رضى عنه قال تعالى يا أيها الذين آمنوا ثاني اثنين إذ هما في الغار بدر أحد يوم تبوك المدينة مكة "
    'فسأله فأبى ندمت اشترى مات ولد نزلت سورة براءة الآية سنة تسع ثلاث ليال بلغني زعموا PageV01P002 ms0012 @QB@ @QE@ ﷺ { } ( ) " . ، : 12 x'
).split()
DRESSES = st.sampled_from(["as it is", "NFD", "NFC", "tatweel", "right-to-left marks", "presentation"])


def dressed(word: str, dress: str) -> str:
    if dress in ("NFD", "NFC"):
        return unicodedata.normalize(dress, word)
    if dress == "tatweel":
        return word[:1] + "ـ" + word[1:]
    if dress == "right-to-left marks":
        return "\u200f" + word + "\u200f"
    if dress == "presentation":
        return word.replace("لا", "ﻻ")
    return word


texts = st.lists(st.tuples(st.sampled_from(WORDS), DRESSES, st.sampled_from([" ", "  ", "\n", "\n~~", " ، "])), max_size=60).map(
    lambda parts: "".join(dressed(word, dress) + gap for word, dress, gap in parts)
)


@pytest.fixture(scope="module")
def extractor() -> Extractor:
    return Extractor(authority.load())


def spans(value: Any) -> Any:
    """All pairs of start and end in a record, and lists of two numbers that are spans."""
    if isinstance(value, dict):
        if isinstance(value.get("start"), int):
            yield value["start"], value["end"], value.get("surface", value.get("text"))
        for name, part in value.items():
            if name in ("segments", "matn", "evidence"):
                for start, end in part:
                    yield start, end, None
            elif name == "introducedBy" and part:
                yield part[0], part[1], None
            elif name != "name":
                yield from spans(part)
    elif isinstance(value, list):
        for part in value:
            yield from spans(part)


def whole(record: Record) -> None:
    text = record.passage.text
    made = record.to_json()
    for name in ("narrators", "isnads", "quran", "events", "persons", "places", "times"):
        for start, end, said in spans(made[name]):
            assert 0 <= start < end <= len(text), (name, start, end)
            assert not text[start].isspace() and not text[end - 1].isspace(), (name, text[start:end])
            if said is not None:
                assert text[start:end] == said, name
    count = len(record.narrators)
    mentions = [(mention.start, mention.end) for mention in record.narrators]
    assert mentions == sorted(set(mentions)), "mentions come once a span, in the order of the text"
    for number, mention in enumerate(record.narrators):
        assert all(0 <= other < count and other != number for other in mention.received_from)
    for isnad in record.isnads:
        assert all(0 <= number < count for number in isnad.path)


@settings(max_examples=150)
@given(texts)
def test_spans_lie_on_the_letters(extractor: Extractor, text: str) -> None:
    passage = Passage("t:1", text)
    record = extractor.extract(passage)
    whole(record)
    assert extractor.extract(passage) == record


@settings(max_examples=60)
@given(st.text(max_size=300))
def test_nonsense_gives_a_whole_record(extractor: Extractor, text: str) -> None:
    whole(extractor.extract(Passage("t:1", text)))


def test_a_record_comes_back_from_its_json(extractor: Extractor) -> None:
    folder = Path(__file__).parents[2] / "kg" / "sources" / "sample"
    for path in folder.glob("*.txt"):
        record = extractor.extract(Passage("t:1", path.read_text(encoding="utf-8")))
        whole(record)
        assert Record.from_json(json.loads(json.dumps(record.to_json()))) == record


@pytest.mark.parametrize(
    "text",
    [
        "ن" * 2_000_000,
        "عن " * 30_000,
        "قال " * 30_000,
        "(" * 50_000,
        "حدثنا فلان عن أبيه عن جده " * 5_000,
        "{ " * 50_000,
        "\u064b" * 100_000,
    ],
)
def test_hostile_texts_end(extractor: Extractor, text: str) -> None:
    whole(extractor.extract(Passage("t:1", text)))
