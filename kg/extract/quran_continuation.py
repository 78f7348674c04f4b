"""Quotations that go on: a verse cited piece by piece, with the author's explanation between the pieces.

What would be too little to stand alone is a citation where it follows, in the text and in the Quran, on one that is certain
(ولكل جعلنا موالي: ورثة، والذين عاقدت أيمانكم: …).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kg.extract.quran_alignment import Match
from kg.extract.quran_index import QuranIndex
from kg.extract.quran_judgement import Phrases, bounded, is_common, told_by
from kg.extract.quran_reading import Reading
from kg.extract.quran_search import Found

__all__ = ["continued", "pieces"]

_NEAR_IN_TEXT = 45
_NEAR_IN_QURAN = 40
_PIECE_IN_TEXT = 30
_PIECE_IN_QURAN = 12
_PIECE_TOLD = 18.0
_STANDS_ALONE = 4
"""Words of a piece that needs no sign on either side; fewer in the middle of a sentence are the teller's own (فيعطى كتابه بيمينه)."""
_CONFIDENCE = 0.88


def continued(
    rejected: Iterable[Found], taken: Sequence[Found], reading: Reading, index: QuranIndex, formulas: Phrases
) -> list[Found]:
    """Those of the rejected stretches that continue a certain citation near by, or lead up to one; both lists in text order."""
    found = []
    certain = [stretch.best for stretch in taken if stretch.confidence >= 0.9 and stretch.best.credit >= 3]
    at = 0
    for stretch in rejected:
        first = stretch.best.first
        while at < len(certain) and certain[at].after <= first:
            at += 1
        before = certain[at - 1] if at else None
        if before is not None and before.after == first and reading.closed(first) and stretch.best.credit >= 2.5:
            found.append(Found(stretch.matches, stretch.introduction, stretch.mark, _CONFIDENCE))  # one of a series
            continue
        if before is not None and first - before.after <= _NEAR_IN_TEXT:
            next_words = [match for match in stretch.matches if match.start == before.stop]
            if next_words:
                found.append(Found(next_words, stretch.introduction, stretch.mark, _CONFIDENCE))
                continue
        near = [match for match in certain[max(0, at - 2) : at + 1] if _gap(match, stretch.best) <= _NEAR_IN_TEXT]
        matches = [match for match in stretch.matches if match.credit >= 2.5 and any(_follows(match, other) for other in near)]
        if matches and told_by(matches[0], reading, index) >= _PIECE_TOLD and not is_common(matches[0], reading, index, formulas):
            found.append(Found(matches, stretch.introduction, stretch.mark, _CONFIDENCE))
    return found


def _gap(one: Match, other: Match) -> int:
    return max(other.first - one.after, one.first - other.after)


def _follows(match: Match, other: Match) -> bool:
    """Whether the two stand in the same order in the Quran as in the text, not far apart."""
    if match.first >= other.after:
        return 0 <= match.start - other.stop <= _NEAR_IN_QURAN
    return 0 <= other.start - match.stop <= _NEAR_IN_QURAN


def pieces(taken: Sequence[Found], rejected: Sequence[Found], reading: Reading, index: QuranIndex) -> list[Found]:
    """Pairs of words that continue a certain citation within a few words of it, in the text and in the Quran; not
    within stretches that were rejected."""
    closed = {token for stretch in rejected for token in range(stretch.best.first, stretch.best.after)}
    found: list[Found] = []
    ids, words = reading.ids, index.words
    free = 0
    for n, stretch in enumerate(taken):
        match = stretch.best
        if stretch.confidence < 0.9 or match.credit < 3:
            continue
        limit = min(len(ids) - 1, match.after + _PIECE_IN_TEXT, taken[n + 1].best.first - 1 if n + 1 < len(taken) else len(ids))
        stop = min(index.sura_end[match.start], match.stop + _PIECE_IN_QURAN)
        wanted = {words[place] << 16 | words[place + 1]: place for place in range(stop - 2, match.stop - 1, -1)}
        token = max(match.after, free)
        while token < limit:
            place = wanted.get(ids[token] << 16 | ids[token + 1])
            if place is not None and token not in closed and index.bits[ids[token]] + index.bits[ids[token + 1]] >= _PIECE_TOLD:
                length = 2
                while token + length < limit + 1 and place + length < stop and ids[token + length] == words[place + length]:
                    length += 1
                match = Match(token, token + length, place, place + length, 0.0, length)
                if length >= _STANDS_ALONE or reading.closed(token) or bounded(match, reading):
                    found.append(Found([match], None, None, _CONFIDENCE))
                token += length
                free = token
                wanted = {key: other for key, other in wanted.items() if other >= place + length}
                continue
            token += 1
    return found
