"""Who received from whom: one case a construction of the isnad, each with its mentions and edges."""

import pytest

from kg.extract.isnad import IsnadReader
from kg.text import Passage, Words

READER = IsnadReader()

# text; mentions; edges as (student, teacher)
CASES = {
    "one after another": (
        "حَدَّثَنَا قُتَيْبَةُ، حَدَّثَنَا سُفْيَانُ، عَنِ الزُّهْرِيِّ، عَنْ أَنَسٍ، قَالَ كَانَ",
        ["قُتَيْبَةُ", "سُفْيَانُ", "الزُّهْرِيِّ", "أَنَسٍ"],
        {(0, 1), (1, 2), (2, 3)},
    ),
    "joined narrators share a teacher": (
        "حدثنا محمد بن المثنى وابن بشار قالا حدثنا محمد بن جعفر حدثنا شعبة عن قتادة عن أنس قال",
        ["محمد بن المثنى", "ابن بشار", "محمد بن جعفر", "شعبة", "قتادة", "أنس"],
        {(0, 2), (1, 2), (2, 3), (3, 4), (4, 5)},
    ),
    "a stray comma of the edition": (
        "حَدَّثَنَا أَبُو بَكْرِ بْنُ أَبِي شَيْبَةَ، وَابْنُ، نُمَيْرٍ قَالاَ حَدَّثَنَا وَكِيعٌ، عَنْ هِشَامٍ، عَنْ أَبِيهِ، قَالَ",
        ["أَبُو بَكْرِ بْنُ أَبِي شَيْبَةَ", "ابْنُ، نُمَيْرٍ", "وَكِيعٌ", "هِشَامٍ", "أَبِيهِ"],
        {(0, 2), (1, 2), (2, 3), (3, 4)},
    ),
    "whose wording it is": (
        "أخبرنا عبد الرحمن بن إبراهيم وسليمان بن داود واللفظ له عن ابن نافع عن داود بن قيس عن زيد بن أسلم قال",
        ["عبد الرحمن بن إبراهيم", "سليمان بن داود", "ابن نافع", "داود بن قيس", "زيد بن أسلم"],
        {(0, 2), (1, 2), (2, 3), (3, 4)},
    ),
    "how each of them put it": (
        "حَدَّثَنَا يَحْيَى بْنُ يَحْيَى، وَإِسْحَاقُ بْنُ إِبْرَاهِيمَ، وَعَمْرٌو النَّاقِدُ قَالَ يَحْيَى وَإِسْحَاقُ أَخْبَرَنَا وَقَالَ، الآخَرُ حَدَّثَنَا سُفْيَانُ، عَنِ الزُّهْرِيِّ قَالَ",
        ["يَحْيَى بْنُ يَحْيَى", "إِسْحَاقُ بْنُ إِبْرَاهِيمَ", "عَمْرٌو النَّاقِدُ", "سُفْيَانُ", "الزُّهْرِيِّ"],
        {(0, 3), (1, 3), (2, 3), (3, 4)},
    ),
    "one who speaks in a remark": (
        "حدثنا عبد الواحد حدثنا الأعمش قال كنا عند إبراهيم فقال حدثني الأسود عن عائشة قالت",
        ["عبد الواحد", "الأعمش", "إبراهيم", "الأسود", "عائشة"],
        {(0, 1), (1, 2), (2, 3), (3, 4)},
    ),
    "a remark that leaves his name to another": (
        "حدثنا أبو نعيم حدثنا زهير عن أبي إسحاق قال ليس أبو عبيدة ذكره ولكن عبد الرحمن بن الأسود عن أبيه أنه سمع عبد الله يقول",
        ["أبو نعيم", "زهير", "أبي إسحاق", "عبد الرحمن بن الأسود", "أبيه", "عبد الله"],
        {(0, 1), (1, 2), (2, 3), (3, 4), (4, 5)},
    ),
    "one of the chain has it from another teacher too": (
        "حدثنا عمر بن حفص حدثنا أبي حدثنا الأعمش حدثنا إبراهيم عن الأسود عن عائشة قال الأعمش وحدثني مسلم عن مسروق عن عائشة قالت",
        ["عمر بن حفص", "أبي", "الأعمش", "إبراهيم", "الأسود", "عائشة", "مسلم", "مسروق", "عائشة"],
        {(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (2, 6), (6, 7), (7, 8)},
    ),
    "a second chain behind the Companion's blessing": (
        "حدثنا إسحاق أخبرنا إسرائيل قال أخبرني البراء عن أبي بكر رضي الله عنه. حدثنا عبد الله بن رجاء حدثنا إسرائيل عن البراء عن أبي بكر قال",
        ["إسحاق", "إسرائيل", "البراء", "أبي بكر", "عبد الله بن رجاء", "إسرائيل", "البراء", "أبي بكر"],
        {(0, 1), (1, 2), (2, 3), (4, 5), (5, 6), (6, 7)},
    ),
    "a branch as long as the one beside it": (
        "حدثنا أبو معاوية حدثنا الأعمش عن إسماعيل بن رجاء عن أبيه عن أبي سعيد وعن قيس بن مسلم عن طارق بن شهاب عن أبي سعيد قال",
        ["أبو معاوية", "الأعمش", "إسماعيل بن رجاء", "أبيه", "أبي سعيد", "قيس بن مسلم", "طارق بن شهاب", "أبي سعيد"],
        {(0, 1), (1, 2), (2, 3), (3, 4), (1, 5), (5, 6), (6, 7)},
    ),
    "a branch does not begin before him who told": (
        "حدثنا مسدد قال حدثنا حماد بن زيد عن عبد العزيز عن أنس، وعن يونس عن ثابت عن أنس قال",
        ["مسدد", "حماد بن زيد", "عبد العزيز", "أنس", "يونس", "ثابت", "أنس"],
        {(0, 1), (1, 2), (2, 3), (1, 4), (4, 5), (5, 6)},
    ),
    "a branch joined as a subject": (
        "حَدَّثَنَا يَزِيدُ أَخْبَرَنَا مُحَمَّدُ بْنُ عَمْرٍو عَنْ أَبِي سَلَمَةَ عَنْ أَبِي هُرَيْرَةَ وَهِشَامٌ عَنْ مُحَمَّدِ بْنِ سِيرِينَ عَنْ أَبِي هُرَيْرَةَ قَالَ",
        ["يَزِيدُ", "مُحَمَّدُ بْنُ عَمْرٍو", "أَبِي سَلَمَةَ", "أَبِي هُرَيْرَةَ", "هِشَامٌ", "مُحَمَّدِ بْنِ سِيرِينَ", "أَبِي هُرَيْرَةَ"],
        {(0, 1), (1, 2), (2, 3), (0, 4), (4, 5), (5, 6)},
    ),
    "the same teacher named again for another chain": (
        "حدثنا أبو معاوية حدثنا الأعمش عن إبراهيم عن عائشة وعن الأعمش عن مسلم عن مسروق عن عائشة قالت",
        ["أبو معاوية", "الأعمش", "إبراهيم", "عائشة", "الأعمش", "مسلم", "مسروق", "عائشة"],
        {(0, 1), (1, 2), (2, 3), (0, 4), (4, 5), (5, 6), (6, 7)},
    ),
    "what several held, of one teacher": (
        "أَخْبَرَنَا مُحَمَّدُ بْنُ عِيسَى حَدَّثَنَا هُشَيْمٌ أَخْبَرَنَا يُونُسُ عَنْ الْحَسَنِ وَمُغِيرَةُ عَنْ عَامِرٍ وَعُبَيْدَةُ عَنْ إِبْرَاهِيمَ فِي الْمَرْأَةِ",
        ["مُحَمَّدُ بْنُ عِيسَى", "هُشَيْمٌ", "يُونُسُ", "الْحَسَنِ", "مُغِيرَةُ", "عَامِرٍ", "عُبَيْدَةُ", "إِبْرَاهِيمَ"],
        {(0, 1), (1, 2), (2, 3), (1, 4), (4, 5), (1, 6), (6, 7)},
    ),
    "a by-name before a date": (
        "حدثنا محمد بن سليمان لوين في سنة أربعين ومائتين حدثنا أبو عقيل عن كثير قال",
        ["محمد بن سليمان لوين", "أبو عقيل", "كثير"],
        {(0, 1), (1, 2)},
    ),
    "he who was told is no link": (
        "مالك عن ابن شهاب عن سالم بن عبد الله أن عبد الله بن محمد بن أبي بكر أخبر عبد الله بن عمر عن عائشة أن النبي قال",
        ["مالك", "ابن شهاب", "سالم بن عبد الله", "عبد الله بن محمد بن أبي بكر", "عائشة"],
        {(0, 1), (1, 2), (2, 3), (3, 4)},
    ),
    "he who was asked": (
        "حدثنا شيبان بن فروخ حدثنا جرير بن حازم حدثنا قتادة قال قلت لأنس بن مالك كيف كان شعر رسول الله",
        ["شيبان بن فروخ", "جرير بن حازم", "قتادة", "أنس بن مالك"],
        {(0, 1), (1, 2), (2, 3)},
    ),
    "numbers of footnotes and leaves inside names": (
        "حدثنا قتيبة(2) بن سعيد حدثنا مالك عن أبي [ف: 3 - أ] الزناد (4) عن محمد (بن) عبد الرحمن عن أبي هريرة قال",
        ["قتيبة(2) بن سعيد", "مالك", "أبي [ف: 3 - أ] الزناد", "محمد (بن) عبد الرحمن", "أبي هريرة"],
        {(0, 1), (1, 2), (2, 3), (3, 4)},
    ),
    "a page that ends in the midst of a name": (
        "# حدثنا محمد بن عبد الله\n# PageV01P139\n# الأنصاري قال حدثنا حميد عن ثابت قال",
        ["محمد بن عبد الله\n# PageV01P139\n# الأنصاري", "حميد", "ثابت"],
        {(0, 1), (1, 2)},
    ),
    "unnamed narrators, and whom they had it from": (
        "قال ابن إسحاق وحدثني رجل من الأنصار عن بعض أهل العلم عمن حدثه عن محمود بن لبيد أخي بني عبد الأشهل عن سلمة بن سلامة قال",
        ["ابن إسحاق", "رجل من الأنصار", "بعض أهل العلم", "عمن حدثه", "محمود بن لبيد", "سلمة بن سلامة"],
        {(0, 1), (1, 2), (2, 3), (3, 4), (4, 5)},
    ),
    "Ibn Ishaq has it from two, each with his chain": (
        "قال ابن إسحاق وحدثني يحيى بن عباد عن أبيه عن عائشة، وعبد الله بن أبي بكر عن عمرة بنت عبد الرحمن عن عائشة قالت",
        ["ابن إسحاق", "يحيى بن عباد", "أبيه", "عائشة", "عبد الله بن أبي بكر", "عمرة بنت عبد الرحمن", "عائشة"],
        {(0, 1), (1, 2), (2, 3), (0, 4), (4, 5), (5, 6)},
    ),
    "some of them from those who were there": (
        "قال ابن إسحاق: فحدثني أبو فراس بن أبي سنبلة الأسلمي، عن أشياخ منهم، عمن كان حضرها منهم، قالوا",
        ["ابن إسحاق", "أبو فراس بن أبي سنبلة الأسلمي", "أشياخ منهم", "عمن كان حضرها منهم"],
        {(0, 1), (1, 2), (2, 3)},
    ),
    "a remark behind a colon": (
        "حدثنا يحيى بن سعيد ، عن زهير ، عن أبي إسحاق ، قال : ليس أبو عبيدة ذكره ، ولكن عبد الرحمن بن الأسود ، عن الأسود ، عن عبد الله بن مسعود ، قال",
        ["يحيى بن سعيد", "زهير", "أبي إسحاق", "عبد الرحمن بن الأسود", "الأسود", "عبد الله بن مسعود"],
        {(0, 1), (1, 2), (2, 3), (3, 4), (4, 5)},
    ),
    "a leg that names the man before his verb": (
        "حدثنا إسماعيل حدثنا هشام ح وعبد الصمد حدثنا هشام ح وكثير بن هشام قال حدثنا هشام عن أبي الزبير عن جابر قال",
        ["إسماعيل", "هشام", "عبد الصمد", "هشام", "كثير بن هشام", "هشام", "أبي الزبير", "جابر"],
        {(0, 1), (1, 6), (2, 3), (3, 6), (4, 5), (5, 6), (6, 7)},
    ),
    "a leg the author tells himself": (
        "حدثنا محمد بن بشار عن سفيان عن أبي حازم ح قال و أخبرنا أبو مصعب قراءة عن مالك عن أبي حازم عن سهل بن سعد قال",
        ["محمد بن بشار", "سفيان", "أبي حازم", "أبو مصعب", "مالك", "أبي حازم", "سهل بن سعد"],
        {(0, 1), (1, 2), (2, 6), (3, 4), (4, 5), (5, 6)},
    ),
    "how one of them named his teacher": (
        "حدثنا محمد بن كثير حدثنا همام ح و حدثنا حفص بن عمر حدثنا همام عن قتادة عن أبي أيوب قال حفص العتكي عن جويرية بنت الحارث أن النبي",
        ["محمد بن كثير", "همام", "حفص بن عمر", "همام", "قتادة", "أبي أيوب", "جويرية بنت الحارث"],
        {(0, 1), (1, 4), (2, 3), (3, 4), (4, 5), (5, 6)},
    ),
    "where he told it, others joined, and by dictation": (
        "حدثنا الحسين بن الحسن بمكة وإبراهيم بن سعيد وغير واحد قالوا حدثنا الأحوص قال إملاء علي حدثنا أبو بكر بن أبي موسى قال",
        ["الحسين بن الحسن", "إبراهيم بن سعيد", "غير واحد", "الأحوص", "أبو بكر بن أبي موسى"],
        {(0, 3), (1, 3), (2, 3), (3, 4)},
    ),
    "those who were asked": (
        "حدثنا سليمان بن حرب حدثنا شعبة قال سألت الحكم وحمادا عن الأولياء يجيزون الوصية",
        ["سليمان بن حرب", "شعبة", "الحكم", "حمادا"],
        {(0, 1), (1, 2), (1, 3)},
    ),
    "the Prophet by his kunya": (
        "حدثنا قتيبة حدثنا مالك عن أبي هريرة قال سمعت أبا القاسم ﷺ يقول",
        ["قتيبة", "مالك", "أبي هريرة"],
        {(0, 1), (1, 2)},
    ),
    "commas inside names": (
        "حدثنا عبد الواحد، حدثنا الأعمش، سليمان عن عبيد، الله بن عمر، عن نافع، قال",
        ["عبد الواحد", "الأعمش، سليمان", "عبيد، الله بن عمر", "نافع"],
        {(0, 1), (1, 2), (2, 3)},
    ),
    "tahwil gathered by kilahuma": (
        "حدثنا أبو كريب حدثنا وكيع ح وحدثنا محمد بن بشار حدثنا عبد الرحمن بن مهدي كلاهما عن سفيان عن ابن أبي نجيح عن مجاهد قال",
        ["أبو كريب", "وكيع", "محمد بن بشار", "عبد الرحمن بن مهدي", "سفيان", "ابن أبي نجيح", "مجاهد"],
        {(0, 1), (1, 4), (2, 3), (3, 4), (4, 5), (5, 6)},
    ),
    "tahwil that meets in one name": (
        "حدثنا قتيبة حدثنا ليث ح وحدثنا محمد بن رمح أخبرنا الليث عن أبي الزبير عن جابر قال",
        ["قتيبة", "ليث", "محمد بن رمح", "الليث", "أبي الزبير", "جابر"],
        {(0, 1), (1, 4), (2, 3), (3, 4), (4, 5)},
    ),
    "tahwil without a word that gathers": (
        "حدثنا عبيد الله بن معاذ حدثنا أبي ح وحدثنا زهير بن حرب حدثنا جرير عن الأعمش عن أبي صالح قال",
        ["عبيد الله بن معاذ", "أبي", "زهير بن حرب", "جرير", "الأعمش", "أبي صالح"],
        {(0, 1), (1, 4), (2, 3), (3, 4), (4, 5)},
    ),
    "another teacher by wa-'an": (
        "حدثني يحيى عن مالك عن ابن شهاب عن حميد بن عبد الرحمن وعن محمد بن النعمان أنهما حدثاه عن النعمان بن بشير أنه قال",
        ["يحيى", "مالك", "ابن شهاب", "حميد بن عبد الرحمن", "محمد بن النعمان", "النعمان بن بشير"],
        {(0, 1), (1, 2), (2, 3), (2, 4), (3, 5), (4, 5)},
    ),
    "a chain that opens with a bare name": (
        "مالك، عن نافع، عن عبد الله بن عمر؛ أن رسول الله صلى الله عليه وسلم قال",
        ["مالك", "نافع", "عبد الله بن عمر"],
        {(0, 1), (1, 2)},
    ),
    "the author of the book speaks": (
        "قال ابن إسحاق: وحدثني عاصم بن عمر بن قتادة، عن محمود بن لبيد، قال: كان",
        ["ابن إسحاق", "عاصم بن عمر بن قتادة", "محمود بن لبيد"],
        {(0, 1), (1, 2)},
    ),
    "that so and so told him": (
        "أخبرنا شعيب عن الزهري أخبرني عبيد الله بن عبد الله أن عائشة أخبرته أن النبي صلى الله عليه وسلم قال",
        ["شعيب", "الزهري", "عبيد الله بن عبد الله", "عائشة"],
        {(0, 1), (1, 2), (2, 3)},
    ),
    "abbreviated terms": (
        "نا محمد بن المبارك أنا صدقة ثنا زيد بن واقد ثني بسر بن عبيد الله عن أبي إدريس الخولاني قال",
        ["محمد بن المبارك", "صدقة", "زيد بن واقد", "بسر بن عبيد الله", "أبي إدريس الخولاني"],
        {(0, 1), (1, 2), (2, 3), (3, 4)},
    ),
    "read to the teacher": (
        "حدثنا يحيى بن يحيى قال قرأت على مالك عن نافع عن ابن عمر أن رسول الله صلى الله عليه وسلم نهى",
        ["يحيى بن يحيى", "مالك", "نافع", "ابن عمر"],
        {(0, 1), (1, 2), (2, 3)},
    ),
    "how each of them put it is no link": (
        "وحدثنا ابن أبي عمر وعبد بن حميد قال ابن أبي عمر حدثنا وقال عبد أخبرنا عبد الرزاق أخبرنا معمر عن الزهري قال",
        ["ابن أبي عمر", "عبد بن حميد", "عبد الرزاق", "معمر", "الزهري"],
        {(0, 2), (1, 2), (2, 3), (3, 4)},
    ),
    "where and how it was received is passed over": (
        "أخبرنا أبو الحسن علي بن أحمد المقدسي قراءة عليه وأنا أسمع بجامع دمشق قال أخبرنا محمد بن أبي زيد قال",
        ["أبو الحسن علي بن أحمد المقدسي", "محمد بن أبي زيد"],
        {(0, 1)},
    ),
}


def read(text: str):
    return READER.read(Words(text), Passage("t:1", text))


@pytest.mark.parametrize("case", CASES, ids=str)
def test_mentions_and_edges(case: str) -> None:
    text, surfaces, edges = CASES[case]
    mentions, _ = read(text)
    assert [mention.surface for mention in mentions] == surfaces
    assert {(k, teacher) for k, mention in enumerate(mentions) for teacher in mention.received_from} == edges


def test_the_paths_of_a_tahwil_share_what_they_share() -> None:
    text, _, _ = CASES["tahwil that meets in one name"]
    _, isnads = read(text)
    assert [isnad.path for isnad in isnads] == [(0, 1, 4, 5), (2, 3, 4, 5)]
    first, second = isnads
    assert len(first.segments) == 2 and len(second.segments) == 1
    assert text[slice(*first.segments[0])] == "حدثنا قتيبة حدثنا ليث"
    assert text[slice(*second.segments[0])] == "وحدثنا محمد بن رمح أخبرنا الليث عن أبي الزبير عن جابر"


def test_the_term_is_the_word_by_which_the_narrator_is_reached() -> None:
    mentions, _ = read("حدثنا هشام بن عمار، حدثنا صدقة بن خالد، عن زيد بن واقد، أنه سمع بسر بن عبيد الله، يقول سمعت أبا إدريس")
    assert [mention.term.concept for mention in mentions if mention.term] == [
        "term/haddathana",
        "term/haddathana",
        "term/an",
        "term/samia",
        "term/samitu",
    ]


def test_kin_are_resolved_by_name_where_the_text_gives_it() -> None:
    mentions, _ = read("حدثنا أبو أسامة عن هشام بن عروة عن أبيه عن عائشة قالت")
    father = mentions[2]
    assert (father.surface, father.kin, father.kin_of, father.name) == ("أبيه", "father", 1, {"ism": "عروة"})


def test_the_grandfather_is_of_the_one_whose_father_was_named() -> None:
    mentions, _ = read("حدثنا يزيد بن هارون عن بهز بن حكيم بن معاوية عن أبيه عن جده قال")
    assert [(mention.kin, mention.kin_of) for mention in mentions[2:]] == [("father", 1), ("grandfather", 1)]
    assert mentions[3].name == {"ism": "معاوية"}


def test_a_kin_word_with_its_name_is_the_name() -> None:
    mentions, _ = read("عن محمد بن يحيى عن عمه واسع بن حبان قال كنت")
    assert (mentions[1].surface, mentions[1].kin) == ("واسع بن حبان", "paternal uncle")


def test_my_father_is_no_kunya_after_a_verb_of_telling() -> None:
    mentions, _ = read("حدثنا عبيد الله بن معاذ حدثنا أبي حدثنا شعبة عن أبي إسحاق قال")
    assert [(mention.surface, mention.kin) for mention in mentions[1:]] == [
        ("أبي", "father"),
        ("شعبة", None),
        ("أبي إسحاق", None),
    ]


def test_glosses_stand_beside_the_name() -> None:
    mentions, _ = read(
        "حدثنا عبد العزيز - يعني ابن محمد الدراوردي - عن عمرو بن يحيى المازني عن كريب مولى ابن عباس عن ابن عباس قال"
    )
    assert mentions[0].surface == "عبد العزيز"
    assert mentions[0].gloss[0].text == "يعني ابن محمد الدراوردي"
    assert mentions[0].gloss[0].name == {"nasab": ["محمد"], "nisba": ["الدراوردي"], "shuhra": "ابن محمد الدراوردي"}
    assert [gloss.text for gloss in mentions[2].gloss] == ["مولى ابن عباس"]


def test_the_prophet_is_no_narrator() -> None:
    mentions, isnads = read("عن الأعمش عن أبي صالح عن أبي هريرة رضي الله عنه عن النبي صلى الله عليه وسلم قال إن الله طيب")
    assert [mention.surface for mention in mentions] == ["الأعمش", "أبي صالح", "أبي هريرة"]
    (isnad,) = isnads
    assert isnad.attributed_to == "prophet"
    text = "عن الأعمش عن أبي صالح عن أبي هريرة رضي الله عنه عن النبي صلى الله عليه وسلم قال إن الله طيب"
    assert text[slice(*isnad.segments[-1])].endswith("رضي الله عنه")
    assert isnad.reaches_term is not None and isnad.reaches_term.text == "عن النبي صلى الله عليه وسلم قال"
    assert text[slice(*isnad.matn[0])] == "إن الله طيب"


def test_those_without_a_name_are_anonymous() -> None:
    mentions, _ = read("حدثنا حماد بن زيد عن أيوب عن رجل من أهل البصرة عن بعض أصحابنا عن أنس بن مالك قال")
    assert [(mention.surface, mention.anonymous) for mention in mentions[2:]] == [
        ("رجل من أهل البصرة", True),
        ("بعض أصحابنا", True),
        ("أنس بن مالك", False),
    ]


def test_a_companion_told_of_is_reached_but_stands_in_the_matn() -> None:
    text = "حدثنا وكيع عن الأعمش عن محمد بن سيرين قال كان أنس بن مالك إذا حدث عن رسول الله صلى الله عليه وسلم قال أو كما قال"
    mentions, isnads = read(text)
    assert mentions[-1].surface == "أنس بن مالك" and mentions[2].received_from == (3,)
    assert text[slice(*isnads[0].segments[-1])].endswith("محمد بن سيرين")
    assert text[isnads[0].matn[0][0] :].startswith("كان أنس")


@pytest.mark.parametrize("phrase", ["بهذا الإسناد", "مثله", "نحوه", "بإسناده"])
def test_what_points_back(phrase: str) -> None:
    _, isnads = read(f"وحدثنا محمد بن المثنى حدثنا أبو داود حدثنا شعبة {phrase}")
    assert isnads[0].points_back is not None and isnads[0].points_back.startswith(phrase.split()[0])


def test_a_row_that_ends_in_tahwil_is_a_gap() -> None:
    _, isnads = read("حدثنا قتيبة بن سعيد حدثنا ليث عن أبي الزبير ح")
    assert [(isnad.path, isnad.gap, isnad.matn) for isnad in isnads] == [((0, 1, 2), True, ())]


def test_a_report_that_breaks_off_at_a_tahwil_is_a_gap_too() -> None:
    text = "حدثنا أبو عاصم عن ابن جريج عن ابن شهاب عن سليمان بن يسار عن ابن عباس أن امرأة ح"
    _, isnads = read(text)
    assert [isnad.gap for isnad in isnads] == [True]
    assert text[slice(*isnads[0].matn[0])] == "أن امرأة"


def test_takhrij_is_no_isnad() -> None:
    mentions, isnads = read("هذا حديث صحيح أخرجه البخاري عن مكي بن إبراهيم عن يزيد بن أبي عبيد فوقع لنا بدلا عاليا")
    assert mentions == () and isnads == ()


ATTRIBUTED = [
    ("عن نافع عن ابن عمر عن النبي صلى الله عليه وسلم قال بني الإسلام على خمس", "prophet", None),
    ("عن نافع عن ابن عمر قال لا يصوم أحد عن أحد", "companion", None),
    ("عن الزهري عن سعيد بن المسيب قال لا بأس به", "successor", None),
    ("عن الزهري عن سعيد بن المسيب أن رسول الله صلى الله عليه وسلم قال نعم", "prophet", "mursal"),
    ("مالك أنه بلغه أن عبد الله بن عمر قال لا يصوم أحد عن أحد", "companion", "broken"),
    ("حدثنا مسدد عن رجل عن أبي هريرة قال لا بأس به", "companion", "mubham"),
    ("حدثنا مسدد عن ثابت عن رجل من أصحاب النبي صلى الله عليه وسلم قال نهى", "companion", None),
    ("عن الأعرج عن أبي هريرة عن النبي صلى الله عليه وسلم قال قال الله عز وجل أنا عند ظن عبدي", "divine", None),
    ("وقال الليث حدثني يونس عن ابن شهاب عن أنس بن مالك عن النبي صلى الله عليه وسلم قال نعم", "prophet", "muallaq"),
    ("وقال لي خليفة حدثنا يزيد عن قتادة عن أنس بن مالك عن النبي صلى الله عليه وسلم قال نعم", "prophet", None),
]


@pytest.mark.parametrize(("text", "attributed_to", "continuity"), ATTRIBUTED, ids=[text for text, _, _ in ATTRIBUTED])
def test_to_whom_the_report_is_attributed(text: str, attributed_to: str, continuity: str | None) -> None:
    _, isnads = READER.read(Words(text), Passage("t:1", text, kind="hadith"))
    assert [(isnad.attributed_to, isnad.continuity) for isnad in isnads] == [(attributed_to, continuity)]


@pytest.mark.parametrize(
    ("text", "matn"),
    [
        ("مالك عن نافع أن عبد الله بن عمر أراد الحج عام نزل الحجاج", "أن عبد الله بن عمر أراد الحج عام نزل الحجاج"),
        ("مالك عن نافع أن عبد الله بن عمر قال لا يصوم أحد", "لا يصوم أحد"),
        ("حدثنا مسدد حدثنا أبو عوانة عن عبد الملك عن ربعي قال قال عقبة لحذيفة ألا تحدثنا", "قال عقبة لحذيفة ألا تحدثنا"),
        ("مالك عن نافع عن ابن عمر قال قال رسول الله صلى الله عليه وسلم لا تحلفوا بآبائكم", "لا تحلفوا بآبائكم"),
        ("مالك عن نافع عن ابن عمر قال قال النبي صلى الله عليه وسلم لعمر مره", "قال النبي صلى الله عليه وسلم لعمر مره"),
    ],
)
def test_the_matn_names_him_of_whom_it_tells(text: str, matn: str) -> None:
    _, (isnad,) = read(text)
    assert [text[start:end] for start, end in isnad.matn] == [matn]


@pytest.mark.parametrize("text", ["حدثني قلبي عن ربي عن سري", "ثنى عطفه عن قرنه حين لم يجد مكرا"])
def test_metaphors_are_no_chains(text: str) -> None:
    assert read(text) == ((), ())


def test_the_parts_of_a_name_with_a_footnote_in_it() -> None:
    mentions, _ = read("حدثنا قتيبة (2) بن سعيد عن أبي [ق: 3 - ب] الزناد قال")
    assert [mention.name for mention in mentions] == [{"ism": "قتيبة", "nasab": ["سعيد"]}, {"kunya": "أبو الزناد"}]


def test_a_report_begun_again_behind_a_second_chain_is_the_matn_of_both() -> None:
    text = (
        "حدثنا محمد بن بشار حدثنا شعبة عن محمد عن عمرة عن عائشة قالت كان النبي صلى الله عليه وسلم ح وحدثنا أحمد بن يونس"
        " حدثنا زهير عن يحيى عن عمرة عن عائشة قالت كان النبي صلى الله عليه وسلم يخفف الركعتين"
    )
    _, isnads = read(text)
    assert [text[start:end] for isnad in isnads for start, end in isnad.matn] == [
        "كان النبي صلى الله عليه وسلم يخفف الركعتين"
    ] * 2


def test_one_who_speaks_at_the_head_tells_what_follows() -> None:
    text = "قال ابن إسحاق: ثم مضى الناس، فحدثني عبد الله بن أبي بكر أنه حدث عن زيد بن أرقم، قال: كنت يتيما لعبد الله بن رواحة"
    mentions, isnads = read(text)
    assert [mention.surface for mention in mentions] == ["ابن إسحاق", "عبد الله بن أبي بكر", "زيد بن أرقم"]
    assert [isnad.path for isnad in isnads] == [(0, 1, 2)]
    assert len(isnads[0].segments) == 2


def test_the_muwatta_opens_with_malik_whom_it_reached() -> None:
    mentions, (isnad,) = read("مالك؛ أنه بلغه أن أبا الدرداء كان يقوم من جوف الليل")
    assert [m.surface for m in mentions] == ["مالك", "أبا الدرداء"]
    assert isnad.path == (0, 1)


def test_he_who_mentioned_it_from_another_is_a_teacher() -> None:
    mentions, (isnad,) = read("قال ابن إسحاق: فذكر الزهري عن عروة عن عائشة أن رسول الله قال")
    assert [m.surface for m in mentions] == ["ابن إسحاق", "الزهري", "عروة", "عائشة"]
    assert isnad.points_back is None


def test_the_like_of_that_points_back() -> None:
    _, (isnad,) = read(
        "حدثنا قتيبة عن مالك عن نافع عن ابن عمر قال قال رسول الله صلى الله عليه وسلم بنحو ذلك غير أنه قال فمن أنكر فقد برئ"
    )
    assert isnad.points_back == "بنحو ذلك"


def test_a_word_of_joining_at_the_end_does_not_lose_where_the_legs_meet() -> None:
    mentions, _ = read(
        "حدثنا القعنبي عن مالك ح وحدثنا ابن السرح أخبرنا ابن وهب أخبرني مالك عن نافع عن أبي حميد الساعدي أنهم قالوا يا رسول الله"
    )
    assert mentions[1].surface == "مالك" and mentions[1].received_from == (5,)


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        ("عن الزهري عن سعيد عن أبي هريرة رفعه قال الفطرة خمس", "رفعه قال"),
        (
            "عن الزهري عن سعيد عن أبي هريرة يبلغ به النبي صلى الله عليه وسلم قال الفطرة خمس",
            "يبلغ به النبي صلى الله عليه وسلم قال",
        ),
        ("عن الزهري عن سعيد عن أبي هريرة رواية قال الفطرة خمس", "رواية قال"),
    ],
)
def test_raised_to_the_prophet(text: str, formula: str) -> None:
    _, (isnad,) = read("حدثنا سفيان " + text)
    assert isnad.attributed_to == "prophet" and isnad.reaches_term is not None and isnad.reaches_term.text == formula
    start, end = isnad.matn[0]
    assert ("حدثنا سفيان " + text)[start:end] == "الفطرة خمس"
