"""OpenITI mARkdown: paragraphs cleaned of marks, with heading, volume, page and place in the file as locators.

The marks are those of https://alraqmiyyat.github.io/mARkdown/: a header up to ``#META#Header#End#``; ``# `` begins a
paragraph, ``~~`` continues it; ``### |`` a heading, one bar a level; ``### $`` a biography; ``PageV01P002`` stands after
the page's text; ``ms0012`` counts words. What is cut out is markup; the letters that remain are the author's.
"""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

__all__ = ["PAGE", "Section", "is_markdown", "sections"]

PAGE = re.compile(r"PageV(\d+)P(\d+)[A-Z]?")
_MILESTONE = re.compile(r"\s?ms[A-Z]?\d+")
_HEADING = re.compile(r"###\s*(\|+)\s*(.*)")
_BIOGRAPHY = re.compile(r"###\s*\$+[A-Z_]*\$*\s*(\d+)?\s*[-.:]?\s*(.*)", re.DOTALL)
_NUMBERED = re.compile(r"(\d{1,6})(?=\s|$)")
_BAR = re.compile(r"\s*\|\s*")


class Section(NamedTuple):
    """A cleaned paragraph; ``line`` and ``offset`` (code points) say where its letters start in the file.

    ``follows`` is what stands right before it: ``heading``, ``page`` (a numbered page ends), ``unit`` (the mark of a page without
    number, by which some files part reports), or nothing: another paragraph.
    """

    text: str
    line: int
    offset: int
    headings: tuple[str, ...]
    volume: str | None
    page: str | None
    entry: str | None
    follows: str = ""


def is_markdown(beginning: str) -> bool:
    """Whether a file begins as mARkdown does."""
    return beginning.lstrip("\ufeff").startswith("######OpenITI#") or "#META#Header#End#" in beginning


def sections(numbered_lines: Iterable[tuple[int, str]]) -> Iterator[Section]:
    """The paragraphs, biographies and loose lines of a text in order; those of a page wait until its number is read.

    >>> text = ["######OpenITI#\\n", "#META#Header#End#\\n", "### | باب\\n", "# حدثنا\\n", "~~مالك PageV02P475\\n"]
    >>> section, = sections(enumerate(text, 1))
    >>> section.text, section.headings, section.volume, section.page
    ('حدثنا مالك', ('باب',), '2', '475')
    """
    pending: list[Section] = []
    held: list[tuple[str, int, int]] = []
    held_page: tuple[str, str] | None = None
    headings: list[str] = []
    in_header, offset, follows, held_follows = False, 0, "", ""

    def close() -> None:
        nonlocal held, held_page, follows, held_follows
        if held:
            volume, page = held_page or (None, None)
            section = _section(held, tuple(headings))
            if section is not None:
                pending.append(section._replace(volume=volume, page=page, follows=held_follows))
            elif not follows:
                follows = held_follows  # a line of marks only
        held, held_page = [], None

    for number, line in numbered_lines:
        body = line.rstrip("\r\n")
        if number == 1 and is_markdown(body):
            in_header = True
        if in_header:
            in_header = not body.startswith("#META#Header#End#")
            offset += len(line)
            continue
        heading = _HEADING.match(body)
        if heading:
            close()
            level, title = len(heading[1]), _clean(heading[2])
            del headings[level - 1 :]
            headings.extend([""] * (level - 1 - len(headings)))
            headings.append(title)
            follows = "heading"
        elif body.startswith("~~") and held:
            held.append((body[2:], number, offset + 2))
            if _clean(body):
                follows = ""
        elif body.startswith("###") and "$" in body[:6]:
            close()
            held, held_follows, follows = [(body, number, offset)], "heading", ""
        else:
            close()
            if body.strip():
                lead = len(body) - len(body.lstrip("#~ "))
                held, held_follows, follows = [(body[lead:], number, offset + lead)], follows, ""
        marker = PAGE.search(body)
        if marker:
            if follows != "heading" and not _clean(body[marker.end() :]):
                follows = "unit" if int(marker[2]) == 0 else "page"
            # The marker stands after the page's text; a paragraph that goes on belongs to the page it starts on.
            page = str(int(marker[1])), str(int(marker[2]))
            pending = [section if section.page else section._replace(volume=page[0], page=page[1]) for section in pending]
            held_page = held_page or page
        while pending and pending[0].page:
            yield pending.pop(0)
        offset += len(line)
    close()
    yield from pending


def _section(held: list[tuple[str, int, int]], headings: tuple[str, ...]) -> Section | None:
    """The cleaned paragraph of the lines held, or None where only marks stood on them."""
    text = " ".join(part for part, _, _ in held)
    _, line, start = held[0]
    biography = _BIOGRAPHY.match(text) if text.startswith("###") else None
    entry = None
    if biography:
        entry = biography[1]
        start += biography.start(2)
        text = biography[2]
    clean = _clean(text)
    if not clean:
        return None
    if entry is None and (numbered := _NUMBERED.match(clean)):
        entry = numbered[1]
    return Section(clean, line, start, headings, None, None, entry)


def _clean(text: str) -> str:
    text = _MILESTONE.sub("", PAGE.sub("", text)).replace("@QB@", "{").replace("@QE@", "}")
    return re.sub(r"[ \t]+", " ", _BAR.sub(" ", text)).strip(" #~")
