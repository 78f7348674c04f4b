"""Every stored query on known answers."""

import re
from pathlib import Path

import pytest
from pyoxigraph import RdfFormat, Store
from rdflib.plugins.sparql import prepareQuery

from kg.graph.queries import QueryError, read_query, stored_queries

BASE = "https://silsila.example/"
CHAIN = ["hisham-b-ammar", "sadaqa-b-khalid", "zayd-b-waqid", "busr-b-ubayd-allah", "abu-idris-al-khawlani", "abu-al-darda"]


def test_chain_of_a_hadith(answer) -> None:
    rows = answer("chain-of-a-hadith")
    assert [row[4] for row in rows] == [f"person/{slug}" for slug in CHAIN]
    assert [row[1] for row in rows] == list("123456")
    assert rows[0][2] == "حَدَّثَنِي" and rows[0][5] == "هشام بن عمار"
    undecided = answer("chain-of-a-hadith", passage="hadith/muslim/7")
    assert [(row[3], row[4]) for row in undecided] == [("سفيان", None), ("عائشة", "person/aisha")]


def test_chains_through_a_narrator(answer) -> None:
    rows = answer("chains-through-a-narrator")
    assert [(row[0], row[2], row[3]) for row in rows] == [
        ("hadith/bazzar/quarrel", "3", "5"),
        ("hadith/bukhari/3661", "4", "6"),
        ("hadith/bukhari/3662", "4", "6"),
    ]
    assert len(answer("chains-through-a-narrator", person="person/aisha")) == 1


def test_common_links(answer) -> None:
    assert answer("common-links") == [("parallel/1", "2", "person/sadaqa-b-khalid", "صَدَقَةُ بْنُ خَالِدٍ")]


def test_the_numbers_behind_common_links(answer) -> None:
    (row,) = answer("numbers-behind-common-links")
    assert (row[1], row[2], row[4:8]) == ("common", "person/sadaqa-b-khalid", ("2", "0", "2", "yes"))


def test_the_tellings_of_a_report(answer) -> None:
    rows = answer("tellings-of-a-report")
    assert [(row[1], *row[3:]) for row in rows] == [
        ("hadith/bazzar/quarrel", None, None, None, None),
        ("hadith/bukhari/3661", "same-report", "mutabaa", "0.7", "hadith/bazzar/quarrel"),
    ]


def test_where_chains_part(answer) -> None:
    (row,) = answer("where-chains-part")
    assert (row[1], row[2], *row[4:]) == (
        "left-out",
        "person/sadaqa-b-khalid",
        "person/abu-al-darda",
        "person/zayd-b-waqid",
        "hadith/bazzar/quarrel",
    )


def test_who_transmits_from_whom(answer) -> None:
    rows = answer("who-transmits-from-whom")
    assert (rows[0][0], rows[0][2], rows[0][4]) == ("person/sadaqa-b-khalid", "person/zayd-b-waqid", "3")
    assert rows[0][5:] == ("2", "1", "2", "2"), "the two tellings of the quarrel are one report; Sadaqa is nearest al-Bazzar"
    counts = {(row[0][7:], row[2][7:]): row[4] for row in rows}
    assert counts["abu-idris-al-khawlani", "abu-al-darda"] == "2"
    assert counts["al-bukhari", "hisham-b-ammar"] == "2"
    assert ("busr-b-ubayd-allah", "abu-al-darda") not in counts  # an unnamed man stands between them


def test_teachers_and_students(answer) -> None:
    rows = answer("teachers-and-students")
    assert [(row[0], row[1], *row[3:]) for row in rows] == [
        ("teacher", "person/busr-b-ubayd-allah", "3", "2"),
        ("student", "person/sadaqa-b-khalid", "3", "2"),
    ]


def test_passages_on_an_event(answer) -> None:
    rows = answer("passages-on-an-event")
    assert [(row[0], row[2]) for row in rows] == [
        ("hadith/bukhari/3661", "tells"),
        ("hadith/bukhari/3662", "tells"),
        ("hadith/bazzar/quarrel", "mentions"),
    ]


def test_who_does_what_in_an_event(answer) -> None:
    rows = answer("who-does-what-in-an-event")
    assert (rows[0][0], rows[0][2], rows[0][3], rows[0][4]) == ("hadith/bazzar/quarrel", "witness", None, "رجل")
    assert {(row[2], row[3]) for row in rows[1:3]} == {("participant", "person/abu-bakr"), ("witness", "person/abu-al-darda")}
    assert len(rows) == 5


def test_verses_cited_by_book(answer) -> None:
    assert answer("verses-cited-by-book") == [
        ("book/sahih-al-bukhari/62", "Companions of the Prophet", "verse/9/40", "9:40", "1")
    ]
    assert answer("verses-cited-by-book", work="work/sahih-muslim") == []


def test_passages_citing_a_verse(answer) -> None:
    assert [row[0] for row in answer("passages-citing-a-verse")] == ["hadith/bukhari/3661", "hadith/muslim/7"]
    assert answer("passages-citing-a-verse", verse="verse/9/41") == []


def test_battles_of_a_companion(answer) -> None:
    assert answer("battles-of-a-companion") == [("event/battle-of-badr", "Battle of Badr", "2", "passage/nawawi/1")]
    assert answer("battles-of-a-companion", person="person/aisha") == []


def test_died_between(answer) -> None:
    assert [(row[0], row[2], row[4]) for row in answer("died-between")] == [
        ("person/hisham-b-ammar", "245", "2"),
        ("person/al-bukhari", "256", "0"),
    ]
    assert [row[0] for row in answer("died-between", **{"from": 13, "to": 58})] == ["person/abu-bakr", "person/aisha"]


def test_women_who_transmit(answer) -> None:
    assert answer("women-who-transmit") == [("person/aisha", "عائشة", "1", "0")]


def test_anonymous_narrators(answer) -> None:
    assert [(row[0], row[1]) for row in answer("anonymous-narrators")] == [("hadith/bazzar/quarrel", "رجل")]


def test_undecided_mentions(answer) -> None:
    rows = answer("undecided-mentions")
    assert [(row[0], row[2], row[3], row[4]) for row in rows] == [
        ("hadith/muslim/7", "سفيان", "person/sufyan-al-thawri", "0.5"),
        ("hadith/muslim/7", "سفيان", "person/sufyan-b-uyayna", "0.45"),
    ]


def test_evidence_for_an_identity(answer) -> None:
    rows = answer("evidence-for-an-identity")
    assert len(rows) == 7
    assert rows[1][1:] == ("person/sadaqa-b-khalid", "1", "reviewed", "editor", "his pupil is Hisham b. Ammar")
    assert rows[2][1:4] == ("person/abu-bakr", "0.01", "rejected")


def test_most_frequent_narrators(answer) -> None:
    rows = answer("most-frequent-narrators")
    assert [row[0] for row in rows[:3]] == ["person/abu-al-darda", "person/busr-b-ubayd-allah", "person/sadaqa-b-khalid"]
    assert rows[0][2:] == ("3", "0", "1")


def test_terms_of_transmission(answer) -> None:
    rows = answer("terms-of-transmission")
    counts = {(row[0], row[1]): row[4] for row in rows}
    assert counts["version/bukhari", "term/an"] == "2"
    assert counts["version/bazzar", "term/haddathana-abbreviated"] == "1"


def test_ends_of_chains(answer) -> None:
    assert [(row[0], row[2]) for row in answer("ends-of-chains")] == [("person/abu-al-darda", "3"), ("person/aisha", "1")]


def test_raised_or_stopped(answer) -> None:
    assert answer("raised-or-stopped") == [
        ("version/bazzar", "companion", "1"),
        ("version/bukhari", "prophet", "2"),
        ("version/muslim", "prophet", "1"),
    ]


def test_links_to_look_at(answer) -> None:
    """In sound chains none; an author may hear from anybody the text names."""
    assert answer("links-to-look-at") == []
    persons = {"early": (32, 1), "late": (245, 10), "middle": (110, 3), "author": (256, 11)}
    lines = ['<person/author> rdfs:label "author"@ar . <work/one> sls:author <person/author> .']
    for name, (year, generation) in persons.items():
        years = f"sls:deathYearAHEarliest {year} ; sls:deathYearAHLatest {year} ; sls:tabaqa {generation}"
        lines.append(f'<person/{name}> rdfs:label "{name}"@ar ; {years} .')
    pairs = (("late", "early"), ("early", "middle"), ("middle", "early"), ("author", "early"))
    lines += [f"<person/{student}> sls:narratedFrom <person/{teacher}> ." for student, teacher in pairs]
    store = Store()
    head = f"BASE <{BASE}> PREFIX sls: <https://w3id.org/silsila/ontology#> PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>"
    store.load(f"{head}\n{' '.join(lines)}".encode(), format=RdfFormat.TURTLE)
    rows = store.query(stored_queries()["links-to-look-at"].sparql(BASE))
    assert [
        (row["student"].value[len(BASE) :], row["teacher"].value[len(BASE) :], row["kind"].value, row["by"].value) for row in rows
    ] == [
        ("person/late", "person/early", "generations passed over", "9"),
        ("person/late", "person/early", "years after the teacher", "213"),
        ("person/early", "person/middle", "years before the teacher", "78"),
    ]


def test_three_in_a_row(answer) -> None:
    assert answer("three-in-a-row") == [("person/sadaqa-b-khalid", "person/zayd-b-waqid", "person/busr-b-ubayd-allah", "3")]


def test_in_both_collections(answer) -> None:
    rows = answer("in-both-collections", second="version/bazzar")
    assert [(row[0][7:], row[2], row[3]) for row in rows] == [
        (slug, "2", "1") for slug in ("abu-al-darda", "busr-b-ubayd-allah", "sadaqa-b-khalid", "zayd-b-waqid")
    ]
    assert answer("in-both-collections") == []


def test_passages_naming_a_person(answer) -> None:
    assert [row[0] for row in answer("passages-naming-a-person")] == [
        "hadith/bukhari/3661",
        "hadith/bukhari/3662",
        "passage/nawawi/1",
    ]


def test_events_at_a_place(answer) -> None:
    rows = answer("events-at-a-place")
    assert [(row[0], row[2]) for row in rows] == [
        ("event/quarrel-of-abu-bakr-and-umar", None),
        ("event/quarrel-of-abu-bakr-and-umar", "hadith/bazzar/quarrel"),
    ]


def test_linked_elsewhere(answer) -> None:
    assert answer("linked-elsewhere") == [("person/abu-bakr", "Abu Bakr", "http://www.wikidata.org/entity/Q89044")]


def test_sources_and_licences(answer) -> None:
    rows = {row[0]: row[1:] for row in answer("sources-and-licences")}
    assert rows["version/bukhari"] == ("Sahih al-Bukhari", "2", "2", "12", "0", "https://unlicense.org/", "yes")
    assert rows["version/bazzar"] == ("al-Bazzar", "1", "1", "5", "0", "public domain", "yes")
    assert rows["version/nawawi"][-1] == "no" and rows["version/muslim"][4] == "1"


def test_words_are_found_by_the_service_alone(answer) -> None:
    """The statement stands in no graph: tests/web/pages asks the service, which answers it from its index."""
    assert answer("words-in-passages") == []


def test_every_query_is_tested_and_portable() -> None:
    """No query is without a test above, and rdflib's parser reads each (no engine's own dialect)."""
    queries = stored_queries()
    assert len(queries) >= 15
    assert set(queries) == set(re.findall(r'answer\("([a-z-]+)"', Path(__file__).read_text(encoding="utf-8")))
    for query in queries.values():
        prepareQuery(query.sparql(BASE))
        assert query.title_ar != query.title and query.comment_ar != query.comment


@pytest.mark.parametrize("value", ["x", "https://elsewhere.example/person/x", ""])
def test_a_parameter_takes_no_more_than_a_key(value: str) -> None:
    with pytest.raises(QueryError, match="key or an IRI"):
        stored_queries()["teachers-and-students"].sparql(BASE, person=value)


def test_what_is_put_into_a_query_stays_one_iri() -> None:
    query = stored_queries()["teachers-and-students"].sparql(BASE, person="person/x> } DROP ALL #")
    assert "VALUES ?person { <person/x%3E%20%7D%20DROP%20ALL%20> }" in query
    prepareQuery(query)


def test_wrong_parameters_are_told() -> None:
    with pytest.raises(QueryError, match="it has person"):
        stored_queries()["teachers-and-students"].sparql(BASE, place="place/medina")
    with pytest.raises(QueryError, match="whole number"):
        stored_queries()["died-between"].sparql(BASE, to="1 } DROP")


def test_a_query_without_words_is_refused(tmp_path) -> None:
    path = tmp_path / "bare.rq"
    path.write_text("# title: x\nASK {}\n", encoding="utf-8")
    with pytest.raises(QueryError, match="title@ar"):
        read_query(path)
