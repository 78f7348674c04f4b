"""Reconciliation measured on a built folder: the commonest surfaces of its chains, and 50 queries in one batch of an index
that was opened just before.

    python bench/reconcile.py [kg-data] [--wrong]

A surface counts where at least 95 % of its mentions are one person of the tables. The counts of surfaces come from the same mentions, so the first
figure is high by construction; "by names alone" leaves them out, and "counts of bukhari, surfaces of muslim" takes them from the other book.
"""

import json
import sys
from collections import Counter, defaultdict
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from kg.authority import load
from kg.link.attested import attested_surfaces
from kg.link.matching import Index
from kg.link.name_index import write_names
from kg.link.reading import read_name
from kg.link.romanisation import bone
from kg.link.service import NAMES
from kg.link.things import read_things
from kg.web.edition import Shelf

Attested = Mapping[str, Mapping[str, int]]


def commonest(attested: Attested, most: int = 1000) -> list[tuple[str, str]]:
    """The commonest surfaces that mean one person of the tables, each with that person."""
    by_whole: dict[str, Counter[str]] = defaultdict(Counter)
    spelling: dict[str, str] = {}
    for surface, counts in attested.items():
        whole = read_name(surface).whole
        spelling.setdefault(whole, surface)
        by_whole[whole].update(counts)
    one = [(sum(counts.values()), whole, counts.most_common(1)[0]) for whole, counts in by_whole.items()]
    one = [row for row in one if row[2][1] >= 0.95 * row[0] and not row[2][0].startswith("person/c-")]
    one.sort(reverse=True)
    return [(spelling[whole], key) for _, whole, (key, _) in one[:most]]


def shares(index: Index, rows: list[tuple[str, str]], label: str, verbose: bool) -> dict[str, float]:
    """How often the right answer is first, and among three."""
    first = three = 0
    for surface, key in rows:
        answers = [candidate.thing.key for candidate in index.find(surface, ("Person",), 3)]
        first += answers[:1] == [key]
        three += key in answers
        if verbose and answers[:1] != [key]:
            print(label, surface, key, answers)
    return {"first": first / len(rows), "in the top three": three / len(rows)}


def main(data: Path, verbose: bool) -> None:
    """Print the shares of right answers and the time of a batch."""
    edition = Shelf(data).current()
    before = perf_counter()
    attested = attested_surfaces(edition.store, edition.base)
    counted = perf_counter() - before
    before = perf_counter()
    persons = load().persons
    things = list(read_things(edition.folder / "search.sqlite", persons))
    index = Index.of(things, persons, attested)
    made = perf_counter() - before
    rows = commonest(attested)
    latin = [(thing.name("ar-latn")[0], thing.key) for thing in things if thing.key in persons and persons[thing.key].name_latn]
    bones = Counter(bone(read_name(name).whole) for name, _ in latin)
    latin = [(name, key) for name, key in latin if bones[bone(read_name(name).whole)] == 1]
    times = []
    with TemporaryDirectory() as folder:
        write_names(Path(folder, NAMES), things, persons, attested)
        fresh = Index(Path(folder, NAMES))
        for start in range(0, 1000, 50):
            before = perf_counter()
            for surface, _ in rows[start : start + 50]:
                fresh.find(surface, (), 10)
            times.append(1000 * (perf_counter() - before))
    report: dict[str, object] = {
        "surfaces": len(rows),
        "seconds to count surfaces": counted,
        "seconds to make the index": made,
        "with counts of surfaces": shares(index, rows, "counts", verbose),
        "by names alone": shares(Index.of(things, persons), rows, "names", verbose),
        **{
            f"counts of {counted}, surfaces of {asked}": shares(
                Index.of(things, persons, attested_surfaces(edition.store, edition.base, counted)),
                commonest(attested_surfaces(edition.store, edition.base, asked)),
                asked,
                verbose,
            )
            for counted, asked in (("bukhari", "muslim"), ("muslim", "bukhari"))
        },
        f"romanised names ({len(latin)})": shares(index, latin, "romanised", verbose),
    }
    report["milliseconds of 50 queries"] = {
        "first": times[0],
        "median": sorted(times)[len(times) // 2],
        "longest": max(times),
    }
    print(json.dumps(report, ensure_ascii=False, indent=1))


if __name__ == "__main__":
    names = [word for word in sys.argv[1:] if not word.startswith("--")]
    main(Path(names[0] if names else "kg-data"), "--wrong" in sys.argv)
