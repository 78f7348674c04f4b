"""The grammar of Arabic personal names: where a name ends, and what its parts are.

A name is read over the letters of ``kg.extract.word_classes`` (one a word). It has a head (a single name, عبد with what is served, a
kunya, ابن and a name, a nisba or laqab used alone) and goes on with nasab (بن), kunya, nisba, or a second head that itself has a
nasab (أبو كريب محمد بن العلاء). Examples stand with each piece.
"""

import re
from collections.abc import Sequence
from typing import Any

from pyarabic import araby

from kg.extract.word_classes import JOINED

__all__ = ["CONNECTOR", "HEAD", "NAME", "NAME_SURE", "name_parts"]


def _joined(letters: str) -> str:
    return "".join(chr(ord(letter) + JOINED) for letter in letters)


CONNECTOR = "HJSsAQ2yYxjOnNC"
"""Letters that carry a chain on after a name."""

# Whatever stands after ibn, abu, umm or 'abd is part of the name, be it a word that is a verb elsewhere: أبي نهى, بن يزيد.
_X = "[EULlGVPkagmrcTqZzbfWdtu" + _joined("EUlVgc") + "]"
# What follows ibn: ابن عبد الرحمن, بن أبي بكر, بن أبي عبد الرحمن, بن أم مكتوم, بن ذي الجوشن, بن عبيد الله.
_CORE = (
    f"(?:D(?:{_X}|(?=B))"
    f"|[KF](?:D{_X}|[IB](?:[KF]{_X}|D{_X}|{_X})|M{_X}|{_X}G?)"
    f"|M(?:D{_X}|[KF]{_X}|{_X})"
    f"|[If](?:D{_X}|[KF](?:D{_X}|{_X})|M{_X}|[If](?:[KF]{_X}|D{_X}|{_X})|{_X}G?)"
    f"|{_X}[Gt]{{0,2}})"
)
# What stands behind a name with an unknown article-word in it: the chain goes on, another name is joined, or it tells how it was received.
_AFTER = "(?=[Ll]{0,6}[" + CONNECTOR + "cRg" + _joined("HSAxEKFDIMLlg") + "])"
_TAIL = (
    f"(?:B{_CORE}|T(?!P){_CORE}|I(?!r){_CORE}"  # بن محمد, ابن علية, بنت أبي بكر
    f"|[KF](?:D{_X}|[IB]{_X}|M?[EULlTG]t?)"  # أبو أحمد
    f"|M[EULl]"
    f"|L"
    f"|l(?=[BI])"
    f"|l{_AFTER}"  # an unknown name with the article, where the chain goes on behind it
    f"|[EU]t"  # نجم الدين
    f"|(?:E|D{_X})(?=[BI])|(?<=[KF].)EG?(?=[Lm])|E(?=[yY])"  # laqab and name: عبدان عبد الله بن عثمان
    f"|D{_X}{_AFTER}"
    f"|E(?=[{_joined('HA')}HSAxj2])|U(?=[{_joined('H')}HSxj2]|cc))"  # ism and laqab: محمد بن جعفر غندر حدثنا, لوين في سنة
)
_TITLE = "(?:(?:rl|[Ll]|[EUL]t)(?=(?:rl|[Ll]|[EUL]t){0,6}(?:[KDIEMT]|U[BI])))*"  # الشيخ الإمام قاضي القضاة نجم الدين
HEAD = (
    f"(?:{_TITLE}(?:D(?:{_X}|(?=[BI]))|[KF](?:D{_X}|[IB](?:[KF]{_X}|D{_X}|{_X})|M{_X}|[EULlGVagmrcTZbt{_joined('EUl')}][Gt]?)|M(?:D{_X}|[KF]{_X}|[EULl])"
    f"|[ITB](?:D{_X}|[KF](?:D{_X}|{_X})|M{_X}|[fr][IB]?{_CORE}|{_X}G?)|[EUL{_joined('U')}l](?!P)G?))"
)
_HEAD_SURE = HEAD.replace(f"|[EUL{_joined('U')}l](?!P)G?)", "|[EL](?!P)G?|[Ul](?=B))")
assert _HEAD_SURE != HEAD
NAME = f"(?:{HEAD}{_TAIL}*)"
NAME_SURE = f"(?:{_HEAD_SURE}{_TAIL}*)"
"""A name where a term of transmission demands one, and a name that shows itself as one."""

_STRIP = {
    ord(mark): None for mark in "".join(araby.TASHKEEL) + araby.TATWEEL + araby.MINI_ALEF + "\u200e\u200f\u200b\u200c\u200d\ufeff"
}
_NOMINATIVE = {
    "أبا": "أبو",
    "أبي": "أبو",
    "ابا": "أبو",
    "ابي": "أبو",
    "ابو": "أبو",
    "أبى": "أبو",
    "ابى": "أبو",
    "ذي": "ذو",
    "ذا": "ذو",
}
_NISBA_END = ("ي", "ى", "ية", "يه", "ي")


def plain(surface: str) -> list[str]:
    """The words of a name without marks, letters as written."""
    return [word for word in re.findall(r"\w+", surface.translate(_STRIP)) if "\u0621" <= word[0] <= "\u0671"]


_NAME = re.compile(NAME)


def name_parts(surfaces: Sequence[str], codes: str) -> dict[str, Any]:
    """The parts of a name: ism, nasab (nearest ancestor first), kunya, laqab, nisba (list), shuhra.

    ``surfaces`` are its words without marks, ``codes`` their letters. A name that is only ابن and a name, or only a
    nisba, has it as shuhra too.

    >>> from kg.extract.word_classes import WordClasses
    >>> classes = WordClasses.load()
    >>> def parts(text):
    ...     from kg.text import fold
    ...     return name_parts(text.split(), classes.code(fold(text).split()))
    >>> parts("أبو كريب محمد بن العلاء الهمداني")
    {'kunya': 'أبو كريب', 'ism': 'محمد', 'nasab': ['العلاء'], 'nisba': ['الهمداني']}
    >>> parts("عبد الله بن أبي بكر بن محمد")
    {'ism': 'عبد الله', 'nasab': ['أبو بكر', 'محمد']}
    >>> parts("ابن شهاب")
    {'nasab': ['شهاب'], 'shuhra': 'ابن شهاب'}
    """
    parts: dict[str, Any] = {}
    nasab: list[str] = []
    nisba: list[str] = []
    laqab: list[str] = []
    i, length = 0, len(codes)
    while i < length:
        letter = codes[i]
        if letter in "BIT" and i + 1 < length:
            if i > 0 and "ism" not in parts and laqab:
                parts["ism"] = laqab.pop()
            after = _element_end(codes, i + 1)
            nasab.append(_element(surfaces, i + 1, after, codes))
            i = after
        elif letter in "KFM" and i + 1 < length:
            after = _element_end(codes, i)
            if "kunya" not in parts:
                parts["kunya"] = _element(surfaces, i, after, codes)
            i = after
        elif letter == "L" or letter == "l":
            word = surfaces[i]
            if i + 1 < length and codes[i + 1] in "BI" and "ism" not in parts:
                parts["ism"] = word
            elif word.endswith(_NISBA_END):
                nisba.append(word)
            else:
                laqab.append(word)
            i += 1
        else:
            after = _element_end(codes, i)
            element = _element(surfaces, i, after, codes)
            if "ism" not in parts:
                parts["ism"] = element
            elif after < length and codes[after] in "BI":  # عبدان عبد الله بن عثمان
                laqab.insert(0, parts["ism"])
                parts["ism"] = element
            else:
                laqab.append(element)
            i = after
    if nasab:
        parts["nasab"] = nasab
    if nisba:
        parts["nisba"] = nisba
    if laqab:
        parts["laqab"] = " ".join(laqab)
    if "ism" not in parts and "kunya" not in parts:
        parts["shuhra"] = " ".join(surfaces)
    return parts


_ELEMENT = re.compile(_CORE)


def _element_end(codes: str, i: int) -> int:
    found = _ELEMENT.match(codes, i)
    return found.end() if found else i + 1


def _element(surfaces: Sequence[str], first: int, after: int, codes: str) -> str:
    words = list(surfaces[first:after])
    if codes[first] in "KF":
        words[0] = _NOMINATIVE.get(words[0], words[0])
    return " ".join(words)
