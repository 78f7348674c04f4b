"""Event reports against our own gold: detection by type, roles by person, named events; references only, no text.

A gold row names its passage (``source``, ``id``, ``sha256`` of the text) and lists ``reports``: type, the span of the word that
tells it, the named event where there is one, roles (person key, or a span where nobody is identified), and where the passage says so
the ``place`` (key) and the ``time`` (span) of the act. A report is found where one of ours has the same type and its span meets the
gold's, give or take five words; places and times are judged on the reports found, a place inferred from a named event left out.
"""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from kg.authority import load
from kg.extract.extractor import Extractor
from kg.extract.record import EventReport, Role
from kg.text import Passage, Words, fold

__all__ = ["score_reports"]

_SLACK = 5  # words


def score_reports(rows: Sequence[Mapping[str, Any]], *, rows_wrong: bool = False, part: str | None = None) -> dict[str, Any]:
    """Precision, recall and F1 of reports by type, of the roles of reports found, and of named events; rows whose
    text is not at hand are counted apart; ``part`` is ``development`` or ``held-out``, None for both."""
    from kg.evaluate.event_gold import passages_of

    extractor = Extractor(load())
    tally: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    by_type: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    wrong: list[dict[str, Any]] = []
    absent = read = 0
    texts = passages_of({row["source"] for row in rows})
    for row in rows:
        if part is not None and row["part"] != part:
            continue
        read += 1
        passage = texts.get((row["source"], row["id"]))
        if passage is None or hashlib.sha256(passage.text.encode()).hexdigest() != row["sha256"]:
            absent += 1
            continue
        ours = extractor.extract(passage).events
        wrong += _compare(passage, Words(passage.text), row, ours, tally, by_type)
    result: dict[str, Any] = {"rows": read - absent, "absent": absent}
    for name in ("types", "roles", "events", "places", "times"):
        result[name] = _figures(tally[name])
    result["by_type"] = {name: _figures(counts) for name, counts in sorted(by_type.items())}
    if rows_wrong:
        result["wrong"] = wrong
    return result


def _compare(
    passage: Passage,
    words: Words,
    row: Mapping[str, Any],
    ours: Iterable[EventReport],
    tally: dict[str, list[int]],
    by_type: dict[str, list[int]],
) -> list[dict[str, Any]]:
    wrong: list[dict[str, Any]] = []
    typed = [report for report in ours if report.status == "tells" or report.type == "Presence"]
    left = list(typed)
    for gold in row["reports"]:
        matching = [report for report in left if report.type == gold["type"] and _meet(words, report, gold)]
        if not matching:
            tally["types"][2] += 1
            by_type[gold["type"]][2] += 1
            wrong.append({"id": passage.id, "missed": gold["type"], "at": passage.text[gold["start"] : gold["end"] + 80]})
            continue
        best = max(matching, key=lambda report: _shared(passage.text, report.roles, gold["roles"]))
        left.remove(best)
        tally["types"][0] += 1
        by_type[gold["type"]][0] += 1
        shared = _shared(passage.text, best.roles, gold["roles"])
        people = [role for role in best.roles if role.person or role.value is None]
        tally["roles"][0] += shared
        tally["roles"][1] += len(people) - shared
        tally["roles"][2] += len(gold["roles"]) - shared
        _add(tally["places"], None if best.place_inferred else best.place, gold.get("place"))
        time, said = best.time, gold.get("time")
        met = time is not None and said is not None and time.start < said[1] and said[0] < time.end
        _add(tally["times"], "met" if met else time, "met" if met else said)
        if shared < max(len(people), len(gold["roles"])):
            wrong.append(
                {
                    "id": passage.id,
                    "roles": gold["type"],
                    "gold": gold["roles"],
                    "ours": [
                        (r.role, r.person or (passage.text[r.start : r.end] if r.start is not None else None)) for r in people
                    ],
                    "at": passage.text[gold["start"] : gold["end"] + 80],
                }
            )
    named = {*row.get("events", ()), *row.get("mentioned", ())}
    for report in left:
        if report.event in named:
            continue  # a named event that the gold names too is no false detection
        tally["types"][1] += 1
        by_type[report.type][1] += 1
        wrong.append({"id": passage.id, "extra": report.type, "at": passage.text[max(0, report.start - 30) : report.end + 60]})
    told = {report.event for report in ours if report.event and (report.status == "tells" or report.type == "Presence")}
    expected, free = set(row.get("events", ())), set(row.get("mentioned", ()))
    tally["events"][0] += len(told & expected)
    tally["events"][1] += len(told - expected - free)
    tally["events"][2] += len(expected - told)
    wrong += [{"id": passage.id, "event": key, "asserted": True} for key in told - expected - free]
    wrong += [{"id": passage.id, "event": key, "asserted": False} for key in expected - told]
    return wrong


def _add(counts: list[int], ours: object, gold: object) -> None:
    """One answer more: true, ours alone, the gold's alone; nothing on both sides counts as neither.

    >>> counts = [0, 0, 0]
    >>> for ours, gold in (("place/mecca", "place/mecca"), ("place/mecca", "place/mina"), (None, None)):
    ...     _add(counts, ours, gold)
    >>> counts
    [1, 1, 1]
    """
    counts[0] += ours is not None and ours == gold
    counts[1] += ours is not None and ours != gold
    counts[2] += gold is not None and ours != gold


def _meet(words: Words, report: EventReport, gold: Mapping[str, Any]) -> bool:
    first, last = words.at(gold["start"]), words.at(max(gold["start"], gold["end"] - 1))
    return words.at(report.start) <= last + _SLACK and words.at(report.end - 1) >= first - _SLACK


def _shared(text: str, roles: Sequence[Role], gold: Sequence[Mapping[str, Any]]) -> int:
    """How many gold roles ours fill: the same role and person, or where nobody is identified the same words."""
    left = list(roles)
    shared = 0
    for expected in gold:
        for role in left:
            if role.role != expected["role"]:
                continue
            if expected.get("person"):
                same = role.person == expected["person"]
            else:
                same = any(_one_name(name, fold(expected["surface"])) for name in _names(text, role))
            if same:
                left.remove(role)
                shared += 1
                break
    return shared


def _names(text: str, role: Role) -> list[str]:
    """What a role's player is called: by the words of its span, or else in the authority."""
    if role.start is not None and role.end is not None:
        return [fold(text[role.start : role.end])]
    person = load().persons.get(role.person or "")
    return [fold(name) for name in (person.name_ar, *person.surfaces)] if person is not None else []


def _one_name(ours: str, gold: str) -> bool:
    """Whether two surfaces are one name, longer or shorter: زينب بنت خزيمة, زينب بنت خزيمة بن الحارث."""
    ours, gold = (surface.removeprefix("ال").rstrip("ا") for surface in (ours, gold))
    return bool(ours and gold) and (ours.startswith(gold) or gold.startswith(ours))


def _figures(counts: Sequence[int]) -> dict[str, float | int]:
    true, ours, missed = counts
    precision, recall = true / max(1, true + ours), true / max(1, true + missed)
    return {
        "precision": round(precision, 4),
        "recall": round(recall, 4),
        "f1": round(2 * precision * recall / max(1e-9, precision + recall), 4),
        "gold": true + missed,
    }
