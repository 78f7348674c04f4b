"""Small stores for the tests of this room."""

from collections.abc import Callable
from pathlib import Path

import pytest

from kg.store.embedded import EmbeddedStore


@pytest.fixture(scope="session")
def make_store(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """A store of given N-Quads."""

    def make(nquads: str) -> Path:
        folder = tmp_path_factory.mktemp("store")
        (folder / "data.nq").write_text(nquads, encoding="utf-8")
        return EmbeddedStore.create(folder / "store", [folder / "data.nq"])

    return make


@pytest.fixture(scope="session")
def numbers(make_store: Callable[[str], Path]) -> Path:
    """A thousand things, each with its number as text."""
    return make_store("".join(f'<urn:s{n}> <urn:p> "{n}" <urn:g{n % 2}> .\n' for n in range(1_000)))
