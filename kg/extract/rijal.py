"""Biographical dictionaries (rijal) in OpenITI mARkdown: their entries, and the persons these are about."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from kg.authority.model import Person
from kg.extract.rijal_entry import Facts, read_entry
from kg.extract.rijal_lives import names_somebody, read_life

__all__ = ["Dictionary", "Entry", "entry_json", "person_of", "persons", "persons_json", "read_dictionary"]

_HEAD = re.compile(r"### (?P<mark>\${1,3}|\$[A-Z_]+\$) (?:(?P<number>\d+)[ \-–.]*)?(?P<text>.*)")
_NUMBERED = re.compile(r"# (?P<number>\d{1,5})(?: ?[-–] ?| +)(?P<text>[^\W\d].*)")
_URI = re.compile(r"#META#.*BookURI\s*::\s*#?(?P<uri>\S+)")
_MARKS = re.compile(r"PageV\d+P\d+[A-Z]?|\bms\d+\b|@\w+@|[|%~]|¬+")
_TAQRIB = "TaqribTahdhib"


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry: its number in the dictionary (None for a cross-reference), its text without marks, its first line in the file.

    ``points_elsewhere`` is true where the entry only says under which name the person stands.
    """

    number: int | None
    text: str
    line: int
    points_elsewhere: bool = False
    paragraphs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Dictionary:
    """What a file is: its OpenITI identifier, and the style of its entries (``taqrib``: one dense paragraph; ``lives``: prose)."""

    uri: str
    style: str

    @property
    def slug(self) -> str:
        """The dictionary's part of a person's key: ``taqrib``, ``tahdhib-asma``."""
        if self.style == "taqrib":
            return "taqrib"
        title = self.uri.split(".")[1] if "." in self.uri else self.uri or "dictionary"
        return re.sub(r"(?<=[a-z])(?=[A-Z])", "-", title).lower()


def read_dictionary(lines: Iterable[str], name: str = "") -> tuple[Dictionary, Iterator[Entry]]:
    """The dictionary that a file in mARkdown is, and its entries in order, read as they are asked for.

    ``name`` is the file's, which holds the identifier where the head of the file does not.

    >>> lines = ["######OpenITI#\\n", "#META#Header#End#\\n", "### $ 17 عامر بن طارق الأسدي\\n", "~~ثقة من الثامنة PageV01P275 خ\\n"]
    >>> dictionary, entries = read_dictionary(lines)
    >>> [(entry.number, entry.text) for entry in entries]
    [(17, 'عامر بن طارق الأسدي ثقة من الثامنة خ')]
    """
    iterator = iter(lines)
    uri = ""
    count = 0
    kept: list[str] = []
    for line in iterator:
        count += 1
        found = _URI.match(line)
        if found:
            uri = found["uri"].lstrip("#")
        if line.startswith("#META#Header#End#"):
            break
        if not line.startswith(("#META#", "######OpenITI")) and line.startswith(("# ", "### ")):
            kept.append(line)
            break
    if "." not in uri:
        uri = re.sub(r"^\d*", "", name.partition(".JK")[0].partition(".Shamela")[0]) or uri
    style = "taqrib" if _TAQRIB in uri else "lives"

    def rest() -> Iterator[str]:
        yield from kept
        yield from iterator

    return Dictionary(uri, style), _entries(rest(), count - len(kept))


def _entries(lines: Iterable[str], before: int) -> Iterator[Entry]:
    number: int | None = None
    mark, at = "", 0
    parts: list[str] = []
    dollars = False
    expected = 0

    def entry() -> Entry:
        paragraphs = tuple(text for text in (" ".join(_MARKS.sub(" ", part).split()) for part in parts) if text)
        return Entry(number, " ".join(paragraphs), at, mark == "$$$" or number is None, paragraphs)

    for count, line in enumerate(lines, before + 1):
        line = line.rstrip("\r\n")
        found = _HEAD.match(line)
        dollars = dollars or bool(found)
        if found is None and not dollars:
            found = _NUMBERED.match(line)
            if found and expected and not expected < int(found["number"]) <= expected + 25:
                found = None
        if found:
            if parts:
                yield entry()
            groups = found.groupdict()
            number = int(groups["number"]) if groups.get("number") else None
            expected = number or expected
            mark, at, parts = groups.get("mark") or "$", count, [groups["text"]]
        elif line.startswith("###") or (not dollars and re.match(r"# (?:باب|حرف|فصل|القسم|النوع) ", line)):
            if parts:
                yield entry()
            parts = []
        elif parts:
            if line.startswith("~~"):
                parts[-1] += " " + line[2:]
            elif line.startswith("# "):
                parts.append(line[2:])
            elif line.strip():
                parts[-1] += " " + line
    if parts:
        yield entry()


def person_of(entry: Entry, dictionary: Dictionary) -> Person:
    """The person an entry is about, with what the entry says of him or her."""
    facts = read_entry(entry.text) if dictionary.style == "taqrib" else read_life(entry.paragraphs)
    key = f"person/{dictionary.slug}-{entry.number}"
    return _person(key, facts, dictionary, entry)


def _person(key: str, facts: Facts, dictionary: Dictionary, entry: Entry) -> Person:
    taqrib = dictionary.style == "taqrib"
    lineage = " ".join(f"{'بنت' if facts.sex == 'f' and i == 0 else 'بن'} {name}" for i, name in enumerate(facts.nasab))
    name = " ".join(filter(None, [facts.ism or "", lineage, *facts.kunya[:1], *facts.nisba]))
    return Person(
        key=key,
        name_ar=name or (facts.shuhra[0] if facts.shuhra else " ".join(entry.text.split()[:4])),
        sex=facts.sex,
        ism=facts.ism,
        nasab=facts.nasab,
        kunya=facts.kunya,
        laqab=facts.laqab,
        nisba=facts.nisba,
        shuhra=facts.shuhra[0] if facts.shuhra else None,
        surfaces=(*facts.shuhra[1:], *facts.isms),
        companion=facts.companion,
        tabaqa=facts.tabaqa,
        death=facts.death,
        taqrib_no=entry.number if taqrib else None,
        rank=facts.rank,
        rank_critic="person/ibn-hajar-al-asqalani" if taqrib and facts.rank else None,
        rank_book="work/taqrib-al-tahdhib" if taqrib and facts.rank else None,
        listed_teachers=facts.teachers,
        listed_students=facts.students,
        source=dictionary.uri or dictionary.slug,
        books=facts.sigla if taqrib else (),
    )


def entry_json(entry: Entry, dictionary: Dictionary) -> dict[str, Any]:
    """An entry and its person as one JSON object: what ``kg extract --persons`` prints.

    >>> dictionary = Dictionary("IbnHajarCasqalani.TaqribTahdhib", "taqrib")
    >>> row = entry_json(Entry(17, "عامر بن طارق الأسدي ثقة من الثامنة مات سنة سبعين خ", 1), dictionary)
    >>> row["id"], row["person"]["tabaqa"], row["person"]["death"]
    ('taqrib:17', 8, {'first': 170, 'last': 170, 'alternatives': [], 'precision': 'year'})
    """
    person = person_of(entry, dictionary)
    death = person.death
    return {
        "id": f"{dictionary.slug}:{entry.number}",
        "text": entry.text,
        "line": entry.line,
        "person": {
            "key": person.key,
            "name": person.name_ar,
            "sex": person.sex,
            "ism": person.ism,
            **{name: list(getattr(person, name)) for name in ("nasab", "kunya", "nisba", "laqab", "surfaces", "books")},
            "shuhra": person.shuhra,
            "companion": person.companion,
            "tabaqa": person.tabaqa,
            "rank": person.rank,
            "death": None
            if death is None
            else {
                "first": death.first,
                "last": death.last,
                "alternatives": list(death.alternatives),
                "precision": death.precision,
            },
            "listedTeachers": list(person.listed_teachers),
            "listedStudents": list(person.listed_students),
        },
    }


def persons(lines: Iterable[str], name: str = "") -> Iterator[Person]:
    """The persons of a biographical dictionary in mARkdown, in its order."""
    dictionary, entries = read_dictionary(lines, name)
    return (person_of(entry, dictionary) for entry in entries if _about_somebody(entry, dictionary))


def persons_json(lines: Iterable[str], name: str = "") -> Iterator[dict[str, Any]]:
    """The entries that give persons, each with its person as a JSON object."""
    dictionary, entries = read_dictionary(lines, name)
    return (entry_json(entry, dictionary) for entry in entries if _about_somebody(entry, dictionary))


def _about_somebody(entry: Entry, dictionary: Dictionary) -> bool:
    if entry.number is None or entry.points_elsewhere:
        return False
    return dictionary.style == "taqrib" or names_somebody(entry.text)
