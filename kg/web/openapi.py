"""``/openapi.json``: the service described for programs (OpenAPI 3.1)."""

from flask import Blueprint, Response, jsonify

from kg import __version__
from kg.store.limits import Limits
from kg.web.interface import sparql_interface

__all__ = ["openapi_blueprint"]


def openapi_blueprint(limits: Limits) -> Blueprint:
    """Serves the description at ``/openapi.json``."""
    blueprint = Blueprint("openapi", __name__)
    info = {
        "title": "Silsila, the knowledge graph of Arabic transmission",
        "version": __version__,
        "license": {"name": "GPL-3.0-or-later", "identifier": "GPL-3.0-or-later"},
    }

    @blueprint.get("/openapi.json")
    def openapi() -> Response:
        return jsonify({"openapi": "3.1.0", "info": info, **sparql_interface(limits)})

    return blueprint
