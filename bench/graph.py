"""Speed of the graph room: quads/s of the writer, packing, further formats, comparison of versions; quads a passage.

    python bench/graph.py                    one passage read by hand (tests/graph), 15,000 times over
    python bench/graph.py --passages 150000  ten times that: the cost a passage should stay

Seconds are of the processor (``time.process_time``) for the writer, and of the clock for packing.
"""

import argparse
import importlib.util
import resource
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from kg.graph.changes import write_changes
from kg.graph.dump import write_graph
from kg.graph.packing import pack

SEED = Path(__file__).parents[1] / "tests" / "graph" / "bukhari_3661.py"


def _seed() -> Any:
    spec = importlib.util.spec_from_file_location("bukhari_3661", SEED)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--passages", type=int, default=15_000)
    wanted = parser.parse_args()
    seed = _seed()
    record = seed.record()

    def records() -> Iterator[Any]:
        for number in range(1, wanted.passages + 1):
            yield replace(record, passage=replace(record.passage, id=f"bukhari:{number}"))

    with tempfile.TemporaryDirectory() as folder:
        built = Path(folder)
        start = time.process_time()
        counts = write_graph(built, base=seed.BASE, sources=[seed.BUKHARI], records=records(), authority=seed.authority())
        seconds = time.process_time() - start
        print(f"writer: {counts.quads:,} quads in N-Quads and Turtle, {seconds:.1f} s, {counts.quads / seconds:,.0f} quads/s")
        print(f"a passage: {counts.graphs['graph/source/bukhari'] / wanted.passages:.0f} quads of text, "
              f"{counts.graphs['graph/identity'] / wanted.passages:.0f} of identity")  # fmt: skip
        print(f"peak memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB")
        for work, what in (
            (lambda: pack(built / "dumps"), "packing six formats (gz and zst), one process"),
            (lambda: write_changes(built / "dumps", built / "dumps"), "comparing two versions"),
        ):
            start = time.perf_counter()
            work()
            print(f"{what}: {time.perf_counter() - start:.1f} s")


if __name__ == "__main__":
    main()
