"""The page and document /limits: what the SPARQL service gives, and what each of its errors means."""

import dataclasses
import html
import json
from collections.abc import Callable
from typing import Any

from flask import Blueprint, Response, request

from kg.store.limits import LIMITS, Limits
from kg.web.negotiation import HTML, Offer, choose
from kg.web.problems import LIMIT_STATUSES, STATUSES, Problem, respond

__all__ = ["PROBLEM_NOTES", "limits_blueprint", "limits_document"]

OFFERS = (Offer("json", "application/json"), HTML)

PROBLEM_NOTES: dict[str, str] = {
    "syntax": "The query is not valid SPARQL; line, column and token say where.",
    "protocol": "The request does not follow the SPARQL protocol: two queries, a missing field, an encoding other than UTF-8.",
    "content-type": "The body is of a type that is not read here; Accept-Post names those that are.",
    "method": "The service does not answer this method; Allow names those it answers.",
    "function": "The query calls a function by an IRI that means nothing here.",
    "refused": "SERVICE and LOAD are never followed.",
    "read-only": "Updates are refused.",
    "not-acceptable": "There is no answer to this form of query in a format asked for; the formats there are stand in 'available'.",
    "unwritable": "The answer has a term that this format cannot say.",
    "limit": "A limit was hit; 'limit' names it.",
    "rate": "One address asks too much at once or within a minute; Retry-After says when there is time again.",
    "busy": "All workers answer other queries.",
    "worker-lost": "The query brought its worker down; no other query was hurt.",
    "closed": "The service is shutting down.",
    "query": "The query was stopped, because its client went away.",
}
"""What the ``type`` of a problem means; its address is ``/limits#problem-…``."""

_PROBLEM_STATUSES = {**STATUSES, "protocol": 400, "content-type": 415, "method": 405, "rate": 429}


def limits_document(limits: Limits) -> dict[str, Any]:
    """The limits and problems for programs.

    >>> limits_document(Limits(seconds=5))["limits"]["seconds"]["value"]
    5
    """
    return {
        "limits": {
            field.name: {"value": getattr(limits, field.name), **_note(field.name)} for field in dataclasses.fields(limits)
        },
        "problems": {name: {"status": _PROBLEM_STATUSES[name], "meaning": note} for name, note in PROBLEM_NOTES.items()},
    }


def _note(name: str) -> dict[str, Any]:
    note = LIMITS[name]
    status = LIMIT_STATUSES.get(name, note.status)
    return {"unit": note.unit, "bounds": note.bounds, "status": status, "remedy": note.remedy}


def limits_blueprint(limits: Limits, page: Callable[[dict[str, Any]], str] | None = None) -> Blueprint:
    """GET /limits, as JSON or as a page; ``page`` renders the document in the house's own dress."""
    blueprint = Blueprint("limits", __name__)
    document = limits_document(limits)

    @blueprint.get("/limits")
    def show() -> Response:
        offer = choose(request.headers.get("Accept"), OFFERS)
        if offer is None:
            available = {"available": [offer.media_type for offer in OFFERS]}
            return respond(Problem(406, "not-acceptable", "No such representation", members=available), None)
        body = json.dumps(document, ensure_ascii=False, indent=1) if offer.name == "json" else (page or _page)(document)
        response = Response(body, content_type=offer.content_type)
        response.headers.update({"Vary": "Accept", "Cache-Control": "no-cache", "Access-Control-Allow-Origin": "*"})
        return response

    return blueprint


def _page(document: dict[str, Any]) -> str:
    def row(*cells: object, anchor: str = "") -> str:
        return f"<tr{anchor}>{''.join(f'<td>{html.escape(str(cell))}</td>' for cell in cells)}</tr>"

    limits = "".join(
        row(
            name,
            f"{limit['value']:,}",
            limit["unit"],
            limit["bounds"],
            limit["status"],
            limit["remedy"],
            anchor=f' id="limit-{name}"',
        )
        for name, limit in document["limits"].items()
    )
    problems = "".join(
        row(name, problem["status"], problem["meaning"], anchor=f' id="problem-{name}"')
        for name, problem in document["problems"].items()
    )
    return (
        '<!DOCTYPE html><html lang="en" dir="ltr"><head><meta charset="utf-8"><title>Limits of the SPARQL service</title></head><body><main>'
        "<h1>Limits of the SPARQL service</h1><table><thead><tr><th>Limit<th>Value<th>Unit<th>What it bounds<th>Status<th>How to ask for less"
        f"</tr></thead><tbody>{limits}</tbody></table><h2>Problems</h2><table><thead><tr><th>Name<th>Status<th>Meaning</tr></thead>"
        f"<tbody>{problems}</tbody></table></main></body></html>"
    )
