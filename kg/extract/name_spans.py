"""Where the names in a passage end, and which of them may be one."""

import re

from kg.extract.drafts import Draft, Run
from kg.extract.isnad_text import DASH, HARD, J, Text
from kg.extract.names import NAME, NAME_SURE
from kg.extract.word_classes import WordClasses

__all__ = ["NameSpans"]

_NAME = re.compile(NAME)
_SURE = re.compile(NAME_SURE)
_SAME_WORD = {"ابا": "ابو", "ابن": "بن", "الله": "الله", "ابنه": "بنت"}
_CARRIES_ON = "HJSsAxj" + J["H"] + J["A"] + J["x"]


class NameSpans:
    """The names of one passage, over its letters."""

    def __init__(self, text: Text, classes: WordClasses, start: int) -> None:
        self.text, self.codes, self.classes = text, text.codes, classes
        self.run = Run(start)

    def name_end(self, i: int, sure: bool = False) -> int:
        """The word after the name that starts at word ``i``; ``i`` where there is none."""
        found = (_SURE if sure else _NAME).match(self.codes, i)
        if found is None:
            return i
        end = found.end()
        text, codes = self.text.text, self.codes
        if self.text.folded[i] == "علي" and end == i + 1 and text[self.text.ends[i] - 1] in "ىىٰ":
            return i  # the preposition على
        starts, ends = self.text.starts, self.text.ends
        for j in range(i + 1, end):
            if starts[j] - ends[j - 1] == 1 or not (gap := self.text.gap(j).strip(" \n\r\t~\u200e\u200f")):
                continue
            before, letter = codes[j - 1], codes[j]
            if before in "KFBIDMT" + J["K"] + J["F"] + J["I"] + J["D"] + J["M"]:
                continue  # a slip of the editor's comma: وابن، نمير
            if HARD.search(gap) or DASH.search(gap):
                return j
            if letter == "G" or letter in "BT" or (letter == "I" and j + 1 < end):
                continue
            if letter in "Ll":  # أبو سعيد، الأشج حدثنا
                k = j + 1
                while k < end and codes[k] in "Ll":
                    k += 1
                following = codes[k] if k < len(codes) else "$"
                if following in _CARRIES_ON:
                    continue
            if letter == "E" and codes[j + 1 : j + 2] in ("y", "Y", "m", "O"):  # أبا صالح، ذكوان يحدث
                continue
            if letter in "EKF" and codes[end : end + 1] in ("A", "Q", "H", "n", "g"):  # الأعمش، سليمان عن إبراهيم
                continue
            if letter == "E" and codes[j + 1 : j + 2] == "B" and codes[i] in "KFLl":  # أبو القاسم، خالد بن خلي
                continue
            return j
        return end

    def _joined_end(self, i: int, base: str) -> int:
        """The end of a name whose first word carries the conjunction."""
        codes = self.codes
        self.codes = codes[:i] + base + codes[i + 1 :] if len(codes) < 400 else codes[:i] + base + codes[i + 1 : i + 40]
        end = self.name_end(i)
        self.codes = codes
        return end

    def key(self, draft: Draft) -> tuple[str, ...]:
        words = self.text.folded[draft.first : draft.after]
        if draft.joined:
            words = [words[0][1:], *words[1:]]
        if "ابي" in words:
            words = [
                "ابو" if word == "ابي" and words[k + 1 : k + 2] not in ([], ["بن"]) else word for k, word in enumerate(words)
            ]
        return tuple([_SAME_WORD.get(word) or self._base(word) for word in words])

    def _base(self, word: str) -> str:
        """A word of a name without the article, the accusative in the nominative: الليث, أنسا."""
        if word.startswith("ال"):
            return word[2:]
        return word[:-1] if word[-1] == "ا" and self.classes.get(word[:-1]) == "E" else word

    def same(self, first: tuple[str, ...], second: tuple[str, ...]) -> bool:
        """Whether two namings within one run may be one narrator: the shorter begins or stands within the longer."""
        short, long = sorted((first, second), key=len)
        if not short:
            return False
        width = len(short)
        return any(long[k : k + width] == short for k in range(len(long) - width + 1))

    def is_companion(self, draft: Draft) -> bool:
        if draft.companion is None:
            draft.companion = self.rank(draft) == "companion"
        return draft.companion

    def rank(self, draft: Draft) -> str | None:
        """``companion`` or ``successor`` where the name alone tells it, or the words that stand for one: رجل من أصحاب النبي."""
        if draft.anonymous:
            return "companion" if self.of_the_companions(draft) else None
        return self.classes.ranks.get(self.key(draft)) if draft.kin is None or draft.named else None

    def of_the_companions(self, draft: Draft) -> bool:
        """رجل من أصحاب النبي, بعض من صحب رسول الله: unnamed, but a Companion."""
        i = draft.first
        at = self.codes.find("P", i, i + 5)
        return at > i and not {"اصحاب", "صحب", "ادرك", "صاحب"}.isdisjoint(self.text.folded[i:at])
