"""Things at their IRIs: a 303 to a document, and the documents, in the format asked for.

A thing's address answers 303 with the address of a document (``.html .ttl .jsonld .nt .rdf``), chosen by ``Accept``. A document says
``Content-Location``, ``Link``, ``Vary`` and a strong ``ETag`` of exactly the bytes sent, and answers 304, HEAD, 404, 406 and 410.
"""

from collections import OrderedDict
from dataclasses import dataclass
from hashlib import blake2b
from threading import Lock

from flask import Blueprint, Response, current_app, request
from pyoxigraph import NamedNode, Triple

from kg.graph.vocabulary import Vocabulary
from kg.web.conditional import conditional
from kg.web.documents import Description
from kg.web.edition import Edition
from kg.web.formats import FORMATS, Format, asked_format, write_rdf
from kg.web.names import PREFIXES
from kg.web.site import Site, raw_path, site

__all__ = ["resources_blueprint"]

NEGOTIATED = "Accept, Accept-Language"
CHOICES = ("sort", "report", "parts", "first", "telling", "only")
"""Arguments by which a reader chooses what a page shows: the order of a list, a report drawn, tellings compared."""
EXPOSED = "Link, ETag, Content-Location, Last-Modified, Location"
REPLACED_BY = PREFIXES["dcterms"] + "isReplacedBy"
DEPRECATED = PREFIXES["owl"] + "deprecated"


@dataclass(frozen=True, slots=True)
class Body:
    """Bytes of a representation with their strong tag."""

    data: bytes
    etag: str

    @classmethod
    def of(cls, data: bytes) -> "Body":
        return cls(data, blake2b(data, digest_size=16).hexdigest())


class Remembered:
    """The representations last sent, as many as fit into ``limit`` bytes."""

    def __init__(self, limit: int = 64 * 1024 * 1024) -> None:
        self.limit, self.size = limit, 0
        self._kept: OrderedDict[tuple[object, ...], Body] = OrderedDict()
        self._lock = Lock()

    def get(self, key: tuple[object, ...]) -> Body | None:
        with self._lock:
            body = self._kept.get(key)
            if body is not None:
                self._kept.move_to_end(key)
            return body

    def put(self, key: tuple[object, ...], body: Body) -> None:
        with self._lock:
            if key in self._kept or len(body.data) > self.limit // 8:
                return
            self._kept[key] = body
            self.size += len(body.data)
            while self.size > self.limit:
                _, gone = self._kept.popitem(last=False)
                self.size -= len(gone.data)


def resources_blueprint() -> Blueprint:
    """The catch-all: whatever no other concern answers is the address of a thing or of a document."""
    blueprint = Blueprint("resources", __name__)

    @blueprint.route("/<path:path>", methods=["GET", "HEAD", "OPTIONS"])
    def resource(path: str) -> Response:
        if request.method == "OPTIONS":
            return _preflight()
        here = site()
        asked = raw_path(request) or path
        if asked.endswith(".svg") and (picture := drawing(here, asked[:-4])):
            return picture
        key, form = find(here.edition, asked)
        if key is None:
            return here.alias(path) or missing(here, form)
        if form is None:
            return thing(here, key)
        return document(here, key, form)

    return blueprint


def drawing(here: Site, path: str) -> Response | None:
    """The picture of a chain, a bundle or a person's neighbours as a file, where the thing has one."""
    key, form = find(here.edition, path)
    description = here.edition.describer.describe(here.edition.base + key) if key and form is None else None
    picture = here.picture(description) if description else None
    if picture is None:
        return None
    response = Response(picture, content_type="image/svg+xml; charset=utf-8")
    response.headers["Vary"] = "Accept-Language, Cookie"
    response.headers["Cache-Control"] = "no-cache"
    return conditional(response, here.edition)


def find(edition: Edition, path: str) -> tuple[str | None, Format | None]:
    """The key of a known thing and the format a path names; ``(None, format)`` where the store knows no such thing.

    An id that itself ends in ``.ttl`` is found first as it stands.
    """
    spellings: list[tuple[str, Format | None]] = [(path, None)]
    spellings += [(path[: -len(suffix)], known) for suffix, known in FORMATS.items() if path.endswith(suffix)]
    for spelling, form in spellings:
        for candidate in (spelling, _with_slashes(spelling)):
            key = Vocabulary.normal(candidate)
            if key is not None and edition.describer.exists(edition.base + key):
                return key, form
    return None, spellings[-1][1]


def _with_slashes(path: str) -> str:
    """The path whose id holds a slash, for servers that decode ``%2F`` before the application sees it."""
    kind, _, rest = path.partition("/")
    source, _, number = rest.partition("/")
    return f"{kind}/{source}/{number.replace('/', '%2F')}" if kind in ("hadith", "passage") else path


def thing(here: Site, key: str) -> Response:
    """303 to the document in the format that ``Accept`` prefers; 301 where the thing was merged into another."""
    successor = _successor(here.edition, key)
    if successor is not None and successor != key:
        return finish(Response(status=301, headers={"Location": here.path(successor)}), here, key)
    form = asked_format(request.headers.get("Accept"), request.args.get("format"))
    if form is None:
        return not_acceptable(here, key)
    query = "&".join(f"{name}={value}" for name, value in here.kept_arguments(("lang", "page", *CHOICES)))
    location = here.public(key + form.suffix) + ("?" + query if query else "")
    response = Response(f"See {location}\n", 303, {"Location": location}, mimetype="text/plain")
    response.headers["Cache-Control"] = "public, max-age=60"
    return finish(response, here, key)


def document(here: Site, key: str, form: Format) -> Response:
    """One representation of the description of a thing."""
    page = request.args.get("page", 1, type=int)
    edition = here.edition
    here.known_arguments = ("page", *CHOICES)
    language = here.messages.language if form.rdf is None else ""
    place = (here.root, here.origin, *here.kept_arguments(CHOICES)) if form.rdf is None else ()
    name = ("document", key, form.suffix, page, language, *place)
    remembered: Remembered = edition.kept.setdefault("documents", Remembered())
    body = remembered.get(name)
    facts = edition.kept.setdefault("pages", {})
    if body is None:
        description = edition.describer.describe(edition.base + key, page)
        if description is None:
            return missing(here, form)
        data = render_rdf(description, edition, form) if form.rdf else here.render_thing(description).encode()
        body = Body.of(data)
        gone = description.string(description.iri, DEPRECATED) == "true"
        facts[key] = (description.pages, gone)
        remembered.put(name, body)
    pages, gone = facts[key]
    status = 410 if gone else 200
    response = Response(body.data, status, content_type=form.content_type)
    response.set_etag(body.etag)
    response.headers["Content-Location"] = here.path(key + form.suffix) + (f"?page={page}" if page > 1 else "")
    response.headers["Cache-Control"] = "no-cache" if form.rdf is None else "public, max-age=60"
    for number, relation in ((page - 1, "prev"), (page + 1, "next")):
        if 1 <= number <= pages:
            response.headers.add("Link", f'<{here.public(key + form.suffix)}?page={number}>; rel="{relation}"')
    finish(response, here, key, form)
    if not gone:
        response.make_conditional(request)
    return response


def render_rdf(description: Description, edition: Edition, form: Format) -> bytes:
    """The description as RDF, with a statement of which document it is."""
    document = NamedNode(description.iri + form.suffix)
    about = [
        Triple(document, NamedNode(PREFIXES["rdf"] + "type"), NamedNode(PREFIXES["foaf"] + "Document")),
        Triple(document, NamedNode(PREFIXES["foaf"] + "primaryTopic"), NamedNode(description.iri)),
        Triple(document, NamedNode(PREFIXES["dcterms"] + "isPartOf"), NamedNode(edition.dataset)),
    ]
    assert form.rdf is not None
    return write_rdf(description.triples() + about, form.rdf, edition.base)


def _successor(edition: Edition, key: str) -> str | None:
    """The thing that a merged one lives on in."""
    for quad in edition.store.quads(edition.base + key, REPLACED_BY):
        if isinstance(quad.object, NamedNode) and quad.object.value.startswith(edition.base):
            return quad.object.value.removeprefix(edition.base)
    return None


def finish(response: Response, here: Site, key: str, form: Format | None = None) -> Response:
    """The headers of every answer about a thing: links to its other documents, variance, sharing between hosts."""
    links = response.headers
    for other in FORMATS.values():
        if other is not form:
            links.add("Link", f'<{here.public(key + other.suffix)}>; rel="alternate"; type="{other.media_type}"')
    links.add("Link", f'<{here.public("about")}#licences>; rel="license"')
    links.add("Link", f'<{here.edition.base}{key}>; rel="cite-as"')
    if form is not None:
        links.add("Link", f'<{here.public(key + form.suffix)}>; rel="canonical"')
        links.add("Link", f'<{here.edition.base}{key}>; rel="http://xmlns.com/foaf/0.1/primaryTopic"')
        links.add("Link", f'<{here.public(key + ".ttl")}>; rel="describedby"; type="text/turtle"')
        if form.rdf is None:
            links.add("Link", '<https://schema.org/AboutPage>; rel="type"')
            links["Vary"] = "Accept-Language, Cookie"
    else:
        links.add("Link", f'<{here.public(key + ".ttl")}>; rel="describedby"; type="text/turtle"')
        links["Vary"] = NEGOTIATED
    links["Link"] = ", ".join(links.getlist("Link"))
    links["Last-Modified"] = here.edition.last_modified
    links["Access-Control-Allow-Origin"] = "*"
    links["Access-Control-Expose-Headers"] = EXPOSED
    return response


def missing(here: Site, form: Format | None) -> Response:
    """404 in the format of the address or of ``Accept``."""
    return here.problem(
        404, form or asked_format(request.headers.get("Accept"), request.args.get("format")), negotiated=form is None
    )


def not_acceptable(here: Site, key: str) -> Response:
    """406, with the list of what there is."""
    lines = [f"{f.media_type}\t{here.public(key + f.suffix)}" for f in FORMATS.values()]
    text = "None of the formats asked for is kept here. There are:\n" + "\n".join(lines) + "\n"
    return finish(Response(text, 406, mimetype="text/plain"), here, key)


def _preflight() -> Response:
    response = current_app.make_default_options_response()
    response.headers["Access-Control-Allow-Origin"] = "*"
    response.headers["Access-Control-Allow-Methods"] = "GET, HEAD, OPTIONS"
    response.headers["Access-Control-Allow-Headers"] = "Accept, Accept-Language, If-None-Match, If-Modified-Since, Range"
    return response
