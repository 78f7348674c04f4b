"""Deciding who is who: evidence from the chain, kin words, the open cases, and what is never joined."""

import dataclasses
import itertools

import pytest

from kg.authority import load
from kg.identify.narrators import identify

SAID = " قال قال رسول الله صلى الله عليه وسلم إنما الأعمال بالنيات"


def persons(decided, record):
    return [mention.person for mention in decided.apply(record).narrators]


CASES = [
    (
        "bukhari",
        "حدثنا الحميدي حدثنا سفيان حدثنا الزهري عن سالم عن أبيه",
        "1 sufyan-b-uyayna 3 salim-b-abd-allah-b-umar 4 abd-allah-b-umar",
    ),
    (
        "bukhari",
        "حدثنا قبيصة حدثنا سفيان عن منصور عن إبراهيم عن علقمة عن عبد الله",
        "1 sufyan-al-thawri 3 ibrahim-al-nakhai 5 abd-allah-b-masud",
    ),
    ("ibn-maja", "حدثنا هشام بن عمار حدثنا حاتم بن إسماعيل عن هشام بن عروة عن أبيه عن عائشة", "3 urwa-b-al-zubayr 4 aisha"),
    ("ibn-maja", "حدثنا علي بن محمد حدثنا وكيع عن عمرو بن شعيب عن أبيه عن جده", "3 taqrib-2806 4 abd-allah-b-amr"),
    (
        "muslim",
        "حدثنا يحيى بن يحيى أخبرنا حماد بن زيد عن أيوب عن محمد عن أبي هريرة",
        "1 hammad-b-zayd 3 muhammad-b-sirin 4 abu-hurayra",
    ),
    ("bukhari", "حدثنا مسدد حدثنا يحيى عن عبيد الله حدثني نافع عن ابن عمر", "1 yahya-b-said-al-qattan 2 ubayd-allah-b-umar"),
    ("bukhari", "حدثنا عبد الله بن يوسف أخبرنا مالك عن يحيى بن سعيد عن عمرة عن عائشة", "2 yahya-b-said-al-ansari"),
]


@pytest.mark.parametrize(("source", "chain", "expected"), CASES)
def test_a_bare_name_means_whom_the_chain_allows(read, source, chain, expected) -> None:
    records = read(chain + SAID, source=source)
    found = persons(identify(records, load()), records[0])
    words = expected.split()
    for place, slug in zip(words[::2], words[1::2], strict=True):
        assert found[int(place)] == f"person/{slug}"


def test_anonymous_mentions_have_no_claims(read) -> None:
    records = read("حدثنا مسدد حدثنا أبو عوانة عن رجل عن أبي هريرة" + SAID, "حدثنا مسدد حدثنا أبو عوانة عن رجل عن عائشة" + SAID)
    decided = identify(records, load())
    for record in records:
        anonymous = [i for i, mention in enumerate(record.narrators) if mention.anonymous]
        assert anonymous and not set(anonymous) & set(decided.claims(record.passage.id))


def test_a_name_nobody_knows_becomes_one_person_with_an_opaque_id(read) -> None:
    chain = "حدثنا طريف بن هداج الخيواني حدثنا قتيبة بن سعيد حدثنا مالك عن نافع عن ابن عمر" + SAID
    records = read(chain, chain.replace("نافع", "الزهري"))
    decided = identify(records, load())
    first, second = (persons(decided, record)[0] for record in records)
    assert first == second and first is not None and first.startswith("person/c-")
    cluster = decided.clusters[first]
    assert cluster.first_mention.startswith("book:1/") and cluster.mentions == 2 and "هداج" in cluster.name_ar


def test_two_men_of_one_name_in_far_generations_stay_two(read) -> None:
    late = "حدثنا طريف بن هداج حدثنا قتيبة بن سعيد حدثنا مالك عن نافع عن ابن عمر" + SAID
    early = "حدثنا قتيبة بن سعيد حدثنا مالك عن نافع عن طريف بن هداج عن أبي هريرة" + SAID
    records = read(late, early)
    decided = identify(records, load())
    one = persons(decided, records[0])[0]
    other = persons(decided, records[1])[3]
    assert one != other and one in decided.clusters and other in decided.clusters


def test_the_unknown_father_of_a_known_son_is_one_person(read) -> None:
    chain = "حدثنا قتيبة حدثنا عبد العزيز عن طريف بن هداج عن أبيه عن أبي هريرة" + SAID
    records = read(chain, chain.replace("قتيبة", "مسدد"))
    decided = identify(records, load())
    fathers = [decided.claims(record.passage.id)[3][0].person for record in records]
    assert fathers[0] == fathers[1] and fathers[0].startswith("person/c-")


def test_the_same_records_give_the_same_answers(read) -> None:
    records = read(*["حدثنا مسدد حدثنا يحيى عن سفيان عن منصور عن طريف بن هداج عن عبد الله" + SAID] * 3)
    answers = [[identify(records, load()).claims(record.passage.id) for record in records] for _ in range(2)]
    assert answers[0] == answers[1]


def test_confidence_falls_from_claim_to_claim_and_one_wins(read) -> None:
    records = read("حدثنا مسدد حدثنا حماد عن عاصم عن الحسن عن أنس" + SAID)
    for claims in identify(records, load()).claims("book:1").values():
        assert all(one.confidence >= other.confidence for one, other in itertools.pairwise(claims))
        assert sum(claim.winner for claim in claims) <= 1
        assert all(0 < claim.confidence <= 1 for claim in claims)


def test_a_passage_without_chain_has_no_answers(read) -> None:
    records = read("هذا كلام لا إسناد فيه")
    decided = identify(records, load())
    assert decided.claims("book:1") == {} and decided.claims("elsewhere:9") == {}
    assert decided.apply(records[0]) == records[0]


def test_a_person_known_from_chains_is_shown_as_the_texts_spell_him(read) -> None:
    chain = "حَدَّثَنَا أُمَيَّةُ بْنُ هَدَّاجَةَ الْخَيْوَانِيُّ حَدَّثَنَا قُتَيْبَةُ بْنُ سَعِيدٍ حَدَّثَنَا مَالِكٌ عَنْ نَافِعٍ عَنِ ابْنِ عُمَرَ"
    decided = identify(read(chain + SAID), load())
    cluster = decided.clusters[decided.claims("book:1")[0][0].person]
    assert (cluster.name_ar, cluster.ism, cluster.nasab) == ("أمية بن هداجة الخيواني", "أمية", ("هداجة",))


@pytest.mark.parametrize("word", ["قولا", "كما", "بأشد"])
def test_a_single_word_that_is_nobody_s_name_makes_no_person(read, word: str) -> None:
    record = read("حدثنا قتيبة بن سعيد حدثنا مالك عن طريف عن أبي هريرة" + SAID)[0]
    mentions = list(record.narrators)
    mentions[2] = dataclasses.replace(mentions[2], surface=word, name={"ism": word})
    decided = identify([dataclasses.replace(record, narrators=tuple(mentions))], load())
    assert 2 not in decided.claims("book:1") and not decided.clusters
    assert {0, 1, 3} <= set(decided.claims("book:1"))
