"""Groups over the seeds and the Sahih: the quarrel, the dispute over Banu Tamim, rows that point back, keys that stay."""

from itertools import islice
from types import SimpleNamespace

import pytest

from kg import authority
from kg.evaluate import shared
from kg.extract.isnad import IsnadReader
from kg.extract.record import Isnad, NarratorMention, Record
from kg.identify.bundle import Bundle, Strand
from kg.identify.common_links import common_links
from kg.identify.likeness import Report
from kg.identify.narrators import identify
from kg.identify.parallels import Parallels, find_parallels, prepare
from kg.identify.pointing import pointed
from kg.identify.tellings import Telling, matn_spans
from kg.sources import open_source
from kg.text import Passage, Words

SEEDS = ("sample-bazzar", "sample-bukhari")
QUARREL = {"bazzar:quarrel", "bukhari:3661", "bukhari:4640"}
BANU_TAMIM = {"bukhari:4367", "bukhari:4845", "bukhari:4847"}
AROUND = [range(3650, 3675), range(4360, 4372), range(4635, 4645), range(4840, 4850)]


@pytest.fixture(scope="module")
def records() -> list[Record]:
    """The seeds of the quarrel and some fifty hadiths of the Sahih around its other tellings."""
    reader = IsnadReader()
    passages = [next(open_source(name).passages()) for name in SEEDS]
    wanted = {f"bukhari:{number}" for numbers in AROUND for number in numbers} - {passage.id for passage in passages}
    passages += [passage for passage in open_source("bukhari").passages() if passage.id in wanted]
    return [Record(passage, *reader.read(Words(passage.text), passage)) for passage in passages]


@pytest.fixture(scope="module")
def found(records: list[Record]) -> Parallels:
    return find_parallels(records, identify(records, authority.load()))


def test_the_tellings_of_the_quarrel_are_one_group(found: Parallels) -> None:
    group = found.group_of("bukhari:3661")
    assert group is not None and set(group.passages) == QUARREL
    members = {member.passage: member for member in group.members}
    assert members["bazzar:quarrel"].relation is None
    assert members["bukhari:4640"].relation == "mutabaa"
    assert members["bukhari:4640"].grade == "same-report"
    assert group.key.startswith("parallel/")


def test_the_dispute_over_banu_tamim_is_another(found: Parallels) -> None:
    group = found.group_of("bukhari:4845")
    assert group is not None and set(group.passages) >= BANU_TAMIM
    assert not set(group.passages) & QUARREL


def test_the_report_spreads_from_busr_and_in_part_from_sadaqa(found: Parallels) -> None:
    group = found.group_of("bukhari:3661")
    assert group is not None
    links = found.common_links(group)
    assert [(link.person, link.source) for link in links.common] == [("person/busr-b-ubayd-allah", "person/abu-al-darda")]
    assert (links.common[0].students, links.common[0].passages, links.common[0].all_passages) == (2, 3, 3)
    assert [link.person for link in links.partial] == ["person/sadaqa-b-khalid"]
    assert {strand.passage for strand in links.single_strands} == {"bukhari:4640"}
    assert links.dives == ()


def test_of_the_two_chains_of_the_sample_alone_sadaqa_is_the_common_link(records: list[Record]) -> None:
    two = [record for record in records if record.passage.source.startswith("sample-")]
    found = find_parallels(two, identify(two, authority.load()))
    links = found.common_links(found.groups[0])
    assert [link.person for link in links.common] == ["person/sadaqa-b-khalid"]
    assert links.spiders == links.common


@pytest.mark.skipif(shared() is None, reason="the OpenITI texts stand in ../shared, which is absent")
def test_the_telling_without_chain_and_with_slips_joins_the_quarrel(records: list[Record]) -> None:
    folder = shared()
    assert folder is not None
    (path,) = (path for path in (folder / "texts").glob("0676Nawawi*") if path.suffix != ".yml")
    reader = IsnadReader()
    entry = [p for p in open_source(str(path)).passages() if "آخذا" in p.text and "فجثا" in p.text]
    assert len(entry) == 1
    read = [Record(passage, *reader.read(Words(passage.text), passage)) for passage in entry]
    group = find_parallels([*records, *read]).group_of(entry[0].id)
    assert group is not None and set(group.passages) == {*QUARREL, entry[0].id}


def record(id: str, text: str, *names: str, points_back: str | None = None) -> Record:
    mentions = tuple(
        NarratorMention(k, k + 1, name, received_from=(k + 1,) if k + 1 < len(names) else ()) for k, name in enumerate(names)
    )
    isnad = Isnad(tuple(range(len(names))), matn=((0, len(text)),), points_back=points_back)
    return Record(Passage(id, text), mentions, (isnad,) if names else ())


KHAYBAR = "خربت خيبر إنا إذا نزلنا بساحة قوم فساء صباح المنذرين"
CLOUD = "إن للمؤمن في الجنة لخيمة من لؤلؤة واحدة مجوفة طولها ستون ميلا"


def test_formulas_alone_tie_nothing_together() -> None:
    oath = "قال رسول الله صلى الله عليه وسلم والذي نفسي بيده"
    found = find_parallels([record("a:1", f"{oath} {KHAYBAR}", "أنس"), record("a:2", f"{oath} {CLOUD}", "أنس")])
    assert found.groups == () and list(found.pairs) == []


def test_a_row_that_points_back_joins_its_report_and_says_how() -> None:
    rows = [
        record("m:1", KHAYBAR, "قتيبة", "حميد", "أنس"),
        record("m:2", CLOUD, "زهير", "همام", "أبي موسى"),
        record("m:3", "بهذا الإسناد مثله", "زهير", "حميد", points_back="مِثْلَهُ"),
        record("m:4", "بهذا الإسناد نحوه", "عفان", "همام", points_back="نَحْوَهُ"),
    ]
    found = find_parallels(rows)
    first, second = found.group_of("m:3"), found.group_of("m:4")
    assert first is not None and first.passages == ("m:1", "m:3")
    assert second is not None and second.passages == ("m:2", "m:4")
    assert [(m.grade, m.beside) for m in first.members] == [(None, None), ("same-wording", "m:1")]
    assert [(m.grade, m.beside) for m in second.members] == [(None, None), ("same-report", "m:2")]
    assert first.stands_for == (("m:3", "m:1"),)
    assert second.stands_for == (("m:4", "m:2"),)


def test_a_row_points_into_its_own_collection_only() -> None:
    told = Telling("a:1", "a", Report((1, 2), 20.0))
    assert pointed([told, Telling("b:1", "b", Report((), 0.0), points_back="مثله")]) == {}


def test_the_nearest_report_with_the_last_narrator_is_meant_though_another_shares_more() -> None:
    rows = [
        record("m:1", KHAYBAR, "أحمد", "ابن وهب", "الزهري", "عروة"),
        record("m:2", CLOUD, "قتيبة", "عقيل", "الزهري", "أنس"),
        record("m:3", "ح", "قتيبة", "الزهري"),
        record("m:4", "بإسناد عقيل مثله", "أحمد", "ابن وهب", "الزهري", points_back="مِثْلَهُ"),
    ]
    found = find_parallels(rows)
    assert [(group.passages, group.stands_for) for group in found.groups] == [(("m:2", "m:4"), (("m:4", "m:2"),))]


def test_a_phrase_in_the_note_of_the_author_points_nowhere() -> None:
    own = record("t:2", f"{CLOUD} قال أبو عيسى وروى زهير نحوه", "قتيبة", "أنس", points_back="نَحْوَهُ")
    assert find_parallels([record("t:1", KHAYBAR, "قتيبة", "أنس"), own]).groups == ()


def test_another_companion_is_a_witness_and_the_same_a_following() -> None:
    told = [
        record("a:1", KHAYBAR, "قتيبة", "أنس"),
        record("b:1", KHAYBAR, "زهير", "أنس"),
        record("c:1", KHAYBAR, "عفان", "أبي طلحة"),
    ]
    (group,) = find_parallels(told).groups
    assert [(member.passage, member.relation) for member in group.members] == [
        ("a:1", None),
        ("b:1", "mutabaa"),
        ("c:1", "shahid"),
    ]


def test_a_key_stays_when_a_source_comes_before() -> None:
    registry = SimpleNamespace(ids={})
    told = [record("b:1", KHAYBAR, "أنس"), record("c:1", KHAYBAR, "أنس")]
    (before,) = find_parallels(told, registry=registry).groups
    (after,) = find_parallels([record("a:1", KHAYBAR, "أنس"), *told], registry=registry).groups
    assert after.key == before.key and after.passages == ("a:1", "b:1", "c:1")
    (fresh,) = find_parallels([record("a:1", KHAYBAR, "أنس"), *told]).groups
    assert fresh.key != before.key


def test_a_passage_given_twice_is_one_telling() -> None:
    told = record("a:1", KHAYBAR, "أنس")
    assert find_parallels([told, told]).groups == ()


def test_the_matn_of_a_passage_is_what_its_own_chains_carry() -> None:
    text = KHAYBAR + " حدثنا قتيبة عن أنس مثله"
    isnads = (Isnad((), matn=((0, len(KHAYBAR)),)), Isnad((), matn=((len(KHAYBAR), len(text)),), points_back="مثله"))
    assert [tuple(span) for span in matn_spans(Record(Passage("a:1", text), (), isnads))] == [(0, len(KHAYBAR))]


def strands(*paths: str) -> list[Strand]:
    return [
        Strand(f"{name}:{number}", name, tuple(line.split()))
        for number, (name, line) in enumerate(p.split(" ", 1) for p in paths)
    ]


def test_a_strand_round_the_common_link_is_a_dive() -> None:
    told = strands(
        "a q malik zuhri anas", "b r malik zuhri anas", "c s yunus zuhri anas", "d t yunus zuhri anas", "e u thabit anas"
    )
    links = common_links(Bundle(told))
    assert [link.person for link in links.common] == ["zuhri"]
    assert {link.person for link in links.partial} == {"malik", "yunus"}
    assert [(dive.strand.passage, dive.around, dive.meets) for dive in links.dives] == [("e:4", "zuhri", "anas")]


def test_a_chain_that_leaves_a_link_out_is_no_branch_of_its_own() -> None:
    told = strands("a p malik yahya taymi alqama umar", "b q malik yahya taymi alqama umar", "c r hammad yahya taymi alqama umar")
    gap = strands("d s hammad yahya alqama umar")
    assert [link.person for link in common_links(Bundle([*told, *gap])).common] == ["yahya"]


def test_one_strand_round_the_common_link_that_later_meets_the_bundle_makes_the_source_no_common_link() -> None:
    told = strands(
        "a p malik dinar umar", "b q malik dinar umar", "c r ubayd dinar umar", "d s ubayd dinar umar", "e t ubayd nafi umar"
    )
    links = common_links(Bundle(told))
    assert [link.person for link in links.common] == ["dinar"]
    assert [dive.strand.passage for dive in links.dives] == ["e:4"]


def test_teachers_joined_in_one_passage_are_no_partial_common_link() -> None:
    joined = [Strand("a:1", "a", ("x", "p", "walid", "busr")), Strand("a:1", "a", ("x", "q", "walid", "busr"))]
    assert common_links(Bundle(joined)).common == ()


def test_single_strands_that_meet_are_a_spider() -> None:
    links = common_links(Bundle(strands("a p zayd anas", "b q zayd anas", "c r zayd anas")))
    assert [(link.person, link.spider, link.students) for link in links.common] == [("zayd", True, 3)]
    assert links.partial == () and len(links.single_strands) == 3


def test_a_mention_nobody_has_identified_is_no_common_link() -> None:
    unknown = "mention/a/1/3-9"
    links = common_links(Bundle([Strand("a:1", "a", ("p", unknown)), Strand("b:1", "b", ("q", unknown))]))
    assert links.common == () and len(links.single_strands) == 2


def test_a_link_left_out_is_told() -> None:
    links = common_links(Bundle(strands("a p malik nafi anas", "b p nafi anas")))
    assert [(c.kind, c.student, c.teacher, c.other) for c in links.contradictions] == [("left-out", "p", "nafi", "malik")]


def test_another_source_is_told_of_the_one_from_whom_the_chains_part() -> None:
    links = common_links(Bundle(strands("a p malik nafi umar", "b p malik salim aisha")))
    assert [(c.kind, c.student, c.teacher, c.other) for c in links.contradictions] == [("other-source", "malik", "aisha", "umar")]


def test_words_read_before_it_is_known_who_is_who_change_nothing() -> None:
    reader = IsnadReader()
    records = [
        Record(passage, *reader.read(Words(passage.text), passage))
        for passage in islice(open_source("muslim").passages(), 0, 600)
    ]
    identification = identify(records, authority.load())
    twice = [*records, *records[:20]]
    alone = find_parallels(twice, identification)
    beside = find_parallels(twice, identification, prepared=prepare(twice))
    assert any(telling.points_back for telling in alone._tellings)
    assert beside.groups == alone.groups and list(beside.pairs) == list(alone.pairs)
