"""What speaks for and against an item being one of ours. A name proves nothing; a century between two deaths disproves."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from math import asin, cos, radians, sin, sqrt
from pathlib import Path

from kg.link.candidates import Item, accepted_classes, class_labels, refused_classes
from kg.link.reading import read_name
from kg.link.romanisation import bone, is_arabic
from kg.link.subjects import Subject
from kg.tables import read_tsv

__all__ = ["CENTURY", "Feature", "compare", "death_years"]

CENTURY = 100
_SEXES = {"Q6581097": "m", "Q6581072": "f"}  # male, female: so written in public code that reads P21
_NEAR_KM, _FAR_KM = 30.0, 150.0


@dataclass(frozen=True, slots=True)
class Feature:
    """One comparison: ``verdict`` is supports, neutral, contradicts or disproves; ``said`` what was compared."""

    name: str
    verdict: str
    said: str

    def __str__(self) -> str:
        return f"{self.name} {self.verdict}: {self.said}"


def compare(subject: Subject, item: Item) -> tuple[Feature, ...]:
    """All that can be compared of a thing of ours and an item."""
    found: list[Feature | None] = [_kind(subject, item), _name(subject, item)]
    if subject.kind == "person":
        found += [_death(subject, item), _sex(subject, item), _father(subject, item), _occupation(item)]
        found += [_known(subject.teachers, item, "teachers"), _known(subject.students, item, "students")]
    if subject.kind == "place":
        found.append(_coordinates(subject, item))
    return tuple(feature for feature in found if feature is not None)


def death_years(item: Item) -> list[int]:
    """The years CE of an item's deaths; BCE is negative.

    >>> death_years(Item("Q1", facts={"deaths": ("0742-01-01T00:00:00Z", "http://www.wikidata.org/.well-known/genid/x")}))
    [742]
    """
    found = []
    for value in item.values("deaths"):
        match = re.match(r"([+-]?)0*(\d{1,6})(?:-|$)", value)
        if match:
            found.append(-int(match[2]) if match[1] == "-" else int(match[2]))
    return found


def _kind(subject: Subject, item: Item) -> Feature:
    types = item.values("types")
    labels = {**class_labels()}
    said = ", ".join(labels.get(qid, qid) for qid in types) or "no type"
    if set(types) & refused_classes(subject.kind):
        return Feature("kind", "disproves", said)
    if set(types) & accepted_classes(subject.kind):
        return Feature("kind", "supports", said)
    return Feature("kind", "neutral" if subject.kind != "person" else "disproves", said)


def _name(subject: Subject, item: Item) -> Feature:
    ours = {_compared(name) for name in subject.names}
    shared = [label for label in item.labels if _compared(label) in ours]
    return (
        Feature("name", "supports", shared[0])
        if shared
        else Feature("name", "contradicts", "; ".join(item.labels[:3]) or "no label")
    )


def _compared(name: str) -> str:
    whole = read_name(name).whole
    return bone(whole) if is_arabic(name) else whole


def _death(subject: Subject, item: Item) -> Feature | None:
    years = death_years(item)
    if subject.death is None or not years:
        return None
    first, last = subject.death
    apart = min(max(first - year, year - last, 0) for year in years)
    said = f"{'/'.join(map(str, years))}, ours {first}-{last}" + ("" if subject.exact else " by generation")
    if apart >= CENTURY:
        return Feature("death", "disproves", said)
    if apart > (5 if subject.exact else 25):
        return Feature("death", "contradicts", said)
    return Feature("death", "supports" if subject.exact or apart == 0 else "neutral", said)


def _sex(subject: Subject, item: Item) -> Feature | None:
    sexes = {_SEXES[qid] for qid in item.values("sexes") if qid in _SEXES}
    if not sexes or subject.sex is None:
        return None
    return Feature("sex", "supports" if subject.sex in sexes else "disproves", "/".join(sorted(sexes)))


def _father(subject: Subject, item: Item) -> Feature | None:
    labels = item.words.get("fathers", ())
    if not subject.father or not labels:
        return None
    ours = {bone(part.value) for part in read_name(subject.father).parts[:1]}
    theirs = {bone(part.value) for label in labels for part in read_name(label).parts}
    return Feature("father", "supports" if ours & theirs else "contradicts", " / ".join(labels))


@cache
def _occupations() -> dict[str, str]:
    path = Path(__file__).parent / "tables" / "occupations.tsv"
    return {row["word"]: row["verdict"] for _, row in read_tsv(path, ("word", "verdict", "source"))}


def _occupation(item: Item) -> Feature | None:
    labels = item.words.get("occupations", ())
    verdicts = {verdict for word, verdict in _occupations().items() for label in labels if word in label.lower()}
    if not verdicts:
        return None
    return Feature("occupation", "supports" if "supports" in verdicts else "contradicts", ", ".join(labels))


def _known(ours: Iterable[str], item: Item, name: str) -> Feature | None:
    shared = sorted(set(ours) & set(item.values(name)))
    return Feature(name, "supports", ", ".join(shared)) if shared else None


def _coordinates(subject: Subject, item: Item) -> Feature | None:
    if subject.latitude is None or subject.longitude is None:
        return None
    away = []
    for value in item.values("coordinates"):
        match = re.match(r"(?:<[^>]*>\s*)?Point\((-?[\d.]+) (-?[\d.]+)\)", value, re.IGNORECASE)
        if match:
            away.append(_kilometres(subject.latitude, subject.longitude, float(match[2]), float(match[1])))
    if not away:
        return None
    nearest = min(away)
    verdict = "supports" if nearest <= _NEAR_KM else "disproves" if nearest > _FAR_KM else "contradicts"
    return Feature("coordinates", verdict, f"{nearest:.0f} km away")


def _kilometres(latitude: float, longitude: float, other_latitude: float, other_longitude: float) -> float:
    """The distance on the earth's sphere.

    >>> round(_kilometres(21.42, 39.83, 24.47, 39.61))
    340
    """
    a = sin(radians(other_latitude - latitude) / 2) ** 2
    a += cos(radians(latitude)) * cos(radians(other_latitude)) * sin(radians(other_longitude - longitude) / 2) ** 2
    return 2 * 6371.0 * asin(sqrt(a))
