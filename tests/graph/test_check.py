"""A sound graph passes; each kind of fault is found, and named with the thing that has it."""

from dataclasses import replace

import pytest
from pyoxigraph import Literal, NamedNode, Quad, RdfFormat, Store
from rdflib import OWL, RDFS, Graph, URIRef
from rdflib import Literal as Words

from kg.extract.record import NarratorMention
from kg.graph.check import Finding, check_folder, check_lines, check_shapes, check_store, integrity_checks
from kg.graph.dump import write_graph
from kg.graph.ontology import ontology_graph, ontology_turtle
from kg.graph.packing import pack
from kg.graph.terms import PREFIXES
from kg.resources import ontology_folder

SLS = "https://w3id.org/silsila/ontology#"
BASE = "https://silsila.example/"
MENTION = BASE + "mention/bukhari/3661/11-32"
HADITH = BASE + "hadith/bukhari/3661"
CLAIM = BASE + "claim/bukhari/3661/11-32/hisham-b-ammar"
_INTEGER = NamedNode(PREFIXES["xsd"] + "integer")


def _term(value: object):
    if isinstance(value, int):
        return Literal(str(value), datatype=_INTEGER)
    assert isinstance(value, str)
    if value.startswith("sls:"):
        return NamedNode(SLS + value[4:])
    return NamedNode(value) if value.startswith("http") else Literal(value)


@pytest.fixture
def sound(written, seed) -> Store:
    """The graph of one passage with everything in it."""
    place, time = seed.place_and_time()
    record = seed.record(places=(place,), times=(time,))
    return written([record])[1]


def test_a_sound_graph_has_nothing_to_be_found(sound, tmp_path) -> None:
    assert list(check_store(sound)) == []
    assert list(check_shapes(sound)) == []
    assert list(check_lines(tmp_path / "built" / "dumps", BASE)) == []


# Each fault: what is taken away (subject, property), what is put there, and words of the finding.
_FAULTS = [
    (MENTION, "receivedFrom", BASE + "mention/bukhari/3661/79-98", "does not receive from the next"),
    (BASE + "person/al-bukhari", "deathYearAHLatest", 200, "earliest year of death"),
    (BASE + "person/al-bukhari", "deathYearAH", 2560, "year that cannot be"),
    (BASE + "event/quarrel-of-abu-bakr-and-umar", "dateAHLatest", -3, "earliest year of an event"),
    (BASE + "version/bukhari", "passageCount", 3, "counts other passages"),
    (MENTION, "transmissionTerm", BASE + "person/abu-bakr", "sls:transmissionTerm leads to"),
    (HADITH, "inBook", BASE + "work/sahih-al-bukhari", "sls:inBook leads to"),
]


@pytest.mark.parametrize(("subject", "prop", "value", "words"), _FAULTS, ids=[fault[3] for fault in _FAULTS])
def test_a_wrong_value_is_found(sound, subject: str, prop: str, value: object, words: str) -> None:
    quads = list(sound.quads_for_pattern(NamedNode(subject), NamedNode(SLS + prop), None, None))
    assert quads
    for quad in quads:
        sound.remove(quad)
    sound.add(Quad(quads[0].subject, quads[0].predicate, _term(value), quads[0].graph_name))
    found = [finding for finding in check_store(sound) if words in finding.check]
    assert found and all(finding.severity == "violation" for finding in found)
    assert subject in {finding.thing for finding in found} or "isnad" in found[0].thing


_ADDITIONS = [
    (MENTION, "refersTo", BASE + "person/abu-bakr", "two persons"),
    (MENTION, "refersTo", BASE + "person/al-bukhari", "no claim names"),
    (CLAIM, "status", "sls:rejected", "an editor rejected"),
    (BASE + "mention/bukhari/3661/45-66", "receivedFrom", MENTION, "receive from each other"),
    (BASE + "event/quarrel-of-abu-bakr-and-umar", "partOf", BASE + "event/quarrel-of-abu-bakr-and-umar", "part of itself"),
]


@pytest.mark.parametrize(("subject", "prop", "value", "words"), _ADDITIONS, ids=[fault[3] for fault in _ADDITIONS])
def test_a_statement_too_many_is_found(sound, subject: str, prop: str, value: str, words: str) -> None:
    sound.add(Quad(NamedNode(subject), NamedNode(SLS + prop), _term(value), NamedNode(BASE + "graph/authority")))
    assert words in " ".join(finding.check for finding in check_store(sound))


_HISHAM, _ABU_AL_DARDA = BASE + "person/hisham-b-ammar", BASE + "person/abu-al-darda"


@pytest.mark.parametrize(
    ("student", "teacher", "words"),
    [
        (_HISHAM, _ABU_AL_DARDA, "more than a hundred years after"),
        (_ABU_AL_DARDA, _HISHAM, "more than sixty years before"),
        (_HISHAM, _ABU_AL_DARDA, "more than four generations before"),
    ],
)
def test_hardly_possible_links_are_told(sound, student: str, teacher: str, words: str) -> None:
    graph, number = NamedNode(BASE + "graph/statistics"), NamedNode(PREFIXES["xsd"] + "integer")
    assert not any(words in finding.check for finding in check_store(sound))
    for person, year, generation in ((_HISHAM, "245", "10"), (_ABU_AL_DARDA, "32", "1")):
        for prop, value in (("deathYearAHEarliest", year), ("deathYearAHLatest", year), ("tabaqa", generation)):
            sound.add(Quad(NamedNode(person), NamedNode(SLS + prop), Literal(value, datatype=number), graph))
    sound.add(Quad(NamedNode(student), NamedNode(SLS + "narratedFrom"), NamedNode(teacher), graph))
    (finding,) = [finding for finding in check_store(sound) if words in finding.check]
    assert (finding.severity, finding.thing, finding.detail) == ("warning", student, teacher)


def test_a_missing_label_and_an_identified_nobody_are_found(sound) -> None:
    graph, kind = NamedNode(BASE + "graph/authority"), NamedNode(PREFIXES["rdf"] + "type")
    sound.add(Quad(NamedNode(BASE + "person/nobody"), kind, NamedNode(SLS + "Person"), graph))
    sound.add(Quad(NamedNode(MENTION), kind, NamedNode(SLS + "AnonymousMention"), graph))
    checks = {finding.check for finding in check_store(sound)}
    assert "a thing with a page has no label" in checks
    assert "a mention that names nobody refers to a person" in checks
    shapes = {finding.check for finding in check_shapes(sound)}
    assert any("needs a label" in check for check in shapes) and any("nobody can be meant" in check for check in shapes)


_LINES: list[tuple[str, str]] = [
    (f'<{BASE}person/x> <{SLS}father> "Abu X"', "literal where an IRI belongs"),
    (f"<{BASE}person/x> <{SLS}ism> <{BASE}person/abu-bakr>", "IRI where a literal belongs"),
    (f"<{BASE}person/x> <{SLS}father> <{BASE}person/nobody>", "nothing is said of"),
    (f"<{BASE}person/x> <{SLS}teacherOf> <{BASE}person/abu-bakr>", "property that the ontology does not know"),
    (f"<{BASE}person/x> <{PREFIXES['rdf']}type> <{SLS}Teacher>", "term that the ontology does not know"),
    (f'<{BASE}person/x> <{SLS}deathYearAH> "1"^^<{PREFIXES["xsd"]}gYear>', "datatype that breaks"),
    (f'_:b0 <{SLS}ism> "x"', "blank node"),
    (f'<{BASE}person/abu-bakr> <{PREFIXES["rdfs"]}label> "Abu Bakr"@en', "two graphs"),
]


@pytest.mark.parametrize(("line", "words"), _LINES, ids=[words for _, words in _LINES])
def test_a_wrong_line_is_found(sound, tmp_path, line: str, words: str) -> None:
    dumps = tmp_path / "built" / "dumps"
    (dumps / "zz.nq").write_text(f"{line} <{BASE}graph/zz> .\n", encoding="utf-8")
    assert [words in finding.check for finding in check_lines(dumps, BASE)] == [True]


_SPANS = [
    (f'<{MENTION}> <{SLS}end> "32"', '"9999"', "span does not lie inside"),
    (f'<{MENTION}> <{SLS}start> "11"', '"12"', "surface is not what"),
    (f'<{MENTION}> <{SLS}start> "11"', '"40"', "span does not lie inside"),
    (f'<{MENTION}> <{SLS}termStart> "0"', '"3"', "transmission term is not"),
    (f'<{BASE}isnad/bukhari/3661/1> <{SLS}matnEnd> "355"', '"100000"', "matn does not lie inside"),
]


@pytest.mark.parametrize(("line", "value", "words"), _SPANS)
def test_a_misplaced_span_is_found(sound, tmp_path, line: str, value: str, words: str) -> None:
    path = tmp_path / "built" / "dumps" / "source-bukhari.nq"
    text = path.read_text(encoding="utf-8")
    assert text.count(line) == 1
    path.write_text(text.replace(line, line[: line.rindex(' "')] + " " + value), encoding="utf-8")
    found = list(check_lines(path.parent, BASE))
    assert [words in finding.check for finding in found] == [True]


def test_a_base_that_holds_the_ontology_is_sound_too(seed, tmp_path) -> None:
    base = "https://w3id.org/silsila/"
    write_graph(tmp_path, base=base, sources=[seed.BUKHARI], records=[seed.record()], authority=seed.authority())
    assert list(check_lines(tmp_path / "dumps", base)) == []


def test_escaped_letters_are_counted_as_one(written, seed, tmp_path) -> None:
    text = 'قال\n"نا"\tأنس\x01 \U0001f54c أنس'
    at = text.rindex("أنس")
    mention = NarratorMention(at, at + 3, "أنس")
    record = seed.record(narrators=(mention,), isnads=(), events=(), persons=())
    written([replace(record, passage=replace(record.passage, text=text))])
    assert list(check_lines(tmp_path / "built" / "dumps", BASE)) == []


def test_a_built_folder_is_checked_whole(written, seed, tmp_path) -> None:
    written([seed.record()])
    folder = tmp_path / "built"
    store = Store(str(folder / "store"))
    for path in (folder / "dumps").glob("*.nq"):
        store.bulk_load(path=str(path), format=RdfFormat.N_QUADS)
    store.flush()
    del store
    pack(folder / "dumps")
    assert check_folder(folder) == []


def test_findings_are_one_line_and_not_more_than_asked(sound) -> None:
    for number in range(30):
        thing = NamedNode(f"{BASE}person/bare-{number}")
        sound.add(
            Quad(thing, NamedNode(PREFIXES["rdf"] + "type"), NamedNode(SLS + "Person"), NamedNode(BASE + "graph/authority"))
        )
    findings = list(check_store(sound, shown=5))
    assert len(findings) == 5
    assert str(Finding("no label", "violation", "person/x", "Person")) == "violation: no label: person/x (Person)"


def test_every_term_has_both_languages() -> None:
    graph = ontology_graph()
    for term in set(graph.subjects()):
        for prop in (RDFS.label, RDFS.comment):
            assert {value.language for value in graph.objects(term, prop) if isinstance(value, Words)} == {"ar", "en"}, term


def test_the_ontology_is_whole_and_has_no_blank_nodes(seed) -> None:
    whole = Graph().parse(data=ontology_turtle(seed.BASE), format="turtle")
    terms = {str(term) for term in whole.subjects()}
    for relation in (RDFS.domain, RDFS.range, RDFS.subClassOf, RDFS.subPropertyOf):
        for _, value in whole.subject_objects(relation):
            assert not str(value).startswith(SLS) or str(value) in terms, value
    assert not [term for term in whole.all_nodes() if not isinstance(term, URIRef | Words)]
    assert (URIRef(SLS + "Quarrel"), RDFS.subClassOf, URIRef(SLS + "Conflict")) in whole
    assert (URIRef(SLS + "narratedFrom"), OWL.equivalentProperty, None) not in whole


def test_shapes_speak_of_declared_terms_only() -> None:
    shapes = Graph().parse(ontology_folder() / "shapes.ttl", format="turtle")
    declared = {str(term) for term in ontology_graph().subjects()}
    for node in shapes.objects():
        if str(node).startswith(SLS) and not str(node).endswith("Shape"):
            assert str(node) in declared, node


def test_every_check_can_be_asked(sound) -> None:
    names = [check.name for check in integrity_checks()]
    assert len(names) == len(set(names)) > 60
