"""Items of Wikidata that bear a name of ours: found by label or alias, of the right kind only, with the facts that can disprove them."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from kg.link.romanisation import is_arabic
from kg.link.subjects import Subject
from kg.link.table import ENTITY
from kg.link.wikidata import ReconciliationService, Solutions
from kg.tables import read_tsv

__all__ = ["Item", "accepted_classes", "add_reconciled", "class_labels", "find_candidates", "read_items", "refused_classes"]

ITEMS_AT_ONCE = 40
_FACTS = {
    "P31": "types",
    "P570": "deaths",
    "P21": "sexes",
    "P106": "occupations",
    "P625": "coordinates",
    "P22": "fathers",
    "P1066": "teachers",
    "P802": "students",
}


@dataclass(frozen=True, slots=True)
class Item:
    """An item: its labels and aliases, and by property the values it has: items without their namespace, other values as written.

    ``redirect`` is the item that took its place; ``exists`` says whether anything is said of it.
    """

    qid: str
    labels: tuple[str, ...] = ()
    facts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    words: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    redirect: str | None = None
    exists: bool = True

    def values(self, name: str) -> tuple[str, ...]:
        """The values of a fact by its name here: ``deaths``, ``types`` …"""
        return self.facts.get(name, ())


@cache
def _classes() -> tuple[tuple[str, str, str, str], ...]:
    path = Path(__file__).parent / "tables" / "classes.tsv"
    rows = read_tsv(path, ("kind", "qid", "role", "label", "evidence"))
    return tuple((row["kind"], row["qid"], row["role"], row["label"]) for _, row in rows)


def accepted_classes(kind: str) -> frozenset[str]:
    """The classes of which an item may be one of ours of this kind."""
    return frozenset(qid for of, qid, role, _ in _classes() if of == kind and role == "is")


def refused_classes(kind: str) -> frozenset[str]:
    """The classes of which an item is never one of ours of this kind, whatever its label."""
    return frozenset(qid for of, qid, role, _ in _classes() if of in (kind, "any") and role == "not")


def class_labels() -> Mapping[str, str]:
    """Labels of the classes known."""
    return {qid: label for _, qid, _, label in _classes()}


def find_candidates(subjects: Sequence[Subject], service: Solutions) -> dict[str, list[str]]:
    """The items that bear a name of each subject and are of its kind: ``{key: [qid, …]}``; one question for all, by kind."""
    found: dict[str, list[str]] = {subject.key: [] for subject in subjects}
    for kind in dict.fromkeys(subject.kind for subject in subjects):
        bearers: dict[str, list[str]] = defaultdict(list)
        for subject in subjects:
            if subject.kind == kind:
                for name in subject.names:
                    bearers[name].append(subject.key)
        for row in service.select(_query(bearers, accepted_classes(kind))):
            for key in bearers.get(row["name"], ()):
                qid = row["item"].removeprefix(ENTITY)
                if re.fullmatch(r"Q[1-9]\d*", qid) and qid not in found[key]:
                    found[key].append(qid)
    return {key: sorted(qids, key=lambda qid: int(qid[1:])) for key, qids in found.items()}


def add_reconciled(found: dict[str, list[str]], subjects: Sequence[Subject], service: ReconciliationService) -> None:
    """Adds the items that a service of the Reconciliation API offers for the first names of each subject; their kind is compared afterwards."""
    for kind in dict.fromkeys(subject.kind for subject in subjects):
        of_kind = [subject for subject in subjects if subject.kind == kind]
        classes = sorted(accepted_classes(kind))
        batch = {f"{i}.{n}": name for i, subject in enumerate(of_kind) for n, name in enumerate(subject.names[:2])}
        answers = service.candidates(batch, classes[0] if len(classes) == 1 else "")
        for place, qids in answers.items():
            mine = found[of_kind[int(place.partition(".")[0])].key]
            mine += [qid for qid in qids if re.fullmatch(r"Q[1-9]\d*", qid) and qid not in mine]


def _query(names: Iterable[str], classes: Iterable[str]) -> str:
    written = " ".join(_literal(name, tag) for name in names for tag in (("ar",) if is_arabic(name) else ("en", "mul")))
    kinds = " ".join(f"wd:{qid}" for qid in sorted(classes))
    return (
        f"SELECT DISTINCT ?item (STR(?label) AS ?name) WHERE {{\n  VALUES ?label {{ {written} }}\n"
        "  { ?item rdfs:label ?label } UNION { ?item skos:altLabel ?label }\n"
        f"  VALUES ?class {{ {kinds} }}\n  ?item wdt:P31/wdt:P279* ?class .\n}} ORDER BY ?item ?name"
    )


def _literal(words: str, tag: str) -> str:
    escaped = words.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ").replace("\r", " ")
    return f'"{escaped}"@{tag}'


def read_items(qids: Iterable[str], service: Solutions) -> dict[str, Item]:
    """The items with their labels and facts, each redirect followed to where it leads by name only."""
    wanted = sorted(set(qids), key=lambda qid: int(qid[1:]))
    found: dict[str, Item] = {}
    for start in range(0, len(wanted), ITEMS_AT_ONCE):
        found.update(_read_block(wanted[start : start + ITEMS_AT_ONCE], service))
    return found


def _read_block(qids: Sequence[str], service: Solutions) -> dict[str, Item]:
    items = " ".join(f"wd:{qid}" for qid in qids)
    properties = " ".join(f"wdt:{name}" for name in _FACTS)
    rows = service.select(
        f"SELECT DISTINCT ?item ?property ?value ?words WHERE {{\n  VALUES ?item {{ {items} }}\n"
        f"  {{ VALUES ?property {{ {properties} }} ?item ?property ?value .\n"
        '    OPTIONAL { ?value rdfs:label ?words . FILTER(LANG(?words) IN ("en", "ar")) } }\n'
        '  UNION { VALUES ?property { rdfs:label skos:altLabel } ?item ?property ?value . FILTER(LANG(?value) IN ("en", "ar", "mul")) }\n'
        "  UNION { VALUES ?property { owl:sameAs } ?item ?property ?value }\n} ORDER BY ?item ?property ?value ?words"
    )
    labels: dict[str, dict[str, None]] = defaultdict(dict)
    facts: dict[str, dict[str, dict[str, None]]] = defaultdict(lambda: defaultdict(dict))
    words: dict[str, dict[str, dict[str, None]]] = defaultdict(lambda: defaultdict(dict))
    redirects: dict[str, str] = {}
    for row in rows:
        qid, name, value = (
            row["item"].removeprefix(ENTITY),
            re.split(r"[/#]", row["property"])[-1],
            row["value"].removeprefix(ENTITY),
        )
        if name in ("label", "altLabel"):
            labels[qid][value] = None
        elif name == "sameAs":
            redirects[qid] = value
        else:
            facts[qid][_FACTS[name]][value] = None
            if "words" in row:
                words[qid][_FACTS[name]][row["words"]] = None
    return {
        qid: Item(
            qid,
            tuple(labels[qid]),
            {name: tuple(values) for name, values in facts[qid].items()},
            {name: tuple(values) for name, values in words[qid].items()},
            redirects.get(qid),
            exists=bool(labels.get(qid) or facts.get(qid) or qid in redirects),
        )
        for qid in qids
    }
