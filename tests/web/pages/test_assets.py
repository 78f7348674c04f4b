"""Third-party assets: a lock without addresses, a plain message where npm is missing, pages that work without them."""

import json
from pathlib import Path

import pytest
from flask import Flask

from kg.web import assets
from kg.web.app import create_app

ROOT = Path(__file__).parents[3]


def test_the_lock_names_versions_and_hashes_but_no_addresses() -> None:
    text = (ROOT / "package-lock.json").read_text(encoding="utf-8")
    assert "resolved" not in text and "://" not in text.replace('"url": "https://', "")
    packages = {name: entry for name, entry in json.loads(text)["packages"].items() if name}
    assert packages
    for name, entry in packages.items():
        assert entry["integrity"].startswith("sha512-") and entry["version"], name


def test_without_npm_one_sentence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(assets, "npm_command", lambda: None)
    with pytest.raises(assets.AssetError, match="npm was not found"):
        assets.install(tmp_path / "vendor", ROOT)
    assert assets.main([]) == 1
    assert "install Node.js" in capsys.readouterr().err


def test_a_failing_npm_is_told_and_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    vendor = tmp_path / "vendor"
    vendor.mkdir()
    (vendor / "kept.txt").write_text("kept", encoding="utf-8")
    monkeypatch.setattr(assets, "npm_command", lambda: ["false"])
    with pytest.raises(assets.AssetError, match="npm ci failed"):
        assets.install(vendor, ROOT)
    assert (vendor / "kept.txt").exists()


@pytest.fixture
def bare(data: Path) -> Flask:
    app = create_app(data)
    marks = app.extensions["kg-assets"]
    app.extensions["kg-assets"] = {name: mark for name, mark in marks.items() if not name.startswith("vendor/")}
    return app


@pytest.mark.parametrize("path", ["/", "/query", "/hadith/bukhari/3661.html", "/about"])
def test_pages_work_without_assets(bare: Flask, path: str) -> None:
    page = bare.test_client().get(path)
    assert page.status_code == 200
    assert "vendor/yasqe" not in page.text and "vendor/fonts" not in page.text
    if path == "/query":
        assert '<textarea class="sparql"' in page.text
