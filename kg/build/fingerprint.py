"""Hashes that say whether something must be done again."""

import hashlib
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from kg.resources import ontology_folder, queries_folder

__all__ = ["build_fingerprint", "extraction_fingerprint", "hash_files"]

_KG = Path(__file__).parents[1]
_EXTRACTING = ("text.py", "tables.py", "sources", "extract", "authority")
_LEFT_OUT = {".pyc", ".html", ".css", ".js", ".map", ".woff2", ".svg", ".png"}


def hash_files(paths: Iterable[Path]) -> str:
    """A hash of the names and bytes of files; folders stand for all that is in them.

    >>> len(hash_files([]))
    64
    """
    digest = hashlib.sha256()
    for path in paths:
        members = sorted(member for member in path.rglob("*") if member.is_file()) if path.is_dir() else [path]
        for member in members:
            if member.suffix in _LEFT_OUT or "__pycache__" in member.parts:
                continue
            digest.update(str(member.relative_to(path.parent)).encode())
            digest.update(member.read_bytes())
    return digest.hexdigest()


@cache
def extraction_fingerprint() -> str:
    """Of the code and tables that reading and extraction rest on: records made under another one are made anew."""
    return hash_files(_KG / name for name in _EXTRACTING)


@cache
def build_fingerprint() -> str:
    """Of all code, tables, ontology and queries that a built folder rests on; pages and services are not part of it."""
    rooms = (*_EXTRACTING, "identify", "graph", "build", "store/embedded.py", "link")
    pages = (
        f"web/{name}.py"
        for name in ("search_index", "preparing", "prepared", "documents", "statements", "pointing", "parts", "names")
    )
    return hash_files([*(_KG / name for name in (*rooms, *pages) if (_KG / name).exists()), ontology_folder(), queries_folder()])
