"""Scores as lines for a terminal."""

import json
from typing import Any

__all__ = ["score_lines"]


def score_lines(scores: dict[str, Any], indent: int = 0) -> list[str]:
    """One line a score, those of a part indented below its name.

    >>> score_lines({"spans": {"F1": 0.5}})
    ['spans', '  F1                                             0.5000']
    """
    lines = []
    for name, value in scores.items():
        label = " " * indent + str(name)
        if isinstance(value, dict):
            lines += [label, *score_lines(value, indent + 2)]
        elif isinstance(value, list):
            lines += [f"{label}: {len(value)}", *(" " * (indent + 2) + json.dumps(row, ensure_ascii=False) for row in value)]
        else:
            lines.append(f"{label:<48} {value:.4f}" if isinstance(value, float) else f"{label:<48} {value}")
    return lines
