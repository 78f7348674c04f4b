"""A conversation as OpenRefine leads it, over a real socket: from adding the service to columns of values.

The requests of ``openrefine.json`` are in the forms in which OpenRefine sends them: GET for the manifest, suggestions, previews; forms by POST for
batches of queries and for data extension; every address taken from the manifest.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import urlencode
from urllib.request import Request, urlopen

import pytest
from flask import Flask
from machine import PATIENCE
from werkzeug.serving import make_server

CONVERSATION = json.loads(Path(__file__).with_name("openrefine.json").read_text("utf-8"))


@pytest.fixture(scope="module")
def address(app: Flask) -> Iterator[str]:
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join(PATIENCE)
    server.server_close()


def at(document: Any, path: str) -> Any:
    """What stands in a document at a path such as ``q0.result.0.id``."""
    for name in path.split("."):
        document = document[int(name)] if isinstance(document, list) else document[name]
    return document


def say(address: str, step: dict[str, Any]) -> tuple[str, str]:
    if "form" in step:
        body = urlencode({name: json.dumps(value, ensure_ascii=False) for name, value in step["form"].items()}).encode()
        request = Request(f"{address}/reconcile", body, {"Content-Type": "application/x-www-form-urlencoded; charset=UTF-8"})
    else:
        query = f"?{urlencode(step['query'])}" if "query" in step else ""
        request = Request(f"{address}{step['get']}{query}")
    request.add_header("Origin", "http://127.0.0.1:3333")
    with urlopen(request, timeout=PATIENCE) as answer:
        assert answer.headers["Access-Control-Allow-Origin"] == "*"
        return answer.headers.get_content_type(), answer.read().decode()


def test_a_conversation_from_end_to_end(address: str) -> None:
    for step in CONVERSATION:
        kind, text = say(address, step)
        if "holds" in step:
            assert kind == "text/html" and step["holds"] in text, step["does"]
            continue
        document = json.loads(text)
        for path, value in step["expect"].items():
            assert at(document, path) == value, (step["does"], path, document)


def test_every_address_of_the_manifest_answers(address: str) -> None:
    manifest = json.loads(say(address, {"get": "/reconcile"})[1])
    for service in manifest["suggest"].values():
        assert "result" in json.loads(_get(service["service_url"] + service["service_path"] + "?prefix=a"))
    flyout = manifest["suggest"]["entity"]
    assert json.loads(_get(flyout["flyout_service_url"] + flyout["flyout_service_path"].replace("${id}", "person/abu-al-darda")))[
        "html"
    ]
    assert "Abu al-Darda" in _get(manifest["preview"]["url"].replace("{{id}}", "person/abu-al-darda"))
    assert "Abu al-Darda" in _get(manifest["view"]["url"].replace("{{id}}", "person/abu-al-darda"))
    proposal = manifest["extend"]["propose_properties"]
    assert json.loads(_get(f"{proposal['service_url']}{proposal['service_path']}?type=Person"))["properties"]


def _get(address: str) -> str:
    with urlopen(address, timeout=PATIENCE) as answer:
        return answer.read().decode()  # type: ignore[no-any-return]
