"""Scores against answers that people gave: one module a task, each with ``score(gold, …) -> Scores``."""

import os
from pathlib import Path

__all__ = ["shared"]


def shared() -> Path | None:
    """The folder of gold data and test suites beside a checkout (or ``$SILSILA_SHARED``); None where it is absent."""
    folder = Path(os.environ.get("SILSILA_SHARED") or Path(__file__).parents[2].parent / "shared")
    return folder if folder.is_dir() else None
