"""Reading a request of the SPARQL 1.1 Protocol (and the HTTP QUERY method of the 1.2 draft): no framework, no evaluation."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import parse_qsl

from kg.store.limits import LIMITS, Limits
from kg.web.problems import Problem

__all__ = ["ACCEPT_QUERY", "METHODS", "ProtocolRequest", "most_body", "read_request", "too_large"]

METHODS = ("GET", "HEAD", "POST", "QUERY", "OPTIONS")
FORM, QUERY = "application/x-www-form-urlencoded", "application/sparql-query"
ACCEPT_QUERY = f"{FORM}, {QUERY}"
"""What Accept-Post and Accept-Query announce."""

_MOST_FIELDS = 1_000
_CONTENT_TYPE = re.compile(r"\s*([^\s;]+)\s*(?:;(.*))?", re.DOTALL)
_CHARSET = re.compile(r'(?:^|;)\s*charset\s*=\s*"?([^\s;"]+)"?', re.IGNORECASE)
_UTF_8 = frozenset({"utf-8", "utf8"})
_ABSOLUTE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[^\x00-\x20<>\"{}|\\^`]*")
_FORMATS = ("format", "output", "results")  # names that clients use


@dataclass(frozen=True, slots=True)
class ProtocolRequest:
    """A query with its dataset. ``query`` is None where the service itself is asked for; ``formats`` are the names given in
    ``?format=`` and its other spellings; ``excel`` asks for CSV with a byte order mark."""

    query: str | None
    default_graphs: tuple[str, ...] = ()
    named_graphs: tuple[str, ...] = ()
    formats: tuple[str, ...] = ()
    excel: bool = False


def most_body(limits: Limits) -> int:
    """Bytes of the longest body that can hold an allowed query: percent-encoded UTF-8, and a dataset."""
    return limits.query_length * 3 + 64 * 1024


def read_request(
    method: str, query_string: bytes, content_type: str | None, body: bytes, limits: Limits, content_encoding: str | None = None
) -> ProtocolRequest:
    """What a request asks. A body in a ``content_encoding`` is not unpacked: of a few bytes could come millions.

    >>> read_request("GET", b"query=ASK%7B%7D&default-graph-uri=urn%3Ag", None, b"", Limits()).default_graphs
    ('urn:g',)

    Raises:
        Problem: the protocol does not allow the request, or it is an update.
    """
    address = _fields(query_string, "address")
    if method in ("GET", "HEAD"):
        return _request(address, _only(address, "query"))
    media_type, charset = _media_type(content_type)
    if media_type == "application/sparql-update":
        raise _read_only()
    if (content_encoding or "identity").strip().lower() != "identity":
        raise _packed(content_encoding or "")
    if charset.lower() not in _UTF_8:
        raise _unsupported(f"The charset {charset!r} is not read here: send UTF-8.", method)
    if media_type == FORM:
        form = _fields(body, "form")
        for name in ("query", "update"):
            if name in address:
                raise _bad(f"A form was posted, and the address has {name!r} as well.", "Put all of it in the form.")
        if "query" not in form and "update" not in form:
            raise _bad("The form has no 'query'.", "Send the query in the field 'query'.")
        fields = {name: [*form.get(name, ()), *address.get(name, ())] for name in (*form, *address)}
        return _request(fields, _only(form, "query"))
    if media_type == QUERY:
        if "query" in address:
            raise _bad("The body is a query, and the address has another.", "Send one of them.")
        return _request(address, _decode(body, "body"))
    seen = f"The content type {media_type!r} is not read here" if media_type else "The request says nothing of its content type"
    raise _unsupported(f"{seen}: send {FORM} or {QUERY}.", method)


def _request(fields: Mapping[str, list[str]], query: str | None) -> ProtocolRequest:
    if "update" in fields:
        if query is not None:
            raise _bad("Both 'query' and 'update' were sent.", "Send 'query' alone: this service is read-only.")
        raise _read_only()
    graphs = {name: tuple(fields.get(name, ())) for name in ("default-graph-uri", "named-graph-uri")}
    for name, values in graphs.items():
        for value in values:
            if not _ABSOLUTE.fullmatch(value):
                raise _bad(f"{name!r} is not an absolute IRI.", "Give the IRI of a graph; the service description lists them.")
    return ProtocolRequest(
        query,
        graphs["default-graph-uri"],
        graphs["named-graph-uri"],
        tuple(value for name in _FORMATS for value in fields.get(name, ())),
        fields.get("excel", [""])[0] in ("1", "true", "yes"),
    )


def _fields(data: bytes, where: str) -> dict[str, list[str]]:
    """The fields of a form or an address, decoded once."""
    try:
        pairs = parse_qsl(
            _decode(data, where), keep_blank_values=True, encoding="utf-8", errors="strict", max_num_fields=_MOST_FIELDS
        )
    except UnicodeDecodeError as error:
        raise _bad(f"The {where} is not UTF-8 behind its percent signs.", "Encode it as UTF-8.") from error
    except ValueError as error:
        raise _bad(f"The {where} has more than {_MOST_FIELDS} fields.", "Send fewer.") from error
    fields: dict[str, list[str]] = {}
    for name, value in pairs:
        fields.setdefault(name, []).append(value)
    return fields


def _decode(data: bytes, where: str) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise _bad(f"The {where} is not UTF-8 (byte {error.start}).", "Encode it as UTF-8.") from error


def _only(fields: Mapping[str, list[str]], name: str) -> str | None:
    values = fields.get(name, [])
    if len(values) > 1:
        raise _bad(f"{name!r} was sent {len(values)} times.", "Send it once.")
    return values[0] if values else None


def _media_type(content_type: str | None) -> tuple[str, str]:
    """The type, and its charset; of several the first that is not UTF-8."""
    found = _CONTENT_TYPE.fullmatch(content_type or "")
    if found is None:
        return "", "utf-8"
    charsets = _CHARSET.findall(found[2] or "")
    return found[1].lower(), next((charset for charset in charsets if charset.lower() not in _UTF_8), "utf-8")


def _bad(detail: str, remedy: str) -> Problem:
    return Problem(400, "protocol", "The request does not follow the SPARQL protocol", detail, remedy)


def _read_only() -> Problem:
    return Problem(
        403,
        "read-only",
        "This service is read-only",
        "An update was sent; only SELECT, ASK, CONSTRUCT and DESCRIBE are answered.",
        "Take the dumps into a store of your own to change the data.",
    )


def _unsupported(detail: str, method: str) -> Problem:
    header = "Accept-Query" if method == "QUERY" else "Accept-Post"
    remedy = "Send a query in one of these types; updates are not taken: this service is read-only."
    return Problem(
        415, "content-type", "The body is of a type that is not read here", detail, remedy, headers={header: ACCEPT_QUERY}
    )


def _packed(encoding: str) -> Problem:
    return Problem(
        415,
        "content-type",
        "The body is in an encoding that is not read here",
        f"The content encoding {encoding!r} is not read here.",
        "Send the body as it is, without Content-Encoding.",
        headers={"Accept-Encoding": "identity"},
    )


def too_large(limits: Limits) -> Problem:
    """The body is longer than any allowed query."""
    most = most_body(limits)
    members = {"limit": {"name": "query_length", "value": limits.query_length}}
    return Problem(
        413, "limit", "The body is too large", f"At most {most:,} bytes are read.", LIMITS["query_length"].remedy, members
    )
