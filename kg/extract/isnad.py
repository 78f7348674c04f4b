"""Reading isnads: narrators with their terms, who received from whom, the paths, and the matn they carry.

One pass over the words of a passage, linear in their number. Tables of terms, names and kin words stand in ``tables/``.
"""

import re
from collections.abc import Mapping
from typing import Any

from kg.extract.chains import read_run
from kg.extract.drafts import Draft, Run
from kg.extract.isnad_text import MARK, Text
from kg.extract.name_spans import NameSpans
from kg.extract.names import HEAD, NAME, NAME_SURE, name_parts, plain
from kg.extract.paths import isnads_of, points_back
from kg.extract.record import Gloss, Isnad, NarratorMention, Term
from kg.extract.word_classes import JOINED, THEN, WordClasses
from kg.text import Passage, Words

__all__ = ["IsnadReader"]

_J = {letter: chr(ord(letter) + JOINED) for letter in "HSACQRK"}
_F = {letter: chr(ord(letter) + THEN) for letter in "HQ"}
_HONORIFIC = r"(?:z[GZ]*Z)?"
_START = re.compile(
    f"[Q{_J['Q']}{_F['Q']}](?={NAME}{_HONORIFIC}[H{_J['H']}])"  # قال ابن إسحاق حدثني
    f"|[H{_J['H']}{_F['H']}](?=V?A?{NAME_SURE}|[kfa]|F[HSAQ2yj{_J['K']}]|{NAME}{_HONORIFIC}(?:[HJSsA2xjncR]|[Qy][HSQ]))"
    f"|[S{_J['S']}](?={NAME_SURE}|{NAME}[yQ])"
    f"|[A{_J['A']}](?={NAME_SURE}{_HONORIFIC}A{NAME_SURE})"
    f"|[CQ{_J['C']}{_J['Q']}](?={NAME}QH)"  # ذكر هشام بن محمد قال حدثني
    f"|[QC](?={NAME_SURE}A{NAME_SURE}A)"
    f"|i(?=V{HEAD}|{NAME_SURE}V|[Q]?H)"  # وبه إلى أبي حنيفة
    f"|R"
)
_PARAGRAPH = re.compile(r"[#.|:]|\n\s*\n")
_FROM = "A" + _J["A"]
_SAY = "Q" + _J["Q"]
_AGAIN = "HQ" + _J["H"] + _J["Q"]
_BEGUN, _SAID = 8, 3  # words of a report before it is begun again; of what the Prophet says
_TELLS = "H" + _J["H"] + _F["H"]
_BARE = re.compile(f"({NAME_SURE}){_HONORIFIC}(?:A{NAME}|n?sA?{NAME}|nh[AN])")
_name, _sure = re.compile(NAME), re.compile(NAME_SURE)


class IsnadReader:
    """Reads the isnads of passages; loads the tables once.

    >>> passage = Passage("t:1", "حدثنا قتيبة حدثنا سفيان عن الزهري عن أنس قال")
    >>> mentions, isnads = IsnadReader().read(Words(passage.text), passage)
    >>> [(m.surface, m.term.text, m.received_from) for m in mentions]
    [('قتيبة', 'حدثنا', (1,)), ('سفيان', 'حدثنا', (2,)), ('الزهري', 'عن', (3,)), ('أنس', 'عن', ())]
    >>> isnads[0].path
    (0, 1, 2, 3)
    """

    def __init__(self) -> None:
        self.classes = WordClasses.load()
        self._names: dict[tuple[str, str], Mapping[str, Any]] = {}

    def read(self, words: Words, passage: Passage) -> tuple[tuple[NarratorMention, ...], tuple[Isnad, ...]]:
        """The narrators of the passage in text order and the isnads over them."""
        text = Text(words, self.classes)
        runs = self._runs(text)
        mentions: list[NarratorMention] = []
        isnads: list[Isnad] = []
        told = self._told_by_speaker(text, runs)
        ends = self._matns(text, runs)
        for number, run in enumerate(runs):
            base = len(mentions)
            for k, draft in enumerate(run.drafts):
                mentions.append(self._mention(text, run, k, draft, base, len(mentions)))
            if told and not number:
                continue
            speaker = runs[0] if number in told else None
            isnads.extend(isnads_of(text, run, base, ends[number], self.classes, speaker, passage.kind == "hadith"))
        return tuple(mentions), tuple(isnads)

    def _matns(self, text: Text, runs: list[Run]) -> list[int]:
        """The word after each run's matn: where the next run starts, but where a report is broken off and begun again
        behind a second chain from the same narrator (قالت كان النبي ح وحدثنا … عن عائشة قالت كان النبي يخفف), both carry the whole."""
        ends = [run.start for run in runs[1:]] + [len(text.codes)]
        for number in range(len(runs) - 2, -1, -1):
            run, again = runs[number], runs[number + 1]
            if run.matn < again.start <= run.matn + (_SAID if run.named else _BEGUN) and self._begins_again(
                text, run, again, ends[number + 1]
            ):
                run.matn, ends[number] = again.matn, ends[number + 1]
                run.prophet, run.divine = run.prophet or again.prophet, run.divine or again.divine
        return ends

    def _begins_again(self, text: Text, run: Run, again: Run, end: int) -> bool:
        if text.codes[again.start] not in _AGAIN or len(again.drafts) < 3 or again.matn >= end:
            return False
        if run.back or again.back or points_back(text, run.matn, again.start) or points_back(text, again.matn, end):
            return False
        first, last = run.drafts[-1], again.drafts[-1]
        spans = NameSpans(text, self.classes, run.start)
        return spans.same(spans.key(first), spans.key(last)) or text.codes[again.start - 1] == "x"

    def _told_by_speaker(self, text: Text, runs: list[Run]) -> set[int]:
        """The runs that go on from one who speaks at the head of the passage: قال ابن إسحاق: ثم مضى الناس، فحدثني عبد الله بن أبي بكر."""
        if len(runs) < 2 or len(runs[0].drafts) != 1 or text.codes[runs[0].start] not in _SAY:
            return set()
        told: set[int] = set()
        base = 1
        for number, run in enumerate(runs[1:], 1):
            if text.codes[run.start] in _TELLS:
                told.add(number)
                runs[0].drafts[0].received.extend(root + base for root in run.roots)
            base += len(run.drafts)
        return told

    def _runs(self, text: Text) -> list[Run]:
        codes, length = text.codes, len(text.codes)
        runs: list[Run] = []
        i = 0
        if length:
            run = self._open(text)
            if run is not None:
                runs.append(run)
                i = max(run.end, run.matn, max(draft.after for draft in run.drafts))
        while i < length:
            found = _START.search(codes, i)
            if found is None:
                break
            start = found.start()
            if codes[start] == "C" and text.folded[start] not in ("ذكر", "حكي"):
                i = start + 1
                continue
            if codes[start] in _FROM and not _PARAGRAPH.search(
                text.gap(start)
            ):  # أخرجه البخاري عن قتيبة عن جرير: where it is found, no isnad
                i = start + 1
                continue
            run = read_run(text, self.classes, start)
            if (
                run is not None and len(run.drafts) >= 2 and _credible(text, run)
            ):  # a lone name inside a text is a quotation, no chain
                if runs and len(runs[-1].drafts) == 1 and runs[-1].end >= start - 1 and codes[runs[-1].start] in _SAY:
                    runs.pop()  # قال أبو عبد الله وقال ابن وهب أخبرنا: the author of the book speaks
                runs.append(run)
                i = max(run.end, run.matn, start + 1, max(draft.after for draft in run.drafts))
            else:
                i = start + 1
        return runs

    def _open(self, text: Text) -> Run | None:
        """The chain at the head of a passage, which may open with a bare name: مالك عن نافع."""
        bare = _BARE.match(text.codes)
        run = read_run(text, self.classes, 0, bare.end(1) if bare else 0)
        if run is None or not _credible(text, run):
            return None
        first = run.drafts[0].term
        if first is not None and text.codes[first[0]] == "C" and len(run.drafts) < 3 and run.reaches is None:
            return None  # روى عن أبيه: what a dictionary says of a man
        return run

    def _mention(self, text: Text, run: Run, k: int, draft: Draft, base: int, index: int) -> NarratorMention:
        start, end = text.starts[draft.first], text.ends[draft.after - 1]
        source = text.text
        if draft.joined:
            start = _after_conjunction(source, start)
        surface = source[start:end]
        term = None
        if draft.term is not None:
            t0, t1 = draft.term
            entry = self.classes.term(text.folded[t0])
            term = Term(
                text.starts[t0], text.ends[t1 - 1], source[text.starts[t0] : text.ends[t1 - 1]], entry.concept if entry else None
            )
        name: Mapping[str, Any] = {}
        if draft.named or (draft.kin is None and not draft.anonymous):
            name = self._parts(surface, text.codes[draft.first : draft.after])
        elif draft.kin_of is not None:
            name = self._kin_name(text, run, draft)
        return NarratorMention(
            start,
            end,
            surface,
            name,
            term,
            tuple(r + base for r in draft.received),
            draft.kin,
            None if draft.kin_of is None else draft.kin_of + base,
            draft.anonymous,
            draft.collective,
            tuple(self._gloss(text, span) for span in draft.gloss),
        )

    def _parts(self, surface: str, codes: str) -> Mapping[str, Any]:
        key = (surface, codes)
        parts = self._names.get(key)
        if parts is None:
            first = codes[0]
            words = plain(MARK.sub(_supplied, surface) if "(" in surface or "[" in surface else surface)
            if ord(first) >= JOINED:
                codes = chr(ord(first) - JOINED) + codes[1:] if first != chr(ord("U") + JOINED) else "U" + codes[1:]
            parts = name_parts(words, codes[: len(words)])
            if len(self._names) < 200_000:
                self._names[key] = parts
        return parts

    def _kin_name(self, text: Text, run: Run, draft: Draft) -> Mapping[str, Any]:
        """The name of a father or grandfather, where the son's nasab gives it."""
        son = run.drafts[draft.kin_of] if draft.kin_of is not None else None
        if son is None or draft.kin not in ("father", "grandfather"):
            return {}
        if (son.kin is not None and not son.named) or son.anonymous:
            return {}
        start = text.starts[son.first]
        if son.joined:
            start = _after_conjunction(text.text, start)
        nasab = self._parts(text.text[start : text.ends[son.after - 1]], text.codes[son.first : son.after]).get("nasab", [])
        nasab = nasab[1:] if draft.kin == "grandfather" else nasab
        if not nasab:
            return {}
        first = nasab[0]
        name: dict[str, Any] = {"kunya": first} if first.startswith(("أبو ", "ابو ")) else {"ism": first}
        if nasab[1:]:
            name["nasab"] = list(nasab[1:])
        return name

    def _gloss(self, text: Text, span: tuple[int, int]) -> Gloss:
        first, after = span
        start, end = text.starts[first], text.ends[after - 1]
        name: Mapping[str, Any] = {}
        if text.codes[first] in "g":
            found = _name.match(text.codes, first + 1)
            if found and found.end() <= after:
                name = self._parts(
                    text.text[text.starts[first + 1] : text.ends[found.end() - 1]], text.codes[first + 1 : found.end()]
                )
        return Gloss(start, end, text.text[start:end], name)


def _credible(text: Text, run: Run) -> bool:
    """Whether one of those named shows himself as a person: not حدثني قلبي عن ربي, ثنى عطفه عن قرنه."""
    return any(draft.joined or draft.anonymous or draft.kin or _sure.match(text.codes, draft.first) for draft in run.drafts)


def _supplied(mark: re.Match[str]) -> str:
    """The word that an editor supplies in brackets; nothing for a number."""
    return mark[1] or ""


def _after_conjunction(text: str, start: int) -> int:
    """The offset after a leading waw and its vowel."""
    start += 1
    while "\u064b" <= text[start] <= "\u065f":
        start += 1
    return start
