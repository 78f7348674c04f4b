"""What stands beside a narrator's name and is no part of it: honorifics, explanations, offices, how it was received."""

from kg.extract.drafts import Draft
from kg.extract.isnad_text import HONORIFIC, PROPHET, F, J
from kg.extract.name_spans import NameSpans
from kg.extract.word_classes import JOINED

__all__ = ["Glosses"]


_AND_NAME = tuple(J[letter] for letter in "EKDIF")
_LONG_ASIDE = 20  # words of what is said of a narrator before the chain goes on


class Glosses(NameSpans):
    """Reads over what stands beside a name, and keeps its span."""

    def after_name(self, i: int, draft: Draft | None) -> int:
        """The word after honorifics, glosses and circumstances that stand behind a narrator."""
        codes, length = self.codes, len(self.codes)
        while i < length:
            letter = codes[i]
            if letter == "Z" and codes[i + 1 : i + 2] in ("H", "A") and self.text.folded[i] in ("عنه", "عنهما", "عنها"):
                i += 1
                continue
            if letter in "zZ":
                found = HONORIFIC.match(codes, i)
                if found is None:
                    break
                i = found.end()
                if draft is not None:
                    draft.end = i
                continue
            gap = self.text.gap(i)
            if ("-" in gap or "ـ" in gap or "(" in gap or "–" in gap) and (close := self._closing(i)):
                if draft is not None:
                    draft.gloss.append((i, close))
                i = close
                continue
            end = self._gloss(i)
            if end > i:
                if draft is not None:
                    draft.gloss.append((i, end))
                i = end
                continue
            break
        return i

    def _closing(self, i: int) -> int:
        """The word after a remark between dashes or brackets that opens before word ``i`` (0 where it does not close)."""
        text = self.text
        if self.codes[i] in "Qy2HJSAjNnx":  # the dash before it closed another
            return 0
        for j in range(i + 1, min(i + 14, len(self.codes) + 1)):
            gap = text.gap(j)
            if "-" in gap or "ـ" in gap or ")" in gap or "–" in gap:
                return j
        return 0

    def _gloss(self, i: int) -> int:
        codes, length = self.codes, len(self.codes)
        letter = codes[i]
        if letter == "g" and self.text.folded[i] in ("اراه", "احسبه", "اظنه") and codes[i + 1 : i + 2] in ("A", "Q", "H", "S"):
            return i + 1
        if letter in ("g", J["g"]):  # يعني ابن زيد, وهو ابن سلام
            j = i + 1
            while j < length and codes[j] in "gA" and j < i + 3:
                j += 1
            if j < length and codes[j] == "a":
                return self._until_term(j, _LONG_ASIDE, aside=True) or i
            if j < length and codes[j] in "mr":
                return self._office(j) or i
            end = self.name_end(j, True) if j < length else j
            if end > j:
                return end
            after = self._until_term(i, 12, aside=True)
            if after:
                return after
            end = self.name_end(j) if j < length and codes[j] != "V" else j
            return end if end > j else i
        if letter == "m" or letter == "r" or (letter == "f" and codes[i + 1 : i + 2] in ("E", "D", "K", "F", "I", "L", "r")):
            return self._office(i) or i
        if codes[i + 1 : i + 2] == "l" and self.text.folded[i] == "علي" and self.text.folded[i + 1] == "المنبر":
            return i + 2
        if letter in "IB" and codes[i + 1 : i + 2] == "r":  # ابن عم محمد بن سيرين
            return self._office(i + 1) or i
        if self.text.folded[i] == "قراءه" and codes[i + 1 : i + 2] == "A":  # أبو مصعب قراءة عن مالك
            return i + 1
        if letter == "R" and codes[i + 1 : i + 2] in ("c", "Z"):  # قراءة عليه
            return self._until_term(i, 14) or i
        if letter == "U" and self.text.folded[i][0] == "ب" and i + 1 < length and codes[i + 1] in "HJSAQxyc":  # بحلوان
            return i + 1
        if letter == "M" and i + 1 < length and codes[i + 1] == "V":  # أم المؤمنين
            return i + 2
        if self.text.folded[i] == "يزيد" and self.text.folded[i + 1 : i + 2] in (["بعضهم"], ["احدهما"]):  # يزيد بعضهم على بعض
            return self._until_term(i, _LONG_ASIDE, aside=True) or i
        if letter == "T" and codes[i + 1 : i + 2] == "P":  # بنت رسول الله
            return self._office(i)
        if letter == "V" and self.text.folded[i] in ("لا", "ما") and codes[i + 2 : i + 4] == "VA":  # لا أعلمه إلا عن
            return i + 3
        if letter == "a" and self.text.folded[i] != "من":  # رجلا من أصحاب النبي
            return self._until_term(i, _LONG_ASIDE, aside=True) or i
        if letter == "a":  # من أهل الكوفة, من بني عبد الدار
            return self._until_term(i, 7) or i
        if letter == "c" and self.text.folded[i] == "في" and codes[i + 1 : i + 2] == "a":  # في رجال من أهل العلم
            return self._until_term(i, 8, aside=True) or i
        if letter == "c" and codes[i + 1 : i + 2] in _AND_NAME:  # بمكة وإبراهيم بن سعيد
            return i + 1
        if letter == "c" or letter == J["c"]:  # قراءة عليه وأنا أسمع, ببغداد, سنة ...
            return self._until_term(i, 14) or (i + 1 if codes[i + 1 : i + 2] in ("Q", "y", F["Q"]) else i)
        if letter == "V" and self.text.folded[i] == "لم":  # لم يسمه
            return self._until_term(i, 3) or i
        if letter in ("V", J["V"]) and self.text.folded[i] in ("وكان", "وكانت", "وله", "وقد", "الذي", "التي"):  # وكان ثقة
            return self._until_term(i, _LONG_ASIDE, aside=True) or i
        return i

    def _office(self, i: int) -> int:
        """The word after مولى ابن عباس, صاحب الدستوائي, زوج النبي."""
        codes, length = self.codes, len(self.codes)
        j = i + 1
        if j >= length:
            return 0
        if codes[j] == "P":
            found = PROPHET.match(codes, j)
            assert found is not None
            j = found.end()
            honorific = HONORIFIC.match(codes, j)
            return honorific.end() if honorific else j
        if codes[j] in "mr" or self.text.folded[j] == "ال":
            return self._office(j)
        if codes[j] in "QHJSsAnNxj2yYO":
            return j
        if codes[j] == "U" and self.text.folded[j][0] == "ل" and codes[j + 1 : j + 2] in ("E", "U", "L", "l", "D"):
            return self.name_end(j + 1)  # مولى لبني زهرة
        end = self.name_end(j)
        return end if end > j else j + 1

    def _until_term(self, i: int, limit: int, aside: bool = False) -> int:
        """The next term of transmission, if one comes within ``limit`` words; an aside may name the Prophet and end in a verb of saying."""
        codes, length = self.codes, len(self.codes)
        for j in range(i + 1, min(i + limit + 1, length)):
            letter = codes[j]
            if letter == "S" and codes[j + 1 : j + 2] in ("V", "Z", "a"):  # أول حديث سمعته منه
                continue
            if (
                letter in "HSAxjO"
                or letter in (J["H"], J["x"])
                or (letter in "Q2y" and j + 1 < length and codes[j + 1] in "HJSAsQ2")
            ) and not (aside and letter == "A" and codes[j + 1 : j + 2] not in ("E", "K", "F", "D", "I", "L", "k")):
                return j
            if aside and letter in "QyYnN":
                return j
            if letter in "Qy" or (letter == "P" and not aside):
                return 0
        return 0

    def _carry(self, i: int, draft: Draft) -> int:
        """Passes over how and where it was received (قراءة عليه وأنا أسمع سنة كذا) up to the next word of transmission or joined narrator.

        After a teacher reached by a verb of telling the report itself needs a word of saying; where none stands the chain goes on.
        """
        codes, length = self.codes, len(self.codes)
        if (
            i >= length
            or codes[i] in "HJSsAQ2yYNnxPdbOpo"
            or (ord(codes[i]) >= JOINED and codes[i] not in (J["c"], J["V"], J["g"], J["U"]))
        ):
            return i
        text = self.text
        if ":" in text.gap(i):  # قال ابن إسحاق: وأسر من المشركين
            return i
        for j in range(i + 1, min(i + 34, length)):
            letter = codes[j]
            if text.starts[j] - text.ends[j - 1] > 2 and "#" in (gap := text.gap(j)) and "Page" not in gap:
                return i  # a new paragraph
            if letter in "HSx" or (letter in "Q2" and codes[j + 1 : j + 2] in ("H", "S")):
                draft.gloss.append((i, j))
                return j
            if letter in "PdbQ2yYNnOA" or letter in (J["H"], F["H"], F["Q"]):
                return i
            names = letter in (J["K"], J["D"]) or (letter == J["E"] and codes[j + 1 : j + 2] == "B")
            if names and self._joined_end(j, chr(ord(letter) - JOINED)) > j + 1:
                draft.gloss.append((i, j))
                return j
        return i
