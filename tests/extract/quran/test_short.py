"""One or two unmarked words after a formula: the constructions in which they go on with the author's sentence."""

import pytest


@pytest.mark.parametrize(
    "text",
    [
        "فإذا بقي من قراءته قدر ثلاثين آية قام فقرأ وهو قائم ثم ركع",
        "حتى أسن فكان يقرأ قاعدا. حتى إذا أراد أن يركع قام",
        "قد خرج من مكة ونزل يثرب. فقال أقاتله العرب",
        "من اشترط شرطا ليس في كتاب الله فليس له، وإن اشترط مائة مرة",
        "قال رسول الله يقول الله يا آدم. فيقول لبيك",
        "ثم يشتري بها من رجل آخر عرضا، وقد [ق: 40 - ب] وجبت عليه في عرضه",
        "انتهى عند قوله فأنزل الله عز وجل فيه. ولم يذكر الآيتين",
        "فيقول الله عز وجل انظروا إلى عبدي هذا يؤذن",
        "قالوا ماذا قال ربكم، قالوا للذي قال الحق",
    ],
)
def test_words_that_only_go_on_with_the_sentence_are_not_asserted(cite, text: str) -> None:
    assert cite(text) == []


@pytest.mark.parametrize(
    "text, surface, ref",
    [
        ("عن ابن عمر أنه قرأ فدية طعام. ثم سكت", "فدية طعام", "2:184"),
        ("كنا مع النبي في غار إذ نزلت عليه والمرسلات، فإنه ليتلوها", "والمرسلات", "77:1"),
        ("فلما أنزل الله عز وجل: ادعوهم لآبائهم", "ادعوهم لآبائهم", "33:5"),
        ("صحابي له حديث في قوله تعالى وأنذر عشيرتك", "وأنذر عشيرتك", "26:214"),
    ],
)
def test_words_right_after_a_formula_are(cite, text: str, surface: str, ref: str) -> None:
    [(citation, found)] = cite(text)
    assert (found, citation.refs) == (surface, (ref,))


def test_what_was_looked_up_before_does_not_matter(cite) -> None:
    text = "قال أبو عبد الله هذا تفسير الأول إذا قال"
    assert cite(text) == []
    cite("فالأول والآخر")
    assert cite(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "فإذا رجل يقرأ ويصلي قال لقد أوتي هذا",
        "كان عمر يكره أن يقرأ الجنب قال شعبة وجدت",
        "وإذا كتبوا إليه قرأت له كتابهم قال هذا حديث حسن",
        "ثم قرأ {يوم ندعو كل أناس بإمامهم} قال يدعى أحدهم فيعطى كتابه بيمينه ويمد له في جسمه",
    ],
)
def test_words_of_the_teller_are_not_recited(cite, text: str) -> None:
    assert [surface for _, surface in cite(text)] == [s for s in ("يوم ندعو كل أناس بإمامهم",) if s in text]
