"""Texts as they come: any normalisation, odd marks, nonsense; spans always lie on the author's letters."""

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.extract.quran import QuranFinder
from kg.extract.quran_text import load_verses
from kg.text import Passage, Words

VERSE = "ثَانِيَ اثْنَيْنِ إِذْ هُمَا فِي الْغَارِ إِذْ يَقُولُ لِصَاحِبِهِ لَا تَحْزَنْ إِنَّ اللَّهَ مَعَنَا"
TEXT = f"قَالَ اللَّهُ تَعَالَى: {VERSE} يَعْنِي أَبَا بَكْرٍ"


def presentation_forms(text: str) -> str:
    """The text in presentation forms, as old files have it."""
    forms = {}
    for code in [*range(0xFE80, 0xFEFD)]:
        plain = unicodedata.normalize("NFKC", chr(code))
        if len(plain) == 1:
            forms.setdefault(plain, chr(code))
    return "".join(forms.get(letter, letter) for letter in text)


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda text: unicodedata.normalize("NFC", text), id="NFC"),
        pytest.param(lambda text: unicodedata.normalize("NFD", text), id="NFD"),
        pytest.param(lambda text: text.replace("ي", "ی").replace("ك", "ک"), id="Persian letters"),
        pytest.param(lambda text: text.replace("ا", "اـ"), id="tatweel"),
        pytest.param(lambda text: text.replace(" ", "\u200f \u200f"), id="direction marks"),
        pytest.param(lambda text: text.replace(" إذ ", " (40) إذ "), id="numbers"),
        pytest.param(presentation_forms, id="presentation forms"),
        pytest.param(lambda text: text.replace(" ", "  ~~\n"), id="lines"),
        pytest.param(lambda text: "".join(c for c in text if not unicodedata.combining(c)), id="no vowels"),
    ],
)
def test_the_verse_is_found_in_any_dress(finder: QuranFinder, change) -> None:
    text = change(TEXT)
    [citation] = finder.find(Words(text), Passage("t:1", text))
    found = text[citation.start : citation.end]
    assert citation.refs == ("9:40",) and citation.words == (10, 23)
    assert (Words(found).folded[0], Words(found).folded[-1]) == ("ثاني", "معنا")


def test_the_uthmani_text_is_found_verse_by_verse(finder: QuranFinder) -> None:
    wrong = []
    for verse in load_verses()[::41]:
        text = f"قال الله تعالى ﴿{verse.text}﴾"
        citations = finder.find(Words(text), Passage("t:1", text))
        refs = [ref for citation in citations for ref in (*citation.refs, *citation.candidates)]
        if verse.ref not in refs:
            wrong.append((verse.ref, refs))
    assert not wrong


@pytest.mark.parametrize(
    "text", ["", " ", "﴿﴾", "}{", "@QE@ @QB@", "قال الله", "إلى قوله", "\u200f", "1 2 3", "﷽", "الآية", "سورة"]
)
def test_nothing_to_find_is_found_in_nothing(finder: QuranFinder, text: str) -> None:
    assert finder.find(Words(text), Passage("t:1", text)) == ()


def test_a_long_line_costs_no_more_by_the_letter(finder: QuranFinder) -> None:
    """A megabyte in one line is read, and gives the same citations as its pieces."""
    piece = TEXT + " فقام رجل من القوم يا رسول الله يا أيها الذين آمنوا ثم جلس. " + "حدثنا عبد الله أخبرنا سفيان عن الزهري " * 40
    text = piece * 400
    assert len(text) > 600_000
    citations = finder.find(Words(text), Passage("t:1", text))
    assert [citation.refs for citation in citations if citation.exact and citation.words == (10, 23)] == [("9:40",)] * 400


VERSES = [" ".join(verse.plain) for verse in load_verses()[::97]]
PIECES = st.sampled_from(
    [*VERSES, "قال الله تعالى", "إلى قوله", "الآية", "ثم قرأ", "سورة البقرة", "﴿", "﴾", "{", "}", "«", "»", '"',
     "(", ")", "[", "]", ":", "،", ".", "\n", "@QB@", "@QE@", "12", "[البقرة: 2]", "2: 255", "\u200f",
     "ـ", "َ", "ﷺ", "و", "ب", "يا", "PageV01P002", "abc", "ى", "ة"]
)  # fmt: skip


@settings(max_examples=100)
@given(st.lists(PIECES, max_size=30), st.sampled_from([" ", ""]))
def test_spans_lie_on_the_authors_letters(finder: QuranFinder, pieces: list[str], between: str) -> None:
    text = between.join(pieces)
    citations = finder.find(Words(text), Passage("t:1", text))
    end = 0
    for citation in citations:
        assert end <= citation.start < citation.end <= len(text), "in order, without overlaps"
        end = citation.end
        surface = text[citation.start : citation.end]
        assert surface.strip() and Words(surface).folded
        assert citation.refs or citation.candidates
        assert 0 <= citation.confidence <= 1
        if citation.introduced_by:
            assert 0 <= citation.introduced_by[0] < citation.introduced_by[1] <= len(text)
    assert citations == finder.find(Words(text), Passage("t:1", text)), "the same text, the same citations"


@settings(max_examples=100)
@given(st.text(max_size=200))
def test_any_text_is_read(finder: QuranFinder, text: str) -> None:
    for citation in finder.find(Words(text), Passage("t:1", text)):
        assert text[citation.start : citation.end]
