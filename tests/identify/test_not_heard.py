"""Namesakes of famous men whose chains give the bare name: whom the famous one did not hear."""

import pytest

from kg.authority import load
from kg.identify.narrators import identify
from kg.identify.weights import _not_heard

ENDS = "عن النبي صلى الله عليه وسلم قال كذا"


@pytest.mark.parametrize(
    ("text", "place", "person"),
    [
        (f"حدثنا مسدد حدثنا يزيد بن زريع حدثنا سعيد عن قتادة عن أبي رافع عن أبي هريرة {ENDS}", 4, "person/abu-rafi-al-saigh"),
        (f"حدثنا مسدد حدثنا حماد بن زيد عن أيوب عن حفصة عن أم عطية {ENDS}", 3, "person/taqrib-8561"),
        (
            f"حدثنا عبيد الله بن معاذ حدثنا أبي حدثنا شعبة عن قتادة عن أبي أيوب عن عبد الله بن عمرو {ENDS}",
            4,
            "person/taqrib-7949",
        ),
        (
            f"حدثنا هشام بن عمار حدثنا الوليد عن عثمان بن أبي العاتكة عن علي بن يزيد عن القاسم عن أبي أمامة {ENDS}",
            4,
            "person/taqrib-5470",
        ),
        (f"حدثنا وكيع حدثنا علي بن الأقمر عن أبي حذيفة عن عائشة {ENDS}", 2, "person/taqrib-2498"),
        (f"حدثنا مسدد حدثنا يحيى عن هشام عن أبيه عن عائشة {ENDS}", 3, "person/urwa-b-al-zubayr"),
    ],
)
def test_a_bare_name_is_the_namesakes_whose_chain_it_is(read, text: str, place: int, person: str) -> None:
    assert identify(read(text), load()).claims("book:1")[place][0].person == person


def test_every_row_names_persons_of_the_authority() -> None:
    persons = load().persons
    assert _not_heard() and all(student in persons and teacher in persons for student, teacher in _not_heard())
