"""Names as they are compared: parts folded, the kunya in one case, the article and old spellings levelled."""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from kg.tables import read_tsv
from kg.text import fold

__all__ = ["Name", "key_of", "name_of", "part_of", "shown", "texts"]


@dataclass(frozen=True, slots=True)
class Name:
    """A name as it is matched: folded parts, kunya with ابو; ``whole`` is the surface without a leading و."""

    ism: str = ""
    nasab: tuple[str, ...] = ()
    kunya: str = ""
    nisba: tuple[str, ...] = ()
    laqab: tuple[str, ...] = ()
    whole: str = ""

    @property
    def empty(self) -> bool:
        return not (self.ism or self.nasab or self.kunya or self.nisba or self.laqab or self.whole)

    @property
    def bare(self) -> bool:
        """Whether only one part is given: سفيان, أبو صالح, الأعرج."""
        return bool(self.ism) + len(self.nasab) + bool(self.kunya) + len(self.nisba) + len(self.laqab) <= 1

    def shortens(self, other: "Name") -> bool:
        """Whether this is a kunya alone with which the other, fuller name begins.

        >>> Name(kunya="ابو بكر").shortens(Name(kunya="ابو بكر", nasab=("ابو شيبه",)))
        True
        """
        return bool(self.kunya) and self.kunya == other.kunya and self.bare and not other.bare


@cache
def _spellings() -> dict[str, str]:
    return {
        row["form"]: row["usual"] for _, row in read_tsv(Path(__file__).parent / "tables" / "spellings.tsv", ("form", "usual"))
    }


_NOT_LETTERS = re.compile(r"[^\w ]+|_+")


@lru_cache(maxsize=100_000)
def key_of(name: str) -> str:
    """A name as it is compared: folded, the kunya in one case, بن before a name left out.

    >>> key_of("أبي هُرَيْرَةَ"), key_of("أبا القاسم"), key_of("ابن أمّ مكتوم")
    ('ابو هريره', 'ابو القاسم', 'ابن ام مكتوم')
    """
    usual = _spellings()
    words = _NOT_LETTERS.sub(" ", fold(name).replace("يء", "ي")).split()
    for i, word in enumerate(words):
        if word in usual:
            word = words[i] = usual[word]
        if word in {"ابي", "ابا"} and i + 1 < len(words):
            words[i] = "ابو"
        elif word == "ذي":
            words[i] = "ذو"
        elif word.endswith("اء") and len(word) > 4:
            words[i] = word[:-1]
    if words == ["ابو"]:
        words = ["ابي"]
    return " ".join(words)


_SERVANTS = {"عبد", "عبيد", "امه", "هبه", "عايذ"}


@lru_cache(maxsize=100_000)
def part_of(name: str) -> str:
    """A part of a name as it is compared: as ``key_of``, and the article left out, which texts write or not (الخليل, خليل).

    >>> part_of("الحَسَن"), part_of("أبي العُميس"), part_of("عبد الرحمن")
    ('حسن', 'ابو عميس', 'عبد الرحمن')
    """
    words = key_of(name).split()
    for i, word in enumerate(words):
        if word.startswith("ال") and len(word) >= 5 and (i == 0 or words[i - 1] not in _SERVANTS):
            words[i] = word[2:]
    return " ".join(words)


def shown(surface: str, name: Name) -> str:
    """A name as its author spells it, to be shown: without vowels, a conjunction before it and stops within; the kunya in the nominative.

    >>> shown("وَأَبِي أُمَيَّةَ، الشَّعْبَانِيِّ", Name(kunya="ابو اميه", nisba=("شعباني",), whole="ابو اميه الشعباني"))
    'أبو أمية الشعباني'
    """
    bare = "".join(letter for letter in surface if unicodedata.category(letter) != "Mn" and letter != "\u0640")
    words = _NOT_LETTERS.sub(" ", bare).split()
    if words and fold(words[0])[:1] == "و" and not name.whole.startswith("و"):
        words[0] = words[0][1:]
    if len(words) > 1 and words[0] in {"أبي", "أبا", "ابي", "ابا"}:
        words[0] = "أبو"
    return " ".join(filter(None, words))


def texts(value: Any) -> list[str]:
    """One text, several or none, as a list."""
    if not value:
        return []
    return [value] if isinstance(value, str) else list(value)


def name_of(parts: Mapping[str, Any], surface: str, glosses: Iterable[Mapping[str, Any]] = ()) -> Name:
    """The name a mention gives, with what its glosses add (حماد, يعني ابن زيد).

    >>> name_of({"ism": "حماد"}, "حَمَّادٌ", [{"nasab": ["زيد"], "shuhra": "ابن زيد"}])
    Name(ism='حماد', nasab=('زيد',), kunya='', nisba=(), laqab=(), whole='حماد')
    """
    ism = part_of(parts.get("ism") or "")
    nasab = [part_of(name) for name in texts(parts.get("nasab"))]
    kunya = part_of(parts.get("kunya") or "")
    nisba = [part_of(name) for name in texts(parts.get("nisba"))]
    laqab = [part_of(name) for name in texts(parts.get("laqab"))]
    for gloss in glosses:
        more = [part_of(name) for name in texts(gloss.get("nasab"))]
        if more and not nasab and part_of(gloss.get("ism") or "") in {"", ism}:
            nasab = more
        if gloss.get("ism") and not ism:
            ism = part_of(gloss["ism"])
        kunya = kunya or part_of(gloss.get("kunya") or "")
        nisba += [part_of(name) for name in texts(gloss.get("nisba"))]
        laqab += [part_of(name) for name in texts(gloss.get("laqab"))]
    whole = key_of(surface)
    if whole.startswith("و") and not (ism or kunya or "").startswith("و"):
        rest = whole[1:]
        if rest.startswith(((ism or kunya or "ا").split(" ")[0], "ا")):
            whole = rest
    return Name(ism, tuple(nasab), kunya, tuple(nisba), tuple(laqab), whole)
