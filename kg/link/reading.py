"""A name as it is looked up: its parts in either script, whatever the spelling, the case or the school of romanisation.

Arabic parts are compared by their folded letters, Latin ones by a skeleton in which all schools meet; every Arabic part has a skeleton
too, so that al-Zuhrī, az-Zuhri and Zohri find الزهري where no table says how he is romanised.
"""

import re
import unicodedata
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from kg.tables import read_tsv
from kg.text import HONORIFIC_LIGATURES, Words

__all__ = ["Part", "Reading", "bone", "is_arabic", "latin_form", "read_name", "skeleton", "vowels_agree"]

_TABLES = Path(__file__).parent / "tables"
_SPELLINGS = Path(__file__).parents[1] / "identify" / "tables" / "spellings.tsv"
_ARABIC = re.compile(r"[\u0600-\u06ff\ufb50-\ufdff\ufe70-\ufeff]")
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


def is_arabic(text: str) -> bool:
    """Whether a name is in Arabic letters."""
    return bool(_ARABIC.search(text))


@cache
def _spellings() -> dict[str, str]:
    return {row["form"]: row["usual"] for _, row in read_tsv(_SPELLINGS, ("form", "usual"))}


@cache
def _titles(script: str) -> frozenset[str]:
    rows = read_tsv(_TABLES / "titles.tsv", ("word", "script"))
    return frozenset(row["word"] for _, row in rows if row["script"] == script)


@cache
def _letter_classes() -> tuple[dict[str, str], tuple[tuple[str, str], ...]]:
    """Arabic letter to class; romanised letters to class, the longest first."""
    arabic: dict[str, str] = {}
    romanised: dict[str, str] = {}
    for _, row in read_tsv(_TABLES / "romanisation.tsv", ("letter", "class", "ijmes", "dmg", "loc", "popular")):
        arabic[row["letter"]] = row["class"]
        for school in ("ijmes", "dmg", "loc", "popular"):
            for written in row[school].split():
                if written.isalpha() and row["class"]:
                    romanised.setdefault(unicodedata.normalize("NFC", written), row["class"])
    return arabic, tuple(sorted(romanised.items(), key=lambda pair: -len(pair[0])))


@cache
def _given_names() -> dict[str, str]:
    """Romanised given names without marks to the Arabic name as it is compared."""
    found: dict[str, str] = {}
    for _, row in read_tsv(_TABLES / "given_names_latin.tsv", ("name", "latin", "source")):
        for written in row["latin"].split():
            found.setdefault(written, _bare(row["name"]))
    return found


def _bare(word: str) -> str:
    """An Arabic word without article and without the hamza that spellings drop."""
    word = _spellings().get(word, word)
    if word.endswith("اء") and len(word) > 3:
        word = word[:-1]
    word = word.replace("يء", "ي").replace("ء", "") or word
    return word[2:] if word.startswith("ال") and len(word) >= 5 else word


@lru_cache(maxsize=200_000)
def skeleton(word: str) -> str:
    """The consonants of a word in either script as classes; long and short vowels, ع and ء are left out, doubled letters are one.

    >>> {skeleton(word) for word in ("Muḥammad", "Mohammed", "محمد")}
    {'mhmd'}
    >>> skeleton("Qutayba") == skeleton("Kutaiba") == skeleton("قتيبه"), skeleton("šuʿba") == skeleton("Shu'bah") == skeleton("شعبه")
    (True, True)
    """
    arabic, romanised = _letter_classes()
    if word == "الله":
        return "l"
    if word.isdecimal():
        return word
    if is_arabic(word):
        kept = ["w" if word[0] == "و" else "y" if word[0] == "ي" else arabic.get(word[0], "")]
        kept += [arabic.get(letter, "") for letter in word[1:]]
        if word[-1] == "ه" and len(word) > 2:
            kept.pop()
        return "".join(kept)
    plain = unicodedata.normalize("NFC", word.lower())
    plain = re.sub(r"([^\W\d_])\1+", r"\1", plain)
    plain = re.sub(r"(sh|th|dh|kh|gh)\1", r"\1", plain)
    if len(plain) > 2 and plain.endswith("h") and plain[-2] in "aeā":
        plain = plain[:-1]
    found: list[str] = []
    at = 0
    while at < len(plain):
        for written, sort in romanised:
            if plain.startswith(written, at):
                found.append(sort)
                at += len(written)
                break
        else:
            if at == 0 and plain[0] in "wv":
                found.append("w")
            elif at == 0 and plain[0] == "y":
                found.append("y")
            elif plain[at] == "p":
                found.append("b")
            elif plain[at] == "v":
                found.append("w" if at == 0 else "")
            at += 1
    return "".join(found)


def bone(value: str) -> str:
    """The skeleton of an Arabic part or whole, kunya and servant words kept: عبد الرحمن and ʿAbd al-Raḥmān meet."""
    return " ".join(word if word in _KEPT else skeleton(word) for word in value.split())


_KEPT = frozenset(("ابو", "ام", "عبد", "عبيد", "بن", "بنت"))


@lru_cache(maxsize=200_000)
def _gaps(word: str) -> tuple[str, ...]:
    """What stands between the consonants of a word: weak letters (a, w, y) in Arabic, vowels as written in Latin."""
    arabic, romanised = _letter_classes()
    gaps = [""]
    if is_arabic(word):
        for place, letter in enumerate(word):
            if place == 0 and letter in "وي":
                gaps.append("")
            elif letter in "اوي":
                gaps[-1] += {"ا": "a", "و": "w", "ي": "y"}[letter] if place or letter != "ا" else ""
            elif arabic.get(letter) and not (letter == "ه" and place == len(word) - 1 and place > 1):
                gaps.append("")
        return tuple(gaps)
    plain = re.sub(r"([bcdfghjklmnpqrstvwxyz])\1+", r"\1", unicodedata.normalize("NFC", word.lower()))
    at = 0
    while at < len(plain):
        for written, _ in romanised:
            if plain.startswith(written, at):
                gaps.append("")
                at += len(written)
                break
        else:
            if at == 0 and plain[0] in "wvy":
                gaps.append("")
            else:
                gaps[-1] += plain[at] if plain[at] in _LONG_OF else _plain(plain[at])
            at += 1
    return tuple(gaps)


_VOWELS_OF = {"a": "aāáàâeiīy", "w": "wuūoōúaâ", "y": "yiīeíēaāá"}
_LONG_OF = {"ā": "ay", "ī": "y", "ū": "w", "ō": "w", "ē": "y"}


@lru_cache(maxsize=100_000)
def vowels_agree(latin: str, arabic: str) -> float:
    """How well the vowels of a Latin word agree with the weak letters of an Arabic word of the same consonants, 0 to 1.

    >>> vowels_agree("Umar", "عمر"), vowels_agree("Umar", "عمرو"), vowels_agree("Sālim", "سلم")
    (1.0, 0.5, 0.5)
    """
    plain = _plain(latin)
    known = _given_names().get(plain)
    if known is not None:
        return 1.0 if arabic in _given_again(plain) else 0.5
    if arabic in _given_names().values():
        return 0.6  # a name whose romanisations are known, and this is none of them
    one, other = _gaps(unicodedata.normalize("NFC", latin.lower())), _gaps(arabic)
    if len(one) != len(other):
        return 0.8
    marked = any(letter in _LONG_OF for letter in unicodedata.normalize("NFC", latin.lower()))
    worst = 1.0
    for place, (vowels, weak) in enumerate(zip(one, other, strict=True)):
        last = place == len(one) - 1
        if weak and not last and not _in_order(vowels, weak):
            worst = min(worst, 0.6)
        for letter in vowels:
            if letter in _LONG_OF and not (last or set(_LONG_OF[letter]) & set(weak)) and place:
                worst = min(worst, 0.5)
        if marked and weak == "a" and vowels in {"a", "i", "u"} and not last and place:
            worst = min(worst, 0.7)
    return worst


@cache
def _given_again(plain: str) -> frozenset[str]:
    """All Arabic names that the table romanises so: Hasan may be حسن or حسان."""
    rows = read_tsv(_TABLES / "given_names_latin.tsv", ("name", "latin", "source"))
    return frozenset(_bare(row["name"]) for _, row in rows if plain in row["latin"].split())


def _in_order(vowels: str, weak: str) -> bool:
    at = 0
    for letter in weak:
        while at < len(vowels) and vowels[at] not in _VOWELS_OF[letter]:
            at += 1
        if at == len(vowels):
            return False
        if letter != "y" or vowels[at] != "a":
            at += 1
    return True


def latin_form(word: str) -> str:
    """A Latin word without marks, its vowels as popular spelling changes them made one.

    >>> latin_form("Ḥusayn") == latin_form("Hussein"), latin_form("Sufyān"), latin_form("Siffin")
    (True, 'sufian', 'sifin')
    """
    plain = _plain(word)
    for pair, one in (("oo", "u"), ("ou", "u"), ("ee", "i"), ("ei", "ai"), ("o", "u"), ("e", "a"), ("y", "i"), ("q", "k")):
        plain = plain.replace(pair, one)
    plain = re.sub(r"(.)\1+", r"\1", plain)
    return plain[:-1] if len(plain) > 3 and plain.endswith("ah") else plain


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
        return f"{word} {_bare(words[i + 1])}", i + 1
    if word in _SON and i + 1 < len(words):  # أبو ابن …
        return _bare(words[i + 1]), i + 1
    return _bare(word), i


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
    words = [_spellings().get(word, word) for word in words]
    parts, female = _parts(words, letters=True)
    bare = ["بن" if word in _SON else _bare(word) for word in words]
    whole = " ".join(_KUNYA.get(word, word) if i + 1 < len(bare) else word for i, word in enumerate(bare))
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
_APOSTROPHES = dict.fromkeys(map(ord, "'`’‘ʿʾʻʼ´ʹ"), None)


def _plain(word: str) -> str:
    """A Latin word without marks, for words that are known by heart."""
    return "".join(c for c in unicodedata.normalize("NFKD", word.lower()) if not unicodedata.combining(c))


def _read_latin(name: str) -> Reading:
    text = unicodedata.normalize("NFC", name.translate(_APOSTROPHES).lower())
    raw = [word for word in re.findall(r"[^\W_]+", text) if _plain(word) not in _titles("latin")]
    words: list[str] = []
    spelt: dict[str, str] = {}
    i = 0
    while i < len(raw):
        word, plain = raw[i], _plain(raw[i])
        last = i + 1 >= len(raw)
        if plain in _LATIN_SON and not last:
            words.append("بن")
        elif plain in _LATIN_DAUGHTER and not last:
            words.append("بنت")
        elif plain in _LATIN_KUNYA and not last:
            words.append(_LATIN_KUNYA[plain])
        elif _ARTICLES.match(word) and (not last or len(raw) > 1) and plain not in {"asad"}:
            pass
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
    if plain in {"ubayd", "ubaid", "obaid"} and rest and _plain(rest[0]).startswith("al"):
        return ["عبيد"]
    joined = re.match(r"^(abd|ubayd|ubaid|obaid)(?:[ua]?l{1,2}a|ul|al|el|u|al)(?=.{2})", plain)
    if joined and skeleton(plain) not in {skeleton("abda"), skeleton("abdan"), skeleton("abdus")}:
        servant = "عبد" if joined[1] == "abd" else "عبيد"
        tail = word[len(joined[1]) :]
        tail = re.sub(r"^(?:u|a|e|i)(?=[lrsdnzt])", "", tail)
        tail = tail[1:] if tail[:1] == "l" and skeleton(tail) not in {"l", "lh"} and len(skeleton(tail)) > 2 else tail
        return [servant, skeleton(tail) or "l"]
    return [skeleton(word)]
