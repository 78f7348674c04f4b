"""``kg collate``: tellings found by id in a built folder, or given as files, set side by side word by word."""

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pyoxigraph import Literal

from kg.build.folder import BuildError, DataFolder
from kg.graph.vocabulary import Vocabulary
from kg.identify.collation import Collation, collate
from kg.identify.collation_bounds import LONGEST, MOST, TOGETHER, Compared, compared_words, within_bounds
from kg.identify.collation_forms import to_json, to_rows, to_tei
from kg.sources import SourceError, open_sources
from kg.store.embedded import EmbeddedStore
from kg.text import Passage, Span

__all__ = ["FORMS", "collate_named"]

FORMS = ("table", "json", "tei")
_CELL = 44


def collate_named(names: Sequence[str], data: Path, form: str = "table") -> str:
    """The collation of tellings as a table, JSON or TEI.

    A name is a file (its first passage), or a passage of the built folder by id (``bukhari:3661``) or address. Of a passage that
    has an isnad only the matn is compared. The bounds are those of the page (``kg.identify.collation_bounds``): of a long telling the
    first words are compared, which the answer says; more tellings than one table holds are refused.

    Raises:
        SourceError: a file cannot be read.
        BuildError: nothing is built in ``data``, it has no such passage, or the tellings are too many.
    """
    texts: list[tuple[str, str]] = []
    compared: dict[str, Compared] = {}
    for name in names:
        if os.path.isfile(name):  # Path.is_file raises where the name is too long for a file
            passage = next(open_sources(name)[0].passages(), None)
            if passage is None:
                raise SourceError(name, None, "no passage in it")
            identifier, text, matn = name, passage.text, None
        else:
            identifier, text, matn = _built(name, data)
        texts.append((identifier, text))
        compared[identifier] = compared_words(text, matn or Span(0, len(text)))
    if len({identifier for identifier, _ in texts}) < len(texts):
        raise BuildError("the same telling is named twice: name two different ones")
    words = [compared[identifier].words for identifier, _ in texts]
    if len(within_bounds(words)) < len(texts):
        raise BuildError(
            f"{len(texts)} tellings of {sum(words)} words: one table holds at most {MOST} tellings, and of more than two at most"
            f" {TOGETHER} words together ({LONGEST} are compared of each); name fewer"
        )
    return _formed(collate(texts, {name: [found.span] for name, found in compared.items()}), form, compared)


def _built(name: str, data: Path) -> tuple[str, str, Span | None]:
    folder = DataFolder(data)
    words = Vocabulary(folder.manifest()["base"])
    store = EmbeddedStore.open(folder.current() / "store")
    tail = name.rpartition("/hadith/")[2].rpartition("/passage/")[2]
    if tail == name:  # an id, not an address
        tail = Vocabulary.tail(Passage(name, ""))
    ontology = "https://w3id.org/silsila/ontology#"
    for kind in ("hadith", "passage"):
        key = words.normal(f"{kind}/{tail}")
        if key is None:
            continue
        iri = words.iri(key)
        texts = _values(store, iri, f"{ontology}text")
        if not texts:
            if _values(store, iri, f"{ontology}quotation"):
                raise BuildError(f"{name}: its text may not be republished and is not in {data}: name the file it was read from")
            continue
        spans = set()
        for quad in store.quads(None, f"{ontology}inPassage", iri):
            start, end = (_values(store, quad.subject, f"{ontology}matn{side}") for side in ("Start", "End"))
            if start and end:
                spans.add(Span(int(start[0]), int(end[0])))
        text = texts[0]
        return tail.replace("/", ":", 1), text, min(spans, default=None)
    raise BuildError(f"{name}: no such file, and no such passage in {data}: a passage is named like bukhari:3661")


def _values(store: EmbeddedStore, subject: Any, predicate: str) -> list[str]:
    return [quad.object.value for quad in store.quads(subject, predicate) if isinstance(quad.object, Literal)]


def _formed(collation: Collation, form: str, compared: Mapping[str, Compared]) -> str:
    cut = {name: f"the first {LONGEST} of {found.words} words" for name, found in compared.items() if found.cut}
    if form == "json":
        return json.dumps(to_json(collation) | ({"cut": cut} if cut else {}), ensure_ascii=False, indent=1) + "\n"
    if form == "tei":
        return to_tei(collation, {name: f"{name} ({said})" for name, said in cut.items()}) + "\n"
    lines = ["\t".join(("", *collation.witnesses))]
    for row in to_rows(collation):
        if row["kind"] == "agreed":
            continue
        kind = row["kind"] + (f" ({row['detail']})" if row.get("detail") else "")
        cells = [_short(cell.get("text") if isinstance(cell, dict) else cell) for cell in row["cells"]]
        lines.append("\t".join((kind, *cells)))
    lines += [f"# {name}: compared are {said}" for name, said in cut.items()]
    return "\n".join(lines) + "\n"


def _short(text: str | None) -> str:
    if text is None:
        return "—"
    return text if len(text) <= _CELL else text[: _CELL - 1] + "…"
