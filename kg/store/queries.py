"""Running a stored or given query on a built folder, as ``kg query`` does."""

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from kg.resources import queries_folder
from kg.store.answers import Answer
from kg.store.errors import QueryError, StoreError
from kg.store.limits import Limits
from kg.store.workers import QueryPool

__all__ = ["FORMATS", "find_query", "run", "stored_queries"]

FORMATS: dict[str, tuple[str, str]] = {
    "table": ("json", "turtle"),
    "json": ("json", "jsonld"),
    "csv": ("csv", "turtle"),
    "tsv": ("tsv", "turtle"),
    "xml": ("xml", "rdfxml"),
    "turtle": ("tsv", "turtle"),
}
"""For each format of the command: what solutions and what graphs are written as."""

_GENEROUS = Limits(
    seconds=3600, rows=100_000_000, bytes=16 * 1024**3, memory=16 * 1024**3, query_length=16 * 1024**2, in_flight=1, cache_bytes=0
)


def stored_queries() -> dict[str, Path]:
    """The queries in ``queries/`` by name: of the checkout, or of the installed package."""
    return {file.stem: file for file in sorted(queries_folder().glob("*.rq"))}


def find_query(name: str) -> str:
    """The text of a query: ``-`` is standard input, else a stored query's name, else a file.

    Raises:
        StoreError: there is none.
    """
    if name == "-":
        return sys.stdin.read()
    stored = stored_queries()
    file = stored.get(name) or Path(name)
    try:
        return file.read_text(encoding="utf-8-sig")
    except (OSError, ValueError) as error:
        known = f": the stored queries are {', '.join(stored)}" if stored else ""
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise StoreError(f"{name!r} is no stored query and cannot be read as a file ({reason}){known}") from error


def run(name: str, data: Path, format: str = "table", prepare: Callable[[str, Path], str] = lambda query, version: query) -> str:
    """The answer to a query on the version of ``data`` that is current, rendered in one of ``FORMATS``.

    ``data`` is a data folder (with ``current`` in it) or one version. A query whose form the format does not suit is
    answered in the nearest that does: a graph asked for as a table in Turtle, solutions asked for in Turtle as TSV. ``prepare`` may
    rewrite the query for the version it is asked of.

    Raises:
        StoreError: no such query, no built folder, or the query has no answer; one sentence says where and why.
    """
    query = find_query(name)
    version = (data / "current").resolve() if (data / "current").exists() else data.resolve()
    if not (version / "store").is_dir():
        raise StoreError(f"{data} holds no built graph: build one with 'kg build --out {data}'")
    solutions, graph = FORMATS[format]
    base = _base(version)
    try:
        query = prepare(query, version)
        with (
            QueryPool(version / "store", _GENEROUS, size=1) as pool,
            pool.run(query, base=base, result_format=solutions, graph_format=graph, prefixes=_prefixes(base)) as answer,
        ):
            return _table(answer, base) if format == "table" and answer.kind != "graph" else answer.read().decode()
    except QueryError as error:
        at = f"{name}:{error.position.line}:{error.position.column}: " if error.position else f"{name}: "
        raise StoreError(f"{at}{error.detail} {error.remedy}".rstrip()) from error


def _base(version: Path) -> str | None:
    try:
        base = json.loads((version / "manifest.json").read_text(encoding="utf-8")).get("base")
    except FileNotFoundError:
        return None
    return str(base) if base else None


def _prefixes(base: str | None) -> list[tuple[str, str]]:
    return [
        ("sls", "https://w3id.org/silsila/ontology#"),
        ("rdfs", "http://www.w3.org/2000/01/rdf-schema#"),
        ("skos", "http://www.w3.org/2004/02/skos/core#"),
        ("dcterms", "http://purl.org/dc/terms/"),
        ("xsd", "http://www.w3.org/2001/XMLSchema#"),
        *([("data", base)] if base else []),
    ]


def _table(answer: Answer, base: str | None) -> str:
    """Solutions as a table for a terminal; IRIs under the base lose it."""
    document = json.loads(answer.read())
    if "boolean" in document:
        return "yes\n" if document["boolean"] else "no\n"
    names, rows = document["head"]["vars"], document["results"]["bindings"]
    table = Table(*(name.replace("[", "\\[") for name in names))
    for row in rows:
        table.add_row(*(Text(_shown(row.get(name), base)) for name in names))
    columns = os.get_terminal_size().columns if sys.stdout.isatty() else 200
    console = Console(width=columns, color_system=None, highlight=False, legacy_windows=False)
    with console.capture() as captured:
        console.print(table)
    return f"{captured.get()}{len(rows)} {'row' if len(rows) == 1 else 'rows'}\n"


def _shown(term: dict[str, object] | None, base: str | None) -> str:
    if term is None:
        return ""
    if term["type"] == "triple":
        parts = term["value"]
        assert isinstance(parts, dict)
        return f"<<( {' '.join(_shown(parts[name], base) for name in ('subject', 'predicate', 'object'))} )>>"
    value = str(term["value"])
    return value.removeprefix(base) if base and term["type"] == "uri" else value
