"""Quran citations: the words quoted, the verse and its words, who cites them and how.

The finder puts the steps together: words are read (``quran_search``), stretches that stand in the Quran are found and judged
(``quran_judgement``), overlaps settled, and the verse chosen where several have the same words (``quran_ranking``).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from kg.extract.quran_alignment import Match
from kg.extract.quran_bounds import trim
from kg.extract.quran_continuation import continued, pieces
from kg.extract.quran_index import QuranIndex, load_index
from kg.extract.quran_introduction import Introductions, Mark, marks
from kg.extract.quran_judgement import Phrases, common_phrases, judge
from kg.extract.quran_notes import reference_notes
from kg.extract.quran_ranking import rank
from kg.extract.quran_reading import Reading, read
from kg.extract.quran_search import Found, long_stretches, same_words, short_stretches
from kg.extract.quran_speaker import Speakers
from kg.extract.quran_suras import NamedSura, SuraNames
from kg.extract.quran_text import load_suras
from kg.extract.quran_whole_readings import WholeReadings
from kg.extract.record import Citation
from kg.tables import read_tsv
from kg.text import Passage, Words, fold

__all__ = ["QuranFinder"]

_FORMULAS = Path(__file__).with_name("tables") / "quran_formulas.tsv"
_DECIDED = 0.2
"""How much more must speak for a verse than for the next one, where more than ``_FEW`` have the same words."""
_FEW = 5
_TRIMMED = 24
"""Places beyond which a phrase is not trimmed: it stands in many verses as it is."""
_SURE = 2.0
"""The same for a single word."""
_MORE = 0.34


class QuranFinder:
    """Finds Quran citations. Made once with ``load``; the same passage gives the same citations."""

    def __init__(self, index: QuranIndex, introductions: Introductions, names: SuraNames, formulas: Phrases) -> None:
        self.index = index
        self.introductions = introductions
        self.names = names
        self.formulas = formulas
        self.speakers = Speakers()
        self.whole_readings = WholeReadings(index)

    @classmethod
    def load(cls, cache: Path | None = None) -> QuranFinder:
        """The finder with the index kept in the folder ``cache`` (default: the user's caches).

        Raises:
            QuranTextError: the Quran's files are not installed.
            TableError: a table cannot be read.
        """
        index = load_index(cache)
        phrases = [
            fold(row["phrase"]).split() for _, row in read_tsv(_FORMULAS, ("phrase", "kind", "sahihs", "introduced", "note"))
        ]
        return cls(index, Introductions(), SuraNames(load_suras()), common_phrases(phrases, index))

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
        reading.introductions = self.introductions.find(reading.tokens, reading.opened)
        reading.marks = _in_tokens(marks(words), reading)
        reading.suras = self.names.find(reading.tokens)
        reading.notes = reference_notes(words.text, self.names)
        reading.prepare()
        taken = self._judged(long_stretches(reading, self.index), reading)
        rejected = [stretch for stretch in taken if not stretch.confidence]
        taken = [stretch for stretch in taken if stretch.confidence]
        short = self._judged(short_stretches(reading, self.index, taken), reading, _apart(taken))
        taken = _apart([*taken, *(stretch for stretch in short if stretch.confidence)])
        if taken:
            taken = _apart([*taken, *continued(rejected, taken, reading, self.index, self.formulas)])
            taken = _apart([*taken, *pieces(taken, rejected, reading, self.index)])
        taken = self.whole_readings.taken(taken, reading)
        citations = self._cite(reading, taken, passage.kind)
        if reading.suras:
            citations = sorted([*citations, *self._named(reading, taken)], key=lambda citation: citation.start)
        return tuple(citations)

    def _judged(self, found: Iterable[Found], reading: Reading, taken: Sequence[Found] = ()) -> list[Found]:
        """The stretches with their ends trimmed and their confidence set; ``taken`` are citations among which they stand."""
        judged: list[Found] = []
        before: Found | None = None
        earlier = 0
        for stretch in found:
            after = stretch.best.after
            if after - stretch.best.first > 2 and len(stretch.matches) <= _TRIMMED:
                stretch.matches = sorted((trim(match, reading, self.index) for match in stretch.matches), key=_order)
            if stretch.best.after < after and stretch.best.exact:  # shorter words may stand in more places
                stretch.matches = same_words(stretch.best, reading, self.index) or stretch.matches
            while earlier < len(taken) and taken[earlier].best.after <= stretch.best.first:
                if before is None or taken[earlier].best.after > before.best.after:
                    before = taken[earlier]
                earlier += 1
            if reading.in_note(stretch.best.first, stretch.best.after):
                continue
            stretch.confidence = judge(stretch, reading, self.index, self.formulas, before)
            before = stretch if stretch.confidence else before
            judged.append(stretch)
        return judged

    def _cite(self, reading: Reading, found: Sequence[Found], kind: str) -> list[Citation]:
        index = self.index
        cited: dict[int, list[int]] = {}
        for verse in sorted(index.verse_of[stretch.best.start] for stretch in found if _one_verse(stretch, index)):
            cited.setdefault(index.sura_of_verse[verse], []).append(verse)
        citations = []
        before: Match | None = None
        for stretch in found:
            note = reading.note_after(stretch.best.after)
            named = reading.sura_near(stretch.best.first, stretch.best.after)
            introduction = stretch.introduction
            continues = before if introduction is not None and introduction.elision else None
            sura = named.sura if named else None
            ranked = rank(stretch.matches, index, note=note, sura=sura, continues=continues, cited=cited)
            citations.append(self._citation(reading, stretch, ranked, kind))
            before = ranked[0][1]
        return citations

    def _named(self, reading: Reading, taken: Sequence[Found]) -> Iterator[Citation]:
        """The suras named as such, where no verse is cited by the same words."""
        covered = {token for stretch in taken for token in range(stretch.best.first, stretch.best.after)}
        for named in reading.suras:
            if covered.isdisjoint(range(named.first, named.after)):
                yield self._naming(reading, named)

    def _naming(self, reading: Reading, named: NamedSura) -> Citation:
        words, origin = reading.words, reading.origin
        start, end = words.span(origin[named.first], origin[named.after - 1] + 1)
        introduced = None if named.word is None else words.span(origin[named.word], origin[named.word] + 1)
        return Citation(
            start, end, (self.names.whole(named.sura),), exact=True, confidence=0.95, introduced_by=introduced, use="sura-named"
        )  # fmt: skip

    def _citation(self, reading: Reading, stretch: Found, ranked: list[tuple[float, Match]], kind: str) -> Citation:
        index, words = self.index, reading.words
        score, best = ranked[0]
        refs = list(dict.fromkeys(index.ref(match.start, match.stop) for _, match in ranked))
        rivals = [other for other, match in ranked[1:] if index.ref(match.start, match.stop) != refs[0]]
        gap = score - rivals[0] if rivals else 9.0
        decided = gap >= (_SURE if best.same == 1 else _DECIDED) or len(rivals) < _FEW
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
            exact=best.exact and not _leaves_words(best, stretch.mark),
            confidence=round(stretch.confidence * share * (1 - 0.5 * best.cost / (best.after - best.first)), 3),
            introduced_by=words.span(reading.origin[introduction.first], reading.origin[introduction.after - 1] + 1)
            if introduction
            else None,
            cited_by=self.speakers.cited_by(reading, introduction, kind),
            use=self._use(reading, stretch, best),
        )

    def _use(self, reading: Reading, stretch: Found, best: Match) -> str | None:
        """What the words are cited for; the opening words of a sura recited name the sura."""
        use = stretch.introduction.use if stretch.introduction else None
        tokens = tuple(reading.tokens[best.first : best.after])
        named = any(sura.first <= best.first < sura.after for sura in reading.suras)
        return "sura-named" if named or (use == "recitation" and tokens in self.names.openings) else use


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
    """Whether a pair of marks holds a letter or a few words more than what agrees: then what is marked is not as the Quran has it."""
    if mark is None:
        return False
    more = mark.after - mark.first - (match.after - match.first)
    return bool(match.odd and mark.first == match.first) or 0 < more <= _MORE * (mark.after - mark.first)


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
