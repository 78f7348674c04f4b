"""What is written is what was read: sorted, the same in N-Quads and Turtle, the same every time."""

import hashlib
from dataclasses import replace
from pathlib import Path

import pytest
from pyoxigraph import RdfFormat, parse
from rdflib import Graph

from kg.build.reports import ReportGroup
from kg.graph import writer
from kg.graph.dump import Counts, Link, write_graph
from kg.graph.mapping import record_to_turtle
from kg.graph.terms import name
from kg.graph.vocabulary import Vocabulary
from kg.graph.writer import GraphError, GraphWriter
from kg.identify.bundle import Strand
from kg.identify.common_links import CommonLinks, Contradiction, Dive
from kg.identify.common_links import Link as CommonLink
from kg.identify.parallels import Member

SLS = "https://w3id.org/silsila/ontology#"


def _digest(folder: Path) -> dict[str, str]:
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted((folder / "dumps").iterdir())}


def _paths(folder: Path, counts: Counts) -> list[Path]:
    return [folder / "built" / "dumps" / file for file in counts.files]


def test_lines_are_sorted_and_turtle_says_the_same(written, seed, tmp_path) -> None:
    counts, _ = written([seed.record(f"bukhari:{number}") for number in (9, 10, 100, 3661)])
    paths = _paths(tmp_path, counts)
    for path in paths:
        lines = path.read_bytes().splitlines()
        assert lines == sorted(set(lines))
        triples = {quad.triple for quad in parse(path=str(path), format=RdfFormat.N_QUADS)}
        turtle = {quad.triple for quad in parse(path=str(path.with_suffix(".ttl")), format=RdfFormat.TURTLE)}
        assert triples == turtle
        assert len(triples) == len(lines)
    assert counts.quads == sum(len(path.read_bytes().splitlines()) for path in paths)


def test_equal_input_gives_equal_bytes_whatever_is_spilled(tmp_path, seed, monkeypatch) -> None:
    records = [seed.record(f"bukhari:{number}") for number in range(1, 40)]
    options = {"base": seed.BASE, "sources": [seed.BUKHARI], "authority": seed.authority()}
    write_graph(tmp_path / "one", records=records, **options)
    monkeypatch.setattr(writer.GraphWriter.__init__, "__defaults__", (4_000,))
    write_graph(tmp_path / "two", records=iter(records), **options)
    assert _digest(tmp_path / "one") == _digest(tmp_path / "two")
    assert sorted(path.suffix for path in (tmp_path / "two/dumps").iterdir()).count(".nq") == 7


def test_chain_stands_in_order_without_blank_nodes(written, seed) -> None:
    _, store = written([seed.record()])
    rows = store.query(
        f"""PREFIX sls: <{SLS}>
        SELECT ?surface ?term {{ GRAPH ?g {{ ?isnad a sls:Isnad ; ?place ?mention . ?mention sls:surface ?surface ; sls:termSurface ?term
        BIND(<http://www.w3.org/2001/XMLSchema#integer>(STRAFTER(STR(?place), "#_")) AS ?n) FILTER(BOUND(?n)) }} }} ORDER BY ?n"""
    )
    assert [(row["surface"].value, row["term"].value) for row in rows] == [
        (mention.surface, mention.term.text) for mention in seed.mentions()
    ]
    assert "_:" not in "".join(str(quad.subject) + str(quad.object) for quad in store)


def test_no_statement_stands_in_two_graphs(written, seed) -> None:
    _, store = written(
        [seed.record()], links=[Link("person/abu-bakr", "skos:exactMatch", "http://www.wikidata.org/entity/Q89044")]
    )
    quads = list(store)
    assert len({quad.triple for quad in quads}) == len(quads)


def test_a_text_that_may_not_go_out_is_quoted_only(written, seed, tmp_path) -> None:
    closed = replace(seed.BUKHARI, republishable=False)
    counts, _ = written([seed.record()], sources=[closed])
    everything = b"".join(path.read_bytes() + path.with_suffix(".ttl").read_bytes() for path in _paths(tmp_path, counts)).decode()
    assert seed.TEXT not in everything and "بِطَرَفِ ثَوْبِهِ" not in everything
    assert "#quotation>" in everything
    assert "While I was sitting" not in everything and "#translationAvailable>" in everything


def test_a_translation_goes_out_only_where_the_source_says_so(written, seed, tmp_path) -> None:
    counts, _ = written([seed.record()], sources=[replace(seed.BUKHARI, translation_republishable=True)])
    assert "While I was sitting" in _paths(tmp_path, counts)[2].read_text(encoding="utf-8")


def test_one_passage_from_two_sources_counts_once(written, seed) -> None:
    sample = seed.TextSource("sample-bukhari", "bukhari")
    counts, _ = written(
        [seed.record(source="sample-bukhari"), seed.record(), seed.record("bukhari:1")], sources=[sample, seed.BUKHARI]
    )
    assert (counts.passages, counts.repeated) == (2, 1)
    assert counts.rows == {"sample-bukhari": 1, "bukhari": 1}


def test_wrong_order_and_repeated_ids_are_told(written, seed) -> None:
    with pytest.raises(GraphError, match="not among the sources"):
        written([seed.record(source="muslim")])
    other = seed.TextSource("other", "other")
    records = [seed.record(), seed.record("other:1", "other"), seed.record("bukhari:2")]
    with pytest.raises(GraphError, match="source by source"):
        written(records, sources=[seed.BUKHARI, other])
    with pytest.raises(GraphError, match="described twice"):
        written([seed.record(), seed.record()])


def test_a_statement_said_twice_counts_once(tmp_path) -> None:
    words = Vocabulary("https://x.example/")
    with GraphWriter(tmp_path, "g", words.term("graph/g"), words.base) as graph:
        pair = (name("sls:last"), words.term("mention/a/1/0-1"))
        graph.add(words.term("isnad/a/1/1"), [pair, pair])
        path, turtle = graph.finish()
    assert graph.quads == 1 and len(path.read_text().splitlines()) == 1
    assert len(Graph().parse(turtle)) == 1


def test_strange_letters_come_back_as_they_were(written, seed, tmp_path) -> None:
    strange = 'قال "نا"\\ \t\r\n\x00\x1f\u200f\ufffd\U0001f54c'
    record = seed.record(narrators=(), isnads=(), events=(), persons=())
    counts, store = written([replace(record, passage=replace(record.passage, text=strange))])
    texts = [quad.object.value for quad in store if quad.predicate.value == SLS + "text"]
    assert texts == [strange]
    turtle = [
        q.object.value
        for q in parse(path=str(_paths(tmp_path, counts)[2].with_suffix(".ttl")), format=RdfFormat.TURTLE)
        if q.predicate.value == SLS + "text"
    ]
    assert turtle == [strange]


def test_counts_of_who_narrated_from_whom(written, seed) -> None:
    _, store = written([seed.record("bukhari:1"), seed.record("bukhari:2")])
    pairs = store.query(
        f"""PREFIX sls: <{SLS}> SELECT ?t ?s ?n {{ GRAPH ?g {{ ?x a sls:Transmission ; sls:teacher ?t ; sls:student ?s ; sls:count ?n }} }}"""
    )
    found = {(row["t"].value.rpartition("/")[2], row["s"].value.rpartition("/")[2]): int(row["n"].value) for row in pairs}
    assert found["abu-al-darda", "abu-idris-al-khawlani"] == 2
    assert found["hisham-b-ammar", "al-bukhari"] == 2  # the author receives from the first of the chain
    assert len(found) == 6


def test_record_as_turtle_is_readable_and_whole(seed) -> None:
    place, time = seed.place_and_time()
    record = seed.record(quran=(seed.citation("96:1-3"),), places=(place,), times=(time,))
    turtle = record_to_turtle(record, seed.BASE, seed.authority())
    graph = Graph().parse(data=turtle, format="turtle")
    assert len(graph) > 150
    assert "<mention/bukhari/3661/11-32> a sls:NarratorMention ;" in turtle
    header, _, body = turtle.partition("\n\n")
    declared = [line.split()[1] for line in header.splitlines()[1:]]
    assert declared and all(prefix in body for prefix in declared)
    assert "<person/hisham-b-ammar> a sls:Person" in turtle


def test_two_readings_of_one_name_are_one_mention(written, seed) -> None:
    first, *others = seed.mentions()
    again = replace(first, received_from=(), person="person/abu-bakr", candidates=())
    _, store = written([seed.record(narrators=(first, *others, again))])
    persons = store.query(
        f"SELECT ?p {{ GRAPH ?g {{ <{seed.BASE}mention/bukhari/3661/11-32> <{SLS}refersTo> ?p }} }}",
    )
    assert [row["p"].value for row in persons] == [seed.BASE + "person/hisham-b-ammar"]


def test_a_retired_id_leads_to_the_one_in_its_place(written, seed) -> None:
    class Identified:
        clusters: dict = {}  # noqa: RUF012
        retired = {"person/c-one": "person/c-two", "person/c-two": "person/abu-bakr", "person/c-gone": None}  # noqa: RUF012

        def claims(self, passage_id):
            return {}

    _, store = written([seed.record()], identification=Identified())
    rows = store.query(
        f"""PREFIX dcterms: <http://purl.org/dc/terms/> PREFIX owl: <http://www.w3.org/2002/07/owl#>
        SELECT ?x ?y {{ GRAPH <{seed.BASE}graph/identity> {{ ?x owl:deprecated "true" OPTIONAL {{ ?x dcterms:isReplacedBy ?y }} }} }} ORDER BY ?x"""
    )
    found = [(row["x"].value.removeprefix(seed.BASE), row["y"] and row["y"].value.removeprefix(seed.BASE)) for row in rows]
    assert found == [("person/c-gone", None), ("person/c-one", "person/abu-bakr"), ("person/c-two", "person/abu-bakr")]


def test_common_links_have_their_numbers_and_tellings_their_relation(written, seed) -> None:
    zayd, darda, one, two = "person/zayd-b-waqid", "person/abu-al-darda", "hadith/bukhari/1", "hadith/bukhari/2"
    links = CommonLinks(
        common=(CommonLink(zayd, darda, 3, 1, 2, 2),),
        partial=(CommonLink("name/busr", darda, 2, 1, 2, 2),),
        dives=(Dive(Strand(two, "bukhari", (darda,)), zayd, darda),),
        contradictions=(Contradiction("left-out", zayd, darda, "mention/bukhari/2/3-9", (one,), (two,)),),
    )
    tellings = (Member(one), Member(two, "same-report", "shahid", one, 0.5))
    group = ReportGroup("parallel/1", (one, two), "same-report", "shahid", tellings, links)
    _, store = written([seed.record("bukhari:1"), seed.record("bukhari:2")], parallels=[group])

    def asked(pattern: str, *names: str) -> list[tuple[str | None, ...]]:
        rows = store.query(f"PREFIX sls: <{SLS}> SELECT * {{ GRAPH ?g {{ <{seed.BASE}parallel/1> {pattern} }} }}")
        return [tuple(row[n] and row[n].value.removeprefix(seed.BASE) for n in names) for row in rows]

    found = asked(
        "sls:commonLink ?p ; sls:linkFinding ?f . ?f sls:ofPerson ?p ; sls:studentCount ?s ; sls:passageCount ?n", *"psn"
    )
    assert found == [(zayd, "3", "2")]
    told = asked(
        "sls:telling ?t . ?t sls:ofPassage ?p ; sls:comparedWith ?c ; sls:grade ?d ; sls:relation ?r ; sls:similarity ?s",
        *"pcdrs",
    )
    assert told == [(two, one, "same-report", "shahid", "0.5")]
    assert len(asked("sls:telling ?t", "t")) == 2
    parted = asked("sls:diveCount ?n ; sls:chainFinding ?f . ?f sls:findingKind ?k ; sls:ofPerson ?p ; sls:meets ?m", *"nkpm")
    assert parted == [("1", "dive", zayd, darda)], "a narrator whom nobody identified has no address"
