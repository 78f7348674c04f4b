"""Evaluating one query on an opened store and writing its answer to a spool. Runs inside a worker process."""

import contextlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import pyoxigraph as ox

from kg.store.formats import GRAPH_FORMATS, RESULT_FORMATS
from kg.store.rewrites import with_texts_concatenated
from kg.store.spool import CutHere, NotWritable, Spool

__all__ = ["Outcome", "Question", "evaluate"]


_XML_NAME = re.compile(r"[^\W\d][\w\u00b7.-]*$")


@dataclass(frozen=True, slots=True)
class Question:
    """A query with everything that changes its answer.

    ``result_format`` and ``graph_format`` are names of ``kg.store.formats``: the query's own form decides which of the two is
    written; None refuses that form. ``union`` makes the default graph the union of the named graphs. ``rows`` cuts the answer.
    """

    query: str
    base: str | None = None
    default_graphs: tuple[str, ...] = ()
    named_graphs: tuple[str, ...] = ()
    union: bool = True
    result_format: str | None = "json"
    graph_format: str | None = "turtle"
    prefixes: tuple[tuple[str, str], ...] = ()
    rows: int = 1 << 62


@dataclass(frozen=True, slots=True)
class Outcome:
    """How an evaluation ended: ``error`` is empty, or the name of a ``QueryError`` with ``message``; ``cut`` is the limit it was cut at."""

    kind: str = ""
    format: str = ""
    cut: str = ""
    error: str = ""
    message: str = ""

    def as_dict(self) -> dict[str, Any]:
        """For the reply of a worker."""
        return {"kind": self.kind, "format": self.format, "cut": self.cut, "error": self.error, "message": self.message}


def evaluate(store: ox.Store, question: Question, limits: Mapping[str, int]) -> tuple[Outcome, Spool | None]:
    """The answer of a question in a spool that holds at most ``limits["rows"]`` rows and ``limits["bytes"]`` bytes."""
    try:
        results = _ask(store, question)
    except SyntaxError as error:
        return Outcome(error="syntax", message=str(error)), None
    except ValueError as error:  # an IRI of the dataset or the base is none
        return Outcome(error="syntax", message=str(error)), None
    except RuntimeError as error:
        return _failed(error), None
    kind = "graph" if isinstance(results, ox.QueryTriples) else "boolean" if isinstance(results, ox.QueryBoolean) else "solutions"
    name = question.graph_format if kind == "graph" else question.result_format
    if name is None:
        return Outcome(kind=kind, error="not-acceptable"), None
    rows = min(question.rows, limits["rows"])
    most_rows = rows if kind == "solutions" else limits["bytes"]
    spool = Spool(name, most_rows=most_rows, most_bytes=limits["bytes"], in_memory=limits["spool_in_memory"])
    try:
        cut = _write_graph(results, question, name, spool, rows) if kind == "graph" else _write_results(results, name, spool)
        spool.flush()
    except CutHere:
        failed = Outcome(error="limit", message="bytes")
    except (NotWritable, ValueError) as error:
        failed = Outcome(error="unwritable", message=str(error))
    except (OSError, RuntimeError) as error:
        failed = _failed(error)
    else:
        if cut and kind == "solutions":
            spool.cut(cut, rows if cut == "rows" else limits[cut])
        return Outcome(kind=kind, format=name, cut=cut), spool
    spool.close()
    return failed, None


def _failed(error: Exception) -> Outcome:
    return Outcome(error="function" if "custom function" in str(error) else "evaluation", message=str(error))


def _ask(store: ox.Store, question: Question) -> ox.QuerySolutions | ox.QueryBoolean | ox.QueryTriples:
    dataset: dict[str, Any] = {}
    if question.default_graphs or question.named_graphs:
        dataset["default_graph"] = [ox.NamedNode(graph) for graph in question.default_graphs]
        dataset["named_graphs"] = [ox.NamedNode(graph) for graph in question.named_graphs]
    elif question.union:
        dataset["use_default_graph_as_union"] = True
    query = with_texts_concatenated(question.query)
    if query is not question.query:
        with contextlib.suppress(SyntaxError):  # told of the query as it was sent
            return store.query(query, base_iri=question.base, **dataset)
    return store.query(question.query, base_iri=question.base, **dataset)


def _write_results(results: Any, name: str, spool: Spool) -> str:
    try:
        results.serialize(output=spool, format=RESULT_FORMATS[name].writer)
        return "rows" if spool.over() else ""
    except CutHere as reached:
        return reached.limit


def _write_graph(triples: Any, question: Question, name: str, spool: Any, most: int) -> str:
    """Triples are counted as they are written; a cut graph is whole and says that it was cut in a comment or member."""
    counted = _Counted(map(_with_xml_name, triples) if name == "rdfxml" else triples, most)
    if name == "jsonld":
        return _write_json_ld(counted, spool, most)
    ox.serialize(counted, output=spool, format=GRAPH_FORMATS[name].writer, prefixes=dict(question.prefixes) or None)
    if not counted.cut:
        return ""
    words = f"cut: the limit 'rows' is {most}; see /limits"
    spool.write((f"<!-- {words} -->\n" if name == "rdfxml" else f"# {words}\n").encode())
    return "rows"


def _write_json_ld(counted: "_Counted", spool: Any, most: int) -> str:
    """JSON-LD has no comments: a cut graph stands in ``@graph`` beside a member that no context maps to anything."""
    first: Sequence[ox.Triple] = list(islice(counted, most))
    cut = next(iter(counted), None) is None and counted.cut
    if cut:
        spool.write(b'{"@graph":')
    ox.serialize(first, output=spool, format=ox.RdfFormat.JSON_LD)
    if cut:
        spool.write(b',"truncated":true}')
    return "rows" if cut else ""


def _with_xml_name(triple: ox.Triple) -> ox.Triple:
    """The triple, whose predicate RDF/XML must be able to write as the name of an element (the engine writes an empty one)."""
    if not _XML_NAME.search(triple.predicate.value):
        raise NotWritable(f"the predicate {triple.predicate.value} cannot be the name of an XML element")
    if isinstance(triple.object, ox.Triple):
        _with_xml_name(triple.object)
    return triple


class _Counted:
    """The first ``most`` triples; ``cut`` tells afterwards whether there were more."""

    def __init__(self, triples: Iterable[ox.Triple], most: int) -> None:
        self._triples, self._most, self.cut = iter(triples), most, False
        self._given = 0

    def __iter__(self) -> Iterator[ox.Triple]:
        return self

    def __next__(self) -> ox.Triple:
        triple = next(self._triples)
        if self._given == self._most:
            self.cut = True
            raise StopIteration
        self._given += 1
        return triple
