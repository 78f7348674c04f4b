"""Narrators as a chain names them: by name, by kinship, without a name, several joined."""

from kg.extract.drafts import Draft
from kg.extract.glosses import Glosses
from kg.extract.isnad_text import DASH, END, HARD, PUNCTUATION, F, J, Text
from kg.extract.word_classes import JOINED, THEN, WordClasses

__all__ = ["Narrators"]


_SAYS = ("Q", J["Q"], F["Q"])
_NOMINATIVE = ("\u064f", "\u064c")  # damma, and with nun
_LONGEST_BRANCH = 8  # narrators of a branch within a chain
_MANY = frozenset("رجال ناس نفر عده اناس اشياخ مشيخه اصحاب جماعه رهط شيوخ غير اشياخه قوم نسوه".split())
_PEOPLE = frozenset("الانصار المهاجرين المسلمين القوم".split())


class Narrators(Glosses):
    """The narrators read so far; ``front`` are those whose teacher is not yet named."""

    def __init__(self, text: Text, classes: WordClasses, start: int) -> None:
        super().__init__(text, classes, start)
        self.front: list[int] = []
        self.levels: list[list[int]] = []  # the fronts of this leg so far, nearest the author first
        self.resumes = False  # the next narrator may be the last one named again
        self.pending: list[tuple[list[int], int]] = []  # ends of legs that go on elsewhere, with their depth
        self.gathered: list[tuple[list[int], int]] = []  # those taken up again by a word of joining, until a teacher is named
        self.depth = 0
        self.leg = 0
        self.leg_start = start

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
            tells = verb and (term is None or self.codes[term[0]] not in _SAYS)  # what follows قال is what he says
            if nxt is None and tells and not self.is_companion(draft):
                carried = self._carry(i, draft)
                if carried > i:
                    i = carried
                    nxt = self._joins(i)
            if nxt is None or self._branches(nxt, group):
                break
            i, sure = nxt, True
        if not group:
            return start
        self._receive(group)
        return i

    def _branches(self, i: int, group: list[int]) -> bool:
        """عن ثابت عن أنس وأيوب عن أبي قلابة: a second teacher of one further back, with a chain of his own."""
        codes = self.codes
        if not JOINED <= ord(codes[i]) < THEN:
            return False
        end = self._joined_end(i, chr(ord(codes[i]) - JOINED))
        if codes[end : end + 1] != "A" or codes[end + 1 : end + 2] in ("P", "d", ""):
            return False
        if all(self.is_companion(self.run.drafts[k]) for k in group) or self._opinions(i):
            return True
        return self._again(i, group[-1])

    def _again(self, i: int, last: int | None = None) -> bool:
        """عن أبيه عن علي بن الحسين، والزهري عن علي بن الحسين: whether the joined narrator has it from whom the chain has just named."""
        end = self._joined_end(i, chr(ord(self.codes[i]) - JOINED))
        again = self.name_end(end + 1, True)
        draft = self.run.drafts[self.front[-1] if last is None else last]
        same = self.key(Draft(end + 1, again, None)) == self.key(draft) if again > end + 1 else False
        return same and not self.is_companion(draft)

    def _opinions(self, i: int) -> bool:
        """أخبرنا يونس عن الحسن ومغيرة عن عامر وعبيدة عن إبراهيم في المرأة: what several held, each with a chain of his own to one teacher."""
        codes, text, branches = self.codes, self.text, 0
        while i < len(codes) and JOINED <= ord(codes[i]) < THEN and not PUNCTUATION.search(text.gap(i)):
            end = self._joined_end(i, chr(ord(codes[i]) - JOINED))
            if end == i or not self.nominative(i):
                break
            i, links = end, 0
            while codes[i : i + 1] == "A" and (end := self.name_end(i + 1)) > i + 1:
                if self.is_companion(Draft(i + 1, end, None)):
                    return False
                i, links = self.after_name(end, None), links + 1
            if not links:
                return False
            branches += 1
        if not branches or i >= len(codes):
            return False
        return text.folded[i] in ("في", "قالا", "قالوا", "انهما", "انهم")

    def nominative(self, i: int) -> bool:
        """Whether the word bears the ending of a subject: ومغيرةُ, وأبو بشر."""
        text = self.text
        return text.folded[i] in ("وابو", "ابو") or text.text[text.starts[i] : text.ends[i]].rstrip("\u200e\u200f").endswith(
            _NOMINATIVE
        )

    def _length(self, i: int) -> int:
        """How many narrators the branch has that begins with the joined narrator of word ``i``, and goes on with عن."""
        codes = self.codes
        joined = JOINED <= ord(codes[i]) < THEN
        end = self._joined_end(i, chr(ord(codes[i]) - JOINED)) if joined else self.name_end(i)
        count = 0
        while end > i:
            i, count = self.after_name(end, None), count + 1
            if codes[i : i + 1] != "A" or codes[i + 1 : i + 2] in ("P", "d", "") or count > _LONGEST_BRANCH:
                break
            i += 1
            end = i + 1 if codes[i] in "kf" else self.name_end(i)
        return count

    def _receive(self, group: list[int]) -> None:
        """The narrators read last received from ``group``, which is now the front."""
        drafts = self.run.drafts
        if self._named_again(group):
            # قال حسن حدثنا زيد بن الحباب: the same teacher, as one of his pupils named him
            last, again = self.front[0], group[0]
            for draft in drafts:
                if last in draft.received:
                    draft.received.append(again)
            self.front = [last, again]
            self.levels[-1] = self.front
            self.resumes = False
            return
        self.resumes = False
        self.gathered = []
        if self.front:
            for f in self.front:
                drafts[f].received.extend(group)
        else:
            self.run.roots.extend(group)
            self.levels = []
        self.levels.append(group)
        self.front = group
        self.depth += 1

    def _named_again(self, group: list[int]) -> bool:
        drafts = self.run.drafts
        if len(group) != 1 or len(self.front) != 1:
            return False
        last = drafts[self.front[0]]
        resumes = self.resumes or any(self.text.folded[first].startswith(("واللفظ", "وهذا")) for first, _ in last.gloss)
        return resumes and last.kin is None and self.same(self.key(last), self.key(drafts[group[0]]))

    def _attach(self, drafts: list[Draft]) -> None:
        first = len(self.run.drafts)
        self.run.drafts.extend(drafts)
        self.run.end = max(self.run.end, drafts[-1].end)
        self._receive(list(range(first, len(self.run.drafts))))

    def _joins(self, i: int) -> int | None:
        """Where the next narrator of a joined group starts: وسفيان, و علي بن محمد, أو أبي سعيد."""
        codes, length = self.codes, len(self.codes)
        if i >= length:
            return None
        letter = codes[i]
        if self.text.starts[i] - self.text.ends[i - 1] > 1 and END.search(self.text.gap(i)):
            return None
        if letter in "po":
            if i + 1 < length and (codes[i + 1] in "EKFDIMTLk" or (codes[i + 1] in "Ul" and self._name_then_chain(i + 1))):
                return i + 1
            return None
        if ord(letter) < JOINED or ord(letter) >= THEN:
            return None
        base = chr(ord(letter) - JOINED)
        if self.text.folded[i : i + 2] == ["وغير", "واحد"]:
            return i
        if base in "EKFDIMTk" or self.text.folded[i] in ("وغيره", "وغيرهما", "وغيرهم"):
            return i
        if (base in "ULla" and self._name_then_chain(i)) or (base == "l" and codes[i + 1 : i + 2] in ("K", "D")):
            return i
        return None

    def _name_then_chain(self, i: int) -> bool:
        """Whether a word that may or may not be a name is followed by what only follows a name."""
        codes = self.codes
        following = codes[i + 1] if i + 1 < len(codes) else "$"
        if following in "BIT" or following in "HJSAxj2" or following in tuple(J[c] for c in "HxAEKDLlFI"):
            return True
        if following == "L" and i + 2 < len(codes) and codes[i + 2] in "HJSAxj2":
            return True
        return following in "rmgzf" or (
            following in ("QsNn" if codes[i] in "Ll" + J["L"] + J["l"] else "Qs")
            and bool(PUNCTUATION.search(self.text.gap(i + 1)))
        )

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

    def _unnamed(self, i: int, term: tuple[int, int] | None, joined: bool) -> tuple[int, Draft]:
        """رجل من الأنصار, بعض أصحابنا, من سمع جابرا, مولى لبني هاشم: a narrator without a name."""
        codes, length = self.codes, len(self.codes)
        folded_first = self.text.folded[i].removeprefix("و")
        j = i + 1
        while j < min(i + 7, length):
            letter = codes[j]
            if letter in ("g", J["g"]):  # امرأة يقال لها عقيلة, مولى أبي رهم واسمه عبيد
                k = j + 1
                while k < length and codes[k] in "cZVu" and k < j + 3:
                    k += 1
                end = self.name_end(k) if k < length else k
                if end > k:
                    return end, Draft(k, end, term)
                break
            if j == i + 1 and folded_first == "غير":
                j += 1
                continue
            if letter in "HJAQ2yYxjnNOS" or (letter == "s" and codes[i] != "a") or letter in (J["H"], J["Q"], F["Q"]):
                break
            if (
                letter == "V"
                and self.text.folded[i].endswith("من")
                and j < i + 4
                and self.text.folded[j] in ("لا", "لم", "به", "لا", "له")
            ):
                j += 1
                continue
            if letter == "V" and self.text.folded[j - 1] == "من" and self.text.folded[j] in _PEOPLE:  # رجل من الأنصار
                return j + 1, Draft(i, j + 1, term, joined, anonymous=True, collective=folded_first in _MANY)
            if self.text.folded[j] == "عمن":
                break
            if (
                self.text.folded[j] in ("منهم", "منا")
                and codes[j + 1 : j + 2] not in tuple("EKDIM")
                and not PUNCTUATION.search(self.text.gap(j))
            ):  # أشياخ منهم
                j += 1
                continue
            if letter in "Vz" or ord(letter) >= JOINED or PUNCTUATION.search(self.text.gap(j)):
                break
            j += 1
        return j, Draft(i, j, term, joined, anonymous=True, collective=folded_first in _MANY)

    def _apposition(self, draft: Draft) -> int:
        """Takes a name that stands beside a kin word into the mention: عن عمه واسع بن حبان."""
        i, codes = draft.after, self.codes
        if i < len(codes) and codes[i] in "EDKMIULlF":
            gap = self.text.gap(i)
            if not HARD.search(gap) and not DASH.search(gap):
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

    def reached_companion(self) -> bool:
        """Whether one of the last narrators is known as a Companion; a bare name that many bore counts only far enough from the author."""
        far = self.depth > 2
        return any(self.is_companion(self.run.drafts[f]) and (far or len(self.key(self.run.drafts[f])) > 2) for f in self.front)
