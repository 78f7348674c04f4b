"""The index of all persons, places, events and works of the authority, without a built graph."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from kg.authority import load
from kg.link.matching import Index, Thing

sys.path.insert(0, str(Path(__file__).parent))


def things() -> list[Thing]:
    """The authority's things as they are looked up, none of them counted in a text."""
    known = load()
    found = [
        Thing(
            p.key,
            "Person",
            tuple((w, tag) for w, tag in ((p.name_ar, "ar"), (p.name_en, "en"), (p.name_latn, "ar-Latn")) if w),
            0,
            p.sex,
        )
        for p in known.persons.values()
    ]
    for kind, rows in (("Place", known.places), ("Event", known.events)):
        found += [
            Thing(one.key, kind, ((one.name_ar, "ar"), (one.name_en, "en"), *((surface, "ar") for surface in one.surfaces)))
            for one in rows.values()  # type: ignore[attr-defined]
        ]
    found += [Thing(w.key, "Work", ((w.title_ar, "ar"), (w.title_en, "en"))) for w in known.works.values()]
    return found


@pytest.fixture(scope="session")
def index() -> Index:
    return Index.of(
        things(),
        load().persons,
        {"سُفْيَانُ": {"person/sufyan-b-uyayna": 60, "person/sufyan-al-thawri": 40}, "أَبُو بَكْرٍ": {"person/abu-bakr": 9}},
    )


@pytest.fixture(scope="session")
def endpoint(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a real SPARQL server with data of Wikidata's shape."""
    from wikidata_servers import sparql_server

    with sparql_server(tmp_path_factory.mktemp("wikidata")) as address:
        yield address
