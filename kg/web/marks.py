"""A text with what was read in it marked in place: spans may nest and overlap.

Names are links; verses and events, which may be long and hold names, are tinted and end in a small link of their own.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from markupsafe import Markup, escape

__all__ = ["Mark", "marked"]

NAMES = ("narrator", "person", "place")


@dataclass(frozen=True, slots=True)
class Mark:
    """One marked stretch ``text[start:end]``. ``note`` is the id of the line below the text that explains it, ``sign`` what
    stands at the end of a verse (its reference) or an event."""

    start: int
    end: int
    kind: str
    href: str | None
    title: str
    note: str = ""
    sign: str = ""


def marked(text: str, marks: Iterable[Mark], matn_starts: int = 0) -> Markup:
    """The text as markup; letters are exactly the author's. What stands before ``matn_starts`` is the chain.

    >>> print(marked("عن أنس قال", [Mark(3, 6, "narrator", "/person/anas", "Anas")]))
    عن <a class="mark narrator" href="/person/anas" title="Anas">أنس</a> قال
    """
    kept = [m for m in marks if 0 <= m.start < m.end <= len(text)]
    cuts = sorted(
        {0, len(text), *([matn_starts] if 0 < matn_starts < len(text) else []), *(p for m in kept for p in (m.start, m.end))}
    )
    pieces: list[Markup] = []
    opened: set[Mark] = set()
    for start, end in pairwise(cuts):
        covering = [m for m in kept if m.start <= start and m.end >= end]
        grounds = [m for m in covering if m.kind not in NAMES]
        names = sorted((m for m in covering if m.kind in NAMES), key=lambda m: m.end - m.start)
        piece = escape(text[start:end])
        if names:
            piece = _name(names[0], piece, again=names[0] in opened)
            opened.add(names[0])
        classes = sorted({f"ground-{m.kind}" for m in grounds})
        if end <= matn_starts:
            classes.append("in-isnad")
        if classes:
            piece = Markup('<span class="{}">{}</span>').format(" ".join(classes), piece)
        pieces.append(piece)
        for mark in grounds:
            if mark.end == end:
                pieces.append(_sign(mark))
    return Markup("").join(pieces)


def _name(mark: Mark, piece: Markup, *, again: bool) -> Markup:
    tag = Markup(' data-note="{}"').format(mark.note) if mark.note else Markup("")
    if mark.href is None:
        return Markup('<span class="mark {}" title="{}"{}>{}</span>').format(mark.kind, mark.title, tag, piece)
    aside = Markup(' tabindex="-1"') if again else Markup("")
    return Markup('<a class="mark {}" href="{}" title="{}"{}{}>{}</a>').format(
        mark.kind, mark.href, mark.title, tag, aside, piece
    )


def _sign(mark: Mark) -> Markup:
    tag = Markup(' data-note="{}"').format(mark.note) if mark.note else Markup("")
    if mark.href is None:
        return Markup('<sup class="sign {}" title="{}"{}>{}</sup>').format(mark.kind, mark.title, tag, mark.sign)
    return Markup('<sup class="sign {}"><a href="{}" title="{}" aria-label="{}"{}>{}</a></sup>').format(
        mark.kind, mark.href, mark.title, mark.title, tag, mark.sign
    )
