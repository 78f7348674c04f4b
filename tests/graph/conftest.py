"""A small graph written to disk and read back into a store."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pyoxigraph import RdfFormat, Store

sys.path.insert(0, str(Path(__file__).parent))

import bukhari_3661

from kg.graph.dump import Counts, write_graph


@pytest.fixture(scope="session")
def seed() -> Iterator[object]:
    """The module with the hand-made record."""
    yield bukhari_3661


@pytest.fixture
def written(tmp_path: Path) -> Callable[..., tuple[Counts, Store]]:
    """Writes records and gives the counts and a store with every quad."""

    def write(records: list, folder: str = "built", **options: object) -> tuple[Counts, Store]:
        options.setdefault("sources", [bukhari_3661.BUKHARI])
        options.setdefault("authority", bukhari_3661.authority())
        counts = write_graph(tmp_path / folder, base=bukhari_3661.BASE, records=records, **options)
        store = Store()
        for file in counts.files:
            store.bulk_load(path=str(tmp_path / folder / "dumps" / file), format=RdfFormat.N_QUADS)
        return counts, store

    return write
