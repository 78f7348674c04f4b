"""The command: every part has help with an example; wrong usage is 2, work that fails is 1 and one sentence."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from kg.cli import main

ISNAD = "حدثنا مالك عن نافع عن ابن عمر قال قال رسول الله صلى الله عليه وسلم لا صلاة"
DOCS = Path(__file__).parents[1] / "docs"


def run(*arguments: str, given: str | None = None) -> tuple[int, str, str]:
    result = CliRunner().invoke(main, list(arguments), input=given)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, result.stdout, result.stderr


@pytest.mark.parametrize("name", sorted(main.commands))
def test_every_command_has_help_with_an_example(name: str) -> None:
    code, out, _ = run(name, "--help")
    assert code == 0
    assert re.search(rf"Example: .*kg {name}", out), out


@pytest.mark.parametrize("name", sorted(main.commands))
def test_every_command_stands_in_the_documentation(name: str) -> None:
    texts = [path.read_text(encoding="utf-8") for path in (*DOCS.rglob("*.md"), DOCS.parent / "README.md")]
    assert any(f"kg {name}" in text for text in texts)


@pytest.mark.parametrize(
    "arguments", [["build", "--workers", "0"], ["extract"], ["serve", "--port", "x"], ["evaluate", "nothing", "."], ["no-such"]]
)
def test_wrong_usage_is_2(arguments: list[str]) -> None:
    assert run(*arguments)[0] == 2


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["extract", "no-such-file"], "no such file"),
        (["build", "no-such-corpus"], "the corpora are"),
        (["serve", "--data", "nowhere"], "kg build"),
        (["query", "common-links", "--data", "nowhere"], "kg build"),
        (["dump", "--data", "nowhere"], "kg build"),
        (["check", "--data", "nowhere"], "kg build"),
        (["collate", "a:1", "a:2", "--data", "nowhere"], "kg build"),
    ],
)
def test_work_that_fails_is_1_and_one_sentence(
    arguments: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    code, _, err = run(*arguments)
    assert code == 1
    assert said in err
    assert "Traceback" not in err and len(err.strip().splitlines()) == 1


def test_extract_gives_a_record_a_passage_in_order(tmp_path: Path) -> None:
    rows = [{"id": f"x:{number}", "text": ISNAD} for number in range(3)] + [
        {"id": "x:3", "text": "Narrated Anas"},
        {"id": "x:4", "text": ""},
    ]
    path = tmp_path / "rows.jsonl"
    path.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows), encoding="utf-8")
    code, out, _ = run("extract", str(path))
    records = [json.loads(line) for line in out.splitlines()]
    assert code == 0
    assert [record["id"] for record in records] == [row["id"] for row in rows]
    assert [mention["surface"] for mention in records[0]["narrators"]] == ["مالك", "نافع", "ابن عمر"]


def test_extract_gives_the_persons_of_a_dictionary(tmp_path: Path) -> None:
    entries = tmp_path / "0852IbnHajarCasqalani.TaqribTahdhib.JK1-ara1"
    head = "######OpenITI#\n#META# 000.BookURI\t:: 0852IbnHajarCasqalani.TaqribTahdhib\n#META#Header#End#\n"
    entries.write_text(head + "### $ 17 عامر بن طارق الأسدي ثقة من الثامنة مات سنة سبعين خ\n", encoding="utf-8")
    told = CliRunner().invoke(main, ["extract", "--persons", str(entries)])
    assert told.exit_code == 0, told.output
    (row,) = map(json.loads, told.output.splitlines())
    assert (row["id"], row["person"]["ism"], row["person"]["death"]["first"]) == ("taqrib:17", "عامر", 170)
    plain = tmp_path / "plain.txt"
    plain.write_text("حدثنا مالك", encoding="utf-8")
    failed = CliRunner().invoke(main, ["extract", "--persons", str(plain)])
    assert failed.exit_code == 1 and "dictionary = true" in failed.output


def test_extract_reads_standard_input_and_writes_turtle() -> None:
    code, out, _ = run("extract", "-", "--format", "turtle", given=ISNAD)
    assert code == 0
    from rdflib import Graph

    assert len(Graph().parse(data=out, format="turtle")) > 20


def test_nothing_of_standard_input_is_left_behind(tmp_path: Path) -> None:
    environment = {**os.environ, "TMPDIR": str(tmp_path), "PYTHONPATH": str(DOCS.parent)}
    command = [sys.executable, "-m", "kg.cli", "extract", "-"]
    subprocess.run(command, input=ISNAD, text=True, env=environment, check=True, capture_output=True)
    assert list(tmp_path.glob("kg-*.input")) == []


def test_a_link_that_leads_nowhere_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(ISNAD, encoding="utf-8")
    (tmp_path / "b.txt").symlink_to(tmp_path / "gone.txt")
    code, out, err = run("extract", str(tmp_path), "--keep-going")
    assert (code, len(out.splitlines())) == (1, 1)
    assert "b.txt" in err


def test_what_cannot_be_read_is_left_out_where_asked(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text(json.dumps({"id": "x:1", "text": ISNAD}) + "\n{broken\n", encoding="utf-8")
    assert run("extract", str(path))[0] == 1
    code, out, err = run("extract", str(path), "--keep-going")
    assert code == 1
    assert len(out.splitlines()) == 1
    assert f"{path}:2" in err


def test_collating_two_files(tmp_path: Path) -> None:
    one, other = tmp_path / "one.txt", tmp_path / "other.txt"
    one.write_text("أما صاحبكم أحسبه قال فقد خامر", encoding="utf-8")
    other.write_text("أما صاحبكم فقد غامر", encoding="utf-8")
    code, out, _ = run("collate", str(one), str(other))
    assert code == 0
    assert "changed (one letter)\tخامر\tغامر" in out
    assert run("collate", str(one))[0] == 2


def test_collating_more_than_a_table_holds_is_bounded_as_the_page_is(tmp_path: Path) -> None:
    files = [tmp_path / f"{number}.txt" for number in range(4)]
    for number, path in enumerate(files):
        path.write_text(" ".join(f"كلمة{place}" for place in range(405)) + f" آخر{number}", encoding="utf-8")
    code, out, _ = run("collate", str(files[0]), str(files[1]), "--format", "json")
    assert code == 0 and "the first 400 of 406 words" in out and "آخر" not in out
    code, _, err = run("collate", *map(str, files))
    assert code == 1 and "at most 6 tellings" in err and len(err.splitlines()) == 1


def test_settings_that_are_not_known_are_told(tmp_path: Path) -> None:
    path = tmp_path / "kg.toml"
    path.write_text('bas = "https://example.org/"\n', encoding="utf-8")
    code, _, err = run("build", "sample", "--config", str(path), "--out", str(tmp_path / "out"))
    assert code == 1
    assert "unknown setting 'bas'" in err


@pytest.mark.parametrize(
    ("settings", "arguments", "said"),
    [
        ('corrections = "none.csv"', ["build", "a.txt"], "no such file of corrections"),
        ('corrections = "a.txt"', ["build", "a.txt"], "the header lacks the column"),
        ("", ["build", "a.txt", "--base", "nowhere"], "base of IRIs"),
        ("", ["evaluate", "segmentation", "a.txt"], "not JSON"),
        ("", ["collate", "a.txt", "x" * 300], "kg build"),
    ],
)
def test_mistakes_in_what_a_command_is_given_are_one_sentence(
    settings: str, arguments: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.txt").write_text(ISNAD, encoding="utf-8")
    (tmp_path / "kg.toml").write_text(settings, encoding="utf-8")
    code, _, err = run(*arguments)
    assert code == 1
    assert said in err
    assert err.count("\n") == 1


def test_a_folder_that_is_not_there_to_write_in_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*arguments: object) -> None:
        raise OSError(28, "No space left on device", "silsila.nq")

    monkeypatch.setattr("kg.graph.further.write_format", full)
    monkeypatch.setattr("kg.build.folder.DataFolder.current", lambda self: tmp_path)
    code, _, err = run("dump")
    assert (code, err.count("\n")) == (1, 1)
    assert "silsila.nq: No space left on device" in err


def test_rows_of_two_files_with_the_same_bare_ids_are_kept_apart(tmp_path: Path) -> None:
    for name, narrator in (("a", "مالك"), ("b", "سفيان")):
        (tmp_path / f"{name}.csv").write_text(f"id,text\n1,حدثنا {narrator} عن نافع\n", encoding="utf-8")
    code, out, _ = run("extract", str(tmp_path))
    records = [json.loads(line) for line in out.splitlines()]
    assert code == 0
    assert [(r["id"], r["source"], r["narrators"][0]["surface"]) for r in records] == [("1", "a", "مالك"), ("1", "b", "سفيان")]
