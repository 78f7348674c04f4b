"""Who cites, read from the frame of the report."""

import pytest

from kg.authority import load
from kg.extract.extractor import Extractor
from kg.text import Passage

CHAIN = "حدثنا قتيبة حدثنا سفيان عن الزهري عن أنس بن مالك رضى الله عنه قال "


@pytest.fixture(scope="module")
def extractor(cache) -> Extractor:
    return Extractor(load(), cache)


@pytest.mark.parametrize(
    "told, who",
    [
        ("لما نزلت {وأنذر عشيرتك الأقربين} صعد النبي صلى الله عليه وسلم على الصفا", "companion"),
        ('قال رسول الله صلى الله عليه وسلم " إنكم سترون ربكم " ثم قرأ {وسبح بحمد ربك قبل طلوع الشمس وقبل الغروب}', "prophet"),
        ('قال رسول الله صلى الله عليه وسلم " ألا تسمعون إلى قول لقمان {إن الشرك لظلم عظيم} "', "prophet"),
        (
            "فقام أبو طلحة فقال يا رسول الله إن الله يقول {لن تنالوا البر حتى تنفقوا مما تحبون} وإن أحب أموالي إلى بيرحاء",
            "companion",
        ),
        ("من قرأ {قل هو الله أحد} فله أجر", None),
        ("جاء رجل. {فارغا} إلا من ذكر موسى {لتنوء} لتثقل", None),
    ],
)
def test_the_frame_tells_who_cites(extractor: Extractor, told: str, who: str | None) -> None:
    record = extractor.extract(Passage("t:1", CHAIN + told, kind="hadith"))
    assert [citation.cited_by for citation in record.quran][:1] == [who]


def test_the_end_of_a_quotation_is_cited_by_whoever_began_it(extractor: Extractor) -> None:
    told = "فأنزل الله تعالى {إن الذين جاءوا بالإفك عصبة منكم} إلى قوله {والله يعلم وأنتم لا تعلمون}"
    record = extractor.extract(Passage("t:1", CHAIN + told, kind="hadith"))
    assert [citation.cited_by for citation in record.quran] == ["companion", "companion"]


def test_the_verse_within_the_words_of_the_prophet_is_his(extractor: Extractor) -> None:
    told = 'قال رسول الله صلى الله عليه وسلم " إذا رقد أحدكم عن الصلاة فليصلها إذا ذكرها فإن الله يقول {أقم الصلاة لذكري} "'
    record = extractor.extract(Passage("t:1", CHAIN + told, kind="hadith"))
    assert [citation.cited_by for citation in record.quran] == ["prophet"]


@pytest.mark.parametrize(
    "text, rank, person",
    [
        (CHAIN + "لما نزلت {وأنذر عشيرتك الأقربين} صعد على الصفا", "companion", "person/anas-b-malik"),
        ("حدثنا قتيبة حدثنا سفيان عن الزهري قال أنزل الله {وأنذر عشيرتك الأقربين} بمكة", "successor", "person/al-zuhri"),
        (
            "حدثنا قتيبة حدثنا سفيان عن الزهري عن أنس بن مالك قال جاء رجل. قال الزهري قال الله تعالى {وأنذر عشيرتك الأقربين}",
            "successor",
            "person/al-zuhri",
        ),
        ("وحدثنا قتيبة حدثنا سفيان عن الزهري بهذا الإسناد نحوه وقال فأنزل الله {وأنذر عشيرتك الأقربين}", None, None),
    ],
)
def test_a_successor_cites_where_he_speaks_himself(extractor: Extractor, text: str, rank: str | None, person: str | None) -> None:
    [citation] = extractor.extract(Passage("t:1", text, kind="hadith")).quran
    assert (citation.cited_by, citation.cited_by_person) == (rank, person)


def test_an_explanation_is_the_tellers(extractor: Extractor) -> None:
    told = "فجاء أبو سفيان فقال يا محمد إن قومك هلكوا. ثم عادوا إلى كفرهم فذلك قوله تعالى {يوم نبطش البطشة الكبرى}"
    [citation] = extractor.extract(Passage("t:1", CHAIN + told, kind="hadith")).quran
    assert citation.cited_by_person == "person/anas-b-malik"
