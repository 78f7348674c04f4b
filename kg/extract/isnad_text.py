"""A passage as the reader of isnads sees it: a letter a word, and what stands between the words."""

import re

from kg.extract.word_classes import JOINED, THEN, WordClasses
from kg.text import Words

__all__ = ["DASH", "END", "HARD", "HONORIFIC", "LEAD", "PROPHET", "PUNCTUATION", "SPEAKS", "F", "J", "Text"]

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
DASH = re.compile(r"[\-–—ـ(\[]")


class Text:
    """A passage as the reader sees it: words with letters, foreign words and numbers left out."""

    __slots__ = ("codes", "ends", "folded", "starts", "text", "words")

    def __init__(self, words: Words, classes: WordClasses) -> None:
        codes = classes.code(words.folded)
        self.words, self.text = words, words.text
        if "-" in codes:
            kept = [i for i, letter in enumerate(codes) if letter != "-"]
            self.folded = [words.folded[i] for i in kept]
            self.starts = [words.starts[i] for i in kept]
            self.ends = [words.ends[i] for i in kept]
            codes = codes.replace("-", "")
        else:
            self.folded, self.starts, self.ends = words.folded, words.starts, words.ends
        self.codes = codes

    def gap(self, i: int) -> str:
        """What stands before word ``i``."""
        if i <= 0:
            return self.text[: self.starts[0]] if self.starts else self.text
        if i >= len(self.starts):
            return self.text[self.ends[-1] :]
        return self.text[self.ends[i - 1] : self.starts[i]]
