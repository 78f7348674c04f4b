"""Every query of docs/competency-questions.md can be asked, of any engine, and those with a known answer give it."""

import re
from pathlib import Path

import pytest
from rdflib.plugins.sparql import prepareQuery

PAGE = Path(__file__).parents[2] / "docs" / "competency-questions.md"
BASE = "https://silsila.example/"
HEAD = f"""BASE <{BASE}>
PREFIX sls: <https://w3id.org/silsila/ontology#>
PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>
"""
QUESTIONS = re.findall(r"```sparql\n(.+?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)

# Words of a query, and the values its answer must hold.
KNOWN = {
    "VALUES ?person { <person/hisham-b-ammar> }": {"245"},
    "sls:last ?mention . ?mention sls:refersTo ?person . ?person rdfs:label ?name }": {BASE + "person/abu-al-darda"},
    "?tally sls:ofPerson": {BASE + "version/bazzar", BASE + "version/bukhari", "1", "2"},
    "<transmission/busr-b-ubayd-allah/zayd-b-waqid>": {"3"},
    "GROUP_CONCAT": {"2"},
    "FILTER(?length > 5)": {BASE + "hadith/bukhari/3661", BASE + "hadith/bukhari/3662", "6"},
    "MINUS { ?c sls:": {"1"},
    "<verse/9/40> sls:passageCount": {"2"},
    "MINUS { ?citation": {BASE + "hadith/bazzar/quarrel", BASE + "hadith/bukhari/3662"},
    "sls:attributedTo sls:companion": {BASE + "hadith/bazzar/quarrel"},
    "<version/bukhari> sls:passageCount": {"2"},
    "?group sls:hasPassage": {BASE + "hadith/bazzar/quarrel"},
    "?passage sls:inBook ?book": {BASE + "book/sahih-al-bukhari/62", "2"},
}


@pytest.mark.parametrize("question", QUESTIONS, ids=range(len(QUESTIONS)))
def test_a_question_can_be_asked(store, question: str) -> None:
    prepareQuery(HEAD + question)
    answers = store.query(HEAD + question, use_default_graph_as_union=True)
    if question.startswith("ASK"):
        assert bool(answers) is True
        return
    found = {value.value for row in answers for value in row if value is not None}
    for words, wanted in KNOWN.items():
        if words in question:
            assert wanted <= found, words


def test_known_answers_are_all_used() -> None:
    assert len(QUESTIONS) >= 20
    for words in KNOWN:
        assert any(words in question for question in QUESTIONS), words
