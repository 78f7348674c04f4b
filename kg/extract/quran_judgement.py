"""Is a stretch of words that stand in the Quran a citation? By how much its words tell, what introduces it and what marks it.

``credit`` is the number of words that agree less what differs, ``told`` the bits that the words tell (a rare word tells more).
Phrases in everybody's mouth (``tables/quran_formulas.tsv``) are citations only where a formula or marks say so.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from kg.extract.quran_alignment import Match
from kg.extract.quran_index import QuranIndex
from kg.extract.quran_introduction import Introduction, Mark
from kg.extract.quran_search import Found, Reading
from kg.text import fold

__all__ = ["Phrases", "judge"]

Phrases = frozenset[tuple[str, ...]]

_OPENS = re.compile(r"[:\"«“{\ufd3f\ufd3e(\[]")
_CLOSES = re.compile(r"[.\"»”}\ufd3e\ufd3f)\],،:؛؟!\n]|$")
_AFTER = frozenset(fold("قال يعني أي الآية الآيات الآيتين يقول هو هي فقال قالت ويقال إلى حتى معناه أراد يريد إذا").split())
_ADJACENT = 1
_REACH = 14


def judge(found: Found, reading: Reading, index: QuranIndex, formulas: Phrases) -> float:
    """The confidence that a stretch is a citation; 0 where it is none. Sets what introduces and marks it."""
    match = found.best
    strength = _introduced(found, match, reading)
    mark = found.mark = _mark(match, reading)
    ids = reading.ids
    told = sum(index.bits[ids[token]] for token in range(match.first, match.after)) - 4 * match.cost
    credit = match.credit
    common = _common(reading.tokens[match.first : match.after], formulas)
    if mark is not None and mark.quran and credit >= 0.5 * (mark.after - mark.first):
        return 0.99
    if match.after - match.first == 1:
        return _one_word(match, reading, told, strength)
    if common and strength < 3:
        return 0.0
    if match.after - match.first == 2:
        return _two_words(match, reading, told, strength)
    if strength == 3:
        return 0.98 if credit >= 2.5 else 0.0
    if strength == 2:
        return 0.95 if credit >= 2.5 and told >= 14 else 0.0
    if strength == 1:
        return 0.9 if (credit >= 3.9 and told >= 28) or (credit >= 2.9 and told >= 30) else 0.0
    if (credit >= 4.9 and told >= 36) or (credit >= 3.9 and told >= 36) or (credit >= 2.9 and told >= 36):
        return 0.85
    return 0.0


def _introduced(found: Found, match: Match, reading: Reading) -> int:
    """The strength of what introduces a stretch; 0 where nothing does."""
    before: Introduction | None = reading.before(match.first + (1 if match.odd else 0))
    if before is None:
        return 0
    distance = match.first - before.after
    if distance <= _ADJACENT or (distance <= _REACH and before.strength > 1 and _OPENS.search(reading.gap(match.first))):
        found.introduction = before
        return before.strength
    return 0


def _mark(match: Match, reading: Reading) -> Mark | None:
    for mark in reading.around(match.first):
        if match.after <= mark.after and (mark.quran or match.first - mark.first <= 1):
            return mark
    return None


def _common(tokens: Sequence[str], formulas: Phrases) -> bool:
    return tuple(tokens) in formulas


def _bounded(match: Match, reading: Reading) -> bool:
    """Whether something ends the stretch: a sign, or a word with which an explanation begins."""
    if match.after >= len(reading.tokens) or _CLOSES.search(reading.gap(match.after).split(" ")[0] or "-"):
        return True
    return reading.tokens[match.after] in _AFTER


def _two_words(match: Match, reading: Reading, told: float, strength: int) -> float:
    bounded = _bounded(match, reading)
    if strength == 3 and told >= 10 and (bounded or told >= 16):
        return 0.9
    if strength == 2 and told >= 16 and bounded:
        return 0.8
    return 0.0


def _one_word(match: Match, reading: Reading, told: float, strength: int) -> float:
    if strength >= 2 and told >= 12 and _bounded(match, reading):
        return 0.8 if strength == 3 else 0.7
    return 0.0
