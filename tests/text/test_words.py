"""Folding with an exact map back: every word lies on the author's letters."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.text import Words, fold

ARABIC = "".join(map(chr, [*range(0x0600, 0x0700), *range(0x08A0, 0x0900)]))
ODD = "\u200f\u200e\u202b\ufeff\ufffc\ufffd\u00ad\ufdfa\ufdfb\ufdf2\ufef7\ufefb\ufe8e \n\t.,:;()[]{}«»ـ0123456789abcXYZéß😀\u0301"
texts = st.text(alphabet=st.sampled_from(ARABIC + ODD), max_size=200) | st.text(max_size=100)


@given(texts)
def test_each_word_is_the_folding_of_its_span(text: str) -> None:
    words = Words(text)
    assert len(words.starts) == len(words.ends) == len(words.folded)
    end = 0
    for i, word in enumerate(words):
        start = words.starts[i]
        assert end <= start < words.ends[i] <= len(text)
        end = words.ends[i]
        assert fold(words.surface(i, i + 1)) == word
        assert word


@given(texts)
def test_words_and_gaps_give_the_text_back(text: str) -> None:
    words = Words(text)
    pieces = [words.gap(i) + (words.surface(i, i + 1) if i < len(words) else "") for i in range(len(words) + 1)]
    assert "".join(pieces) == text


@given(texts)
def test_no_letter_is_passed_over(text: str) -> None:
    words = Words(text)
    covered = set()
    for i in range(len(words)):
        covered.update(range(words.starts[i], words.ends[i]))
    for position, character in enumerate(text):
        if (character.isalpha() or character.isdigit()) and fold(character):
            assert position in covered, (character, position)


@given(texts, st.integers(0, 12))
def test_an_offset_inside_a_word_keeps_marks_with_their_letter(text: str, letters: int) -> None:
    words = Words(text)
    for i in range(len(words)):
        cut = words.inside(i, letters)
        assert words.starts[i] <= cut <= words.ends[i]
        head, tail = fold(text[words.starts[i] : cut]), fold(text[cut : words.ends[i]])
        assert head + tail == words.folded[i]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("رضى", "رضي"),
        ("شَىْءٌ", "شيء"),
        ("إِسْمَاعِيلُ", "اسماعيل"),
        ("صَدَقَةُ", "صدقه"),
        ("هَانِئٍ", "هاني"),
        ("الرَّحْمَـٰنِ", "الرحمن"),
        ("ٱلْحَمْدُ", "الحمد"),
        ("ابوہریرہ", "ابوهريره"),
        ("کتاب", "كتاب"),
        ("ﻻ", "لا"),
        ("ﷲ", "الله"),
        ("قَالَ\u200f", "قال"),
    ],
)
def test_spellings_that_are_one_for_matching(one: str, other: str) -> None:
    assert Words(one).folded == [fold(other)]
    assert Words(unicodedata.normalize("NFD", one)).folded == [fold(other)]
    assert Words(unicodedata.normalize("NFC", one)).folded == [fold(other)]


def test_a_word_ends_before_an_invisible_character_and_goes_over_one_inside() -> None:
    text = "قَالَ\u200f عَبْ\u200fدُ"
    words = Words(text)
    assert words.surface(0, 1) == "قَالَ"
    assert words.folded == ["قال", "عبد"]


def test_markdown_marks_are_not_words() -> None:
    text = "# حدثنا مالك PageV02P475\n~~عن نافع ms0012 كتبنا1 @QB@ الحمد @QE@"
    assert Words(text).folded == ["حدثنا", "مالك", "عن", "نافع", "كتبنا", "1", "الحمد"]


def test_a_line_of_ten_million_letters_without_a_space_is_one_word() -> None:
    assert len(Words("ن" * 10_000_000)) == 1
