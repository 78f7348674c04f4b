"""Plain text: a paragraph, ended by a blank line, is a passage; one in another script is the translation of the one before."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

__all__ = ["Paragraph", "language_of", "paragraphs"]


class Paragraph(NamedTuple):
    """A paragraph as given, without the line ending after it; ``line`` and ``offset`` (code points) say where it starts."""

    text: str
    line: int
    offset: int


def paragraphs(numbered_lines: Iterable[tuple[int, str]]) -> Iterator[Paragraph]:
    """The paragraphs of a text.

    >>> [p.text for p in paragraphs([(1, "عن أنس\\n"), (2, "\\n"), (3, "from Anas\\n")])]
    ['عن أنس', 'from Anas']
    """
    held: list[str] = []
    first_line, start, offset = 0, 0, 0
    for number, line in numbered_lines:
        if line.strip(" \t\r\n\ufeff"):
            if not held:
                first_line, start = number, offset
            held.append(line)
        elif held:
            yield Paragraph("".join(held).rstrip("\r\n"), first_line, start)
            held = []
        offset += len(line)
    if held:
        yield Paragraph("".join(held).rstrip("\r\n"), first_line, start)


def language_of(text: str) -> str:
    """``ar`` where most letters of the beginning are Arabic, ``en`` where they are Latin, else ``und``.

    >>> language_of("عن Anas بن مالك"), language_of("Narrated Anas"), language_of("12")
    ('ar', 'en', 'und')
    """
    arabic = latin = 0
    for character in text[:2000]:
        if character.isalpha():
            if "\u0600" <= character <= "\u08ff" or "\ufb50" <= character <= "\ufeff":
                arabic += 1
            elif character < "\u0250":
                latin += 1
    if arabic == latin == 0:
        return "und"
    return "ar" if arabic >= latin else "en"
