"""Reconciliation: queries matched and narrowed, and answered in the version of the protocol that is asked.

Nothing here knows of HTTP. Version 0.2 is what OpenRefine speaks; 1.0-draft says the same in other words, and says language and
direction of every name.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from kg.link.facts import Facts, Property, Value, properties, properties_by_id
from kg.link.matching import Candidate, Index, Thing
from kg.link.queries import BadQuery, Condition, Query
from kg.link.romanisation import is_arabic
from kg.tables import read_tsv

__all__ = ["Reconciler", "direction", "suggested_properties", "suggested_types", "types"]

_CERTAIN, _APART = 0.8, 0.2
_TABLES = Path(__file__).parent / "tables"


@cache
def types() -> dict[str, dict[str, str]]:
    """The types of the table by id."""
    rows = read_tsv(_TABLES / "types.tsv", ("id", "name_en", "name_ar", "description_en", "description_ar"))
    return {row["id"]: row for _, row in rows}


@cache
def _feature_names() -> dict[str, dict[str, str]]:
    return {row["id"]: row for _, row in read_tsv(_TABLES / "features.tsv", ("id", "name_en", "name_ar"))}


def direction(language: str) -> str:
    """``rtl`` for Arabic in its own script, else ``ltr``."""
    return "rtl" if language.lower() == "ar" else "ltr"


class Reconciler:
    """Answers over one built graph: ``index`` of names, ``facts`` of things; ``view`` makes the address of a key's page."""

    def __init__(self, index: Index, facts: Facts, base: str) -> None:
        self.index, self.facts, self.base = index, facts, base

    def key(self, identifier: str) -> str:
        """An identifier as a key of ours: keys as they are, IRIs without their base."""
        return identifier.removeprefix(self.base)

    def find(self, query: Query) -> list[Candidate]:
        """The candidates of a query, those that conditions contradict last or left out where required."""
        if query.ids:
            found = [self.index.get(self.key(one)) for one in query.ids]
            candidates = [Candidate(thing, 1.0, {}) for thing in found if thing is not None]
        elif query.name.startswith(self.base) or self.index.get(query.name) is not None:
            thing = self.index.get(self.key(query.name))
            candidates = [Candidate(thing, 1.0, {"usualName": True})] if thing is not None else []
        elif query.name.strip():
            candidates = self.index.find(query.name, query.types)
        else:
            candidates = self._by_conditions(query.conditions)
        if query.types:
            candidates = [candidate for candidate in candidates if candidate.thing.type in query.types]
        for condition in query.conditions:
            candidates = self._narrow(candidates, condition)
        candidates.sort(key=lambda candidate: -candidate.score)
        return candidates[: query.limit]

    def _by_conditions(self, conditions: Sequence[Condition]) -> list[Candidate]:
        """Things without a name asked for: those that have the value of the first condition."""
        for condition in conditions:
            one = properties_by_id().get(condition.property)
            if one is None or one.inverse:
                continue
            keys: dict[str, None] = {}
            for asked in condition.values:
                wanted = self._things(one, asked) if one.value == "thing" else frozenset()
                for words in [self.base + key for key in sorted(wanted)] or [asked]:
                    keys.update(dict.fromkeys(self.facts.subjects(one, words)))
            things = [thing for key in keys if (thing := self.index.get(key)) is not None]
            things.sort(key=lambda thing: self.index.place(thing.key))
            return [Candidate(thing, 0.5, {"narrations": thing.weight}) for thing in things[:100]]
        return []

    def _things(self, one: Property, asked: str) -> frozenset[str]:
        """The keys that a value may mean: a key or IRI of ours, or a name's likely candidates."""
        if self.index.get(self.key(asked)) is not None:
            return frozenset((self.key(asked),))
        found = self.index.find(asked, _pointed_at(one), 5)
        return frozenset(candidate.thing.key for candidate in found if candidate.score >= 0.5 * found[0].score)

    def _narrow(self, candidates: Sequence[Candidate], condition: Condition) -> list[Candidate]:
        one = properties_by_id().get(condition.property)
        if one is None:
            return [] if condition.required else list(candidates)
        meant = [(asked, self._things(one, asked) if one.value == "thing" else frozenset()) for asked in condition.values]
        kept = []
        for candidate in candidates:
            agreements = [self.facts.agrees(candidate.thing.key, one, asked, things) for asked, things in meant]
            known = [agreement for agreement in agreements if agreement is not None]
            if not known:
                if not condition.required:
                    kept.append(replace(candidate, score=candidate.score * 0.85))
                continue
            agreement = min(known) if condition.quantifier == "all" else max(known)
            if condition.quantifier == "none":
                agreement = 1 - agreement
            if condition.required and agreement < 0.5:
                continue
            features = {**candidate.features, condition.property: round(agreement, 3)}
            score = candidate.score * (0.2 + 0.8 * agreement)
            if agreement >= 0.99:
                score += (1 - score) * 0.4
            kept.append(Candidate(candidate.thing, min(score, 1.0), features))
        return kept

    # Answers

    def answer(self, query: Query, language: str, *, draft: bool = False) -> list[dict[str, Any]]:
        """The candidates of a query as the protocol writes them."""
        found = self.find(query)
        certain = _certain(found)
        return [self._candidate(candidate, language, draft, certain and n == 0) for n, candidate in enumerate(found)]

    def _candidate(self, candidate: Candidate, language: str, draft: bool, match: bool) -> dict[str, Any]:
        written = self.named(candidate.thing, language, draft=draft)
        features: list[dict[str, Any]] = []
        for name, value in candidate.features.items():
            feature: dict[str, Any] = {"id": name, "value": value}
            if draft:
                feature = {"id": name, "name": _feature_name(name, language), "value": value}
            features.append(feature)
        return {
            **written,
            "type": [_type(candidate.thing.type, language)],
            "score": round(100 * candidate.score, 1),
            "match": match,
            "features": features,
        }

    def named(self, thing: Thing, language: str, *, draft: bool = False) -> dict[str, Any]:
        """Id, name and description of a thing; language and direction of the name where the version has them."""
        words, tag = thing.name(language)
        written: dict[str, Any] = {"id": thing.key, "name": words}
        description = self.describe(thing, language)
        if description:
            written["description"] = description
        if draft:
            written |= {"lang": tag or "und", "dir": direction(tag) if tag else "auto"}
        return written

    def describe(self, thing: Thing, language: str) -> str:
        """A line that tells namesakes apart: the other script's name, generation, year of death, how often met."""
        said: list[str] = []
        shown = thing.name(language)[0]
        other = next((words for words, _ in thing.names if words != shown and is_arabic(words) != is_arabic(shown)), None)
        if other is None:
            other = next((words for words, _ in thing.names if words != shown), None)
        if other:
            said.append(other)
        arabic = language == "ar"
        for name, before in (("generation", "الطبقة" if arabic else "generation"), ("deathYearAH", "ت" if arabic else "d.")):
            values = self.facts.values(thing.key, properties_by_id()[name])
            if values:
                said.append(f"{before} {values[0].words}" + ((" هـ" if arabic else " AH") if name == "deathYearAH" else ""))
        if thing.weight:
            said.append(f"{thing.weight} {'نصا' if arabic else 'passages'}")
        return "، ".join(said) if arabic else ", ".join(said)

    def suggest(self, prefix: str, language: str, most: int, *, draft: bool = False) -> list[dict[str, Any]]:
        """Things whose name begins so or means so."""
        direct = self.index.get(self.key(prefix))
        found = self.index.find(prefix, (), most) if prefix.strip() else []
        certain = [candidate.thing for candidate in found if candidate.score >= _CERTAIN]
        things = [*([direct] if direct else ()), *certain, *self.index.complete(prefix, most), *(one.thing for one in found)]
        shown = list({thing.key: thing for thing in things}.values())[:most]
        return [{**self.named(thing, language, draft=draft), "notable": [_type(thing.type, language)]} for thing in shown]

    def extend(
        self, ids: Iterable[str], asked: Sequence[Mapping[str, Any]], language: str, *, draft: bool = False
    ) -> dict[str, Any]:
        """Values of properties of things, in either version's form."""
        wanted = [_asked(one) for one in asked]
        known = [(name, properties_by_id().get(name), settings) for name, settings in wanted]
        meta = [_meta(name, one, language, draft) for name, one, _ in known]
        values: dict[str, dict[str, list[dict[str, Any]]]] = {}
        for identifier in dict.fromkeys(ids):
            key = self.key(identifier)
            known_key = self.index.get(key) is not None
            values[identifier] = {
                name: self._cells(key, one, settings, language, draft) if one is not None and known_key else []
                for name, one, settings in known
            }
        if not draft:
            return {"meta": meta, "rows": values}
        rows = [
            {"id": identifier, "properties": [{"id": name, "values": cells} for name, cells in row.items()]}
            for identifier, row in values.items()
        ]
        return {"meta": meta, "rows": rows}

    def _cells(self, key: str, one: Property, settings: Mapping[str, Any], language: str, draft: bool) -> list[dict[str, Any]]:
        values = self.facts.values(key, one)
        most = _setting_limit(settings)
        return [self._cell(value, one, language, draft) for value in (values[:most] if most else values)]

    def _cell(self, value: Value, one: Property, language: str, draft: bool) -> dict[str, Any]:
        if value.key is not None:
            thing = self.index.get(value.key)
            if thing is None:
                return {"id": value.key, "name": value.key}
            return self.named(thing, language, draft=draft)
        if one.value == "number":
            number = float(value.words)
            return {"int": int(number)} if number.is_integer() else {"float": number}
        if draft and value.language:
            return {"str": value.words, "lang": value.language, "dir": direction(value.language)}
        return {"str": value.words}


def _pointed_at(one: Property) -> tuple[str, ...]:
    return ("Place",) if one.id in ("livedIn", "within", "place") else ("Person",)


def _certain(found: Sequence[Candidate]) -> bool:
    """Whether the first candidate stands alone: likely by itself, far from the second, and contradicted by nothing asked."""
    if not found or found[0].score < _CERTAIN:
        return False
    if any(value == 0 and name in properties_by_id() for name, value in found[0].features.items()):
        return False
    return len(found) == 1 or found[0].score - found[1].score >= _APART


def _feature_name(name: str, language: str) -> str:
    column = "name_ar" if language == "ar" else "name_en"
    if name in _feature_names():
        return _feature_names()[name][column]
    one = properties_by_id()[name]
    return one.name_ar if language == "ar" else one.name_en


def _type(name: str, language: str) -> dict[str, str]:
    return {"id": name, "name": types()[name]["name_ar" if language == "ar" else "name_en"]}


def _asked(one: Any) -> tuple[str, Mapping[str, Any]]:
    if not isinstance(one, Mapping) or not isinstance(one.get("id"), str):
        raise BadQuery("a property is an object with an id")
    settings = one.get("settings") or {}
    if not isinstance(settings, Mapping):
        raise BadQuery("settings is no object")
    return one["id"], settings


def _setting_limit(settings: Mapping[str, Any]) -> int:
    given = settings.get("limit", 0)
    try:
        return max(0, int(given))
    except (TypeError, ValueError):
        raise BadQuery(f"the setting limit is {given!r}: give a number, 0 for all") from None


def _meta(name: str, one: Property | None, language: str, draft: bool) -> dict[str, Any]:
    shown = name if one is None else one.name_ar if language == "ar" else one.name_en
    meta: dict[str, Any] = {"id": name, "name": shown}
    if draft and one is not None:
        meta |= {"lang": language, "dir": direction(language)}
    if one is not None and one.value == "thing":
        meta["type"] = _type(_pointed_at(one)[0], language)
    return meta


def suggested_types(prefix: str, language: str, *, draft: bool = False) -> list[dict[str, Any]]:
    """The types whose id or name holds what is typed."""
    return [
        _with_language(
            {**_type(name, language), "description": row["description_ar" if language == "ar" else "description_en"]},
            language,
            draft,
        )
        for name, row in types().items()
        if _holds(prefix, (name, row["name_en"], row["name_ar"]))
    ]


def suggested_properties(
    prefix: str, language: str, *, draft: bool = False, accept: Callable[[Property], bool] = lambda _: True
) -> list[dict[str, Any]]:
    """The properties whose id or name holds what is typed."""
    return [
        _with_language({"id": one.id, "name": one.name_ar if language == "ar" else one.name_en}, language, draft)
        for one in properties()
        if accept(one) and _holds(prefix, (one.id, one.name_en, one.name_ar))
    ]


def _holds(prefix: str, names: Iterable[str]) -> bool:
    wanted = prefix.strip().lower()
    return any(wanted in name.lower() for name in names)


def _with_language(written: dict[str, Any], language: str, draft: bool) -> dict[str, Any]:
    return {**written, "lang": language, "dir": direction(language)} if draft else written
