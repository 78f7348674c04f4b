"""Who is known to hear whom: counts over the nine books, shipped as a table, from which every identification starts.

The table holds no text: only that one person hears another so many times, and by which bare names the commonest are called.
``bench/habits.py`` makes it from nothing, out of the nine books and the authority (``kg.identify.learning``).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from kg.identify.candidates import NameIndex
from kg.identify.names import Name
from kg.tables import TableError, read_tsv

__all__ = ["Habits", "attested", "read_habits", "write_habits"]

_HEAD = """\
# Who hears whom, and who is called by which name: counts over the chains of the nine books (Bukhari, Muslim, Abu Dawud, Tirmidhi, Nasa'i,
# Ibn Maja, Darimi, Ahmad, Malik), as this program identifies their narrators; made by bench/habits.py. No text, only counts.
# kind: hears, called. person: slug, or number in the Taqrib. counts: teachers, or names (folded), each with its count.
kind	person	counts
"""
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

    A row is ``hears``, a student, and his teachers with counts (``667:12|5228:3``); or ``called``, a person, and names with
    counts. Persons stand by slug, or by number in the Taqrib.

    Raises:
        TableError: a row is of no known kind, or a count is no number.
    """
    heard: dict[tuple[str, str], float] = {}
    called: dict[tuple[str, str], float] = {}
    for line, row in read_tsv(path, ("kind", "person", "counts")):
        person = _key(row["person"])
        for cell in row["counts"].split("|"):
            other, _, count = cell.rpartition(":")
            if not count.isdecimal():
                raise TableError(path, line, f"{cell!r} has no count: write name:number")
            if row["kind"] == "hears":
                heard[person, _key(other)] = float(count)
            elif row["kind"] == "called":
                called[person, other] = float(count)
            else:
                raise TableError(path, line, f"{row['kind']!r} is neither hears nor called")
    return Habits(heard, called)


def write_habits(habits: Habits, path: Path) -> None:
    """Writes a table of counts, those of at least one."""
    rows: dict[tuple[str, str], list[str]] = {}
    for kind, counts in (("hears", habits.heard), ("called", habits.called)):
        for (person, other), count in sorted(counts.items()):
            if round(count) >= 1:
                rows.setdefault((kind, _cell(person)), []).append(f"{_cell(other) if kind == 'hears' else other}:{round(count)}")
    with path.open("w", encoding="utf-8") as table:
        table.write(_HEAD)
        for (kind, person), cells in rows.items():
            table.write(f"{kind}\t{person}\t{'|'.join(cells)}\n")


def _cell(key: str) -> str:
    return (
        key.removeprefix("person/").removeprefix("taqrib-") if key.startswith("person/taqrib-") else key.removeprefix("person/")
    )


def _key(cell: str) -> str:
    return f"person/taqrib-{cell}" if cell.isdecimal() else f"person/{cell}"
