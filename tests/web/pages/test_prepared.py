"""What the build prepares says the same as the store."""

from pathlib import Path

import pytest

from kg.store.embedded import EmbeddedStore
from kg.web.documents import Describer
from kg.web.names import RDF_TYPE, RDFS_LABEL, SLS
from kg.web.parts import parts_of
from kg.web.pointing import PAGE_SIZE
from kg.web.prepared import FACTS, FILE, Prepared
from kg.web.preparing import prepare
from kg.web.search_index import write_index

BASE = "https://example.org/"
PERSON = BASE + "person/abu-hurayra"
MENTIONS, ROLES = 1_030, 75


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A version in which one narrator is named in a thousand passages and has parts in events of three kinds."""
    folder = tmp_path_factory.mktemp("prepared")
    lines: list[str] = []

    def say(subject: str, predicate: str, value: str) -> None:
        shown = f"<{value}>" if value.startswith("http") else value
        lines.append(f"<{BASE}{subject}> <{predicate}> {shown} <{BASE}graph/all> .\n")

    say("person/abu-hurayra", RDF_TYPE, SLS + "Person")
    say("person/abu-hurayra", RDFS_LABEL, '"أبو هريرة"@ar')
    say("person/abu-hurayra", SLS + "deathYearAHLatest", '"59"')
    for number in range(1, MENTIONS + 1):
        mention, passage = f"mention/bukhari/{number}/5-9", f"hadith/bukhari/{number}"
        say(mention, SLS + "refersTo", PERSON)
        say(mention, SLS + "inPassage", BASE + passage)
        say(mention, SLS + "surface", '"أبي هريرة"@ar')
        say(passage, RDF_TYPE, SLS + "Hadith")
        say(passage, RDFS_LABEL, f'"Bukhari {number}"@en')
    for number in range(1, ROLES + 1):
        report = f"report/bukhari/{number}/speech/5-90"
        role = "speaker" if number % 3 else "hearer"
        say(report + "/1", SLS + "rolePerson", PERSON)
        say(report + "/1", SLS + "roleName", f'"{role}"')
        say(report, SLS + "eventType", SLS + "Speech")
        say(report, SLS + "inPassage", f"{BASE}hadith/bukhari/{number}")
        if number < 4:
            say(report, SLS + "reports", BASE + "event/badr")
    nquads = folder / "all.nq"
    nquads.write_text("".join(lines), encoding="utf-8")
    store = EmbeddedStore.open(EmbeddedStore.create(folder / "store", [nquads]))
    write_index(folder / "search.sqlite", store, BASE)
    assert prepare(folder, store, BASE) == 1
    return folder


@pytest.fixture(scope="module")
def store(folder: Path) -> EmbeddedStore:
    return EmbeddedStore.open(folder / "store")


def test_every_page_is_the_same_with_and_without(folder: Path, store: EmbeddedStore) -> None:
    plain, prepared = Describer(store, BASE), Describer(store, BASE, Prepared(folder / FILE))
    pages = -(-(MENTIONS + ROLES) // PAGE_SIZE)
    for page in range(1, pages + 1):
        read, listed = plain.describe(PERSON, page), prepared.describe(PERSON, page)
        assert read is not None and listed is not None
        assert [str(triple) for triple in read.triples()] == [str(triple) for triple in listed.triples()]
        assert [q.subject.value for q in read.inverse] == [q.subject.value for q in listed.inverse]
        assert (read.pages, read.total) == (listed.pages, listed.total) == (pages, MENTIONS + ROLES)
    assert prepared.describe(PERSON, pages + 1) is None


def test_the_first_page_is_answered_without_the_store(folder: Path, tmp_path: Path) -> None:
    nothing = EmbeddedStore.open(EmbeddedStore.create(tmp_path / "store", []))
    assert Describer(nothing, BASE).describe(PERSON) is None
    described = Describer(nothing, BASE, Prepared(folder / FILE)).describe(PERSON)
    assert described is not None and described.string(PERSON, "sls:deathYearAHLatest") == "59"


def test_facts_beside_names(folder: Path, store: EmbeddedStore) -> None:
    plain, prepared = Describer(store, BASE), Describer(store, BASE, Prepared(folder / FILE))
    for name in FACTS:
        for iri in (PERSON, BASE + "person/nobody"):
            assert prepared.fact(iri, name) == plain.fact(iri, name)
    assert prepared.fact(PERSON, "deathYearAHLatest") == "59"


def test_parts_in_events_named_ones_first(folder: Path, store: EmbeddedStore) -> None:
    gathered = Prepared(folder / FILE).parts(PERSON)
    assert gathered == parts_of(store, PERSON)
    assert [(part.event.rpartition("/")[2], part.role, part.passages) for part in gathered] == [
        ("badr", "speaker", 2),
        ("badr", "hearer", 1),
        ("ontology#Speech", "speaker", 48),
        ("ontology#Speech", "hearer", 24),
    ]
    assert [report.split("/")[5] for report in gathered[2].reports] == ["4", "5", "7", "8", "10"]
    assert Prepared(folder / FILE).parts(BASE + "person/nobody") is None and parts_of(store, BASE + "person/nobody") == []


def test_the_same_store_gives_the_same_file(folder: Path, store: EmbeddedStore) -> None:
    first = (folder / FILE).read_bytes()
    prepare(folder, store, BASE)
    assert (folder / FILE).read_bytes() == first
