"""Arabic letters and the romanisations of several schools made one: skeletons of consonants, and whether vowels agree.

The letters stand in ``tables/romanisation.tsv``; given names that only their vowels tell apart in ``tables/given_names_latin.tsv``.
"""

import re
import unicodedata
from functools import cache, lru_cache
from pathlib import Path

from kg.tables import read_tsv

__all__ = ["bare", "bone", "is_arabic", "latin_form", "plain_of", "skeleton", "usual_spelling", "vowels_agree"]

_TABLES = Path(__file__).parent / "tables"
_SPELLINGS = Path(__file__).parents[1] / "identify" / "tables" / "spellings.tsv"
_ARABIC = re.compile(r"[\u0600-\u06ff\ufb50-\ufdff\ufe70-\ufeff]")


def is_arabic(text: str) -> bool:
    """Whether a name is in Arabic letters."""
    return bool(_ARABIC.search(text))


@cache
def _spellings() -> dict[str, str]:
    return {row["form"]: row["usual"] for _, row in read_tsv(_SPELLINGS, ("form", "usual"))}


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
            found.setdefault(written, bare(row["name"]))
    return found


def bare(word: str) -> str:
    """An Arabic word without article and without the hamza that spellings drop."""
    word = usual_spelling(word)
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
                gaps[-1] += plain[at] if plain[at] in _LONG_OF else plain_of(plain[at])
            at += 1
    return tuple(gaps)


_VOWELS_OF = {"a": "aāáàâeiīy", "w": "wuūoōúaâ", "y": "yiīeíēaāá"}
_PAIRS = str.maketrans({"š": "sh", "ṯ": "th", "ḏ": "dh", "ḫ": "kh", "ġ": "gh", "ǧ": "j"})
_LONG_OF = {"ā": "ay", "ī": "y", "ū": "w", "ō": "w", "ē": "y"}


@lru_cache(maxsize=100_000)
def vowels_agree(latin: str, arabic: str) -> float:
    """How well the vowels of a Latin word agree with the weak letters of an Arabic word of the same consonants, 0 to 1.

    >>> vowels_agree("Umar", "عمر"), vowels_agree("Umar", "عمرو"), vowels_agree("Sālim", "سلم")
    (1.0, 0.5, 0.5)
    """
    plain = plain_of(latin.lower().translate(_PAIRS))
    known = _given_names().get(plain)
    if known is not None:
        return 1.0 if arabic in _given_again(plain) else 0.5
    if arabic in _given_names().values():
        return 0.6  # a name whose romanisations are known, and this is none of them
    if not _ends_agree(plain, arabic):
        return 0.5
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


def _ends_agree(plain: str, arabic: str) -> bool:
    """Whether both words end in a vowel or neither: Bakr is no بكره, Hafsa no حفص. Of a last h and a last weak letter nothing is said."""
    if plain[-1] in "h'ʿʾiuwyoe" or arabic[-1] in "ايوء" or len(plain) < 3:
        return True
    return (plain[-1] == "a") == (arabic[-1] == "ه") or plain.endswith("at")


@cache
def _given_again(plain: str) -> frozenset[str]:
    """All Arabic names that the table romanises so: Hasan may be حسن or حسان."""
    rows = read_tsv(_TABLES / "given_names_latin.tsv", ("name", "latin", "source"))
    return frozenset(bare(row["name"]) for _, row in rows if plain in row["latin"].split())


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
    plain = plain_of(word)
    for pair, one in (("oo", "u"), ("ou", "u"), ("ee", "i"), ("ei", "ai"), ("o", "u"), ("e", "a"), ("y", "i"), ("q", "k")):
        plain = plain.replace(pair, one)
    plain = re.sub(r"(.)\1+", r"\1", plain)
    return plain[:-1] if len(plain) > 3 and plain.endswith("ah") else plain


def plain_of(word: str) -> str:
    """A Latin word without marks, for words that are known by heart."""
    return "".join(c for c in unicodedata.normalize("NFKD", word.lower()) if not unicodedata.combining(c))


def usual_spelling(word: str) -> str:
    """The usual spelling of a folded Arabic name that old books write otherwise (الحرث)."""
    return _spellings().get(word, word)
