"""Both versions of the protocol: every answer validates, every path answers OPTIONS and other sites."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from flask.testing import FlaskClient

Valid = Callable[[str, str, Any], None]

PATHS = (
    "",
    "/match",
    "/suggest/entity",
    "/suggest/property",
    "/suggest/type",
    "/flyout/entity",
    "/preview",
    "/extend",
    "/extend/propose",
)


def test_manifests(client: FlaskClient, valid: Valid) -> None:
    old, draft = client.get("/reconcile").get_json(), client.get("/reconcile/1.0-draft").get_json()
    valid("0.2", "manifest", old)
    valid("1.0-draft", "manifest", draft)
    assert {"0.2", "1.0-draft"} <= set(old["versions"])
    assert old["identifierSpace"] == "https://w3id.org/silsila/"
    arabic = client.get("/reconcile/1.0-draft?lang=ar").get_json()
    assert (arabic["lang"], arabic["dir"], arabic["name"]) == ("ar", "rtl", "سلسلة")


@pytest.mark.parametrize("under", ["/reconcile", "/reconcile/1.0-draft"])
@pytest.mark.parametrize("path", PATHS)
def test_other_sites_may_ask(client: FlaskClient, under: str, path: str) -> None:
    answer = client.options(under + path, headers={"Origin": "https://example.org", "Access-Control-Request-Method": "POST"})
    assert answer.status_code == 204
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    assert "POST" in answer.headers["Access-Control-Allow-Methods"]
    assert "Content-Type" in answer.headers["Access-Control-Allow-Headers"]


def test_batch_of_version_0_2(client: FlaskClient, valid: Valid) -> None:
    queries = {
        "q0": {"query": "هِشَامُ بْنُ عَمَّارٍ", "type": "Person", "limit": 3},
        "q1": {"query": "Hishām b. ʿAmmār", "type_strict": "should"},
        "q2": {"query": "nobody of this name at all xyzzy"},
    }
    for answer in (
        client.post("/reconcile", data={"queries": json.dumps(queries)}),
        client.get("/reconcile", query_string={"queries": json.dumps(queries)}),
    ):
        document = answer.get_json()
        valid("0.2", "reconciliation-result-batch", document)
        assert document.keys() == queries.keys()
        assert document["q0"]["result"][0]["id"] == document["q1"]["result"][0]["id"] == "person/hisham-b-ammar"
        assert document["q0"]["result"][0]["match"] is True
        assert document["q2"]["result"] == []
        assert len(document["q0"]["result"]) <= 3
        assert answer.headers["Access-Control-Allow-Origin"] == "*"


def test_batch_of_the_draft(client: FlaskClient, valid: Valid) -> None:
    body = {
        "queries": [
            {"type": "Person", "limit": 2, "lang": "ar", "conditions": [{"matchType": "name", "propertyValue": "Abu al-Darda"}]},
            {"conditions": [{"matchType": "id", "propertyValue": "person/abu-al-darda"}]},
            {"conditions": [{"matchType": "property", "propertyId": "taqribNumber", "propertyValue": 7303}]},
        ]
    }
    valid("1.0-draft", "reconciliation-query-batch", body)
    for path in ("/reconcile/match", "/reconcile/1.0-draft/match", "/reconcile"):
        document = client.post(path, json=body).get_json()
        valid("1.0-draft", "reconciliation-result-batch", document)
        firsts = [answer["candidates"][0] for answer in document["results"]]
        assert [first["id"] for first in firsts] == ["person/abu-al-darda", "person/abu-al-darda", "person/hisham-b-ammar"]
        assert (firsts[0]["lang"], firsts[0]["dir"]) == ("ar", "rtl")
        assert all(feature["name"] for feature in firsts[0]["features"])


@pytest.mark.parametrize(("under", "version"), [("/reconcile", "0.2"), ("/reconcile/1.0-draft", "1.0-draft")])
def test_suggestions(client: FlaskClient, valid: Valid, under: str, version: str) -> None:
    entities = client.get(f"{under}/suggest/entity?prefix=أبو الدر").get_json()
    valid(version, "suggest-entities-response", entities)
    assert client.get(f"{under}/suggest/entity?prefix=Abu al-Darda").get_json()["result"][0]["id"] == "person/abu-al-darda"
    properties = client.get(f"{under}/suggest/property?prefix=death").get_json()
    valid(version, "suggest-properties-response", properties)
    assert properties["result"][0]["id"] == "deathYearAH"
    kinds = client.get(f"{under}/suggest/type?prefix=per").get_json()
    valid(version, "suggest-types-response", kinds)
    assert [kind["id"] for kind in kinds["result"]] == ["Person"]
    assert client.get(f"{under}/suggest/entity").get_json() == {"result": []}


def test_what_is_typed_is_completed(client: FlaskClient) -> None:
    found = client.get("/reconcile/suggest/entity?prefix=أبو الدر").get_json()["result"]
    assert "person/abu-al-darda" in [one["id"] for one in found]
    pages = [client.get(f"/reconcile/suggest/entity?prefix=محمد&limit=2&cursor={start}").get_json()["result"] for start in (0, 2)]
    assert len({one["id"] for page in pages for one in page}) == 4


def test_values_are_fetched(client: FlaskClient, valid: Valid) -> None:
    query = {
        "ids": ["person/hisham-b-ammar", "person/nobody"],
        "properties": [{"id": name} for name in ("deathYearAH", "teacher", "kunya")],
    }
    old = client.post("/reconcile", data={"extend": json.dumps(query)}).get_json()
    valid("0.2", "data-extension-response", old)
    assert old["rows"]["person/hisham-b-ammar"]["deathYearAH"] == [{"int": 245}]
    assert old["rows"]["person/hisham-b-ammar"]["teacher"][0]["id"] == "person/sadaqa-b-khalid"
    assert old["rows"]["person/nobody"] == {"deathYearAH": [], "teacher": [], "kunya": []}
    assert old["meta"][1]["type"]["id"] == "Person"
    for path in ("/reconcile/extend", "/reconcile/1.0-draft/extend"):
        draft = client.post(path, json=query).get_json()
        valid("1.0-draft", "data-extension-response", draft)
        kunya = draft["rows"][0]["properties"][2]["values"][0]
        assert (kunya["lang"], kunya["dir"]) == ("ar", "rtl")
    limited = {**query, "properties": [{"id": "otherName", "settings": {"limit": "1"}}]}
    assert len(client.post("/reconcile/extend", json=limited).get_json()["rows"][0]["properties"][0]["values"]) <= 1


@pytest.mark.parametrize(("under", "version"), [("/reconcile", "0.2"), ("/reconcile/1.0-draft", "1.0-draft")])
def test_properties_are_proposed(client: FlaskClient, valid: Valid, under: str, version: str) -> None:
    document = client.get(f"{under}/extend/propose?type=Person&limit=3").get_json()
    valid(version, "data-extension-property-proposal", document)
    assert (document["type"], document["limit"], len(document["properties"])) == ("Person", 3, 3)
    assert ("dir" in document["properties"][0]) is (version != "0.2")
    places = {one["id"] for one in client.get(f"{under}/extend/propose?type=Place").get_json()["properties"]}
    assert "latitude" in places
    assert "kunya" not in places


def test_previews(client: FlaskClient) -> None:
    page = client.get("/reconcile/preview?id=person/abu-al-darda&lang=ar")
    assert page.mimetype == "text/html"
    assert 'dir="rtl"' in page.text
    assert "frame-ancestors *" in page.headers["Content-Security-Policy"]
    assert "/person/abu-al-darda" in page.text
    assert client.get("/reconcile/preview?id=https://w3id.org/silsila/person/abu-al-darda").status_code == 200
    assert client.get("/reconcile/preview?id=person/nobody").status_code == 404
    flyout = client.get("/reconcile/flyout/entity?id=person/abu-al-darda").get_json()
    assert "Abu al-Darda" in flyout["html"]
    assert "deathYear" in client.get("/reconcile/flyout/property?id=deathYearAH").get_json()["html"]
    assert "Narrators" in client.get("/reconcile/flyout/type?id=Person").get_json()["html"]
    assert client.get("/reconcile/flyout/type?id=Nothing").status_code == 404


def test_markup_in_an_id_is_not_written_out(client: FlaskClient) -> None:
    answer = client.get("/reconcile/preview?id=<script>alert(1)</script>")
    assert answer.mimetype == "application/json"


@pytest.mark.parametrize(
    ("form", "said"),
    [
        ({"queries": "{"}, "not JSON"),
        ({"queries": "[]"}, "object of queries"),
        ({"queries": '{"q": 3}'}, "a query is an object"),
        ({"queries": '{"q": {}}'}, "empty"),
        ({"queries": '{"q": {"query": "x", "limit": "many"}}'}, "limit"),
        ({"queries": '{"q": {"query": "x", "properties": [{"v": 1}]}}'}, "pid"),
        ({"extend": '{"ids": 1}'}, "ids and properties"),
        ({"nothing": "x"}, "no queries"),
    ],
)
def test_what_is_wrong_is_said(client: FlaskClient, form: dict[str, str], said: str) -> None:
    answer = client.post("/reconcile", data=form)
    assert answer.status_code == 400
    assert said in answer.get_json()["message"]
    assert answer.headers["Access-Control-Allow-Origin"] == "*"


@pytest.mark.parametrize(
    "body",
    [
        "{",
        "[]",
        '{"queries": {}}',
        '{"queries": [{"conditions": []}]}',
        '{"queries": [{"conditions": [{"matchType": "x", "propertyValue": 1}]}]}',
    ],
)
def test_what_is_wrong_is_said_in_the_draft(client: FlaskClient, body: str) -> None:
    assert client.post("/reconcile/match", data=body, content_type="application/json").status_code == 400


def test_too_many_queries_are_refused(client: FlaskClient) -> None:
    batch = {f"q{i}": {"query": "x"} for i in range(201)}
    answer = client.post("/reconcile", data={"queries": json.dumps(batch)})
    assert answer.status_code == 400
    assert "at most 200" in answer.get_json()["message"]


def test_old_clients_may_ask_with_a_callback(client: FlaskClient) -> None:
    answer = client.get("/reconcile?callback=jQuery.done")
    assert answer.mimetype == "application/javascript"
    assert answer.text.startswith("/**/jQuery.done({")
    assert client.get("/reconcile?callback=alert(1)//").mimetype == "application/json"


def test_an_empty_cell_says_nothing(client: FlaskClient) -> None:
    bare = {"query": "أبو الدرداء", "type": "Person"}
    batch = {"q0": bare, "q1": {**bare, "properties": [{"pid": "deathYearAH", "v": ""}, {"pid": "teacher", "v": []}]}}
    answer = client.post("/reconcile", data={"queries": json.dumps(batch)}).get_json()
    assert answer["q0"] == answer["q1"]


@pytest.mark.parametrize(("year", "agrees"), [("245", 1), ("245 هـ", 1), ("٢٤٥", 1), ("246", 1), ("345", 0), ("100", 0)])
def test_a_year_of_death_narrows_and_disproves(client: FlaskClient, year: str, agrees: int) -> None:
    query = {"q": {"query": "هشام بن عمار", "properties": [{"pid": "deathYearAH", "v": year}]}}
    first = client.post("/reconcile", data={"queries": json.dumps(query)}).get_json()["q"]["result"][0]
    features = {feature["id"]: feature["value"] for feature in first["features"]}
    assert (first["id"], features["deathYearAH"]) == ("person/hisham-b-ammar", agrees)
    assert first["match"] is bool(agrees)


def test_conditions_that_must_hold(client: FlaskClient) -> None:
    def found(**condition: Any) -> list[str]:
        conditions = [{"matchType": "name", "propertyValue": "هشام"}, {"matchType": "property", **condition}]
        answer = client.post("/reconcile/match", json={"queries": [{"type": "Person", "limit": 50, "conditions": conditions}]})
        return [candidate["id"] for candidate in answer.get_json()["results"][0]["candidates"]]

    taught = found(propertyId="teacher", propertyValue="person/sadaqa-b-khalid", required=True)
    assert taught == ["person/hisham-b-ammar"]
    assert "person/hisham-b-ammar" not in found(
        propertyId="teacher", propertyValue="صدقة بن خالد", matchQuantifier="none", required=True
    )
    assert len(found(propertyId="generation", propertyValue=10)) > 1
    assert found(propertyId="no such property", propertyValue="x", required=True) == []
