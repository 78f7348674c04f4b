"""Counts words of the Quran in the two Sahihs and writes ``kg/extract/tables/quran_common_words.tsv``.

    python bench/quran_words.py

Listed are the words that are commoner in the Sahihs than in the Quran: seeing them tells less than the Quran's own counts would say.
"""

from collections import Counter
from pathlib import Path

from kg.extract.quran_index import load_index
from kg.sources import open_source
from kg.text import Words

TABLE = Path(__file__).parents[1] / "kg" / "extract" / "tables" / "quran_common_words.tsv"
HEADER = """\
# Words that stand in the Quran and are commoner in the two Sahihs (occurrences in a million words; bench/quran_words.py counts them; folded).
# The weight of a word as evidence for a quotation follows the larger of the two frequencies.
word\tsahihs_per_million
"""


def main() -> None:
    index = load_index()
    quran = Counter(index.words)
    seen: Counter[int] = Counter()
    total = 0
    for name in ("bukhari", "muslim"):
        for passage in open_source(name).passages():
            numbers = [index.spellings[token] for token in Words(passage.text).folded]
            total += len(numbers)
            seen.update(numbers)
    of_quran = len(index.words)
    rows = sorted(
        (round(count * 1_000_000 / total), index.vocabulary[number])
        for number, count in seen.items()
        if number and count / total > 1.2 * quran[number] / of_quran
    )
    TABLE.write_text(HEADER + "".join(f"{word}\t{share}\n" for share, word in reversed(rows) if share), encoding="utf-8")
    print(len(rows), "words of", total)


if __name__ == "__main__":
    main()
