"""Every format, every way a file can be wrong: one sentence with file and line, the rest goes on where asked."""

import json
from pathlib import Path

import pytest

from kg.sources import SourceError, open_source, open_sources
from kg.sources.files import file_source, files_in
from kg.text import Passage

ISNAD = "حَدَّثَنَا هِشَامُ بْنُ عَمَّارٍ"


def passages(path: Path, input_format: str | None = None) -> list[Passage]:
    return list(open_source(str(path), input_format).passages())


def write(path: Path, data: str | bytes) -> Path:
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


def test_plain_text_paragraphs_and_translation(tmp_path: Path) -> None:
    path = write(tmp_path / "a.txt", f"{ISNAD}\nعن أنس\n\nNarrated Anas\n\n\nعن جابر\n")
    first, second = passages(path)
    assert (first.text, first.translation) == (f"{ISNAD}\nعن أنس", "Narrated Anas")
    assert second.text == "عن جابر"
    assert [p.id for p in (first, second)] == ["a:1", "a:2"]


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_line_endings_and_byte_order_mark(tmp_path: Path, newline: str, mark: str) -> None:
    path = write(tmp_path / "a.txt", mark + f"{ISNAD}{newline}{newline}عن جابر{newline}")
    assert [p.text for p in passages(path)] == [ISNAD, "عن جابر"]
    row = json.dumps({"id": "x:1", "text": ISNAD}, ensure_ascii=False)
    assert [p.text for p in passages(write(tmp_path / "b.jsonl", mark + row + newline))] == [ISNAD]


def test_offsets_in_the_file_point_at_the_paragraph(tmp_path: Path) -> None:
    text = f"{ISNAD}\n\n\nعن جابر\nعن أنس\n"
    for passage in passages(write(tmp_path / "a.txt", text)):
        offset = int(dict(passage.locators)["offset-in-file"])
        assert text[offset:].startswith(passage.text)


def test_json_lines_rows_keep_their_ids(tmp_path: Path) -> None:
    rows = [{"id": "mine:7", "text": "# حدثنا PageV01P002"}, {"text": "عن أنس"}]
    path = write(tmp_path / "a.jsonl", "\n".join(json.dumps(row, ensure_ascii=False) for row in rows))
    assert [(p.id, p.text) for p in passages(path)] == [("mine:7", "# حدثنا PageV01P002"), ("a:2", "عن أنس")]


def test_csv_with_a_header_and_line_breaks_in_cells(tmp_path: Path) -> None:
    path = write(tmp_path / "a.csv", 'id,text\n1,"عن أنس\nقال"\n2,عن جابر\n')
    assert [(p.id, p.text) for p in passages(path)] == [("1", "عن أنس\nقال"), ("2", "عن جابر")]


def test_open_iti_locators(tmp_path: Path) -> None:
    text = (
        "######OpenITI#\n\n#META# x\n#META#Header#End#\n\n### | كتاب\n### || باب\n"
        "# حدثنا مالك\n~~عن نافع ms0001\n\n# عن جابر PageV02P475\n### $ 12 أحمد بن حنبل\n~~ثقة PageV02P476\n"
    )
    first, second, third = passages(write(tmp_path / "0001X.Y.Z-ara1", text))
    assert first.text == "حدثنا مالك عن نافع"
    assert [value for scheme, value in first.locators if scheme == "heading"] == ["كتاب", "باب"]
    assert dict(second.locators)["page"] == "475"
    assert (third.text, dict(third.locators)["entry"], dict(third.locators)["page"]) == ("أحمد بن حنبل ثقة", "12", "476")
    for passage in (first, second, third):
        assert text[int(dict(passage.locators)["offset-in-file"]) :].startswith(passage.text[:8])


def test_a_folder_gives_each_of_its_texts(tmp_path: Path) -> None:
    write(tmp_path / "b.txt", ISNAD)
    write(tmp_path / "a.txt", ISNAD)
    write(tmp_path / "notes.pdf", b"%PDF")
    assert [source.key for source in open_sources(str(tmp_path))] == ["a", "b"]


@pytest.mark.parametrize(
    ("name", "data", "line", "said"),
    [
        ("a.jsonl", b'{"id": "1", "text": "\xd8\xb9"}\n{"id": 2,\n', 2, "not JSON"),
        ("a.jsonl", b'{"id": "1"}\n', 1, '"text"'),
        ("a.jsonl", b"[1]\n", 1, "not an object"),
        ("a.jsonl", b'{"text": "\\ud800"}\n', 1, "surrogate"),
        ("a.txt", "عن أنس\n".encode() + "عن أنس".encode("cp1256"), 2, "not UTF-8"),
        ("a.txt", "عن أنس".encode("utf-16"), 1, "UTF-16"),
        ("a.txt", "عن أنس\nعن نافع".encode("utf-16-be"), 1, "iconv -f UTF-16"),
        ("a.txt", b"ab\n\0\1\2", 2, "binary"),
        ("a.txt", b" \n\n", None, "no text"),
        ("a.txt", b"", None, "empty"),
        ("a.csv", "id,matn2\n1,عن\n".encode(), 1, "no column"),
        ("a.csv", b"id,text\n1\n", 2, "cells"),
        ("a.json", b'[{"id": 1, "text": "x"},]', 1, "not JSON"),
    ],
)
def test_bad_input_is_one_sentence_with_file_and_line(
    tmp_path: Path, name: str, data: bytes, line: int | None, said: str
) -> None:
    path = write(tmp_path / name, data)
    with pytest.raises(SourceError) as error:
        passages(path)
    assert said in str(error.value)
    assert str(path) in str(error.value)
    assert error.value.line == line
    assert "\n" not in str(error.value)


def test_what_is_wrong_is_left_out_and_the_rest_goes_on(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", '{"id": "a:1", "text": "عن"}\n{broken\n{"id": "a:3", "text": "عن"}\n')
    errors: list[SourceError] = []
    assert [p.id for p in open_source(str(path)).passages(errors.append)] == ["a:1", "a:3"]
    assert [error.line for error in errors] == [2]


@pytest.mark.parametrize(
    ("name", "data"), [("a.txt", b"\0"), ("a.jsonl", b"{"), ("a.json", b"\0"), ("a.csv", b"\0"), ("0001X.Y.Z-ara1", b"\0")]
)
def test_a_file_that_cannot_be_read_is_told_once(tmp_path: Path, name: str, data: bytes) -> None:
    errors: list[SourceError] = []
    assert not list(open_source(str(write(tmp_path / name, data))).passages(errors.append))
    assert len(errors) == 1


def test_a_passage_beyond_all_measure_is_told_and_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kg.sources.source.LONGEST", 50)
    path = write(tmp_path / "a.jsonl", json.dumps({"text": ISNAD}) + "\n" + json.dumps({"text": "x" * 51}) + "\n")
    errors: list[SourceError] = []
    read = list(open_source(str(path)).passages(errors.append))
    assert [passage.text for passage in read] == [ISNAD]
    assert [error.line for error in errors] == [2] and "51 characters" in str(errors[0])


def test_of_an_openiti_text_in_several_states_the_last_is_read(tmp_path: Path) -> None:
    for ending in ("", ".inProgress", ".completed", ".mARkdown", ".yml"):
        write(tmp_path / f"0179Malik.Muwatta.Shamela1-ara1{ending}", "######OpenITI#\n#META#Header#End#\n# حدثنا مالك\n")
        write(tmp_path / f"0256Bukhari.Sahih.Shamela2-ara1{ending.replace('.mARkdown', '')}", "######OpenITI#\n")
    assert [path.name for path in files_in(tmp_path)] == [
        "0179Malik.Muwatta.Shamela1-ara1.mARkdown",
        "0256Bukhari.Sahih.Shamela2-ara1.completed",
    ]


def test_the_same_id_twice_is_told(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", '{"id": "1", "text": "عن"}\n{"id": "1", "text": "عن"}\n')
    with pytest.raises(SourceError, match="stands twice"):
        passages(path)


@pytest.mark.parametrize("name", ["no-such-corpus", "missing.txt"])
def test_a_source_that_is_not_there(name: str) -> None:
    with pytest.raises(SourceError, match="no such file, folder or corpus"):
        open_sources(name)


def test_a_folder_without_texts(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="no texts in this folder"):
        open_sources(str(tmp_path))


def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    import tracemalloc

    def peak(rows: int) -> int:
        path = tmp_path / f"{rows}.jsonl"
        with path.open("w", encoding="utf-8") as stream:
            for number in range(rows):
                stream.write(json.dumps({"text": ISNAD * 20, "id": f"x:{number}"}) + "\n")
        tracemalloc.start()
        for _ in open_source(str(path)).passages():
            pass
        _, highest = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return highest

    peak(10)
    small, large = peak(200), peak(4000)
    # Ids are remembered, to tell that one stands twice: some hundred bytes a row, not the row.
    assert large < small + 4000 * 400


def test_an_object_that_holds_the_passages_is_told_so(tmp_path: Path) -> None:
    path = tmp_path / "nested.json"
    path.write_text('{"metadata": {}, "hadiths": [{"arabic": "عن أنس"}]}', encoding="utf-8")
    with pytest.raises(SourceError, match='arrays \\("hadiths"\\)'):
        list(file_source(path).passages())


def test_a_row_without_text_tells_what_it_has(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text('{"number": 1, "hadith": "عن أنس"}\n', encoding="utf-8")
    with pytest.raises(SourceError, match="it has: number, hadith"):
        list(file_source(path).passages())


def test_fields_have_the_names_that_columns_may_have(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text('{"number": 7, "arabic": "عن أنس", "english": "from Anas"}\n', encoding="utf-8")
    (passage,) = file_source(path).passages()
    assert (passage.id, passage.text, passage.translation) == ("7", "عن أنس", "from Anas")


def test_a_word_file_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_bytes(b"PK\x03\x04\x14\x00\x06\x00")
    with pytest.raises(SourceError, match="save it as plain text"):
        list(file_source(path).passages())
