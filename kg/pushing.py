"""``kg push``: the served version of a built folder sent to another SPARQL server."""

import os
from pathlib import Path

from kg.build.folder import DataFolder
from kg.build.progress import Progress, Silent
from kg.store.http import Client, split_account
from kg.store.push import Pushed, push
from kg.store.servers import find_endpoints

__all__ = ["NOTES", "push_folder"]

NOTES = "pushed.json"
"""In the data folder: what was sent where, so that a push that broke off is taken up again."""


def push_folder(
    data: Path,
    url: str,
    *,
    user: str | None = None,
    password: str | None = None,
    graph_store: str | None = None,
    update: str | None = None,
    again: bool = False,
    progress: Progress | None = None,
) -> Pushed:
    """Send the version of ``data`` that is served to the server at ``url``; ``again`` sends everything, whatever was sent before.

    Nothing is noted in a folder that may not be written to: the next push sends everything.

    Raises:
        BuildError: nothing is built in ``data``.
        StoreError: the server cannot be reached, refuses, or does not hold what was sent.
    """
    folder = DataFolder(data)
    manifest, version = folder.manifest(), folder.current()
    notes = data / NOTES if os.access(data, os.W_OK) else None
    if again and notes is not None:
        notes.unlink(missing_ok=True)
    clean, account = split_account(url, user, password)
    with Client(account) as client:
        endpoints = find_endpoints(clean, client, update=update, graph_store=graph_store)
        total = manifest.get("counts", {}).get("quads")
        with (progress or Silent()).step(f"sending to {endpoints.name} at {clean}", total=total, unit="triples") as step:
            return push(version / "dumps", endpoints, client, base=manifest["base"], notes=notes, advance=step.advance)
