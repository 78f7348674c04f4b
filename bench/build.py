"""Seconds and memory of a build, step by step; what a change of one file costs; whether the cost a row stays flat.

python -m bench.build                 the two Sahihs: a sixteenth, a quarter and all of their rows by two workers, all by one
python -m bench.build --nine          1,000, 4,000 and 16,000 rows of the nine books
python -m bench.build --incremental   200 files, one of them changed
"""

import argparse
import contextlib
import itertools
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import psutil

from kg.sources import open_sources


class Watch(threading.Thread):
    """Looks at a process and all that it starts, twice a second: seconds of processor, and the memory of the largest."""

    def __init__(self, process: int) -> None:
        super().__init__(daemon=True)
        self.ended, self._process = threading.Event(), psutil.Process(process)
        self._seconds: dict[int, float] = {}
        self.most = 0

    @property
    def seconds(self) -> float:
        """Of the processor, by all processes together, until they were last seen."""
        return sum(self._seconds.values())

    def run(self) -> None:
        """Until it has ended."""
        while not self.ended.wait(0.5):
            with contextlib.suppress(psutil.NoSuchProcess):
                for process in (self._process, *self._process.children(recursive=True)):
                    with contextlib.suppress(psutil.NoSuchProcess):
                        times = process.cpu_times()
                        self._seconds[process.pid] = times.user + times.system
                        self.most = max(self.most, process.memory_info().rss)


def run(sources: list[str], out: Path, workers: int) -> dict[str, float]:
    """One build in a process of its own: seconds by step and in all, those of the processor, and the peak memory of the largest process in MiB."""
    command = [sys.executable, "-m", "kg.cli", "build", *sources, "--out", str(out), "--workers", str(workers), "--log-json"]
    began = time.perf_counter()
    process = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
    assert process.stderr is not None
    watch = Watch(process.pid)
    watch.start()
    steps: dict[str, float] = {}
    for line in process.stderr:
        if line.startswith("{") and json.loads(line)["state"] == "done":
            step = json.loads(line)
            steps[step["step"].split(" ")[0]] = steps.get(step["step"].split(" ")[0], 0.0) + step["seconds"]
        elif not line.startswith("{"):
            print(line, end="", file=sys.stderr)
    process.wait()
    watch.ended.set()
    watch.join()
    if process.returncode:
        raise SystemExit(f"the build failed: {' '.join(command)}")
    return {**steps, "in all": time.perf_counter() - began, "processor": watch.seconds, "MiB": watch.most / 2**20}


def told(title: str, figures: dict[str, float]) -> None:
    """One line a build."""
    print(f"{title:<34}", "  ".join(f"{name} {value:.1f}" for name, value in figures.items()), flush=True)


def write_rows(path: Path, corpus: str, count: int) -> None:
    """``count`` rows of a corpus, taken evenly from its books, as JSON Lines with ids of their own."""
    sources = open_sources(corpus) if corpus == "nine-books" else [*open_sources("bukhari"), *open_sources("muslim")]
    step = sum(source.rows or 0 for source in sources) / count
    wanted, rows = 0.0, 0
    with path.open("w", encoding="utf-8") as lines:
        for place, passage in enumerate(itertools.chain.from_iterable(source.passages() for source in sources)):
            if place >= wanted and rows < count:
                lines.write(json.dumps({"id": f"rows:{rows}", "text": passage.text}, ensure_ascii=False) + "\n")
                wanted += step
                rows += 1


def grown(folder: Path, corpus: str, count: int) -> float:
    """Seconds a thousand rows of so many rows of a corpus, by two workers."""
    path = folder / f"rows{count}.jsonl"
    write_rows(path, corpus, count)
    figures = run([str(path)], folder / f"out{count}", 2)
    shutil.rmtree(folder / f"out{count}")
    told(f"{count:,} rows", figures)
    return thousand(figures, count)


def thousand(figures: dict[str, float], count: int) -> float:
    """Prints and gives seconds a thousand rows."""
    each = figures["in all"] / count * 1000
    print(f"    {each:.2f} s a thousand rows", flush=True)
    return each


def nine(folder: Path) -> None:
    """What a row costs as the input grows to 16,000 rows of the nine books."""
    few, *_, many = [grown(folder, "nine-books", count) for count in (1_000, 4_000, 16_000)]
    print(f"ratio build-a-row:1,000/16,000 {few / many:.2f}")


def sahihs(folder: Path) -> None:
    """What a row costs as the input grows to both Sahihs, and how much two workers are quicker than one."""
    rows = sum(source.rows or 0 for name in ("bukhari", "muslim") for source in open_sources(name))
    few, _ = (grown(folder, "sahihs", count) for count in (rows // 16, rows // 4))
    figures = {workers: run(["bukhari", "muslim"], folder / f"out{workers}", workers) for workers in (2, 1)}
    for workers, steps in figures.items():
        told(f"bukhari muslim, {workers} workers", steps)
    many = thousand(figures[2], rows)
    print(f"ratio build-a-row:1x/16x {few / many:.2f}")
    for step in ("reading", "in all"):
        print(f"ratio build-{step.replace(' ', '-')}-1-worker/2-workers {figures[1][step] / figures[2][step]:.2f}")


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
    parser.add_argument("--nine", action="store_true")
    parser.add_argument("--incremental", action="store_true")
    options = parser.parse_args()
    print(f"{os.cpu_count()} cores, Python {platform.python_version()}")
    with tempfile.TemporaryDirectory(prefix="kg-bench-") as name:
        (nine if options.nine else incremental if options.incremental else sahihs)(Path(name))


if __name__ == "__main__":
    main()
