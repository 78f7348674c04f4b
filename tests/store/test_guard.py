"""The tokens of queries: nothing is lost, nothing refused hides."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.store import guard
from kg.store.errors import LimitReached, QueryError, QueryRefused, QuerySyntaxError, UpdateRefused
from kg.store.guard import _TOKEN, inspect, tokens
from kg.store.limits import Limits

PIECES = st.sampled_from(
    [
        *(
            "SELECT",
            "*",
            "{",
            "}",
            "?s",
            "$t",
            "<urn:x>",
            "<",
            ">",
            "&&",
            "'a'",
            '"b"',
            "'''c'''",
            '"""d"""',
            "#",
            "\n",
            " ",
            "\\'",
            "\\",
            "@ar",
        ),
        *(
            "e:f",
            ":",
            "_:b",
            "1.5e3",
            "^^",
            "service:x",
            "?service",
            "'SERVICE'",
            "<urn:SERVICE>",
            "'",
            '"',
            "'''",
            '"""',
            "ع",
            "\\u0053",
            "(",
            ")",
        ),
    ]
)
QUERIES = st.lists(PIECES, max_size=30).map(" ".join)


@given(st.one_of(QUERIES, st.text(max_size=60)))
def test_tokens_cover_every_character(query: str) -> None:
    assert "".join(found.group() for found in _TOKEN.finditer(query)) == query


@given(before=QUERIES, after=QUERIES)
def test_a_word_outside_strings_is_seen(before: str, after: str) -> None:
    """A SERVICE between the end of one token and the start of the next is refused, whatever stands around it."""
    whole = f"{before}\n SERVICE <urn:x> {{ {after}"
    open_string = any(
        token.kind == "string" and token.start < len(before) + 1 < token.start + len(token.text) for token in tokens(whole)
    )
    if open_string:
        return
    with pytest.raises((QueryRefused, UpdateRefused, QuerySyntaxError)):
        inspect(whole, Limits())


@given(st.text(max_size=200))
def test_any_text_is_inspected_or_refused(query: str) -> None:
    try:
        inspect(query, Limits())
    except QueryError as error:
        assert error.title and error.detail


@pytest.mark.parametrize(
    ("query", "names_dataset", "repeatable"),
    [
        ("select * { ?s ?p ?o }", False, True),
        ("PREFIX from: <urn:x> ASK FROM <urn:g> {}", True, True),
        ("PREFIX from: <urn:x> ASK { ?from from:from 'FROM' } # FROM", False, True),
        ("DESCRIBE <urn:x> FROM NAMED <urn:g>", True, True),
        ("CONSTRUCT { ?s ?p ?o } WHERE { BIND(rand() AS ?o) }", False, False),
        ("SELECT (now() AS ?now) {}", False, False),
        ("", False, True),
    ],
)
def test_what_is_told(query: str, names_dataset: bool, repeatable: bool) -> None:
    seen = inspect(query, Limits())
    assert (seen.names_dataset, seen.repeatable) == (names_dataset, repeatable)


PLAIN = st.lists(
    st.sampled_from(
        [
            *("SELECT", " ", "{", "}", "(", ")", "<urn:a#b>", "'x'", "#", "\n", "<", "SERV", "ICE", "service", "LO", "AD"),
            *("FR", "OM", "!", "-", "\\", "u0053", "RAND()", "uuid", "WITH", '"', ":", "?a", "1", ".", "é"),
        ]
    ),
    max_size=30,
).map("".join)


@given(PLAIN)
def test_a_query_without_what_is_looked_for_is_told_the_same_unread(query: str) -> None:
    limits = Limits(nesting=5)
    if guard._is_plain(query, limits):
        read = guard.tokens(query)
        guard._measure_nesting(query, read, limits)
        words = guard._refuse(query, read)
        assert "FROM" not in words
        assert guard._CHANGING.isdisjoint(words)


@pytest.mark.parametrize(
    "query", ["LOAD <urn:x>", "prefix e: <urn:e> delete where { ?s ?p ?o }", "WITH <urn:g> DELETE {} WHERE {}", "CLEAR ALL"]
)
def test_updates(query: str) -> None:
    with pytest.raises(UpdateRefused) as refused:
        inspect(query, Limits())
    assert refused.value.position is not None


def test_nesting_is_allowed_up_to_the_limit() -> None:
    limits = Limits(nesting=10)
    inspect("ASK " + "{" * 10 + "}" * 10, limits)
    inspect("ASK { FILTER(" + "!" * 10 + "true) }", limits)
    for query in ("ASK " + "{" * 11 + "}" * 11, "ASK { FILTER(" + "!" * 11 + "true) }", "ASK { FILTER(1 = " + "- " * 11 + "1) }"):
        with pytest.raises(LimitReached) as reached:
            inspect(query, limits)
        assert reached.value.limit == "nesting"


@pytest.mark.parametrize(
    "query",
    [
        "ASK { ?s ?p ?o FILTER(?x<?y&&?z='a>b') SERVICE <urn:u> { ?s ?p ?o } FILTER('x'=?z) }",
        "ASK { ?s ?p ?o FILTER(?x<'a>b') SERVICE # comment\n <urn:u> { ?s ?p ?o } FILTER('x'=?z) }",
        "ASK { FILTER(?x<?y#> '''\n && EXISTS{ SERVICE SILENT ?e { ?s ?p ?o } } #'''\n) }",
        "PREFIX e: <urn:e:> ASK { FILTER(?x<e:f#> '''\n && EXISTS{ service e:g { ?s ?p ?o } } #'''\n) }",
        "ASK { FILTER(?x<<urn:a#b> || EXISTS{ SERVICE <urn:u> { ?s ?p ?o } }) }",
        "ASK { ?s ?p trueSERVICE<urn:u>{ ?s ?p ?o } }",
        "ASK { ?s ?p true.SERVICE<urn:u>{ ?s ?p ?o } }",
        "ASK { SERVICESILENT<urn:u>{ ?s ?p ?o } }",
        "PREFIX : <urn:u> ASK { SERVICE:x{ ?s ?p ?o } }",
        "PREFIX : <urn:u> ASK { GRAPH ?g { SERVICESILENT:x{ ?s ?p ?o } } }",
        "PREFIX e: <urn:u> ASK { servicee:x { ?s ?p ?o } }",
        "PREFIX e: <urn:u> ASK { ?s ?p e:.SERVICE<urn:u>{ ?s ?p ?o } }",
        "ASK { ?s ?p 1SERVICE<urn:u>{ ?s ?p ?o } }",
        "ASK { FILTER(?x<?y#> '''\n && EXISTS{ ?s ?p true.SERVICE<urn:u>{ ?s ?p ?o } } #'''\n) }",
        "ASK { FILTER(?x< <urn:a#b> || EXISTS{ SERVICE <urn:u> { ?s ?p ?o } }) }",
    ],
)
def test_nothing_hides_in_what_the_engine_reads_otherwise(query: str) -> None:
    """It takes <?a#> for less-than and a comment where it wants an operator, and asks for no spaces around keywords."""
    with pytest.raises(QueryRefused):
        inspect(query, Limits())


@pytest.mark.parametrize(
    "query",
    [
        "SELECT * { VALUES (?s ?p) { (<urn:a> <http://www.w3.org/2000/01/rdf-schema#label>) } ?s ?p ?o } # for all",
        "SELECT * { ?s <urn:p#q> 'SERVICE <urn:x> {' }",
        "PREFIX service: <urn:x:> ASK { GRAPH service:g { ?service service:p service:o } }",
        "ASK { <<( ?s <urn:p#q> ?o )>> ?p <http://dbpedia.org/resource/Ba'ath> }",
        "ASK { <<<urn:a#b> <urn:p> 1>> ?p 2 . FILTER(1 < 2 && <urn:a#b> != <urn:c#d>) }",
    ],
)
def test_iris_with_hashes_and_apostrophes_are_allowed(query: str) -> None:
    assert inspect(query, Limits()).repeatable


@pytest.mark.parametrize(
    "piece",
    [
        '"',
        "'",
        "<",
        "\\",
        "{",
        '"""',
        "\\'",
        "<'",
        "e:\\'",
        "@",
        "'\\\"",
        "#SERVICE ",
        "SERVICE#\n",
        "<<(",
        '"""\\',
        "SERVICE-",
        "a.",
    ],
)
def test_reading_takes_time_by_length_alone(piece: str) -> None:
    """The longest query of any piece is read at once: a tokenizer that went back and forth would not end here."""
    limits = Limits(nesting=10**9)
    query = f"ASK {{ FILTER(?x<?y#>) }} {piece * (limits.query_length // len(piece) // 2)}"
    try:
        inspect(query, limits)
    except QueryError as error:
        assert error.name in ("syntax", "refused")
