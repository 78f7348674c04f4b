"""What a handler needs to answer one request: the edition, the reader's language, and the addresses of this site."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any
from urllib.parse import quote, urlsplit

from flask import Response, current_app, g, redirect, render_template, request
from pyoxigraph import Literal, NamedNode, Triple

from kg.graph.vocabulary import KINDS
from kg.web.documents import Description
from kg.web.edition import Edition, Shelf
from kg.web.formats import Format, write_rdf
from kg.web.languages import LANGUAGES, Messages, asked_language, messages
from kg.web.names import PREFIXES

__all__ = ["Site", "raw_path", "site"]

_TITLES = {
    404: "problem.missing",
    410: "problem.gone",
    406: "problem.not_acceptable",
    500: "problem.failed",
    400: "problem.wrong",
}


@dataclass
class Site:
    """One request's view of the site. ``root`` stands before local paths (``/silsila`` or nothing), ``origin`` before public ones."""

    edition: Edition
    messages: Messages
    root: str
    origin: str
    known_arguments: tuple[str, ...] = ("q", "kind", "page", "letter", "query", "name")

    def path(self, key: str = "") -> str:
        """The local address of a key or page."""
        return f"{self.root}/{key}"

    def public(self, key: str = "") -> str:
        """The absolute address of a key or page: the configured public address, else the request's."""
        return f"{self.origin}{self.root}/{key}"

    def asset(self, name: str) -> str:
        """The address of a static file, with the mark of its contents so that it can be kept for long."""
        marks: dict[str, str] = current_app.extensions["kg-assets"]
        return f"{self.root}/static/{name}" + (f"?v={marks[name]}" if name in marks else "")

    def has_asset(self, name: str) -> bool:
        return name in current_app.extensions["kg-assets"]

    @cached_property
    def other(self) -> tuple[str, str]:
        """The other language, and this page's address in it."""
        language = next(name for name in LANGUAGES if name != self.messages.language)
        query = "&".join(f"{name}={value}" for name, value in [*self.kept_arguments(self.known_arguments), ("lang", language)])
        return language, "?" + query

    def kept_arguments(self, names: tuple[str, ...]) -> list[tuple[str, str]]:
        """The arguments of the address that a page knows, quoted for another address; tellings may be several."""
        return [
            (name, quote(value, safe="/"))
            for name in names
            for value in request.args.getlist(name)[: 12 if name == "telling" else 1]
        ]

    def render(self, template: str, **values: Any) -> str:
        """A page in the reader's language."""
        return render_template(
            template, site=self, t=self.messages, lang=self.messages.language, dir=self.messages.direction, **values
        )

    def page(self, template: str, status: int = 200, **values: Any) -> Response:
        """A page as a response that may be kept when it is asked for again unchanged."""
        from kg.web.conditional import conditional

        response = Response(self.render(template, **values), status, content_type="text/html; charset=utf-8")
        response.headers["Vary"] = "Accept-Language, Cookie"
        response.headers["Cache-Control"] = "no-cache"
        return conditional(response, self.edition) if status == 200 else response

    def render_thing(self, description: Description) -> str:
        """The page of a thing."""
        from kg.web.pages import render_thing

        return render_thing(self, description)

    def picture(self, description: Description) -> bytes | None:
        """The drawing on the page of a thing, as a file; None where it has none."""
        from kg.web.pages import picture_of

        return picture_of(self, description)

    def alias(self, path: str) -> Response | None:
        """301 from a name (``/person/عمر_بن_الخطاب``) to the thing that alone bears it; to the search where several do."""
        kind, _, name = path.partition("/")
        name = name.replace("_", " ").replace("-", " ")
        search = self.edition.search
        keys = search.named(kind, name) if search and name and kind in KINDS else []
        if len(keys) > 1:
            return redirect(f"{self.path('search')}?q={quote(name)}&kind={kind}", 302)  # type: ignore[return-value]
        return redirect(self.path(keys[0]), 301) if keys else None  # type: ignore[return-value]

    def problem(self, status: int, form: Format | None, *, negotiated: bool = False, detail: str = "") -> Response:
        """An error in the format asked for."""
        t = self.messages
        title, text = t(_TITLES[status]), detail or t(_TITLES[status] + "_detail")
        if form is None or form.rdf is None:
            body = self.render("problem.html", status=status, title=title, detail=text).encode()
            response = Response(body, status, content_type="text/html; charset=utf-8")
            response.headers["Vary"] = ("Accept, " if negotiated else "") + "Accept-Language, Cookie"
            return response
        english = messages("en")
        subject = NamedNode(self.public(quote(request.path.lstrip("/"), safe="/")))
        facts = {"title": english(_TITLES[status]), "description": detail or english(_TITLES[status] + "_detail")}
        triples = [
            Triple(subject, NamedNode(PREFIXES["dcterms"] + name), Literal(words, language="en")) for name, words in facts.items()
        ]
        response = Response(write_rdf(triples, form.rdf), status, content_type=form.content_type)
        response.headers["Access-Control-Allow-Origin"] = "*"
        if negotiated:
            response.headers["Vary"] = "Accept, Accept-Language"
        return response


def site() -> Site:
    """The site as this request sees it."""
    if "site" not in g:
        shelf: Shelf = current_app.extensions["kg-shelf"]
        public: str | None = current_app.config["PUBLIC_URL"]
        if public:
            parts = urlsplit(public.rstrip("/"))
            origin, root = f"{parts.scheme}://{parts.netloc}", parts.path
        else:
            origin, root = request.host_url.rstrip("/"), request.script_root
        g.site = Site(shelf.current(), messages(asked_language(request)), root, origin)
    found: Site = g.site
    return found


def raw_path(raw: Any) -> str | None:
    """The path as sent, percent signs and all, where the server hands it on; without the site's root."""
    uri = raw.environ.get("RAW_URI") or raw.environ.get("REQUEST_URI")
    if not uri:
        return None
    path = urlsplit(uri).path if not uri.startswith("//") else uri.partition("?")[0]
    root = raw.script_root
    return path[len(root) :].lstrip("/") if path.startswith(root) else path.lstrip("/")
