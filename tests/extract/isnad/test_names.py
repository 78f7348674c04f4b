"""The grammar of personal names: where a name ends, and what its parts are."""

import pytest

from kg.extract.isnad import IsnadReader
from kg.extract.names import name_parts
from kg.extract.word_classes import WordClasses
from kg.text import Passage, Words, fold

CLASSES = WordClasses.load()

PARTS = {
    "هشام بن عمار": {"ism": "هشام", "nasab": ["عمار"]},
    "أبي هريرة": {"kunya": "أبو هريرة"},
    "عبد الله بن مسلمة بن قعنب": {"ism": "عبد الله", "nasab": ["مسلمة", "قعنب"]},
    "أبو بكر بن أبي شيبة": {"kunya": "أبو بكر", "nasab": ["أبو شيبة"]},
    "عائذ الله أبي إدريس الخولاني": {"ism": "عائذ الله", "kunya": "أبو إدريس", "nisba": ["الخولاني"]},
    "ابن أبي عمر": {"nasab": ["أبو عمر"], "shuhra": "ابن أبي عمر"},
    "الأعمش": {"laqab": "الأعمش", "shuhra": "الأعمش"},
    "الزهري": {"nisba": ["الزهري"], "shuhra": "الزهري"},
    "عبدان عبد الله بن عثمان": {"laqab": "عبدان", "ism": "عبد الله", "nasab": ["عثمان"]},
    "أم سلمة": {"kunya": "أم سلمة"},
    "حفصة بنت سيرين": {"ism": "حفصة", "nasab": ["سيرين"]},
    "محمد بن عبد الرحمن بن أبي ليلى الأنصاري": {"ism": "محمد", "nasab": ["عبد الرحمن", "أبو ليلى"], "nisba": ["الأنصاري"]},
}


@pytest.mark.parametrize("name", PARTS, ids=str)
def test_parts(name: str) -> None:
    assert name_parts(name.split(), CLASSES.code(fold(name).split())) == PARTS[name]


ENDS = [
    ("حدثنا أبو كريب محمد بن العلاء حدثنا", "أبو كريب محمد بن العلاء"),
    ("حدثنا الشيخ الإمام نجم الدين أبو العز يوسف بن يعقوب قال أخبرنا", "الشيخ الإمام نجم الدين أبو العز يوسف بن يعقوب"),
    ("حدثنا خلف بن خليفة الأشجعي أبو أحمد عن", "خلف بن خليفة الأشجعي أبو أحمد"),
    ("حدثنا محمد بن جعفر غندر حدثنا", "محمد بن جعفر غندر"),
    ("حدثنا إسماعيل ابن علية عن", "إسماعيل ابن علية"),
    ("سمعت أبا صالح ذكوان يحدث", "أبا صالح ذكوان"),
    ("حدثنا عبدالله بن محمد حدثنا", "عبدالله بن محمد"),
    ("عن عبد ربه بن سعيد عن", "عبد ربه بن سعيد"),
    ("عن المقدام بن معد يكرب عن", "المقدام بن معد يكرب"),
]


@pytest.mark.parametrize(("text", "name"), ENDS, ids=[name for _, name in ENDS])
def test_where_a_name_ends(text: str, name: str) -> None:
    text += " مالك عن نافع قال"
    mentions, _ = IsnadReader().read(Words(text), Passage("t:1", text))
    assert mentions[0].surface == name
