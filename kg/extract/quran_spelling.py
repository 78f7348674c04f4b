"""How one word of the Quran may be spelt: Uthmani and imlaʾi, with or without wa-/fa-, with a slip of one letter.

All words here are folded (``kg.text.fold``): hamza seats, alif maqsura and ta marbuta are already one.
"""

import re
from collections.abc import Mapping
from functools import lru_cache

__all__ = ["Spellings", "skeleton", "variant"]

CONJUNCTION = 0.3
SPELLING = 0.001
PREPOSITION = 0.3
READING = 0.4
SLIP = 0.7
"""Costs of a difference, in words: what one such word takes from the credit of a match. A spelling changes no word."""

_LONG_A = re.compile(r"(?<=.)[اء]|^ء|(?<=[لزي])و(?=ه$|ه[مناك])")
_DOUBLED = re.compile(r"([وي])\1+")
_KNOWN_LIMIT = 400_000


def skeleton(word: str) -> str:
    """The letters that all spellings of a word share: no long a inside, no hamza, no doubled waw or ya.

    >>> skeleton("السماوات") == skeleton("السموات"), skeleton("الصلوه") == skeleton("الصلاه"), skeleton("شيء") == skeleton("شي")
    (True, True, True)
    """
    return _DOUBLED.sub(r"\1", _LONG_A.sub("", word))


class Spellings(dict[str, int]):
    """Folded spelling → number of the word in the index; 0 where the Quran has no such word.

    A spelling that was not listed is looked up once by its skeleton and then remembered; only spellings whose
    skeleton belongs to one word of the Quran get its number.
    """

    def __init__(self, listed: Mapping[str, int], skeletons: Mapping[str, int]) -> None:
        super().__init__(listed)
        self._listed, self._skeletons = listed, skeletons

    def listed(self, word: str) -> int:
        """The number of a spelling that is listed, else 0; what was looked up before does not matter."""
        return self._listed.get(word, 0)

    def __missing__(self, word: str) -> int:
        if len(self) > _KNOWN_LIMIT:  # memory must not grow with the source
            self.clear()
            self.update(self._listed)
        number = self._skeletons.get(skeleton(word), 0) if len(word) > 3 else 0
        self[word] = number
        return number


def _one_letter_apart(one: str, other: str) -> bool:
    if one == other:
        return True
    if len(one) > len(other):
        one, other = other, one
    if len(other) - len(one) > 1:
        return False
    start = 0
    while start < len(one) and one[start] == other[start]:
        start += 1
    if len(one) < len(other):
        return one[start:] == other[start + 1 :]
    if one[start + 1 :] == other[start + 1 :]:
        return True
    return one[start : start + 2] == other[start : start + 2][::-1] and one[start + 2 :] == other[start + 2 :]


@lru_cache(maxsize=1 << 16)
def variant(word: str, quran: str) -> float | None:
    """The cost of reading a text's word as a word of the Quran: 0 for the same, None where it is another word.

    >>> variant("السموات", "السماوات"), variant("اقيموا", "واقيموا"), variant("بقل", "قل"), variant("عليم", "حكيم")
    (0.001, 0.3, 0.3, None)
    >>> variant("يعلمون", "تعلمون")
    0.4
    """
    if word == quran:
        return 0.0
    if skeleton(word) == skeleton(quran):
        return SPELLING
    if word[-1] in "هت" and quran[-1] in "هت" and word[:-1] == quran[:-1] and len(word) > 2:
        return SPELLING  # فطرت الله for فطرة الله
    for longer, shorter in ((word, quran), (quran, word)):
        if len(longer) > 2 and longer[0] in "وف" and longer[1:] == shorter:
            return CONJUNCTION
    if word[0] in "وف" and quran[0] in "وف" and len(word) > 2 and word[1:] == quran[1:]:
        return CONJUNCTION
    if len(word) > 2 and word[0] in "بكل" and word[1:] == quran:
        return PREPOSITION
    if len(word) > 2 and word[1:] == quran[1:] and word[0] in "يتنا" and quran[0] in "يتنا":
        return READING
    if min(len(word), len(quran)) >= 4 and _one_letter_apart(word, quran):
        return SLIP
    return None
