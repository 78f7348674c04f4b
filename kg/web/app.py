"""The web application: one blueprint a concern, over one built folder."""

from collections.abc import Callable, Iterable
from hashlib import blake2b
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from flask import Flask, Response, request

from kg.web.edition import Shelf
from kg.web.languages import LANGUAGES
from kg.web.site import site

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


def create_app(data: Path, *, base: str | None = None, public_url: str | None = None, **config: Any) -> Flask:
    """A WSGI application that serves the graph built into ``data``.

    ``base`` is what IRIs of things begin with (default: what the build wrote down); ``public_url`` the address under which the
    site is reached from outside (default: the request's). ``config`` are further settings of Flask.

    Raises:
        FileNotFoundError: ``data`` holds no built graph.
    """
    app = Flask("kg.web", static_folder="static", template_folder="templates")
    app.url_map.merge_slashes = False
    app.json.ensure_ascii = False  # type: ignore[attr-defined]
    app.config.update(PUBLIC_URL=public_url, MAX_CONTENT_LENGTH=2 * 1024 * 1024, SEND_FILE_MAX_AGE_DEFAULT=3600)
    app.config.update(config)
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    shelf = Shelf(Path(data), base)
    app.extensions["kg-shelf"] = shelf
    app.extensions["kg-assets"] = _marks(Path(app.static_folder or ""))
    app.wsgi_app = UnderBase(app.wsgi_app, urlsplit(shelf.current().base).path)  # type: ignore[method-assign]
    app.after_request(_guard)
    app.after_request(_remember_language)
    _register(app)
    return app


def _register(app: Flask) -> None:
    from kg.web.front import front_blueprint
    from kg.web.resources import resources_blueprint

    app.register_blueprint(front_blueprint())
    app.register_blueprint(resources_blueprint())


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
    """Nothing from other hosts, no inline script, no guessing of types."""
    response.headers.setdefault("Content-Security-Policy", CONTENT_SECURITY_POLICY)
    response.headers.setdefault("X-Content-Type-Options", "nosniff")
    response.headers.setdefault("Referrer-Policy", "strict-origin-when-cross-origin")
    return response


def _remember_language(response: Response) -> Response:
    choice = request.args.get("lang")
    if choice in LANGUAGES and response.mimetype == "text/html":
        response.set_cookie("lang", choice, max_age=365 * 86400, samesite="Lax", path=site().path())
    return response


def _marks(folder: Path) -> dict[str, str]:
    """The static files there are, each with a mark of its contents."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): blake2b(path.read_bytes(), digest_size=6).hexdigest() for path in files}
