"""Links that are told in a clause: أن فلانا أخبره, قال قال ابن عباس, سألت أبا وائل فقال حدثني, قال كان ابن عمر."""

from kg.extract.branches import Branches
from kg.extract.drafts import Draft
from kg.extract.isnad_text import LEAD, F, J
from kg.extract.word_classes import JOINED

__all__ = ["Tellers"]


class Tellers(Branches):
    """One link by each construction; every method gives the word after it, or None where it is none."""

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
        if following == "C" and (told := self._told_whom(k, after)):
            return told
        if not self.run.drafts:
            return None
        if codes[k] == "a":
            return None
        if following == "Q" and self.text.folded[after + 1 : after + 2] in (["لرسول"], ["للنبي"], ["لنبي"]):
            return None  # أن سعدا قال لرسول الله: he is in the story
        if self.reached_companion() and not (
            following in "QS" and codes[k] not in "kUl" and self.is_companion(Draft(k, end, None))
        ):
            return None
        if following not in "QsySn" and any(self.run.drafts[f].kin and not self.run.drafts[f].named for f in self.front):
            return None
        says = following in "VU" and self.text.folded[after].startswith("كان") and codes[after + 1 : after + 2] in ("y", "Y")
        if says or following in "Q2sySng" + J["g"] + J["V"]:
            return self._link(k, (j, j + 1), True, True, i)
        if codes[k] not in "Ul" and self.is_companion(Draft(k, self.name_end(k, True), None)):
            self._acts(k, (j, j + 1))
        return None

    def _acts(self, k: int, term: tuple[int, int]) -> None:
        """أن ابن عمر أراد الحج, قال عمر لسعد: the report tells what he did or said to another; he is reached, and the matn names him."""
        end, known = self.run.end, len(self.run.drafts)
        self.narrators(k, term, True, True)
        self.run.end = end
        for draft in self.run.drafts[known:]:
            draft.beyond = True

    def _peek(self, k: int) -> int:
        """The end of what may be a group of narrators, without reading it."""
        codes = self.codes
        if codes[k] == "k" and codes[k + 1 : k + 2] in ("E", "D", "K", "M", "I"):  # أن أمه عمرة بنت عبد الرحمن
            return max(self.name_end(k + 1, True), k + 1)
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

    def _told_whom(self, k: int, verb_at: int) -> int | None:
        """أن عبد الله بن محمد أخبر ابن عمر عن عائشة: he who was told is no link."""
        codes = self.codes
        if self.text.folded[verb_at] not in ("اخبر", "حدث", "اخبرت", "حدثت"):
            return None
        end = self.name_end(verb_at + 1, True) if verb_at + 1 < len(codes) else verb_at + 1
        end = self.after_name(end, None)
        if codes[end : end + 1] not in ("A", "N", "n") or not self._told(k, verb_at):
            return None
        self.run.end = end
        return end

    def _told(self, k: int, verb_at: int) -> int | None:
        after = self.narrators(k, (verb_at, verb_at + 1), True, True)
        return after if after > k else None

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
        if joined and codes[end : end + 1] == "H":  # قلت لأبي أسامة حدثكم
            self._attach([Draft(k, end, term, joined=True, leg=self.leg, end=end)])
            return end
        for at in range(end, min(end + 10, length - 1)):
            if codes[at] in "Px":
                return None
            if codes[at] in ("Q", F["Q"]) and codes[at + 1] in "HS":
                draft = Draft(k, end, term, joined=joined, leg=self.leg, end=end)
                self._attach([draft])
                return at
        return None

    def _says(self, k: int, say_at: int, i: int) -> int | None:
        """قال قال ابن عباس; and asides: قال ابن المثنى حدثنا."""
        codes, _length, run = self.codes, len(self.codes), self.run
        if codes[k] in "Pd":
            return self._prophet(k)
        if codes[k] == "l" and self.text.folded[k] in ("الاخران", "الاخرون", "الاول", "الاولان", "الاخر", "الثاني"):
            return self._aside(k + 1)
        if codes[k] == "a" and codes[say_at] == "O":  # أنه أخبره رجال من كبراء قومه
            return self._link(k, (say_at, say_at + 1), False, True, i)
        if codes[k] in "kF" and codes[k + 1 : k + 2] in ("H", "S") and run.drafts:  # قال أبي حدثنا
            return self._link(k, (say_at, say_at + 1), True, True, i)
        if (
            codes[k] == "V" and self.text.folded[k] == "كان" and codes[k + 1 : k + 2] not in ("", "P")
        ):  # كان عمرو بن دينار يحدثه عن
            end = self.name_end(k + 1, True)
            if end > k + 1 and (codes[end : end + 2] in ("YA", "YN", "yH", "yS")):
                return self._link(k + 1, (say_at, say_at + 1), True, True, i)
            return None
        if codes[k] not in "EKFDIMLUl":
            return None
        sure = True
        end = self.name_end(k, True)
        if end == k:
            sure, end = False, self.name_end(k)
            if codes[end : end + 1] not in ("H", J["H"]) and codes[end : end + 2] != "QH":
                return None
        key = self.key(Draft(k, end, None))
        said_how = codes[end : end + 1] in ("H", "A", "S") or codes[end : end + 1] == J["Q"]
        named = [
            m
            for m, draft in enumerate(self.run.drafts)
            if (said_how or draft.leg == self.leg) and self.same(key, self.key(draft))
        ]
        # قال قال عبد الله: far from the author a Companion is himself, whoever else bears his name
        far = self.depth > 2 and self.is_companion(Draft(k, end, None)) and not self.reached_companion()
        if named and not (far and named[0] not in self.front and len(key) <= 2):
            return self._another(named[-1], end) or self._aside(end)
        first = end - 1 if codes[end - 1] in "Ll" else end - 2 if codes[end - 2] == "I" else k
        if codes[end : end + 1] == "A" and k < first and self._named_before(k, first):  # عن أبي أيوب قال حفص العتكي عن
            return end
        if self.reached_companion():
            return None
        to_whom = self.text.folded[after] if (after := self.after_name(end, None)) < len(codes) else ""
        if to_whom.startswith("ل") and self.classes.get(to_whom[1:], "U") in "EKFDIM":
            self._acts(k, (say_at, say_at + 1))  # قال عقبة لحذيفة
            return None
        return self._link(k, (say_at, say_at + 1), sure, True, i)

    def _named_before(self, first: int, after: int) -> bool:
        """Whether the words of a name begin that of a narrator read before."""
        key = self.key(Draft(first, after, None))
        return any(self.key(draft)[: len(key)] == key for draft in self.run.drafts)

    def _and_said(self, i: int) -> int | None:
        """وقال الليث حدثني يونس, وقال لي خليفة حدثنا يزيد: another chain for the same report, whoever of the chain it starts from."""
        codes = self.codes
        to_me = codes[i + 1 : i + 2] == "u"
        if self.reached_companion() and not to_me:
            return None
        k = i + 1 + to_me
        end = self.name_end(k) if k < len(codes) else k
        after = self.after_name(end, None) if end > k else k
        if end == k or codes[after : after + 1] not in ("H", "A"):
            return None
        key = self.key(Draft(k, end, None))
        drafts = self.run.drafts
        named = next((m for m, draft in enumerate(drafts) if draft.leg == self.leg and self.same(key, self.key(draft))), None)
        self.tahwil(i, complete=False)
        if named is None or to_me:
            return self._link(k, (i, i + 1), False, True, i)
        self.front, self.levels, self.depth = [named], [[named]], 1  # وقال أبو بكر حدثنا عبد الرحيم
        return after

    def _another(self, named: int, end: int) -> int | None:
        """قال الأعمش وحدثني مسلم: one of the chain has it from another teacher too."""
        codes = self.codes
        if codes[end : end + 1] != J["H"]:
            return None
        after_an = codes[end + 1 : end + 2] == "A"
        self.tahwil(end, complete=False)
        self.front, self.levels, self.depth = [named], [[named]], 1
        return self._link(end + 1 + after_an, (end, end + 1), False, not after_an, end)

    def _aside(self, end: int) -> int | None:
        """Passes over how each of the joined narrators put it: قال ابن أبي عمر حدثنا وقال عبد أخبرنا."""
        codes, length = self.codes, len(self.codes)
        j = self.after_name(end, None)
        for _ in range(6):
            if j + 1 < length and codes[j] in "HJS" and codes[j + 1] == J["Q"]:
                k = j + 2
                name = self.name_end(k, False)
                j = self.after_name(name if name > k else k + 1, None)
            else:
                break
        self.resumes = True
        return j if j < length and (codes[j] in "HJSA" or codes[j : j + 2] in ("QH", "QS")) else None

    def _speaker(self) -> bool:
        """Whether all that was read is one who speaks: قال ابن إسحاق."""
        return len(self.run.drafts) == 1 and self._speaks_at_head()

    def _thereby(self, i: int) -> int | None:
        """وبه إلى أبي حنيفة; وبسند يوسف بن خليل إلى أبي حنيفة; وبه قال حدثنا."""
        codes, length, folded = self.codes, len(self.codes), self.text.folded
        k = i + 1
        end = k if folded[k : k + 1] == ["الي"] else self.name_end(k, True) if k < length else k
        if folded[end : end + 1] == ["الي"]:
            return self._link(end + 1, (i, i + 1), False, False, i)
        return k if codes[k : k + 1] in ("H", "Q", "A", "S") else None

    def _in_a_book(self, k: int) -> int:
        """The word after في كتاب or بخط (0 where neither stands at word ``k``)."""
        folded = self.text.folded[k : k + 2]
        if folded == ["في", "كتاب"]:
            return k + 2
        return k + 1 if folded[:1] in (["بخط"], ["بكتاب"]) else 0

    def _asks_of(self, end: int) -> bool:
        """Whether the question follows the name that ends before word ``end``: عن الأولياء, وحمادا عن, عن is no link there."""
        after = self.after_name(end, None)
        letter = self.codes[after : after + 1]
        return (letter == "A" and self.codes[after + 1 : after + 2] not in tuple("EKFDIM")) or letter in (J["E"], J["K"], J["D"])

    def _told_of(self, i: int) -> None:
        """قال كان ابن عمر, قال دخلت على عائشة: the Companion with whom the report begins where the chain reached none."""
        codes, length, folded = self.codes, len(self.codes), self.text.folded
        lead = LEAD.match(codes, i)
        j = lead.end() if lead else i
        if (
            codes[j : j + 1] in ("P", "d", "x", "b")
            or self.depth < 2  # قال ابن إسحاق: قالت: فقال أبو بكر
            or self.reached_companion()
            or any(self.run.drafts[f].anonymous or self.run.drafts[f].beyond for f in self.front)
        ):
            return
        if (
            folded[j : j + 1] in (["سالت"], ["سالنا"])
            and j + 1 < length
            and (end := self.name_end(j + 1, True)) > j + 1
            and self._asks_of(end)
        ):
            self._acts(j + 1, (j, j + 1))  # سألت الحكم وحمادا عن الأولياء
            return
        found: Draft | None = None
        k = j
        while k < min(j + 8, length):
            letter = codes[k]
            if letter in "PdxHb":
                break
            before = folded[k - 1]
            if folded[k] == "علي" and codes[k + 1 : k + 2] not in ("B", "I", "L") and before not in ("مع", "عند", "الي", "رايت"):
                k += 1  # the preposition
                continue
            if letter in "EKFDIML" and codes[k - 1] not in "BIKFDMT" and before != "في":
                end = self.name_end(k, True)
                if end > k:
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
