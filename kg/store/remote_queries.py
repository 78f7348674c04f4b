"""Queries answered by another SPARQL server, under the limits and in the formats of ``kg.store.workers``."""

import json
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError, URLError

import pyoxigraph as ox
from SPARQLWrapper import JSON, POST, SPARQLWrapper
from SPARQLWrapper.SPARQLExceptions import QueryBadFormed, SPARQLWrapperException

from kg.store import guard
from kg.store.answers import Answer, AnswerCache
from kg.store.asking import Asked
from kg.store.errors import Busy, LimitReached, NotAcceptable, QueryError, QuerySyntaxError, StoreError
from kg.store.evaluation import Question, evaluate
from kg.store.failures import failure_of_reply
from kg.store.http import AGENT, Account, first_line
from kg.store.limits import LIMITS, Limits
from kg.store.remote import is_truth

__all__ = ["RemotePool"]

_BLOCK = 256 * 1024
_ACCEPT = {
    "SELECT": "application/sparql-results+json",
    "ASK": "application/sparql-results+json",
    "CONSTRUCT": "application/n-triples",
    "DESCRIBE": "application/n-triples",
}


class RemotePool(Asked):
    """Runs queries on the server at ``endpoint``; what asks and what answers look as those of ``QueryPool`` do.

    ``graphs`` are the named graphs of ours there: a query that names no dataset sees them and no others, their union as its default graph.
    The answer is asked for as JSON or N-Triples and written here in the format wanted. The server decides when a query that we no
    longer wait for is stopped: set its own limit of time to ``limits.seconds``.
    """

    isolated = True

    def __init__(
        self, endpoint: str, graphs: Sequence[str], limits: Limits | None = None, account: Account | None = None
    ) -> None:
        self.limits = limits or Limits()
        self.endpoint, self._graphs, self._account = endpoint, tuple(graphs), account
        self._cache = AnswerCache(self.limits.cache_bytes)
        self._places = threading.BoundedSemaphore(self.limits.in_flight)

    @property
    def store(self) -> str:
        """The address of the server, which names what is asked."""
        return self.endpoint

    def graphs(self) -> list[str]:
        """The IRIs of the named graphs, sorted."""
        return sorted(self._graphs)

    def close(self, drain: float = 0.0) -> None:
        """Nothing is held open."""

    def ask(self, question: Question, cancelled: Callable[[], bool] | None = None) -> Answer:
        """``run`` for a question that is put together already."""
        seen, form = guard.inspect(question.query, self.limits), guard.form_of(question.query)
        question = replace(question, union=not seen.names_dataset, rows=min(question.rows, self.limits.rows))
        if (question.graph_format if form in ("CONSTRUCT", "DESCRIBE") else question.result_format) is None:
            raise NotAcceptable("graph" if form in ("CONSTRUCT", "DESCRIBE") else "boolean" if form == "ASK" else "solutions")
        if seen.repeatable and (kept := self._cache.get(question)) is not None:
            return kept
        started = time.monotonic()
        with self._place():
            try:
                answer = self._answered(question, form or "SELECT", started, cancelled)
            except QueryError as error:
                error.seconds = time.monotonic() - started
                raise
        if seen.repeatable and self.limits.cache_bytes:
            self._cache.put(question, answer, 4 * len(question.query))
        return answer

    @contextmanager
    def _place(self) -> Iterator[None]:
        if not self._places.acquire(timeout=self.limits.waiting_seconds):
            raise Busy(
                f"{self.limits.in_flight} queries run and none ended within {self.limits.waiting_seconds:g} seconds.",
                remedy=LIMITS["in_flight"].remedy,
                limit="in_flight",
                value=self.limits.in_flight,
            )
        try:
            yield
        finally:
            self._places.release()

    def _answered(self, question: Question, form: str, started: float, cancelled: Callable[[], bool] | None) -> Answer:
        data = self._fetch(question, form, started, cancelled)
        limits = {name: int(value) for name, value in asdict(self.limits).items()}
        outcome, spool = evaluate(_Fetched(data, form, self.endpoint), question, limits)  # type: ignore[arg-type]
        if spool is None:
            raise failure_of_reply(question.query, outcome.as_dict(), self.limits)
        body = spool.contents()
        spool.close()
        return Answer(outcome.kind, outcome.format, len(body), body, cut=outcome.cut, seconds=time.monotonic() - started)

    def _fetch(self, question: Question, form: str, started: float, cancelled: Callable[[], bool] | None) -> bytes:
        """The server's answer, read up to the limits of time and size."""
        text = f"BASE <{question.base}>\n{question.query}" if question.base else question.query
        wrapper = SPARQLWrapper(self.endpoint, agent=AGENT)
        wrapper.setQuery(text)
        wrapper.setMethod(POST)
        wrapper.setReturnFormat(JSON)
        wrapper.setOnlyConneg(True)
        wrapper.addCustomHttpHeader("Accept", _ACCEPT[form])
        wrapper.setTimeout(max(1, int(self.limits.seconds)))
        if self._account is not None:
            wrapper.addCustomHttpHeader("Authorization", self._account.header)
        default, named = question.default_graphs, question.named_graphs
        if question.union and not (default or named):
            default = named = self._graphs
        for graph in default:
            wrapper.addDefaultGraph(graph)
        for graph in named:
            wrapper.addNamedGraph(graph)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of forms and content types it does not know
                response = wrapper.query().response
            with response:
                return self._read(response, started, cancelled)
        except QueryBadFormed as error:
            raise QuerySyntaxError(
                f"{_host(self.endpoint)} says: {first_line(_told(error))}", remedy="Correct the query, or ask for less."
            ) from error
        except TimeoutError as error:
            raise self._too_long() from error
        except HTTPError as error:
            with error:
                raise StoreError(f"{self.endpoint} answered {error.code}: {first_line(error.read(500))}") from error
        except SPARQLWrapperException as error:
            raise StoreError(f"{self.endpoint} did not answer: {first_line(_told(error))}") from error
        except (URLError, OSError, HTTPException) as error:
            if isinstance(getattr(error, "reason", None), TimeoutError):
                raise self._too_long() from error
            raise StoreError(f"{self.endpoint} cannot be reached ({error}): check the address") from error

    def _read(self, response: Any, started: float, cancelled: Callable[[], bool] | None) -> bytes:
        data = bytearray()
        most = 4 * self.limits.bytes  # what comes is wordier than what is written
        while block := response.read(_BLOCK):
            data += block
            if time.monotonic() - started > self.limits.seconds:
                raise self._too_long()
            if cancelled is not None and cancelled():
                raise QueryError("The client went away; the query was stopped.")
            if len(data) > most:
                raise LimitReached(
                    f"The answer is larger than {self.limits.bytes:,} bytes.",
                    remedy=LIMITS["bytes"].remedy,
                    limit="bytes",
                    value=self.limits.bytes,
                )
        return bytes(data)

    def _too_long(self) -> LimitReached:
        return LimitReached(
            f"The query ran for {self.limits.seconds:g} seconds and was given up.",
            remedy=LIMITS["seconds"].remedy,
            limit="seconds",
            value=self.limits.seconds,
        )


class _Fetched:
    """An answer that has come, in the place of a store that would make it."""

    def __init__(self, data: bytes, form: str, endpoint: str) -> None:
        self._data, self._form, self._endpoint = data, form, endpoint

    def query(self, query: str, **dataset: Any) -> Any:
        """The answer as the engine gives one of its own.

        Raises:
            StoreError: it is in no format that can be read.
        """
        try:
            if self._form in ("CONSTRUCT", "DESCRIBE"):
                triples = ox.Store()
                triples.load(self._data, format=ox.RdfFormat.N_TRIPLES, lenient=True)
                return triples.query("CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }")
            results = ox.parse_query_results(self._data, format=ox.QueryResultsFormat.JSON)
            if self._form == "ASK" and not isinstance(results, ox.QueryBoolean):
                truth = json.dumps({"head": {}, "boolean": is_truth(results)})
                return ox.parse_query_results(truth, format=ox.QueryResultsFormat.JSON)
            return results
        except (SyntaxError, ValueError) as error:
            raise StoreError(f"{self._endpoint} answered with what cannot be read: {error}") from error


def _told(error: SPARQLWrapperException) -> str:
    """What a server said, out of the words that the wrapper puts around it."""
    text = str(error)
    _, marked, said = text.partition("Response:")
    said = said.strip() if marked else text
    if said.startswith(("b'", 'b"')):
        said = said[2:-1].replace("\\n", "\n").replace("\\r", "")
    return said


def _host(endpoint: str) -> str:
    return endpoint.partition("//")[2].partition("/")[0]
