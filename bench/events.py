"""Characters a second of the reading of names and events, and what a further event type costs.

python bench/events.py            every sixth row of Sahih al-Bukhari, one core, processor time
"""

import time
from collections.abc import Callable
from typing import Any

from kg.authority import load
from kg.extract.event_types import TypeBook
from kg.extract.extractor import Extractor
from kg.sources import open_source
from kg.text import Words


def rate(characters: int, work: Callable[[], Any]) -> float:
    """Million characters a second of processor time: the best of three runs."""
    best = float("inf")
    for _ in range(3):
        began = time.process_time()
        work()
        best = min(best, time.process_time() - began)
    return characters / best / 1e6


def main() -> None:
    """Prints the figures."""
    extractor = Extractor(load())
    passages = [passage for n, passage in enumerate(open_source("bukhari").passages()) if n % 6 == 0]
    characters = sum(len(passage.text) for passage in passages)
    read = []
    for passage in passages:
        words = Words(passage.text)
        read.append((words, passage, *extractor.isnads.read(words, passage), extractor.quran.find(words, passage)))
    named = [extractor.names.find(words, passage, narrators, isnads) for words, passage, narrators, isnads, _ in read]
    reader = extractor.events
    print(
        f"{len(passages)} rows, {characters:,} characters, {len(reader.book.types)} entries, {len({t.name for t in reader.book.types})} types"
    )
    print(f"names    {rate(characters, lambda: [extractor.names.find(w, p, n, i) for w, p, n, i, _ in read]):.2f} M characters/s")

    def events() -> None:
        for (words, passage, narrators, isnads, quran), names in zip(read, named, strict=True):
            reader.read(words, passage, narrators, isnads, *names, quran)

    everything = reader.book
    for share in (0.25, 0.5, 1.0):
        reader.book = TypeBook(everything.types[: int(len(everything.types) * share)])
        print(f"events   {rate(characters, events):.2f} M characters/s with {len(reader.book.types)} entries")


if __name__ == "__main__":
    main()
