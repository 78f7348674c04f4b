"""The passages that our own gold of events refers to: the two Sahihs, and the OpenITI texts beside the checkout."""

from collections.abc import Collection
from dataclasses import replace
from functools import lru_cache

from kg.evaluate import shared
from kg.sources import open_source
from kg.text import Passage

__all__ = ["FOLDER_TEXTS", "passages_of"]

FOLDER_TEXTS = {
    "ibn-hisham": "0213IbnHisham.SiraNabawiyya.Shamela0023833-ara1.completed",
    "nawawi": "0676Nawawi.TahdhibAsma.JK001320-ara1",
}


def passages_of(sources: Collection[str]) -> dict[tuple[str, str], Passage]:
    """The passages of the named sources by source and id; a source that is not at hand gives none.

    The texts of ``../shared`` are read paragraph by paragraph, as they were annotated: one that a page end breaks off is not joined to
    what goes on. A paragraph's id is its running number in its file.
    """
    found: dict[tuple[str, str], Passage] = {}
    for source in sorted(sources):
        found.update({(source, passage.id): passage for passage in _passages(source)})
    return found


@lru_cache(maxsize=4)
def _passages(source: str) -> tuple[Passage, ...]:
    if source not in FOLDER_TEXTS:
        return tuple(open_source(source).passages())
    folder = shared()
    path = folder / "texts" / FOLDER_TEXTS[source] if folder is not None else None
    return tuple(replace(open_source(str(path)), join_pages=False).passages()) if path is not None and path.is_file() else ()
