"""``sls:matches`` in a query: every place it may stand in, and what is told where it is used wrongly."""

import pytest

from kg.store.errors import QuerySyntaxError
from kg.web.matches import expand

PREFIX = "PREFIX sls: <https://w3id.org/silsila/ontology#> "


def find(words: str, most: int) -> list[str]:
    return ["urn:" + word for word in words.split()][:most]


@pytest.mark.parametrize(
    ("asked", "run"),
    [
        ('SELECT * { ?x sls:matches "a b" . ?x a ?t }', "SELECT * { VALUES ?x { <urn:a> <urn:b> } ?x a ?t }"),
        ('SELECT * { ?x sls:matches "a" ; a ?t }', "SELECT * { VALUES ?x { <urn:a> } ?x a ?t }"),
        ('SELECT * { ?x a ?t ; sls:matches "بدر"@ar ; ?p ?o . }', "SELECT * { VALUES ?x { <urn:بدر> } ?x a ?t ; ?p ?o . }"),
        ("ASK{?x sls:matches 'a'}", "ASK{ VALUES ?x { <urn:a> }}"),
        (
            'SELECT * { ?p ?q ?x OPTIONAL { ?x sls:matches "a" } }',
            "SELECT * { ?p ?q ?x OPTIONAL { VALUES ?x { <urn:a> } } }",
        ),
        (
            'SELECT * { ?x sls:matches "a" . ?y sls:matches "b" }',
            "SELECT * { VALUES ?y { <urn:b> } VALUES ?x { <urn:a> } }",
        ),
        ('SELECT * { GRAPH ?g { ?x <https://w3id.org/silsila/ontology#matches> "a" } }', "SELECT * { GRAPH ?g { VALUES ?x { <urn:a> } } }"),
        ("SELECT * { ?x ?p 'sls:matches' } # sls:matches", "SELECT * { ?x ?p 'sls:matches' } # sls:matches"),
        ('SELECT * { ?x sls:matches "" }', "SELECT * { VALUES ?x { } }"),
    ],
)  # fmt: skip
def test_what_is_found_stands_in_its_group(asked: str, run: str) -> None:
    assert expand(PREFIX + asked, find).split() == (PREFIX + run).split() or (
        "".join(expand(PREFIX + asked, find).split()) == "".join((PREFIX + run).split())
    )


@pytest.mark.parametrize(
    "asked",
    [
        'ASK { <urn:x> sls:matches "a" }',
        "ASK { ?x sls:matches ?words }",
        'ASK { ?x sls:matches "a", "b" }',
        'ASK { [] sls:matches "a" }',
        'ASK { ?y ?p [ sls:matches "a" ] }',
        'ASK { ?x sls:matches "a"^^<urn:t> }',
        "ASK { ?x sls:matches",
    ],
)
def test_a_search_that_is_none_is_told_with_its_place(asked: str) -> None:
    with pytest.raises(QuerySyntaxError) as told:
        expand(PREFIX + asked, find)
    assert told.value.position is not None and told.value.position.line == 1
    assert 'sls:matches "words"' in told.value.remedy


def test_a_prefix_of_another_namespace_means_another_thing() -> None:
    query = 'PREFIX o: <http://example.org/> SELECT * { ?x o:matches "a" }'
    assert expand(query, find) == query
