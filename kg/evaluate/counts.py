"""Precision, recall and their harmonic mean."""

__all__ = ["precision_recall"]


def precision_recall(right: float, found: float, expected: float) -> dict[str, float]:
    """The three figures from three counts; 0 where nothing was found or expected.

    >>> precision_recall(3, 4, 6)["f1"]
    0.6
    """
    precision = right / found if found else 0.0
    recall = right / expected if expected else 0.0
    total = precision + recall
    return {"precision": precision, "recall": recall, "f1": 2 * precision * recall / total if total else 0.0}
