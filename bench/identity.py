"""How fast narrators are identified, how many links find a person, and what memory it takes.

    python bench/identity.py [CORPUS ...]

The records are read first and not counted; the clock runs over ``identify`` and over making every claim once.
"""

import resource
import sys
import time
from collections import Counter

from kg.authority import load
from kg.evaluate.identity import linked_share
from kg.extract.isnad import IsnadReader
from kg.extract.record import Record
from kg.identify.narrators import identify
from kg.sources import open_sources
from kg.text import Passage, Words


def main(names: list[str]) -> None:
    reader = IsnadReader()
    records = []
    for name in names:
        for source in open_sources(name):
            for passage in source.passages():
                narrators, isnads = reader.read(Words(passage.text), passage)
                light = Passage(passage.id, "", source=passage.source, work=passage.work, kind=passage.kind)
                records.append(Record(light, narrators, isnads))
    authority = load()
    began, cpu = time.perf_counter(), time.process_time()
    decided = identify(records, authority)
    decision = time.perf_counter() - began, time.process_time() - cpu
    began = time.perf_counter()
    claims = sum(len(made) for record in records for made in decided.claims(record.passage.id).values())
    answers = time.perf_counter() - began
    print(f"{len(records)} passages, {sum(len(r.narrators) for r in records)} mentions")
    print(f"identify: {decision[0]:.1f} s ({decision[1]:.1f} s of processor); {claims} claims in {answers:.1f} s")
    print(f"peak memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB")
    print("links:", linked_share(records, decided, authority))
    print("clusters:", len(decided.clusters), "problems:", dict(Counter(problem.kind for problem in decided.problems)))


if __name__ == "__main__":
    main(sys.argv[1:] or ["bukhari", "muslim"])
