"""Who cites: the Prophet, a Companion or the author, where the words before the quotation make it plain."""

from __future__ import annotations

from kg.extract.quran_introduction import Introduction
from kg.extract.quran_reading import Reading

__all__ = ["cited_by"]

_REACH = 9


def cited_by(reading: Reading, introduction: Introduction | None) -> str | None:
    """``prophet``, ``companion``, ``author`` or None where the text does not tell."""
    if introduction is None:
        return None
    if introduction.cited_by:
        return introduction.cited_by
    return None
