"""The lines of a file, decoded one by one so that a fault is told with its line and memory does not grow with the file."""

import codecs
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from .errors import OnError, SourceError

__all__ = ["lines", "opened", "sniff"]

_OTHER_ENCODINGS = {codecs.BOM_UTF16_LE: "UTF-16", codecs.BOM_UTF16_BE: "UTF-16", codecs.BOM_UTF32_LE: "UTF-32"}
_SNIFF = 4096


@contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """A file open for reading bytes.

    Raises:
        SourceError: it is missing, a folder, or may not be read.
    """
    try:
        with path.open("rb") as stream:
            yield stream
    except FileNotFoundError:
        raise SourceError(str(path), None, "no such file: check the path") from None
    except IsADirectoryError:
        raise SourceError(str(path), None, "is a folder where a file is expected: name a file in it") from None
    except PermissionError:
        raise SourceError(str(path), None, "may not be read: change its permissions") from None


def sniff(path: Path) -> str:
    """The beginning of a file as text, for guessing its format; undecodable bytes are replaced."""
    with opened(path) as stream:
        return stream.read(_SNIFF).removeprefix(codecs.BOM_UTF8).decode("utf-8", "replace")


def _saved(encoding: str) -> str:
    return f"save it as UTF-8, for example with iconv -f {encoding} -t UTF-8"


def lines(stream: BinaryIO, where: str, on_error: OnError) -> Iterator[tuple[int, str]]:
    """The lines of a UTF-8 stream with their numbers from 1, line endings kept; a line that is not UTF-8 is reported and
    left out, a binary file or one in UTF-16 is reported and ends."""
    for number, raw in enumerate(stream, 1):
        if number == 1:
            for mark, name in _OTHER_ENCODINGS.items():
                if raw.startswith(mark):
                    on_error(SourceError(where, 1, f"the file is {name}, not UTF-8: {_saved(name)}"))
                    return
            raw = raw.removeprefix(codecs.BOM_UTF8)
        if b"\0" in raw:
            if raw.count(b"\x06") * 4 > len(raw):  # the high byte of most Arabic letters
                wrong = f"looks like UTF-16 without a mark, not UTF-8: {_saved('UTF-16BE or UTF-16LE')}"
            elif raw.startswith(b"PK"):
                wrong = "a packed file (Word, OpenDocument, a spreadsheet), not text: save it as plain text or CSV, in UTF-8"
            else:
                wrong = "a binary file, not text: give the text it was made from"
            on_error(SourceError(where, number, wrong))
            return
        try:
            yield number, raw.decode("utf-8")
        except UnicodeDecodeError as error:
            on_error(
                SourceError(
                    where,
                    number,
                    f"not UTF-8 (byte 0x{raw[error.start]:02x} at column {error.start + 1}): "
                    f"{_saved('WINDOWS-1256')} (Arabic files of other programs are often Windows-1256)",
                )
            )
