"""Reading the reviewed tables: TSV with a header line, TOML entries. Mistakes are told with file and line."""

import re
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

__all__ = ["TableError", "line_of", "read_toml", "read_tsv"]


class TableError(ValueError):
    """A table cannot be read: says what was seen, in which file and line, and what to do."""

    def __init__(self, path: Path | str, line: int, message: str) -> None:
        super().__init__(f"{path}:{line}: {message}" if line else f"{path}: {message}")
        self.path, self.line, self.message = Path(path), line, message


def read_tsv(path: Path, required: Sequence[str] = ()) -> Iterator[tuple[int, dict[str, str]]]:
    """The rows of a tab-separated table, each with its line number (from 1) and its cells by column name.

    Lines that are empty or start with ``#`` are comments. Cells are stripped; a cell ``-`` is empty.

    Raises:
        TableError: the header lacks a column of ``required``, or a row has another number of cells than the header.
    """
    header: list[str] | None = None
    with path.open(encoding="utf-8-sig") as lines:
        for number, line in enumerate(lines, 1):
            line = line.rstrip("\r\n")
            if not line.strip() or line.startswith("#"):
                continue
            cells = [cell.strip() for cell in line.split("\t")]
            if header is None:
                header = cells
                missing = [name for name in required if name not in header]
                if missing:
                    raise TableError(path, number, f"the header lacks the column {missing[0]!r}: add it, or correct its spelling")
                continue
            if len(cells) > len(header):
                raise TableError(path, number, f"{len(cells)} cells where the header has {len(header)}: remove the tab too many")
            cells += [""] * (len(header) - len(cells))
            yield number, {name: "" if cell == "-" else cell for name, cell in zip(header, cells, strict=True)}


def read_toml(path: Path) -> dict[str, Any]:
    """A TOML file as a dictionary.

    Raises:
        TableError: the file cannot be read, is not UTF-8 or not TOML; the line is the one the parser stopped at.
    """
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise TableError(path, 0, f"cannot be read ({error.strerror}): check the path and its permissions") from None
    except UnicodeDecodeError:
        raise TableError(path, 0, "not UTF-8: save the file as UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        line = getattr(error, "lineno", None)
        if line is None:
            found = re.search(r"line (\d+)", str(error))
            line = int(found[1]) if found else 0
        raise TableError(path, line, f"not TOML ({error}): correct the entry at that line") from error


def line_of(path: Path, *keys: str) -> int:
    """The line of a TOML file on which a setting or a section stands, from 1; 0 where it is written in another way.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "kg.toml")
    ...     _ = path.write_text('title = "x"\\n[source.muwatta]\\nkind = 3\\n')
    ...     line_of(path, "title"), line_of(path, "source", "muwatta"), line_of(path, "source", "muwatta", "kind")
    (1, 2, 3)
    """
    section: tuple[str, ...] = ()
    for number, line in enumerate(path.read_text(encoding="utf-8-sig").splitlines(), 1):
        if found := re.match(r"\s*\[([^\[\]]+)\]", line):
            section = tuple(part.strip(" \"'") for part in found[1].split("."))
            if section == keys:
                return number
        elif (found := re.match(r"""\s*["']?([^"'=]+?)["']?\s*=""", line)) and (*section, found[1]) == keys:
            return number
    return 0
