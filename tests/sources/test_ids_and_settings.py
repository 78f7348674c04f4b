"""Ids and settings as people write them: no passage is lost in silence, no fault is more than one sentence."""

import json
from pathlib import Path

import pytest

from kg.config import load_config
from kg.sources import Source, SourceError, open_source, open_sources, with_settings
from kg.tables import TableError

ISNAD = "حدثنا مالك عن نافع عن ابن عمر"


def source(path: Path, data: str) -> Source:
    path.write_text(data, encoding="utf-8")
    return open_source(str(path))


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (r'{"id": "\ud800", "text": "x"}', "surrogate pair in its id"),
        (r'{"id": "1", "text": "x", "translation": "\udfff"}', "surrogate pair in its translation"),
        ('{"id": ' + "9" * 5000 + ', "text": "x"}', "thousands of digits"),
        ('{"id": [1], "text": "x"}', "neither a word nor a number"),
        ('{"id": true, "text": "x"}', "neither a word nor a number"),
    ],
)
@pytest.mark.parametrize("name", ["a.jsonl", "a.json"])
def test_a_row_that_no_graph_can_hold_is_told(tmp_path: Path, name: str, row: str, said: str) -> None:
    with pytest.raises(SourceError, match=said) as error:
        list(source(tmp_path / name, row if name.endswith("l") else f"[{row}]").passages())
    assert error.value.line == 1


def test_a_quotation_mark_never_closed_does_not_swallow_the_rest(tmp_path: Path) -> None:
    rows = source(tmp_path / "a.csv", 'id,text\n1,عن أنس\n2,"عن جابر\n3,عن عمر\n')
    with pytest.raises(SourceError, match="never closed") as error:
        list(rows.passages())
    assert error.value.line == 3
    assert [passage.id for passage in rows.passages(lambda error: None)] == ["1"]


def test_the_last_row_needs_no_line_ending(tmp_path: Path) -> None:
    assert [p.text for p in source(tmp_path / "a.csv", 'id,text\n1,"عن\nأنس"').passages()] == ["عن\nأنس"]


def test_bare_ids_count_in_their_collection(tmp_path: Path) -> None:
    rows = source(tmp_path / "a.jsonl", "\n".join(json.dumps({"id": i, "text": ISNAD}) for i in ("7", "x:7", ":7", "x:")))
    assert [rows.numbered(p).id for p in rows.passages()] == ["a:7", "x:7", "a::7", "a:x:"]


@pytest.mark.parametrize("ids", [("é:1", "e\u0301:1"), ("1", "a:1")])
def test_ids_that_would_have_one_address_are_told(tmp_path: Path, ids: tuple[str, str]) -> None:
    with pytest.raises(SourceError, match="stands twice"):
        list(source(tmp_path / "a.jsonl", "\n".join(json.dumps({"id": i, "text": ISNAD}) for i in ids)).passages())


def test_a_folder_that_may_not_be_entered_is_no_fault_of_the_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(path: Path) -> bool:
        raise PermissionError(13, "Permission denied", str(path))

    (tmp_path / "a.txt").write_text(ISNAD, encoding="utf-8")
    monkeypatch.setattr(Path, "is_file", refused)
    assert [given.key for given in open_sources(str(tmp_path))] == ["a"]


@pytest.mark.parametrize(
    "setting",
    [
        {"republishable": "no"},
        {"title_en": 5},
        {"kind": "poem"},
        {"collection": "a:b"},
        {"work": "muwatta"},
        {"licence": "https://example.org/a licence"},
        {"licenze": "x"},
    ],
)
def test_a_setting_of_a_source_that_cannot_be_is_told(tmp_path: Path, setting: dict[str, object]) -> None:
    with pytest.raises(SourceError, match=next(iter(setting))):
        with_settings([source(tmp_path / "a.txt", ISNAD)], {"a": setting})


def test_settings_that_can_be_are_taken(tmp_path: Path) -> None:
    stated = {"republishable": True, "licence": "Gift of the editor", "kind": "hadith", "work": "work/muwatta", "collection": "m"}
    (given,) = with_settings([source(tmp_path / "a.txt", ISNAD)], {"a": stated})
    assert {name: getattr(given, name) for name in stated} == stated


@pytest.mark.parametrize(
    "text",
    [
        b"title = 5",
        b"corrections = 5",
        b'limits = "x"',
        b"source = 3",
        b"[source]\nmytext = 3",
        b"base = 3",
        b'base = "https://example.org/<x>/"',
        b'base = "https://example.org/a b/"',
        b'base = "https://example.org/x#"',
        b'base = "http:///"',
        b"base = [",
        b"\xff\xfe",
    ],
)
def test_mistakes_in_the_settings_are_one_sentence(tmp_path: Path, text: bytes) -> None:
    path = tmp_path / "kg.toml"
    path.write_bytes(text)
    with pytest.raises(TableError) as error:
        load_config(path)
    assert str(error.value).startswith(str(path))
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("base", ["https://example.org/", "http://localhost:8000/kg/", "https://w3id.org/silsila/"])
def test_a_base_that_ends_in_a_slash_is_taken(tmp_path: Path, base: str) -> None:
    path = tmp_path / "kg.toml"
    path.write_text(f'base = "{base}"\ntitle = "x"\n[limits]\nseconds = 5\n', encoding="utf-8")
    assert load_config(path).base == base


def test_an_address_of_the_server_is_one(tmp_path: Path) -> None:
    path = tmp_path / "kg.toml"
    for good in ("https://example.org", "http://localhost:8000/kg/"):
        path.write_text(f'public_url = "{good}"\n', encoding="utf-8")
        assert load_config(path).public_url == good
    path.write_text('public_url = "ftp//x"\n', encoding="utf-8")
    with pytest.raises(TableError, match="public_url 'ftp//x' is no"):
        load_config(path)
