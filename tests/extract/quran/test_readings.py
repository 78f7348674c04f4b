"""Readings (qiraʾat) with other letters than Hafs: the verse is found, and the words are not called exact."""

from itertools import pairwise

import pytest

from kg.extract.quran_index import QuranIndex, load_index
from kg.extract.quran_whole_readings import WholeReadings
from kg.tables import TableError


@pytest.fixture(scope="module")
def index(cache) -> QuranIndex:
    return load_index(cache)


@pytest.mark.parametrize(
    "text, surface, ref",
    [
        ("عن ابن عباس يقرأ {ألا إنهم تثنوني صدورهم} قال سألته", "ألا إنهم تثنوني صدورهم", "11:5"),
        ("كان يقرأ وكان أمامهم ملك يأخذ كل سفينة غصبا", "وكان أمامهم ملك يأخذ كل سفينة غصبا", "18:79"),
        ("يقرؤها إذا نودي للصلاة من يوم الجمعة فامضوا إلى ذكر الله", "إذا نودي للصلاة من يوم الجمعة فامضوا إلى ذكر الله", "62:9"),
        ("قوله تعالى: وانظر إلى العظام كيف ننشرها ثم نكسوها لحما", "وانظر إلى العظام كيف ننشرها ثم نكسوها لحما", "2:259"),
        ("قرأ {إن جاءكم فاسق بنبإ فتثبتوا}", "إن جاءكم فاسق بنبإ فتثبتوا", "49:6"),
        ("عن ابن عمر أنه قرأ فدية طعام مساكين. قال هي منسوخة", "فدية طعام مساكين", "2:184"),
        ("وقرأ {وجدها تغرب في عين حامية}", "وجدها تغرب في عين حامية", "18:86"),
    ],
)
def test_a_reading_is_found_and_is_not_exact(cite, text: str, surface: str, ref: str) -> None:
    [(citation, found)] = cite(text)
    assert (found, citation.refs, citation.exact) == (surface, (ref,), False)


@pytest.mark.parametrize(
    "text, surfaces, refs",
    [
        (
            "فقرأت {والليل إذا يغشى * والنهار إذا تجلى} والذكر والأنثى. قال والله",
            ["والليل إذا يغشى * والنهار إذا تجلى", "والذكر والأنثى"],
            ["92:1-2", "92:3"],
        ),
        (
            "فنزلت ليس عليكم جناح أن تبتغوا فضلا من ربكم في مواسم الحج. قرأها ابن عباس",
            ["ليس عليكم جناح أن تبتغوا فضلا من ربكم في مواسم الحج"],
            ["2:198"],
        ),
        (
            "{يا أيها النبي إذا طلقتم النساء فطلقوهن} في قبل عدتهن",
            ["يا أيها النبي إذا طلقتم النساء فطلقوهن} في قبل عدتهن"],
            ["65:1"],
        ),
        (
            "وكان يقرأ {وأما الغلام فكان كافرا وكان أبواه مؤمنين}",
            ["وأما الغلام فكان كافرا وكان أبواه مؤمنين"],
            ["18:80"],
        ),
        ("زكاة الفطر صاعا من تمر على العبد والحر والذكر والأنثى والصغير", [], []),
        ("يجتمعون في صلاة الظهر وصلاة العصر", [], []),
    ],
)
def test_a_reading_of_several_words_stands_as_its_verse(cite, text: str, surfaces: list[str], refs: list[str]) -> None:
    found = cite(text)
    assert [surface for _, surface in found] == surfaces
    assert [citation.refs[0] for citation, _ in found] == refs
    assert not any(citation.exact for citation, _ in found[-1:])
    assert all(a.end <= b.start for (a, _), (b, _) in pairwise(found))


def test_a_reading_whose_words_the_verse_does_not_have_is_named(index: QuranIndex, tmp_path) -> None:
    table = tmp_path / "readings.tsv"
    table.write_text("ref\thafs\treading\treader\tsource\n92:3\tوما خلق الليل\tوالذكر\tIbn Masud\teditors\n", encoding="utf-8")
    with pytest.raises(TableError, match=r"readings\.tsv:2: 92:3 has no words"):
        WholeReadings(index, table)


def test_every_reading_has_its_place(index: QuranIndex) -> None:
    assert len(index.readings) >= 34
    assert all(index.vocabulary[index.words[place]] not in readings for place, readings in index.readings.items())
