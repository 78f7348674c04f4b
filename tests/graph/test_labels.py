"""What passages are called."""

from dataclasses import replace
from pathlib import Path

import pytest

from kg.authority import load
from kg.graph.authorities import authority_things
from kg.graph.passages import passage_statements
from kg.graph.vocabulary import Vocabulary
from kg.sources import open_source
from kg.text import Passage

WORDS = Vocabulary("https://w3id.org/silsila/")


def english(passage: Passage, source: object) -> str:
    statements = passage_statements(WORDS, passage, 1, source, ("عنوان", "Title"), set())
    return next(o.nt for p, o in statements if "label" in p.nt and "@en" in o.nt)


@pytest.mark.parametrize(
    ("name", "identifier", "label"),
    [
        ("sample-nawawi", "nawawi:abu-bakr", "Title"),
        ("sample-bukhari", "bukhari:3661", "Title 3661"),
        ("sample-nawawi", "nawawi:another", "Title another"),
    ],
)
def test_a_source_of_one_passage_is_called_by_its_title(name: str, identifier: str, label: str) -> None:
    source = open_source(name)
    passage = replace(next(iter(source.passages())), id=identifier)
    assert english(passage, source) == f'"{label}"@en'


def test_an_event_is_called_by_its_names_and_found_by_phrases() -> None:
    facts: dict[str, list[str]] = {}
    for key, statements in authority_things(WORDS, load()):
        if "quarrel-of-abu-bakr-and-umar" in str(key):
            for predicate, term in statements:
                facts.setdefault(predicate.nt.rpartition("#")[2].rstrip(">"), []).append(term.nt)
    assert '"كان بين أبي بكر وعمر شيء"@ar' in facts["hiddenLabel"]
    assert '"محاورة أبي بكر وعمر"@ar' in facts["altLabel"]
    assert all(name.endswith("@en") == name.partition("@")[0].isascii() for name in facts["altLabel"])
    assert not set(facts["hiddenLabel"]) & set(facts["altLabel"])


def test_a_text_without_an_arabic_title_is_called_by_its_file(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("عن أنس قال\n\nعن مالك قال\n", encoding="utf-8")
    source = open_source(str(path))
    passage = list(source.passages())[1]
    statements = passage_statements(WORDS, passage, 2, source, (source.title_ar, source.title_en), set())
    said = {(p.nt.rpartition("#")[2].rstrip(">"), o.nt) for p, o in statements}
    assert {("label", '"notes.txt، الفقرة 2"@ar'), ("label", '"notes.txt 2"@en')} <= said
    assert not any(p == "otherNumber" for p, _ in said)
    assert any(p == "paragraph" for p, _ in said)
