"""For those who run the service: whether it lives, whether it is ready, its figures. No links lead here, crawlers are kept out."""

import json
from collections.abc import Callable
from typing import Any

from flask import Blueprint, Response

from kg.store.errors import QueryError, StoreError
from kg.web.edition import Shelf
from kg.web.metrics import CONTENT_TYPE, Metrics

__all__ = ["PRIVATE", "health_blueprint"]

PRIVATE = ("healthz", "readyz", "metrics")
"""Paths that a proxy keeps from the public."""
_QUESTION = "ASK { FILTER(RAND() < 2) }"  # never answered from the answers that are kept


def health_blueprint(shelf: Shelf, pool: Callable[[], Any], metrics: Metrics) -> Blueprint:
    """``/healthz``: the process answers. ``/readyz``: store and query workers answer as well, else 503 and why. ``/metrics``."""
    blueprint = Blueprint("health", __name__)

    @blueprint.get("/healthz")
    def alive() -> Response:
        return _plain(Response("ok\n", content_type="text/plain; charset=utf-8"))

    @blueprint.get("/readyz")
    def ready() -> Response:
        wrong: list[str] = []
        edition = shelf.current()
        try:
            if not edition.store.answers():
                wrong.append("the store holds nothing")
            pool().run(_QUESTION).close()
        except (QueryError, StoreError, OSError) as error:
            wrong.append(str(error))
        told = {"ready": not wrong, "version": edition.name, "problems": wrong, "notTakenUp": shelf.refused}
        body = json.dumps(told, ensure_ascii=False)
        return _plain(Response(body, 503 if wrong else 200, content_type="application/json"))

    @blueprint.get("/metrics")
    def figures() -> Response:
        return _plain(Response(metrics.text(), content_type=CONTENT_TYPE))

    return blueprint


def _plain(response: Response) -> Response:
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Robots-Tag"] = "noindex"
    return response
