"""Which passages tell one report, by their words alone: known before it is decided who is who, and evidence for it.

The groups that are published are found later and weigh the narrators too (``kg.identify.parallels``); those must not decide who the
narrators are, so here nothing but words is asked.
"""

from collections.abc import Mapping, Sequence

from rapidfuzz.distance import LCSseq

from kg.identify.tellings import Wording

__all__ = ["Alike", "alike"]

Alike = Mapping[str, Sequence[str]]
"""The parallel passages of each passage that has any, by id."""

_SHARED = 0.6
"""Of the weight of the shorter report, what both must have."""
_IN_ORDER = 0.5
"""Of the words of content of the shorter report, what must stand in both in the same order."""
_LEAST = 24.0
"""Bits: two reports of which the shorter weighs less share stock phrases."""


def alike(
    passages: Sequence[str],
    wordings: Sequence[Wording],
    neighbours: Sequence[Sequence[int]],
    back: Mapping[int, int],
    weights: Sequence[float],
) -> dict[str, tuple[str, ...]]:
    """The parallels of each passage. ``neighbours`` are those before it by number, ``back`` the row that a row without words points to.

    >>> told = Wording((1, 2, 3), 27.0, frozenset({1, 2, 3}))
    >>> other = Wording((4, 5, 6), 27.0, frozenset({4, 5, 6}))
    >>> alike(["a:1", "a:2", "b:1"], [told, other, told], [(), (0,), (1, 0)], {}, [9.0] * 7)
    {'a:1': ('b:1',), 'b:1': ('a:1',)}
    """
    found: dict[int, list[int]] = {}
    for number, near in enumerate(neighbours):
        pairs = [other for other in near if _same(wordings[number], wordings[other], weights)]
        if number in back:
            pairs.append(back[number])
        for other in pairs:
            found.setdefault(number, []).append(other)
            found.setdefault(other, []).append(number)
    return {passages[number]: tuple(passages[other] for other in sorted(set(others))) for number, others in sorted(found.items())}


def _same(one: Wording, other: Wording, weights: Sequence[float]) -> bool:
    less = min(one.weight, other.weight)
    if less < _LEAST or sum([weights[stem] for stem in one.words & other.words]) < _SHARED * less:
        return False
    fewer = min(len(one.content), len(other.content))
    return fewer > 0 and LCSseq.similarity(one.content, other.content) >= _IN_ORDER * fewer
