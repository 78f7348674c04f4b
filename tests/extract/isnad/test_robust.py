"""Any text at all: no crash, every span on the author's letters, the same answer twice, work that grows with the length."""

import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.extract.isnad import IsnadReader
from kg.text import Passage, Words

READER = IsnadReader()
_WORDS = (
    "حدثنا وحدثنا أخبرنا فحدثني عن وعن سمعت سمع قال قالا وقال فقال أن أنه ح و بن ابن أبو أبي أبا أم عبد الله الرحمن "
    "محمد علي على سفيان الزهري الأعمش أبيه جده عمه رجل بعض يعني وهو مولى صاحب كلاهما جميعا النبي رسول صلى عليه وسلم "
    "رضي عنه مثله نحوه بهذا الإسناد كان نهى قرأت كتب إلي بلغني زعم أشهد سألت قلت لعائشة يقول يحدث أخبره ، . : - ـ ( "
    ") « » ~~ # PageV01P002 ms001 7 foo ﷺ حَدَّثَنَا مُحَمَّدٌ أبو، عبد،"
)
WORDS = [*_WORDS.split(), "\u200f"]


def check(text: str) -> None:
    passage = Passage("t:1", text)
    mentions, isnads = READER.read(Words(text), passage)
    assert [m.start for m in mentions] == sorted(m.start for m in mentions) or isnads
    spans = set()
    for k, mention in enumerate(mentions):
        assert 0 <= mention.start < mention.end <= len(text)
        assert text[mention.start : mention.end] == mention.surface
        assert (mention.start, mention.end) not in spans
        spans.add((mention.start, mention.end))
        assert all(teacher > k for teacher in mention.received_from)  # towards the source, never round in a circle
        if mention.term is not None:
            assert text[mention.term.start : mention.term.end] == mention.term.text
        for gloss in mention.gloss:
            assert text[gloss.start : gloss.end] == gloss.text
    for isnad in isnads:
        assert isnad.path and all(b in mentions[a].received_from for a, b in zip(isnad.path, isnad.path[1:], strict=False))
        assert not mentions[isnad.path[-1]].received_from
        for start, end in isnad.segments + isnad.matn:
            assert 0 <= start < end <= len(text)
    assert READER.read(Words(text), passage) == (mentions, isnads)


@settings(max_examples=400)
@given(st.lists(st.sampled_from(WORDS), max_size=60))
def test_spans_lie_on_the_letters_of_any_row_of_words(words: list[str]) -> None:
    check(" ".join(words))


@settings(max_examples=200)
@given(st.text(max_size=200))
def test_spans_lie_on_the_letters_of_any_text(text: str) -> None:
    check(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "،",
        "ح",
        "و",
        "عن",
        "حدثنا",
        "قال",
        "Narrated Anas: the Prophet said",
        "נאמר על ידי",
        "12345 67",
        "\u200f\u200f",
        "بن بن بن",
        "ﷺ",
    ],
)
def test_nonsense_and_other_languages_have_no_isnad(text: str) -> None:
    assert READER.read(Words(text), Passage("t:1", text)) == ((), ())


@pytest.mark.parametrize(
    "unit",
    [
        "عن ",
        "عن محمد ",
        "حدثنا ",
        "قال ",
        "ابن ",
        "أبي ",
        "الشيخ ",
        "ومحمد ",
        "قال محمد ",
        "حدثنا محمد ح ",
        "أن ",
        "من ",
        "وكان محمد ",
        "يعني ",
        "أم ",
        "نجم الدين ",
        "حدثنا الشيخ وكان ",
    ],
    ids=str,
)
def test_work_grows_with_the_length(unit: str) -> None:
    def calls(times: int) -> int:
        words, count = Words(unit * times), 0

        def tally(_frame: object, _event: str, _argument: object) -> None:
            nonlocal count
            count += 1

        sys.setprofile(tally)
        try:
            READER.read(words, Passage("t:1", words.text))
        finally:
            sys.setprofile(None)
        return count

    calls(10)
    assert calls(4_000) < 6 * max(calls(1_000), 200)  # four times the words; sixteen would be the square


def test_a_long_line_without_a_space() -> None:
    text = "حدثنامحمد" * 100_000
    assert READER.read(Words(text), Passage("t:1", text)) == ((), ())
