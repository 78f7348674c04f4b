"""Who is known to hear whom: counts over the nine books, shipped as a table, from which every identification starts.

The table holds no text: only that one person hears another so many times, and by which bare names the commonest are called.
``python -m kg.identify.habits`` makes it anew from the nine books and the authority.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from kg.identify.candidates import Name, NameIndex
from kg.tables import TableError, read_tsv

__all__ = ["Habits", "attested", "read_habits"]

_TABLE = Path(__file__).parent / "tables" / "transmissions.tsv"


@dataclass(frozen=True, slots=True)
class Habits:
    """Counts by person keys: who hears whom, and who is called by which name (folded)."""

    heard: Mapping[tuple[str, str], float] = field(default_factory=dict)
    called: Mapping[tuple[str, str], float] = field(default_factory=dict)

    def counts(
        self, index: NameIndex, names: Sequence[Name]
    ) -> tuple[dict[tuple[int, int], float], dict[tuple[int, int], float]]:
        """The counts by place in the index; the names by their numbers."""
        place = index.place
        heard = {
            (place[student], place[teacher]): count
            for (student, teacher), count in self.heard.items()
            if student in place and teacher in place
        }
        numbers: dict[str, list[int]] = {}
        for number, name in enumerate(names):
            numbers.setdefault(name.whole, []).append(number)
        called = {
            (place[person], number): count
            for (person, name), count in self.called.items()
            if person in place
            for number in numbers.get(name, ())
        }
        return heard, called


@cache
def attested() -> Habits:
    """The counts of the nine books; empty where the table is absent."""
    return read_habits(_TABLE) if _TABLE.is_file() else Habits()


def read_habits(path: Path) -> Habits:
    """Reads a table of counts.

    A row is ``hears``, student, teacher, count, or ``called``, person, name, count; persons by slug, or by number in the Taqrib.

    Raises:
        TableError: a row is of no known kind, or its count is no number.
    """
    heard: dict[tuple[str, str], float] = {}
    called: dict[tuple[str, str], float] = {}
    for line, row in read_tsv(path, ("kind", "person", "other", "count")):
        try:
            count = float(row["count"])
        except ValueError:
            raise TableError(path, line, f"{row['count']!r} is no count: correct the cell") from None
        if row["kind"] == "hears":
            heard[_key(row["person"]), _key(row["other"])] = count
        elif row["kind"] == "called":
            called[_key(row["person"]), row["other"]] = count
        else:
            raise TableError(path, line, f"{row['kind']!r} is neither hears nor called")
    return Habits(heard, called)


def _key(cell: str) -> str:
    return f"person/taqrib-{cell}" if cell.isdecimal() else f"person/{cell}"
