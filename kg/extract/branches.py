"""Branches of a chain: a second teacher, with a chain of his own, of one who stands further back."""

from collections.abc import Callable

from kg.extract.drafts import Draft
from kg.extract.isnad_text import HONORIFIC, PROPHET, SPEAKS, F, J
from kg.extract.tahwil import Tahwil
from kg.extract.word_classes import JOINED, THEN

__all__ = ["Branches"]


class Branches(Tahwil):
    """Links to the narrators named next, and to those that are joined to one further back."""

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
        found = PROPHET.match(codes, k)
        end = found.end() if found else k + 1
        honorific = HONORIFIC.match(codes, end)
        end = honorific.end() if honorific else end
        speaks = SPEAKS.match(codes, end)
        if speaks and codes[speaks.end() : speaks.end() + 1] == "x":
            end = speaks.end()
        if end < len(codes) and codes[end] in ("x", J["x"]):
            self.tahwil(end + 1, complete=True)
            return end + 1
        return None

    def _and_from(self, j: int) -> int | None:
        """عن الأعرج وعن أبي سلمة: a second teacher beside the last; after a Companion, beside the one before him."""
        if not self.front:
            return self._takes_up(j + 1, lambda: self._link(j + 1, (j, j + 1), False, False, j))
        return self._branch(
            lambda: self._link(j + 1, (j, j + 1), False, False, j), j + 1, self._goes_on(j + 1), self.reached_companion()
        )

    def _and_he(self, i: int) -> int | None:
        """عن ثابت عن أنس وأيوب عن أبي قلابة."""
        if not self.front:
            return None
        if self._again(i) and len(self.levels) > 1:
            return self._beside_again(i)
        opinions = not self.reached_companion() and self._opinions(i)
        return self._branch(lambda: self._beside(i), i, True, True, opinions)

    def _takes_up(self, at: int, read: Callable[[], int | None]) -> int | None:
        """ح وعن عكرمة, ح وابن جريج عن عطاء: behind a whole chain, another teacher of one who stands in it."""
        if len(self.levels) > 1 and self.leg - 1 in self.run.complete_legs:
            back = self._back(at, opinions=False)
            self.front, self.levels = self.levels[-1 - back], self.levels[:-back]
            self.depth = len(self.levels)
        return read()

    def _beside_again(self, i: int) -> int | None:
        """عبد الرزاق أخبرنا معمر وعبد الأعلى عن معمر: both received from whom both name, and are of one teacher (or the author, of both)."""
        front = self.front
        self.front, self.levels = self.levels[-3] if len(self.levels) > 2 else [], self.levels[:-2]
        self.depth -= 2
        after = self._beside(i)
        if after is None or self.codes[after : after + 1] != "A":
            return after
        named = self._link(after + 1, (after, after + 1), False, False, after)
        if named is not None:
            self.front = front + self.front
            self.levels[-1] = self.front
        return named or after

    def _beside(self, i: int) -> int | None:
        after = self.narrators(i, None, True, False)
        return after if after > i else None

    def _branch(self, read: Callable[[], int | None], at: int, goes_on: bool, whole: bool, opinions: bool = False) -> int | None:
        """Reads teachers of those further back; the chain goes on from both, unless the one had come to its end (``whole``)."""
        back = 1
        if goes_on and len(self.levels) > 1 and (opinions or self.reached_companion()):
            back = self._back(at, opinions)
        if goes_on and whole and len(self.levels) > 2 and self._speaks_at_head():
            back = len(self.levels) - 1  # قال ابن إسحاق وحدثني يحيى عن أبيه عن عائشة، وعبد الله بن أبي بكر عن عمرة
        front, levels, depth = self.front, list(self.levels), self.depth
        self.front = levels[-1 - back] if len(levels) > back else []
        if not self.front:
            self.front = front
            return None
        self.levels = levels[:-back]
        self.depth -= back
        after = read()
        if after is None:
            self.front, self.levels, self.depth = front, levels, depth
            return None
        if back == 1:
            self.front = front + self.front
            self.levels[-1] = self.front
        return after

    def _back(self, at: int, opinions: bool) -> int:
        """How many levels a branch lies back that begins with the narrator of word ``at``: it is as long as the one beside it, and does
        not begin before him whom the last verb of telling names, unless it is joined to him as a subject, or names one of the chain again.

        معمر عن الزهري عن سالم عن ابن عمر وأيوب عن نافع عن ابن عمر
        """
        codes, levels = self.codes, self.levels
        joined = JOINED <= ord(codes[at]) < THEN
        end = self._joined_end(at, chr(ord(codes[at]) - JOINED)) if joined else self.name_end(at)
        key = self.key(Draft(at, end, None, joined))
        told = next((back for back in range(1, len(levels) + 1) if self._verbal(levels[-back][0])), len(levels))
        again = [back for back in range(1, len(levels)) if self.key(self.run.drafts[levels[-back][0]]) == key]
        if again:
            back = again[0]
        elif opinions:
            back = told
        elif joined and self.nominative(at):
            back = max(told - 1, min(self._length(at), told))
        else:
            back = max(2, min(self._length(at), told - 1))
        return max(1, min(back, len(levels) - 1))

    def _verbal(self, draft: int) -> bool:
        """Whether a verb of telling names a narrator as its subject, or he is joined to one who is; not عن, nor أخبرنا عن."""
        term = self.run.drafts[draft].term
        if term is None:
            return self.run.drafts[draft].joined
        return self.codes[term[0]] in "HJ" + J["H"] + F["H"] and self.codes[term[1] : term[1] + 1] != "A"

    def _goes_on(self, k: int) -> bool:
        """Whether the narrator at word ``k`` names a teacher of his own."""
        end = self.name_end(k) if k < len(self.codes) else k
        after = self.after_name(end, None) if end > k else k
        return end > k and self.codes[after : after + 1] == "A" and self.codes[after + 1 : after + 2] not in ("P", "d", "")

    def _speaks_at_head(self) -> bool:
        term = self.run.drafts[0].term
        return self.leg == 0 and term is not None and self.text.folded[term[0]] in ("قال", "وقال", "فقال")
