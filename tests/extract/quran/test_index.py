"""The index: kept beside the data, rebuilt when it is stale or damaged, and true to the text."""

from pathlib import Path

import pytest

from kg.extract import quran_index
from kg.extract.quran_index import QuranIndex, load_index


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> QuranIndex:
    return load_index(tmp_path_factory.mktemp("index"))


def test_places_say_verse_and_word(index: QuranIndex) -> None:
    one, two = index.spellings["ثاني"], index.spellings["اثنين"]
    [place] = index.places_of_pair(one, two)
    assert index.ref(place, place + 2) == "9:40" and index.word_in_verse(place) == 10


def test_no_pair_crosses_from_one_sura_to_the_next(index: QuranIndex) -> None:
    for start in sorted(set(index.sura_start))[1:]:
        pair = index.places_of_pair(index.words[start - 1], index.words[start])
        assert start - 1 not in pair


def test_the_kept_index_is_used_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = load_index(tmp_path)
    monkeypatch.setattr(quran_index, "build_index", lambda verses: pytest.fail("built again"))
    second = load_index(tmp_path)
    assert second.words == first.words and second.joined == first.joined


@pytest.mark.parametrize("damage", [b"", b"not an index", b'{"fingerprint": 3}\n'])
def test_a_damaged_index_is_built_anew(tmp_path: Path, damage: bytes) -> None:
    load_index(tmp_path)
    kept = tmp_path / "quran.index"
    whole = kept.read_bytes()
    kept.write_bytes(damage)
    load_index(tmp_path)
    assert kept.read_bytes() == whole


def test_a_cut_off_index_is_built_anew(tmp_path: Path) -> None:
    load_index(tmp_path)
    kept = tmp_path / "quran.index"
    whole = kept.read_bytes()
    kept.write_bytes(whole[:-100])
    load_index(tmp_path)
    assert kept.read_bytes() == whole


def test_a_stale_index_is_built_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    load_index(tmp_path)
    before = (tmp_path / "quran.index").read_bytes()
    monkeypatch.setattr(quran_index, "_FORMAT", 999)
    load_index(tmp_path)
    assert (tmp_path / "quran.index").read_bytes() != before


def test_a_folder_that_cannot_be_written_is_no_obstacle(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way", encoding="utf-8")
    assert load_index(blocked).vocabulary
