"""A mistake in an entry is told with file and line; hostile input takes linear work."""

from pathlib import Path

import pytest

from kg.authority import load
from kg.extract.event_types import TypeBook, read_event_types
from kg.extract.events import EventReader
from kg.extract.naming import Namer
from kg.extract.verbs import Conjugation
from kg.tables import TableError
from kg.text import Passage, Words

GOOD = '[[type]]\nclass = "Regret"\npatterns = ["@ندم"]\nroles = { agent = "subject" }\n\n'


@pytest.mark.parametrize(
    ("entry", "line", "told"),
    [
        ('[[type]]\nclass = "Sorrow"\npatterns = ["@ندم"]\n', 7, "no class of event_classes.tsv"),
        ('[[type]]\nclass = "Regret"\npatterns = ["@ندمم"]\n', 8, "is not in verbs.tsv"),
        ('[[type]]\nclass = "Regret"\npatterns = ["{agent} @ندم"]\n', 8, "must begin with a word or a verb"),
        ('[[type]]\nclass = "Regret"\npatterns = ["@ندم {agent"]\n', 8, "is no slot"),
        ('[[type]]\nclass = "Regret"\npatterns = ["@ندم"]\nroles = { agent = "somebody" }\n', 9, "use one of"),
        ('[[type]]\nclass = "Regret"\npatterns = ["@ندم"]\nneeds = ["agent"]\n', 6, "which no pattern and no role fills"),
        ('[[type]]\nclass = "Regret"\npattern = ["@ندم"]\n', 6, "lacks 'patterns'"),
        ('[[type]]\nclass = "Regret"\npatterns = ["@ندم"]\nrolls = {}\n', 9, "no field is called 'rolls'"),
    ],
)
def test_a_mistake_names_file_and_line(tmp_path: Path, entry: str, line: int, told: str) -> None:
    (tmp_path / "new.toml").write_text(GOOD + entry, encoding="utf-8")
    with pytest.raises(TableError, match=rf"new\.toml:{line}: ") as caught:
        read_event_types(tmp_path)
    assert told in str(caught.value)


def test_broken_toml_names_its_line(tmp_path: Path) -> None:
    (tmp_path / "new.toml").write_text(GOOD + '[[type]]\nclass = "Regret\n', encoding="utf-8")
    with pytest.raises(TableError, match=r"new\.toml:7: not TOML"):
        read_event_types(tmp_path)


def test_a_new_type_needs_no_code(tmp_path: Path) -> None:
    (tmp_path / "new.toml").write_text(GOOD, encoding="utf-8")
    book = TypeBook(read_event_types(tmp_path))
    assert [event_type.name for event_type, _ in book.by_verb["ندم"]] == ["Regret"]


def test_the_matcher_does_as_little_for_fifty_types_as_for_one() -> None:
    """What a word costs is one look-up, and the entries of its own verb: no pattern of another verb is tried."""
    book = TypeBook(read_event_types())
    assert len(book.types) >= 50
    assert {t.name for t, _ in book.by_verb["ندم"]} == {"Regret"}
    assert max(len(entries) for entries in book.by_verb.values()) <= 45


@pytest.mark.parametrize(
    "unit",
    [
        "قال ",
        "عبد الله بن ",
        "أبو بكر وعمر ",
        "إذا من لو ",
        '"قال" ',
        "شهد بدرا وأحدا ",
        "فسأله أن يغفر له ",
        "\u200f. ",
        "غزوة بني ",
    ],
)
def test_hostile_repetition_is_read_with_linear_work(unit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Twice the text takes about twice the steps (counted, not timed)."""
    authority = load()
    namer, reader = Namer(authority), EventReader(authority)

    def steps(times: int) -> int:
        import sys

        text = unit * times
        words, passage = Words(text), Passage("t:1", text)
        count = 0

        def trace(frame: object, event: str, argument: object) -> None:
            nonlocal count
            if event in ("call", "c_call"):
                count += 1

        names = namer.find(words, passage, (), ())
        sys.setprofile(trace)
        try:
            reader.read(words, passage, (), (), *names, ())
        finally:
            sys.setprofile(None)
        return count

    steps(10)
    small, large = steps(150), steps(600)
    assert large < 7 * small + 2000


@pytest.mark.parametrize(
    ("word", "verb", "who", "whom"),
    [
        ("فسألته", "سال", "3fs", "3ms"),
        ("خرجنا", "خرج", "1p", ""),
        ("يبايعونه", "بايع", "3mp", "3ms"),
        ("أتاه", "اتي", "3ms", "3ms"),
        ("دعوت", "دعا", "1s", ""),
        ("قمتم", "قام", "2mp", ""),
    ],
)
def test_conjugation(word: str, verb: str, who: str, whom: str) -> None:
    from kg.text import fold

    assert (verb, who, whom) in [(form.verb, form.who, form.whom) for form in Conjugation().read(fold(word))]


def test_an_empty_passage_has_no_events() -> None:
    authority = load()
    words, passage = Words(""), Passage("t:1", "")
    assert EventReader(authority).read(words, passage, (), (), *Namer(authority).find(words, passage, (), ()), ()) == ()
