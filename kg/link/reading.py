"""A name as it is looked up: its parts in either script, whatever the spelling, the case or the school of romanisation.

Arabic parts are compared by their folded letters, Latin ones by a skeleton in which all schools meet; every Arabic part has a skeleton
too, so that al-Zuhrī, az-Zuhri and Zohri find الزهري where no table says how he is romanised.
"""

import re
import unicodedata
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from kg.link.romanisation import bare, is_arabic, plain_of, skeleton, usual_spelling
from kg.tables import read_tsv
from kg.text import HONORIFIC_LIGATURES, Words

__all__ = ["APOSTROPHES", "Part", "Reading", "read_name"]

_TABLES = Path(__file__).parent / "tables"
_BLESSING = re.compile(
    r"\b(?:رضي الله (?:تعالي )?عنه(?:ما|م|ن|ا)?|صلي الله عليه (?:واله )?(?:وسلم)?"
    r"|عليه(?:ما|ا)? (?:السلام|الصلاه والسلام)|رحم(?:ه|ها|هما) الله|رحمه الله عليه)\b"
)
_SERVANT = {"عبد", "عبيد", "امه", "هبه"}
_OF_GOD = {"الله", "الرحمن", "الرحيم", "l", "lh", "rhmn"}
_KUNYA = {"ابو": "ابو", "ابي": "ابو", "ابا": "ابو", "ام": "ام"}
_SON = {"بن", "ابن"}
_DAUGHTER = {"بنت", "ابنه"}


_INVERTED = re.compile(r"\s*(?:ال\S+|(?:[^\W\d_؀-ۿ]{1,2}[-\s])?[^\W\d_؀-ۿ]{3,})\s*$")
"""What stands before the comma of a name turned round: one byname (الزهري، محمد بن مسلم)."""
_ACCUSATIVE = re.compile(r"(?:ًا|اً)(?=\W|$)")


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a name: ``role`` is ``ism``, ``nasab`` or ``kunya`` by its place, ``value`` as it is compared."""

    role: str
    value: str


@dataclass(frozen=True, slots=True)
class Reading:
    """A name read: its parts in order, the whole as it is compared, the script, and each skeleton with the Latin word it was made
    from (for choosing among names of the same consonants)."""

    parts: tuple[Part, ...]
    whole: str
    arabic: bool
    spelt: tuple[tuple[str, str], ...] = ()
    female: bool = False


@cache
def _titles(script: str) -> frozenset[str]:
    rows = read_tsv(_TABLES / "titles.tsv", ("word", "script"))
    return frozenset(row["word"] for _, row in rows if row["script"] == script)


def _parts(words: list[str], letters: bool) -> tuple[list[Part], bool]:
    """The parts of a name from its words: compounds joined, each with its role."""
    parts: list[Part] = []
    female = False
    role = "ism"
    i = 0
    while i < len(words):
        word = words[i]
        if word in _SON or word in _DAUGHTER:
            female = female or (word in _DAUGHTER and i == (1 if words[0] not in _KUNYA else 2))
            female = female or (word in _DAUGHTER and i == 0)
            role = "nasab"
        elif word in _KUNYA and i + 1 < len(words):
            value, i = _compound(words, i + 1)
            if letters or value:
                parts.append(Part("nasab" if role == "nasab" else "kunya", f"{_KUNYA[word]} {value}"))
            role = "after"
        else:
            value, i = _compound(words, i)
            if value:
                parts.append(Part(role, value))
            role = "after"
        i += 1
    return parts, female


def _compound(words: list[str], i: int) -> tuple[str, int]:
    """A name that begins at word ``i`` (عبد الرحمن is one name) and the place of its last word."""
    word = words[i]
    if word in _SERVANT and i + 1 < len(words) and words[i + 1] not in _SON and (word == "عبد" or words[i + 1] in _OF_GOD):
        name = words[i + 1]
        return f"{word} {name[2:] if name.startswith('ال') and name != 'الله' and len(name) > 3 else bare(name)}", i + 1
    if word in _SON and i + 1 < len(words):  # أبو ابن …
        return bare(words[i + 1]), i + 1
    return bare(word), i


@lru_cache(maxsize=50_000)
def read_name(name: str) -> Reading:
    """A name as typed, read.

    >>> [(part.role, part.value) for part in read_name("عَبْدُ الرَّحْمَنِ بْنُ أَبِي لَيْلَى الأنصاريّ").parts]
    [('ism', 'عبد رحمن'), ('nasab', 'ابو ليلي'), ('after', 'انصاري')]
    >>> [(part.role, part.value) for part in read_name("Ibn Shihāb az-Zuhrī").parts]
    [('nasab', 'chb'), ('after', 'zhr')]
    >>> read_name("Zuhrī, Muḥammad b. Muslim al-").parts == read_name("Muhammad bin Muslim al-Zuhri").parts
    True
    """
    head, comma, rest = name.replace("،", ",").partition(",")
    if comma and rest.strip(" ,-") and _INVERTED.match(head) and not re.search(r"\d", rest):
        name = f"{rest} {head}"
    return _read_arabic(name) if is_arabic(name) else _read_latin(name)


def _read_arabic(name: str) -> Reading:
    folded = " ".join(word.strip(HONORIFIC_LIGATURES) for word in Words(_ACCUSATIVE.sub("", name)).folded)
    words = [word for word in _BLESSING.sub(" ", folded).split() if word not in _titles("arabic")]
    words = [usual_spelling(word) for word in words]
    parts, female = _parts(words, letters=True)
    stripped = ["بن" if word in _SON else bare(word) for word in words]
    whole = " ".join(_KUNYA.get(word, word) if i + 1 < len(stripped) else word for i, word in enumerate(stripped))
    return Reading(tuple(parts), whole, True, (), female)


_LATIN_KUNYA = {
    "abu": "ابو",
    "abi": "ابو",
    "aba": "ابو",
    "aboo": "ابو",
    "abou": "ابو",
    "ebu": "ابو",
    "umm": "ام",
    "um": "ام",
    "oum": "ام",
    "umme": "ام",
}
_LATIN_SON = {"ibn", "bin", "b", "ben", "ibni", "ebn"}
_LATIN_DAUGHTER = {"bint", "bt", "ibnat", "binti"}
_ARTICLES = re.compile(r"^(?:al|el|ar|as|at|an|ad|az|ash|ath|adh|aṣ|aṭ|aḍ|aẓ|aš|aṯ|aḏ|ul|ur|us|ud|un|uz)$")
_JOINED_SERVANT = re.compile(r"^(abd|ubayd|obaid|ubaid|abid)(?:u|a|i|e)?(?:l|r|s|d|n|z|t|sh)?(?=[^\W\d_]{3})")
APOSTROPHES = dict.fromkeys(map(ord, "'`’‘ʿʾʻʼ´ʹ"), None)


def _read_latin(name: str) -> Reading:
    text = unicodedata.normalize("NFC", name.translate(APOSTROPHES).lower())
    raw = [word for word in re.findall(r"[^\W_]+", text) if plain_of(word) not in _titles("latin")]
    words: list[str] = []
    spelt: dict[str, str] = {}
    i = 0
    while i < len(raw):
        word, plain = raw[i], plain_of(raw[i])
        last = i + 1 >= len(raw)
        if plain in _LATIN_SON and not last:
            words.append("بن")
        elif plain in _LATIN_DAUGHTER and not last:
            words.append("بنت")
        elif plain in _LATIN_KUNYA and not last:
            words.append(_LATIN_KUNYA[plain])
        elif _ARTICLES.match(word) and (not last or len(raw) > 1) and plain not in {"asad"}:
            pass
        elif i and not last and len(word) == 1 and (word == "l" or raw[i + 1][0] == word):
            pass  # Abū l-Dardāʾ, Abū d-Dardāʾ: the article without its vowel
        else:
            found = _latin_word(word, plain, raw[i + 1 :])
            spelt.setdefault(found[-1], word)
            words += found
        i += 1
    parts, female = _parts(words, letters=False)
    return Reading(tuple(parts), " ".join(words), False, tuple(spelt.items()), female)


def _latin_word(word: str, plain: str, rest: list[str]) -> list[str]:
    """A Latin word as words to be compared: عبد apart from what is joined to it."""
    if plain in {"abd", "abdul", "abdur", "abdus", "abdel", "abd al"} and rest:
        return ["عبد"]
    if plain in {"ubayd", "ubaid", "obaid"} and rest and plain_of(rest[0]).startswith("al"):
        return ["عبيد"]
    joined = re.match(r"^(abd|ubayd|ubaid|obaid)(?:[ua]?l{1,2}a|ul|al|el|u|al)(?=.{2})", plain)
    if joined and skeleton(plain) not in {skeleton("abda"), skeleton("abdan"), skeleton("abdus")}:
        servant = "عبد" if joined[1] == "abd" else "عبيد"
        tail = word[len(joined[1]) :]
        tail = re.sub(r"^(?:u|a|e|i)(?=[lrsdnzt])", "", tail)
        tail = tail[1:] if tail[:1] == "l" and skeleton(tail) not in {"l", "lh"} and len(skeleton(tail)) > 2 else tail
        return [servant, skeleton(tail) or "l"]
    return [skeleton(word)]
