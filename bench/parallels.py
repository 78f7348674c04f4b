"""Parallels: time and memory at 1x, 4x and 16x, and the counts and weights behind the tables.

python bench/parallels.py time              seconds and memory of find_parallels on 4,000, 16,000 and 64,739 rows and on the two Sahihs
python bench/parallels.py sahihs            the two Sahihs alone
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
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from operator import mul
from pathlib import Path
from typing import Any

from rapidfuzz.distance import LCSseq

from kg import authority
from kg.evaluate.parallels import read_records, score
from kg.extract.record import Record
from kg.identify.company import Company
from kg.identify.compared import Compared
from kg.identify.likeness import COMPANY, EVIDENCE, Likeness, evidence
from kg.identify.narrators import identify
from kg.identify.neighbours import Neighbours
from kg.identify.parallels import find_parallels
from kg.identify.shingles import TABLES, Formulas, Stems, Vocabulary, exchanges
from kg.identify.tellings import Claims, Telling, TellingReader, matn_spans
from kg.text import Words

GOLD = Path(__file__).parent / "gold" / "parallels.jsonl"
SHRINK = 0.05
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
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    told = sum(len(group.passages) for group in found.groups)
    print(
        f"{name:<12} {len(records):>6} rows  {seconds:6.1f} s ({cpu:6.1f} s of one core, {1000 * cpu / len(records):.2f} ms a row)  "
        f"{len(found.groups)} groups of {told} passages; {len(links)} bundles in "
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
    """Fits the weights by logistic regression with a little shrinking (Newton's method): first those of the evidence of a pair, then,
    with the odds that weights fitted on nine tenths of the pairs give the last tenth, those of the company."""
    rows = [json.loads(line) for line in GOLD.read_text(encoding="utf-8").splitlines()]
    records = read_records(BOOKS)
    write_weights(*fitted(rows, records, identify(records, authority.load())))


def fitted(
    rows: Sequence[Mapping[str, Any]], records: Sequence[Record], identification: Claims
) -> tuple[int, Sequence[float], Sequence[float]]:
    """The number of pairs, and the weights of the two steps."""
    rows = [row for row in rows if row["part"] == "development" and row["grade"] != "?"]
    stems = Stems.load()
    reader = TellingReader(stems, identification)
    tellings = [reader.read(record) for record in records]
    numbers = {telling.passage: number for number, telling in enumerate(tellings)}
    reports, weights = [telling.report for telling in tellings], stems.vocabulary.weights
    pairs = [(numbers[row["a"]], numbers[row["b"]], row["grade"] in "WR") for row in rows]
    pairs = [pair for pair in pairs if tellings[pair[0]].points_back is None and tellings[pair[1]].points_back is None]
    seen, same = [evidence(reports[one], reports[other], weights) for one, other, _ in pairs], [pair[2] for pair in pairs]
    first = regression(seen, same, SHRINK)
    apart = [0.0] * len(pairs)
    for fold in range(10):
        rest = [number for number in range(len(pairs)) if number % 10 != fold]
        held = regression([seen[number] for number in rest], [same[number] for number in rest], SHRINK)
        for number in range(fold, len(pairs), 10):
            apart[number] = sum(map(mul, held, seen[number]))
    company = _company(
        tellings, stems, Likeness(dict.fromkeys((*EVIDENCE, *COMPANY), 0.0) | dict(zip(EVIDENCE, first, strict=True)))
    )
    asked = [company.seen(one, other, alone) for (one, other, _), alone in zip(pairs, apart, strict=True)]
    return len(pairs), first, regression(asked, same, SHRINK)


def _company(tellings: Sequence[Telling], stems: Stems, likeness: Likeness) -> Company:
    compared = Compared([telling.report for telling in tellings], stems.vocabulary.weights, likeness)
    for number, found in Neighbours(stems).of([() if t.points_back is not None else t.report.stems for t in tellings]):
        for other in found:
            compared.compare(other, number)
    return Company(len(tellings), compared, compared.odds, (0.0, 1.0, 0.0, 0.0))


def write_weights(pairs: int, first: Sequence[float], second: Sequence[float]) -> None:
    """Writes the table of weights; its comments stay."""
    path = TABLES / "parallel_weights.tsv"
    comments = [line for line in path.read_text(encoding="utf-8").splitlines() if line.startswith("#")]
    rows = [f"{name}\t{weight:.3f}" for name, weight in zip((*EVIDENCE, *COMPANY), (*first, *second), strict=True)]
    path.write_text("\n".join([*comments, "evidence\tweight", *rows]) + "\n", encoding="utf-8")
    print(f"{pairs} pairs", *rows, sep="\n")


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


def sahihs() -> None:
    measured("two Sahihs", BOOKS[:2], 1)


def scored() -> None:
    print(json.dumps(score(GOLD, rows_wrong=True, identified="--names" not in sys.argv), ensure_ascii=False, indent=1))


if __name__ == "__main__":
    tasks = {"time": times, "sahihs": sahihs, "shares": shares, "exchanges": exchanged, "fit": fit, "score": scored}
    if len(sys.argv) < 2 or sys.argv[1] not in tasks:
        sys.exit(f"usage: python bench/parallels.py {'|'.join(tasks)}")
    tasks[sys.argv[1]]()
