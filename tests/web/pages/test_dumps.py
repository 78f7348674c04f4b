"""Dumps: listing, checksums, ranges, and nothing beyond their folder."""

import hashlib

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse


def fetch(client: FlaskClient, path: str, **headers: str) -> TestResponse:
    """A file that is read to its end and closed."""
    with client.get(path, headers={name.replace("_", "-"): value for name, value in headers.items()}) as answer:
        answer.get_data()
        return answer


def test_listing_and_checksums(client: FlaskClient) -> None:
    page = client.get("/dumps/").text
    file = fetch(client, "/dumps/silsila.nq.gz")
    digest = hashlib.sha256(file.data).hexdigest()
    assert digest in page
    assert fetch(client, "/dumps/SHA256SUMS").text.startswith(digest)
    assert file.headers["ETag"] == f'"{digest}"'
    assert fetch(client, "/dumps/silsila.nq.gz", If_None_Match=f'"{digest}"').status_code == 304


def test_ranges(client: FlaskClient) -> None:
    whole = fetch(client, "/dumps/silsila.nq.gz").data
    part = fetch(client, "/dumps/silsila.nq.gz", Range="bytes=10-19")
    assert part.status_code == 206 and part.data == whole[10:20]
    assert part.headers["Content-Range"] == f"bytes 10-19/{len(whole)}"
    assert fetch(client, "/dumps/silsila.nq.gz", Range=f"bytes={len(whole)}-").status_code == 416


def test_by_version(client: FlaskClient) -> None:
    assert fetch(client, "/dumps/small/silsila.nq.gz").status_code == 200
    assert client.get("/dumps/small/").status_code == 200


@pytest.mark.parametrize(
    "path", ["../manifest.json", "%2e%2e/manifest.json", "..%2fmanifest.json", "small/../../manifest.json", "none"]
)
def test_nothing_else(client: FlaskClient, path: str) -> None:
    assert client.get("/dumps/" + path).status_code == 404
