"""Persons, groups, prophets, places and times in running text."""

import pytest

from kg.authority import load
from kg.extract.naming import Namer
from kg.text import Passage, Words


@pytest.fixture(scope="module")
def namer() -> Namer:
    return Namer(load())


def find(namer: Namer, text: str) -> tuple[list[tuple[str, str | None, str]], list[tuple[str, str | None]], list[str]]:
    persons, places, times = namer.find(Words(text), Passage("t:1", text), (), ())
    return [(p.surface, p.person, p.kind) for p in persons], [(p.surface, p.place) for p in places], [t.text for t in times]


@pytest.mark.parametrize(
    ("text", "persons"),
    [
        ("فسألت ابن الخطاب", [("ابن الخطاب", "person/umar-b-al-khattab", "person")]),
        ("فقال لأبي بكر", [("أبي بكر", "person/abu-bakr", "person")]),
        ("جاءت أسماء بنت أبي بكر", [("أسماء بنت أبي بكر", "person/asma-bt-abi-bakr", "person")]),
        ("يا رسول الله", [("رسول الله", "person/muhammad", "prophet")]),
        ("إن محمدا رسول", [("محمدا", "person/muhammad", "prophet")]),
        ("قَالَ عَلِيٌّ", [("عَلِيٌّ", "person/ali-b-abi-talib", "person")]),
        ("جلس على الأرض", []),
        ("فَأَبَى عَلَيَّ", []),
        ("فضحك مرة واحدة", []),
        ("وعبد الله بن مسعود", [("عبد الله بن مسعود", "person/abd-allah-b-masud", "person")]),
        ("من آل عمران", []),
        ("طلق ابن عمر", [("ابن عمر", "person/abd-allah-b-umar", "person")]),
        ("يَا بَنِي آدَمَ", [("آدَمَ", "person/adam", "prophet")]),
        ("فِي قُبَّةٍ مِنْ أَدَمٍ", []),  # leather
        ("مِنْ أُدْمِ الْبَيْتِ", []),  # what is eaten with bread
        ("إِنَّ هَذَا الْمَالَ خَضِرٌ حُلْوٌ", []),  # green
        ("فَوَجَدَا خَضِرًا", [("خَضِرًا", "person/khidr", "prophet")]),
        ("لاَ رُقْيَةَ إِلاَّ مِنْ عَيْنٍ", []),  # a charm
        ("زَوْجَتُهُ رُقَيَّةُ", [("رُقَيَّةُ", "person/ruqayya-bt-muhammad", "person")]),
        ("اعْتَمَرَ أَرْبَعَ عُمَرٍ", []),  # visits to Mecca
        ("مَلْجَأً أَوْ مَعَاذًا", []),  # a refuge
        ("بَعَثَ مُعَاذًا", [("مُعَاذًا", "person/muadh-b-jabal", "person")]),
        ("إِنَّ لِي أَسْمَاءً", []),  # names
    ],
)
def test_persons(namer: Namer, text: str, persons: list[tuple[str, str | None, str]]) -> None:
    assert find(namer, text)[0] == persons


@pytest.mark.parametrize(
    ("text", "surface"),
    [("رجل من بني سلمة", "بني سلمة"), ("معشر الأنصار", "الأنصار"), ("بني عبد الأشهل", "بني عبد الأشهل"), ("وقريش تنظر", "قريش")],
)
def test_groups(namer: Namer, text: str, surface: str) -> None:
    assert (surface, "group") in [(s, kind) for s, _, kind in find(namer, text)[0]]


@pytest.mark.parametrize("text", ["يا بني إنك", "بني الإسلام على خمس", "ابني هذا"])
def test_no_groups(namer: Namer, text: str) -> None:
    assert "group" not in {kind for _, _, kind in find(namer, text)[0]}


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("خرج إلى مكة", [("مكة", "place/mecca")]),
        ("بغار في جبل ثور", [("غار في جبل ثور", "place/cave-of-thawr")]),
        ("في غار حراء", [("غار حراء", "place/hira")]),
        ("فما رأيت أحدا", []),
        ("إلى أَحَدٍ من الناس", []),
        ("هذا مِنِّي", []),
        ("كَشَعَرَةٍ بَيْضَاءَ فِي جِلْدِ ثَوْرٍ أَسْوَدَ", []),  # an ox
        ("الْمَدِينَةُ حَرَمٌ مَا بَيْنَ عَيْرٍ إِلَى ثَوْرٍ", [("الْمَدِينَةُ", "place/medina"), ("ثَوْرٍ", "place/mount-thawr")]),
        ("خَرَجَ وَعَلَيْهِ قَبَاءٌ مِنْ دِيبَاجٍ", []),  # a robe
        ("كَانَ يَأْتِي قُبَاءً رَاكِبًا", [("قُبَاءً", "place/quba")]),
        ("فِي خَمْسِينَ وَمِائَةِ فَارِسٍ مِنْ أَحْمَسَ", []),  # horsemen
        ("فَوَلَدَتْ فَارِسًا يُقَاتِلُ", []),
        ("فَإِنَّ فَارِسًا وَالرُّومَ", [("فَارِسًا", "place/persia")]),
        ("جَاءَ بِإِبِلٍ كَثِيرَةٍ", []),  # with camels
        ("بِأَرْضِ بَابِلَ", [("بَابِلَ", "place/babel")]),
        ("فَلْيَجْلِدْهَا وَلاَ يُثَرِّبْ", []),  # let him not reproach her
        ("بِئْسَ أَخُو الْعَشِيرَةِ", []),  # kinsfolk
        ("أَكَلَ الْقَدِيدَ", []),  # dried meat
        ("فَقُرِّبَ إِلَيْهِ مَرَقٌ فِيهِ دُبَّاءٌ وَقَدِيدٌ", []),
        ("وَالْمُهَاجِرُ مَنْ هَجَرَ مَا نَهَى اللَّهُ عَنْهُ", []),  # left
        ("كَأَنَّ نَبِقَهَا قِلاَلُ هَجَرَ", [("هَجَرَ", "place/hajar")]),
        ("فَلَقِيَ جَمْعًا مِنْ غَطَفَانَ", []),  # a crowd
        ("حَتَّى أَتَى جَمْعًا", [("جَمْعًا", "place/muzdalifa")]),
    ],
)
def test_places(namer: Namer, text: str, places: list[tuple[str, str | None]]) -> None:
    assert find(namer, text)[1] == places


@pytest.mark.parametrize(
    ("text", "event", "duration", "hijri"),
    [
        ("يوم بدر", "event/battle-of-badr", None, None),
        ("عام الفتح", "event/conquest-of-mecca", None, None),
        ("ثلاث ليال", None, "P3D", None),
        ("سنة تسع", None, None, (9, 9)),
        ("سنة إحدى وأربعين", None, None, (41, 41)),
        ("سنة ثلاث عشرة ومائة", None, None, (113, 113)),
        ("بعد العقبة الثانية بشهرين وأيام", "event/second-pledge-of-al-aqaba", "P2M", None),
    ],
)
def test_times(namer: Namer, text: str, event: str | None, duration: str | None, hijri: tuple[int, int] | None) -> None:
    (time,) = namer.find(Words(text), Passage("t:1", text), (), ())[2]
    assert (time.text, time.event, time.duration, time.hijri) == (text, event, duration, hijri)


def test_a_number_behind_a_particle_is_read_the_same_in_every_process(namer: Namer) -> None:
    assert find(namer, "هلكت قبل أن يتزوجني بثلاث سنين")[2] == ["ثلاث سنين"]


def test_a_bare_name_means_whom_the_passage_named_in_full(namer: Namer) -> None:
    persons, _, _ = find(namer, "جاء سعد بن معاذ فجلس ثم قال سعد")
    assert [person for _, person, _ in persons] == ["person/sad-b-muadh", "person/sad-b-muadh"]
