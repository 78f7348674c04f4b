"""What passages are called."""

from dataclasses import replace

import pytest

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
