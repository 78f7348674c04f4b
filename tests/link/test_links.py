"""Proposals, checks and exchange over a real SPARQL server with data of Wikidata's shape."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner
from wikidata_servers import DATA, moody_server

from kg.authority import load
from kg.link.candidates import Item
from kg.link.commands import link as command
from kg.link.exchange import read_exchange, to_quickstatements, to_sssom
from kg.link.features import compare
from kg.link.proposals import Proposal, propose
from kg.link.subjects import Subject, ce_years, subject_of
from kg.link.table import LinkRecord, load_links
from kg.link.verify import check_offline, verify
from kg.link.wikidata import ReconciliationService, ServiceError, Snapshot, WikidataService

BASE = "https://w3id.org/silsila/"


def record(subject: str, qid: str, status: str = "accepted", confidence: str = "high") -> LinkRecord:
    return LinkRecord(subject, qid, "skos:exactMatch", "label", "evidence", "2026-01-01", "editors", confidence, status, 7)


def service(endpoint: str) -> WikidataService:
    return WikidataService(endpoint, "mail@example.org", pause=0)


def asked(keys: Sequence[str], endpoint: str, links: Sequence[LinkRecord] = ()) -> tuple[list[Proposal], list[Proposal]]:
    subjects = [subject for key in keys if (subject := subject_of(key, load(), {})) is not None]
    assert len(subjects) == len(keys)
    disproved: list[Proposal] = []
    return list(propose(subjects, service(endpoint), links, disproved=disproved)), disproved


def test_the_scholar_and_not_the_mosque_of_his_name(endpoint: str) -> None:
    found, disproved = asked(["person/al-zuhri"], endpoint)
    assert [proposal.item.qid for proposal in found] == ["Q900000001"]
    verdicts = {feature.name: feature.verdict for feature in found[0].features}
    assert verdicts == dict.fromkeys(("kind", "name", "death", "sex", "father", "occupation"), "supports")
    assert found[0].confidence == "medium"
    # a man of three centuries later and a woman are disproved; mosque and disambiguation page are not even asked for
    assert {proposal.item.qid for proposal in disproved} == {"Q900000004", "Q900000005"}
    reasons = {proposal.item.qid: [f.name for f in proposal.features if f.verdict == "disproves"] for proposal in disproved}
    assert reasons == {"Q900000004": ["death"], "Q900000005": ["sex"]}


def test_two_men_of_one_name_are_told_apart_by_their_deaths(endpoint: str) -> None:
    found, disproved = asked(["person/sufyan-b-uyayna"], endpoint)
    assert [proposal.item.qid for proposal in found] == ["Q900000006"]
    assert [proposal.item.qid for proposal in disproved] == ["Q900000007"]


def test_the_battle_and_its_town(endpoint: str) -> None:
    found, disproved = asked(["event/battle-of-badr", "place/badr"], endpoint)
    assert [(p.subject.key, p.item.qid) for p in found if p.subject.kind == "event"] == [
        ("event/battle-of-badr", "Q900000010"),
        ("event/battle-of-badr", "Q900000014"),
    ]
    assert {p.item.qid for p in found if p.subject.kind == "place"} <= {"Q900000011", "Q900000012"}
    here = Subject("place/badr", "place", ("Badr",), latitude=23.78, longitude=38.79)
    disproved = []
    near = list(propose([here], service(endpoint), (), disproved=disproved))
    assert [proposal.item.qid for proposal in near] == ["Q900000011"]
    assert [proposal.item.qid for proposal in disproved] == ["Q900000012"]


def test_what_is_taken_or_rejected_does_not_come_back(endpoint: str) -> None:
    links = [record("person/al-zuhri", "Q900000001", "rejected"), record("person/malik-b-anas", "Q900000006")]
    found, _ = asked(["person/al-zuhri", "person/sufyan-b-uyayna"], endpoint, links)
    assert found == []


def test_a_reconciliation_service_offers_further_candidates(endpoint: str) -> None:
    renamed = Subject("person/al-zuhri", "person", ("Another name of his",), (742, 743), True, "m")
    assert list(propose([renamed], service(endpoint), ())) == []
    with moody_server("429", "reconcile", headers={"Retry-After": "0"}) as (address, seen):
        more = ReconciliationService(address, service(endpoint))
        found = list(propose([renamed], service(endpoint), (), reconciliation=more))
    assert [proposal.item.qid for proposal in found] == ["Q900000001"]
    assert {f.name: f.verdict for f in found[0].features}["name"] == "contradicts"
    assert len(seen) == 2
    assert "mail@example.org" in seen[0]["agent"]
    for day in ("html", "ok"):
        with moody_server(day) as (address, _), pytest.raises(ServiceError, match=r"check the address|something else"):
            ReconciliationService(address, service(endpoint)).candidates({"a": "b"}, "Q5")


def test_teachers_and_students_of_the_chains_speak_for_an_item(tmp_path: Path) -> None:
    from kg.link.facts import Facts
    from kg.link.subjects import with_neighbours
    from kg.store.embedded import EmbeddedStore

    lines = [
        f"<{BASE}person/{one}> <https://w3id.org/silsila/ontology#narratedFrom> <{BASE}person/{other}> <{BASE}graph/statistics> ."
        for one, other in (("al-zuhri", "anas-b-malik"), ("malik-b-anas", "al-zuhri"), ("malik-b-anas", "nafi-mawla-ibn-umar"))
    ]
    file = tmp_path / "chains.nq"
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    facts = Facts(EmbeddedStore.open(EmbeddedStore.create(tmp_path / "store", [file])), BASE)
    alone = subject_of("person/al-zuhri", load(), {})
    assert alone is not None
    linked = {"person/anas-b-malik": "Q11", "person/malik-b-anas": "Q12", "person/nafi-mawla-ibn-umar": "Q13"}
    subject = with_neighbours(alone, facts, linked)
    assert (subject.teachers, subject.students) == ({"Q11"}, {"Q12"})
    item = Item("Q1", ("الزهري",), {"types": ("Q5",), "teachers": ("Q11", "Q99"), "students": ("Q98",)})
    verdicts = {feature.name: feature.verdict for feature in compare(subject, item)}
    assert verdicts["teachers"] == "supports"
    assert "students" not in verdicts  # nobody known on both sides says nothing


def test_years_of_the_two_calendars() -> None:
    assert (ce_years(11), ce_years(256), ce_years(676)) == ((632, 633), (869, 870), (1277, 1278))


def test_generation_stands_in_for_a_year_of_death() -> None:
    person = next(p for p in load().persons.values() if p.tabaqa == 7 and p.death is None)
    subject = subject_of(person.key, load(), {})
    assert subject is not None

    def verdict(year: int) -> str:
        item = Item("Q1", ("x",), {"types": ("Q5",), "deaths": (f"{year:04}-01-01T00:00:00Z",)})
        return next(feature.verdict for feature in compare(subject, item) if feature.name == "death")

    assert [verdict(year) for year in (790, 860, 960, 1500, 500)] == [
        "supports",
        "contradicts",
        "disproves",
        "disproves",
        "disproves",
    ]


def test_our_links_stand_up_offline() -> None:
    links = load_links()
    assert len(links) >= 160
    assert check_offline(links, load()) == []
    assert "person/yahya-b-said-al-qattan" in load().persons


@pytest.mark.parametrize(
    ("row", "kind"),
    [
        (record("person/nobody-at-all", "Q1"), "subject"),
        (record("sura/115", "Q1"), "subject"),
        (record("person/al-zuhri", "Q5001"), "death"),
        (record("person/al-zuhri", "Q1", confidence="low"), "confidence"),
        (record("person/al-zuhri", "Q1", confidence="sure"), "confidence"),
    ],
)
def test_offline_checks_find(row: LinkRecord, kind: str) -> None:
    assert [finding.kind for finding in check_offline([row], load(), {"Q5001": 1100})] == [kind]


def test_verification_against_a_service(endpoint: str) -> None:
    links = [
        record("person/al-zuhri", "Q900000001"),
        record("person/sufyan-b-uyayna", "Q900000020"),
        record("person/malik-b-anas", "Q900000022"),
        record("person/aisha", "Q900000021"),
        record("person/abu-bakr", "Q999999999"),
        record("person/umar-b-al-khattab", "Q900000002"),
        record("person/abu-hurayra", "Q900000003", "rejected"),
    ]
    found = {(finding.subject, finding.kind) for finding in verify(links, load(), service(endpoint))}
    assert found == {
        ("person/sufyan-b-uyayna", "redirect"),
        ("person/malik-b-anas", "death"),
        ("person/aisha", "type"),
        ("person/abu-bakr", "deleted"),
        ("person/umar-b-al-khattab", "type"),
    }
    assert {(f.subject, f.kind) for f in verify(links, load(), Snapshot(DATA))} == found


def test_links_for_other_tools() -> None:
    links = [
        record("person/al-zuhri", "Q1"),
        record("place/badr", "Q2", "proposed", "low"),
        record("place/mecca", "Q3", "rejected"),
    ]
    assert to_quickstatements(links, BASE) == f'Q1\tP2888\t"{BASE}person/al-zuhri"\n'
    lines = to_sssom(links, BASE).splitlines()
    head = [line for line in lines if line.startswith("#")]
    rows = [dict(zip(lines[len(head)].split("\t"), line.split("\t"), strict=True)) for line in lines[len(head) + 1 :]]
    assert "#  silsila: https://w3id.org/silsila/" in head
    assert [(row["subject_id"], row["predicate_id"], row["object_id"]) for row in rows] == [
        ("silsila:person/al-zuhri", "skos:exactMatch", "wd:Q1"),
        ("silsila:place/badr", "skos:closeMatch", "wd:Q2"),
    ]


def test_what_goes_out_comes_back_in(tmp_path: Path) -> None:
    path = tmp_path / "links.sssom.tsv"
    path.write_text(to_sssom(load_links(), BASE), encoding="utf-8")
    taken, refused = read_exchange(path, BASE, load(), [], "2026-01-01")
    assert refused == []
    assert {(one.subject, one.qid) for one in taken} == {
        (one.subject, one.qid) for one in load_links() if one.status != "rejected"
    }
    assert {one.status for one in taken} == {"proposed"}
    again, refused = read_exchange(path, BASE, load(), load_links(), "2026-01-01")
    assert again == []
    assert len(refused) == len(taken)


def test_links_from_openrefine_are_checked(tmp_path: Path, endpoint: str) -> None:
    path = tmp_path / "export.csv"
    path.write_text(
        "IRI,Name,Matched ID\n"
        f"{BASE}person/al-zuhri,الزهري,Q900000001\n"
        "person/sufyan-b-uyayna,Sufyan,http://www.wikidata.org/entity/Q900000007\n"
        "person/malik-b-anas,Malik,https://www.wikidata.org/wiki/Q900000020\n"
        "person/nobody,Nobody,Q900000006\n"
        "person/aisha,Aisha,P31\n"
        "person/abu-bakr,Abu Bakr,\n",
        encoding="utf-8",
    )
    taken, refused = read_exchange(path, BASE, load(), [], "2026-01-01", service(endpoint))
    assert [(one.subject, one.qid) for one in taken] == [("person/al-zuhri", "Q900000001")]
    assert "death supports" in taken[0].evidence
    said = {row.line: row.said for row in refused}
    assert set(said) == {3, 4, 5, 6}
    assert "death disproves" in said[3]
    assert "merged into Q900000001" in said[4]


def test_the_command_proposes_resumes_and_checks(tmp_path: Path, endpoint: str) -> None:
    run = CliRunner().invoke
    cache, out = str(tmp_path / "cache"), tmp_path / "proposals.tsv"
    asking = ["--endpoint", endpoint, "--contact", "mail@example.org", "--cache", cache, "--pause", "0", "--out", str(out)]
    empty = tmp_path / "links.tsv"
    empty.write_text("subject\tqid\tpredicate\tlabel_seen\tevidence\tdate\treviewer\tconfidence\tstatus\n", encoding="utf-8")
    wanted = ["--only", "person/al-zuhri", "--only", "event/battle-of-badr", "--table", str(empty)]
    result = run(command, [*asking, *wanted])
    assert result.exit_code == 0, result.output
    assert [row.qid for row in load_links(out)] == ["Q900000001", "Q900000010", "Q900000014"]
    first = out.read_text("utf-8")
    with moody_server("500") as (address, seen):  # everything is in the cache but for the address
        assert run(command, ["--snapshot", str(DATA), "--out", str(out), *wanted]).exit_code == 0
        assert seen == []
        broken = run(command, ["--endpoint", address, "--contact", "mail@example.org", "--pause", "0", *wanted])
        assert broken.exit_code == 1
        assert "Traceback" not in broken.output
    assert run(command, [*asking, *wanted]).exit_code == 0
    assert out.read_text("utf-8") == first


def test_exit_codes_of_the_command(tmp_path: Path) -> None:
    run = CliRunner().invoke
    assert run(command, ["--check"]).exit_code == 0
    found = run(command, ["--verify", "--snapshot", str(DATA), "--json"])
    assert found.exit_code == 1
    assert len(json.loads(found.stdout)) > 100
    assert run(command, ["--verify", "--cache", str(tmp_path)]).exit_code == 1  # no contact
    assert run(command, ["--check", "--export", "sssom"]).exit_code == 2
    assert run(command, ["--only", "person/nobody", "--snapshot", str(DATA)]).exit_code == 2
    assert run(command, ["--export", "quickstatements"]).stdout.startswith("Q")
    nothing = tmp_path / "nothing.csv"
    nothing.write_text("", encoding="utf-8")
    answer = run(command, ["--from", str(nothing)])
    assert (answer.exit_code, "empty" in answer.output) == (1, True)
