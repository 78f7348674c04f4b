"""One run of chains: from the author's first word of transmission to the last narrator, tahwil and joined narrators included.

The run is read from left to right over the letters of ``kg.extract.word_classes``; every step consumes words, so reading is linear.
"""

import re
from dataclasses import dataclass, field

from kg.extract.names import NAME, NAME_SURE
from kg.extract.word_classes import JOINED, THEN, WordClasses
from kg.text import Words

__all__ = ["Draft", "Run", "Text", "read_run"]

_J = {letter: chr(ord(letter) + JOINED) for letter in "HSAQ2NxEUlLKFDIMTkaEgVycsJnPCO"}
_F = {letter: chr(ord(letter) + THEN) for letter in "HSQ2NsCh"}


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


@dataclass(slots=True)
class Draft:
    """A narrator mention being read: words ``first`` to ``after - 1``, the name itself from word ``head``."""

    first: int
    after: int
    term: tuple[int, int] | None
    joined: bool = False  # the first word carries the conjunction
    received: list[int] = field(default_factory=list)
    kin: str | None = None
    kin_of: int | None = None
    anonymous: bool = False
    collective: bool = False
    gloss: list[tuple[int, int]] = field(default_factory=list)
    leg: int = 0
    end: int = 0  # word after the honorific
    named: bool = False  # a kin word with the name beside it: عن عمه واسع بن حبان
    beyond: bool = False  # told of in the matn, not a link of the chain: قال كان ابن عمر


@dataclass(slots=True)
class Run:
    """What was read: drafts in text order, the legs' first and last words, and how the run ends."""

    start: int
    drafts: list[Draft] = field(default_factory=list)
    legs: list[tuple[int, int]] = field(default_factory=list)
    roots: list[int] = field(default_factory=list)
    end: int = 0  # word after the last narrator with honorific
    matn: int = 0  # first word of the matn
    prophet: bool = False
    divine: bool = False
    reaches: tuple[int, int] | None = None
    gap: bool = False
    back: tuple[int, int] | None = None
    complete_legs: set[int] = field(default_factory=set)


_name = re.compile(NAME)
_sure = re.compile(NAME_SURE)
_lead = re.compile(f"(?:n?[Q2yYO{_F['Q']}{_F['2']}]u?|nVY|n?[Ss](?=y)|[nj])*")
_honorific = re.compile(r"z[GZ]+|ZZ")
_prophet = re.compile(r"P(?:G|P)?")
_said = re.compile("(?:n?(?:Q(?!QP)|Q(?=QP)|[2yYO])(?:u(?!P))?|nVY|n?[Ss]y)*(?:n(?=P))?")
_to_prophet = re.compile("(A|YA|YV|[NQ2]|nQ|)Z?[Pd](?:[GP]|(?<=d))?(?:z[GZ]*Z)?")
_speaks = re.compile("n?[Qy2]")
_kin = re.compile(f"(?:[I{_J['I']}])?[k{_J['k']}]")
_mulla = re.compile(f"[m{_J['g']}]")
_PUNCTUATION = re.compile(r"[،,؛;.:؟?!\"“”«»()\[\]{}|*#\-–—ـ۔]")
_HARD = re.compile(r"[.:؟?!\"“”«»{}۔]")
_END = re.compile(r"[:؟?!۔]|\.(?!\s*\u200f)")
_CARRIES_ON = "HJSsAxj" + _J["H"] + _J["A"] + _J["x"]
_DASH = re.compile(r"[\-–—ـ(\[]")


_SAME_WORD = {"ابا": "ابو", "ابن": "بن", "الله": "الله", "ابنه": "بنت"}


class _Reader:
    """The state of reading one run."""

    def __init__(self, text: Text, classes: WordClasses, start: int) -> None:
        self.text, self.codes, self.classes = text, text.codes, classes
        self.run = Run(start)
        self.front: list[int] = []
        self.pending: list[tuple[list[int], int]] = []  # ends of legs that go on elsewhere, with their depth
        self.depth = 0
        self.leg_start = start
        self.leg = 0
        self.by_depth: dict[int, int] = {}

    # -- names ---------------------------------------------------------------------------------------------------------

    def name_end(self, i: int, sure: bool = False) -> int:
        """The word after the name that starts at word ``i``; ``i`` where there is none."""
        found = (_sure if sure else _name).match(self.codes, i)
        if found is None:
            return i
        end = found.end()
        text, codes = self.text.text, self.codes
        if self.text.folded[i] == "علي" and end == i + 1 and text[self.text.ends[i] - 1] in "ىىٰ":
            return i  # the preposition على
        starts, ends = self.text.starts, self.text.ends
        for j in range(i + 1, end):
            if starts[j] - ends[j - 1] == 1 or not (gap := text[ends[j - 1] : starts[j]].strip(" \n\r\t~\u200e\u200f")):
                continue
            before, letter = codes[j - 1], codes[j]
            if before in "KFBIDMT" + _J["K"] + _J["F"] + _J["I"] + _J["D"] + _J["M"]:
                continue  # a slip of the editor's comma: وابن، نمير
            if _HARD.search(gap) or _DASH.search(gap):
                return j
            if letter in "BT" or (letter == "I" and j + 1 < end):
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
            if letter == "E" and codes[j + 1 : j + 2] == "B" and codes[i] in "KFLl":  # أبو القاسم، خالد بن خلي
                continue
            return j
        return end

    def after_name(self, i: int, draft: Draft | None) -> int:
        """The word after honorifics, glosses and circumstances that stand behind a narrator."""
        codes, length = self.codes, len(self.codes)
        last_named = i
        while i < length:
            letter = codes[i]
            if letter == "Z" and codes[i + 1 : i + 2] in ("H", "A") and self.text.folded[i] in ("عنه", "عنهما", "عنها"):
                i += 1
                continue
            if letter in "zZ":
                found = _honorific.match(codes, i)
                if found is None:
                    break
                i = last_named = found.end()
                if draft is not None:
                    draft.end = i
                continue
            gap = self.text.gap(i)
            if ("-" in gap or "ـ" in gap or "(" in gap or "–" in gap) and (close := self._closing(i)):
                if draft is not None:
                    draft.gloss.append((i, close))
                i = last_named = close
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
        for j in range(i + 1, min(i + 14, len(self.codes) + 1)):
            gap = text.gap(j)
            if "-" in gap or "ـ" in gap or ")" in gap or "–" in gap:
                if self.codes[i] in "QyzHSA" and self.codes[i] != "z":
                    return 0
                return j
        return 0

    def _gloss(self, i: int) -> int:
        codes, length = self.codes, len(self.codes)
        letter = codes[i]
        if letter == "g" and self.text.folded[i] in ("اراه", "احسبه", "اظنه") and codes[i + 1 : i + 2] in ("A", "Q", "H", "S"):
            return i + 1
        if letter in ("g", _J["g"]):  # يعني ابن زيد, وهو ابن سلام
            j = i + 1
            while j < length and codes[j] in "gA" and j < i + 3:
                j += 1
            if j < length and codes[j] == "a":
                return self._until_term(j, 14, aside=True) or i
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
        if letter == "m" or letter == "r" or (letter == "f" and codes[i + 1 : i + 2] in ("E", "D", "K", "F", "I", "L")):
            return self._office(i) or i
        if codes[i + 1 : i + 2] == "l" and self.text.folded[i] == "علي" and self.text.folded[i + 1] == "المنبر":
            return i + 2
        if letter in "IB" and codes[i + 1 : i + 2] == "r":  # ابن عم محمد بن سيرين
            return self._office(i + 1) or i
        if letter == "R" and codes[i + 1 : i + 2] in ("c", "Z"):  # قراءة عليه
            return self._until_term(i, 14) or i
        if letter == "U" and self.text.folded[i][0] == "ب" and i + 1 < length and codes[i + 1] in "HJSAQxyc":  # بحلوان
            return i + 1
        if letter == "M" and i + 1 < length and codes[i + 1] == "V":  # أم المؤمنين
            return i + 2
        if letter == "T" and codes[i + 1 : i + 2] == "P":  # بنت رسول الله
            return self._office(i)
        if letter == "V" and self.text.folded[i] in ("لا", "ما") and codes[i + 2 : i + 4] == "VA":  # لا أعلمه إلا عن
            return i + 3
        if letter == "a" and self.text.folded[i] != "من":  # رجلا من أصحاب النبي
            return self._until_term(i, 12, aside=True) or i
        if letter == "a":  # من أهل الكوفة, من بني عبد الدار
            return self._until_term(i, 7) or i
        if letter == "c" or letter == _J["c"]:  # قراءة عليه وأنا أسمع, ببغداد, سنة ...
            return self._until_term(i, 14) or (i + 1 if codes[i + 1 : i + 2] in ("Q", "y", _F["Q"]) else i)
        if letter == "V" and self.text.folded[i] == "لم":  # لم يسمه
            return self._until_term(i, 3) or i
        if letter in ("V", _J["V"]) and self.text.folded[i] in ("وكان", "وكانت", "وله", "وقد", "الذي", "التي"):  # وكان ثقة
            return self._until_term(i, 12, aside=True) or i
        return i

    def _office(self, i: int) -> int:
        """The word after مولى ابن عباس, صاحب الدستوائي, زوج النبي."""
        codes, length = self.codes, len(self.codes)
        j = i + 1
        if j >= length:
            return 0
        if codes[j] == "P":
            found = _prophet.match(codes, j)
            assert found is not None
            j = found.end()
            honorific = _honorific.match(codes, j)
            return honorific.end() if honorific else j
        if codes[j] in "mr" or self.text.folded[j] == "ال":
            return self._office(j)
        if codes[j] in "QHJSsAnNxj2yYO":
            return j
        end = self.name_end(j)
        return end if end > j else j + 1

    def _until_term(self, i: int, limit: int, aside: bool = False) -> int:
        """The next term of transmission, if one comes within ``limit`` words; an aside may name the Prophet and end in a verb of saying."""
        codes, length = self.codes, len(self.codes)
        for j in range(i + 1, min(i + limit + 1, length)):
            letter = codes[j]
            if letter == "S" and codes[j + 1 : j + 2] in ("V", "Z", "a"):  # أول حديث سمعته منه
                continue
            if letter in "HSAxjO" or letter in (_J["H"], _J["x"]) or (letter in "Q2y" and j + 1 < length and codes[j + 1] in "HJSAsQ2"):
                if not (aside and letter == "A" and codes[j + 1 : j + 2] not in ("E", "K", "F", "D", "I", "L", "k")):
                    return j
            if aside and letter in "QyYnN":
                return j
            if letter in "Qy" or (letter == "P" and not aside):
                return 0
        return 0

    # -- narrators -----------------------------------------------------------------------------------------------------

    def narrators(self, i: int, term: tuple[int, int] | None, sure: bool, verb: bool) -> int:
        """Reads the narrators joined at word ``i``; the word after them, or ``i`` where there is none."""
        group: list[int] = []
        start = i
        while True:
            end, draft = self._narrator(i, term, sure, verb)
            if draft is None:
                break
            draft.leg = self.leg
            self.run.drafts.append(draft)
            group.append(len(self.run.drafts) - 1)
            draft.end = draft.after
            i = self.after_name(end, draft)
            self.run.end = max(self.run.end, i)
            nxt = self._joins(i)
            if nxt is None and verb and not self.is_companion(draft):
                carried = self._carry(i, draft)
                if carried > i:
                    i = carried
                    nxt = self._joins(i)
            if nxt is None:
                break
            i, sure = nxt, True
        if not group:
            return start
        self._receive(group)
        return i

    def _receive(self, group: list[int]) -> None:
        """The narrators read last received from ``group``, which is now the front."""
        if self.front:
            for f in self.front:
                self.run.drafts[f].received.extend(group)
        else:
            self.run.roots.extend(group)
        self._previous_front = self.front
        self.front = group
        self.depth += 1

    def _attach(self, drafts: list[Draft]) -> None:
        first = len(self.run.drafts)
        self.run.drafts.extend(drafts)
        self.run.end = max(self.run.end, drafts[-1].end)
        self._receive(list(range(first, len(self.run.drafts))))

    def _carry(self, i: int, draft: Draft) -> int:
        """Passes over how and where it was received (قراءة عليه وأنا أسمع سنة كذا) up to the next word of transmission or joined narrator.

        After a teacher reached by a verb of telling the report itself needs a word of saying; where none stands the chain goes on.
        """
        codes, length = self.codes, len(self.codes)
        if i >= length or codes[i] in "HJSsAQ2yYNnxPdbOpo" or (ord(codes[i]) >= JOINED and codes[i] not in (_J["c"], _J["V"], _J["g"], _J["U"])):
            return i
        text = self.text
        for j in range(i + 1, min(i + 34, length)):
            letter = codes[j]
            if text.starts[j] - text.ends[j - 1] > 2 and "#" in (gap := text.gap(j)) and "Page" not in gap:
                return i  # a new paragraph
            if letter in "HSx" or (letter in "Q2" and codes[j + 1 : j + 2] in ("H", "S")):
                draft.gloss.append((i, j))
                return j
            if letter in "PdbQ2yYNnOA" or letter in (_J["H"], _F["H"], _F["Q"]):
                return i
            if letter in (_J["K"], _J["D"]) or (letter == _J["E"] and codes[j + 1 : j + 2] == "B"):
                if self._joined_end(j, chr(ord(letter) - JOINED)) > j + 1:
                    draft.gloss.append((i, j))
                    return j
        return i

    def _joins(self, i: int) -> int | None:
        """Where the next narrator of a joined group starts: وسفيان, و علي بن محمد, أو أبي سعيد."""
        codes, length = self.codes, len(self.codes)
        if i >= length:
            return None
        letter = codes[i]
        if self.text.starts[i] - self.text.ends[i - 1] > 1 and _END.search(self.text.gap(i)):
            return None
        if letter in "po":
            if i + 1 < length and (codes[i + 1] in "EKFDIMTLk" or (codes[i + 1] in "Ul" and self._name_then_chain(i + 1))):
                return i + 1
            return None
        if ord(letter) < JOINED or ord(letter) >= THEN:
            return None
        base = chr(ord(letter) - JOINED)
        if base in "EKFDIMTk":
            return i
        if (base in "ULla" and self._name_then_chain(i)) or (base == "l" and codes[i + 1 : i + 2] in ("K", "D")):
            return i
        return None

    def _name_then_chain(self, i: int) -> bool:
        """Whether a word that may or may not be a name is followed by what only follows a name."""
        codes = self.codes
        following = codes[i + 1] if i + 1 < len(codes) else "$"
        if following in "BIT" or following in "HJSAxj2" or following in (_J["H"], _J["x"], _J["A"], _J["E"], _J["K"], _J["D"]):
            return True
        if following == "L" and i + 2 < len(codes) and codes[i + 2] in "HJSAxj2":
            return True
        return following in "rmgzf" or (following in "QsNn" and bool(_PUNCTUATION.search(self.text.gap(i + 1))))

    def _narrator(self, i: int, term: tuple[int, int] | None, sure: bool, verb: bool) -> tuple[int, Draft | None]:
        codes, length = self.codes, len(self.codes)
        if i >= length:
            return i, None
        letter = codes[i]
        joined = JOINED <= ord(letter) < THEN
        base = chr(ord(letter) - JOINED) if joined else letter
        folded = self.text.folded[i]
        # my father: after a verb أبي is no kunya (that would be أبو); after a preposition it is, unless nothing follows
        if base == "F":
            following = codes[i + 1] if i + 1 < length else "$"
            if (verb and following != "B") or following in "HJSsAQ2yYnNxjV$" or ord(following) >= JOINED:
                draft = Draft(i, i + 1, term, joined, kin="father")
                return self._apposition(draft), self._with_kin(draft)
        if base in "kf" or (base == "I" and i + 1 < length and codes[i + 1] == "k"):
            at = i + 1 if base == "I" else i
            word = self.text.folded[at]
            if joined and at == i:
                word = word[1:]
            kin = "nephew or cousin" if base == "I" else self.classes.kin.get(word, "brother")
            if base == "f" and i + 1 < length and codes[i + 1] in "EDIKF" and not verb:
                end = self.name_end(i + 1)
                return end, Draft(i, end, term, joined)
            draft = Draft(i, at + 1, term, joined, kin=kin)
            return self._apposition(draft), self._with_kin(draft)
        if base == "a" or base == "m" or (base == "r" and not sure):
            return self._unnamed(i, term, joined)
        if folded in ("الاخر", "الاخران", "الاخرون"):
            return i, None
        if joined and not sure:
            joined = base in "EKFDI" and False
        if joined and base != "U":
            self_end = self._joined_end(i, base)
            return (self_end, Draft(i, self_end, term, True)) if self_end > i else (i, None)
        end = self.name_end(i, sure and not joined)
        if end == i:
            return i, None
        return end, Draft(i, end, term, joined)

    def _joined_end(self, i: int, base: str) -> int:
        """The end of a name whose first word carries the conjunction."""
        codes = self.codes
        self.codes = codes[:i] + base + codes[i + 1 :] if len(codes) < 400 else codes[:i] + base + codes[i + 1 : i + 40]
        end = self.name_end(i)
        self.codes = codes
        return end

    def _unnamed(self, i: int, term: tuple[int, int] | None, joined: bool) -> tuple[int, Draft]:
        """رجل من الأنصار, بعض أصحابنا, من سمع جابرا, مولى لبني هاشم: a narrator without a name."""
        codes, length = self.codes, len(self.codes)
        j = i + 1
        while j < min(i + 7, length):
            letter = codes[j]
            if letter in ("g", _J["g"]):  # امرأة يقال لها عقيلة, مولى أبي رهم واسمه عبيد
                k = j + 1
                while k < length and codes[k] in "cZV" and k < j + 3:
                    k += 1
                end = self.name_end(k) if k < length else k
                if end > k:
                    return end, Draft(k, end, term)
                break
            if letter in "HJAQ2yYxjnNOS" or (letter == "s" and codes[i] != "a") or letter in (_J["H"], _J["Q"], _F["Q"]):
                break
            if letter == "V" and self.text.folded[i].endswith("من") and j < i + 4 and self.text.folded[j] in ("لا", "لم", "به", "لا", "له"):
                j += 1
                continue
            if letter in "Vz" or ord(letter) >= JOINED or _PUNCTUATION.search(self.text.gap(j)):
                break
            j += 1
        folded = self.text.folded[i].removeprefix("و")
        many = folded in ("رجال", "ناس", "نفر", "عده", "اناس", "اشياخ", "مشيخه", "اصحاب", "جماعه", "رهط", "شيوخ", "غير", "اشياخه", "قوم", "نسوه")
        return j, Draft(i, j, term, joined, anonymous=True, collective=many)

    def _apposition(self, draft: Draft) -> int:
        """Takes a name that stands beside a kin word into the mention: عن عمه واسع بن حبان."""
        i, codes = draft.after, self.codes
        if i < len(codes) and codes[i] in "EDKMIULlF":
            gap = self.text.gap(i)
            if not _HARD.search(gap) and not _DASH.search(gap):
                end = self.name_end(i, True)
                if end > i and (codes[i] != "L" or codes[end : end + 1] in tuple("HJSAQ2yNn")):
                    draft.first, draft.after, draft.joined = i, end, False
                    draft.named = True
        return draft.after

    def _with_kin(self, draft: Draft) -> Draft:
        if self.front:
            of = self.front[0]
            previous = self.run.drafts[of]
            # عن أبيه عن جده: the grandfather is of the one whose father was named
            if draft.kin in ("grandfather", "grandmother") and previous.kin == "father" and previous.kin_of is not None:
                of = previous.kin_of
            draft.kin_of = of
        return draft

    # -- the run -------------------------------------------------------------------------------------------------------

    def tahwil(self, i: int, complete: bool) -> None:
        """A new leg starts at word ``i``."""
        self.run.legs.append((self.leg_start, self.run.end))
        if complete:
            self.run.complete_legs.add(self.leg)
        elif self.front:
            self.pending.append((self.front, self.depth))
        self.front, self.depth = [], 0
        self.leg += 1
        self.leg_start = i

    def gather(self, lead: str, at: int) -> None:
        """كلاهما, كلهم, جميعا, قالا, قالوا: the legs before this one go on from here too."""
        if not self.pending or not self.front:
            return
        joins = "2" in lead or "j" in lead
        if not joins:
            return
        words = [self.text.folded[at + k] for k, letter in enumerate(lead) if letter in "2j"]
        two = any(word in ("قالا", "كلاهما", "كليهما", "قالتا") for word in words)
        if (two and len(self.front) >= 2) or (any(word in ("جميعا",) for word in words) and len(self.front) >= 2):
            return
        take = self.pending[-1:] if two else self.pending
        if two and len(self.pending[-1][0]) + len(self.front) > 2:
            take = self.pending[-1:]
        if not two and words[0] == "قالوا" and len(self.front) >= 3:
            return
        ends = [end for group, _ in take for end in group]
        self.front = ends + self.front
        del self.pending[len(self.pending) - len(take) :]

    def key(self, draft: Draft) -> tuple[str, ...]:
        words = self.text.folded[draft.first : draft.after]
        if draft.joined:
            words = [words[0][1:], *words[1:]]
        if "ابي" in words:
            words = ["ابو" if word == "ابي" and words[k + 1 : k + 2] not in ([], ["بن"]) else word for k, word in enumerate(words)]
        return tuple([_SAME_WORD.get(word) or (word[2:] if word.startswith("ال") else word) for word in words])

    def same(self, first: tuple[str, ...], second: tuple[str, ...]) -> bool:
        """Whether two namings within one run may be one narrator: the shorter begins or stands within the longer."""
        short, long = sorted((first, second), key=len)
        if not short:
            return False
        width = len(short)
        return any(long[k : k + width] == short for k in range(len(long) - width + 1))

    def meet(self) -> None:
        """Ties the ends of legs that were left open to the leg they meet."""
        drafts = self.run.drafts
        for group, depth in self.pending:
            last_leg = [k for k, draft in enumerate(drafts) if draft.leg > drafts[group[0]].leg]
            if not last_leg:
                continue
            for end in group:
                key = self.key(drafts[end])
                twin = next((k for k in last_leg if drafts[k].kin is None and self.same(key, self.key(drafts[k]))), None)
                if twin is not None and drafts[twin].received:
                    drafts[end].received = list(drafts[twin].received)
                    continue
                if twin is not None:
                    continue
                # no name in common: the legs are as long as each other up to where they meet
                k = self._at_depth(last_leg, depth)
                if k is not None and drafts[k].received:
                    drafts[end].received = list(drafts[k].received)

    def _at_depth(self, candidates: list[int], depth: int) -> int | None:
        drafts = self.run.drafts
        leg = max(drafts[k].leg for k in candidates)
        inside = [k for k in candidates if drafts[k].leg == leg]
        level = {k for k in inside if k in self.run.roots}
        for _ in range(depth - 1):
            following = {r for k in level for r in drafts[k].received}
            if not following:
                break
            level = following
        return min(level) if level else None

    def read(self, i: int) -> Run | None:
        """The run that starts at word ``i``."""
        run, codes, length = self.run, self.codes, len(self.codes)
        run.end = i
        while True:
            while i < length:
                step = self._step(i)
                if step is None:
                    break
                i = step
            if not run.drafts:
                return None
            if self.front and not run.prophet:
                self._told_of(i)
            self._formula()
            # عن النبي صلى الله عليه وسلم ح وحدثنا: a whole chain, and another for the same matn
            if self.front and codes[run.matn : run.matn + 1] in ("x", _J["x"]) and run.matn + 1 < length:
                i = run.matn + 1
                self.tahwil(i, complete=run.prophet)
                continue
            break
        run.legs.append((self.leg_start, run.end))
        if not self.front and self.leg:
            run.gap = True
        self.meet()
        return run

    def _step(self, i: int) -> int | None:
        """One link; the word after it, or None where the chain ends."""
        codes, length, text = self.codes, len(self.codes), self.text
        run = self.run
        letter = codes[i]
        if letter == "x" or letter == _J["x"]:
            if not run.drafts:
                return None
            self.tahwil(i + 1, complete=False)
            return i + 1
        if letter == "o" and codes[i + 1 : i + 2] == "A" and self.front:  # أو عن أخيه
            return self._and_from(i + 1)
        if letter == "p" and i + 1 < length and codes[i + 1] in "HJ":
            if run.drafts and self.front:
                self.tahwil(i, complete=False)
            return i + 1
        if letter == _J["H"] and self.front:
            if self._speaker():  # قال ابن إسحاق: وحدثني عاصم
                return self._link(i + 1 + (codes[i + 1 : i + 2] == "A"), (i, i + 1), False, codes[i + 1 : i + 2] != "A", i)
            self.tahwil(i, complete=False)
        if letter == "i":  # وبه إلى أبي حنيفة
            k = i + 1
            if codes[k : k + 1] == "V" and text.folded[k] == "الي":
                return self._link(k + 1, (i, i + 1), False, False, i)
            end = self.name_end(k, True) if k < length else k
            if end > k and codes[end : end + 1] == "V" and text.folded[end] == "الي":  # وبسند يوسف بن خليل إلى أبي حنيفة
                return self._link(end + 1, (i, i + 1), False, False, i)
            return k if codes[k : k + 1] in ("H", "Q", "A", "S") else None
        if letter == "b" and self.front:  # نحوه قال أخبرني, بنحو من نصف هذا الحديث حدثنا
            for k in range(i + 1, min(i + 7, length)):
                if _HARD.search(text.gap(k)) or codes[k] in "PxA":
                    break
                if codes[k] in "HS":
                    return k
            return None
        if letter == _J["Q"] and self.front and not self.reached_companion():  # وقال الليث حدثني يونس
            k = i + 1 + (codes[i + 1 : i + 2] == "u")
            end = self.name_end(k) if k < length else k
            if end > k and codes[end : end + 1] in ("H", "A"):
                self.tahwil(i, complete=False)
                return self._link(k, (i, i + 1), False, True, i)
        lead_end = _lead.match(codes, i).end()  # type: ignore[union-attr]
        if not run.drafts and letter in (_J["Q"], _F["Q"]):  # وقال الليث
            lead_end = i + 1 + (codes[i + 1 : i + 2] == "u")
        lead = codes[i:lead_end].replace(_J["Q"], "Q").replace(_F["Q"], "Q")
        if lead:
            self.gather(lead, i)
        j = lead_end
        if j >= length:
            return None
        letter = codes[j]
        if lead[-1:] == "O" and letter in "gm" and (end := self._gloss(j)) > j:  # أن ثابتا أخبره وهو مولى عبد الرحمن
            run.drafts[-1].gloss.append((j, end))
            return end
        if lead and self.front and letter in ("x", _J["x"]):
            self.tahwil(j + 1, complete=False)
            return j + 1
        base = letter if ord(letter) < JOINED else chr(ord(letter) - (JOINED if ord(letter) < THEN else THEN))
        term = (j, j + 1)
        if base in "HJ" or (base in "Ss" and letter != _J["s"]):
            if base == "J" and (j + 1 >= length or codes[j + 1] not in "EKFDIMLk"):
                return None
            k = j + 1
            verb = base in "HJ"
            while k < length and k < j + 3 and (codes[k] in "cjH" or (codes[k] == "V" and text.folded[k] in ("به", "بها", "بذلك"))):
                k += 1
            if k < length and codes[k] == "A" and verb:  # حدثني عن مالك
                k += 1
                verb = False
            if k < length and base in "Ss" and text.folded[k] == "من":
                k += 1
            if verb and k < length and codes[k] in "QynSs2":  # قال الوليد بن العيزار أخبرني قال سمعت
                return k if run.drafts and run.drafts[-1].end == i and codes[k + 1 : k + 2] not in ("P", "") else None
            if base == "S" and codes[k : k + 1] == "a" and (self.reached_companion() or codes[k + 1 : k + 2] not in ("y", "Q", "A", "a", "Y")):
                return None  # سمعت رجلا قرأ
            return self._link(k, term, False, True, i)
        if base == "A" and letter != _F.get("A"):
            if letter == _J["A"]:
                return self._and_from(j)
            return self._link(j + 1, term, False, False, i)
        if base == "N":
            return self._that(j, i)
        if base == "R":
            k = j + 1
            while k < length and codes[k] in "cZ" and k < j + 3:
                k += 1
            if k < length and text.folded[k] == "علي":
                return self._link(k + 1, term, False, False, i)
            k = self._in_a_book(k)
            return self._link(k, term, False, False, i) if k else None
        if base == "W":
            k = j + 1
            if found := self._in_a_book(k):
                return self._link(found, term, False, False, i)
            if k < length and text.folded[k] in ("الي", "الينا", "لي"):
                return self._link(k + 1, term, True, True, i)
            return None
        if base == "h":
            if j + 1 < length and codes[j + 1] in "AN":
                return self._link(j + 2, term, False, False, i)
            return None
        if base == "C":
            k = j + 1
            if k < length and codes[k] == "A":
                return self._link(k + 1, term, False, False, i)
            return self._link(k, term, True, True, i)
        if base == "q" and (after := self._asked(j, term)):
            return after
        if base == "q" and text.folded[j] == "قلت" and codes[j + 1 : j + 2] == "U" and text.folded[j + 1][0] == "ل":
            inner = self.classes.get(text.folded[j + 1][1:], "U")  # قلت لأبي أسامة حدثكم
            end = self._joined_end(j + 1, inner) if inner in "EKFDIM" else j + 1
            if end > j + 1 and codes[end : end + 1] == "H":
                draft = Draft(j + 1, end, term, joined=True, leg=self.leg, end=end)
                self._attach([draft])
                return end
        if base == "w":  # أشهد على أبي سعيد
            k = j + 1
            return self._link(k + 1, term, True, False, i) if k < length and text.folded[k] == "علي" else None
        if base == "U" and text.folded[j] == "عمن" and j + 1 < length:  # عمن سمع جابرا
            k = j + 1
            while k < min(j + 4, length) and codes[k] not in "AQyNn" and not _PUNCTUATION.search(text.gap(k)):
                k += 1
            self._attach([Draft(j, k, term, anonymous=True, leg=self.leg, end=k)])
            return k
        last = codes[lead_end - 1 - (codes[lead_end - 1] == "u")]
        if lead and (last == _F["Q"] or last == "y") and codes[j] in "EKFDIMLUl":
            end = self.name_end(j, True)  # فقال حسان: a speech, unless he goes on to tell from another
            if codes[end : end + 1] not in tuple("HSsA"):
                return None
        if lead and lead.rstrip("u")[-1:] in tuple("Qy2YO") and (run.drafts or lead[0] == "Q"):
            after = self._says(j, lead_end - 1, i)
            if after is not None:
                return after
        return None

    def _speaker(self) -> bool:
        """Whether all that was read is one who speaks: قال ابن إسحاق."""
        drafts = self.run.drafts
        return len(drafts) == 1 and drafts[0].term is not None and self.text.folded[drafts[0].term[0]] in ("قال", "وقال", "فقال")

    def _in_a_book(self, k: int) -> int:
        """The word after في كتاب or بخط (0 where neither stands at word ``k``)."""
        folded = self.text.folded[k : k + 2]
        if folded == ["في", "كتاب"]:
            return k + 2
        return k + 1 if folded[:1] in (["بخط"], ["بكتاب"]) else 0

    def _link(self, k: int, term: tuple[int, int], sure: bool, verb: bool, i: int) -> int | None:
        codes, length = self.codes, len(self.codes)
        if k >= length:
            return None
        if codes[k] in "Pd":
            return self._prophet(k)
        after = self.narrators(k, term, sure, verb)
        return after if after > k else None

    def _prophet(self, k: int) -> int | None:
        """The Prophet is reached: the leg is complete; goes on only at a tahwil."""
        codes = self.codes
        found = _prophet.match(codes, k)
        end = found.end() if found else k + 1
        honorific = _honorific.match(codes, end)
        end = honorific.end() if honorific else end
        speaks = _speaks.match(codes, end)
        if speaks and codes[speaks.end() : speaks.end() + 1] == "x":
            end = speaks.end()
        if end < len(codes) and codes[end] in ("x", _J["x"]):
            self.tahwil(end + 1, complete=True)
            return end + 1
        return None

    def _and_from(self, j: int) -> int | None:
        """عن الأعرج وعن أبي سلمة: a second teacher beside the last."""
        if not self.front:
            return self._link(j + 1, (j, j + 1), False, False, j)
        front, self.front = self.front, getattr(self, "_previous_front", [])
        if not self.front:
            self.front = front
            return None
        self.depth -= 1
        after = self._link(j + 1, (j, j + 1), False, False, j)
        if after is None:
            self.front = front
            self.depth += 1
            return None
        self.front = front + self.front
        return after

    def _that(self, j: int, i: int) -> int | None:
        """أن فلانا أخبره: a narrator where a verb of telling or saying follows, or where no Companion was reached yet."""
        codes, length = self.codes, len(self.codes)
        k = j + 1
        if k >= length or codes[k] in "Pd":
            return None
        if codes[k] not in "EKFDIMLUlkaB":
            return None
        end = self._peek(k)
        if end == k:
            return None
        after = self.after_name(end, None)
        following = codes[after] if after < length else "$"
        if following == "O":
            return self._told(k, after)
        if not self.run.drafts:
            return None
        if codes[k] == "a":
            return None
        if self.reached_companion() and not (following in "QS" and codes[k] not in "kUl" and self.is_companion(Draft(k, end, None))):
            return None
        if following not in "QsySn" and any(self.run.drafts[f].kin and not self.run.drafts[f].named for f in self.front):
            return None
        if following in "QsySn" or codes[k] not in "Ul":
            return self._link(k, (j, j + 1), True, True, i)
        return None

    def _peek(self, k: int) -> int:
        """The end of what may be a group of narrators, without reading it."""
        codes = self.codes
        if codes[k] in "ka":
            return k + 1
        end = self.name_end(k, True)
        while end > k:
            after = self.after_name(end, None)
            nxt = self._joins(after)
            if nxt is None:
                break
            more = self._joined_end(nxt, chr(ord(codes[nxt]) - JOINED)) if ord(codes[nxt]) >= JOINED else self.name_end(nxt)
            if more <= nxt:
                break
            end = more
        return end

    def reached_companion(self) -> bool:
        """Whether one of the last narrators is known as a Companion."""
        return any(self.is_companion(self.run.drafts[f]) for f in self.front)

    def is_companion(self, draft: Draft) -> bool:
        return (draft.kin is None or draft.named) and self.key(draft) in self.classes.companions

    def _told(self, k: int, verb_at: int) -> int | None:
        after = self.narrators(k, (verb_at, verb_at + 1), True, True)
        return after if after > k else None

    def _told_of(self, i: int) -> None:
        """قال كان ابن عمر, قال دخلت على عائشة: the Companion with whom the report begins where the chain reached none."""
        codes, length, folded = self.codes, len(self.codes), self.text.folded
        lead = _lead.match(codes, i)
        j = lead.end() if lead else i
        if codes[j : j + 1] in ("P", "d", "x", "b") or self.reached_companion():
            return
        found: Draft | None = None
        k = j
        while k < min(j + 8, length):
            letter = codes[k]
            if letter in "PdxHb":
                break
            before = folded[k - 1]
            if letter in "EKFDIML" and codes[k - 1] not in "BIKFDMT" and before != "في":
                end = self.name_end(k, True)
                if end > k and not (folded[k] == "علي" and end == k + 1 and before not in ("مع", "عند", "الي", "رايت")):
                    draft = Draft(k, end, None, beyond=True, leg=self.leg, end=end)
                    if self.is_companion(draft) and (found is None or before in ("علي", "الي", "مع", "عند")):
                        found = draft
                    k = end
                    continue
            elif letter == "U" and folded[k][0] == "ل" and (inner := self.classes.get(folded[k][1:], "U")) in "EKFDIM":
                end = self._joined_end(k, inner)  # قلت لأبي سعيد
                draft = Draft(k, end, None, joined=True, beyond=True, leg=self.leg, end=end)
                if end > k and self.is_companion(draft):
                    found = found or draft
                    k = end
                    continue
            k += 1
        if found is None:
            return
        self.run.drafts.append(found)
        index = len(self.run.drafts) - 1
        for f in self.front:
            self.run.drafts[f].received.append(index)
        self.front = [index]

    def _asked(self, j: int, term: tuple[int, int]) -> int | None:
        """سألت أبا وائل عن المرجئة فقال حدثني عبد الله: he who was asked goes on with the chain."""
        codes, length, folded = self.codes, len(self.codes), self.text.folded
        k = j + 1
        if k < length and folded[k] in ("علي", "مع", "عند", "الي"):
            k += 1
        if k >= length:
            return None
        joined = codes[k] == "U" and folded[k][0] == "ل" and self.classes.get(folded[k][1:], "U") in "EKFDIM"
        if codes[k] not in "EKFDIM" and not joined:
            return None
        end = self._joined_end(k, self.classes[folded[k][1:]]) if joined else self.name_end(k, True)
        if end == k:
            return None
        for at in range(end, min(end + 10, length - 1)):
            if codes[at] in "Px":
                return None
            if codes[at] in ("Q", _F["Q"]) and codes[at + 1] in "HS":
                draft = Draft(k, end, term, joined=joined, leg=self.leg, end=end)
                self._attach([draft])
                return at
        return None

    def _says(self, k: int, say_at: int, i: int) -> int | None:
        """قال قال ابن عباس; and asides: قال ابن المثنى حدثنا."""
        codes, length, run = self.codes, len(self.codes), self.run
        if codes[k] in "Pd":
            return self._prophet(k)
        if codes[k] == "l" and self.text.folded[k] in ("الاخران", "الاخرون", "الاول", "الاولان", "الاخر", "الثاني"):
            return self._aside(k + 1)
        if codes[k] == "a" and codes[say_at] == "O":  # أنه أخبره رجال من كبراء قومه
            return self._link(k, (say_at, say_at + 1), False, True, i)
        if codes[k] in "kF" and codes[k + 1 : k + 2] in ("H", "S") and run.drafts:  # قال أبي حدثنا
            return self._link(k, (say_at, say_at + 1), True, True, i)
        if codes[k] == "V" and self.text.folded[k] == "كان" and codes[k + 1 : k + 2] not in ("", "P"):  # كان عمرو بن دينار يحدثه عن
            end = self.name_end(k + 1, True)
            if end > k + 1 and (codes[end : end + 2] in ("YA", "yH", "yS")):
                return self._link(k + 1, (say_at, say_at + 1), True, True, i)
            return None
        if codes[k] not in "EKFDIMLUl":
            return None
        sure = True
        end = self.name_end(k, True)
        if end == k:
            sure, end = False, self.name_end(k)
            if codes[end : end + 1] not in ("H", _J["H"]) and codes[end : end + 2] != "QH":
                return None
        draft = Draft(k, end, None)
        key = self.key(draft)
        if any(self.same(key, self.key(self.run.drafts[f])) for f in range(len(self.run.drafts))):
            return self._aside(end)
        if self.reached_companion():
            return None
        return self._link(k, (say_at, say_at + 1), sure, True, i)

    def _aside(self, end: int) -> int | None:
        """Passes over how each of the joined narrators put it: قال ابن أبي عمر حدثنا وقال عبد أخبرنا."""
        codes, length = self.codes, len(self.codes)
        j = self.after_name(end, None)
        for _ in range(6):
            if j + 1 < length and codes[j] in "HJS" and codes[j + 1] == _J["Q"]:
                k = j + 2
                name = self.name_end(k, False)
                j = self.after_name(name if name > k else k + 1, None)
            else:
                break
        return j if j < length and codes[j] in "HJSA" else None

    # -- the end -------------------------------------------------------------------------------------------------------

    def _formula(self) -> None:
        """Where the matn starts: after قال, أنه قال, عن النبي صلى الله عليه وسلم قال, قال سمعت رسول الله يقول."""
        run, codes, length, folded = self.run, self.codes, len(self.codes), self.text.folded
        first = i = run.end
        said = _said.match(codes, i)
        assert said is not None
        i = said.end()
        # up to the Prophet's own words, where the formula names him
        prophet = _to_prophet.match(codes, i)
        if prophet is not None:
            run.prophet, run.divine = True, "d" in prophet[0]
            after = prophet.end()
            speaks = prophet[1] == "A" or _speaks.match(codes, after)
            if speaks or prophet[1]:
                i = after
                more = _speaks.match(codes, i)
                i = more.end() if more else i
        if i > first:
            run.reaches = (first, i)
        run.matn = i
        if not run.prophet:
            run.prophet = "P" in codes[i : i + 8]
        for j in range(first, min(first + 7, length)):
            if (codes[j] == "b" and folded[j] not in ("هذا", "مثل", "نحو")) or (codes[j] == "b" and codes[j + 1 : j + 2] in ("l", "V", "b")):
                run.back = (j, j + 2) if folded[j] in ("بهذا", "هذا") and j + 1 < length else (j, j + 1)
                break
            if codes[j] in "H":
                break


def read_run(text: Text, classes: WordClasses, i: int, bare: int = 0) -> Run | None:
    """The run of chains that starts at word ``i``, or None where no narrator is named there.

    ``bare`` is the word after a name with which the run opens without a term.
    """
    reader = _Reader(text, classes, i)
    if bare:
        draft = Draft(i, bare, None, end=bare)
        reader._attach([draft])
        i = reader.after_name(bare, draft)
    return reader.read(i)
