"""Queries put so that the engine answers them as the standard says."""

import re

from kg.store.guard import Token, tokens

__all__ = ["with_texts_concatenated"]

_NAME = re.compile("GROUP_CONCAT", re.IGNORECASE)
_OPENING, _CLOSING = frozenset({"(", "<<("}), frozenset({")", ")>>"})


def with_texts_concatenated(query: str) -> str:
    """GROUP_CONCAT joins the texts of what is in the group (SPARQL 1.1, 18.5.1.7); the engine joins strings alone, and keeps a language that
    all share. What is concatenated is therefore put into STR. With DISTINCT, texts that are the same are one, whatever their terms.

    >>> with_texts_concatenated("SELECT (GROUP_CONCAT(DISTINCT ?n; SEPARATOR=' ') AS ?all) { ?s ?p ?n }")
    "SELECT (GROUP_CONCAT(DISTINCT STR(?n); SEPARATOR=' ') AS ?all) { ?s ?p ?n }"
    """
    if not _NAME.search(query):
        return query
    found = tokens(query)
    insertions: list[tuple[int, str]] = []
    for place, token in enumerate(found):
        if token.kind == "word" and token.text.upper() == "GROUP_CONCAT" and _text(found, place + 1) == "(":
            first = place + 2 + (_text(found, place + 2).upper() == "DISTINCT")
            end = _end(found, first)
            if end is not None and end > first:
                insertions += [(found[first].start, "STR("), (found[end].start, ")")]
    for start, letters in sorted(insertions, reverse=True):
        query = query[:start] + letters + query[start:]
    return query


def _text(found: list[Token], place: int) -> str:
    return found[place].text if place < len(found) else ""


def _end(found: list[Token], first: int) -> int | None:
    """The token that ends an expression: a semicolon, or the parenthesis that closes what it stands in."""
    depth = 0
    for place in range(first, len(found)):
        token = found[place]
        if token.kind != "sign":
            continue
        if depth == 0 and token.text in (";", ")"):
            return place
        depth += (token.text in _OPENING) - (token.text in _CLOSING)
    return None
