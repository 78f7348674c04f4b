"""Any SPARQL 1.1 server as a store: the questions of ``kg.store.embedded`` asked over HTTP."""

import time
import warnings
from collections.abc import Iterable, Iterator
from http.client import HTTPException
from itertools import islice
from typing import Any
from urllib.error import HTTPError, URLError

import pyoxigraph as ox
from SPARQLWrapper import JSON, POST, SPARQLWrapper
from SPARQLWrapper.SPARQLExceptions import EndPointNotFound, SPARQLWrapperException

from kg import __version__
from kg.store.errors import StoreError

__all__ = ["RemoteStore"]

_JSON = "application/sparql-results+json"
_LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
_PAGE = 10_000
_LABELS_AT_ONCE = 500
_PATIENCE = 120  # seconds of Retry-After that are waited for


class RemoteStore:
    """Reading quads by pattern from the server at ``endpoint``. Terms are pyoxigraph's, as in ``EmbeddedStore``.

    ``agent`` names who asks, with a contact, as large servers demand. A server that is busy (429, 503 with Retry-After) is asked
    again, ``attempts`` times in all.
    """

    def __init__(self, endpoint: str, *, agent: str = f"silsila-kg/{__version__}", timeout: int = 60, attempts: int = 3) -> None:
        self.endpoint, self.agent, self.timeout, self.attempts = endpoint, agent, timeout, attempts

    def quads(
        self,
        subject: ox.NamedNode | str | None = None,
        predicate: ox.NamedNode | str | None = None,
        object: ox.NamedNode | ox.Literal | str | None = None,
        graph: ox.NamedNode | str | None = None,
    ) -> Iterator[ox.Quad]:
        """The quads of named graphs that fit; None fits everything. Asked for in pages, in the order of their terms.

        Raises:
            StoreError: the server gives no answer, or one that is not SPARQL results.
        """
        given = dict(zip("spog", map(_term, (subject, predicate, object, graph)), strict=True))
        parts = {name: str(term) if term is not None else f"?{name}" for name, term in given.items()}
        free = " ".join(f"?{name}" for name, term in given.items() if term is None)
        pattern = f"GRAPH {parts['g']} {{ {parts['s']} {parts['p']} {parts['o']} }}"
        if not free:
            if self._truth(f"ASK {{ {pattern} }}"):
                yield ox.Quad(given["s"], given["p"], given["o"], given["g"])
            return
        offset = 0
        while True:
            page = self.solutions(f"SELECT {free} {{ {pattern} }} ORDER BY {free} LIMIT {_PAGE} OFFSET {offset}")
            for row in page:
                terms = [given[name] if given[name] is not None else row[name] for name in "spog"]
                yield ox.Quad(*terms)
            if len(page) < _PAGE:
                return
            offset += _PAGE

    def labels(self, iris: Iterable[str]) -> dict[str, list[ox.Literal]]:
        """The ``rdfs:label`` literals of each of the things; one without labels has an empty list."""
        found: dict[str, list[ox.Literal]] = {iri: [] for iri in iris}
        waiting = iter(found)
        while block := list(islice(waiting, _LABELS_AT_ONCE)):
            values = " ".join(str(ox.NamedNode(iri)) for iri in block)
            graph = f"{{ ?s <{_LABEL}> ?label }} UNION {{ GRAPH ?g {{ ?s <{_LABEL}> ?label }} }}"
            for row in self.solutions(f"SELECT DISTINCT ?s ?label {{ VALUES ?s {{ {values} }} {graph} }}"):
                found[row["s"].value].append(row["label"])
        return found

    def graphs(self) -> list[str]:
        """The IRIs of the named graphs, sorted."""
        return sorted(row["g"].value for row in self.solutions("SELECT DISTINCT ?g { GRAPH ?g { ?s ?p ?o } }"))

    def solutions(self, query: str) -> list[dict[str, Any]]:
        """The solutions of a SELECT query, each by the names of its bound variables.

        Raises:
            StoreError: the server gives no answer, or one that is not SPARQL results.
        """
        results = self._ask(query)
        if isinstance(results, ox.QueryBoolean):
            raise StoreError(f"{self.endpoint} answered SELECT with a truth value: is it a SPARQL 1.1 server?")
        names = [variable.value for variable in results.variables]
        return [{name: row[name] for name in names if row[name] is not None} for row in results]

    def _truth(self, query: str) -> bool:
        results = self._ask(query)
        if not isinstance(results, ox.QueryBoolean):
            raise StoreError(f"{self.endpoint} answered ASK with a table: is it a SPARQL 1.1 server?")
        return bool(results)

    def _ask(self, query: str) -> Any:
        for attempt in range(1, self.attempts + 1):
            try:
                return self._once(query)
            except HTTPError as error:
                with error:
                    wait = _retry_after(error)
                    if error.code not in (429, 503) or wait is None or wait > _PATIENCE or attempt == self.attempts:
                        raise StoreError(
                            f"{self.endpoint} answered {error.code} {error.reason}: {_first_line(error.read(500))}"
                        ) from error
                time.sleep(wait)
        raise AssertionError("the last attempt returns or raises")

    def _once(self, query: str) -> Any:
        wrapper = SPARQLWrapper(self.endpoint, agent=self.agent)
        wrapper.setQuery(query)
        wrapper.setMethod(POST)
        wrapper.setTimeout(self.timeout)
        wrapper.setReturnFormat(JSON)
        wrapper.setOnlyConneg(True)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of a content type it did not expect: looked at below
                response = wrapper.query().response
            with response:
                media_type = response.headers.get_content_type()
                data = response.read()
        except HTTPError:
            raise
        except EndPointNotFound as error:
            raise StoreError(f"{self.endpoint} answered 404: check the address") from error
        except SPARQLWrapperException as error:
            raise StoreError(f"{self.endpoint} refused the query: {_first_line(str(error))}") from error
        except (URLError, OSError, HTTPException) as error:
            raise StoreError(f"{self.endpoint} cannot be reached ({error}): check the address") from error
        if media_type not in (_JSON, "application/json"):
            raise StoreError(f"{self.endpoint} answered with {media_type} instead of SPARQL results: {_first_line(data[:500])}")
        try:
            return ox.parse_query_results(data, format=ox.QueryResultsFormat.JSON)
        except (SyntaxError, ValueError) as error:
            raise StoreError(f"{self.endpoint} answered with results that cannot be read: {error}") from error


def _term(value: Any) -> Any:
    return ox.NamedNode(value) if isinstance(value, str) else value


def _retry_after(error: HTTPError) -> float | None:
    """The seconds of a Retry-After header; a date or nonsense is no answer."""
    value = error.headers.get("Retry-After", "") if error.headers else ""
    return float(value) if value.isdigit() else None


def _first_line(data: bytes | str) -> str:
    text = data.decode("utf-8", "replace") if isinstance(data, bytes) else data
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[0][:200] if lines else "nothing"
