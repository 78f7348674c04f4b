"""Rows that have only a chain and point back (مثله, نحوه, بهذا الإسناد): which report they stand for.

The nearest report before it is meant through whose chains the row's last narrator runs, for there the chain told before is taken up; where
no such is near, the one with which the row shares most narrators. Where the author
says mithlahu the wording is the same; nahwahu says that the meaning is (al-Hakim, as Ibn al-Salah quotes him, Ma'rifat anwa' 'ilm
al-hadith, kind 26).
"""

from collections.abc import Sequence

from kg.identify.tellings import Telling
from kg.text import fold

__all__ = ["pointed", "same_wording"]

_BACK = 6  # reports before the row that are looked at
_FAR = 25  # rows: further back nothing is meant
_TOLD = 3  # words of content: a row with fewer is no report that could be meant


def pointed(tellings: Sequence[Telling]) -> dict[int, int]:
    """The number of each row that points back, and of the report it stands for; rows with nothing before them are left out.

    >>> from kg.identify.likeness import Report
    >>> full = Telling("m:1", "m", Report((1, 2, 3), 30.0, (), frozenset({5, 6})))
    >>> other = Telling("m:2", "m", Report((7, 8, 9), 30.0, (), frozenset({9})))
    >>> row = Telling("m:3", "m", Report((), 0.0, (), frozenset({4, 5})), points_back="مثله")
    >>> pointed([full, other, row])
    {2: 0}
    """
    found: dict[int, int] = {}
    for number, telling in enumerate(tellings):
        if telling.points_back is None:
            continue
        best, most = -1, 0
        ends = {path[-1] for path in telling.paths}
        for before in _before(tellings, number):
            if any(not ends.isdisjoint(path) for path in tellings[before].paths):
                best = before
                break
            shared = len(telling.report.narrators & tellings[before].report.narrators)
            if best < 0 or shared > most:
                best, most = before, shared
        if best >= 0:
            found[number] = best
    return found


def _before(tellings: Sequence[Telling], number: int) -> list[int]:
    """The nearest reports before a row in its collection that are told in full, the nearest first."""
    found: list[int] = []
    for before in range(number - 1, max(-1, number - 1 - _FAR), -1):
        telling = tellings[before]
        if telling.collection != tellings[number].collection:
            break
        if telling.points_back is None and len(telling.report.stems) >= _TOLD:
            found.append(before)
            if len(found) == _BACK:
                break
    return found


def same_wording(points_back: str) -> bool:
    """Whether the phrase says that the words are the same.

    >>> same_wording("بِمِثْلِهِ"), same_wording("نَحْوَهُ")
    (True, False)
    """
    return "مثل" in fold(points_back)
