"""Where the ontology and the stored queries are: inside the installed package, or at the top of a checkout."""

from pathlib import Path

__all__ = ["ontology_folder", "queries_folder"]


def _folder(name: str) -> Path:
    inside = Path(__file__).parent / name
    return inside if inside.is_dir() else Path(__file__).parents[1] / name


def ontology_folder() -> Path:
    """The folder with ``silsila.ttl`` and ``shapes.ttl``."""
    return _folder("ontology")


def queries_folder() -> Path:
    """The folder with the stored ``.rq`` files."""
    return _folder("queries")
