"""Messages along one chain: from both ends, exact where the chain is a tree."""

from collections.abc import Callable, Sequence

__all__ = ["Joint", "pass_messages"]

Joint = tuple[int, int, list[list[float]]]
"""A link (the nodes of pupil and teacher) and the joint weights of the candidates of both."""
_NONE = 1e-9


def pass_messages(
    emission: Sequence[list[float]],
    teachers: Sequence[Sequence[int]],
    link: Callable[[int, int], list[list[float]]],
) -> tuple[list[list[float]], list[Joint]]:
    """The probabilities of each node's candidates, and the joint weights of each link.

    ``emission`` are the weights of the candidates alone, ``teachers`` the nodes that each node received from (later ones), ``link(i, t)`` the
    weights of the pairs of candidates of a pupil and a teacher.

    >>> shares, _ = pass_messages([[1.0], [0.5, 0.5]], [[1], []], lambda i, t: [[3.0, 1.0]])
    >>> shares
    [[1.0], [0.75, 0.25]]
    """
    count = len(emission)
    students: list[list[int]] = [[] for _ in emission]
    for i in range(count):
        for t in teachers[i]:
            students[t].append(i)
    matrices: dict[tuple[int, int], list[list[float]]] = {}
    back: dict[tuple[int, int], list[float]] = {}
    behind: list[list[float]] = [[] for _ in emission]
    for i in range(count - 1, -1, -1):
        total = [1.0] * len(emission[i])
        for t in teachers[i]:
            matrix = link(i, t)
            matrices[i, t] = matrix
            weights = [e * b for e, b in zip(emission[t], behind[t], strict=True)]
            message = _scaled([sum(map(_times, row, weights)) for row in matrix])
            back[i, t] = message
            total = [a * b for a, b in zip(total, message, strict=True)]
        behind[i] = _scaled(total)
    before: list[list[float]] = [[] for _ in emission]
    joints: list[Joint] = []
    result: list[list[float]] = []
    for i in range(count):
        weights = emission[i]
        for s in students[i]:
            ahead = before[s]
            for other in teachers[s]:
                if other != i:
                    ahead = [a * b for a, b in zip(ahead, back[s, other], strict=True)]
            matrix = matrices[s, i]
            message = [0.0] * len(weights)
            for a, row in zip(ahead, matrix, strict=True):
                if a > _NONE:
                    message = [m + a * r for m, r in zip(message, row, strict=True)]
            weights = [w * m for w, m in zip(weights, _scaled(message), strict=True)]
            tail = [e * b for e, b in zip(emission[i], behind[i], strict=True)]
            joints.append((s, i, _joint(ahead, matrix, tail)))
        before[i] = _scaled(weights)
        result.append(_share([w * b for w, b in zip(before[i], behind[i], strict=True)]))
    return result, joints


def _times(one: float, other: float) -> float:
    return one * other


def _scaled(weights: list[float]) -> list[float]:
    top = max(weights)
    return [w / top for w in weights] if top > 0 else [1.0] * len(weights)


def _share(weights: list[float]) -> list[float]:
    total = sum(weights)
    return [w / total for w in weights] if total > 0 else [1.0 / len(weights)] * len(weights)


def _joint(ahead: list[float], matrix: list[list[float]], tail: list[float]) -> list[list[float]]:
    rows = [
        [a * r * t for r, t in zip(row, tail, strict=True)] if a > _NONE else [0.0] * len(tail)
        for a, row in zip(ahead, matrix, strict=True)
    ]
    total = sum(map(sum, rows))
    return [[w / total for w in row] for row in rows] if total > 0 else rows
