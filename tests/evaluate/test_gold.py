"""Gold files that are not what they should be: one sentence with file and line."""

from importlib import import_module
from pathlib import Path

import pytest

from kg.evaluate.gold import GoldError, gold_rows


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"not json\n", ":1: not JSON"),
        (b'{"a": 1}\n[1]\n', ":2: the row is not an object"),
        ("عن".encode("cp1256"), ":1: not UTF-8"),
        (b'\n{"id": "x"}\n', ":2: the row has no 'text'"),
        (b'{"text": {}}\n', ":1: the row has no 'span'"),
    ],
)
def test_a_broken_row_is_told(tmp_path: Path, data: bytes, said: str) -> None:
    path = tmp_path / "gold.jsonl"
    path.write_bytes(data)
    with pytest.raises(GoldError, match=said):
        for row in gold_rows(path):
            if "a" not in row:
                row["text"]["span"]


def test_a_folder_and_a_file_that_is_not_there(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "nothing.jsonl"):
        with pytest.raises(GoldError, match="cannot be read"):
            list(gold_rows(path))


@pytest.mark.parametrize("task", ["segmentation", "boundary", "prose_isnad", "identity", "quran", "edges", "parallels", "rijal"])
def test_a_file_of_another_task_is_told(tmp_path: Path, task: str) -> None:
    path = tmp_path / "gold.jsonl"
    path.write_text('{"other": "x"}\n', encoding="utf-8")
    with pytest.raises(GoldError, match=r"gold\.jsonl"):
        import_module(f"kg.evaluate.{task}").score(path)
