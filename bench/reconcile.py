"""Reconciliation measured on a built folder: the commonest surfaces of its chains, and 50 queries in one batch.

python bench/reconcile.py [kg-data]
"""

import json
import sys
from collections import Counter, defaultdict
from pathlib import Path
from time import perf_counter

from kg.authority import load
from kg.link.attested import attested_surfaces
from kg.link.matching import Index
from kg.link.reading import read_name
from kg.link.things import read_things
from kg.store.embedded import EmbeddedStore
from kg.web.edition import Shelf


def main(data: Path, verbose: bool) -> None:
    """Print the shares of right answers, with and without the counts of surfaces, and the time of a batch."""
    edition = Shelf(data).current()
    store = EmbeddedStore.open(edition.folder / "store")
    before = perf_counter()
    attested = attested_surfaces(store, edition.base)
    counted = perf_counter() - before
    before = perf_counter()
    things = list(read_things(edition.folder / "search.sqlite", load().persons))
    index = Index(things, attested)
    made = perf_counter() - before
    by_name = Index(things)
    by_surface: dict[str, Counter[str]] = defaultdict(Counter)
    spelling: dict[str, str] = {}
    for surface, counts in attested.items():
        whole = read_name(surface).whole
        spelling.setdefault(whole, surface)
        by_surface[whole].update(counts)
    one = [(sum(c.values()), whole, c.most_common(1)[0]) for whole, c in by_surface.items()]
    one = [(n, whole, best[0]) for n, whole, best in one if best[1] >= 0.95 * n and not best[0].startswith("person/c-")]
    one.sort(reverse=True)
    rows = [(spelling[whole], key) for _, whole, key in one[:1000]]
    report: dict[str, object] = {"surfaces": len(rows), "seconds to count surfaces": counted, "seconds to make the index": made}
    for label, asked in (("with counts of surfaces", index), ("by names alone", by_name)):
        first = three = 0
        for surface, key in rows:
            answers = [candidate.thing.key for candidate in asked.find(surface, ("Person",), 3)]
            first += answers[:1] == [key]
            three += key in answers
            if verbose and key not in answers[:1]:
                print(label, surface, key, answers)
        report[label] = {"first": first / len(rows), "in the top three": three / len(rows)}
    times = []
    for start in range(0, 1000, 50):
        before = perf_counter()
        for surface, _ in rows[start : start + 50]:
            index.find(surface, (), 10)
        times.append(1000 * (perf_counter() - before))
    report["milliseconds of 50 queries"] = {"median": sorted(times)[len(times) // 2], "longest": max(times)}
    print(json.dumps(report, ensure_ascii=False, indent=1))


if __name__ == "__main__":
    names = [word for word in sys.argv[1:] if not word.startswith("--")]
    main(Path(names[0] if names else "kg-data"), "--wrong" in sys.argv)
