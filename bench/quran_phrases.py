"""Counts the phrases of ``kg/extract/tables/quran_formulas.tsv`` in the two Sahihs and writes the counts into the table.

    python bench/quran_phrases.py            prints the rows whose counts differ
    python bench/quran_phrases.py --write    writes them

``sahihs`` is how often the phrase stands in the two Sahihs; ``introduced`` how often a formula that announces words of the Quran stands
right before it (strength 2 or 3 of ``quran_introductions.tsv``).
"""

import sys
from collections import Counter
from pathlib import Path

from kg.extract.quran_introduction import Introductions
from kg.sources import open_source
from kg.text import Words, fold

TABLE = Path(__file__).parents[1] / "kg" / "extract" / "tables" / "quran_formulas.tsv"


def count(phrases: set[tuple[str, ...]]) -> tuple[Counter[tuple[str, ...]], Counter[tuple[str, ...]]]:
    """How often each phrase stands in the two Sahihs, and how often introduced as Quran."""
    introductions = Introductions()
    lengths = sorted({len(phrase) for phrase in phrases})
    firsts = {phrase[0] for phrase in phrases}
    everywhere: Counter[tuple[str, ...]] = Counter()
    introduced: Counter[tuple[str, ...]] = Counter()
    for name in ("bukhari", "muslim"):
        for passage in open_source(name).passages():
            tokens = Words(passage.text).folded
            after = {introduction.after for introduction in introductions.find(tokens) if introduction.strength > 1}
            for i, token in enumerate(tokens):
                if token in firsts:
                    for length in lengths:
                        phrase = tuple(tokens[i : i + length])
                        if phrase in phrases:
                            everywhere[phrase] += 1
                            introduced[phrase] += i in after
    return everywhere, introduced


def main() -> None:
    lines = TABLE.read_text(encoding="utf-8").splitlines()
    header = next(i for i, line in enumerate(lines) if line and not line.startswith("#"))
    rows = [line.split("\t") for line in lines[header + 1 :]]
    everywhere, introduced = count({tuple(fold(row[0]).split()) for row in rows})
    for row in rows:
        phrase = tuple(fold(row[0]).split())
        counts = [str(everywhere[phrase]), str(introduced[phrase])]
        if row[2:4] != counts:
            print(row[0], row[2:4], "->", counts)
        row[2:4] = counts
    if "--write" in sys.argv:
        TABLE.write_text("\n".join([*lines[: header + 1], *("\t".join(row) for row in rows)]) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
