"""Characters a second of folding: the line alone, and words with their spans.

python bench/folding.py
"""

import time
from collections.abc import Callable

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


def main() -> None:
    """Print the rates."""
    texts = [passage.text for passage in open_source("bukhari").passages()]
    line, words = rate(fold, texts), rate(Words, texts)
    print(f"folding a line                  {line:.1f} M characters/s")
    print(f"words with offsets              {words:.1f} M characters/s")
    print(f"ratio words-with-offsets/line {words / line:.2f}")


if __name__ == "__main__":
    main()
