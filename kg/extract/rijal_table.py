"""Makes the table of the Taqrib's persons out of the book: ``python -m kg.extract.rijal_table TAQRIB > persons_taqrib.tsv``.

The book itself is not part of the program. Its facts are: numbers, name parts, generations, years, terms of judgement.
Cross-references (الأعمش سليمان بن مهران; ابن أبي ذئب هو محمد بن عبد الرحمن) become further surfaces where one person alone fits.
"""

import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

from kg.authority.model import Person, Year
from kg.extract.rijal import Entry, person_of, read_dictionary
from kg.extract.rijal_entry import read_entry
from kg.extract.rijal_rank import judgement
from kg.text import Words, fold

__all__ = ["aliases", "fathers_of", "rows"]

COLUMNS = (
    "no",
    "ism",
    "nasab",
    "kunya",
    "nisba",
    "laqab",
    "shuhra",
    "surfaces",
    "sex",
    "companion",
    "tabaqa",
    "death",
    "rank",
    "books",
    "father",
)
_HEAD = """\
# Persons of Ibn Hajar, Taqrib al-Tahdhib (ed. Muhammad Awwama, Dar al-Rashid 1406/1986), by the edition's numbers: facts only, read
# by kg/extract/rijal_table.py. Several values in a cell are parted by |. death: year AH (245; 171|180 another year named; 101-110;
# >80 after; <80 before; ~80 about; ?|73|173|273 the century is open); the century that the book drops follows from the generation.
# rank: the opening term of the book's judgement. companion: the entry says so. sex: f, else a man. books: the sigla of the books in
# whose chains he stands (rijal_sigla.tsv). father: the number of the father's own entry where one alone fits the lineage and an
# earlier generation.
"""
_TOWNS = {
    *("الكوفي", "البصري", "المدني", "المكي", "الشامي", "الدمشقي", "المصري", "البغدادي", "الواسطي", "الحمصي", "الخراساني"),
    *("المروزي", "النيسابوري", "الرازي", "الحجازي", "اليمامي", "الصنعاني", "اليماني", "الجزري", "القاضي", "المديني"),
}
_IS = {"هو", "هي", "اسمه", "اسمها", "واسمه"}
_NAMES_WITH_ARTICLE = {"الحسن", "الحسين", "الحارث", "الحكم", "الفضل", "القاسم", "العباس", "الوليد"}
_SPELLED = (
    "بفتح",
    "بضم",
    "بكسر",
    "بمهمل",
    "بمعجم",
    "بموحد",
    "بنون",
    "بسكون",
    "مصغر",
    "بتحتا",
    "بالم",
    "بتشد",
    "بتخف",
    "بالت",
    "بالس",
)
_TAIL = {
    "تقدم",
    "تقدموا",
    "تقدمت",
    "تقدما",
    "ياتي",
    "تاتي",
    "تقدمن",
    "وتقدم",
    "المتقدم",
    "نسب",
    "ينسب",
    "يقال",
    "مشهور",
    "اخر",
    "والاكبر",
}


def rows(lines: Iterable[str]) -> Iterator[list[str]]:
    """The table's rows: the first is the header; of a number that stands twice the second entry is left out."""
    dictionary, entries = read_dictionary(lines)
    kept: dict[int, Person] = {}
    references: list[Entry] = []
    named_fathers: dict[int, str] = {}
    for entry in entries:
        if entry.number is None or entry.points_elsewhere:
            references.append(entry)
        elif entry.number not in kept:
            kept[entry.number] = person_of(entry, dictionary)
            named = read_entry(entry.text).father_ism
            if named:
                named_fathers[entry.number] = named
    further = aliases(references, kept)
    fathers = fathers_of(kept, named_fathers)
    yield list(COLUMNS)
    for number, person in sorted(kept.items()):
        surfaces = dict.fromkeys([*person.surfaces, *further.get(number, ())])
        if number in named_fathers and person.ism:
            surfaces[f"{person.ism} بن {named_fathers[number]}"] = None
        yield [
            str(number),
            person.ism or "-",
            _cell(person.nasab),
            _cell(person.kunya),
            _cell(person.nisba),
            _cell(person.laqab),
            person.shuhra or "-",
            _cell(surfaces),
            "f" if person.sex == "f" else "-",
            "yes" if person.companion else "-",
            str(person.tabaqa) if person.tabaqa else "-",
            _year(_without_century(person)),
            judgement(person.rank) or "-",
            _cell(person.books),
            str(fathers.get(number) or "-"),
        ]


_NO_BYNAMES = {"النبي", "الصحابي", "الذي", "التي", "الله", "العليه", "الخلافة", "الإخوة"}
"""Words with the article that the entries have beside names: خليفة رسول الله, الذي يقال له, ولي الخلافة."""


def _cell(values: Iterable[str]) -> str:
    return "|".join(value for value in values if value and value not in _NO_BYNAMES) or "-"


def _without_century(person: Person) -> Year | None:
    """The year of death, open between centuries where the book drops the century and tells no generation from which it follows."""
    death = person.death
    if death is None or person.tabaqa is not None or death.first is None or death.first > 100 or death.first != death.last:
        return death
    return Year(None, None, (death.first, death.first + 100, death.first + 200))


def _year(death: Year | None) -> str:
    if death is None:
        return "-"
    others = "".join(f"|{year}" for year in death.alternatives)
    if death.first is None and death.last is None:
        return f"?{others}"
    if death.first is None:
        return f"<{death.last}{others}"
    if death.last is None:
        return f">{death.first}{others}"
    if death.precision == "decade":
        return f"~{(death.first + death.last) // 2}{others}"
    return (str(death.first) if death.first == death.last else f"{death.first}-{death.last}") + others


def fathers_of(persons: dict[int, Person], named: dict[int, str]) -> dict[int, int]:
    """The father's number by the son's, where one entry alone fits the lineage and an earlier generation.

    ``named`` are names of fathers whom the lineage calls by kunya (سهيل بن أبي صالح ذكوان).
    """
    by_ism: dict[str, list[int]] = defaultdict(list)
    by_kunya: dict[str, list[int]] = defaultdict(list)
    for number, person in persons.items():
        if person.ism:
            by_ism[fold(person.ism)].append(number)
        for kunya in person.kunya:
            by_kunya[fold(kunya).replace("ابو ", "ابي ", 1)].append(number)
    fathers: dict[int, int] = {}
    for number, person in persons.items():
        if not person.nasab:
            continue
        lineage = [fold(name) for name in person.nasab]
        called = lineage[0]
        if called.startswith("ابي "):
            fits = set(by_kunya.get(called, ()))
            if number in named:
                fits &= set(by_ism.get(fold(named[number]), ()))
        else:
            fits = set(by_ism.get(called, ()))
        ranked: list[tuple[int, int]] = []
        for other in fits - {number}:
            likeness = _father_likeness(person, persons[other], lineage[1:], called.startswith("ابي ") and number in named)
            if likeness > 0:
                ranked.append((likeness, other))
        ranked.sort(reverse=True)
        if ranked and (len(ranked) == 1 or ranked[0][0] > ranked[1][0]) and ranked[0][0] >= 3:
            fathers[number] = ranked[0][1]
    return fathers


def _father_likeness(person: Person, father: Person, further: list[str], sure_name: bool) -> int:
    """How well a father fits: shared ancestors count two each, shared nisbas one; 0 where he cannot be it."""
    theirs = [fold(name) for name in father.nasab]
    shared = 0
    for mine, his in zip(further, theirs, strict=False):
        if mine != his:
            if mine.startswith("ابي ") or his.startswith("ابي "):
                continue
            return 0
        shared += 1
    if person.tabaqa and father.tabaqa and not 1 <= person.tabaqa - father.tabaqa <= 6:
        return 0 if not (person.companion and father.companion) else shared * 2
    nisbas = len(({fold(n) for n in person.nisba} & {fold(n) for n in father.nisba}) - _TOWNS)
    return shared * 2 + nisbas + (3 if sure_name else 0)


def aliases(references: Iterable[Entry], persons: dict[int, Person]) -> dict[int, list[str]]:
    """Further surfaces by number, from the entries that only point to another one."""
    by_name: dict[tuple[str, str], list[int]] = defaultdict(list)
    for number, person in persons.items():
        if person.ism and person.nasab:
            by_name[fold(person.ism), fold(person.nasab[0])].append(number)
    found: dict[int, list[str]] = defaultdict(list)
    for entry in references:
        alias, target = _split(entry.text)
        if alias and target:
            facts = read_entry(target + " ثقة")
            if facts.ism and facts.nasab:
                fits = by_name.get((fold(facts.ism), fold(facts.nasab[0])), [])
                more = [fold(name) for name in facts.nasab[1:]]
                if more:
                    fits = [n for n in fits if [fold(x) for x in persons[n].nasab[1 : 1 + len(more)]] == more]
                if len(fits) == 1 and alias not in found[fits[0]]:
                    found[fits[0]].append(alias)
    return dict(found)


def _split(text: str) -> tuple[str, str]:
    """The alias and the name it stands for."""
    words = Words(text)
    folded = words.folded
    end = next((i for i, word in enumerate(folded) if word in _TAIL), len(folded))
    joint = next((i for i in range(1, end) if folded[i] in _IS), None)
    if joint is not None:
        alias_end, target = joint, joint + 1
    elif folded and folded[0].startswith("ال") and folded[0] not in _NAMES_WITH_ARTICLE:
        alias_end, target = 1, 1
    else:
        return "", ""
    if target >= end or any(word in {"عن", "في", "شيخ", "صوابه"} for word in folded[:end]):
        return "", ""
    name = [words.surface(i, i + 1) for i in range(alias_end)]
    for i in range(1, alias_end):
        if folded[i].startswith(_SPELLED):
            name = name[:i]
            break
    alias = " ".join(name)
    if folded[0] == "بن":
        alias = "ا" + alias
    return (alias if len(name) <= 4 else ""), words.surface(target, end)


def main(path: str) -> None:
    """Writes the table to standard output."""
    sys.stdout.write(_HEAD)
    with Path(path).open(encoding="utf-8") as lines:
        for row in rows(lines):
            sys.stdout.write("\t".join(row) + "\n")


if __name__ == "__main__":
    main(sys.argv[1])
