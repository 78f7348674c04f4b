"""Two annotators of our own gold: their files fit the gold, and what was changed is told."""

import csv
import json
from pathlib import Path

import pytest

from kg import authority
from kg.evaluate.agreement import agreement, kappa
from kg.evaluate.gold import gold_rows

GOLD = Path(__file__).parents[2] / "bench/gold"
PASSES = GOLD / "passes"
READ_TWICE = sorted(path.name.partition(".")[0] for path in PASSES.glob("*.second.jsonl"))
CLASSES = {
    line.split("\t")[0]
    for line in (Path(authority.__file__).parents[1] / "extract/tables/event_classes.tsv")
    .read_text(encoding="utf-8")
    .splitlines()
    if not line.startswith("#")
}


def _key(row: dict[str, str]) -> tuple[str, str]:
    return (row["a"], row["b"]) if "a" in row else (row["source"], row["id"])


@pytest.mark.parametrize("task", READ_TWICE)
def test_the_passes_are_of_rows_of_the_gold(task: str) -> None:
    gold = {_key(row): row for row in gold_rows(GOLD / f"{task}.jsonl")}
    for which in ("first", "second"):
        rows = [_key(row) for row in gold_rows(PASSES / f"{task}.{which}.jsonl")]
        assert rows and len(set(rows)) == len(rows) and set(rows) <= set(gold)
    assert all(gold[_key(row)] != row for row in gold_rows(PASSES / f"{task}.first.jsonl"))


@pytest.mark.parametrize("task", READ_TWICE)
def test_every_row_changed_has_its_reason(task: str) -> None:
    with (PASSES / "adjudicated.tsv").open(encoding="utf-8", newline="") as lines:
        told = list(csv.DictReader((line for line in lines if not line.startswith("#")), dialect="excel-tab"))
    assert all(row["change"] and row["reason"] for row in told)
    changed = {" ".join(_key(row)) for row in gold_rows(PASSES / f"{task}.first.jsonl")}
    assert {f"{row['source']} {row['id']}" for row in told if row["gold"] == task} == changed


@pytest.mark.parametrize(
    "path", [GOLD / "events.jsonl", GOLD / "events_unseen.jsonl", PASSES / "events.second.jsonl"], ids=lambda path: path.name
)
def test_reports_stand_in_order_and_name_what_there_is(path: Path) -> None:
    known = authority.load()
    for row in gold_rows(path):
        spans = [(report["start"], report["end"]) for report in row["reports"]]
        assert spans == sorted(spans) and all(0 <= start < end for start, end in spans), row["id"]
        assert {report["type"] for report in row["reports"]} <= CLASSES
        assert {role["person"] for report in row["reports"] for role in report["roles"] if "person" in role} <= set(known.persons)
        assert {*row["events"], *row["mentioned"]} <= set(known.events)
        assert {report["place"] for report in row["reports"] if "place" in report} <= set(known.places)
        assert all(start < end for start, end in (report["time"] for report in row["reports"] if "time" in report))
        assert not {*row["events"]} & {*row["mentioned"]}


def test_the_annotators_agree_as_far_as_is_told() -> None:
    """The floor is under what docs/quality says: a gold or a pass that is spoilt falls through it."""
    events, parallels, edges = (
        agreement(GOLD / f"{task}.jsonl")["first and second"] for task in ("events", "parallels", "edges")
    )
    assert events["all"]["types"]["f1"] > 0.9 and events["all"]["roles"]["f1"] > 0.92
    assert events["held-out"]["kappa, tells anything"] > 0.92
    assert parallels["all"]["same report"]["kappa"] > 0.94 and parallels["held"]["same, part, other"]["kappa"] > 0.94
    assert edges["all"]["mentions"]["f1"] > 0.99 and edges["all"]["edges"]["f1"] > 0.98 and edges["all"]["whole graph"] > 0.95


def test_one_annotator_agrees_with_himself(tmp_path: Path) -> None:
    row = {"source": "x", "id": "1", "events": [], "mentioned": [], "part": "held-out"}
    report = {"type": "Death", "start": 5, "end": 9, "roles": [{"role": "deceased", "surface": "رجل"}]}
    (tmp_path / "passes").mkdir()
    for name, reports in (("events", [report]), ("passes/events.second", [report]), ("passes/events.first", [])):
        (tmp_path / f"{name}.jsonl").write_text(json.dumps(row | {"reports": reports}) + "\n", encoding="utf-8")
    figures = agreement(tmp_path / "events.jsonl")
    assert figures["second and adjudicated"]["held-out"]["types"]["f1"] == 1
    assert figures["first and second"]["all"]["types"] == {"both": 0, "first alone": 0, "second alone": 1, "f1": 0}
    assert figures["first and second"]["all"]["kappa, tells anything"] == 0


def test_kappa_of_no_answers_and_of_one_answer_only() -> None:
    assert kappa([]) == kappa([(1, 1), (1, 1)]) == 1
    assert kappa([(1, 2), (2, 1)]) == -1


def test_grades_are_compared_as_three_kinds(tmp_path: Path) -> None:
    (tmp_path / "passes").mkdir()
    grades = {"parallels": "WSP?", "passes/parallels.second": "RNPR"}
    for name, each in grades.items():
        rows = ({"a": "x", "b": str(k), "grade": grade} for k, grade in enumerate(each))
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    (tmp_path / "passes/parallels.first.jsonl").write_text("", encoding="utf-8")
    figures = agreement(tmp_path / "parallels.jsonl")["first and second"]["all"]
    assert (figures["pairs"], figures["decided by both"]) == (4, 3)
    assert figures["same, part, other"] == {"agree": 3, "kappa": 1.0} and figures["all grades"]["agree"] == 1


def test_edges_are_those_of_the_same_words_whatever_their_number(tmp_path: Path) -> None:
    (tmp_path / "passes").mkdir()
    one = {"source": "x", "id": "1", "mentions": [[0, 4], [9, 12]], "edges": [[0, 1]]}
    other = one | {"mentions": [[0, 4], [5, 8, "optional"], [9, 12]], "edges": [[0, 1], [0, 2]]}
    for name, row in (("edges", one), ("passes/edges.second", other)):
        (tmp_path / f"{name}.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    (tmp_path / "passes/edges.first.jsonl").write_text("", encoding="utf-8")
    figures = agreement(tmp_path / "edges.jsonl")["first and second"]["all"]
    assert (figures["edges"]["f1"], figures["whole graph"]) == (1, 1)


@pytest.mark.parametrize("name", ["parallels", "parallels_unseen"])
def test_pairs_stand_once_with_a_known_grade(name: str) -> None:
    rows = list(gold_rows(GOLD / f"{name}.jsonl"))
    assert len({frozenset((row["a"], row["b"])) for row in rows}) == len(rows)
    assert {row["grade"] for row in rows} <= set("WRPSFN?") and all(len(row["a_sha256"]) == 64 for row in rows)


@pytest.mark.parametrize("name", ["edges", "edges_unseen"])
def test_edges_go_from_mention_to_mention(name: str) -> None:
    for row in gold_rows(GOLD / f"{name}.jsonl"):
        starts = [start for start, *_ in row["mentions"]]
        assert starts == sorted(set(starts)) and all(start < end for start, end, *_ in row["mentions"]), row["id"]
        assert all(0 <= k < len(starts) for edge in row["edges"] for k in edge) and row["edges"] == sorted(row["edges"])
