"""Quran citations: the words quoted, the verse and its words, who cites them and how.

The finder puts the steps together: words are read (``quran_search``), stretches that stand in the Quran are found and judged
(``quran_judgement``), overlaps settled, and the verse chosen where several have the same words (``quran_ranking``).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from pathlib import Path

from kg.extract.quran_alignment import Match
from kg.extract.quran_bounds import trim
from kg.extract.quran_continuation import continued, pieces
from kg.extract.quran_index import QuranIndex, load_index
from kg.extract.quran_introduction import Introductions, Mark, marks
from kg.extract.quran_judgement import Phrases, judge
from kg.extract.quran_ranking import SuraNames, note_for, rank, reference_notes
from kg.extract.quran_reading import Reading, read
from kg.extract.quran_search import Found, long_stretches, short_stretches
from kg.extract.quran_speaker import cited_by
from kg.extract.quran_text import load_suras
from kg.extract.record import Citation
from kg.tables import read_tsv
from kg.text import Passage, Words, fold

__all__ = ["QuranFinder"]

_FORMULAS = Path(__file__).with_name("tables") / "quran_formulas.tsv"
_DECIDED = 0.2
"""How much more must speak for a verse than for the next one, where more than ``_FEW`` have the same words."""
_FEW = 5
_SURA_REACH = 12
_MORE = 0.34


class QuranFinder:
    """Finds Quran citations. Made once with ``load``; the same passage gives the same citations."""

    def __init__(self, index: QuranIndex, introductions: Introductions, names: SuraNames, formulas: Phrases) -> None:
        self.index = index
        self.introductions = introductions
        self.names = names
        self.formulas = formulas

    @classmethod
    def load(cls, cache: Path | None = None) -> QuranFinder:
        """The finder with the index kept in the folder ``cache`` (default: the user's caches).

        Raises:
            QuranTextError: the Quran's files are not installed.
            TableError: a table cannot be read.
        """
        formulas = frozenset(tuple(fold(row["phrase"]).split()) for _, row in read_tsv(_FORMULAS, ("phrase",)))
        return cls(load_index(cache), Introductions(), SuraNames(load_suras()), formulas)

    def find(self, words: Words, passage: Passage) -> tuple[Citation, ...]:
        """The citations in a passage, in text order; they do not overlap.

        >>> text = "قال الله تعالى: {ثَانِيَ اثْنَيْنِ إِذْ هُمَا فِي الْغَارِ} يعني أبا بكر"
        >>> [citation] = QuranFinder.load().find(Words(text), Passage("t:1", text))
        >>> citation.refs, citation.words, text[citation.start : citation.end], citation.exact
        (('9:40',), (10, 15), 'ثَانِيَ اثْنَيْنِ إِذْ هُمَا فِي الْغَارِ', True)
        """
        if len(words) == 0:
            return ()
        reading = read(words, self.index)
        reading.introductions = self.introductions.find(reading.tokens)
        reading.marks = _in_tokens(marks(words), reading)
        reading.prepare()
        taken = self._judged(long_stretches(reading, self.index), reading)
        rejected = [stretch for stretch in taken if not stretch.confidence]
        taken = [stretch for stretch in taken if stretch.confidence]
        short = self._judged(short_stretches(reading, self.index, taken), reading)
        taken = _apart([*taken, *(stretch for stretch in short if stretch.confidence)])
        if not taken:
            return ()
        taken = _apart([*taken, *continued(rejected, taken, reading, self.index, self.formulas)])
        taken = _apart([*taken, *pieces(taken, rejected, reading, self.index)])
        return tuple(self._cite(reading, taken))

    def _judged(self, found: Iterable[Found], reading: Reading) -> list[Found]:
        """The stretches with their ends trimmed and their confidence set."""
        judged = []
        for stretch in found:
            stretch.matches = sorted((trim(match, reading, self.index) for match in stretch.matches), key=_order)
            stretch.confidence = judge(stretch, reading, self.index, self.formulas)
            judged.append(stretch)
        return judged

    def _cite(self, reading: Reading, found: Sequence[Found]) -> list[Citation]:
        index = self.index
        notes = reference_notes(reading.words.text, self.names)
        suras = self._suras_named(reading)
        certain = [stretch.best.start for stretch in found if _one_verse(stretch, index)]
        cited: dict[int, list[int]] = {}
        for verse in sorted(index.verse_of[place] for place in certain):
            cited.setdefault(index.sura_of_verse[verse], []).append(verse)
        citations = []
        before: Match | None = None
        for stretch in found:
            note = note_for(reading.words, reading.origin[stretch.best.after - 1] + 1, notes)
            sura = _sura_before(suras, stretch.best.first)
            introduction = stretch.introduction
            continues = before if introduction is not None and introduction.elision else None
            ranked = rank(stretch.matches, index, note=note, sura=sura, continues=continues, cited=cited)
            citation = self._citation(reading, stretch, ranked)
            citations.append(citation)
            before = ranked[0][1]
        return citations

    def _suras_named(self, reading: Reading) -> list[tuple[int, int]]:
        """(token after the name, sura) for each sura named as such."""
        named = []
        for i, token in enumerate(reading.tokens):
            if token in _SURA:
                at = self.names.at(reading.tokens, i + 1)
                if at:
                    named.append((at[1], at[0]))
        return named

    def _citation(self, reading: Reading, stretch: Found, ranked: list[tuple[float, Match]]) -> Citation:
        index, words = self.index, reading.words
        score, best = ranked[0]
        refs = list(dict.fromkeys(index.ref(match.start, match.stop) for _, match in ranked))
        rivals = [other for other, match in ranked[1:] if index.ref(match.start, match.stop) != refs[0]]
        gap = score - rivals[0] if rivals else 9.0
        decided = gap >= _DECIDED or len(rivals) < _FEW
        share = 1.0 if not rivals or gap >= 2 else 0.8 if gap >= 1 else 0.6 if gap >= _DECIDED else 1 / (1 + len(rivals))
        first, last = reading.origin[best.first], reading.origin[best.after - 1]
        start = words.inside(first, 1) if best.odd else words.starts[first]
        introduction = stretch.introduction
        return Citation(
            start=start,
            end=words.ends[last],
            refs=(refs[0],) if decided else (),
            candidates=tuple(refs[1:] if decided else refs),
            words=(index.word_in_verse(best.start), index.word_in_verse(best.stop - 1)) if decided else None,
            marked=stretch.mark is not None,
            exact=best.cost == 0 and not _leaves_words(best, stretch.mark),
            confidence=round(stretch.confidence * share * (1 - 0.5 * best.cost / (best.after - best.first)), 3),
            introduced_by=words.span(reading.origin[introduction.first], reading.origin[introduction.after - 1] + 1)
            if introduction
            else None,
            cited_by=cited_by(reading, introduction),
            use=introduction.use if introduction else None,
        )


_SURA = frozenset(before + "سوره" for before in ("", "و", "ب", "في", "ل", "ال"))


def _sura_before(suras: Sequence[tuple[int, int]], token: int) -> int | None:
    """The sura named within a few words before a token."""
    at = bisect_right(suras, (token, 999)) - 1
    return suras[at][1] if at >= 0 and token - suras[at][0] <= _SURA_REACH else None


def _order(match: Match) -> tuple[float, float, int]:
    return -match.credit, match.cost, match.start


def _in_tokens(found: list[Mark], reading: Reading) -> list[Mark]:
    """Marks in words as marks in tokens."""
    if isinstance(reading.origin, range) or not found:
        return found
    origin = list(reading.origin)
    moved = [Mark(bisect_left(origin, mark.first), bisect_left(origin, mark.after), mark.quran) for mark in found]
    return [mark for mark in moved if mark.first < mark.after]


def _one_verse(stretch: Found, index: QuranIndex) -> bool:
    best = stretch.best
    return best.same >= 2 and all(
        index.verse_of[m.start] == index.verse_of[best.start] for m in stretch.matches if m.credit >= best.credit
    )


def _leaves_words(match: Match, mark: Mark | None) -> bool:
    """Whether a pair of marks holds a few words more than those that agree: then what is marked is not as the Quran has it."""
    if mark is None:
        return False
    more = mark.after - mark.first - (match.after - match.first)
    return 0 < more <= _MORE * (mark.after - mark.first)


def _apart(found: list[Found]) -> list[Found]:
    """The stretches without overlaps: of two that overlap the one with more to say stays; in text order."""
    kept: list[Found] = []
    for stretch in sorted(found, key=lambda s: (s.best.first, -s.best.after)):
        while kept and kept[-1].best.after > stretch.best.first:
            if _weight(kept[-1]) >= _weight(stretch):
                break
            kept.pop()
        else:
            kept.append(stretch)
    return kept


def _weight(stretch: Found) -> tuple[float, float]:
    return stretch.best.credit, stretch.confidence
