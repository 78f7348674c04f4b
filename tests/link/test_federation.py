"""The federated queries run on the user's side: over our data in an engine that follows SERVICE, here to a server of Wikidata's shape."""

from pathlib import Path

import pyoxigraph as ox
import pytest

from kg.graph.queries import read_query
from kg.resources import queries_folder

FOLDER = queries_folder() / "federated"
DATA = """
@prefix sls: <https://w3id.org/silsila/ontology#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix wd: <http://www.wikidata.org/entity/> .
<urn:zuhri> a sls:Person ; skos:exactMatch wd:Q900000001 , <http://viaf.org/viaf/1> ; sls:deathYearAH 125 ;
    sls:deathYearCEEarliest 742 ; sls:deathYearCELatest 743 .
<urn:unlinked> a sls:Person ; sls:deathYearAH 161 .
<urn:badr> a sls:Event ; skos:exactMatch wd:Q900000010 .
"""
ANSWERS = {
    "deaths-here-and-there": [("urn:zuhri", "125", "742", "743", "742")],
    "events-and-their-items": [("urn:badr", "غزوة بدر")],
}


def test_every_federated_query_is_tested() -> None:
    assert {path.stem for path in FOLDER.glob("*.rq")} == set(ANSWERS)


@pytest.mark.parametrize("name", sorted(ANSWERS))
def test_federated_queries(name: str, endpoint: str) -> None:
    query = read_query(Path(FOLDER, f"{name}.rq"))
    assert query.title and query.comment_ar
    store = ox.Store()
    store.load(DATA.encode(), ox.RdfFormat.TURTLE)
    asked = query.sparql("https://example.org/").replace("https://query.wikidata.org/sparql", endpoint)
    results = store.query(asked)
    assert isinstance(results, ox.QuerySolutions)
    rows = [tuple(row[i].value for i in range(len(results.variables))) for row in results]  # type: ignore[union-attr]
    assert [(row[0], *row[2:]) for row in rows] == ANSWERS[name]
