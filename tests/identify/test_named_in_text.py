"""Bare names outside the chains that mean a narrator of the same passage, and those that do not."""

import pytest

from kg.authority import load
from kg.extract.extractor import Extractor
from kg.extract.naming import Namer
from kg.identify.narrators import identify
from kg.text import Passage, Words

CHAIN = "حَدَّثَنَا أَبُو بَكْرِ بْنُ أَبِي شَيْبَةَ، وَزُهَيْرُ بْنُ حَرْبٍ، {}حَدَّثَنَا سُفْيَانُ بْنُ عُيَيْنَةَ، عَنِ الزُّهْرِيِّ، عَنْ أَنَسٍ، قَالَ {}"


@pytest.fixture(scope="module")
def extractor():
    return Extractor(load())


def named(extractor, text, identifier="muslim:1"):
    passage = Passage(identifier, text, source=identifier.partition(":")[0], kind="hadith")
    record = extractor.extract(passage)
    return {person.surface: person.person for person in identify([record], load()).apply(record).persons}


def test_the_author_tells_whose_words_he_gives(extractor):
    text = CHAIN.format("- وَاللَّفْظُ لأَبِي بَكْرٍ - قَالَ زُهَيْرٌ ", "رَأَيْتُ النَّبِيَّ صلى الله عليه وسلم وَفِي حَدِيثِ زُهَيْرٍ رَأَيْنَا")
    found = named(extractor, text)
    assert found["أَبِي بَكْرٍ"] == "person/abu-bakr-b-abi-shayba"
    assert found["زُهَيْرٍ"] == "person/zuhayr-b-harb"


def test_a_story_means_the_famous_man(extractor):
    text = CHAIN.format("قَالاَ ", "جَاءَ أَبُو بَكْرٍ إِلَى النَّبِيِّ صلى الله عليه وسلم فَقَالَ أَبُو بَكْرٍ نَعَمْ")
    assert named(extractor, text)["أَبُو بَكْرٍ"] == "person/abu-bakr"


def test_a_narrator_of_the_kunya_is_meant_before_the_collector(extractor):
    text = "أخبرنا قتيبة حدثنا سفيان عن أبي عبد الرحمن السلمي قال أبو عبد الرحمن صلينا معه"
    assert named(extractor, text, "nasai:1")["أبو عبد الرحمن"] != "person/al-nasai"
    alone = "أخبرنا قتيبة حدثنا سفيان عن الزهري عن أنس قال صلينا معه قال أبو عبد الرحمن هذا خطأ"
    assert named(extractor, alone, "nasai:1")["أبو عبد الرحمن"] == "person/al-nasai"


def test_somebody_named_in_full_is_no_narrator(extractor):
    text = CHAIN.format("قَالاَ ", "لَقِيتُ سُفْيَانَ بْنَ وَهْبٍ فَقَالَ سُفْيَانُ نَعَمْ")
    assert named(extractor, text)["سُفْيَانُ"] is None


def test_a_collector_speaks_under_his_kunya(extractor):
    text = CHAIN.format("قَالاَ ", "صَلَّيْنَا. قَالَ أَبُو عَبْدِ اللَّهِ لَيْسَ هَذَا بِمَحْفُوظٍ")
    assert named(extractor, text, "bukhari:1")["أَبُو عَبْدِ اللَّهِ"] == "person/al-bukhari"
    assert named(extractor, text, "other:1")["أَبُو عَبْدِ اللَّهِ"] is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("فَقُلْتُ أَبَا عَبْدِ الرَّحْمَنِ إِنَّهُ قَدْ ظَهَرَ قِبَلَنَا نَاسٌ", {"أَبَا عَبْدِ الرَّحْمَنِ": None}),
        ("فَأَغْضَبَ أَبُو بَكْرٍ عُمَرَ", {"أَبُو بَكْرٍ": "person/abu-bakr", "عُمَرَ": "person/umar-b-al-khattab"}),
        ("فَقُلْتُ أَنَا مُحَمَّدُ بْنُ عَلِيِّ بْنِ حُسَيْنٍ", {"مُحَمَّدُ بْنُ عَلِيِّ بْنِ حُسَيْنٍ": None}),
        ("قَالَ حَدَّثَنِي أَبِي عُمَرُ بْنُ الْخَطَّابِ أَنَّهُ", {"عُمَرُ بْنُ الْخَطَّابِ": "person/umar-b-al-khattab"}),
        ("لاَ تَحْزَنْ إِنَّ اللَّهَ مَعَنَا", {}),
        ("سَمِعْتُ صَوْتَ صَارِخٍ أَوْفَى عَلَى جَبَلِ سَلْعٍ", {}),
        ("فَأَعْطَاهُ النَّبِيُّ غَنَمًا", {"النَّبِيُّ": "person/muhammad"}),
    ],
)
def test_where_a_name_begins_and_ends(text, expected):
    persons, _, _ = Namer(load()).find(Words(text), Passage("t:1", text), (), ())
    assert {person.surface: person.person for person in persons} == expected
