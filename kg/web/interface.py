"""The SPARQL service and /limits in OpenAPI: the fragment that /openapi.json is put together from."""

from typing import Any

from kg.store.limits import Limits
from kg.web.negotiation import GRAPHS, RESULTS, Offer
from kg.web.problems import LIMIT_STATUSES, STATUSES

__all__ = ["sparql_interface"]

_FORM, _DIRECT = "application/x-www-form-urlencoded", "application/sparql-query"
_MEANINGS = {
    400: "The request does not follow the protocol, or the query is not valid; the problem says where.",
    403: "An update, SERVICE or LOAD: the service is read-only and asks no other server.",
    405: "The method is not answered.",
    406: "No answer in the formats asked for; `available` names those there are.",
    413: "The body or the query is too long.",
    414: "The query in the address is too long.",
    415: "The body is of a type that is not read.",
    431: "The address or the headers are longer than the server reads at all.",
    429: "This address asks too much; Retry-After says when there is time again.",
    503: "The query costs more than the limits allow (`limit`), or all workers are busy (Retry-After).",
}


def sparql_interface(limits: Limits) -> dict[str, Any]:
    """``paths`` and ``components`` of OpenAPI 3.1 for /sparql and /limits.

    >>> sorted(sparql_interface(Limits())["paths"])
    ['/limits', '/sparql']
    """
    query = {
        "type": "string",
        "minLength": 1,
        "maxLength": limits.query_length,
        "description": "A SPARQL 1.1 query (SPARQL 1.2 is read too).",
    }
    graphs = {"type": "array", "items": {"type": "string", "format": "iri"}}
    dataset = [
        _parameter(
            "default-graph-uri", graphs, "Graphs of the store whose union is the default graph; without a dataset, all of them."
        ),
        _parameter("named-graph-uri", graphs, "Graphs of the store for GRAPH."),
    ]
    shape = [
        _parameter(
            "format",
            {"type": "string", "enum": [offer.name for offer in (*RESULTS, *GRAPHS)]},
            "Goes before Accept where it fits.",
        ),
        _parameter("excel", {"type": "string", "enum": ["1"]}, "A byte order mark before CSV, for Excel."),
    ]
    fields = {
        "query": query,
        "default-graph-uri": graphs,
        "named-graph-uri": graphs,
        "format": {"type": "string"},
        "excel": {"type": "string"},
    }
    form = {
        "schema": {"type": "object", "required": ["query"], "properties": fields},
        "encoding": {"default-graph-uri": {"explode": True}},
    }
    return {
        "paths": {
            "/sparql": {
                "get": {
                    "operationId": "sparqlGet",
                    "summary": "Ask a query; without one, the description of the service",
                    "parameters": [_parameter("query", query, "Left out: the service description."), *dataset, *shape],
                    "responses": _responses(400, 403, 406, 414, 429, 503, unchanged=True),
                },
                "post": {
                    "operationId": "sparqlPost",
                    "summary": "Ask a query that is too long for an address",
                    "parameters": [*dataset, *shape],
                    "requestBody": {"required": True, "content": {_FORM: form, _DIRECT: {"schema": query}}},
                    "responses": _responses(400, 403, 406, 413, 415, 429, 503),
                },
            },
            "/limits": {
                "get": {
                    "operationId": "limits",
                    "summary": "What the service gives, and what its problems mean",
                    "responses": {
                        "200": {
                            "description": "The limits",
                            "content": {
                                "application/json": {"schema": {"type": "object", "required": ["limits", "problems"]}},
                                "text/html": {},
                            },
                        },
                        "406": _problem(406),
                    },
                }
            },
        },
        "components": {"schemas": {"Problem": _PROBLEM}},
    }


def _parameter(name: str, schema: dict[str, Any], description: str) -> dict[str, Any]:
    return {"name": name, "in": "query", "required": False, "schema": schema, "description": description}


_PROBLEM: dict[str, Any] = {
    "description": "RFC 9457",
    "type": "object",
    "required": ["type", "title", "status"],
    "properties": {
        "type": {
            "type": "string",
            "enum": [f"/limits#problem-{name}" for name in (*STATUSES, "protocol", "content-type", "method", "rate")],
        },
        "title": {"type": "string"},
        "status": {"type": "integer", "enum": sorted({*STATUSES.values(), *LIMIT_STATUSES.values(), *_MEANINGS})},
        "detail": {"type": "string"},
        "remedy": {"type": "string"},
        "line": {"type": "integer", "minimum": 1},
        "column": {"type": "integer", "minimum": 1},
        "token": {"type": "string"},
        "available": {"type": "array", "items": {"type": "string"}},
        "limit": {"type": "object", "required": ["name", "value"]},
    },
}


def _problem(status: int) -> dict[str, Any]:
    schema = {"$ref": "#/components/schemas/Problem"}
    return {
        "description": _MEANINGS[status],
        "content": {"application/problem+json": {"schema": schema}, "text/html": {}, "text/plain": {}},
    }


def _content(*offers: Offer) -> dict[str, Any]:
    return {offer.media_type: {} for offer in offers}


def _responses(*statuses: int, unchanged: bool = False) -> dict[str, Any]:
    header = {"description": "The limit at which the answer was cut", "schema": {"type": "string"}}
    answers: dict[str, Any] = {
        "431": {"description": _MEANINGS[431]},
        "200": {
            "description": "The answer; results for SELECT and ASK, a graph for CONSTRUCT and DESCRIBE",
            "headers": {"Silsila-Truncated": header},
            "content": {**_content(*RESULTS, *GRAPHS), "text/html": {}},
        },
    }
    if unchanged:
        answers["304"] = {"description": "The answer is the one whose ETag was sent"}
    return answers | {str(status): _problem(status) for status in statuses}
