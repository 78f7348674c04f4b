"""Seconds and memory of a build, step by step; what a change of one file costs; whether the cost a row stays flat.

python bench/build.py                 kg build bukhari muslim into an empty folder, by two workers and by one
python bench/build.py --growth        the same for 1,000, 4,000 and 16,000 rows of the nine books
python bench/build.py --incremental   200 files, one of them changed
"""

import argparse
import itertools
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from kg.sources import open_sources


def run(sources: list[str], out: Path, workers: int) -> dict[str, float]:
    """One build in a process of its own: seconds by step, in all, and the peak memory of the largest process in MiB."""
    command = [sys.executable, "-m", "kg.cli", "build", *sources, "--out", str(out), "--workers", str(workers), "--log-json"]
    began = time.perf_counter()
    process = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
    assert process.stderr is not None
    steps: dict[str, float] = {}
    for line in process.stderr:
        if line.startswith("{") and json.loads(line)["state"] == "done":
            step = json.loads(line)
            steps[step["step"].split(" ")[0]] = steps.get(step["step"].split(" ")[0], 0.0) + step["seconds"]
        elif not line.startswith("{"):
            print(line, end="", file=sys.stderr)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"the build failed: {' '.join(command)}")
    return {**steps, "in all": time.perf_counter() - began, "MiB": usage.ru_maxrss / 1024}


def told(title: str, figures: dict[str, float]) -> None:
    """One line a build."""
    print(f"{title:<34}", "  ".join(f"{name} {value:.1f}" for name, value in figures.items()), flush=True)


def write_rows(path: Path, count: int) -> None:
    """``count`` rows of the nine books, taken evenly from each, as JSON Lines with ids of their own."""
    passages = itertools.chain.from_iterable(source.passages() for source in open_sources("nine-books"))
    step = 64_739 / count
    wanted, rows = 0.0, 0
    with path.open("w", encoding="utf-8") as lines:
        for place, passage in enumerate(passages):
            if place >= wanted and rows < count:
                lines.write(json.dumps({"id": f"rows:{rows}", "text": passage.text}, ensure_ascii=False) + "\n")
                wanted += step
                rows += 1


def growth(folder: Path) -> None:
    """Seconds a thousand rows for growing input."""
    for count in (1_000, 4_000, 16_000):
        path = folder / f"rows{count}.jsonl"
        write_rows(path, count)
        figures = run([str(path)], folder / f"out{count}", 2)
        told(f"{count:,} rows", figures)
        print(f"    {figures['in all'] / count * 1000:.2f} s a thousand rows")


def incremental(folder: Path) -> None:
    """A fresh build of 200 files, and one with a single file changed."""
    texts = folder / "texts"
    texts.mkdir()
    passages = list(itertools.islice(open_sources("bukhari")[0].passages(), 4_000))
    for number in range(200):
        rows = passages[number * 20 : number * 20 + 20]
        (texts / f"part{number:03}.txt").write_text("\n\n".join(row.text for row in rows), encoding="utf-8")
    fresh = run([str(texts)], folder / "out", 2)
    told("200 files, fresh", fresh)
    (texts / "part007.txt").write_text("\n\n".join(row.text for row in passages[:19]), encoding="utf-8")
    again = run([str(texts)], folder / "out", 2)
    told("200 files, one changed", again)
    print(f"    reading {again.get('reading', 0) / fresh['reading']:.3f} of a fresh build")
    print(f"ratio build-fresh/one-of-200-changed {fresh['in all'] / again['in all']:.2f}")


def main() -> None:
    """Print the figures asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--growth", action="store_true")
    parser.add_argument("--incremental", action="store_true")
    options = parser.parse_args()
    print(f"{os.cpu_count()} cores, Python {platform.python_version()}")
    with tempfile.TemporaryDirectory(prefix="kg-bench-") as name:
        folder = Path(name)
        if options.growth:
            growth(folder)
        elif options.incremental:
            incremental(folder)
        else:
            figures = {workers: run(["bukhari", "muslim"], folder / f"out{workers}", workers) for workers in (2, 1)}
            for workers, steps in figures.items():
                told(f"bukhari muslim, {workers} workers", steps)
            for step in ("reading", "in all"):
                print(f"ratio build-{step.replace(' ', '-')}-1-worker/2-workers {figures[1][step] / figures[2][step]:.2f}")


if __name__ == "__main__":
    main()
