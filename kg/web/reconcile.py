"""/reconcile: the Reconciliation Service API, versions 0.2 (OpenRefine) and 1.0-draft, over the built graph.

The two versions differ in the manifest and in the words of queries and answers. ``/reconcile`` is the service of 0.2; the same with the
paths of 1.0-draft (``/reconcile/match``, ``/reconcile/extend``) answers in the words of the draft, whose manifest stands at
``/reconcile/1.0-draft``. Every path answers OPTIONS and says that other sites may ask.
"""

import json
from collections.abc import Callable, Mapping
from typing import Any

from flask import Blueprint, Response, request
from markupsafe import escape

from kg import __version__
from kg.link import reconcile as service
from kg.link.facts import Property, properties_by_id
from kg.link.queries import LONGEST, QUERIES, BadQuery, read_query, read_query_draft
from kg.link.reconcile import Reconciler, direction
from kg.link.service import NAMES, reconciler_of_folder
from kg.web.edition import Edition
from kg.web.languages import LANGUAGES
from kg.web.site import site

__all__ = ["reconcile_blueprint", "reconciler_of"]

DRAFT = "1.0-draft"
PREVIEW = {"width": 420, "height": 180}
SUGGESTED = 10
_CORS = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Allow-Methods": "GET, POST, OPTIONS",
    "Access-Control-Allow-Headers": "Content-Type, Accept, Accept-Language",
    "Access-Control-Max-Age": "86400",
}


def reconciler_of(edition: Edition) -> Reconciler:
    """The reconciler of an edition; its index of names was written with the build."""
    found = edition.kept.get("reconciler")
    if found is None:
        if not (edition.folder / NAMES).is_file():
            raise _NotBuilt
        found = edition.kept["reconciler"] = reconciler_of_folder(edition.folder, edition.store, edition.base)
    made: Reconciler = found
    return made


class _NotBuilt(Exception):
    """The edition has no index of names."""


def reconcile_blueprint() -> Blueprint:
    """The paths of the service."""
    blueprint = Blueprint("reconcile", __name__, url_prefix="/reconcile")
    routes: tuple[tuple[str, Callable[[], Response], tuple[str, ...]], ...] = (
        ("", _root, ("GET", "POST")),
        ("/", _root, ("GET", "POST")),
        ("/match", _match, ("POST",)),
        ("/suggest/entity", _suggest_entity, ("GET",)),
        ("/suggest/property", _suggest_property, ("GET",)),
        ("/suggest/type", _suggest_type, ("GET",)),
        ("/flyout/entity", _flyout_entity, ("GET",)),
        ("/flyout/property", _flyout_property, ("GET",)),
        ("/flyout/type", _flyout_type, ("GET",)),
        ("/preview", _preview, ("GET",)),
        ("/extend", _extend, ("POST",)),
        ("/extend/propose", _propose, ("GET",)),
    )
    for under in ("", f"/{DRAFT}"):
        for path, handler, methods in routes:
            name = (under + path).replace("/", "_").replace(".", "_") or "root"
            blueprint.add_url_rule(
                under + path, name, _open(handler), methods=[*methods, "OPTIONS"], provide_automatic_options=False
            )
    return blueprint


def _open(handler: Callable[[], Response]) -> Callable[[], Response]:
    """A handler that answers OPTIONS, may be asked by other sites, and says in a sentence what is wrong with a query."""

    def answer() -> Response:
        if request.method == "OPTIONS":
            response = Response(status=204)
            response.headers["Allow"] = "GET, POST, OPTIONS"
        else:
            try:
                response = handler()
            except BadQuery as error:
                response = _json({"status": "error", "code": "bad_request", "message": str(error), "details": str(error)}, 400)
            except _NotBuilt:
                said = "this build has no index of names: build it again with `kg build`"
                response = _json({"status": "error", "code": "not_built", "message": said}, 503)
        response.headers.update(_CORS)
        response.headers["Vary"] = "Accept-Language"
        return response

    return answer


# What was asked


def _draft() -> bool:
    """Whether version 1.0-draft is spoken: by its own address, or by a path that only it has."""
    path = request.path.partition("/reconcile")[2].rstrip("/")
    return path in ("/match", "/extend") or f"{path}/".startswith(f"/{DRAFT}/") or request.args.get("version") == DRAFT


def _language() -> str:
    """The language of names: ``lang``, else Accept-Language."""
    asked = request.args.get("lang") or request.accept_languages.best_match(LANGUAGES) or LANGUAGES[0]
    return asked if asked in LANGUAGES else LANGUAGES[0]


def _read_json(text: str, what: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadQuery(f"{what} is not JSON ({error})") from None


def _most() -> int:
    """``limit`` of a suggestion, 100 at most."""
    return min(_number_of("limit"), 100) or SUGGESTED


def _number_of(name: str) -> int:
    """A small number of the address; 0 where there is none."""
    given = request.args.get(name, "")
    return int(given) if given.isdecimal() and len(given) < 7 else 0


def _body() -> Any:
    return _read_json(request.get_data(as_text=True), "the body")


def _json(document: Any, status: int = 200) -> Response:
    body = json.dumps(document, ensure_ascii=False)
    callback = request.args.get("callback", "")
    if callback and all(part.isidentifier() for part in callback.split(".")):
        return Response(f"/**/{callback}({body});", status, content_type="application/javascript; charset=utf-8")
    return Response(body, status, content_type="application/json; charset=utf-8")


def _reconciler() -> Reconciler:
    return reconciler_of(site().edition)


# The paths


def _root() -> Response:
    """The manifest, or a batch of queries, or values of properties (0.2 has one path for all)."""
    if request.method == "POST" and request.mimetype == "application/json":
        return _match()
    queries, query, extend = (request.values.get(name) for name in ("queries", "query", "extend"))
    if queries is not None:
        batch = _read_json(queries, "queries")
        if not isinstance(batch, Mapping):
            raise BadQuery("queries is an object of queries by name")
        if len(batch) > QUERIES:
            raise BadQuery(f"{len(batch)} queries in one batch: send at most {QUERIES}")
        read = {name: read_query(one) for name, one in batch.items()}
        return _json({name: {"result": _reconciler().answer(one, _language())} for name, one in read.items()})
    if query is not None:
        one = _read_json(query, "query") if query.lstrip().startswith("{") else {"query": query}
        return _json({"result": _reconciler().answer(read_query(one), _language())})
    if extend is not None:
        return _extended(_read_json(extend, "extend"), draft=False)
    if request.method == "POST":
        raise BadQuery("the form has no queries and no extend")
    return _json(_manifest_draft() if _draft() else _manifest())


def _match() -> Response:
    """A batch of queries of version 1.0-draft."""
    given = _body()
    if not isinstance(given, Mapping) or not isinstance(given.get("queries"), list):
        raise BadQuery("the body is an object with queries, a list")
    if len(given["queries"]) > QUERIES:
        raise BadQuery(f"{len(given['queries'])} queries in one batch: send at most {QUERIES}")
    read = [read_query_draft(one) for one in given["queries"]]
    languages = [one.get("lang") if one.get("lang") in LANGUAGES else _language() for one in given["queries"]]
    answers = [_reconciler().answer(one, language, draft=True) for one, language in zip(read, languages, strict=True)]
    return _json({"results": [{"candidates": candidates} for candidates in answers]})


def _extend() -> Response:
    return _extended(_body(), draft=True)


def _extended(given: Any, *, draft: bool) -> Response:
    if not isinstance(given, Mapping) or not isinstance(given.get("ids"), list) or not isinstance(given.get("properties"), list):
        raise BadQuery("a data extension query is an object with ids and properties, two lists")
    if not all(isinstance(one, str) for one in given["ids"]):
        raise BadQuery("ids are strings")
    return _json(_reconciler().extend(given["ids"], given["properties"], _language(), draft=draft))


def _propose() -> Response:
    """Properties whose values can be fetched for things of a type."""
    kind, most = request.args.get("type", ""), _number_of("limit")
    found = service.suggested_properties("", _language(), draft=_draft(), accept=lambda one: not kind or kind in one.types)
    document: dict[str, Any] = {"properties": found}
    if kind:
        document["type"] = kind
    if most:
        document |= {"limit": most, "properties": found[:most]}
    return _json(document)


def _page_of(found: list[dict[str, Any]]) -> Response:
    start = _number_of("cursor")
    return _json({"result": found[start : start + _most()]})


def _suggest_entity() -> Response:
    start, prefix = min(_number_of("cursor"), 100), request.args.get("prefix", "")[:LONGEST]
    return _page_of(_reconciler().suggest(prefix, _language(), start + _most(), draft=_draft()))


def _suggest_property() -> Response:
    return _page_of(service.suggested_properties(request.args.get("prefix", ""), _language(), draft=_draft()))


def _suggest_type() -> Response:
    return _page_of(service.suggested_types(request.args.get("prefix", ""), _language(), draft=_draft()))


def _flyout(name: str, text: str, language: str) -> Response:
    body = f'<p lang="{escape(language)}" dir="{direction(language)}"><b>{escape(name)}</b><br>{escape(text)}</p>'
    return _json({"id": request.args.get("id", ""), "html": body})


def _unknown() -> Response:
    return _json({"status": "error", "code": "not_found", "message": f"there is no {request.args.get('id', '')!r} here"}, 404)


def _flyout_entity() -> Response:
    reconciler, language = _reconciler(), _language()
    thing = reconciler.index.get(reconciler.key(request.args.get("id", "")))
    return _flyout(thing.name(language)[0], reconciler.describe(thing, language), language) if thing else _unknown()


def _flyout_property() -> Response:
    one: Property | None = properties_by_id().get(request.args.get("id", ""))
    if one is None:
        return _unknown()
    language = _language()
    return _flyout(one.name_ar if language == "ar" else one.name_en, one.predicate, language)


def _flyout_type() -> Response:
    row, language = service.types().get(request.args.get("id", "")), _language()
    if row is None:
        return _unknown()
    return _flyout(row[f"name_{language}"], row[f"description_{language}"], language)


def _preview() -> Response:
    """A small page on a thing, to be shown inside another site."""
    reconciler, language = _reconciler(), _language()
    thing = reconciler.index.get(reconciler.key(request.args.get("id", "")))
    if thing is None:
        return _unknown()
    words, tag = thing.name(language)
    others = [(other, way) for other, way in thing.names if other != words][:6]
    listed = "".join(f'<li lang="{escape(way or "und")}" dir="{direction(way)}">{escape(other)}</li>' for other, way in others)
    page = (
        f'<!DOCTYPE html><html lang="{language}" dir="{direction(language)}"><head><meta charset="utf-8"><title>{escape(words)}</title></head>'
        f'<body><h1 lang="{escape(tag or "und")}" dir="{direction(tag)}"><a href="{escape(site().public(thing.key))}" target="_blank" rel="noopener">'
        f"{escape(words)}</a></h1><p>{escape(reconciler.describe(thing, language))}</p><ul>{listed}</ul></body></html>"
    )
    response = Response(page, content_type="text/html; charset=utf-8")
    response.headers["Content-Security-Policy"] = "default-src 'none'; frame-ancestors *"
    return response


# The manifests


def _manifest() -> dict[str, Any]:
    here = site().public("reconcile")

    def suggest(what: str) -> dict[str, str]:
        return {
            "service_url": here,
            "service_path": f"/suggest/{what}",
            "flyout_service_url": here,
            "flyout_service_path": f"/flyout/{what}?id=${{id}}",
        }

    return {
        **_common(),
        "versions": ["0.2", DRAFT],
        "view": {"url": site().public("{{id}}")},
        "preview": {"url": f"{here}/preview?id={{{{id}}}}", **PREVIEW},
        "suggest": {what: suggest(what) for what in ("entity", "property", "type")},
        "extend": {
            "propose_properties": {"service_url": here, "service_path": "/extend/propose"},
            "property_settings": [
                {
                    "name": "limit",
                    "label": "Limit",
                    "type": "number",
                    "default": 0,
                    "help_text": "Values of a row at most (0: all)",
                }
            ],
        },
    }


def _manifest_draft() -> dict[str, Any]:
    language = _language()
    return {
        **_common(),
        "versions": [DRAFT, "0.2"],
        "lang": language,
        "dir": direction(language),
        "view": {"url": site().public("{id}")},
        "preview": PREVIEW,
        "suggest": {"entity": True, "property": True, "type": True},
        "extend": {
            "proposeProperties": True,
            "propertySettings": [
                {"id": "limit", "name": "Limit", "type": "number", "default": 0, "helpText": "Values of a row at most (0: all)"}
            ],
        },
        "standardizedScore": True,
    }


def _common() -> dict[str, Any]:
    edition, language = site().edition, _language()
    return {
        "name": "سلسلة" if language == "ar" else "Silsila: narrators, places, events and works of hadith",
        "identifierSpace": edition.base,
        "schemaSpace": "https://w3id.org/silsila/ontology#",
        "documentation": site().public("about"),
        "serviceVersion": __version__,
        "defaultTypes": [{"id": name, "name": row[f"name_{language}"]} for name, row in service.types().items()],
    }
