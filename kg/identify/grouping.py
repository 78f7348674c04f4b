"""From pairs of reports to groups: the likeliest pairs first, and two groups join only where their reports are alike on the whole.

A long report may hold two that have nothing to do with one another; were every pair a bridge, half of a collection would be one
group. So a join is asked of a sample of all pairs across it.
"""

from collections.abc import Callable, Iterable, Sequence

__all__ = ["grouped"]

_SAMPLE = 5  # members of each side compared at a join
_MOST = 4.0  # log odds: one pair, however alike or unlike, does not decide alone


def grouped(
    count: int, pairs: Iterable[tuple[float, int, int]], odds: Callable[[int, int], float], *, joins: float, alike: float
) -> list[list[int]]:
    """Groups of two and more of ``count`` reports, each in order, the groups in the order of their first report.

    ``pairs`` are odds and two numbers; those from ``joins`` on are tried, the highest first. Two groups join where the
    mean of the log odds across, or of a sample of them, is ``alike`` and more.

    >>> table = {(0, 1): 5.0, (1, 2): 4.0, (2, 3): 5.0}
    >>> like = lambda one, other: table.get((min(one, other), max(one, other)), -5.0)
    >>> grouped(4, [(5.0, 0, 1), (4.0, 1, 2), (5.0, 2, 3)], like, joins=1.0, alike=0.0)
    [[0, 1], [2, 3]]
    """
    group = list(range(count))
    members: dict[int, list[int]] = {}
    refused: set[tuple[int, int, int, int]] = set()
    for worth, one, other in sorted(pairs, key=lambda pair: (-pair[0], pair[1], pair[2])):
        if worth < joins:
            break
        first, second = group[one], group[other]
        if first == second:
            continue
        ours, theirs = members.get(first, [first]), members.get(second, [second])
        attempt = (first, len(ours), second, len(theirs))
        if len(ours) + len(theirs) > 2:
            if attempt in refused:
                continue
            if _mean(ours, theirs, odds) < alike:
                refused.add(attempt)
                continue
        joined = sorted(ours + theirs)
        members.pop(second, None)
        members[first] = joined
        for member in theirs:
            group[member] = first
    return sorted(members.values())


def _mean(ours: Sequence[int], theirs: Sequence[int], odds: Callable[[int, int], float]) -> float:
    across = [max(-_MOST, min(_MOST, odds(one, other))) for one in _spread(ours) for other in _spread(theirs)]
    return sum(across) / len(across)


def _spread(numbers: Sequence[int]) -> Sequence[int]:
    """At most ``_SAMPLE`` of the numbers, evenly spread."""
    if len(numbers) <= _SAMPLE:
        return numbers
    return [numbers[(2 * k + 1) * len(numbers) // (2 * _SAMPLE)] for k in range(_SAMPLE)]
