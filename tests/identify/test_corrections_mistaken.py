"""Rows of corrections that no graph can hold, or that say nothing."""

from pathlib import Path

import pytest

from kg.identify.corrections import CorrectionError, Corrections


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("is,mention/bukhari/1/0-5,person/no <one>,A,w", "no address has"),
        ("is,mention/bukhari/1 a/0-5,person/x,A,w", "no address has"),
        ("same,person/a,person/a,A,w", "both sides"),
        ("different,person/a,person/a,A,w", "both sides"),
    ],
)
def test_a_mistaken_row_is_told_with_its_line(tmp_path: Path, row: str, said: str) -> None:
    path = tmp_path / "corrections.csv"
    path.write_text(f"kind,subject,object,by,why\n{row}\n", encoding="utf-8")
    with pytest.raises(CorrectionError, match=said) as error:
        Corrections.load(path)
    assert error.value.line == 2
