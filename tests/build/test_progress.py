"""Progress into a file: a step is told while it goes on and when it ends, for people and for programs; quiet is quiet."""

import io
import json
import re

import pytest
from machine import wait_until

from kg.build.progress import JsonLines, PlainLines, Silent, TerminalBars, progress_for


def lines_of(kind: type[PlainLines] | type[JsonLines], total: int | None) -> list[str]:
    out = io.StringIO()
    with kind(out, every=0.01).step("reading", total, "passages") as step:
        step.advance(5)
        assert wait_until(lambda: re.search(r'"done": 5|: 5 of 10 ', out.getvalue()))
        step.advance(5)
    return out.getvalue().splitlines()


def test_people_read_rate_and_what_is_left() -> None:
    told = lines_of(PlainLines, 10)
    assert any(re.fullmatch(r"reading: 5 of 10 passages, .* s left", line) for line in told[:-1])
    assert told[-1].startswith("reading: 10 passages in ")


def test_programs_read_objects() -> None:
    told = [json.loads(line) for line in lines_of(JsonLines, 10)]
    assert {one["state"] for one in told[:-1]} == {"running"} and told[-1]["state"] == "done"
    half = next(one for one in told if one["done"] == 5)
    assert half["total"] == 10 and half["remaining"] >= 0 and told[-1]["done"] == 10


def test_a_step_that_fails_says_no_end() -> None:
    out = io.StringIO()
    with pytest.raises(ValueError), PlainLines(out).step("reading"):
        raise ValueError
    assert out.getvalue() == ""


def test_who_is_told_how(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr", io.StringIO())
    assert isinstance(progress_for(quiet=True), Silent) and isinstance(progress_for(), PlainLines)
    assert isinstance(progress_for(quiet=True, json_lines=True), JsonLines)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    assert isinstance(progress_for(), TerminalBars)
