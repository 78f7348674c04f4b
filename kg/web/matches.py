"""Search inside SPARQL: ``?thing sls:matches "words"`` asks the full-text index that pages search in.

The statement is no statement of the graph. Before a query is run it is taken out and what the index finds stands in its group as
``VALUES ?thing { … }``, best first, at most ``MOST`` things. Words are folded as everywhere in the search: ``"Aboo Bakr"``, ``"أبي بَكرٍ"``.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from kg.store.errors import QuerySyntaxError
from kg.store.guard import Token, position_of, tokens

__all__ = ["MATCHES", "MOST", "expand"]

MATCHES = "https://w3id.org/silsila/ontology#matches"
MOST = 1_000
"""Things that one search gives at most."""
_ENDS = frozenset({".", ";", "}"})
_BEGINS = frozenset({".", "{", "}"})
_ESCAPES = {"t": "\t", "n": "\n", "r": "\r", "b": "\b", "f": "\f"}


@dataclass(frozen=True, slots=True)
class _Edit:
    """Letters ``start`` to ``end`` of a query become ``text``."""

    start: int
    end: int
    text: str


def expand(query: str, find: Callable[[str, int], Iterable[str]]) -> str:
    """A query with its searches answered; ``find(words, most)`` gives IRIs.

    >>> expand('PREFIX s: <https://w3id.org/silsila/ontology#> SELECT * { ?x s:matches "بدر" ; a s:Event }', lambda words, most: ["urn:badr"])
    'PREFIX s: <https://w3id.org/silsila/ontology#> SELECT * { VALUES ?x { <urn:badr> } ?x  a s:Event }'

    Raises:
        QuerySyntaxError: what is searched for is no string, or what is to be found no variable.
    """
    if "matches" not in query:
        return query
    found = tokens(query)
    names = _names(found)
    edits: list[_Edit] = []
    for place, token in enumerate(found):
        if token.text in names:
            edits += _answered(query, found, place, find)
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end), reverse=True):
        query = query[: edit.start] + edit.text + query[edit.end :]
    return query


def _names(found: Sequence[Token]) -> set[str]:
    """How the query may write the predicate: in full, or under the prefixes that it declares."""
    names = {f"<{MATCHES}>"}
    for before, name, iri in zip(found, found[1:], found[2:], strict=False):
        if before.text.upper() == "PREFIX" and name.text.endswith(":") and MATCHES.startswith(iri.text[1:-1]):
            names.add(name.text + MATCHES[len(iri.text) - 2 :])
    return names


def _answered(query: str, found: Sequence[Token], place: int, find: Callable[[str, int], Iterable[str]]) -> list[_Edit]:
    """The edits that put the things found in the place of one search."""
    predicate = found[place]
    words = found[place + 1] if place + 1 < len(found) else None
    after = place + 2
    if words is not None and words.kind == "string" and after < len(found) and found[after].kind == "language":
        after += 1
    if words is None or words.kind != "string" or after >= len(found) or found[after].text not in _ENDS:
        raise _wrong(query, predicate, "What is searched for is one string", 'Write ?thing sls:matches "words" .')
    opening = _opening(found, place)
    subject = _subject(found, place, opening)
    if subject is None or found[subject].kind != "variable":
        raise _wrong(query, predicate, "What is to be found is a variable", 'Write ?thing sls:matches "words" .')
    values = " ".join(f"<{iri}>" for iri in find(_letters(words.text), MOST))
    answer = f" VALUES {found[subject].text} {{ {values} }}"
    inserted = _Edit(found[opening].start + 1, found[opening].start + 1, answer)
    last = found[after]
    if subject == place - 1 and last.text == ";":  # the rest of the list keeps its subject
        return [inserted, _Edit(predicate.start, last.start + 1, "")]
    if subject == place - 1:
        return [inserted, _Edit(found[subject].start, last.start + (last.text == "."), "")]
    return [inserted, _Edit(found[place - 1].start, last.start, "")]  # with the semicolon before it


def _opening(found: Sequence[Token], place: int) -> int:
    """The brace that opens the group of a token."""
    depth = 0
    for at in range(place, -1, -1):
        depth += {"}": 1, "{": -1}.get(found[at].text, 0)
        if depth < 0:
            return at
    return 0


def _subject(found: Sequence[Token], place: int, opening: int) -> int | None:
    """The first token of the statement that a predicate belongs to, where that is not within brackets."""
    depth, first = 0, None
    for at in range(place - 1, opening - 1, -1):
        text = found[at].text
        depth += {")": 1, "]": 1, "(": -1, "[": -1}.get(text, 0)
        if depth < 0:
            return None
        if depth == 0 and text in _BEGINS:
            return first
        first = at
    return first


def _letters(string: str) -> str:
    """The letters of a string as SPARQL writes it."""
    marks = 3 if string[:3] in ('"""', "'''") and len(string) >= 6 else 1
    return re.sub(r"\\(.)", lambda found: _ESCAPES.get(found[1], found[1]), string[marks:-marks], flags=re.DOTALL)


def _wrong(query: str, token: Token, detail: str, remedy: str) -> QuerySyntaxError:
    return QuerySyntaxError(f"{detail}.", remedy=remedy, position=position_of(query, token.start, token.text))
