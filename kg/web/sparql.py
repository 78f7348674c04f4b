"""/sparql in Flask: the SPARQL 1.1 Protocol over a pool of query workers, with its pages for people."""

from collections.abc import Callable
from dataclasses import dataclass

from flask import Blueprint, Response, request
from werkzeug.exceptions import RequestEntityTooLarge

from kg.store.answers import Answer
from kg.store.errors import QueryError, StoreError
from kg.web.budget import client_of
from kg.web.description import describe_service
from kg.web.negotiation import GRAPHS, HTML
from kg.web.problems import Problem, respond
from kg.web.protocol import METHODS, ProtocolRequest, most_body, too_large
from kg.web.service import (
    ANSWERED,
    PREFLIGHT,
    SHARED,
    Asked,
    Prepared,
    Reply,
    SparqlService,
    chosen,
    cut_headers,
    nothing_suits,
    tag_of,
)

__all__ = ["Pages", "sparql_blueprint"]

_REFUSED_METHODS = ("PUT", "DELETE", "PATCH")


@dataclass(frozen=True, slots=True)
class Pages:
    """How people see the service; where one is None, that page is not offered and programs' formats are sent.

    ``form()`` is the query form; ``answer(request, answer)`` shows an answer, which comes as JSON results or N-Triples and is cut at
    ``rows`` (say so where ``answer.cut``); ``problem(problem)`` shows an error. Each gives HTML.
    """

    form: Callable[[], str] | None = None
    answer: Callable[[ProtocolRequest, Answer], str] | None = None
    problem: Callable[[Problem], str] | None = None
    rows: int = 1_000


def sparql_blueprint(
    service: SparqlService, *, pages: Pages | None = None, endpoint: Callable[[], str] | None = None
) -> Blueprint:
    """A blueprint that answers at /sparql and /sparql/.

    ``endpoint`` gives the public address of the service (default: the request's).
    """
    view = _View(service, pages or Pages(), endpoint or _address)
    blueprint = Blueprint("sparql", __name__)
    for rule in ("/sparql", "/sparql/"):
        blueprint.add_url_rule(
            rule, "sparql", view, methods=[*METHODS, *_REFUSED_METHODS], provide_automatic_options=False, strict_slashes=True
        )
    return blueprint


def _address() -> str:
    return f"{request.scheme}://{request.host}{request.root_path.rstrip('/')}/sparql"


class _View:
    """Reads the request of the moment, asks the service, renders what people see."""

    def __init__(self, service: SparqlService, pages: Pages, endpoint: Callable[[], str]) -> None:
        self.service, self.pages, self.endpoint = service, pages, endpoint
        self.described: dict[tuple[str, str, str], bytes] = {}
        self.__name__ = "sparql"

    def __call__(self) -> Response:
        try:
            response = self.answer()
        except (Problem, QueryError, StoreError) as error:
            problem = self.service.problem(error, request.method)
            response = respond(problem, request.headers.get("Accept"), self.pages.problem)
        response.headers.extend(SHARED)
        return response

    def answer(self) -> Response:
        if request.method == "OPTIONS":
            response = Response(status=204, headers=PREFLIGHT)
            del response.headers["Content-Type"]
            return response
        if request.method not in METHODS:
            allow = {"Allow": ", ".join(METHODS)}
            raise Problem(
                405, "method", "The service does not answer this method", f"{request.method} is not answered.", headers=allow
            )
        asked = self.asked()
        prepared = self.service.prepare(asked, self.pages.rows if self.pages.answer else None)
        if prepared.request.query is None:
            return self.itself(asked, prepared.request)
        with self.service.paid_by(asked.client) as bill:
            question = self.service.searched(prepared.question)
            answer = self.service.pool().ask(question, request.environ.get("kg.client_disconnected"))
            bill.seconds = answer.seconds
        if (prepared.graph if answer.kind == "graph" else prepared.result) is HTML:
            return self.page(prepared, answer)
        return _response(self.service.reply(asked, prepared, answer))

    def asked(self) -> Asked:
        headers = request.headers
        return Asked(
            request.method,
            request.query_string,
            self.body(),
            headers.get("Content-Type"),
            headers.get("Content-Encoding"),
            headers.get("Accept"),
            headers.get("If-None-Match"),
            client_of(request.remote_addr),
            _address(),
        )

    def body(self) -> bytes:
        if request.method in ("GET", "HEAD"):
            return b""
        request.max_content_length = most_body(self.service.limits)
        try:
            return request.get_data(cache=False)
        except RequestEntityTooLarge as error:
            raise too_large(self.service.limits) from error

    def itself(self, asked: Asked, read: ProtocolRequest) -> Response:
        """No query: the form for people, the service description for programs."""
        offers = (*GRAPHS, HTML) if self.pages.form else GRAPHS
        offer = chosen(read, asked.accept, offers)
        if offer is None:
            raise nothing_suits(offers)
        if offer is HTML and self.pages.form:
            body = self.pages.form().encode()
        else:
            pool, endpoint = self.service.pool(), self.endpoint()
            key = (pool.store, endpoint, offer.name)
            if key not in self.described:
                if len(self.described) > 100:  # addresses come from the request
                    self.described.clear()
                self.described[key] = describe_service(endpoint, pool.graphs(), self.service.limits, offer.name)
            body = self.described[key]
        headers = {
            **ANSWERED,
            "Content-Type": offer.content_type,
            "Content-Length": str(len(body)),
            "ETag": tag_of(body, offer.name),
        }
        return _response(self.service.unless_known(asked, Reply(200, headers, body)))

    def page(self, prepared: Prepared, answer: Answer) -> Response:
        """An answer shown to people."""
        assert self.pages.answer is not None  # or HTML would not have been on offer
        with answer:
            body = self.pages.answer(prepared.request, answer).encode()
        headers = {**ANSWERED, "Content-Type": HTML.content_type, "Content-Length": str(len(body))}
        return _response(Reply(200, headers | cut_headers(answer.cut, self.pages.rows), body))


def _response(reply: Reply) -> Response:
    response = Response(reply.blocks(), reply.status, reply.headers)
    if "Content-Type" not in reply.headers:
        del response.headers["Content-Type"]
    if reply.answer is not None:
        response.call_on_close(reply.answer.close)
    return response
