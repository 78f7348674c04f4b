"""Readings (qiraʾat) with other letters than Hafs: the verse is found, and the words are not called exact."""

import pytest

from kg.extract.quran_index import QuranIndex, load_index


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


def test_every_reading_has_its_place(index: QuranIndex) -> None:
    assert len(index.readings) >= 34
    assert all(index.vocabulary[index.words[place]] not in readings for place, readings in index.readings.items())
