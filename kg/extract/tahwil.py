"""Tahwil: where a second chain starts (ح), and where the chains meet."""

from kg.extract.narrators import Narrators

__all__ = ["Tahwil"]


_HELD = (["في"], ["فيمن"], ["انهما"], ["انهم"])
_MOST = 32  # legs of one run that are tied to where they meet


class Tahwil(Narrators):
    """Legs of a run: each starts with the author, and all go on where they meet."""

    def tahwil(self, i: int, complete: bool) -> None:
        """A new leg starts at word ``i``."""
        self.run.legs.append((self.leg_start, self.run.end))
        if complete or (self.depth > 2 and self.reached_companion()):
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
        self.gathered = list(take)
        del self.pending[len(self.pending) - len(take) :]

    def meet(self) -> None:
        """Ties the ends of legs that were left open to the leg they meet."""
        drafts, roots = self.run.drafts, set(self.run.roots)
        pending = self.pending + self.gathered
        keys = [self.key(draft) for draft in drafts] if pending else []
        for group, depth in pending[: -_MOST - 1 : -1]:
            later = [k for k, draft in enumerate(drafts) if draft.leg > drafts[group[0]].leg]
            if not later:
                continue
            for end in group:
                # a teacher of the author meets only one who was that too
                twins = [
                    k for k in later if drafts[k].kin is None and (k not in roots or depth == 1) and self.same(keys[end], keys[k])
                ]
                twin = next((k for k in twins if drafts[k].received), None)
                if (
                    twin is None and not twins and (group, depth) not in self.gathered
                ):  # no name in common: the legs are as long as each other up to where they meet
                    twin = self._at_depth(later, depth)
                if twin is not None and drafts[twin].received:
                    drafts[end].received = list(drafts[twin].received)

    def opinions(self) -> None:
        """هشيم حدثنا يونس عن الحسن ح وأخبرنا مغيرة عن إبراهيم قالا: where two each hold a thing, a shorter second leg is his who stands so
        much further back; of reports traced to Companions nothing is concluded from their length."""
        run = self.run
        codes, folded = self.codes, self.text.folded
        if len(run.roots) < 2 or not (codes[run.end : run.end + 1] == "2" or folded[run.end : run.end + 1] in _HELD):
            return
        first = self._line(run.roots[0])
        for root in run.roots[1:]:
            line = self._line(root)
            legs = {run.drafts[k].leg for k in line}
            apart = len(legs) == 1 and legs != {0} and not set(line) & set(first)
            if not apart or self.codes[run.legs[min(legs)][0] - 1] != "x":
                continue
            ends = (run.drafts[first[-1]], run.drafts[line[-1]])
            shorter = len(first) - len(line)
            if shorter > 0 and not any(self.is_companion(end) or end.beyond for end in ends):
                run.roots.remove(root)
                run.drafts[first[shorter - 1]].received.append(root)

    def _line(self, k: int) -> list[int]:
        """The first path from a narrator to its end."""
        line = [k]
        while self.run.drafts[line[-1]].received and len(line) < _MOST:
            line.append(self.run.drafts[line[-1]].received[0])
        return line

    def _at_depth(self, candidates: list[int], depth: int) -> int | None:
        drafts = self.run.drafts
        leg = drafts[candidates[-1]].leg
        level = {k for k in self.run.roots if drafts[k].leg == leg}
        for _ in range(depth - 1):
            following = {r for k in level for r in drafts[k].received}
            if not following:
                break
            level = following
        return min(level) if level else None
