"""How well narrators are identified: against the persons of Ibn Maja's chains, as the gold's README says."""

import csv
import dataclasses
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kg.authority import load
from kg.authority.model import Authority
from kg.evaluate.gold import gold_rows
from kg.extract.isnad import IsnadReader
from kg.extract.record import NarratorMention, Record
from kg.identify.claims import Identification
from kg.identify.narrators import identify
from kg.text import Passage, Words, fold

__all__ = ["linked_share", "score"]

EXEMPT = {"ibnmaja:293", "ibnmaja:854", "ibnmaja:2702", "ibnmaja:3143"}
"""Rows whose gold follows another reading of the text."""
_BINS = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 1.01)


@dataclass(frozen=True, slots=True)
class _Row:
    """One mention of the gold with our answer: ``best`` is the likeliest person, ``asserted`` the one we assert."""

    passage: str
    plain: str
    person: int
    known: bool
    best: str | None
    asserted: str | None
    confidence: float
    kin: str | None
    of_amr: bool


def score(gold_path: Path, *, rows_wrong: bool = False) -> dict[str, Any]:
    """Scores against ``narrators/identity.jsonl``; the texts stand in ``segmentation.jsonl`` beside it.

    ``own`` scores our own reading of the texts (a mention we did not read is not right), ``gold_spans`` the same with the gold's
    names. ``right`` counts what is asserted and right; ``right_best`` the likeliest person even where left open.
    Our persons are mapped to the gold's one to one, the most frequent meetings first.
    """
    gold = _gold(gold_path)
    texts = _texts(gold_path.with_name("segmentation.jsonl"), gold)
    authority = load()
    reader = IsnadReader()
    own: list[Record] = []
    marked: list[Record] = []
    for key, text in texts.items():
        passage = Passage(key, text, source=key.partition(":")[0])
        record = Record(passage, *reader.read(Words(text), passage))
        own.append(record)
        marked.append(_with_spans(record, gold[key]) if key in gold else record)
    anchors = _anchors(gold_path.with_name("seed_chains.tsv"))
    figures: dict[str, Any] = {"task": "identity"}
    for name, records in (("own", own), ("gold_spans", marked)):
        decided = identify(records, authority)
        rows = list(_rows(gold, {record.passage.id: record for record in records}, decided))
        figures[name], wrong = _figures(rows, anchors, authority)
        if rows_wrong and name == "own":
            figures["wrong"] = wrong
    return figures


def _gold(path: Path) -> dict[str, list[dict[str, Any]]]:
    return {row["id"]: row["narrators"] for row in gold_rows(path) if row["id"] not in EXEMPT}


def _texts(path: Path, gold: Mapping[str, Any]) -> dict[str, str]:
    return {row["id"]: row["text"] for row in gold_rows(path) if row["id"] in gold}


def _anchors(path: Path) -> dict[int, int]:
    """Taqrib numbers of gold persons that are known for certain: those of the seed chains."""
    if not path.is_file():
        return {}
    with path.open(encoding="utf-8") as lines:
        rows = csv.DictReader(lines, delimiter="\t")
        return {int(row["arsanad_full_id"]): int(row["taqrib_no"]) for row in rows if row["taqrib_no"] and row["arsanad_full_id"]}


def _overlapping(record: Record, start: int, end: int) -> int | None:
    best: tuple[int, int] | None = None
    for i, mention in enumerate(record.narrators):
        shared = min(mention.end, end) - max(mention.start, start)
        if shared > 0 and (best is None or shared > best[0]):
            best = (shared, i)
    return best[1] if best else None


def _with_spans(record: Record, narrators: Sequence[Mapping[str, Any]]) -> Record:
    """The record read anew where our spans differ from the gold's: its names in a row, each from the next, و joining two."""
    ours = [_overlapping(record, n["start"], n["end"]) for n in narrators]
    if None not in ours and len(set(ours)) == len(ours):
        return record
    text = record.passage.text
    mentions: list[NarratorMention] = []
    for n, place in zip(narrators, ours, strict=True):
        like = record.narrators[place] if place is not None else None
        surface = text[n["start"] : n["end"]]
        if like is not None and like.surface == surface:
            mentions.append(dataclasses.replace(like, kin_of=len(mentions) - 1 if like.kin and mentions else None))
        else:
            mentions.append(_mention(n["start"], n["end"], surface, n["plain"]))
    linked = []
    for i, mention in enumerate(mentions):
        teacher = i + 1
        while teacher < len(mentions) and _joined(text, mentions[teacher - 1], mentions[teacher]):
            teacher += 1
        linked.append(dataclasses.replace(mention, received_from=(teacher,) if teacher < len(mentions) else ()))
    return Record(record.passage, tuple(linked), record.isnads)


def _joined(text: str, one: NarratorMention, other: NarratorMention) -> bool:
    between = Words(text[one.end : other.start]).folded
    return fold(other.surface).startswith("و") and not between


def _mention(start: int, end: int, surface: str, plain: str) -> NarratorMention:
    from kg.extract.names import name_parts
    from kg.extract.word_classes import WordClasses

    name = plain.removeprefix("و") if fold(surface).startswith("و") and len(plain) > 4 else plain
    words = Words(name)
    parts = name_parts(name.split(), WordClasses.load().code(words.folded)) if len(name.split()) == len(words) else {}
    return NarratorMention(start, end, surface, name=parts)


def _rows(gold: Mapping[str, Any], records: Mapping[str, Record], decided: Identification) -> Iterable[_Row]:
    for key, narrators in gold.items():
        record = records[key]
        claims = decided.claims(key)
        of_amr = any("عمرو بن شعيب" in n["plain"] for n in narrators)
        for n in narrators:
            place = _overlapping(record, n["start"], n["end"])
            standing = claims.get(place, ()) if place is not None else ()
            best = standing[0] if standing else None
            winner = next((claim for claim in standing if claim.winner), None)
            yield _Row(
                key,
                n["plain"],
                n["person"],
                bool(n["known"]),
                best.person if best else None,
                winner.person if winner else None,
                best.confidence if best else 0.0,
                _kin(n["plain"]),
                of_amr,
            )


def _kin(plain: str) -> str | None:
    folded = fold(plain)
    if folded in {"ابيه", "ابيها", "اباه"}:
        return "father"
    return "grandfather" if folded in {"جده", "جدي", "جدها"} else None


def _one_to_one(rows: Sequence[_Row]) -> dict[str, int]:
    met: Counter[tuple[str, int]] = Counter((row.best, row.person) for row in rows if row.best)
    mapping: dict[str, int] = {}
    taken: set[int] = set()
    for (ours, theirs), _ in sorted(met.items(), key=lambda item: (-item[1], item[0])):
        if ours not in mapping and theirs not in taken:
            mapping[ours] = theirs
            taken.add(theirs)
    return mapping


def _figures(
    rows: Sequence[_Row], anchors: Mapping[int, int], authority: Authority
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    mapping = _one_to_one(rows)
    bearers: dict[str, Counter[int]] = defaultdict(Counter)
    for row in rows:
        bearers[row.plain][row.person] += 1
    hard = {plain for plain, who in bearers.items() if who.most_common(1)[0][1] < 0.9 * sum(who.values())}

    def right(row: _Row) -> bool:
        return row.asserted is not None and mapping.get(row.asserted) == row.person

    def right_best(row: _Row) -> bool:
        return row.best is not None and mapping.get(row.best) == row.person

    def share(chosen: Iterable[_Row]) -> dict[str, Any]:
        chosen = list(chosen)
        count = len(chosen) or 1
        return {
            "mentions": len(chosen),
            "right": sum(map(right, chosen)) / count,
            "right_best": sum(map(right_best, chosen)) / count,
            "open": sum(row.asserted is None for row in chosen) / count,
        }

    by_passage: dict[str, list[_Row]] = defaultdict(list)
    for row in rows:
        by_passage[row.passage].append(row)
    asserted = [row for row in rows if row.asserted is not None]
    anchored = [row for row in rows if row.person in anchors and row.best is not None]
    figures: dict[str, Any] = {
        "all": share(rows),
        "known": share(row for row in rows if row.known),
        "hard": share(row for row in rows if row.plain in hard),
        "abihi": share(row for row in rows if row.kin == "father" and not row.of_amr),
        "jaddihi": share(row for row in rows if row.kin == "grandfather" and not row.of_amr),
        "abihi_with_amr": share(row for row in rows if row.kin == "father"),
        "jaddihi_with_amr": share(row for row in rows if row.kin == "grandfather"),
        "chains": len(by_passage),
        "chains_right": sum(all(map(right, chain)) for chain in by_passage.values()) / max(1, len(by_passage)),
        "chains_right_best": sum(all(map(right_best, chain)) for chain in by_passage.values()) / max(1, len(by_passage)),
        "asserted_wrong": sum(not right(row) for row in asserted) / max(1, len(asserted)),
        "anchors": len(anchored),
        "anchors_right": sum(_number(authority, row.best) == anchors[row.person] for row in anchored) / max(1, len(anchored)),
        "reliability": _reliability(rows, right_best),
    }
    wrong = [
        {
            "id": row.passage,
            "name": row.plain,
            "ours": row.best,
            "asserted": row.asserted,
            "confidence": row.confidence,
            "gold": row.person,
        }
        for row in rows
        if not right_best(row)
    ]
    return figures, wrong


def _number(authority: Authority, key: str | None) -> int | None:
    person = authority.persons.get(key or "")
    return person.taqrib_no if person else None


def _reliability(rows: Sequence[_Row], right: Any) -> list[dict[str, Any]]:
    """Of the answers given with such confidence, how many are right."""
    table = []
    low = 0.0
    for high in _BINS:
        chosen = [row for row in rows if row.best is not None and low <= row.confidence < high]
        if chosen:
            given = sum(row.confidence for row in chosen) / len(chosen)
            table.append(
                {
                    "from": low,
                    "to": min(high, 1.0),
                    "answers": len(chosen),
                    "given": given,
                    "right": sum(map(right, chosen)) / len(chosen),
                }
            )
        low = high
    return table


def linked_share(records: Iterable[Record], decided: Identification, authority: Authority) -> dict[str, Any]:
    """Of the links of chains (mentions that are neither anonymous nor collective), how many have a person with a Taqrib number
    or a Companion of the authority."""
    counts: Counter[str] = Counter()
    for record in records:
        claims = decided.claims(record.passage.id)
        for i, mention in enumerate(record.narrators):
            if mention.anonymous or mention.collective:
                continue
            counts["links"] += 1
            winner = next((claim for claim in claims.get(i, ()) if claim.winner), None)
            if winner is None:
                counts["open"] += 1
                continue
            person = authority.persons.get(winner.person)
            if person is None:
                counts["clusters"] += 1
            elif person.taqrib_no is not None or person.companion:
                counts["linked"] += 1
            else:
                counts["others"] += 1
    links = counts["links"] or 1
    return {name: counts[name] for name in ("links", "linked", "clusters", "others", "open")} | {
        "share": counts["linked"] / links
    }
