"""Whatever is sent, the answer is a result or a sentence, never a failure of ours."""

import json
from typing import Any

import pytest
from flask.testing import FlaskClient
from hypothesis import given, settings
from hypothesis import strategies as st

_LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=30)
_JSON = st.recursive(
    _LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3), max_leaves=8
)
_CONDITION = st.fixed_dictionaries(
    {
        "matchType": st.sampled_from(["name", "id", "property"]) | _JSON,
        "propertyId": st.sampled_from(["teacher", "sex", "?"]) | _JSON,
        "propertyValue": _JSON,
    }
)
_NAMES = st.text("ابنعدمحرلهي ابو الabinudh ,،-ʿḥā'", max_size=40)


@settings(max_examples=60)
@given(query=_NAMES | _JSON, properties=_JSON, kind=_JSON, limit=_JSON, condition=_CONDITION)
def test_any_query(client: FlaskClient, query: Any, properties: Any, kind: Any, limit: Any, condition: Any) -> None:
    old = {"queries": json.dumps({"q": {"query": query, "properties": properties, "type": kind, "limit": limit}})}
    assert client.post("/reconcile", data=old).status_code in (200, 400)
    draft = {"queries": [{"conditions": [condition, {"matchType": "name", "propertyValue": query}], "type": kind}]}
    assert client.post("/reconcile/match", data=json.dumps(draft), content_type="application/json").status_code in (200, 400)
    extend = {"ids": [query, "person/abu al <x>"], "properties": [{"id": "teacher", "settings": properties}]}
    assert client.post("/reconcile/extend", data=json.dumps(extend), content_type="application/json").status_code in (200, 400)


@pytest.mark.parametrize(
    "form",
    [
        {"queries": "[" * 100_000},
        {"queries": '{"q": {"query": "x", "limit": Infinity}}'},
        {"queries": '{"q": {"query": "x", "limit": ' + "9" * 5000 + "}}"},
        {"queries": json.dumps({"q": {"query": "ا " * 5000}})},
        {
            "extend": json.dumps(
                {"ids": ["person/abu-al-darda"], "properties": [{"id": "teacher", "settings": {"limit": "many"}}]}
            )
        },
        {"extend": json.dumps({"ids": [1], "properties": []})},
    ],
)
def test_what_is_too_much_is_refused(client: FlaskClient, form: dict[str, str]) -> None:
    assert client.post("/reconcile", data=form).status_code == 400


@pytest.mark.parametrize("path", ["suggest/entity?prefix=x&limit=", "suggest/entity?prefix=x&cursor=", "extend/propose?limit="])
@pytest.mark.parametrize("number", ["-1", "x", "9" * 5000, "٣", "²", "1e9"])
def test_numbers_of_the_address(client: FlaskClient, path: str, number: str) -> None:
    assert client.get(f"/reconcile/{path}{number}").status_code == 200


def test_ids_that_are_none_have_no_values(client: FlaskClient) -> None:
    query = {
        "ids": ["<>", "person/", "", "person/abu al darda", "http://elsewhere.example/x"],
        "properties": [{"id": "kunya"}, {"id": "?"}],
    }
    rows = client.post("/reconcile", data={"extend": json.dumps(query)}).get_json()["rows"]
    assert list(rows) == query["ids"]
    assert all(row == {"kunya": [], "?": []} for row in rows.values())
