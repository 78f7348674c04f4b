"""Remarks that break a chain off before it goes on: حفظناه كما أنك هاهنا أخبرني عبيد الله, دخل علينا عبد الرحمن بن غنم فقال حدثني."""

from kg.extract.drafts import Draft
from kg.extract.isnad_text import END, F, J
from kg.extract.tellers import Tellers

__all__ = ["Remarks"]

_LONGEST = 14  # words of a remark
_SAYS = ("Q", "y", F["Q"], J["Q"])
_WORDING = frozenset("لفظ لفظه لفظهما واللفظ وهذا كلمه حفظته حفظناه سمعته سمعناه فيما كما المعني الاخران الاخرون الاخر".split())
"""Words after which even a bare حدثنا goes on with the chain: واللفظ له، وهذا لفظه، ثم ذكر كلمة معناها."""
_OTHER = frozenset("وفي وزاد زاد رواه ورواه روايه تابعه وتابعه".split())
"""Words with which another telling of the report is spoken of: وفي حديث جرير عن سليمان."""


class Remarks(Tellers):
    """Finds the link with which a chain goes on behind a remark."""

    def remark(self, i: int) -> int | None:
        """The word after what was read of a link behind the remark that starts at word ``i``, or None where the chain has ended.

        Only a chain that has reached no Companion can go on. A remark names neither the Prophet nor a new teacher of the author;
        whoever speaks in it is a link: ذكرنا عند إبراهيم الرهن فقال حدثني الأسود.
        """
        if not self._may_go_on(i):
            return None
        codes, text = self.codes, self.text
        last = min(i + _LONGEST, len(codes) - 1)
        speaker = Draft(i, i, None)
        k = i
        while k < last:
            letter = codes[k]
            if letter in "PdxbR" + J["H"] + J["x"] or text.folded[k] in _OTHER or (letter == "p" and codes[k + 1] == "H"):
                return None
            if k > i and ((END.search(gap := text.gap(k)) and codes[k - 1] not in _SAYS) or "#" in gap):
                return None
            if letter == J["Q"] and self._another_chain(k):
                return None
            if k > i and (end := self._link_at(k)):
                return self._resume(i, k, end, speaker)
            if letter in "EKFDIM" and text.folded[k - 1] != "في" and (after := self.name_end(k, True)) > k:
                named = Draft(k, after, None, end=after)
                term = codes[after : after + 1]
                if k > i and (term == "A" or (term in ("H", "S") and codes[k - 1] in _SAYS)) and (end := self._link_at(after)):
                    if self._named(named) or codes[k - 1] in "mr":  # وهذا حديث إبراهيم عن أشعث
                        return self._resume(i, after, end, None)
                    self.run.breaks.append((i, k))
                    return self._beside(k)  # ولكن عبد الرحمن بن الأسود عن أبيه
                speaker = named
                k = after
                continue
            k += 1
        return None

    def _may_go_on(self, i: int) -> bool:
        run = self.run
        if not self.front or run.prophet or self.reached_companion() or i >= len(self.codes):
            return False
        last = run.drafts[self.front[-1]]
        return not (last.anonymous or last.beyond)

    def _resume(self, i: int, k: int, end: int, speaker: Draft | None) -> int | None:
        """Takes up the chain at the term of word ``k``, whose narrator ends at word ``end``."""
        codes, folded = self.codes, self.text.folded
        letter = codes[k]
        says = speaker is None or codes[k - 1] in _SAYS or folded[k - 1] == "ثم"
        if letter == "H" and folded[k].endswith("نا") and not says and _WORDING.isdisjoint(folded[i:k]):
            return None  # another chain of the author
        if self.depth == 1 and self.run.start and self._named(Draft(k + 1, end, None)):
            return None  # ثم حدثنيه مسلم: what another had from the same man
        if speaker is not None and speaker.after > speaker.first:  # not the empty one of the start
            key = self.key(speaker)
            if (
                letter in ("S", "s", F["S"])
                and self.is_companion(speaker)
                and not self.same(key, self.key(Draft(k + 1, end, None)))
            ):
                return None
            if not self._named(speaker) and (letter == F["H"] or codes[k - 1] == F["Q"]):
                speaker.leg = self.leg
                self._attach([speaker])
        if k - i > 2 and "H" not in codes[i:k] and _WORDING.isdisjoint(folded[i:k]):  # what is told, not how it was received
            self.run.breaks.append((i, k))
        self.resumes = True
        return k

    def _another_chain(self, k: int) -> bool:
        """وقال حجاج حدثنا حماد: one not named before has it from another."""
        codes = self.codes
        end = self.name_end(k + 1)
        if end <= k + 1 or codes[end : end + 1] not in ("H", "A") or self.text.folded[k + 1] in _WORDING:
            return False
        return not self._named(Draft(k + 1, end, None))

    def _named(self, draft: Draft) -> bool:
        """Whether a narrator read before may be the one named."""
        key = self.key(draft)
        return any(self.same(key, self.key(other)) for other in self.run.drafts)

    def _link_at(self, k: int) -> int:
        """The end of the name behind the word of transmission at word ``k`` (0 where it is no link)."""
        codes = self.codes
        letter = codes[k]
        if letter not in ("H", "S", "A", F["H"], F["S"]) and not (letter == "s" and codes[k - 1] == "n"):
            return 0
        following = codes[k + 1 : k + 2]
        if following in ("k", "F") and codes[k + 2 : k + 3] in ("A", "Q", "n", "H", "S"):
            return 0 if letter in ("S", "s", F["S"]) else k + 2
        if letter in ("H", F["H"]) and following == "a" and self.text.folded[k + 2 : k + 3] != ["ما"]:
            return k + 2  # كما حدثني بعض أهل العلم
        if letter in ("H", F["H"]) and following == "A":
            return k + 2 if self._link_at(k + 1) else 0
        end = self.name_end(k + 1, True) if following else k + 1
        if end == k + 1:
            return 0
        after = codes[(at := self.after_name(end, None)) : at + 1]
        if letter in ("H", F["H"]):
            return end
        if letter == "A":
            return end if after == "A" and codes[at + 1 : at + 2] not in ("P", "l", "") else 0
        return end if after in ("y", "Q") else 0
