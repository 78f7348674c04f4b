"""The grammar of Arabic personal names in running text: kunya, single name, filiation, nisba.

    name   = [kunya] single {("ibn" | "bint") single} {nisba}   |   "ibn" single …
    single = word | "abd" word | kunya

A single name is a word of the table of names; after ibn any word may stand that is not a word of grammar.
"""

import re
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from unicodedata import normalize

from kg.tables import read_tsv
from kg.text import Words

__all__ = ["SERVANT", "NameGrammar", "NameReading", "Surrounding", "read_surroundings"]

_TABLES = Path(__file__).parent / "tables"
FILIATION = frozenset({"بن", "بنت", "ابن", "ابنه", "ابنت"})
_IBN = frozenset({"ابن", "ابنه", "بنت"})
_ABU = frozenset({"ابو", "ابي", "ابا"})
SERVANT = frozenset({"عبد", "عبيد"})
_SERVANT_OF = frozenset(
    [
        "الله",
        "الرحمن",
        "العزيز",
        "الملك",
        "الرزاق",
        "الوهاب",
        "الحميد",
        "الاعلي",
        "الواحد",
        "الصمد",
        "الوارث",
        "الكريم",
        "الغفار",
        "القدوس",
        "السلام",
        "الرحيم",
        "الجبار",
        "المجيد",
        "القيس",
        "شمس",
        "مناف",
        "المطلب",
        "العزي",
        "الدار",
        "يغوث",
        "ياليل",
        "مناه",
        "الاشهل",
        "قصي",
        "ربه",
        "المومن",
        "الخالق",
        "الاحد",
        "الباقي",
        "الغني",
        "القادر",
        "الحكم",
        "المنعم",
        "عمرو",
        "ود",
        "الحي",
    ]
)
_STOP = frozenset(
    [
        "من",
        "في",
        "عن",
        "علي",
        "الي",
        "ان",
        "انه",
        "ما",
        "لا",
        "قال",
        "قالت",
        "قلت",
        "يا",
        "اذا",
        "ثم",
        "او",
        "هو",
        "هي",
        "كان",
        "حتي",
        "اي",
        "الا",
        "كل",
        "غير",
        "بعض",
        "هذا",
        "هذه",
        "ذلك",
        "الذي",
        "التي",
        "رجل",
        "رجلا",
        "امراه",
        "الله",
        "عم",
        "خاله",
        "عمه",
        "اخي",
        "اخت",
        "اخته",
        "سنه",
        "عشر",
        "خمس",
        "ست",
        "سبع",
        "ثمان",
        "تسع",
        "عشرين",
        "ثلاث",
        "اربع",
        "ثلاثين",
        "اربعين",
        "خمسين",
        "ستين",
        "سبعين",
        "ثمانين",
        "تسعين",
        "احدي",
        "اثنتي",
        "رسول",
        "النبي",
        "نبي",
        "له",
        "لها",
        "به",
        "مخاض",
        "لبون",
    ]
)
_NOT_NISBA = frozenset(
    [
        "النبي",
        "التي",
        "الذي",
        "الذي",
        "الوالي",
        "الثاني",
        "الحادي",
        "الباقي",
        "الماضي",
        "المسمي",
        "القاضي",
        "الوصي",
        "العاصي",
        "الولي",
        "الامي",
        "الاعرابي",
        "الحي",
    ]
)
_NOMINATIVE, _ACCUSATIVE = "\u064f\u064c", "\u064e\u064b"
_OTHER_CASE = {"ابو": _ACCUSATIVE, "ابا": _NOMINATIVE, "ابي": _NOMINATIVE}  # أغضب أبو بكرٍ عمرَ: two men
_NISBA = re.compile(r"ال\w{2,}(?:ي|يه)$")


@dataclass(frozen=True, slots=True)
class Surrounding:
    """When a word that is also a common word is a name."""

    letters: re.Pattern[str] | None
    before: frozenset[str] | None
    after: frozenset[str] | None


def read_surroundings(path: Path = _TABLES / "ambiguous_names.tsv") -> dict[str, Surrounding]:
    """The table of ambiguous names; None where any word may stand before (or after)."""
    rows: dict[str, Surrounding] = {}
    for _, row in read_tsv(path, ("word", "letters", "before", "after", "example")):
        before, after = (None if row[side] == "*" else frozenset(row[side].split()) for side in ("before", "after"))
        rows[row["word"]] = Surrounding(re.compile(normalize("NFC", row["letters"])) if row["letters"] else None, before, after)
    return rows


@dataclass(frozen=True, slots=True)
class NameReading:
    """A name read from word ``first`` to word ``after - 1``; ``parts`` counts its single names, ``filiation`` says whether ibn stands in it."""

    first: int
    after: int
    parts: int
    filiation: bool
    kunya: bool


class NameGrammar:
    """Reads a name at a word; ``singles`` and ``nisbas`` are folded words, ``sure`` the singles that are nothing else."""

    def __init__(self, singles: Collection[str], nisbas: Collection[str], sure: Collection[str]) -> None:
        self.singles, self.nisbas, self.sure = frozenset(singles), frozenset(nisbas), frozenset(sure)
        self.starts = self.singles | _ABU | SERVANT | _IBN | {"ام"}

    def read(self, words: Words, i: int, word: str) -> NameReading | None:
        """The name that starts at word ``i`` (``word`` is its form without particles), or None.

        >>> grammar = NameGrammar({"عمر", "سعد"}, {"الزهري"}, {"عمر"})
        >>> words = Words("وعبد الله بن أبي بكر الصديق عند عمر")
        >>> reading = grammar.read(words, 0, "عبد")
        >>> words.surface(reading.first, reading.after)
        'وعبد الله بن أبي بكر'
        """
        folded = words.folded
        kunya = word in _ABU or word == "ام"
        start_is_ibn = word in _IBN
        j = self._single(folded, i, word, after_ibn=False)
        if start_is_ibn:
            j = self._single(folded, i + 1, folded[i + 1], after_ibn=True) if i + 1 < len(folded) else None
        if j is None or (kunya and j > i + 1 and _last_vowel(words, i + 1) in _NOMINATIVE):
            return None  # حدثني أبي عمرُ: my father Umar
        parts, filiation = 1, start_is_ibn
        if (
            kunya
            and j < len(folded)
            and not self._broken(words, j)
            and folded[j] in self.sure
            and folded[j] not in FILIATION
            and _last_vowel(words, j) not in _OTHER_CASE.get(word, "")
        ):
            j, parts = j + 1, parts + 1
        if not kunya and parts == 1 and word not in self.sure and folded[j : j + 1] == ["ابن"] and not start_is_ibn:
            return NameReading(i, j, parts, False, False)  # طلق ابن عمر: a verb and its subject
        while j + 1 < len(folded) and folded[j] in FILIATION and not self._broken(words, j):
            following = self._single(folded, j + 1, folded[j + 1], after_ibn=True)
            if following is None or self._broken(words, j + 1):
                break
            j, parts, filiation = following, parts + 1, True
        while j < len(folded) and not self._broken(words, j) and self._is_nisba(folded[j], parts > 1 or kunya):
            j += 1
        return NameReading(i, j, parts, filiation, kunya)

    def _single(self, folded: list[str], i: int, word: str, *, after_ibn: bool) -> int | None:
        following = folded[i + 1] if i + 1 < len(folded) else ""
        if word in SERVANT and following in _SERVANT_OF:
            return i + 2
        if word in _ABU or word == "ام":
            if word in _ABU and following in _ABU:
                return None
            known = following in self.singles or following in self.nisbas
            if following in SERVANT and folded[i + 2 : i + 3] and folded[i + 2] in _SERVANT_OF:
                return i + 3  # يا أبا عبد الرحمن, قال أبو عبد الله
            if known and following not in FILIATION:
                return i + 2
            in_oblique = word == "ابي" and i > 0 and folded[i - 1] in ("علي", "الي", "عن", "من", "مع")
            if after_ibn or (
                (word == "ابو" or in_oblique) and following and following not in _STOP and following not in FILIATION
            ):
                return i + 2 if following and following not in _STOP else None
            if word == "ابي" and following in FILIATION:
                return i + 1
            return None
        if after_ibn:
            if (word in _STOP and word != "علي") or len(word) < 2:
                return None  # after ibn علي is the name, not the preposition على
            if word in FILIATION:
                return None
            if word in ("امري", "تيم", "زيد", "سعد") and following in ("القيس", "مناه", "اللات"):
                return i + 2
            return i + 1
        return i + 1 if word in self.singles else None

    def _is_nisba(self, word: str, long_name: bool) -> bool:
        if word in self.nisbas:
            return True
        return long_name and _NISBA.match(word) is not None and word not in _NOT_NISBA

    @staticmethod
    def _broken(words: Words, i: int) -> bool:
        """Whether punctuation parts word ``i`` from the one before it."""
        return any(mark in words.gap(i) for mark in '.،,:؛\n"«»()[]{}-ـ؟!')


def _last_vowel(words: Words, i: int) -> str:
    """The short vowel or nunation that ends word ``i`` as it is spelled; another letter where it is not vowelled to the end."""
    return words.surface(i, i + 1)[-1]
