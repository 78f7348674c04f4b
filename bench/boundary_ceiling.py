"""How far the gold of isnad/matn boundaries agrees with itself: what any reader of the words around the cut could reach on it.

    python bench/boundary_ceiling.py ../shared/gold/isnad/boundary.jsonl

Two measures. *Classes*: rows alike in the last term of transmission, the words between the last narrator and our cut, and the words
behind it (names as classes), five rows or more; were every class cut as most of its rows are, with the answers in view, so many would be
right. *Model*: a logistic choice among the places where the isnad may end, over the words and classes around each and its distance from
our cut, trained on four fifths of the chapters and tried on the fifth. It is an experiment and not shipped: the corpus bears no licence.
"""

import argparse
import math
import random
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path

from kg.evaluate.boundary import FREE
from kg.evaluate.gold import gold_rows
from kg.extract.isnad import IsnadReader
from kg.text import Passage, Words

_TERMS = frozenset("سمعت سمع رسول النبي قال قالت ان انه".split())
_FOLDS, _ROUNDS, _RATE = 5, 8, 0.3


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the gold: cuts are counted in words of content; ``places`` are the possible ones with their features."""

    chapter: str
    gold: int
    ours: int
    form: tuple[str, str]
    following: tuple[str, ...]
    places: tuple[tuple[int, tuple[str, ...]], ...]


def rows_of(gold: Path) -> list[Row]:
    """The rows that have both parts and in which we find an isnad with a matn."""
    reader = IsnadReader()
    found = []
    for row in gold_rows(gold):
        if row["isnad"] in ("", "nan") or row["matn"] in ("", "nan"):
            continue
        text = row["isnad"] + " " + row["matn"]
        words = Words(text)
        mentions, isnads = reader.read(words, Passage("boundary:1", text))
        told = [isnad for isnad in isnads if isnad.matn]
        if not told:
            continue
        ours, last = words.at(told[0].matn[0][0]), mentions[told[0].path[-1]]
        codes = reader.classes.code(words.folded)
        content = [0]
        for word in words.folded:
            content.append(content[-1] + (word not in FREE))
        ends = {words.at(mention.end) for mention in mentions}
        starts = {words.at(min(mention.start, mention.term.start) if mention.term else mention.start) for mention in mentions}
        near = {
            k
            for k in range(max(0, ours - 12), min(len(words.folded), ours + 14))
            if abs(k - ours) <= 8 or words.folded[k] in _TERMS
        }
        end, length = words.at(last.end), len(words.folded)
        behind = tuple(
            codes[k] if codes[k] in "EUlLKFDIM" else words.folded[k] for k in range(ours, min(ours + 3, length))
        )  # names and unknown words by their class
        form = words.folded[words.at(last.term.start)] if last.term else "-", " ".join(words.folded[min(end, ours) : ours])
        places: dict[int, tuple[str, ...]] = {}
        for k in ends | starts | near | {ours}:
            kind = f"{k in ends}{k in starts}{k == ours}"
            places.setdefault(content[k], _features(words.folded, codes, content, k, content[k] - content[ours], kind))
        found.append(
            Row(str(row["chapter"]), content[words.at(len(row["isnad"]))], content[ours], form, behind, tuple(places.items()))
        )
    return found


def _features(folded: list[str], codes: str, content: list[int], k: int, distance: int, kind: str) -> tuple[str, ...]:
    """What stands on both sides of a cut, words of saying between them left out."""
    first = after = k
    while first > 0 and content[first - 1] == content[k]:
        first -= 1
    while after < len(folded) and content[after + 1] == content[k]:
        after += 1
    before, behind = (folded[first - 1] if first else "^"), (folded[after] if after < len(folded) else "$")
    left, right = (codes[first - 1] if first else "^"), (codes[after] if after < len(folded) else "$")
    far = max(-6, min(6, distance))
    return (
        f"kind={kind}", f"far={far}", f"before={before}", f"behind={behind}", f"classes={left}{right}",
        f"between={' '.join(folded[first:after])[:30]}", f"two={behind} {folded[after + 1] if after + 1 < len(folded) else '$'}",
        f"far,right={far}{right}", f"far,left={far}{left}", f"far,behind={max(-3, min(3, distance))}{behind}", f"kind,right={kind}{right}",
    )  # fmt: skip


def classes(rows: list[Row], width: int) -> tuple[int, float, float]:
    """Rows in classes of five or more, the share we have right, and the share that the majority of each class would have."""
    cuts: dict[tuple[object, ...], Counter[int]] = defaultdict(Counter)
    for row in rows:
        cuts[row.form, row.following[:width]][row.gold - row.ours] += 1
    large = [counted for counted in cuts.values() if counted.total() >= 5]
    total = sum(counted.total() for counted in large)
    return total, sum(c[0] for c in large) / total, sum(max(c.values()) for c in large) / total


def train(rows: list[Row]) -> dict[str, float]:
    """Weights of features, by stochastic gradient over the choice of a place."""
    weights: dict[str, float] = defaultdict(float)
    rows, dice = list(rows), random.Random(1)
    for turn in range(_ROUNDS):
        dice.shuffle(rows)
        for row in rows:
            if all(place != row.gold for place, _ in row.places):
                continue
            scores = [sum(weights[feature] for feature in features) for _, features in row.places]
            shares = [math.exp(score - max(scores)) for score in scores]
            total = sum(shares)
            for (place, features), share in zip(row.places, shares, strict=True):
                step = _RATE / (1 + turn) * ((place == row.gold) - share / total)
                for feature in features:
                    weights[feature] += step
    return weights


def tried(rows: list[Row], weights: dict[str, float]) -> tuple[int, int]:
    """How many rows the weights have right, and within six words."""
    right = near = 0
    for row in rows:
        best = max(row.places, key=lambda place: sum(weights.get(feature, 0.0) for feature in place[1]))[0]
        right += best == row.gold
        near += abs(best - row.gold) <= 6
    return right, near


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gold", type=Path)
    rows = rows_of(parser.parse_args().gold)
    ours = sum(row.gold == row.ours for row in rows)
    print(f"rows with a chain: {len(rows)}; right by rules {ours / len(rows):.4f}")
    for width in (1, 2, 3):
        total, by_rules, by_majority = classes(rows, width)
        print(
            f"classes by {width} words behind the cut: {total} rows; rules {by_rules:.4f}, majority of each class {by_majority:.4f}"
        )
    chapters = sorted({row.chapter for row in rows})
    right = near = 0
    for fold in range(_FOLDS):
        held = set(chapters[fold::_FOLDS])
        got = tried([row for row in rows if row.chapter in held], train([row for row in rows if row.chapter not in held]))
        right, near = right + got[0], near + got[1]
    print(f"model, held-out chapters: right {right / len(rows):.4f}, within six {near / len(rows):.4f}")
    print(f"model on what it was trained on: right {tried(rows, train(rows))[0] / len(rows):.4f}")


if __name__ == "__main__":
    main()
