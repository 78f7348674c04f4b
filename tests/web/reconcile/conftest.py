"""The small built folder of the pages' tests, and the schemas of both versions of the protocol."""

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from flask import Flask
from flask.testing import FlaskClient
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT7

from kg.evaluate import shared

sys.path[:0] = [str(Path(__file__).parents[1] / "pages"), str(Path(__file__).parents[2] / "store")]

from other_stores import STORES, store_with  # noqa: E402


@pytest.fixture(scope="session", params=STORES)
def app(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    """The service over the embedded store, and over other servers that were sent the same graph."""
    import small_graph

    from kg.web.app import create_app

    data = small_graph.build(tmp_path_factory.mktemp("reconcile"))
    with store_with(request.param, data, small_graph.BASE, tmp_path_factory.mktemp(request.param)) as url:
        app = create_app(data, store=url)
        yield app
        app.extensions["kg-close"]()


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture(scope="session")
def valid() -> Callable[[str, str, Any], None]:
    """Asserts that a document validates against a schema of a version: ``valid("0.2", "manifest", document)``."""
    gold = shared()
    if gold is None or not (gold / "reconciliation").is_dir():
        pytest.skip("the schemas of the protocol are absent: ../shared/reconciliation")
    folder = gold / "reconciliation"

    def check(version: str, name: str, document: Any) -> None:
        schemas = {
            path.stem: _repaired(json.loads(path.read_text("utf-8"))) for path in (folder / version / "schemas").glob("*.json")
        }
        resources = [Resource(schema, DRAFT7) for schema in schemas.values()]
        registry = Registry().with_resources([(resource.contents["$id"], resource) for resource in resources])
        wanted = schemas[name]
        jsonschema.Draft7Validator(wanted, registry=registry).validate(document)

    return check


def _repaired(schema: Any) -> Any:
    """The 0.2 schemas point at ``securityDefinitions/additionalProperties`` of Swagger, which is not defined there as a key of its own
    file: the pointer is left out. ``$schema`` names the newest draft, of which no file is at hand."""
    if isinstance(schema, dict):
        return {
            name: _repaired(value)
            for name, value in schema.items()
            if not (name == "$ref" and isinstance(value, str) and value.startswith("http://swagger.io/")) and name != "$schema"
        }
    return [_repaired(value) for value in schema] if isinstance(schema, list) else schema
