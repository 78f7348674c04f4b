"""Who cites, what for, and suras named."""

import pytest


@pytest.mark.parametrize(
    "text, kind, who, use",
    [
        ("ثم تلا رسول الله صلى الله عليه وسلم ﴿هو الذي أنزل عليك الكتاب منه آيات محكمات﴾", "hadith", "prophet", "recitation"),
        ("سمعت النبي صلى الله عليه وسلم يقرأ على المنبر ﴿ونادوا يا مالك﴾", "hadith", "prophet", "recitation"),
        ("ثم يقول أبو هريرة رضي الله عنه اقرءوا إن شئتم ﴿فطرة الله التي فطر الناس عليها﴾", "hadith", "companion", "proof"),
        ("ثم قرأ ابن عباس ﴿فأينما تولوا فثم وجه الله﴾", "hadith", "companion", "recitation"),
        ("قال الله تعالى ﴿وآتوا النساء صدقاتهن نحلة﴾", "passage", "author", "proof"),
        ("قال الله تعالى ﴿وآتوا النساء صدقاتهن نحلة﴾", "hadith", None, "proof"),
        ("فاختصما إليه فنزلت ﴿هذان خصمان اختصموا في ربهم﴾", "hadith", None, "occasion"),
        ("قرأ على النبي صلى الله عليه وسلم ﴿والنجم إذا هوى﴾ فلم يسجد", "hadith", None, "recitation"),
    ],
)
def test_who_cites_and_for_what(cite, text: str, kind: str, who: str | None, use: str) -> None:
    [(citation, _)] = cite(text, kind)
    assert (citation.cited_by, citation.use) == (who, use)


def test_the_formula_stands_beside_the_citation(cite) -> None:
    text = "فأنزل الله تعالى في ذلك: ﴿ليس لك من الأمر شيء﴾"
    [(citation, _)] = cite(text)
    assert citation.introduced_by is not None
    assert text[slice(*citation.introduced_by)] == "فأنزل الله تعالى في ذلك"


@pytest.mark.parametrize(
    "text, name, ref",
    [
        ("آخر سورة نزلت كاملة سورة براءة", "براءة", "9:1-129"),
        ("لما نزلت سورة آل عمران", "آل عمران", "3:1-200"),
        ("لا صلاة لمن لم يقرأ بفاتحة الكتاب", "بفاتحة الكتاب", "1:1-7"),
        ("قرأ سورة إذا زلزلت", "إذا زلزلت", "99:1-8"),
    ],
)
def test_a_sura_named_is_a_citation_of_its_own(cite, text: str, name: str, ref: str) -> None:
    [(citation, surface)] = cite(text)
    assert (surface, citation.refs, citation.use) == (name, (ref,), "sura-named")


def test_the_opening_words_recited_name_the_sura(cite) -> None:
    [(citation, _)] = cite("أن النبي صلى الله عليه وسلم قرأ {والنجم} فسجد فيها")
    assert citation.use == "sura-named" and citation.refs == ("53:1",)
