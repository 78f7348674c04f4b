"""A new build is taken up at the next request; nothing built is told in one sentence."""

import os
import shutil
from pathlib import Path

import pytest

from kg.web.app import create_app


def test_a_new_version_is_served_without_a_restart(data: Path, tmp_path: Path) -> None:
    folder = tmp_path / "kg-data"
    shutil.copytree(data, folder, symlinks=True)
    app = create_app(folder)
    client = app.test_client()
    before = client.get("/person/abu-bakr.html")
    assert '<code dir="ltr">small</code>' in before.text
    assert client.get("/sparql", query_string={"query": "ASK { ?s ?p ?o }"}).status_code == 200
    shutil.copytree(folder / "versions" / "small", folder / "versions" / "newer")
    (folder / ".next").symlink_to(Path("versions") / "newer")
    os.replace(folder / ".next", folder / "current")
    after = client.get("/person/abu-bakr.html", headers={"If-None-Match": before.headers["ETag"]})
    assert after.status_code == 200 and '<code dir="ltr">newer</code>' in after.text
    assert client.get("/sparql", query_string={"query": "ASK { ?s ?p ?o }"}).get_json()["boolean"] is True
    listing = client.get("/dumps/").text
    assert 'href="/dumps/small/"' in listing
    app.extensions["kg-close"]()


def test_nothing_built(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="kg build"):
        create_app(tmp_path)


def test_a_version_folder_itself_can_be_served(data: Path) -> None:
    app = create_app(data / "versions" / "small", base="https://example.org/kg/")
    assert app.test_client().get("/about").status_code == 200
