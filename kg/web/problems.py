"""Errors as people and programs read them: problem details (RFC 9457), a small page, or plain text."""

import html
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from flask import Response, g

from kg.store.errors import QueryError
from kg.web.negotiation import PROBLEMS, choose

__all__ = ["LIMIT_STATUSES", "STATUSES", "Problem", "problem_of", "render", "respond"]

STATUSES: dict[str, int] = {
    "syntax": 400,
    "function": 400,
    "refused": 403,
    "read-only": 403,
    "not-acceptable": 406,
    "unwritable": 406,
    "limit": 503,
    "busy": 503,
    "worker-lost": 503,
    "closed": 503,
    "query": 503,
}
"""The status of each kind of query error by its name."""

LIMIT_STATUSES: dict[str, int] = {"query_length": 413, "nesting": 400}
"""Where the limit tells more than its kind."""


@dataclass(eq=False)
class Problem(Exception):
    """An error response. ``name`` becomes the address of its explanation, ``members`` stand beside title and detail."""

    status: int
    name: str
    title: str
    detail: str = ""
    remedy: str = ""
    members: Mapping[str, Any] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        """The members of RFC 9457, with ours."""
        given = {"detail": self.detail, "remedy": self.remedy, **self.members}
        return {
            "type": f"/limits#problem-{self.name}",
            "title": self.title,
            "status": self.status,
            **{name: value for name, value in given.items() if value not in ("", None)},
        }


def problem_of(error: QueryError) -> Problem:
    """The response to a query that got no answer.

    >>> from kg.store.errors import QueryRefused
    >>> problem_of(QueryRefused("SERVICE is refused.")).status
    403
    """
    status = LIMIT_STATUSES.get(error.limit or "", STATUSES[error.name])
    members: dict[str, Any] = {}
    if error.position is not None:
        members |= {"line": error.position.line, "column": error.position.column, "token": error.position.token}
    if error.limit is not None:
        members |= {"limit": {"name": error.limit, "value": error.value}}
    headers = {"Retry-After": "5"} if error.name in ("busy", "closed", "worker-lost") else {}
    return Problem(status, error.name, error.title, error.detail, error.remedy, members, headers)


def render(problem: Problem, accept: str | None, page: Callable[[Problem], str] | None = None) -> tuple[dict[str, str], str]:
    """Headers and body of the problem in the form the client prefers; ``page`` renders it for people in the house's own dress."""
    offer = choose(accept, PROBLEMS) or PROBLEMS[0]
    if offer.name == "html":
        body = page(problem) if page is not None else _page(problem)
    elif offer.name == "text":
        body = _text(problem)
    else:
        body = json.dumps(problem.as_dict(), ensure_ascii=False)
    own = {"Content-Type": offer.content_type, "Vary": "Accept", "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}
    return {**own, **problem.headers}, body


def respond(problem: Problem, accept: str | None, page: Callable[[Problem], str] | None = None) -> Response:
    """``render`` as a response of Flask."""
    if "limit" in problem.members:
        g.refused_by = problem.members["limit"]["name"]
    headers, body = render(problem, accept, page)
    return Response(body, problem.status, headers)


def _lines(problem: Problem) -> list[str]:
    lines = [problem.detail, problem.remedy]
    if "line" in problem.members:
        token = problem.members.get("token")
        lines.insert(1, f"Line {problem.members['line']}, column {problem.members['column']}{f': {token}' if token else ''}")
    if "limit" in problem.members:
        lines.append(f"Limit: {problem.members['limit']['name']} = {problem.members['limit']['value']}")
    if "available" in problem.members:
        lines.append("Available: " + ", ".join(problem.members["available"]))
    return [line for line in lines if line]


def _text(problem: Problem) -> str:
    return "\n".join([f"{problem.status} {problem.title}", *_lines(problem)]) + "\n"


def _page(problem: Problem) -> str:
    paragraphs = "".join(f'<p dir="auto">{html.escape(line)}</p>' for line in _lines(problem))
    title = html.escape(problem.title)
    return (
        f'<!DOCTYPE html><html lang="en" dir="ltr"><head><meta charset="utf-8"><title>{title}</title></head>'
        f"<body><main><h1>{title}</h1>{paragraphs}</main></body></html>"
    )
