"""Who is the father behind a kin word, where the authority knows him by one name only."""

from kg.authority import load
from kg.identify.narrators import identify


def test_the_man_of_his_fathers_name_whom_one_always_hears_is_the_father(read) -> None:
    text = "حدثنا إسماعيل بن جعفر حدثنا عمر بن نافع عن أبيه عن ابن عمر أن رسول الله صلى الله عليه وسلم نهى عن القزع"
    claims = identify(read(text), load()).claims("book:1")
    assert [claims[place][0].person for place in (1, 2, 3)] == [
        "person/taqrib-4973",
        "person/nafi-mawla-ibn-umar",
        "person/abd-allah-b-umar",
    ]
