"""The web application: one blueprint a concern, over one built folder."""

from collections.abc import Callable, Iterable
from hashlib import blake2b
from pathlib import Path
from threading import Lock
from typing import Any
from urllib.parse import urlsplit

from flask import Flask, Response, request
from werkzeug.exceptions import HTTPException
from werkzeug.routing import PathConverter

from kg.store.limits import Limits
from kg.store.remote_queries import RemotePool
from kg.store.workers import QueryPool
from kg.web.about import about_blueprint
from kg.web.collations import collations_blueprint
from kg.web.dumps import dumps_blueprint
from kg.web.edition import Elsewhere, Shelf
from kg.web.front import front_blueprint
from kg.web.health import health_blueprint
from kg.web.kept import KeptDocuments
from kg.web.languages import LANGUAGES
from kg.web.limits import limits_blueprint
from kg.web.metrics import Metrics
from kg.web.names import PREFIXES
from kg.web.ontology import ontology_blueprint
from kg.web.openapi import openapi_blueprint
from kg.web.query_page import query_blueprint, sparql_pages
from kg.web.reconcile import reconcile_blueprint
from kg.web.resources import resources_blueprint
from kg.web.search_page import search_blueprint
from kg.web.service import SparqlService
from kg.web.site import site
from kg.web.sparql import sparql_blueprint

__all__ = ["create_app"]

CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'self'",
        "img-src 'self' data: blob:",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
GUARDS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "strict-origin-when-cross-origin",
}
"""On every response: nothing from other hosts, no inline script, no guessing of types."""


class _AnyPath(PathConverter):
    """The rest of an address, whatever is in it: an id may hold a line break."""

    regex = r"[^/][\s\S]*?"


def create_app(
    data: Path,
    *,
    base: str | None = None,
    public_url: str | None = None,
    store: str | None = None,
    watch: bool = True,
    **config: Any,
) -> Flask:
    """A WSGI application that serves the graph built into ``data``.

    ``base`` is what IRIs of things begin with (default: what the build wrote down); ``public_url`` the address under which the
    site is reached from outside (default: the request's); ``store`` the address of another SPARQL server with the same graph, asked
    instead of the folder's own store; ``watch`` whether a new build is taken up. ``config`` are further settings of Flask.

    Raises:
        FileNotFoundError: ``data`` holds no built graph.
        StoreError: ``store`` cannot be reached or holds nothing of ours.
    """
    app = Flask("kg.web", static_folder="static", template_folder="templates")
    app.url_map.merge_slashes = False
    app.url_map.converters["path"] = _AnyPath
    app.json.ensure_ascii = False  # type: ignore[attr-defined]
    app.config.update(PUBLIC_URL=public_url, MAX_CONTENT_LENGTH=2 * 1024 * 1024, SEND_FILE_MAX_AGE_DEFAULT=3600)
    app.config.update(config)
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    shelf = Shelf(Path(data), base, store, watch=watch)
    app.extensions["kg-shelf"] = shelf
    app.extensions["kg-assets"] = _marks(Path(app.static_folder or ""))
    app.extensions["kg-prefix"] = urlsplit(shelf.current().base).path
    app.wsgi_app = UnderBase(app.wsgi_app, app.extensions["kg-prefix"])  # type: ignore[method-assign]
    app.after_request(_guard)
    app.after_request(_remember_language)
    app.register_error_handler(HTTPException, _failed)
    _register(app, shelf, Limits.from_mapping(app.config.get("LIMITS") or {}))
    return app


def _register(app: Flask, shelf: Shelf, limits: Limits) -> None:
    service = Service(shelf, limits)
    app.extensions["kg-close"] = service.close
    app.extensions["kg-service"] = service
    metrics = Metrics(lambda: shelf.current().name)
    metrics.watch(app)
    app.extensions["kg-metrics"] = metrics
    app.wsgi_app = KeptDocuments(app.wsgi_app, lambda: shelf.current().name, metrics.answered)  # type: ignore[method-assign]
    app.register_blueprint(health_blueprint(shelf, service.pool, metrics))
    sparql = SparqlService(
        service.pool,
        limits,
        base=lambda address: shelf.current().base,
        prefixes=tuple(PREFIXES.items()),
        search=lambda words, most: shelf.current().matching(words, most),
        pool_at_once=service.pool_at_once,
    )
    app.extensions["kg-sparql"] = sparql
    app.register_blueprint(sparql_blueprint(sparql, pages=sparql_pages(), endpoint=lambda: site().public("sparql")))
    app.register_blueprint(
        limits_blueprint(
            limits, lambda document: site().render("limits.html", title=site().messages("nav.limits"), document=document)
        )
    )
    for blueprint in (
        front_blueprint(),
        search_blueprint(),
        query_blueprint(),
        ontology_blueprint(),
        dumps_blueprint(),
        about_blueprint(),
        openapi_blueprint(limits),
        reconcile_blueprint(),
        collations_blueprint(),
    ):
        app.register_blueprint(blueprint)
    app.register_blueprint(resources_blueprint())


class Service:
    """The query workers of the edition that is served; started at the first question, moved on with each new build."""

    def __init__(self, shelf: Shelf, limits: Limits) -> None:
        self.shelf, self.limits = shelf, limits
        self._pool: QueryPool | None = None
        self._elsewhere: tuple[Elsewhere, RemotePool] | None = None
        self._lock = Lock()

    def pool(self) -> QueryPool | RemotePool:
        edition = self.shelf.current()
        there, store = edition.elsewhere, edition.store_path
        with self._lock:
            if there is not None:
                if self._elsewhere is None or self._elsewhere[0] != there:
                    self._elsewhere = there, RemotePool(there.endpoint, there.graphs, self.limits, there.account)
                return self._elsewhere[1]
            if self._pool is None:
                self._pool = QueryPool(store, self.limits)
            elif self._pool.store != store:
                self._pool.reopen(store)
            return self._pool

    def pool_at_once(self) -> QueryPool | None:
        """The pool, where it is started and on the edition that is served."""
        pool, edition = self._pool, self.shelf.current()
        return pool if pool is not None and edition.elsewhere is None and pool.store == edition.store_path else None

    def close(self) -> None:
        if self._pool is not None:
            self._pool.close()


class UnderBase:
    """Answers at the path of the base too: ``/silsila/person/x`` as well as ``/person/x``, whatever the host."""

    def __init__(self, application: Callable[..., Iterable[bytes]], prefix: str) -> None:
        self.application, self.prefix = application, prefix.rstrip("/")

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        path = environ.get("PATH_INFO", "")
        if self.prefix and (path == self.prefix or path.startswith(self.prefix + "/")):
            environ["SCRIPT_NAME"] = environ.get("SCRIPT_NAME", "") + self.prefix
            environ["PATH_INFO"] = path[len(self.prefix) :] or "/"
        return self.application(environ, start_response)


def _guard(response: Response) -> Response:
    for name, value in GUARDS.items():
        response.headers.setdefault(name, value)
    return response


def _failed(error: HTTPException) -> Response:
    """A page for what Flask itself refuses: a wrong method, a body too large, a failure of ours."""
    response = Response.force_type(error.get_response(), request.environ)
    known = {404: 404, 405: 400, 413: 400, 500: 500}.get(error.code or 500, 400)
    page = site().problem(known, None, detail="" if known in (404, 500) else error.description or "")
    page.status_code = error.code or 500
    for name in ("Allow", "Retry-After"):
        if name in response.headers:
            page.headers[name] = response.headers[name]
    return page


def _remember_language(response: Response) -> Response:
    choice = request.args.get("lang")
    if choice in LANGUAGES and response.mimetype == "text/html":
        response.set_cookie("lang", choice, max_age=365 * 86400, samesite="Lax", path=site().path())
    return response


def _marks(folder: Path) -> dict[str, str]:
    """The static files there are, each with a mark of its contents."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): blake2b(path.read_bytes(), digest_size=6).hexdigest() for path in files}
