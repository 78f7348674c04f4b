"""Paragraphs that a page end breaks off: joined to one passage, which keeps the number of its first part.

Some OpenITI files close the paragraph wherever a page ends; most let it go on. A paragraph is taken to go on only where the file
itself says so: its page marks never stand inside a paragraph, its paragraphs end in a full stop and this one does not, and what
follows does not begin as a new one does (a heading, a number, a speaker, a verse). No number of another passage moves.
"""

import re
from collections import deque
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from kg.sources.markdown import PAGE, Section

__all__ = ["Joined", "Part", "closes_at_page_ends", "joined"]

_INSIDE = 0.05  # page marks inside paragraphs, of all, in a file that closes its paragraphs at page ends
_REMEMBERED, _KNOWN, _STOPPED = (
    12,
    3,
    2 / 3,
)  # ends of paragraphs looked back on; how many must be known; how many of them are stops
_VERSE, _HEMISTICH, _PROSE = 24, 7, 6  # words of a verse at most, of half a verse at most, of prose at least
_PAGE_ALONE = re.compile(r"\[ص:\s*\d+\]")
_NOTES = re.compile(r"(?:\s*[(\[]\s*(?:\w{1,2}\s*:)?\s*[\d٠-٩]+(?:\s*-?\s*[أاب])?\s*[)\]])+\s*$")
_SAYING = re.compile(r"(?:^|\s)[وف]?(?:قال|قالت|قالا|قالوا|يقول|تقول|قلت|قلنا)(?:\s+(?:له|لها|لهم|لي|لنا))?\s*:$")
_SPEAKER = re.compile(r"[وف]?(?:قال|قالت|روى|ذكر|زعم|سئل|وعنه|عنه)\s|مالك[،,؛]|[وف]?(?:حدثن[اي]|أخبرن[اي]|أنبأن[اي])\s")
_PUNCTUATION = re.compile(r"[.،؛:؟»]")
_LETTER = re.compile(r"[^\W\d_]")


class Part(NamedTuple):
    """A paragraph of the file within a passage: ``number`` in the file, ``start`` its place in the passage's text (code points)."""

    number: int
    start: int
    section: Section


class Joined(NamedTuple):
    """A passage and the paragraphs it was joined from, one where nothing was broken off."""

    text: str
    parts: tuple[Part, ...]


def closes_at_page_ends(lines: Iterable[str]) -> bool:
    """Whether a file closes its paragraphs wherever a page ends.

    >>> closes_at_page_ends(["# عن نافع PageV01P002\\n", "# عن ابن عمر\\n"])
    True
    >>> closes_at_page_ends(["# عن نافع PageV01P002\\n", "~~عن ابن عمر\\n"])
    False
    """
    inside = total = 0
    open_page = False
    for line in lines:
        if open_page and line.startswith("~~") and _LETTER.search(PAGE.sub("", line)):
            inside += 1
        open_page = False
        for mark in PAGE.finditer(line):
            total += 1
            if _LETTER.search(PAGE.sub("", line[mark.end() :])):
                inside += 1
            else:
                open_page = True
    return total > 0 and inside <= _INSIDE * total


def joined(sections: Iterable[Section], *, join: bool = True) -> Iterator[Joined]:
    """The passages of a file, numbered as its paragraphs are; with ``join`` false each paragraph is one.

    A page reference that stands alone between two halves (``[ص: 786]``) stays in the text between them.
    """
    held: list[Part] = []
    text = ""
    ends: deque[bool] = deque(maxlen=_REMEMBERED)
    for number, section in enumerate(sections, 1):
        if held and join:
            page = bool(_PAGE_ALONE.fullmatch(section.text))
            last = held[-1].section
            broken = section.follows == "page" or bool(_PAGE_ALONE.fullmatch(last.text) and section.follows == "")
            if page and section.follows in ("", "page") and _open(text, ends):
                held.append(Part(number, len(text) + 1, section))
                text += " " + section.text
                continue
            if broken and not page and _goes_on(_without_page(held, text), section.text, ends):
                held.append(Part(number, len(text) + 1, section))
                text += " " + section.text
                continue
            if not broken:
                _remember(text, ends)
        yield from _passages(held)
        held, text = [Part(number, 0, section)], section.text
    yield from _passages(held)


def _passages(held: list[Part]) -> Iterator[Joined]:
    """The passage of the parts held; a page reference at its end belongs to nothing and stands for itself."""
    loose = []
    while len(held) > 1 and _PAGE_ALONE.fullmatch(held[-1].section.text):
        loose.append(held.pop())
    if held:
        yield Joined(" ".join(part.section.text for part in held), tuple(held))
    for part in reversed(loose):
        yield Joined(part.section.text, (part._replace(start=0),))


def _without_page(held: list[Part], text: str) -> str:
    return text[: held[-1].start].rstrip() if len(held) > 1 and _PAGE_ALONE.fullmatch(held[-1].section.text) else text


def _remember(text: str, ends: deque[bool]) -> None:
    """Whether a paragraph that no page end touches ends in a full stop or in a word."""
    bare = _NOTES.sub("", text).rstrip()
    if not bare or _is_verse(text) or len(text.split()) < _PROSE:
        return
    if bare[-1] in '.؟?!»"':
        ends.append(True)
    elif _LETTER.match(bare[-1]) or "\u064b" <= bare[-1] <= "\u0652":
        ends.append(False)


def _open(text: str, ends: deque[bool]) -> bool:
    """Whether a paragraph breaks off: in a word, at a comma, or after a verb of saying, where paragraphs end in full stops."""
    if len(ends) < _KNOWN or sum(ends) < _STOPPED * len(ends) or _is_verse(text):
        return False
    bare = _NOTES.sub("", text).rstrip()
    if len(bare.split()) < _PROSE:
        return False
    last = bare[-1]
    return bool(_LETTER.match(last)) or "\u064b" <= last <= "\u0652" or last in "،؛" or bool(_SAYING.search(bare))


def _goes_on(text: str, following: str, ends: deque[bool]) -> bool:
    """Whether a paragraph goes on in the next one behind a page end.

    >>> stops = deque([True, True, True])
    >>> _goes_on("مالك، عن محمد بن يحيى بن حبان، عن الأعرج، عن", "أبي هريرة؛ أن رسول الله نهى عن الصلاة.", stops)
    True
    >>> _goes_on("قال ابن إسحاق: فلما هلك أبرهة ملك ابنه", "قال ابن هشام: ويقال يكسوم.", stops)
    False
    """
    if not _open(text, ends) or _is_verse(following):
        return False
    if not (_LETTER.match(following) or (following[0] in "«{(" and not following[1:2].isdigit())):
        return False
    bare = _NOTES.sub("", text).rstrip()
    if len(following.split()) <= _HEMISTICH and not _PUNCTUATION.search(text) and not _PUNCTUATION.search(following):
        return False  # titles of plates one below the other
    if bare[-1] == ":":
        return len(following.split()) > _HEMISTICH or following.rstrip().endswith((".", "؟"))
    return bare[-1] in "،؛" or not _SPEAKER.match(following)


def _is_verse(text: str) -> bool:
    """Two halves parted by dots: لله درهم من عصبة خرجوا ... ما إن رأى لهم في الناس أمثالا."""
    return " ... " in text and len(text.split()) <= _VERSE
