"""One run of chains: from the author's first word of transmission to the last narrator, tahwil and joined narrators included.

The run is read from left to right over the letters of ``kg.extract.word_classes``; every step consumes words, so reading is linear.
What a link looks like depends on the part its word plays in the table of terms: ``_BY_PART`` says which method reads it.
"""

import re
from collections.abc import Callable

from kg.extract.drafts import Draft, Run
from kg.extract.isnad_text import HARD, LEAD, PUNCTUATION, SPEAKS, F, J, Text
from kg.extract.remarks import Remarks
from kg.extract.word_classes import JOINED, THEN, WordClasses

__all__ = ["read_run"]

_SAID = re.compile("(?:n?(?:Q(?!QP)|Q(?=QP)|[2yO]|Y(?!VP))(?:u(?!P))?|nVY|n?[Ss]y)*(?:n(?=P))?")
_TO_PROPHET = re.compile("(A|YA|YV|[NQ2]|nQ|)Z?[Pd](?:[GP]|(?<=d))?(?:z[GZ]*Z)?")
_RAISED = frozenset(("رفعه", "يرفعه", "روايه", "رفعاه"))  # what says, without his name, that the Prophet said it
_LONGEST = 256  # narrators of one run: a text that names more is read on as another
_THIS = frozenset(("الاسناد", "الحديث", "المعني", "السند", "الخبر", "اللفظ"))
_WHEN = frozenset("وهو يوم حين علي عند ذات عام غداه ليله بعد لاصحابه للناس لرجل لامراه لقوم".split())
_TO_WHOM = (["له"], ["لها"], ["لهم"])
_QUDSI = re.compile("[Qy]?[Qy]G")
_ASIDE = 6  # words that may stand between نحوه and the next word of transmission


class _Chains(Remarks):
    """Reads one run."""

    def read(self, i: int) -> Run | None:
        """The run that starts at word ``i``."""
        run, codes, length = self.run, self.codes, len(self.codes)
        run.end = i
        while True:
            while i < length and len(run.drafts) < _LONGEST:
                step = self._step(i)
                if step is None and (step := self.remark(i)) is None:
                    break
                i = step
            if not run.drafts:
                return None
            if self.front and not run.prophet:
                self._told_of(i)
            self._formula()
            # عن النبي صلى الله عليه وسلم ح وحدثنا: a whole chain, and another for the same matn
            if self.front and codes[run.matn : run.matn + 1] in ("x", J["x"]) and run.matn + 1 < length:
                i = run.matn + 1
                self.tahwil(i, complete=run.prophet)
                continue
            break
        run.legs.append((self.leg_start, run.end))
        if (not self.front and self.leg) or codes[run.matn :] == "x":
            run.gap = True
        self.meet()
        self.opinions()
        for draft in run.drafts:
            if not draft.received:
                draft.rank = self.rank(draft)
        return run

    def _step(self, i: int) -> int | None:
        """One link, or the start of another leg; the word after it, or None where the chain ends."""
        codes, length, run = self.codes, len(self.codes), self.run
        letter = codes[i]
        between = self._between(i, letter)
        if between is not NotImplemented:
            return between
        found = LEAD.match(codes, i)
        j = found.end() if found else i
        if not self.front and letter in (J["Q"], F["Q"]):  # وقال الليث
            j = i + 1 + (codes[i + 1 : i + 2] == "u")
        lead = codes[i:j].replace(J["Q"], "Q").replace(F["Q"], "Q")
        if lead:
            self.gather(lead, i)
        if j >= length:
            return None
        if lead and codes[j] == "p" and codes[j + 1 : j + 2] in ("H", "J"):  # ح قال و أخبرنا
            if self.front:
                self.tahwil(j, complete=False)
            return j + 1
        if lead and codes[j] == "c" and (term := self._until_term(j, 4)):  # قال إملاء علي حدثنا
            return term
        letter = codes[j]
        if lead[-1:] == "O" and letter in "gm" and (end := self._gloss(j)) > j:  # أن ثابتا أخبره وهو مولى عبد الرحمن
            run.drafts[-1].gloss.append((j, end))
            return end
        if lead and self.text.folded[j : j + 2] == ["هذا", "ما"] and codes[j + 2 : j + 3] in ("H", "S"):
            return j + 2  # قال هذا ما حدثنا أبو هريرة
        if lead and self.front and letter in ("x", J["x"]):
            self.tahwil(j + 1, complete=False)
            return j + 1
        if lead and self.front and letter == J["Q"]:  # قال وقال لي خليفة حدثنا
            return self._and_said(j)
        base = letter if ord(letter) < JOINED else chr(ord(letter) - (JOINED if ord(letter) < THEN else THEN))
        part = _BY_PART.get(base)
        if part is not None:
            return part(self, j, i)
        if base == "q" and (after := self._asked(j, (j, j + 1))):
            return after
        if base == "U" and self.text.folded[j] == "عمن" and j + 1 < length:
            return self._from_whom(j)
        return self._said_by(j, lead, i)

    def _between(self, i: int, letter: str) -> int | None:
        """What may stand between two links: a new leg, an aside, an author who speaks; NotImplemented where none of them does."""
        codes, length, run = self.codes, len(self.codes), self.run
        if letter == "x" or letter == J["x"]:
            if not run.drafts:
                return None
            self.tahwil(i + 1, complete=False)
            return i + 1
        if run.drafts and not self.front and JOINED <= ord(letter) < THEN and (after := self._leg_begins(i)) is not None:
            return after
        if self.front and JOINED <= ord(letter) < THEN and self._branches(i, self.front):
            return self._and_he(i)
        if letter in "bV" and self.text.folded[i] in ("فذكر", "وذكر") and self.front and self._speaker():
            end = self.name_end(i + 1, True) if i + 1 < length else i  # قال ابن إسحاق: فذكر الزهري عن عروة
            if codes[end : end + 1] == "A" and end > i + 1:
                return self._link(i + 1, (i, i + 1), True, True, i)
        if letter == "o" and codes[i + 1 : i + 2] == "A" and self.front:  # أو عن أخيه
            return self._and_from(i + 1)
        if letter == "p" and i + 1 < length and codes[i + 1] in "HJ":
            if run.drafts and self.front:
                self.tahwil(i, complete=False)
            return i + 1
        if letter == J["H"] and self.front:
            if self._speaker():  # قال ابن إسحاق: وحدثني عاصم
                after_an = codes[i + 1 : i + 2] == "A"
                return self._link(i + 1 + after_an, (i, i + 1), False, not after_an, i)
            self.tahwil(i, complete=False)
        elif letter == "H" and self._blessed(i):
            self.tahwil(i, complete=True)
        elif letter == "i":
            return self._thereby(i)
        elif letter == "b" and self.front:  # نحوه قال أخبرني, بنحو من نصف هذا الحديث حدثنا
            for k in range(i + 1, min(i + 1 + _ASIDE, length)):
                if HARD.search(self.text.gap(k)) or codes[k] in "PxA":
                    break
                if codes[k] in "HS":
                    return k
            return None
        elif letter == J["Q"] and self.front and (after := self._and_said(i)):
            return after
        return NotImplemented

    def _leg_begins(self, i: int) -> int | None:
        """ح وعبد الصمد حدثنا, ح وسريج وحسين قالا حدثنا, ح والحارث قراءة عليه عن: the names stand before their verb; ح وابن جريج عن عطاء."""
        codes = self.codes
        end = self._joined_end(i, chr(ord(codes[i]) - JOINED))
        if end == i:
            return None
        k = after = self.after_name(end, None)
        while (nxt := self._joins(k)) is not None and ord(codes[nxt]) >= JOINED:
            more = self._joined_end(nxt, chr(ord(codes[nxt]) - JOINED))
            if more == nxt:
                break
            k = self.after_name(more, None)
        if codes[k : k + 1] == "H" or codes[k : k + 2] in ("QH", "2H") or (codes[after : after + 1] == "A" and after > end):
            return self._beside(i)
        if codes[end : end + 1] == "A" and codes[end + 1 : end + 2] not in ("P", "d", ""):
            return self._takes_up(i, lambda: self._beside(i))
        return None

    def _blessed(self, i: int) -> bool:
        """عن أبي بكر رضي الله عنه. حدثنا عبد الله بن رجاء: behind a Companion with his blessing the author begins another chain."""
        return (
            bool(self.front)
            and self.codes[i - 1] == "Z"
            and self.text.folded[i].endswith("نا")
            and self.codes[i + 1 : i + 2] not in ("P", "d")
            and self.run.drafts[self.front[-1]].end == i
            and self.reached_companion()
        )

    # -- links by the part of their term -------------------------------------------------------------------------------

    def _told_us(self, j: int, i: int) -> int | None:
        """حدثنا قتيبة; حدثني عن مالك; قال الوليد أخبرني قال سمعت."""
        codes, length = self.codes, len(self.codes)
        if codes[j] == "J" and codes[j + 1 : j + 2] not in ("E", "K", "F", "D", "I", "M", "L", "k"):
            return None
        k = j + 1
        while k < length and k < j + 3 and (codes[k] in "cjH" or self.text.folded[k] in ("به", "بها", "بذلك")):
            k += 1
        if codes[k : k + 1] == "A":
            return self._link(k + 1, (j, j + 1), False, False, i)
        if codes[k : k + 1] == "a" and self.text.folded[k + 1 : k + 2] == ["ما"]:
            return None  # حدثني بعض ما كانت تسر إليك
        named = bool(self.run.drafts) and self.run.drafts[-1].end == i
        if (
            named
            and k < length
            and codes[k] not in "QynSs2a"
            and codes[(after := self.after_name(k, None)) : after + 1] in ("Q", "2")
        ):
            k = after  # حدثانا - واللفظ لأبي غسان - قالوا
        if k < length and codes[k] in "QynSs2":  # the name stands before its verb
            return k if named and codes[k + 1 : k + 2] not in ("P", "") else None
        return self._link(k, (j, j + 1), False, True, i)

    def _heard(self, j: int, i: int) -> int | None:
        """سمعت أبا هريرة; سمعته من سهل."""
        codes, length = self.codes, len(self.codes)
        if codes[j] == J["s"]:
            return None
        k = j + 1
        while k < length and k < j + 3 and codes[k] in "cjH":
            k += 1
        from_him = k < length and self.text.folded[k] == "من"
        k += from_him
        if codes[k : k + 1] == "a" and codes[j] in ("S", J["S"]):  # سمعت رجلا قرأ
            goes_on = codes[k + 1 : k + 2] in ("y", "Q", "A", "a", "Y")
            if self.reached_companion() or not goes_on:
                return None
        return self._link(k, (j, j + 1), False, not from_him, i)

    def _from(self, j: int, i: int) -> int | None:
        """عن الزهري; وعن الأعرج."""
        if self.codes[j] == F["A"]:
            return None
        if self.codes[j] == J["A"]:
            return self._and_from(j)
        if self.codes[j + 1 : j + 2] == "l" and self.codes[j + 2 : j + 3] in ("U", "V", "l", J["U"], J["V"]):
            return None  # سأله عن الوضوء مما مست النار
        return self._link(j + 1, (j, j + 1), False, False, i)

    def _read_to(self, j: int, i: int) -> int | None:
        """قرأت على مالك; قرأت في كتاب أبي."""
        codes, length = self.codes, len(self.codes)
        k = j + 1
        while k < length and codes[k] in "cZ" and k < j + 3:
            k += 1
        if k < length and self.text.folded[k] == "علي":
            return self._link(k + 1, (j, j + 1), False, False, i)
        k = self._in_a_book(k)
        return self._link(k, (j, j + 1), False, False, i) if k else None

    def _wrote(self, j: int, i: int) -> int | None:
        """كتب إلي عمر بن عبد العزيز; وجدت بخط أبي."""
        k = j + 1
        if found := self._in_a_book(k):
            return self._link(found, (j, j + 1), False, False, i)
        if k < len(self.codes) and self.text.folded[k] in ("الي", "الينا", "لي"):
            return self._link(k + 1, (j, j + 1), True, True, i)
        return None

    def _reached_us(self, j: int, i: int) -> int | None:
        """بلغني عن ابن عمر, بلغه أن عمر."""
        codes = self.codes
        if codes[j + 1 : j + 2] == "A" or (
            codes[j + 1 : j + 2] == "N" and codes[j + 2 : j + 3] in ("E", "K", "F", "D", "I", "M", "L")
        ):
            return self._link(j + 2, (j, j + 1), False, False, i)
        return None

    def _mentioned(self, j: int, i: int) -> int | None:
        """حدث أبو الزناد, روي عن علي, زعم عطاء."""
        if self.codes[j + 1 : j + 2] == "A":
            return self._link(j + 2, (j, j + 1), False, False, i)
        return self._link(j + 1, (j, j + 1), True, True, i)

    def _witness(self, j: int, i: int) -> int | None:
        """أشهد على أبي سعيد."""
        if self.text.folded[j + 1 : j + 2] == ["علي"]:
            return self._link(j + 2, (j, j + 1), True, False, i)
        return None

    def _from_whom(self, j: int) -> int:
        """عمن سمع جابرا: a narrator without a name, written together with عن."""
        codes, k = self.codes, j + 1
        while k < min(j + 4, len(codes)) and codes[k] not in "AQyNn" and not PUNCTUATION.search(self.text.gap(k)):
            k += 1
        self._attach([Draft(j, k, (j, j + 1), anonymous=True, leg=self.leg, end=k)])
        return k

    def _said_by(self, j: int, lead: str, i: int) -> int | None:
        """قال ابن عباس, where words of saying came before."""
        codes = self.codes
        if not lead:
            return None
        last = codes[j - 1 - (codes[j - 1] == "u")]
        if (last == F["Q"] or last == "y") and codes[j] in "EKFDIMLUl":
            end = self.name_end(j, True)  # فقال حسان: a speech, unless he goes on to tell from another
            if codes[end : end + 1] not in ("H", "S", "s", "A"):
                return None
        if lead.rstrip("u")[-1:] in ("Q", "y", "2", "Y", "O") and (self.run.drafts or lead[0] == "Q"):
            return self._says(j, j - 1, i)
        return None

    # -- the end -------------------------------------------------------------------------------------------------------

    def _formula(self) -> None:
        """Where the matn starts: after قال, أنه قال, عن النبي صلى الله عليه وسلم قال, قال سمعت رسول الله يقول."""
        run, codes, _length, _folded = self.run, self.codes, len(self.codes), self.text.folded
        first = i = run.end
        said = _SAID.match(codes, i)
        assert said is not None
        i = said.end()
        if i > first and run.drafts[-1].beyond and run.drafts[-1].term == (i - 1, i):
            i -= 1  # قال | قال عقبة لحذيفة
        if i > first and not _RAISED.isdisjoint(self.text.folded[first:i]):
            run.prophet = True
        # up to the Prophet's own words, where the formula names him
        prophet = _TO_PROPHET.match(codes, i)
        if prophet is not None:
            run.prophet, run.divine = True, "d" in prophet[0]
            after = prophet.end()
            speaks = prophet[1] == "A" or SPEAKS.match(codes, after)
            if speaks or prophet[1] or (i > first and "PP" not in prophet[0] and not self._scene(after)):
                more = SPEAKS.match(codes, after)
                end = more.end() if more else after
                if not (
                    more and prophet[1][:1] in ("N", "n") and self.text.folded[end : end + 1] in _TO_WHOM
                ):  # أن رسول الله قال لهم
                    i = end
            elif i > first and codes[i - 1] in "Qy":
                i -= 1  # قال رسول الله لعلي: to whom and when he said it is told
        if prophet is not None and _QUDSI.match(codes, i):  # قال الله عز وجل, behind the Prophet's name
            run.divine = True
        if i > first:
            run.reaches = (first, i)
        run.matn = i
        run.named = run.prophet
        run.back = self._points_back(first)

    def _scene(self, i: int) -> bool:
        """Whether the words behind the Prophet's name say to whom or when he spoke: لعلي, يوم خيبر, وهو على المنبر."""
        if i >= len(self.codes):
            return False
        word = self.text.folded[i]
        return (
            self.codes[i] in "uc" + J["c"] or word in _WHEN or (word[0] == "ل" and self.classes.get(word[1:], "U") in "EKFDIMCa")
        )

    def _points_back(self, first: int) -> tuple[int, int] | None:
        """بهذا الإسناد, مثله, نحو حديث شعبة behind the last narrator: the chain stands for a matn told before."""
        codes, folded = self.codes, self.text.folded
        for j in range(first, min(first + 7, len(codes))):
            if codes[j] == "H":
                return None
            if codes[j] != "b":
                continue
            word, following = folded[j], folded[j + 1] if j + 1 < len(codes) else ""
            if word.endswith("ذكر") and codes[j + 1 : j + 2] and codes[j + 1] in "EKFDIMLBk":
                continue  # فذكر الزهري: he tells
            if word in ("بهذا", "هذا"):
                if following in _THIS:
                    return j, j + 2
                if word == "بهذا":
                    return j, j + 1
            elif word not in ("مثل", "نحو") or following.startswith(("حديث", "معني", "روايه")):
                return j, j + 1 + (
                    word in ("مثل", "نحو", "بمثل", "بنحو", "بمعني") and following.startswith(("حديث", "معني", "روايه"))
                )
        return None


_BY_PART: dict[str, Callable[[_Chains, int, int], int | None]] = {
    "H": _Chains._told_us,
    "J": _Chains._told_us,
    "S": _Chains._heard,
    "s": _Chains._heard,
    "A": _Chains._from,
    "N": _Chains._that,
    "R": _Chains._read_to,
    "W": _Chains._wrote,
    "h": _Chains._reached_us,
    "C": _Chains._mentioned,
    "w": _Chains._witness,
}


def read_run(text: Text, classes: WordClasses, i: int, bare: int = 0) -> Run | None:
    """The run of chains that starts at word ``i``, or None where no narrator is named there.

    ``bare`` is the word after a name with which the run opens without a term.
    """
    reader = _Chains(text, classes, i)
    if bare:
        draft = Draft(i, bare, None, end=bare)
        reader._attach([draft])
        i = reader.after_name(bare, draft)
    return reader.read(i)
