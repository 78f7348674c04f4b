"""Gold files: JSON Lines of answers that people gave, each row with the line it stands on."""

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

__all__ = ["GoldError", "GoldRow", "gold_rows"]


class GoldError(ValueError):
    """A gold file is absent or broken, or is of another task: says which, and where."""


class GoldRow(dict[str, Any]):
    """A row, or an object in it; asked for what it does not have, it says where it stands."""

    __slots__ = ("line", "path")

    def __init__(self, values: dict[str, Any], path: Path, line: int) -> None:
        super().__init__(values)
        self.path, self.line = path, line

    def __missing__(self, name: str) -> Any:
        raise GoldError(f"{self.path}:{self.line}: the row has no {name!r}: give a gold file of this task")


def gold_rows(path: Path) -> Iterator[GoldRow]:
    """The rows of a gold file in order; empty lines are passed over.

    Raises:
        GoldError: the file is missing, a folder, or not UTF-8; a line of it is not JSON or no object; or a row is asked for
            what it does not have.
    """
    number = 0
    try:
        with path.open(encoding="utf-8-sig") as lines:
            for number, line in enumerate(lines, 1):
                if not line.strip():
                    continue
                row = json.loads(line, object_hook=partial(GoldRow, path=path, line=number))
                if not isinstance(row, GoldRow):
                    raise GoldError(f"{path}:{number}: the row is not an object: give a gold file of this task")
                yield row
    except OSError as error:
        raise GoldError(f"{path}: cannot be read ({error.strerror}): name a gold file of this task") from None
    except UnicodeDecodeError:
        raise GoldError(f"{path}:{number + 1}: not UTF-8: give a gold file of this task") from None
    except json.JSONDecodeError as error:
        raise GoldError(f"{path}:{number}: not JSON ({error.msg}): give a gold file of this task") from None
