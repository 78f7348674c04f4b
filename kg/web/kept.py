"""Documents that were sent before are sent again as they were, before the application is asked at all.

Kept is what answers a plain GET of a document's address (``.html .ttl .jsonld .nt .rdf``): status 200, a strong tag, no cookie set. What
may vary the answer is part of the key: host, root, the edition served, and for pages the language asked for. Conditional requests, ranges
and all else go to the application.
"""

from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from threading import Lock
from time import perf_counter
from typing import Any

from kg.web.formats import FORMATS

__all__ = ["KeptDocuments"]

_PASSED_ON = ("HTTP_IF_NONE_MATCH", "HTTP_IF_MODIFIED_SINCE", "HTTP_IF_MATCH", "HTTP_IF_UNMODIFIED_SINCE", "HTTP_RANGE")
_PLACE = (
    "wsgi.url_scheme",
    "HTTP_HOST",
    "SERVER_NAME",
    "SERVER_PORT",
    "SCRIPT_NAME",
    "PATH_INFO",
    "RAW_URI",
    "REQUEST_URI",
    "QUERY_STRING",
)
_LANGUAGE = ("HTTP_ACCEPT_LANGUAGE", "HTTP_COOKIE")
_SUFFIXES = tuple(FORMATS)
_PAGE = ".html"

Headers = list[tuple[str, str]]
Kept = tuple[str, Headers, bytes]


class KeptDocuments:
    """A WSGI application around another; at most ``limit`` bytes are kept, those asked for last. ``edition`` names what is served,
    ``answered`` counts what was answered here: room, method, status, seconds."""

    def __init__(
        self,
        application: Callable[..., Iterable[bytes]],
        edition: Callable[[], str],
        answered: Callable[[str, str, int, float], None] | None = None,
        limit: int = 64 * 1024 * 1024,
    ) -> None:
        self.application, self.edition, self.answered, self.limit = application, edition, answered, limit
        self.size = 0
        self._kept: OrderedDict[tuple[Any, ...], Kept] = OrderedDict()
        self._lock = Lock()

    def __call__(self, environ: Mapping[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        path, method = environ.get("PATH_INFO", ""), environ["REQUEST_METHOD"]
        if method not in ("GET", "HEAD") or not path.endswith(_SUFFIXES) or any(name in environ for name in _PASSED_ON):
            return self.application(environ, start_response)
        began = perf_counter()
        names = _PLACE + _LANGUAGE if path.endswith(_PAGE) else _PLACE
        key = (self.edition(), *(environ.get(name) for name in names))
        with self._lock:
            found = self._kept.get(key)
            if found is not None:
                self._kept.move_to_end(key)
        if found is not None:
            start_response(found[0], list(found[1]))
            if self.answered is not None:
                self.answered("resources", method, 200, perf_counter() - began)
            return [found[2] if method == "GET" else b""]
        if method == "HEAD":
            return self.application(environ, start_response)
        return self._asked(key, environ, start_response)

    def _asked(self, key: tuple[Any, ...], environ: Mapping[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        """The application's answer, kept where it may be."""
        begun: list[tuple[str, Headers]] = []

        def begin(status: str, headers: Headers, *rest: Any) -> Any:
            begun.append((status, list(headers)))
            return start_response(status, headers, *rest)

        answer = self.application(environ, begin)
        status, headers = begun[0] if begun else ("", [])
        named = {name.lower() for name, _ in headers}
        if not status.startswith("200") or "etag" not in named or "set-cookie" in named:
            return answer
        try:
            body = b"".join(answer)
        finally:
            close = getattr(answer, "close", None)
            if close is not None:
                close()
        self._keep(key, (status, headers, body))
        return [body]

    def _keep(self, key: tuple[Any, ...], kept: Kept) -> None:
        with self._lock:
            if key in self._kept or len(kept[2]) > self.limit // 8:
                return
            self._kept[key] = kept
            self.size += len(kept[2])
            while self.size > self.limit:
                _, gone = self._kept.popitem(last=False)
                self.size -= len(gone[2])
