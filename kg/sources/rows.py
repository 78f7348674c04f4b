"""Rows that hold one passage each: JSON Lines, JSON, CSV and TSV with a header."""

import csv
import json
import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from .errors import OnError, SourceError

__all__ = ["Row", "csv_rows", "json_rows"]

TEXT_COLUMNS = ("text", "matn", "body", "arabic", "arabic_text", "النص", "نص", "المتن")
ID_COLUMNS = ("id", "number", "hadith_number", "رقم", "الرقم")
TRANSLATION_COLUMNS = ("translation", "english", "الترجمة")
_HALF_PAIR = re.compile("[\ud800-\udfff]")
_QUOTE_IT = "write it in quotation marks, or shorter"


class Row(NamedTuple):
    """A row: its text, its own id where it has one, its translation, and the line it stands on."""

    text: str
    id: str | None
    translation: str | None
    line: int


def json_rows(numbered_lines: Iterable[tuple[int, str]], where: str, on_error: OnError) -> Iterator[Row]:
    """The rows of JSON Lines (``{"id": …, "text": …}``); a broken line is reported and left out."""
    for number, line in numbered_lines:
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except json.JSONDecodeError as error:
            on_error(
                SourceError(
                    where,
                    number,
                    f"not JSON ({error.msg.removesuffix(' at')} at column {error.colno}): correct or remove the line",
                )
            )
            continue
        except ValueError:
            on_error(SourceError(where, number, f"a number of thousands of digits: {_QUOTE_IT}"))
            continue
        except RecursionError:
            on_error(SourceError(where, number, "JSON nested too deeply: a row is one object with id and text"))
            continue
        row = _row(value, where, number, on_error)
        if row is not None:
            yield row


def json_array(text: str, where: str, on_error: OnError) -> Iterator[Row]:
    """The rows of a JSON file that holds one array of objects, or one object. The whole file is read at once."""
    try:
        values = json.loads(text)
    except json.JSONDecodeError as error:
        on_error(
            SourceError(
                where, error.lineno, f"not JSON ({error.msg.removesuffix(' at')} at column {error.colno}): correct it there"
            )
        )
        return
    except ValueError:
        on_error(SourceError(where, 1, f"a number of thousands of digits: {_QUOTE_IT}"))
        return
    except RecursionError:
        on_error(SourceError(where, 1, "JSON nested too deeply: give an array of objects with id and text"))
        return
    within = _arrays_within(values)
    if within:
        named = ", ".join(f'"{name}"' for name in within)
        on_error(
            SourceError(
                where, 1, f"an object that holds arrays ({named}): give the array of passages alone, as a file of its own"
            )
        )
        return
    for number, value in enumerate(values if isinstance(values, list) else [values], 1):
        row = _row(value, where, number, on_error, what=f"item {number}")
        if row is not None:
            yield row


def _arrays_within(value: Any) -> list[str]:
    """Under which names an object that is no passage holds arrays of objects: {"metadata": …, "hadiths": [{…}]}."""
    if not isinstance(value, dict) or any(isinstance(value.get(name), str) for name in TEXT_COLUMNS):
        return []
    return [
        name for name, held in value.items() if isinstance(held, list) and held and all(isinstance(item, dict) for item in held)
    ]


def _row(value: Any, where: str, number: int, on_error: OnError, what: str = "the row") -> Row | None:
    if not isinstance(value, dict):
        on_error(SourceError(where, number, f'{what} is not an object: write {{"id": …, "text": …}}'))
        return None
    text = value.get(next((name for name in TEXT_COLUMNS if name in value), "text"))
    if not isinstance(text, str):
        fields = ", ".join(map(str, value))[:200] or "nothing"
        on_error(
            SourceError(where, number, f'{what} has no "text" (it has: {fields}): name the field that holds the Arabic "text"')
        )
        return None
    identifier = value.get(next((name for name in ID_COLUMNS if name in value), "id"))
    translation = value.get(next((name for name in TRANSLATION_COLUMNS if name in value), "translation"))
    if isinstance(identifier, bool) or not isinstance(identifier, str | int | float | None):
        on_error(
            SourceError(where, number, f'{what} has an "id" that is neither a word nor a number: write it in quotation marks')
        )
        return None
    row = Row(
        text,
        None if identifier is None else str(identifier),
        translation if isinstance(translation, str) else None,
        number,
    )
    for part, words in (("text", row.text), ("id", row.id), ("translation", row.translation)):
        if words is not None and _HALF_PAIR.search(words):
            on_error(SourceError(where, number, f"{what} has half a surrogate pair in its {part}: write the character itself"))
            return None
    return row


def csv_rows(numbered_lines: Iterable[tuple[int, str]], where: str, on_error: OnError) -> Iterator[Row]:
    """The rows of a CSV or TSV file whose header names a column ``text``; ``id`` and ``translation`` where it has them."""
    reached, ended = [0], [False]

    def counted() -> Iterator[str]:
        for number, line in numbered_lines:
            reached[0] = number
            yield line
        ended[0] = True

    source = counted()
    header_line = next(source, None)
    if header_line is None:
        return
    delimiter = max("\t,;", key=header_line.count)
    csv.field_size_limit(1 << 30)
    header = [cell.strip() for cell in next(csv.reader([header_line], delimiter=delimiter))]
    lowered = [cell.lower() for cell in header]
    text_at = next((lowered.index(name) for name in TEXT_COLUMNS if name in lowered), None)
    if text_at is None:
        on_error(
            SourceError(
                where, 1, f"no column “text” (the header has: {', '.join(header)[:200]}): rename the column that holds the Arabic"
            )
        )
        return
    id_at = next((lowered.index(name) for name in ID_COLUMNS if name in lowered), None)
    translation_at = next((lowered.index(name) for name in TRANSLATION_COLUMNS if name in lowered), None)
    reader = csv.reader(source, delimiter=delimiter)
    while True:
        line = reached[0] + 1
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            on_error(SourceError(where, line, f"not CSV ({error}): correct the quotation marks of the row"))
            continue
        if not cells:
            continue
        if ended[0]:  # the reader asked for a line more to end the row it was in
            on_error(
                SourceError(where, line, "a quotation mark is opened in this row and never closed: close it, or write it twice")
            )
            return
        if len(cells) <= text_at:
            on_error(
                SourceError(where, line, f"{len(cells)} cells where the header has {len(header)}: complete or remove the row")
            )
            continue
        yield Row(
            cells[text_at],
            (cells[id_at] or None) if id_at is not None and id_at < len(cells) else None,
            (cells[translation_at] or None) if translation_at is not None and translation_at < len(cells) else None,
            line,
        )
