"""The client on good and bad days of a service: who asks is said, Retry-After kept, nothing but SPARQL results taken for an answer."""

from pathlib import Path

import pytest
from wikidata_servers import moody_server

from kg.link.wikidata import ServiceError, Snapshot, TryLater, WikidataService

ONE = [{"a": "one"}]
CONTACT = "mail@example.org"


def service(address: str, waits: list[float], **settings: object) -> WikidataService:
    return WikidataService(address, CONTACT, sleep=waits.append, **settings)  # type: ignore[arg-type]


def test_who_asks_is_said() -> None:
    with moody_server("who") as (address, seen):
        assert service(address, []).select("SELECT ?a {}") == ONE
        assert CONTACT in seen[0]["agent"]
        assert "json" in seen[0]["accept"]
        with pytest.raises(ServiceError, match="--contact"):
            WikidataService(address).select("SELECT ?a {}")
        assert len(seen) == 1  # nothing is asked without a contact


def test_refused_agent_is_not_asked_again() -> None:
    with moody_server("403") as (address, seen):
        with pytest.raises(ServiceError, match=r"403.*contact"):
            service(address, []).select("SELECT ?a {}")
        assert len(seen) == 1


@pytest.mark.parametrize("status", ["429", "503"])
def test_retry_after_is_kept(status: str) -> None:
    waits: list[float] = []
    with moody_server(status, "ok", headers={"Retry-After": "7"}) as (address, seen):
        assert service(address, waits, pause=1).select("SELECT ?a {}") == ONE
    assert len(seen) == 2
    assert waits == [7.0, 1]


def test_a_service_that_wants_a_month_of_silence_is_left_alone() -> None:
    waits: list[float] = []
    month = {"Retry-After": str(30 * 86400)}
    with moody_server("429", headers=month) as (address, seen), pytest.raises(TryLater, match="2592000 seconds") as told:
        service(address, waits).select("SELECT ?a {}")
    assert (len(seen), waits, told.value.seconds) == (1, [], 2592000)


def test_waits_grow_where_nothing_is_said() -> None:
    waits: list[float] = []
    with moody_server("429") as (address, seen), pytest.raises(ServiceError, match="4 times"):
        service(address, waits, pause=0).select("SELECT ?a {}")
    assert len(seen) == 4
    assert [wait for wait in waits if wait] == [10.0, 20.0, 40.0]


def test_html_with_status_200_is_no_answer() -> None:
    with moody_server("html") as (address, seen):
        with pytest.raises(ServiceError, match=r"text/html.*wireless"):
            service(address, []).select("SELECT ?a {}")
        assert len(seen) == 1


@pytest.mark.parametrize("day", ["cut", "broken-off"])
def test_an_answer_cut_off_is_asked_for_again(day: str) -> None:
    with moody_server(day, "ok") as (address, seen):
        assert service(address, []).select("SELECT ?a {}") == ONE
        assert len(seen) == 2
    with moody_server(day) as (address, seen), pytest.raises(ServiceError, match="2 times"):
        service(address, [], attempts=2).select("SELECT ?a {}")


def test_silence_is_not_waited_for_for_ever() -> None:
    with moody_server("late", "ok") as (address, seen):
        assert service(address, [], timeout=1).select("SELECT ?a {}") == ONE
        assert len(seen) >= 2  # a slow machine may be silent twice


def test_nobody_there() -> None:
    with pytest.raises(ServiceError, match="cannot be reached"):
        service("http://127.0.0.1:9/sparql", []).select("SELECT ?a {}")


def test_answers_are_kept_and_not_asked_for_again(tmp_path: Path) -> None:
    with moody_server("ok", "500") as (address, seen):
        first = service(address, [], cache=tmp_path)
        assert first.select("SELECT ?a {}") == ONE
        again = service(address, [], cache=tmp_path)
        assert again.select("SELECT ?a {}") == ONE
        assert len(seen) == 1
        with pytest.raises(ServiceError, match="refused the query"):
            again.select("SELECT ?b {}")
    assert [path.suffix for path in tmp_path.rglob("*") if path.is_file()] == [".json"]


def test_a_snapshot_answers_as_the_service_does() -> None:
    from wikidata_servers import DATA

    assert Snapshot(DATA).select("SELECT ?item { ?item wdt:P31 wd:Q32815 }") == [
        {"item": "http://www.wikidata.org/entity/Q900000002"}
    ]
    with pytest.raises(ServiceError, match="not there"):
        Snapshot(DATA.with_name("nothing.ttl"))


def test_a_snapshot_that_is_no_rdf(tmp_path: Path) -> None:
    path = tmp_path / "page.ttl"
    path.write_text("<html>", encoding="utf-8")
    with pytest.raises(ServiceError, match="cannot be read"):
        Snapshot(path)
