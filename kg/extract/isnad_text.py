"""A passage as the reader of isnads sees it: a letter a word, and what stands between the words."""

import re

from kg.extract.word_classes import JOINED, THEN, WordClasses
from kg.text import Words

__all__ = ["DASH", "END", "HARD", "HONORIFIC", "LEAD", "MARK", "PROPHET", "PUNCTUATION", "SPEAKS", "F", "J", "Text"]

J = {letter: chr(ord(letter) + JOINED) for letter in "HSAQ2NxEUlLKFDIMTkaEgVycsJnPCO"}
"""Letters as they stand for words written together with wa-."""
F = {letter: chr(ord(letter) + THEN) for letter in "HSQ2NsChA"}
"""Letters as they stand for words written together with fa-."""

HONORIFIC = re.compile(r"z[GZ]+|ZZ")  # رضي الله عنه, عليه السلام
PROPHET = re.compile(r"P(?:G|P)?")  # رسول الله, النبي
LEAD = re.compile(f"(?:n?[Q2yYO{F['Q']}{F['2']}]u?|nVY|n?[Ss](?=y)|[nj])*")
"""Words before a term of transmission: قال, أنه, يقول, كلاهما."""
SPEAKS = re.compile("n?[Qy2]")
PUNCTUATION = re.compile(r"[،,؛;.:؟?!\"“”«»()\[\]{}|*#\-–—ـ۔]")
HARD = re.compile(r"[.:؟?!\"“”«»{}۔]")
END = re.compile(r"[:؟?!۔]|\.(?!\s*\u200f)")  # the editions of the Sahihs put a stop before a mark of direction anywhere
MARK = re.compile(r"[(\[]\s*(?:\w{1,2}\s*:)?\s*(?:ms)?[\d٠-٩]+(?:\s*-?\s*[أاب])?\s*[)\]]|[(\[](بن|ابن|بنت|الله|و)[)\]]")
"""Footnote numbers and leaves of manuscripts inside the text, قتيبة (2) بن سعيد, [ق: 3 - أ]; and a word that the editor supplies."""
PAGE = re.compile(r"[\s#~]*PageV\d+P\d+[A-Z]?[\s#~]*")
"""Where a page ends in the midst of a paragraph: the paragraph goes on."""
SUPPLIED = frozenset("BITGp")
DASH = re.compile(r"[\-–—ـ(\[]")


class Text:
    """A passage as the reader sees it: words with letters, foreign words and numbers left out."""

    __slots__ = ("codes", "ends", "folded", "marked", "starts", "text", "words")

    def __init__(self, words: Words, classes: WordClasses) -> None:
        codes = classes.code(words.folded)
        self.words, self.text = words, words.text
        self.marked = "PageV" in words.text or (("(" in words.text or "[" in words.text) and MARK.search(words.text) is not None)
        if self.marked:
            codes = _without_marks(words, codes)
        if "-" in codes:
            kept = [i for i, letter in enumerate(codes) if letter != "-"]
            self.folded = [words.folded[i] for i in kept]
            self.starts = [words.starts[i] for i in kept]
            self.ends = [words.ends[i] for i in kept]
            codes = codes.replace("-", "")
        else:
            self.folded, self.starts, self.ends = words.folded, words.starts, words.ends
        if "نبيه" in self.folded:
            codes = self._nubayh(codes)
        self.codes = self._prophet_by_kunya(codes) if "القاسم" in self.folded else codes

    def _nubayh(self, codes: str) -> str:
        """عن نبيه بن وهب: a man's name, not his Prophet."""
        return "".join(
            "E" if word == "نبيه" and self.folded[at + 1 : at + 2] == ["بن"] else letter
            for at, (word, letter) in enumerate(zip(self.folded, codes, strict=True))
        )

    def _prophet_by_kunya(self, codes: str) -> str:
        """سمعت أبا القاسم صلى الله عليه وسلم: the Prophet, no narrator."""
        letters = list(codes)
        for at, word in enumerate(self.folded):
            if word != "القاسم" or not at or letters[at - 1] not in "KF":
                continue
            blessed = self.folded[at + 1 : at + 2] == ["صلي"] or self.text[self.ends[at] :].lstrip(" ،,-ـ")[:1] == "ﷺ"
            if blessed:
                letters[at - 1] = letters[at] = "P"
        return "".join(letters)

    def gap(self, i: int) -> str:
        """What stands before word ``i``."""
        if i <= 0:
            return self.text[: self.starts[0]] if self.starts else self.text
        if i >= len(self.starts):
            return self.text[self.ends[-1] :]
        gap = self.text[self.ends[i - 1] : self.starts[i]]
        if self.marked:
            gap = PAGE.sub(" ", MARK.sub("", gap))
            if gap.endswith(("(", "[")) and self.codes[i] in SUPPLIED and self.text[self.ends[i] :][:1] in (")", "]"):
                return gap[:-1]
            if gap.startswith((")", "]")) and self.codes[i - 1] in SUPPLIED and self.text[self.starts[i - 1] - 1] in "([":
                return gap[1:]
        return gap


def _without_marks(words: Words, codes: str) -> str:
    """The letters of the words, those within the marks of editors as foreign words."""
    letters = list(codes)
    for mark in MARK.finditer(words.text):
        for i in range(words.at(mark.start()), len(letters)):
            if words.starts[i] >= mark.end():
                break
            if mark[1] is None:
                letters[i] = "-"
    return "".join(letters)
