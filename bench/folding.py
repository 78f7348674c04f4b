"""Characters a second of folding: the line alone, and words with their spans, beside a loop over characters with pyarabic.

python bench/folding.py
"""

import time
from collections.abc import Callable

from pyarabic import araby

from kg.sources import open_source
from kg.text import Words, fold


def rate(work: Callable[[str], object], texts: list[str]) -> float:
    """Millions of characters a second of the processor, the best of three."""
    best = 0.0
    for _ in range(3):
        began = time.process_time()
        for text in texts:
            work(text)
        best = max(best, sum(map(len, texts)) / (time.process_time() - began) / 1e6)
    return best


def by_pyarabic(text: str) -> str:
    """The same folding with pyarabic's own functions."""
    return araby.normalize_hamza(araby.strip_tatweel(araby.strip_diacritics(text)), method="uniform")


def main() -> None:
    """Print the rates."""
    texts = [passage.text for passage in open_source("bukhari").passages()]
    line, words, theirs = rate(fold, texts), rate(Words, texts), rate(by_pyarabic, texts[:1000])
    print(f"folding a line                  {line:.1f} M characters/s")
    print(f"words with offsets              {words:.1f} M characters/s")
    print(f"pyarabic's functions, a line    {theirs:.2f} M characters/s")
    print(f"ratio words-with-offsets/pyarabic {words / theirs:.1f}")


if __name__ == "__main__":
    main()
