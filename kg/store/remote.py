"""Any SPARQL 1.1 server as a store: the questions of ``kg.store.embedded`` asked over HTTP."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

import pyoxigraph as ox

from kg.store.errors import StoreError
from kg.store.http import AGENT, Account
from kg.store.patience import Broken, Busy, Patience
from kg.store.sparql_client import results

__all__ = ["RemoteStore", "is_truth"]

_LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
_PAGE = 10_000
_AT_ONCE = 200  # things asked for in one query
_PATIENCE = 120  # seconds of Retry-After that are waited for
_VIRTUOSO_ASK = "__ASK_RETVAL"


class RemoteStore:
    """Reading quads by pattern from the server at ``endpoint``. Terms are pyoxigraph's, as in ``EmbeddedStore``.

    ``graphs`` are the named graphs that are read, where the server has others beside them; all if none is named. ``agent`` names who
    asks, with a contact, as large servers demand. A server that is busy (429, 503 with Retry-After) is asked again, ``attempts``
    times in all.
    """

    def __init__(
        self,
        endpoint: str,
        *,
        graphs: Sequence[str] = (),
        account: Account | None = None,
        agent: str = AGENT,
        timeout: int = 60,
        attempts: int = 3,
    ) -> None:
        self.endpoint, self.account, self.agent, self.timeout = endpoint, account, agent, timeout
        self.patience = Patience(attempts, longest=_PATIENCE)
        self.only = tuple(graphs)

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
        free = [name for name, term in given.items() if term is None]
        pattern = f"GRAPH {parts['g']} {{ {parts['s']} {parts['p']} {parts['o']} }}"
        if not free:
            if self._truth(f"ASK {{ {pattern} }}"):
                yield ox.Quad(given["s"], given["p"], given["o"], given["g"])
            return
        for row in self._pages(free, pattern):
            yield ox.Quad(*(given[name] if given[name] is not None else row[name] for name in "spog"))

    def of(self, subjects: Iterable[str], predicates: Sequence[str] = ()) -> Iterator[ox.Quad]:
        """What is said of several things, by these predicates or by all: one query for many."""
        # A second VALUES would be quicker to read, but Oxigraph joins two of them a hundred times slower than it filters.
        limited = f" FILTER(?p IN ({', '.join(str(ox.NamedNode(iri)) for iri in predicates)}))" if predicates else ""
        for block in _blocks(subjects):
            yield from map(_quad, self._pages(list("spog"), f"VALUES ?s {{ {block} }} GRAPH ?g {{ ?s ?p ?o }}{limited}"))

    def pointing(self, objects: Iterable[str], predicate: str) -> Iterator[ox.Quad]:
        """What points at several things by a predicate: one query for many."""
        for block in _blocks(objects):
            pattern = f"VALUES ?o {{ {block} }} GRAPH ?g {{ ?s {_listed([predicate])} ?o }}"
            for row in self._pages(list("sog"), pattern):
                yield ox.Quad(row["s"], ox.NamedNode(predicate), row["o"], row["g"])

    def answers(self) -> bool:
        """Whether the server answers and holds something in the graphs that are read."""
        return self._truth("ASK { GRAPH ?g { ?s ?p ?o } }")

    def labels(self, iris: Iterable[str]) -> dict[str, list[ox.Literal]]:
        """The ``rdfs:label`` literals of each of the things; one without labels has an empty list."""
        found: dict[str, list[ox.Literal]] = {iri: [] for iri in iris}
        for block in _blocks(found):
            graph = f"{{ ?s <{_LABEL}> ?label }} UNION {{ GRAPH ?g {{ ?s <{_LABEL}> ?label }} }}"
            for row in self.solutions(f"SELECT DISTINCT ?s ?label {{ VALUES ?s {{ {block} }} {graph} }}"):
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

    def _pages(self, free: Sequence[str], pattern: str) -> Iterator[dict[str, Any]]:
        """The solutions of a pattern: in one answer where it has them all, else in pages. The order stands in a query within the
        query, as Virtuoso sorts no more than 10,000 rows of one that has a limit."""
        names = " ".join(f"?{name}" for name in free)
        page = self.solutions(f"SELECT {names} {{ {pattern} }} LIMIT {_PAGE}")
        if len(page) < _PAGE:
            yield from page
            return
        offset = 0
        while True:
            page = self.solutions(
                f"SELECT {names} {{ {{ SELECT {names} {{ {pattern} }} ORDER BY {names} }} }} LIMIT {_PAGE} OFFSET {offset}"
            )
            yield from page
            if len(page) < _PAGE:
                return
            offset += _PAGE

    def _truth(self, query: str) -> bool:
        results = self._ask(query)
        if isinstance(results, ox.QueryBoolean):
            return bool(results)
        try:
            return is_truth(results)
        except ValueError as error:
            raise StoreError(f"{self.endpoint} answered ASK with a table: is it a SPARQL 1.1 server?") from error

    def _ask(self, query: str) -> Any:
        try:
            data = self.patience.ask(lambda: self._once(query))
        except Busy as busy:
            raise StoreError(busy.said) from busy
        try:
            return ox.parse_query_results(data, format=ox.QueryResultsFormat.JSON)
        except (SyntaxError, ValueError) as error:
            raise StoreError(f"{self.endpoint} answered with results that cannot be read: {error}") from error

    def _once(self, query: str) -> bytes:
        try:
            return results(self.endpoint, query, agent=self.agent, timeout=self.timeout, account=self.account, graphs=self.only)
        except Broken as broken:  # what took too long once will again
            raise StoreError(broken.said) from broken


def is_truth(results: ox.QuerySolutions) -> bool:
    """What Virtuoso's answer to ASK means: a table of ``__ASK_RETVAL``, empty for no.

    Raises:
        ValueError: the table is another.
    """
    if [variable.value for variable in results.variables] != [_VIRTUOSO_ASK]:
        raise ValueError("a table of other columns")
    return any(row[_VIRTUOSO_ASK].value == "1" for row in results)


def _term(value: Any) -> Any:
    return ox.NamedNode(value) if isinstance(value, str) else value


def _quad(row: dict[str, Any]) -> ox.Quad:
    return ox.Quad(row["s"], row["p"], row["o"], row["g"])


def _listed(iris: Iterable[str]) -> str:
    return " ".join(str(ox.NamedNode(iri)) for iri in iris)


def _blocks(iris: Iterable[str]) -> Iterator[str]:
    waiting = iter(dict.fromkeys(iris))
    while block := list(islice(waiting, _AT_ONCE)):
        yield _listed(block)
