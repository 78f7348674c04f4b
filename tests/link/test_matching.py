"""Names as an Arabist writes them find their persons, places, events and works."""

import pytest

from kg.authority import load
from kg.link.matching import Index, Thing
from kg.link.reading import read_name
from kg.link.romanisation import bone, skeleton, vowels_agree


@pytest.mark.parametrize(
    ("written", "key"),
    [
        ("ابن شهاب", "person/al-zuhri"),  # by his ancestor
        ("الزُّهْرِيِّ", "person/al-zuhri"),  # nisba alone, vowelled, in the genitive
        ("الزهري، محمد بن مسلم", "person/al-zuhri"),  # turned round
        ("محمد بن مسلم الزهري", "person/al-zuhri"),
        ("أبو الدرداء", "person/abu-al-darda"),  # kunya alone
        ("أبي الدرداءِ رضي الله عنه", "person/abu-al-darda"),  # another case, a blessing
        ("ابو الدردا", "person/abu-al-darda"),  # without hamza
        ("عايشة", "person/aisha"),
        ("عائشه", "person/aisha"),
        ("يحيي بن سعيد القطان", "person/yahya-b-said-al-qattan"),  # ya for alif maqsura
        ("هشامُ بنُ عمّارٍ", "person/hisham-b-ammar"),
        ("سيدنا عمر بن الخطاب", "person/umar-b-al-khattab"),
        ("مجاهدًا", "person/mujahid-b-jabr"),  # accusative
        ("نافعًا", "person/nafi-mawla-ibn-umar"),
    ],
)
def test_arabic_names(index: Index, written: str, key: str) -> None:
    assert index.find(written, ("Person",))[0].thing.key == key


@pytest.mark.parametrize(
    ("written", "key"),
    [
        ("Ibn Shihāb al-Zuhrī", "person/al-zuhri"),  # IJMES
        ("Ibn Šihāb az-Zuhrī", "person/al-zuhri"),  # DMG
        ("Zuhrī, Muḥammad ibn Muslim", "person/al-zuhri"),  # Library of Congress, turned round
        ("Zohri", "person/al-zuhri"),  # popular
        ("Šuʿba b. al-Ḥaǧǧāǧ", "person/shuba-b-al-hajjaj"),
        ("Shuʻbah ibn al-Ḥajjāj", "person/shuba-b-al-hajjaj"),
        ("Shubah bin Hajjaj", "person/shuba-b-al-hajjaj"),
        ("ʿUmar b. al-Ḫaṭṭāb", "person/umar-b-al-khattab"),
        ("Omar bin Khattab", "person/umar-b-al-khattab"),
        ("Abdullah ibn Umar", "person/abd-allah-b-umar"),
        ("ʿAbd Allāh b. ʿAmr", "person/abd-allah-b-amr"),
        ("Abdullah bin Amr", "person/abd-allah-b-amr"),
        ("Abdurrahman bin Auf", "person/abd-al-rahman-b-awf"),
        ("ʿAbd al-Raḥmān ibn ʿAwf", "person/abd-al-rahman-b-awf"),
        ("Aboo Hurairah", "person/abu-hurayra"),
        ("Abu Hureyra", "person/abu-hurayra"),
        ("Aïcha", "person/aisha"),
        ("ʿĀʾisha", "person/aisha"),
        ("Othman ibn Affan", "person/uthman-b-affan"),
        ("al-A'mash", "person/al-amash"),
        ("Yaḥyā b. Saʿīd al-Qaṭṭān", "person/yahya-b-said-al-qattan"),
        ("Yahya bin Saeed Al-Qattan", "person/yahya-b-said-al-qattan"),
        ("Abū l-Dardāʾ", "person/abu-al-darda"),  # the article without its vowel
        ("Abu d-Darda", "person/abu-al-darda"),
        ("ʿĀʾiša", "person/aisha"),
        ("Aischa", "person/aisha"),  # German
        ("Schuʿba ibn al-Haddschadsch", "person/shuba-b-al-hajjaj"),
    ],
)
def test_latin_names(index: Index, written: str, key: str) -> None:
    assert index.find(written, ("Person",))[0].thing.key == key


@pytest.mark.parametrize(
    ("written", "kind", "key"),
    [
        ("Battle of Badr", "Event", "event/battle-of-badr"),
        ("غزوة بدر", "Event", "event/battle-of-badr"),
        ("Badr", "Place", "place/badr"),
        ("Makkah", "Place", "place/mecca"),
        ("مَكَّة", "Place", "place/mecca"),
        ("Sahih Bukhari", "Work", "work/sahih-al-bukhari"),
        ("Ṣaḥīḥ al-Buḫārī", "Work", "work/sahih-al-bukhari"),
    ],
)
def test_other_names(index: Index, written: str, kind: str, key: str) -> None:
    assert index.find(written, (kind,))[0].thing.key == key


@pytest.mark.parametrize(
    ("written", "arabic", "other"), [("Bakr", "بكر", "بكره"), ("Ḥafṣa", "حفصه", "حفص"), ("Bakra", "بكره", "بكر")]
)
def test_a_last_a_is_heard(written: str, arabic: str, other: str) -> None:
    assert skeleton(arabic) == skeleton(other)
    assert vowels_agree(written, arabic) > vowels_agree(written, other)


def test_what_texts_mean_by_a_bare_name_decides(index: Index) -> None:
    first, second = index.find("سفيان", ("Person",))[:2]
    assert (first.thing.key, second.thing.key) == ("person/sufyan-b-uyayna", "person/sufyan-al-thawri")
    assert (first.features["attested"], second.features["attested"]) == (0.6, 0.4)
    assert first.score < 0.8


def test_two_men_of_one_name_are_told_apart_by_their_father(index: Index) -> None:
    assert index.find("حماد بن زيد")[0].thing.key == "person/hammad-b-zayd"
    assert index.find("حماد بن سلمة")[0].thing.key == "person/hammad-b-salama"


def test_a_woman_is_not_found_under_a_man_s_name(index: Index) -> None:
    found = index.find("أسماء بنت أبي بكر", ("Person",))[0]
    assert found.thing.sex == "f"


@pytest.mark.parametrize("nothing", ["", "   ", "،", "xyzzyq wvut", "؟!", "123456"])
def test_nothing_is_found_for_nothing(index: Index, nothing: str) -> None:
    assert [candidate for candidate in index.find(nothing) if candidate.score > 0.5] == []


def test_schools_meet_in_one_skeleton() -> None:
    assert len({skeleton(word) for word in ("Ḥaǧǧāǧ", "Ḥajjāj", "Hajjaj", "حجاج")}) == 1
    assert len({skeleton(word) for word in ("Quṯayr", "Quthayr", "قثير")}) == 1
    assert bone("عبد الرحمن") == "عبد rhmn" or bone("عبد رحمن") == read_name("Abdurrahman").parts[0].value
    assert vowels_agree("Sālim", "سالم") == 1.0
    assert vowels_agree("Sālim", "سلم") < 0.8


def test_whom_texts_call_otherwise_gives_way_to_others() -> None:
    """Two men of one nisba: the more frequent one is never called by it."""
    persons = load().persons
    rows = (("person/yahya-b-bukayr", 200), ("person/taqrib-6838", 20))  # both are al-Makhzumi
    things = [Thing(key, "Person", ((persons[key].name_ar, "ar"),), weight) for key, weight in rows]
    counts = {"يحيى بن بكير": {"person/yahya-b-bukayr": 200}, "أبو هشام المخزومي": {"person/taqrib-6838": 20}}
    assert Index.of(things, persons).find("المخزومي")[0].thing.key == "person/yahya-b-bukayr"
    assert Index.of(things, persons, counts).find("المخزومي")[0].thing.key == "person/taqrib-6838"
