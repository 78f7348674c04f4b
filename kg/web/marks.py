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
    عن <a href="/person/anas" class="mark narrator" title="Anas">أنس</a> قال
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
            piece = Markup(f'<span class="{" ".join(classes)}">{piece}</span>')
        pieces.append(piece)
        for mark in grounds:
            if mark.end == end:
                pieces.append(_sign(mark))
    return Markup("").join(pieces)


def _name(mark: Mark, piece: Markup, *, again: bool) -> Markup:
    given = f'class="mark {mark.kind}" title="{escape(mark.title)}"' + (f' data-note="{escape(mark.note)}"' if mark.note else "")
    if mark.href is None:
        return Markup(f"<span {given}>{piece}</span>")
    aside = ' tabindex="-1"' if again else ""
    return Markup(f'<a href="{escape(mark.href)}" {given}{aside}>{piece}</a>')


def _sign(mark: Mark) -> Markup:
    given = f'title="{escape(mark.title)}"' + (f' data-note="{escape(mark.note)}"' if mark.note else "")
    if mark.href is None:
        return Markup(f'<sup class="sign {mark.kind}" {given}>{escape(mark.sign)}</sup>')
    link = f'<a href="{escape(mark.href)}" {given} aria-label="{escape(mark.title)}">{escape(mark.sign)}</a>'
    return Markup(f'<sup class="sign {mark.kind}">{link}</sup>')
