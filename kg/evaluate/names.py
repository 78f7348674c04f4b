"""Persons, places and clans in running text against the words that people marked (gold/names), by word."""

from bisect import bisect_left, bisect_right
from pathlib import Path
from typing import Any

from kg.authority import load
from kg.evaluate.gold import gold_rows
from kg.extract.record import PersonMention, PlaceMention
from kg.text import Passage

__all__ = ["score"]

_CLASSES = ("Pers", "Loc", "Clan")


def score(gold_path: Path, *, rows_wrong: bool = False) -> dict[str, Any]:
    """Precision, recall and F1 by word for persons, places and clans.

    Narrators' names and names in the matn both count as persons (أبيه, رجل are no names); prophets are another class of the gold and are left out
    of ours. With ``rows_wrong`` the words that differ come along: class, ours, gold, and their surroundings.

    Raises:
        FileNotFoundError: the gold file is not there.
    """
    from kg.extract.extractor import Extractor

    extractor = Extractor(load())
    true = dict.fromkeys(_CLASSES, 0)
    ours_only = dict.fromkeys(_CLASSES, 0)
    gold_only = dict.fromkeys(_CLASSES, 0)
    wrong: list[dict[str, str]] = []
    rows = 0
    for row in gold_rows(gold_path):
        rows += 1
        record = extractor.extract(Passage(row["id"], row["text"]))
        spans = [("Pers", mention.start, mention.end) for mention in record.narrators if not (mention.kin or mention.anonymous)]
        spans += [(_class_of(person), person.start, person.end) for person in record.persons]
        spans += [(_class_of(place), place.start, place.end) for place in record.places]
        ours = _by_token(row["tokens"], spans)
        for n, (start, end, tag) in enumerate(row["tokens"]):
            gold_class = tag if tag in _CLASSES else "O"
            our_class = ours[n]
            if our_class == gold_class:
                if gold_class != "O":
                    true[gold_class] += 1
                continue
            if our_class in _CLASSES:
                ours_only[our_class] += 1
            if gold_class in _CLASSES:
                gold_only[gold_class] += 1
            if rows_wrong:
                wrong.append(
                    {
                        "id": row["id"],
                        "ours": our_class,
                        "gold": tag,
                        "word": row["text"][start:end],
                        "at": row["text"][max(0, start - 45) : end + 30],
                    }
                )
    result: dict[str, Any] = {"rows": rows}
    for name in _CLASSES:
        precision = true[name] / max(1, true[name] + ours_only[name])
        recall = true[name] / max(1, true[name] + gold_only[name])
        result[name] = {
            "precision": round(precision, 4),
            "recall": round(recall, 4),
            "f1": round(2 * precision * recall / max(1e-9, precision + recall), 4),
            "words": true[name] + gold_only[name],
        }
    if rows_wrong:
        result["wrong"] = wrong
    return result


def _class_of(mention: PersonMention | PlaceMention) -> str:
    if isinstance(mention, PlaceMention):
        return "Loc"
    return {"person": "Pers", "group": "Clan"}.get(mention.kind, "O")


def _by_token(tokens: list[list[Any]], spans: list[tuple[str, int, int]]) -> list[str]:
    starts = [start for start, _, _ in tokens]
    classes = ["O"] * len(tokens)
    for name, start, end in spans:
        for n in range(max(0, bisect_right(starts, start) - 1), bisect_left(starts, end)):
            token_end = tokens[n][1]
            if token_end > start and classes[n] == "O":
                classes[n] = name
    return classes
