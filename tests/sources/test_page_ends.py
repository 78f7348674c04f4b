"""A paragraph that a page end breaks off is one passage; nothing else is joined, and no number moves."""

from dataclasses import replace
from pathlib import Path

import pytest

from kg.evaluate import shared
from kg.graph.passages import absorbed
from kg.graph.vocabulary import Vocabulary
from kg.sources import open_source, open_sources, with_settings
from kg.text import Passage

HEAD = "######OpenITI#\n\n#META#Header#End#\n\n"
WHOLE = "# قال مالك: وذلك الأمر الذي لا اختلاف فيه عندنا.\n" * 4
BROKEN = "# مالك، عن هشام بن عروة، عن أبيه، عن عائشة أم PageV01P012\n"


def read(tmp_path: Path, body: str) -> list[Passage]:
    path = tmp_path / "0001X.Y.Z-ara1"
    path.write_text(HEAD + body, encoding="utf-8")
    return list(open_source(str(path)).passages())


def test_a_broken_paragraph_keeps_its_first_number_and_tells_where_it_goes_on(tmp_path: Path) -> None:
    body = WHOLE + BROKEN + "# المؤمنين؛ أنها قالت: وعك أبو بكر. PageV01P013\n# قال مالك: ذلك رأيي.\n"
    passages = read(tmp_path, body)
    assert [passage.number for passage in passages] == ["1", "2", "3", "4", "5", "7"]
    whole = passages[4]
    assert whole.text == "مالك، عن هشام بن عروة، عن أبيه، عن عائشة أم المؤمنين؛ أنها قالت: وعك أبو بكر."
    said = [value for scheme, value in whole.locators if scheme in ("paragraph-in-file", "page")]
    assert said == ["5", "12", "6", "13"]
    start, offset = map(int, dict(whole.locators)["goes-on-in-file"].split())
    assert whole.text[start:].startswith("المؤمنين؛")
    assert (HEAD + body)[offset:].startswith("المؤمنين؛")
    words = Vocabulary("https://example.org/")
    ((key, statements),) = absorbed(words, whole)
    assert key == f"passage/{whole.collection}/6"
    assert any(Vocabulary.passage(whole) in str(value) for _, value in statements)
    assert list(absorbed(words, passages[0])) == []


def test_a_page_reference_that_stands_alone_is_in_the_text(tmp_path: Path) -> None:
    passages = read(
        tmp_path,
        WHOLE + "# PageV00P000\n# مالك، عن يحيى بن سعيد، عن سعيد بن المسيب؛\n# [ص: 788]\n# أنه قال: ثلاث ليس فيهن لعب.\n",
    )
    assert passages[-1].text == "مالك، عن يحيى بن سعيد، عن سعيد بن المسيب؛ [ص: 788] أنه قال: ثلاث ليس فيهن لعب."
    assert passages[-1].number == "5"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("مالك، عن هشام بن عروة، عن أبيه، عن عائشة.", "المؤمنين وعك أبو بكر وبلال."),  # a full stop
        ("مالك، عن هشام بن عروة، عن أبيه، عن عائشة أم", "قال مالك: وذلك أحسن ما سمعت."),  # a speaker
        ("مالك، عن هشام بن عروة، عن أبيه، عن عائشة أم", "مالك، عن نافع، عن ابن عمر أنه كان يقول ذلك."),  # a chain
        ("مالك، عن هشام بن عروة، عن أبيه، عن عائشة أم", "2012 - مالك، عن نافع أنه كان يقول ذلك."),  # a number
        ("قال ابن هشام: وهذه الأبيات في قصيدة له طويلة", "فقوموا فصلوا ربكم وتمسحوا ... بأركان هذا البيت بين الأخاشب"),  # a verse
        ("شجرة إسناد نسخة ق", "دراسة أسانيد نسخة ق"),  # titles
    ],
)
def test_what_is_no_broken_paragraph_stays_apart(tmp_path: Path, before: str, after: str) -> None:
    passages = read(tmp_path, WHOLE + f"# {before} PageV01P012\n# {after} PageV01P013\n")
    assert [passage.text for passage in passages[4:]] == [before, after]


def test_a_heading_between_parts(tmp_path: Path) -> None:
    assert len(read(tmp_path, WHOLE + BROKEN + "### | باب\n# المؤمنين؛ أنها قالت: وعك أبو بكر.\n")) == 6


def test_files_whose_paragraphs_run_over_page_ends_or_have_no_stops_are_left_alone(tmp_path: Path) -> None:
    running = "# عن نافع عن عبد الله PageV01P001\n~~بن عمر قال.\n"
    assert len(read(tmp_path, running + WHOLE + BROKEN + "# المؤمنين؛ أنها قالت.\n")) == 7
    bare = WHOLE.replace(".", "")
    assert len(read(tmp_path, bare + BROKEN + "# المؤمنين أنها قالت\n")) == 6


def test_the_setting_leaves_paragraphs_apart(tmp_path: Path) -> None:
    read(tmp_path, WHOLE + BROKEN + "# المؤمنين؛ أنها قالت.\n")
    sources = open_sources(str(tmp_path / "0001X.Y.Z-ara1"))
    (apart,) = with_settings(sources, {sources[0].key: {"join_pages": False}})
    assert len(list(apart.passages())) == 6
    assert apart.fingerprint() != sources[0].fingerprint()


@pytest.mark.parametrize(
    ("name", "joins"),
    [("0213IbnHisham.SiraNabawiyya.Shamela0023833-ara1.completed", 500), ("0676Nawawi.TahdhibAsma.JK001320-ara1", 0)],
)
def test_in_whole_books_no_number_moves(name: str, joins: int) -> None:
    folder = shared()
    if folder is None:
        pytest.skip("needs the texts in ../shared")
    source = open_source(str(folder / "texts" / name))
    apart = {passage.id: passage.text for passage in replace(source, join_pages=False).passages()}
    together = {passage.id: passage.text for passage in source.passages()}
    assert all(text.startswith(apart[number]) for number, text in together.items())
    assert " ".join(together.values()) == " ".join(apart.values())
    assert len(apart) - len(together) >= joins
    assert joins or apart == together
