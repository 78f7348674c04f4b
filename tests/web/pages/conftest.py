"""One small built folder for all tests of the pages."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture(scope="session")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    import small_graph

    return small_graph.build(tmp_path_factory.mktemp("small"))


@pytest.fixture(scope="session")
def app(data: Path) -> Iterator[Flask]:
    from kg.web.app import create_app

    app = create_app(data)
    yield app
    app.extensions["kg-close"]()


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()
