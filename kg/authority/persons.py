"""The table of persons: reviewed rows with readable keys, and the numbered entries of the Taqrib.

A reviewed row that carries a Taqrib number stands in the place of that entry: what its cells leave empty is taken from the
entry. Everybody else of the Taqrib has the key ``person/taqrib-N``.
"""

import dataclasses
import re
from pathlib import Path
from typing import Any

from kg.authority.model import Person, Year
from kg.tables import TableError, read_tsv

__all__ = ["name_parts", "read_persons"]

TAQRIB = "taqrib"
_REVIEWED = ("slug", "taqrib_no", "kind", "sex", "name_ar", "name_en", "name_latn", "kunya", "surfaces", "death", "source")
_NUMBERED = ("no", "ism", "nasab", "kunya", "nisba", "tabaqa", "death", "rank")
_FILIATION = {"بن", "ابن", "بنت", "ابنة"}
_COMPOUND = {"عبد", "عبيد", "أبو", "أبي", "أبا", "أم", "أمة", "ذو", "ذي"}


def name_parts(name: str) -> dict[str, Any]:
    """The parts of a name written out in full: ism, nasab, nisba, kunya.

    >>> name_parts("علي بن أبي طالب بن عبد المطلب الهاشمي")
    {'ism': 'علي', 'nasab': ('أبي طالب', 'عبد المطلب'), 'kunya': (), 'nisba': ('الهاشمي',)}
    >>> name_parts("أبو هريرة الدوسي")["kunya"]
    ('أبو هريرة',)
    """
    words = name.split()
    units: list[str] = []
    i = 0
    while i < len(words):
        take = 2 if words[i] in _COMPOUND and i + 1 < len(words) and words[i + 1] not in _FILIATION else 1
        if take == 2 and words[i] in {"أبو", "أبي", "أم"} and i + 2 < len(words):
            servant = words[i + 1] == "عبد" or words[i + 1 : i + 3] == ["عبيد", "الله"]  # أبو عبيد القاسم بن سلام is none
            take = 3 if servant else 2
        if words[i] == "عائذ" and words[i + 1 : i + 2] == ["الله"]:
            take = 2
        units.append(" ".join(words[i : i + take]))
        i += take
    ism: str | None = None
    nasab: list[str] = []
    kunya: list[str] = []
    nisba: list[str] = []
    after_filiation = False
    for unit in units:
        if unit in {"مولى", "مولاة"}:  # what follows is the patron's name
            break
        if unit in _FILIATION:
            after_filiation = True
        elif after_filiation:
            nasab.append(unit)
            after_filiation = False
        elif unit.split()[0] in {"أبو", "أم"} and " " in unit:
            kunya.append(unit)
        elif ism is None and not kunya and not nasab:
            ism = unit
        elif unit.startswith("ال") and unit[-1:] in "يةى":
            nisba.append(unit)
    return {"ism": ism, "nasab": tuple(nasab), "kunya": tuple(kunya), "nisba": tuple(nisba)}


REVIEWED = ("persons_reviewed.tsv", "persons_matn.tsv")
"""The tables of persons with readable keys: narrators and Companions, and those whom only stories name."""


def read_persons(folder: Path) -> dict[str, Person]:
    """All persons of the folder's tables, by key.

    Raises:
        TableError: a slug or a number stands twice, the Taqrib has no such number, a year is no year, or a father is not
            in the table.
    """
    persons: dict[str, Person] = {}
    numbered = _numbered(folder / "persons_taqrib.tsv")
    _call(numbered, folder / "persons_names.tsv")
    fathers: list[tuple[Path, int, str]] = []
    taken: set[int] = set()
    for path in (folder / name for name in REVIEWED if (folder / name).is_file()):
        for line, row in read_tsv(path, _REVIEWED):
            person = _reviewed(path, line, row, numbered)
            if person.key in persons:
                raise TableError(path, line, f"{person.key} stands twice: remove or rename one of the two")
            if person.taqrib_no is not None:
                if person.taqrib_no in taken:
                    raise TableError(path, line, f"Taqrib {person.taqrib_no} stands twice: one of the two is another man")
                taken.add(person.taqrib_no)
            if row.get("father"):
                fathers.append((path, line, f"person/{row['father']}"))
            persons[person.key] = person
    for number, person in numbered.items():
        if number not in taken:
            persons[person.key] = person
    readable = {f"person/taqrib-{person.taqrib_no}": key for key, person in persons.items() if person.taqrib_no in taken}
    for key, person in persons.items():
        if person.father in readable:
            persons[key] = dataclasses.replace(person, father=readable[person.father])
    for path, line, father in fathers:
        if father not in persons:
            raise TableError(path, line, f"the father {father} is not in the table: add a row for him")
    return persons


def _numbered(path: Path) -> dict[int, Person]:
    persons: dict[int, Person] = {}
    fathers: dict[int, int] = {}
    if not path.is_file():
        return persons
    for line, row in read_tsv(path, _NUMBERED):
        number = _integer(path, line, row["no"])
        ism, nasab, kunya, nisba = row["ism"], _many(row["nasab"]), _many(row["kunya"]), _many(row["nisba"])
        female = row.get("sex") == "f"
        lineage = [f"{'بنت' if female and i == 0 else 'بن'} {ancestor}" for i, ancestor in enumerate(nasab)]
        called = [ism, *lineage, *kunya[:1]] if ism else [*kunya[:1], *lineage]  # أبو بكر بن محمد بن عمرو بن حزم
        shown = " ".join(filter(None, [*called, *nisba])) or row.get("shuhra", "")
        persons[number] = Person(
            key=f"person/taqrib-{number}",
            name_ar=shown,
            sex="f" if female else "m",
            ism=ism or None,
            nasab=nasab,
            kunya=kunya,
            laqab=_many(row.get("laqab", "")),
            nisba=nisba,
            shuhra=row.get("shuhra") or None,
            surfaces=_many(row.get("surfaces", "")),
            companion=row.get("companion") == "yes",
            tabaqa=_integer(path, line, row["tabaqa"]) if row["tabaqa"] else None,
            death=_year(path, line, row["death"], TAQRIB),
            taqrib_no=number,
            rank=row["rank"] or None,
            rank_critic="person/ibn-hajar-al-asqalani" if row["rank"] else None,
            rank_book="work/taqrib-al-tahdhib" if row["rank"] else None,
            source=TAQRIB,
            books=_many(row.get("books", "")),
        )
        if row.get("father"):
            fathers[number] = _integer(path, line, row["father"])
    for number, father in fathers.items():
        if father not in persons:
            raise TableError(path, 0, f"the father {father} of {number} has no entry: correct the number")
        persons[number] = dataclasses.replace(persons[number], father=f"person/taqrib-{father}")
    return persons


def _call(numbered: dict[int, Person], path: Path) -> None:
    """Adds the further names by which chains call persons of the Taqrib."""
    for line, row in read_tsv(path, ("taqrib_no", "surfaces", "source")) if path.is_file() else ():
        number = _integer(path, line, row["taqrib_no"])
        if number not in numbered:
            raise TableError(path, line, f"the Taqrib has no entry {number}: correct the number")
        surfaces = tuple(dict.fromkeys([*numbered[number].surfaces, *_many(row["surfaces"])]))
        numbered[number] = dataclasses.replace(numbered[number], surfaces=surfaces, source=f"{TAQRIB}; editors")


def _reviewed(path: Path, line: int, row: dict[str, str], numbered: dict[int, Person]) -> Person:
    number = _integer(path, line, row["taqrib_no"]) if row["taqrib_no"] else None
    entry = numbered.get(number) if number is not None else None
    if number is not None and numbered and entry is None:
        raise TableError(path, line, f"the Taqrib has no entry {number}: correct the number")
    parts = name_parts(row["name_ar"])
    own: dict[str, Any] = {
        "sex": row["sex"] or None,
        "ism": parts["ism"],
        "nasab": parts["nasab"],
        "kunya": _many(row["kunya"]) or parts["kunya"],
        "laqab": _many(row.get("laqab", "")),
        "nisba": parts["nisba"],
        "tabaqa": _integer(path, line, row["tabaqa"]) if row.get("tabaqa") else None,
        "death": _year(path, line, row["death"], "editors"),
    }
    base = entry or Person(key="", name_ar="", taqrib_no=number)
    kept = {name: value for name, value in own.items() if value}
    if entry is not None:
        if "death" in kept and entry.death is not None:
            kept["death"] = _with_others(kept["death"], entry.death)
        kept["nasab"] = max(own["nasab"], entry.nasab, key=len)
        kept["nisba"] = tuple(dict.fromkeys([*own["nisba"], *entry.nisba]))
        kept["kunya"] = tuple(dict.fromkeys([*own["kunya"], *entry.kunya]))
    return dataclasses.replace(
        base,
        key=f"person/{row['slug']}",
        name_ar=row["name_ar"],
        name_en=row["name_en"],
        name_latn=row["name_latn"],
        companion=row.get("companion") == "yes" or base.companion,
        surfaces=_many(row["surfaces"]),
        shuhra=None if _many(row["surfaces"]) else base.shuhra,
        father=f"person/{row['father']}" if row.get("father") else base.father,
        kind=row["kind"] or "person",
        source=row["source"].replace("|", "; "),
        usual=row.get("usual") or None,
        **kept,
    )


def _with_others(chosen: Year, entry: Year) -> Year:
    """The editors' year with those that the entry names beside it, where they are of the same time."""
    named = [year for year in (entry.first, *entry.alternatives) if year is not None]
    others = tuple(year for year in dict.fromkeys(named) if year != chosen.first and abs(year - (chosen.first or 0)) <= 15)
    source = "taqrib" if chosen.first in named else chosen.source
    return dataclasses.replace(chosen, alternatives=others, source=source)


def _many(cell: str) -> tuple[str, ...]:
    return tuple(part for part in cell.split("|") if part) if cell else ()


def _integer(path: Path, line: int, cell: str) -> int:
    try:
        return int(cell)
    except ValueError:
        raise TableError(path, line, f"{cell!r} is not a number: correct the cell") from None


_YEAR = re.compile(r"(?P<sign>[<>~]?)(?P<first>\d{1,4})(?:-(?P<last>\d{1,4}))?(?P<others>(?:\|\d{1,4})*)\Z")
_PRECISION = {"<": "before", ">": "after", "~": "decade"}


def _year(path: Path, line: int, cell: str, source: str) -> Year | None:
    """``245``; ``171|180`` with the other year named; ``101-110`` an interval; ``>80`` after, ``<80`` before, ``~80`` about;
    ``?|73|173|273`` years of which the source does not say which."""
    if not cell:
        return None
    if cell.startswith("?|"):
        return Year(None, None, tuple(_integer(path, line, year) for year in cell[2:].split("|")), "year", source)
    found = _YEAR.match(cell)
    if not found:
        raise TableError(path, line, f"{cell!r} is no year: write 245, 171|180, 101-110, >80, <80 or ~80")
    first = int(found["first"])
    last = int(found["last"]) if found["last"] else first
    precision = _PRECISION.get(found["sign"]) or ("year" if first == last else "interval")
    if precision == "before":
        return Year(None, first, _others(found), precision, source)
    if precision == "after":
        return Year(first, None, _others(found), precision, source)
    if precision == "decade":
        return Year(first - 5, last + 5, _others(found), precision, source)
    return Year(first, last, _others(found), precision, source)


def _others(found: re.Match[str]) -> tuple[int, ...]:
    return tuple(int(other) for other in found["others"].split("|") if other)
