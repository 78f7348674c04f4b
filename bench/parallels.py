"""Parallels: time and memory at 1x, 4x and 16x, and the counts and weights behind the tables.

python bench/parallels.py time              seconds and memory of find_parallels on 4,000, 16,000 and 64,739 rows and on the two Sahihs
python bench/parallels.py shares            writes kg/identify/tables/parallel_word_shares.tsv
python bench/parallels.py exchanges         prints words that tellings exchange, for a person to choose from
python bench/parallels.py fit               writes kg/identify/tables/parallel_weights.tsv from the development part of the gold
python bench/parallels.py score [--names]   precision and recall on the gold (--names: without identifying narrators)
"""

import json
import math
import multiprocessing
import resource
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

from rapidfuzz.distance import LCSseq

from kg import authority
from kg.evaluate.parallels import read_records, score
from kg.identify.likeness import EVIDENCE, Likeness, evidence
from kg.identify.narrators import identify
from kg.identify.neighbours import Neighbours
from kg.identify.parallels import find_parallels
from kg.identify.shingles import TABLES, Formulas, Stems, Vocabulary, exchanges
from kg.identify.tellings import TellingReader, matn_spans
from kg.text import Words

GOLD = Path(__file__).parent / "gold" / "parallels.jsonl"
BOOKS = ("bukhari", "muslim", "abu-dawud", "tirmidhi", "nasai", "ibn-maja", "darimi", "ahmad", "muwatta")


def measured(name: str, books: Sequence[str], every: int) -> None:
    """Runs on each ``every``-th row of the books and prints seconds of the processor and memory."""
    records = read_records(books)[::every]
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    wall, processor = time.perf_counter(), time.process_time()
    found = find_parallels(records)
    seconds, cpu = time.perf_counter() - wall, time.process_time() - processor
    wall = time.perf_counter()
    links = [found.common_links(group) for group in found.groups]
    taught = found.transmissions
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    told = sum(len(group.passages) for group in found.groups)
    print(
        f"{name:<12} {len(records):>6} rows  {seconds:6.1f} s ({cpu:6.1f} s of one core, {1000 * cpu / len(records):.2f} ms a row)  "
        f"{len(found.groups)} groups of {told} passages; {len(links)} bundles and {len(taught)} transmissions in "
        f"{time.perf_counter() - wall:.1f} s; memory {after:.2f} GiB, of it records {before:.2f}",
        flush=True,
    )


def times() -> None:
    for name, books, every in (("1x", BOOKS, 16), ("4x", BOOKS, 4), ("16x", BOOKS, 1), ("two Sahihs", BOOKS[:2], 1)):
        process = multiprocessing.Process(target=measured, args=(name, books, every))
        process.start()
        process.join()


def shares() -> None:
    """Counts in how many matns each stem stands."""
    formulas, vocabulary = Formulas.load(), Vocabulary({}, 0.0003, exchanges())
    counts: Counter[str] = Counter()
    total = 0
    for record in read_records(BOOKS):
        folded = [word for start, end in matn_spans(record) for word in Words(record.passage.text[start:end]).folded]
        words = formulas.applied(folded)
        if len(words) >= 5:
            total += 1
            counts.update({vocabulary.root(word) for word in words})
    path = TABLES / "parallel_word_shares.tsv"
    comments = [line for line in path.read_text(encoding="utf-8").splitlines() if line.startswith("#")]
    rows = [f"{stem}\t{count / total * 10_000:.1f}" for stem, count in counts.most_common() if count >= 20]
    path.write_text("\n".join([*comments, "stem\treports_in_10000", *rows]) + "\n", encoding="utf-8")


def exchanged() -> None:
    """Stems that stand in one another's place between the same neighbours in pairs that are surely one report."""
    stems, likeness = Stems.load(), Likeness.load()
    reader = TellingReader(stems)
    reports = [reader.read(record).report for record in read_records(BOOKS)]
    weights, names = stems.vocabulary.weights, {number: stem for stem, number in stems.vocabulary.numbers.items()}
    counts: Counter[tuple[int, int]] = Counter()
    for number, others in Neighbours(stems).of([report.stems for report in reports]):
        for other in others:
            one, two = reports[number], reports[other]
            if min(len(one.stems), len(two.stems)) > 5 and likeness.odds(evidence(one, two, weights)) > 2.5:
                counts.update(_single_changes(one.stems, two.stems))
    for (one_stem, other_stem), count in counts.most_common(800):
        print(count, names[one_stem], names[other_stem], sep="\t")


def _single_changes(one: Sequence[int], other: Sequence[int]) -> Iterator[tuple[int, int]]:
    steps = list(LCSseq.opcodes(one, other))
    for step, following in pairwise(steps):
        if {step.tag, following.tag} == {"delete", "insert"}:
            gone, come = (step, following) if step.tag == "delete" else (following, step)
            if gone.src_end - gone.src_start == come.dest_end - come.dest_start == 1:
                first, second = sorted((one[gone.src_start], other[come.dest_start]))
                yield first, second


def fit() -> None:
    """Fits the weights of the evidence by logistic regression with a little shrinking (Newton's method)."""
    rows = [json.loads(line) for line in GOLD.read_text(encoding="utf-8").splitlines()]
    rows = [row for row in rows if row["part"] == "development" and row["grade"] != "?"]
    records = read_records(BOOKS)
    identification = identify(records, authority.load())
    wanted = {row[side] for row in rows for side in ("a", "b")}
    stems = Stems.load()
    reader = TellingReader(stems, identification)
    tellings = {record.passage.id: reader.read(record) for record in records if record.passage.id in wanted}
    pairs = [(tellings[row["a"]], tellings[row["b"]], row["grade"] in "WR") for row in rows]
    pairs = [pair for pair in pairs if pair[0].points_back is None and pair[1].points_back is None]
    seen = [evidence(one.report, other.report, stems.vocabulary.weights) for one, other, _ in pairs]
    weights = regression(seen, [same for *_, same in pairs], 0.05)
    path = TABLES / "parallel_weights.tsv"
    comments = [line for line in path.read_text(encoding="utf-8").splitlines() if line.startswith("#")]
    rows_out = [f"{name}\t{weight:.3f}" for name, weight in zip(EVIDENCE, weights, strict=True)]
    path.write_text("\n".join([*comments, "evidence\tweight", *rows_out]) + "\n", encoding="utf-8")
    print(f"{len(pairs)} pairs", *rows_out, sep="\n")


def regression(seen: Sequence[Sequence[float]], same: Sequence[bool], shrink: float) -> list[float]:
    """The weights of a logistic regression; the first (the constant) is not shrunk."""
    size = len(seen[0])
    weights = [0.0] * size
    for _ in range(30):
        slope = [-shrink * weight if place else 0.0 for place, weight in enumerate(weights)]
        curve = [[(shrink if i == j and i else 0.0) + (1e-6 if i == j else 0.0) for j in range(size)] for i in range(size)]
        for values, truth in zip(seen, same, strict=True):
            odds = sum(weight * value for weight, value in zip(weights, values, strict=True))
            likely = 1 / (1 + math.exp(-max(-30.0, min(30.0, odds))))
            for i in range(size):
                slope[i] += (truth - likely) * values[i]
                for j in range(size):
                    curve[i][j] += likely * (1 - likely) * values[i] * values[j]
        step = _solved(curve, slope)
        weights = [weight + change for weight, change in zip(weights, step, strict=True)]
        if max(map(abs, step)) < 1e-6:
            break
    return weights


def _solved(matrix: list[list[float]], right: list[float]) -> list[float]:
    size = len(right)
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for i in range(size):
        best = max(range(i, size), key=lambda r: abs(rows[r][i]))
        rows[i], rows[best] = rows[best], rows[i]
        for r in range(size):
            if r != i:
                factor = rows[r][i] / rows[i][i]
                rows[r] = [a - factor * b for a, b in zip(rows[r], rows[i], strict=True)]
    return [rows[i][size] / rows[i][i] for i in range(size)]


def scored() -> None:
    print(json.dumps(score(GOLD, rows_wrong=True, identified="--names" not in sys.argv), ensure_ascii=False, indent=1))


if __name__ == "__main__":
    tasks = {"time": times, "shares": shares, "exchanges": exchanged, "fit": fit, "score": scored}
    if len(sys.argv) < 2 or sys.argv[1] not in tasks:
        sys.exit(f"usage: python bench/parallels.py {'|'.join(tasks)}")
    tasks[sys.argv[1]]()
