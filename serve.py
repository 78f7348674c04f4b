"""The WSGI entry of a checkout: ``gunicorn serve:app``. ``SILSILA_DATA`` names the built folder, ``SILSILA_CONFIG`` the settings,
``SILSILA_STORE`` another SPARQL server that holds the graph (docs/stores.md)."""

import os
from pathlib import Path

from kg.config import load_config
from kg.web.app import create_app

_config = load_config(Path(os.environ["SILSILA_CONFIG"]) if "SILSILA_CONFIG" in os.environ else None)

app = create_app(
    Path(os.environ.get("SILSILA_DATA", "kg-data")),
    public_url=_config.public_url,
    store=os.environ.get("SILSILA_STORE"),
    LIMITS=_config.limits,
    CONTACT=_config.contact,
    TITLE=_config.title,
)
