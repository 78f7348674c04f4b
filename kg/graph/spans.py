"""Whether every span of the dumps lies on the author's letters: offsets inside the passage, surfaces as the text has them."""

import re
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from kg.graph.formats import read_packed
from kg.graph.vocabulary import ONTOLOGY

__all__ = ["Misplaced", "misplaced_spans"]

Misplaced = tuple[str, str, str]
"""What is wrong, the thing, what was seen."""

_ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))")
_LETTERS = {"t": "\t", "n": "\n", "r": "\r", "b": "\b", "f": "\f"}
_OURS = f"<{ONTOLOGY}".encode()


def _plain(literal: str) -> str:
    """What a literal of N-Quads says, without quotes, language and escapes.

    >>> _plain('"قال \\\\"نا\\\\""@ar')
    'قال "نا"'
    """
    inside = literal[1 : literal.rindex('"')]
    if "\\" not in inside:
        return inside
    return _ESCAPE.sub(lambda m: chr(int(m[1] or m[2], 16)) if m[1] or m[2] else _LETTERS.get(m[3], m[3]), inside)


def _said(lines: Iterator[bytes]) -> Iterator[tuple[str, dict[str, str]]]:
    """Subject by subject, what our own properties say (one value each)."""
    for subject, group in groupby(lines, key=lambda line: line[: line.index(b" ")]):
        values: dict[str, str] = {}
        for line in group:
            _, predicate, rest = line.split(b" ", 2)
            if predicate.startswith(_OURS):
                values[predicate[len(_OURS) : -1].decode()] = rest[: rest.rindex(b" <")].decode()
        yield subject[1:-1].decode(), values


def misplaced_spans(path: Path) -> Iterator[Misplaced]:
    """All that does not lie where it says, in the N-Quads of one source. Texts that are not published cannot be compared:
    there only the order of the offsets is seen to. The texts of the source are held in memory."""
    texts: dict[str, str] = {}
    marker = b" " + _OURS + b"text> "
    with read_packed(path) as lines:
        for line in lines:
            if marker in line:
                thing, _, rest = line.split(b" ", 2)
                texts[thing.decode()] = _plain(rest[: rest.rindex(b" <")].decode())
    with read_packed(path) as lines:
        for subject, values in _said(iter(lines)):
            text = texts.get(values.get("inPassage", ""))
            for first, last, fault in (("start", "end", "the span"), ("matnStart", "matnEnd", "the matn")):
                if first not in values or last not in values:
                    continue
                start, end = _number(values[first]), _number(values[last])
                if start < 0 or end < start or (text is not None and end > len(text)):
                    yield f"{fault} does not lie inside its passage", subject, f"{start}-{end}"
                elif (
                    text is not None and first == "start" and "surface" in values and text[start:end] != _plain(values["surface"])
                ):
                    yield "the surface is not what the passage has at that span", subject, f"{start}-{end}"
            if text is not None and "termStart" in values and "termSurface" in values:
                start = _number(values["termStart"])
                if not text.startswith(_plain(values["termSurface"]), start):
                    yield "the transmission term is not what the passage has at that place", subject, str(start)


def _number(literal: str) -> int:
    return int(literal[1 : literal.index('"', 1)])
