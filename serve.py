"""The WSGI entry of a checkout: ``gunicorn serve:app``. ``KG_DATA`` names the built folder (default ``kg-data``)."""

import os
from pathlib import Path

from kg.config import load_config
from kg.web.app import create_app

_config = load_config(Path(os.environ["KG_CONFIG"]) if "KG_CONFIG" in os.environ else None)
app = create_app(Path(os.environ.get("KG_DATA", "kg-data")), public_url=_config.public_url, LIMITS=_config.limits)

if __name__ == "__main__":
    from kg.cli import main

    main(["serve"], standalone_mode=True)
