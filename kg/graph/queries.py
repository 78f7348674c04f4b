"""The stored queries: questions a scholar asks, each with a title and a comment in English and Arabic.

A file of ``queries/`` begins with ``# title:``, ``# title@ar:``, ``# comment:`` and ``# comment@ar:`` lines. Its keys
(``<person/abu-bakr>``) are relative to the base of the data set; a line ``VALUES ?person { <person/abu-bakr> }`` is a
parameter that may be given another value.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from kg.graph.terms import escape
from kg.graph.vocabulary import Vocabulary
from kg.resources import queries_folder

__all__ = ["QueryError", "StoredQuery", "stored_queries"]

_HEADER = re.compile(r"# (title|comment)(@ar)?: (.+)")
_PARAMETER = re.compile(r'^[ ]*VALUES \?(\w+) \{ (?:<([^<>\s]+)>|(-?\d+)|"((?:[^"\\]|\\.)*)") \}[ ]*$', re.MULTILINE)


class QueryError(ValueError):
    """A stored query or a value for it cannot be used: says which, and what is expected."""


@dataclass(frozen=True, slots=True)
class StoredQuery:
    """A question with its words in English and Arabic; ``parameters`` are the values it has unless others are given."""

    name: str
    title: str
    title_ar: str
    comment: str
    comment_ar: str
    body: str
    parameters: Mapping[str, str]

    def sparql(self, base: str, **values: str | int) -> str:
        """The query as any SPARQL 1.1 endpoint takes it, with other values for its parameters where given.

        Raises:
            QueryError: there is no such parameter, or the value is not of its kind (a key or IRI of ours, a number, words).

        >>> query = stored_queries()["passages-citing-a-verse"]
        >>> "VALUES ?verse { <verse/96/1> }" in query.sparql("https://example.org/", verse="verse/96/1")
        True
        """
        words = Vocabulary(base)
        unknown = sorted(set(values) - set(self.parameters))
        if unknown:
            known = ", ".join(self.parameters) or "none"
            raise QueryError(f"{self.name} has no parameter {unknown[0]!r}: it has {known}")

        def put(match: re.Match[str]) -> str:
            parameter, key, number, _ = match.groups()
            if parameter not in values:
                return match[0]
            value = str(values[parameter])
            if key is not None:
                found = words.key(value) or words.normal(value)
                if found is None:
                    raise QueryError(f"{parameter} is {value!r}: give a key or an IRI of ours, such as {key}")
                written = f"<{found}>"
            elif number is not None:
                if not re.fullmatch(r"-?[0-9]{1,9}", value):
                    raise QueryError(f"{parameter} is {value!r}: give a whole number, such as {number}")
                written = value
            else:
                written = f'"{escape(value)}"'
            start, end = match.span()
            line = self.body[start:end]
            return line[: line.index("{")] + "{ " + written + " }"

        return f"BASE <{words.base}>\n" + _PARAMETER.sub(put, self.body)


def read_query(path: Path) -> StoredQuery:
    """One file of ``queries/``.

    Raises:
        QueryError: a header line is missing.
    """
    header: dict[str, str] = {}
    lines = path.read_text(encoding="utf-8").splitlines()
    while lines and lines[0].startswith("#"):
        match = _HEADER.fullmatch(lines.pop(0))
        if match:
            header[match[1] + (match[2] or "")] = match[3].strip()
    for wanted in ("title", "title@ar", "comment", "comment@ar"):
        if wanted not in header:
            raise QueryError(f"{path}:1: no line '# {wanted}: …': add it above the query")
    body = "\n".join(lines) + "\n"
    parameters = {match[1]: match[2] or match[3] or match[4] or "" for match in _PARAMETER.finditer(body)}
    return StoredQuery(path.stem, header["title"], header["title@ar"], header["comment"], header["comment@ar"], body, parameters)


@cache
def stored_queries() -> dict[str, StoredQuery]:
    """All stored queries by name, in the order of their names."""
    return {path.stem: read_query(path) for path in sorted(queries_folder().glob("*.rq"))}
