"""Telling where a query goes wrong: the token, its line and column, and what was expected there.

The engine's parser reports the furthest place it read to, which for keywords lies behind the real mistake, so the
commonest mistakes (an undeclared prefix, an IRI with a space, a bracket or string left open) are looked for here first.
"""

import re
from itertools import pairwise

from kg.store.errors import QuerySyntaxError
from kg.store.guard import Token, position_of, tokens

__all__ = ["diagnose"]

_ENGINE = re.compile(r"error at (\d+):(\d+): expected (?:one of )?(.*)", re.DOTALL)
_BROKEN_IRI = re.compile(
    r"<((?:https?|urn|tag|mailto):|[a-z]+:(?=//))?([^<>\"{}|^`\\\x00-\x20?][^<>\"{}|^`\\\x00-\x20]*)(.)([^>\n]*>)?", re.DOTALL
)
_PAIRS = {")": "(", "}": "{", "]": "["}
_BEGINNINGS = frozenset({"SELECT", "ASK", "CONSTRUCT", "DESCRIBE", "PREFIX", "BASE", "VERSION"})
_MOST_EXPECTED = 12
_MOST_LETTERS = 60


def diagnose(query: str, message: str) -> QuerySyntaxError:
    """The syntax error of a query that the engine refused with ``message``.

    >>> error = diagnose("SELECT * { ?s sls:text ?o }", "error at 1:24: expected OPTIONAL")
    >>> error.detail, error.position.column
    ("The prefix 'sls:' is not declared.", 15)
    """
    found = tokens(query)
    return (
        _beginning(query, found)
        or _broken_iri(query, found)
        or _open_string(query, found)
        or _brackets(query, found)
        or _prefix(query, found)
        or _engine(query, found, message)
    )


def _error(query: str, token: Token, detail: str, remedy: str) -> QuerySyntaxError:
    return QuerySyntaxError(detail, remedy=remedy, position=position_of(query, token.start, token.text[:_MOST_LETTERS]))


def _beginning(query: str, found: list[Token]) -> QuerySyntaxError | None:
    if not found:
        return QuerySyntaxError(
            "The query is empty.", remedy="Send a SELECT, ASK, CONSTRUCT or DESCRIBE query.", position=position_of(query, 0)
        )
    if found[0].text.upper() in _BEGINNINGS:
        return None
    return _error(
        query,
        found[0],
        f"A query does not begin with {found[0].text[:_MOST_LETTERS]!r}.",
        "Begin with PREFIX, SELECT, ASK, CONSTRUCT or DESCRIBE.",
    )


def _broken_iri(query: str, found: list[Token]) -> QuerySyntaxError | None:
    """A ``<`` that begins an IRI, by its scheme or because nothing is compared outside of parentheses, and goes on with what no IRI can hold."""
    declared, depth = _declared(found), 0
    for token in found:
        depth += (token.text == "(") - (token.text == ")")
        if token.kind != "sign" or token.text != "<" or (broken := _BROKEN_IRI.match(query, token.start)) is None:
            continue
        scheme, begun, wrong, rest = broken.groups()
        if scheme[:-1] in declared if scheme else depth:
            continue
        if rest is None:
            seen = Token("sign", f"<{scheme or ''}{begun}", token.start)
            return _error(query, seen, "An IRI begins here and is not closed.", "Close it with '>'.")
        held = {" ": "a space", "\n": "a line break"}.get(wrong, repr(wrong))
        seen = Token("sign", broken[0], token.start)
        return _error(
            query, seen, f"This IRI holds {held}, which none can.", "Correct it, or percent-encode the sign (a space is %20)."
        )
    return None


def _open_string(query: str, found: list[Token]) -> QuerySyntaxError | None:
    for token in found:
        if token.kind == "sign" and token.text in "\"'":
            return _error(
                query,
                token,
                "A string begins here and does not end on its line.",
                "Close it, or use three quotation marks for several lines.",
            )
    return None


def _brackets(query: str, found: list[Token]) -> QuerySyntaxError | None:
    open_ones: list[Token] = []
    for token in found:
        if token.kind != "sign":
            continue
        if token.text in _PAIRS.values():
            open_ones.append(token)
        elif token.text in _PAIRS:
            if not open_ones or open_ones[-1].text != _PAIRS[token.text]:
                return _error(query, token, f"{token.text!r} closes nothing that is open here.", "Remove it, or open it before.")
            open_ones.pop()
    if open_ones:
        return _error(query, open_ones[-1], f"{open_ones[-1].text!r} is opened here and never closed.", "Close it.")
    return None


def _declared(found: list[Token]) -> set[str]:
    """The prefixes that a query declares anywhere."""
    names = pairwise(found)
    return {"_", *(name.text.partition(":")[0] for before, name in names if before.text.upper() == "PREFIX")}


def _prefix(query: str, found: list[Token]) -> QuerySyntaxError | None:
    declared = {"_"}
    for before, token in zip([None, *found], found, strict=False):
        if token.kind != "name":
            continue
        prefix = token.text.partition(":")[0]
        if before is not None and before.text.upper() == "PREFIX":
            declared.add(prefix)
        elif prefix not in declared:
            return _error(query, token, f"The prefix '{prefix}:' is not declared.", f"Add PREFIX {prefix}: <…> at the beginning.")
    return None


def _engine(query: str, found: list[Token], message: str) -> QuerySyntaxError:
    parts = _ENGINE.match(message)
    if parts is None:
        return QuerySyntaxError(message, remedy="Correct the query.")
    line, column = int(parts[1]), int(parts[2])
    expected = re.sub(r"\[[^\]]*\](?:\n\| [^\]]*\])*|,?\s*\[_\]", "", parts[3])
    symbols = re.findall(r'"((?:[^"\\]|\\.)+)"', expected)
    phrases = [
        phrase.strip() for phrase in re.sub(r'"(?:[^"\\]|\\.)+"', "", expected).split(",") if re.search(r"[A-Za-z]", phrase)
    ]
    keywords = [phrase for phrase in phrases if re.fullmatch(r"[A-Za-z_]+", phrase)]
    sentences = [phrase for phrase in phrases if " " in phrase and not phrase.startswith("'")]
    start = sum(len(text) + 1 for text in query.split("\n")[: line - 1]) + column - 1
    if keywords and not symbols and not sentences:
        start -= max(map(len, keywords))  # the parser had read as far as its longest keyword
    token = next((token for token in found if token.start + len(token.text) > start), None)
    where = f"at {token.text[:_MOST_LETTERS]!r}" if token else "at the end"
    position = position_of(query, token.start if token else len(query), token.text[:_MOST_LETTERS] if token else "")
    if sentences:
        return QuerySyntaxError("; ".join(sentences) + ".", remedy="Correct the query there.", position=position)
    names = [*symbols, *keywords][:_MOST_EXPECTED]
    wanted = f" One of these was expected: {' '.join(names)}" if names else ""
    return QuerySyntaxError(f"Not understood {where}.{wanted}", remedy="Correct the query there.", position=position)
