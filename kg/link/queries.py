"""Queries of the reconciliation protocol: either version read into one form, and what is wrong with one said in a sentence."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

__all__ = ["MOST", "QUERIES", "BadQuery", "Condition", "Query", "read_query", "read_query_draft"]

MOST = 10
"""Candidates of a query that does not say how many."""
LONGEST = 1_000
"""Letters of a name or value at most."""
QUERIES = 200
"""Queries in one batch at most."""


class BadQuery(ValueError):
    """A query is not one: says what was seen and what to write."""


@dataclass(frozen=True, slots=True)
class Condition:
    """What a property must or should be: ``values`` are words or keys; ``quantifier`` any, all or none of them."""

    property: str
    values: tuple[str, ...]
    required: bool = False
    quantifier: str = "any"


@dataclass(frozen=True, slots=True)
class Query:
    """A query: a ``name`` or ``ids``, types (none: all), conditions on properties."""

    name: str = ""
    types: tuple[str, ...] = ()
    limit: int = MOST
    conditions: tuple[Condition, ...] = ()
    ids: tuple[str, ...] = field(default=())


def _text(value: Any) -> str:
    """A value of a query as words: strings, numbers, and entities ``{"id", "name"}`` by their id."""
    if isinstance(value, Mapping):
        value = value.get("id") or value.get("name") or ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if not isinstance(value, str | int | float):
        raise BadQuery(f"a value is {type(value).__name__}: give a string, a number, a boolean or an object with an id")
    text = str(value)
    if len(text) > LONGEST:
        raise BadQuery(f"a value has {len(text)} letters: give at most {LONGEST}")
    return text


def _texts(value: Any) -> tuple[str, ...]:
    return tuple(text for one in (value if isinstance(value, list) else [value]) if (text := _text(one).strip()))


def _limit(given: Any) -> int:
    if given is None:
        return MOST
    if isinstance(given, bool) or not isinstance(given, int | float) or not 0 <= given < math.inf:
        raise BadQuery(f"limit is {given!r}: give a number of candidates")
    return int(given) if 0 < given <= 100 else MOST if given == 0 else 100


def read_query(given: Any) -> Query:
    """A query of version 0.2.

    >>> read_query({"query": "ابن شهاب", "type": "Person", "properties": [{"pid": "deathYearAH", "v": 125}]}).conditions
    (Condition(property='deathYearAH', values=('125',), required=False, quantifier='any'),)

    Raises:
        BadQuery: it is not an object with ``query``, or a part of it has another form.
    """
    if not isinstance(given, Mapping):
        raise BadQuery('a query is an object such as {"query": "ابن شهاب"}')
    name = given.get("query", "")
    if not isinstance(name, str):
        raise BadQuery(f"query is {type(name).__name__}: give the name as a string")
    asked = given.get("type") or []
    kinds = tuple(_text(kind) for kind in (asked if isinstance(asked, list) else [asked]))
    conditions = []
    rows = given.get("properties") or []
    if not isinstance(rows, list):
        raise BadQuery("properties is no list")
    for row in rows:
        if not isinstance(row, Mapping) or "v" not in row or not ("pid" in row or "p" in row):
            raise BadQuery("a property is an object with pid and v")
        values = _texts(row["v"])
        if any(values):  # an empty cell says nothing
            conditions.append(Condition(_text(row.get("pid") or row.get("p")), values))
    if not name.strip() and not conditions:
        raise BadQuery("the query is empty: give a name or a property")
    return Query(_text(name), _known_types(kinds), _limit(given.get("limit")), tuple(conditions))


def read_query_draft(given: Any) -> Query:
    """A query of version 1.0-draft.

    >>> read_query_draft({"type": "Person", "conditions": [{"matchType": "name", "propertyValue": "al-Zuhri"}]}).name
    'al-Zuhri'

    Raises:
        BadQuery: it has no conditions, or a part of it has another form.
    """
    if not isinstance(given, Mapping) or not isinstance(given.get("conditions"), list) or not given["conditions"]:
        raise BadQuery("a query is an object with at least one condition")
    query = Query(types=_known_types((_text(given["type"]),) if given.get("type") else ()), limit=_limit(given.get("limit")))
    for row in given["conditions"]:
        if not isinstance(row, Mapping) or "propertyValue" not in row:
            raise BadQuery("a condition is an object with matchType and propertyValue")
        values, kind = _texts(row["propertyValue"]), row.get("matchType")
        if kind == "name":
            query = replace(query, name=" ".join(values))
        elif kind == "id":
            query = replace(query, ids=(*query.ids, *values))
        elif kind == "property" and isinstance(row.get("propertyId"), str):
            quantifier = row.get("matchQuantifier", "any")
            if quantifier not in ("any", "all", "none"):
                raise BadQuery(f"matchQuantifier is {quantifier!r}: any, all or none")
            condition = Condition(row["propertyId"], values, row.get("required") is True, quantifier)
            if any(values):
                query = replace(query, conditions=(*query.conditions, condition))
        else:
            raise BadQuery("matchType is name, id or property; property needs a propertyId")
    return query


def _known_types(asked: Sequence[str]) -> tuple[str, ...]:
    """The types asked for, by id or IRI; one that is not known is kept and finds nothing."""
    return tuple(kind.rpartition("#")[2] if "#" in kind else kind for kind in asked)
