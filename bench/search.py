"""Search: milliseconds of processor time of questions not asked before, and what the index takes on disk.

python -m bench.search [DATA]        DATA is a built folder (default: kg-data)

Questions are words that stand together in the texts, one to three of them, and names as readers type them, in both scripts.
"""

import random
import sqlite3
import sys
import time
from collections.abc import Callable
from pathlib import Path

from kg.store.embedded import EmbeddedStore
from kg.text import Words
from kg.web.search import SearchIndex
from kg.web.search_index import SLS

NAMES = (
    "Umar|عمر|ʿUmar|Ibn Umar|ابن عمر|Aisha|عائشة|أبو هريرة|Abu Hurayra|Bukhari|البخاري|الزهري|ابن شهاب|Malik|مالك|محمد|Muhammad|علي|Ali"
    "|Abu Bakr|أبو بكر|Medina|المدينة|Badr|بدر|9:40|براءة|Thawr|ثور|hijra|الهجرة|إنما الأعمال بالنيات|sahih muslim|bukhari 3661|Sadaqa b. Yasar"
).split("|")
EACH = 300


def questions(store: EmbeddedStore) -> tuple[list[str], list[str]]:
    """Words cut out of random texts, the same at every run; and names."""
    dice = random.Random(23)
    texts = sorted(quad.object.value for quad in store.quads(None, SLS + "text"))
    cut = []
    for text in dice.sample(texts, min(EACH, len(texts))):
        words = Words(text)
        number = min(dice.randint(1, 3), len(words.starts))
        first = dice.randint(0, len(words.starts) - number)
        cut.append(text[words.starts[first] : words.ends[first + number - 1]])
    return cut, NAMES


def timed(ask: Callable[[str], object], asked: list[str]) -> str:
    """Milliseconds: half, nineteen of twenty and the slowest of a hundred take no longer."""
    times = []
    for question in asked:
        start = time.process_time()
        ask(question)
        times.append((time.process_time() - start) * 1000)
    times.sort()
    shown = " ".join(f"p{part} {times[min(len(times) - 1, len(times) * part // 100)]:.1f}" for part in (50, 95, 99))
    return f"{len(times)} questions: {shown} ms"


def main() -> None:
    data = Path(sys.argv[1] if len(sys.argv) > 1 else "kg-data")
    folder = (data / "current").resolve()
    path = folder / "search.sqlite"
    cut, names = questions(EmbeddedStore.open(folder / "store"))
    index = SearchIndex(path)
    index.find("كتاب")  # opens the file
    print(f"words of texts   {timed(index.find, cut)}")
    print(f"names            {timed(index.find, names)}")
    print(f"completion       {timed(index.complete, [name[:size] for name in names for size in (2, 3, 4)])}")
    with sqlite3.connect(path) as connection:
        things, rows = (connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in ("thing", "name"))
        bones = connection.execute("SELECT count(*), sum(length(folded)) FROM name WHERE folded GLOB 'qq*'").fetchone()
    size = path.stat().st_size / 2**20
    print(
        f"index            {size:.1f} MiB, {things:,} things, {rows:,} names; {bones[0]:,} of these by consonants, {bones[1] / 2**20:.1f} MiB"
    )


if __name__ == "__main__":
    main()
