"""The tables of parallels: mistakes are told with file and line, rows do what they say."""

from pathlib import Path

import pytest

from kg.identify.likeness import Likeness
from kg.identify.shingles import TABLES, Formulas, Stems, Vocabulary, exchanges, stem
from kg.tables import TableError, read_tsv


def write(folder: Path, text: str) -> Path:
    path = folder / "table.tsv"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_formula_of_another_kind_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path, "words\tkind\tclass\texample\tsource\nعز وجل\tomit\tblessing\ta:1\teditors\n")
    with pytest.raises(TableError, match=r"table.tsv:2: kind 'omit'"):
        Formulas.load(path)


def test_a_share_that_is_no_number_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TableError, match=r":2: 'many' is no number"):
        Vocabulary.load(write(tmp_path, "stem\treports_in_10000\nقل\tmany\n"))


def test_a_weight_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(TableError, match="'constant' is missing"):
        Likeness.load(write(tmp_path, "evidence\tweight\nshared_weight\t1\n"))


def test_a_word_compared_as_two_others_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path, "words\ttimes\tmeaning\tsource\nجلس قعد\t1\tsit\teditors\nقام قعد\t1\tstand\teditors\n")
    with pytest.raises(TableError, match=":3: "):
        exchanges(path)


def test_each_formula_of_the_table_does_what_its_kind_says() -> None:
    formulas = Formulas.load()
    for number, row in read_tsv(TABLES / "parallel_formulas.tsv"):
        words = [word.split("/")[0] for word in row["words"].split()]
        found = formulas.applied(["ا", "ب", "ج", "د", *words, "ه"])
        expected = {"drop": ["ه"], "fuse": ["_".join(words), "ه"], "end": []}[row["kind"]]
        assert found[4:] == expected or row["kind"] != "end", f"line {number}"
        assert len(found) <= 6, f"line {number}"


def test_exchanged_words_are_one_in_both_tables() -> None:
    stems = Stems.load()
    for _, row in read_tsv(TABLES / "parallel_exchanges.tsv"):
        numbers = {stems.vocabulary.number(word) for word in row["words"].split()}
        assert len(numbers) == 1, row["words"]


def test_a_stem_keeps_at_least_two_letters_and_never_grows() -> None:
    for word in "ان قال ويقولون والصلاه فوجدتموهما الله اليها رجل بعثني".split():
        assert 2 <= len(stem(word)) <= len(word)
