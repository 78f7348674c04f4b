"""One small built folder for all tests of the pages."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[2] / "store")]

from other_stores import STORES, store_with  # noqa: E402


@pytest.fixture(scope="session")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    import small_graph

    return small_graph.build(tmp_path_factory.mktemp("small"))


@pytest.fixture(scope="session", params=STORES)
def app(request: pytest.FixtureRequest, data: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    """The site over the embedded store, and over other servers that were sent the same graph."""
    from small_graph import BASE

    from kg.web.app import create_app

    with store_with(request.param, data, BASE, tmp_path_factory.mktemp(request.param)) as url:
        app = create_app(data, store=url)
        yield app
        app.extensions["kg-close"]()


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()
