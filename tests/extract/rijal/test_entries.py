"""Entries in Ibn Hajar's manner, each with one thing that is easily misread. The persons are invented."""

import pytest

from kg.extract.rijal_entry import read_entry
from kg.extract.rijal_years import death_year


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        (
            "خالد بفتح المعجمة بن عبيد الله بالتصغير بن أبي عمرو البصري أبو عبد الرحمن صدوق يهم من كبار السابعة مات سنة تسع وخمسين د ق",
            {"ism": "خالد", "nasab": ("عبيد الله", "أبي عمرو"), "kunya": ("أبو عبد الرحمن",), "rank": "صدوق يهم", "tabaqa": 7},
        ),
        ("أبو طارق الأسدي قيل اسمه عامر مجهول من الثالثة ت", {"kunya": ("أبو طارق",), "ism": None, "rank": "مجهول"}),
        ("عامر بن طارق الكوفي يكنى أبا رافع ضعيف الحفظ من السابعة ق", {"kunya": ("أبو رافع",), "rank": "ضعيف الحفظ"}),
        ("عامر بن طارق البصري أبو محمد أو أبو سهل ثقة من الرابعة ع", {"kunya": ("أبو محمد", "أبو سهل"), "sigla": ("ع",)}),
        ("عامر بن طارق المعروف بابن أبي ليلة ثقة من العاشرة خ", {"shuhra": ("ابن أبي ليلة",)}),
        ("عامر بن طارق البصري لقبه ورد ثقة من العاشرة خ", {"laqab": ("ورد",)}),
        ("عامر بن طارق القيسي ويقال له عمار ثقة من التاسعة م", {"laqab": ("عمار",), "nisba": ("القيسي",)}),
        ("سلمى بنت طارق الأنصارية صحابية لها حديث د", {"sex": "f", "companion": True, "tabaqa": 1}),
        ("عامر بن طارق ثقة من الثالثة ووهم من زعم أنه صحابي 4", {"companion": False, "tabaqa": 3, "rank": "ثقة"}),
        ("عامر بن أبي صالح سلمان البصري ثقة من السادسة ع", {"nasab": ("أبي صالح",), "father_ism": "سلمان"}),
    ],
)
def test_what_an_entry_says(entry: str, expected: dict[str, object]) -> None:
    facts = read_entry(entry)
    assert {name: getattr(facts, name) for name in expected} == expected


@pytest.mark.parametrize(
    ("words", "tabaqa", "first", "last", "alternatives"),
    [
        ("مات سنه اربع او خمس وتسعين", 8, 194, 194, (195,)),
        ("مات سنه اربع وتسعين او اربع وماءه".replace("ماءه", "مايه"), 3, 94, 94, (104,)),
        ("مات سنه سبع عشره ومايه", 3, 117, 117, ()),
        ("مات سنه سبع عشره", 3, 117, 117, ()),
        ("مات سنه ست وخمسين", 3, 56, 56, ()),
        ("مات سنه ثلاث وثلاثمايه", 12, 303, 303, ()),
        ("مات سنه بضع عشره", 4, 113, 119, ()),
        ("مات بعد الاربعين ومايتين", 11, 240, None, ()),
        ("مات قبل الثمانين", 2, None, 80, ()),
        ("مات في حدود الخمسين", 11, 245, 255, ()),
        ("مات سنه ثمان وخمسين وقيل سنه تسع", 7, 158, 158, (159,)),
        ("مات سنه ستين او قبلها بسنه", 10, 260, 260, (259,)),
        ("قتل يوم الجمل", 1, 36, 36, ()),
    ],
)
def test_years(words: str, tabaqa: int, first: int | None, last: int | None, alternatives: tuple[int, ...]) -> None:
    death = death_year(words.split(), tabaqa)
    assert death is not None
    assert (death.first, death.last, death.alternatives) == (first, last, alternatives)


def test_where_two_centuries_are_possible_both_are_given() -> None:
    death = death_year(["مات", "سنه", "خمس", "وعشرين"], 3)
    assert death is not None and death.first == 125
    straddling = death_year(["مات", "سنه", "تسعين"], 2)
    assert straddling is not None and straddling.first == 90
    ninth = death_year(["مات", "سنه", "اربعين"], 9)
    assert ninth is not None and 240 in {ninth.first, *ninth.alternatives}


def test_an_entry_without_death_has_none() -> None:
    assert read_entry("عامر بن طارق البصري ثقة من الرابعة ع").death is None


@pytest.mark.parametrize(
    ("entry", "ism", "kunya", "laqab", "companion", "tabaqa"),
    [
        ("أم محمد والدة محمد بن حرب الخولاني لا يعرف حالها من السابعة ق", None, ("أم محمد",), (), False, 7),
        ("أيمن الحبشي المكي والد عبد الواحد ثقة من الرابعة خ صد", "أيمن", (), (), False, 4),
        ("جري بن كليب النهدي الكوفي عن رجل من بني سليم له صحبة مقبول من الثالثة أيضا ت", "جري", (), (), False, 3),
        ("يزيد بن أبي عبيد الأسلمي مولى سلمة بن الأكوع ثقة من الرابعة مات سنة بضع وأربعين ع", "يزيد", (), (), False, 4),
    ],
)
def test_what_is_said_of_another_is_his(entry, ism, kunya, laqab, companion, tabaqa) -> None:
    facts = read_entry(entry)
    assert (facts.ism, facts.kunya, facts.laqab, facts.companion, facts.tabaqa) == (ism, kunya, laqab, companion, tabaqa)
