"""Search over the full-text index of an edition."""

from pathlib import Path


class SearchIndex:
    """Opened read-only."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def named(self, kind: str, name: str) -> str | None:
        return None
