"""Is a stretch of words that stand in the Quran a citation? By how much its words tell, what introduces it and what marks it.

``credit`` is the number of words that agree less what differs, ``told`` the bits that the words tell (a rare word tells more).
Phrases in everybody's mouth (``tables/quran_formulas.tsv``) are citations only where a formula or marks say so.
"""

from __future__ import annotations

from kg.extract.quran_alignment import Match
from kg.extract.quran_index import QuranIndex
from kg.extract.quran_introduction import Introduction, Mark
from kg.extract.quran_reading import OPENS, Reading
from kg.extract.quran_search import Found
from kg.text import fold

__all__ = ["Phrases", "is_common", "judge", "told_by"]

Phrases = frozenset[tuple[str, ...]]

_AFTER = frozenset(fold("قال يعني أي الآية الآيات الآيتين يقول هو هي فقال قالت ويقال إلى حتى معناه أراد يريد إذا").split())
_VERSE = frozenset(fold("الآية الآيات الآيتين الآيتان").split())
_BOUNDS = (
    (3, 2.5, 0.0, 0.98),
    (2, 2.5, 14.0, 0.95),
    (1, 3.9, 28.0, 0.9),
    (1, 2.6, 30.0, 0.9),
    (0, 4.9, 40.0, 0.85),
    (0, 3.8, 42.0, 0.85),
    (0, 2.8, 40.0, 0.85),
)
"""Strength of what introduces or follows, credit and told bits that a stretch of three words and more needs, and the confidence they give."""
_ADJACENT = 1
_REACH = 14
_READER = 8


def judge(found: Found, reading: Reading, index: QuranIndex, formulas: Phrases) -> float:
    """The confidence that a stretch is a citation; 0 where it is none. Sets what introduces and marks it."""
    match = found.best
    strength = max(_introduced(found, match, reading), _followed(match, reading))
    mark = found.mark = _mark(match, reading)
    told = told_by(match, reading, index)
    credit = match.credit
    words = match.after - match.first
    if mark is not None and (mark.first, mark.after) == (match.first, match.after):
        strength = max(strength, 2)
    if mark is not None and mark.quran and credit >= 0.5 * (mark.after - mark.first):
        return 0.99
    if words == 1:
        return _one_word(match, reading, told, strength)
    if is_common(match, reading, formulas) and strength < 3:
        return 0.0
    if words == 2:
        return _two_words(match, reading, told, strength)
    for needed, least_credit, least_told, confidence in _BOUNDS:
        if strength >= needed and credit >= least_credit and told >= least_told:
            return confidence
    return 0.0


def told_by(match: Match, reading: Reading, index: QuranIndex) -> float:
    """The bits that the words of a match tell, less four for each word that differs."""
    return sum(index.bits[number] for number in reading.ids[match.first : match.after]) - 4 * match.cost


def is_common(match: Match, reading: Reading, formulas: Phrases) -> bool:
    """Whether a match is only a phrase in everybody's mouth."""
    return tuple(reading.tokens[match.first : match.after]) in formulas


def _introduced(found: Found, match: Match, reading: Reading) -> int:
    """The strength of what introduces a stretch; 0 where nothing does."""
    before: Introduction | None = reading.before(match.first + (1 if match.odd else 0))
    if before is None:
        return 0
    distance = match.first - before.after
    if distance <= _ADJACENT or (distance <= _REACH and before.strength > 1 and OPENS.search(reading.gap(match.first))):
        found.introduction = before
        return before.strength
    if before.use == "recitation" and distance <= _READER and before.strength > 1:
        found.introduction = before  # the reader stands between: قرأ ابن عباس …
        return 1
    return 0


def _followed(match: Match, reading: Reading) -> int:
    """The strength of what follows a stretch: the verse named as such (الآية), or its explanation (أي, يعني)."""
    after = reading.tokens[match.after : match.after + 1]
    if after and after[0] in _VERSE:
        return 3
    return 1 if after and after[0] in _AFTER and _bounded(match, reading) else 0


def _mark(match: Match, reading: Reading) -> Mark | None:
    for mark in reading.around(match.first):
        if match.after <= mark.after and (mark.quran or match.first - mark.first <= 1):
            return mark
    return None


def _bounded(match: Match, reading: Reading) -> bool:
    """Whether something ends the stretch: a sign, or a word with which an explanation begins."""
    return reading.closed(match.after) or reading.tokens[match.after] in _AFTER


def _two_words(match: Match, reading: Reading, told: float, strength: int) -> float:
    bounded = _bounded(match, reading)
    opened = OPENS.search(reading.gap(match.first)) is not None
    if strength == 3 and told >= 10 and (bounded or opened or told >= 14):
        return 0.9
    if strength == 2 and told >= 14 and (bounded or opened or told >= 22):
        return 0.8
    if strength == 1 and told >= 26 and bounded:
        return 0.75
    return 0.0


def _one_word(match: Match, reading: Reading, told: float, strength: int) -> float:
    opened = OPENS.search(reading.gap(match.first)) is not None
    if strength >= 2 and told >= 12 and (_bounded(match, reading) or (opened and told >= 15)):
        return 0.8 if strength == 3 else 0.7
    return 0.0
