"""Agreement of two annotators of one gold (``bench/gold/passes``): references only, no texts.

``<task>.first.jsonl`` has the rows of the gold that adjudication changed, as the first annotator left them; ``<task>.second.jsonl``
the answers of the second, who had not seen the first's; the gold itself is what the adjudication made of both.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from kg.authority import load
from kg.evaluate.gold import gold_rows
from kg.text import fold

__all__ = ["agreement", "kappa"]

Row = Mapping[str, Any]
_NEAR = 40  # characters between two spans that may still tell the same event: some five words


def kappa(pairs: Iterable[tuple[Any, Any]]) -> float:
    """Cohen's kappa of two annotators' answers: agreement beyond chance.

    >>> kappa([("yes", "yes"), ("no", "no")])
    1.0
    >>> kappa([("yes", "yes"), ("yes", "no"), ("no", "yes"), ("no", "no")])
    0.0
    """
    answers = list(pairs)
    if not answers:
        return 1.0
    first, second = (Counter(pair[k] for pair in answers) for k in (0, 1))
    observed = sum(a == b for a, b in answers) / len(answers)
    by_chance = sum(first[answer] * second[answer] for answer in first) / len(answers) ** 2
    return 1.0 if by_chance == 1 else (observed - by_chance) / (1 - by_chance)


def agreement(gold: Path) -> dict[str, Any]:
    """Figures of the first annotator against the second, and of each against the adjudicated gold.

    ``gold``: ``events.jsonl``, ``parallels.jsonl`` or ``edges.jsonl`` with its folder ``passes`` beside it.
    """
    task = gold.stem
    compare, key = _TASKS[task]
    adjudicated = {key(row): row for row in gold_rows(gold)}
    first = adjudicated | {key(row): row for row in gold_rows(gold.parent / "passes" / f"{task}.first.jsonl")}
    second = {key(row): row for row in gold_rows(gold.parent / "passes" / f"{task}.second.jsonl")}
    result: dict[str, Any] = {
        "rows read twice": len(second),
        "rows changed": sum(first[k] != row for k, row in adjudicated.items()),
    }
    for name, (one, other) in {
        "first and second": (first, second),
        "first and adjudicated": (first, adjudicated),
        "second and adjudicated": (second, adjudicated),
    }.items():
        parts: dict[str, list[tuple[Row, Row]]] = defaultdict(list)
        for k in second:
            for part in {"all", str(adjudicated[k].get("part", "all"))}:
                parts[part].append((one[k], other[k]))
        result[name] = {part: compare(pairs) for part, pairs in sorted(parts.items())}
    return result


def _f1(true: int, first: int, second: int) -> dict[str, float | int]:
    """F1 of things both have, the first alone has, the second alone has: the same whichever of the two is called right."""
    return {
        "both": true,
        "first alone": first,
        "second alone": second,
        "f1": round(2 * true / max(1, 2 * true + first + second), 4),
    }


def _events(pairs: Sequence[tuple[Row, Row]]) -> dict[str, Any]:
    types, roles, named = [0, 0, 0], [0, 0, 0], [0, 0, 0]
    for one, other in pairs:
        left = list(other["reports"])
        for report in one["reports"]:
            alike = [
                mate
                for mate in left
                if mate["type"] == report["type"]
                and mate["start"] <= report["end"] + _NEAR
                and report["start"] <= mate["end"] + _NEAR
            ]
            if not alike:
                types[1] += 1
                continue
            mate = max(alike, key=lambda m: (_shared(report["roles"], m["roles"]), -abs(m["start"] - report["start"])))
            left.remove(mate)
            types[0] += 1
            both = _shared(report["roles"], mate["roles"])
            _add(roles, both, len(report["roles"]) - both, len(mate["roles"]) - both)
        types[2] += len(left)
        told, theirs = set(one["events"]), set(other["events"])
        _add(named, len(told & theirs), len(told - theirs - {*other["mentioned"]}), len(theirs - told - {*one["mentioned"]}))
    tells = kappa((bool(one["reports"]), bool(other["reports"])) for one, other in pairs)
    return {"types": _f1(*types), "roles": _f1(*roles), "named events": _f1(*named), "kappa, tells anything": round(tells, 3)}


def _add(counts: list[int], *more: int) -> None:
    for k, number in enumerate(more):
        counts[k] += number


def _shared(one: Sequence[Row], other: Sequence[Row]) -> int:
    left = list(other)
    for role in one:
        for mate in left:
            if role["role"] == mate["role"] and _one_player(role, mate):
                left.remove(mate)
                break
    return len(other) - len(left)


def _one_player(one: Row, other: Row) -> bool:
    if "person" in one and "person" in other:
        return bool(one["person"] == other["person"])
    return any(a.startswith(b) or b.startswith(a) for a in _called(one) for b in _called(other))


def _called(role: Row) -> list[str]:
    """What a player may be called, folded, without article and case: أبا سلمة, أبو سلمة."""
    if "surface" in role:
        names = [role["surface"]]
    else:
        person = load().persons.get(role["person"])
        names = [person.name_ar, *person.surfaces] if person is not None else []
    return [fold(name).removeprefix("ال").replace("ابا ", "ابو ").replace("ابي ", "ابو ").rstrip("ا") for name in names]


def _parallels(pairs: Sequence[tuple[Row, Row]]) -> dict[str, Any]:
    """Pairs that both decided: the same report or not, the same or a part or neither, and all grades; ``?`` is counted apart."""
    decided = [(one["grade"], other["grade"]) for one, other in pairs if "?" not in (one["grade"], other["grade"])]
    kinds = {"same report": _IS_SAME, "same, part, other": _IS_SAME | {"P": "part"}, "all grades": {}}
    result: dict[str, Any] = {"pairs": len(pairs), "decided by both": len(decided)}
    for name, kind in kinds.items():
        answers = [
            (kind.get(one, one if not kind else "other"), kind.get(other, other if not kind else "other"))
            for one, other in decided
        ]
        result[name] = {"agree": sum(one == other for one, other in answers), "kappa": round(kappa(answers), 3)}
    return result


_IS_SAME = {"W": "same", "R": "same"}


def _edges(pairs: Sequence[tuple[Row, Row]]) -> dict[str, Any]:
    """Mentions by where they start and edges between them; a person who may or may not count as reached is left out of both."""
    mentions, edges, whole = [0, 0, 0], [0, 0, 0], 0
    for one, other in pairs:
        optional = {start for row in (one, other) for start, _, *flag in row["mentions"] if "optional" in flag}
        named = [{start for start, *_ in row["mentions"]} - optional for row in (one, other)]
        drawn = [{(row["mentions"][a][0], row["mentions"][b][0]) for a, b in row["edges"]} for row in (one, other)]
        drawn = [{edge for edge in each if not optional & {*edge}} for each in drawn]
        for counts, (first, second) in ((mentions, named), (edges, drawn)):
            _add(counts, len(first & second), len(first - second), len(second - first))
        whole += named[0] == named[1] and drawn[0] == drawn[1]
    return {"mentions": _f1(*mentions), "edges": _f1(*edges), "whole graph": round(whole / max(1, len(pairs)), 4)}


def _pair(row: Row) -> tuple[str, str]:
    return row["a"], row["b"]


def _passage(row: Row) -> tuple[str, str]:
    return row["source"], row["id"]


_TASKS: dict[str, tuple[Callable[[Sequence[tuple[Row, Row]]], dict[str, Any]], Callable[[Row], tuple[str, str]]]] = {
    "events": (_events, _passage),
    "parallels": (_parallels, _pair),
    "edges": (_edges, _passage),
}
