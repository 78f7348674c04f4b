"""/sparql: the SPARQL 1.1 Protocol over a pool of query workers."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b

from flask import Blueprint, Response, request
from werkzeug.exceptions import RequestEntityTooLarge

from kg.store.answers import Answer
from kg.store.errors import LimitReached, NotAcceptable, QueryError, StoreError
from kg.store.limits import Limits
from kg.store.remote_queries import RemotePool
from kg.store.workers import QueryPool
from kg.web.budget import ClientBudget, client_of
from kg.web.description import describe_service
from kg.web.matches import expand
from kg.web.negotiation import GRAPHS, HTML, RESULTS, Offer, by_name, choose
from kg.web.problems import Problem, problem_of, respond
from kg.web.protocol import ACCEPT_QUERY, METHODS, ProtocolRequest, most_body, read_request, too_large

__all__ = ["Pages", "sparql_blueprint"]

_REFUSED_METHODS = ("PUT", "DELETE", "PATCH")
_HTML_ROWS = 1_000
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_SHARED = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": "Content-Location, ETag, Link, Retry-After, Server-Timing, Silsila-Truncated",
}
_ANSWERED = {"Vary": "Accept", "Cache-Control": "no-cache", "Accept-Query": ACCEPT_QUERY, "X-Content-Type-Options": "nosniff"}
_PREFLIGHT = {
    "Allow": ", ".join(METHODS),
    "Accept-Post": ACCEPT_QUERY,
    "Accept-Query": ACCEPT_QUERY,
    "Access-Control-Allow-Methods": ", ".join(METHODS),
    "Access-Control-Allow-Headers": "Accept, Accept-Language, Content-Type, If-None-Match",
    "Access-Control-Max-Age": "86400",
}


@dataclass(frozen=True, slots=True)
class Pages:
    """How people see the service; where one is None, that page is not offered and programs' formats are sent.

    ``form()`` is the query form; ``answer(request, answer)`` shows an answer, which comes as JSON results or N-Triples and is cut at
    ``rows`` (say so where ``answer.cut``); ``problem(problem)`` shows an error. Each gives HTML.
    """

    form: Callable[[], str] | None = None
    answer: Callable[[ProtocolRequest, Answer], str] | None = None
    problem: Callable[[Problem], str] | None = None
    rows: int = _HTML_ROWS


@dataclass(slots=True)
class _Service:
    pool: Callable[[], QueryPool | RemotePool]
    limits: Limits
    pages: Pages
    base: Callable[[], str]
    endpoint: Callable[[], str]
    prefixes: tuple[tuple[str, str], ...]
    search: Callable[[str, int], Iterable[str]]
    budget: ClientBudget
    described: dict[tuple[str, str, str], bytes] = field(default_factory=dict)


def sparql_blueprint(
    pool: QueryPool | Callable[[], QueryPool | RemotePool],
    limits: Limits | None = None,
    *,
    pages: Pages | None = None,
    base: Callable[[], str] | None = None,
    endpoint: Callable[[], str] | None = None,
    prefixes: Iterable[tuple[str, str]] = (),
    search: Callable[[str, int], Iterable[str]] = lambda words, most: (),
) -> Blueprint:
    """A blueprint that answers at /sparql and /sparql/.

    ``pool`` is a pool, or a function that gives the pool of the moment. ``endpoint`` gives the public address of the service (default: the
    request's), ``base`` the IRI against which relative IRIs of queries are resolved (default: the address). ``prefixes`` shorten
    Turtle, TriG and RDF/XML; ``search(words, most)`` gives the IRIs of what ``sls:matches`` finds.
    """

    def address() -> str:
        return f"{request.scheme}://{request.host}{request.root_path.rstrip('/')}/sparql"

    chosen = limits or (pool.limits if isinstance(pool, QueryPool) else Limits())
    service = _Service(
        pool=(lambda: pool) if isinstance(pool, QueryPool) else pool,
        limits=chosen,
        pages=pages or Pages(),
        base=base or endpoint or address,
        endpoint=endpoint or address,
        prefixes=tuple(prefixes),
        search=search,
        budget=ClientBudget(chosen),
    )
    blueprint = Blueprint("sparql", __name__)

    def view() -> Response:
        response = _handle(service)
        response.headers.extend(_SHARED)
        return response

    for rule in ("/sparql", "/sparql/"):
        blueprint.add_url_rule(
            rule, "sparql", view, methods=[*METHODS, *_REFUSED_METHODS], provide_automatic_options=False, strict_slashes=True
        )
    return blueprint


def _handle(service: _Service) -> Response:
    accept = request.headers.get("Accept")
    try:
        if request.method == "OPTIONS":
            response = Response(status=204, headers=_PREFLIGHT)
            del response.headers["Content-Type"]
            return response
        if request.method not in METHODS:
            allow = {"Allow": ", ".join(METHODS)}
            raise Problem(
                405, "method", "The service does not answer this method", f"{request.method} is not answered.", headers=allow
            )
        asked = read_request(
            request.method, request.query_string, request.headers.get("Content-Type"), _body(service), service.limits
        )
        if asked.query is None:
            return _service_itself(service, asked, accept)
        return _query(service, asked, accept)
    except Problem as problem:
        return respond(problem, accept, service.pages.problem)
    except LimitReached as error:
        limit = problem_of(error)
        if error.limit == "query_length" and request.method in ("GET", "HEAD"):
            limit.status = 414
        return respond(limit, accept, service.pages.problem)
    except QueryError as error:
        return respond(problem_of(error), accept, service.pages.problem)
    except StoreError as error:
        unreached = Problem(503, "closed", "The store cannot be reached", str(error), headers={"Retry-After": "30"})
        return respond(unreached, accept, service.pages.problem)


def _body(service: _Service) -> bytes:
    if request.method in ("GET", "HEAD"):
        return b""
    request.max_content_length = most_body(service.limits)
    try:
        return request.get_data(cache=False)
    except RequestEntityTooLarge as error:
        raise too_large(service.limits) from error


def _service_itself(service: _Service, asked: ProtocolRequest, accept: str | None) -> Response:
    """No query: the form for people, the service description for programs."""
    offers = (*GRAPHS, HTML) if service.pages.form else GRAPHS
    offer = _chosen(asked, accept, offers)
    if offer is None:
        raise _nothing_suits(offers)
    if offer is HTML and service.pages.form:
        body = service.pages.form().encode()
    else:
        pool, endpoint = service.pool(), service.endpoint()
        key = (pool.store, endpoint, offer.name)
        if key not in service.described:
            if len(service.described) > 100:  # addresses come from the request
                service.described.clear()
            service.described[key] = describe_service(endpoint, pool.graphs(), service.limits, offer.name)
        body = service.described[key]
    return _response([body], offer.content_type, len(body), {"ETag": _tag(body, offer)})


def _query(service: _Service, asked: ProtocolRequest, accept: str | None) -> Response:
    page = service.pages.answer
    result = _chosen(asked, accept, (*RESULTS, HTML) if page else RESULTS)
    graph = _chosen(asked, accept, (*GRAPHS, HTML) if page else GRAPHS)
    answer = _run(service, asked, result, graph)
    offer = graph if answer.kind == "graph" else result
    assert offer is not None  # the pool refuses a form without a format
    if offer is HTML and page:
        with answer:
            body = page(asked, answer).encode()
        return _response([body], HTML.content_type, len(body), _cut_headers(answer, service.pages.rows))
    headers = {"Server-Timing": f"query;dur={answer.seconds * 1000:.1f}", **_cut_headers(answer, service.limits.rows)}
    size, blocks = answer.size, answer.chunks()
    if asked.excel and offer.name == "csv":
        size, blocks = size + len(_BYTE_ORDER_MARK), _marked(blocks)
    if offer.name in ("csv", "tsv"):
        headers["Content-Disposition"] = f'inline; filename="answer.{offer.name}"'
    if answer.body is not None:
        headers["ETag"] = _tag(answer.body, offer)
    response = _response(blocks, offer.content_type, size, headers)
    response.call_on_close(answer.close)
    return response


def _run(service: _Service, asked: ProtocolRequest, result: Offer | None, graph: Offer | None) -> Answer:
    client = client_of(request.remote_addr)
    html = HTML in (result, graph)
    service.budget.begin(client)
    seconds = 0.0
    try:
        answer = service.pool().run(
            expand(asked.query or "", service.search),
            base=service.base(),
            default_graphs=asked.default_graphs,
            named_graphs=asked.named_graphs,
            result_format=_written(result, "json"),
            graph_format=_written(graph, "ntriples"),
            prefixes=service.prefixes,
            rows=service.pages.rows if html else None,
            cancelled=request.environ.get("waitress.client_disconnected"),
        )
        seconds = answer.seconds
        return answer
    except NotAcceptable as error:
        raise _nothing_suits(GRAPHS if error.kind == "graph" else RESULTS) from error
    except QueryError as error:
        seconds = error.seconds
        raise
    finally:
        service.budget.end(client, seconds)


def _chosen(asked: ProtocolRequest, accept: str | None, offers: Sequence[Offer]) -> Offer | None:
    """A format named in the address goes before Accept, where it is one of this form of query."""
    named = (by_name(name, offers) for name in asked.formats)
    return next((offer for offer in named if offer is not None), None) or choose(accept, offers)


def _written(offer: Offer | None, shown: str) -> str | None:
    """What a worker writes for an offer; a page is made from ``shown``."""
    return None if offer is None else shown if offer is HTML else offer.name


def _nothing_suits(offers: Sequence[Offer]) -> Problem:
    return Problem(
        406,
        "not-acceptable",
        "No answer in the formats asked for",
        "Nothing that the Accept header names can be sent for this form of query.",
        "Ask for one of the available formats, or leave the header out.",
        {"available": [offer.media_type for offer in offers]},
    )


def _response(blocks: Iterable[bytes], content_type: str, size: int, headers: dict[str, str]) -> Response:
    tag = headers.get("ETag")
    if tag and request.method in ("GET", "HEAD") and request.if_none_match.contains_weak(tag.strip('"')):
        response = Response(status=304)
        del response.headers["Content-Type"]
    else:
        response = Response(blocks, headers={"Content-Type": content_type, "Content-Length": str(size)})
    response.headers.extend({**_ANSWERED, **headers})
    return response


def _cut_headers(answer: Answer, rows: int) -> dict[str, str]:
    if not answer.cut:
        return {}
    value = f"{answer.cut}={rows}" if answer.cut == "rows" else answer.cut
    return {"Silsila-Truncated": value, "Link": '</limits>; rel="help"'}


def _tag(body: bytes, offer: Offer) -> str:
    return f'"{blake2b(body, digest_size=12, person=offer.name.encode()).hexdigest()}"'


def _marked(blocks: Iterator[bytes]) -> Iterator[bytes]:
    yield _BYTE_ORDER_MARK
    yield from blocks
