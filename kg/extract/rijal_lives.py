"""Lives told in prose, as al-Nawawi tells them: name, kunya, death year, teachers and students where he lists them."""

from collections.abc import Sequence

from kg.extract.rijal_entry import Facts, read_entry

__all__ = ["read_life"]


def read_life(paragraphs: Sequence[str]) -> Facts:
    """The facts of a life told in paragraphs."""
    return read_entry(" ".join(paragraphs), source="life")
