"""The whole set of measurements, written to bench/results.md: ``make bench``.

    python -m bench [NAME ...]        all, or those named

Each measurement is a program of its own in this folder and can be run alone; what it prints stands in the results under its name,
with the machine. A line ``ratio NAME VALUE`` (better when larger) is kept in bench/ratios.tsv; the run reports each ratio that is worse
than the one kept by more than half. Absolute times of a shared machine mean little: read the ratios.
"""

import os
import platform
import re
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).parent
RESULTS, RATIOS = HERE / "results.md", HERE / "ratios.tsv"
WORSE = 1.5
SECONDS = 420

MEASUREMENTS = {
    "folding": ["folding.py"],
    "isnad": ["isnad.py"],
    "quran": ["quran.py"],
    "events": ["events.py"],
    "identity": ["identity.py"],
    "parallels": ["parallels.py"],
    "graph": ["graph.py"],
    "build": ["build.py"],
    "growth": ["build.py", "--growth"],
    "incremental": ["build.py", "--incremental"],
    "sparql": ["sparql.py"],
    "queries": ["queries.py"],
    "stores": ["stores.py"],
    "outgrow": ["outgrow.py"],
    "documents": ["documents.py"],
    "search": ["search.py"],
    "reconcile": ["reconcile.py"],
}


def measure(command: list[str]) -> str:
    """What one measurement prints; a failure is printed too, with its last lines."""
    program = HERE / command[0]
    if not program.exists():
        return f"not there: bench/{command[0]}"
    try:
        done = subprocess.run(
            [sys.executable, "-m", f"bench.{program.stem}", *command[1:]],
            cwd=HERE.parent,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"stopped after {SECONDS} s"
    if done.returncode:
        return f"failed with {done.returncode}\n" + "\n".join(done.stderr.splitlines()[-5:])
    return done.stdout.rstrip()


def kept_ratios() -> dict[str, float]:
    """The ratios of the run that is kept."""
    if not RATIOS.exists():
        return {}
    return {name: float(value) for name, value in (line.split("\t") for line in RATIOS.read_text(encoding="utf-8").splitlines())}


def main(names: list[str]) -> None:
    """Run, write the results, report what became worse."""
    unknown = set(names) - set(MEASUREMENTS)
    if unknown:
        raise SystemExit(f"no such measurement: {', '.join(sorted(unknown))}; there are {', '.join(MEASUREMENTS)}")
    parts = [
        "# Measurements",
        "",
        f"{time.strftime('%Y-%m-%d')}, {os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()},"
        f" load at the start {os.getloadavg()[0]:.1f}. Repeat: `make bench`, or one alone: `python -m bench NAME`.",
    ]
    ratios: dict[str, float] = {}
    for name in names or MEASUREMENTS:
        began = time.monotonic()
        print(f"{name} …", end=" ", flush=True, file=sys.stderr)
        printed = measure(MEASUREMENTS[name])
        print(f"{time.monotonic() - began:.0f} s", file=sys.stderr)
        command = " ".join(MEASUREMENTS[name])
        parts += ["", f"## {name}", "", f"`python bench/{command}`", "", "```", printed, "```"]
        ratios |= {found[1]: float(found[2]) for found in re.finditer(r"^ratio (\S+) ([\d.]+)", printed, re.MULTILINE)}
    kept = kept_ratios()
    worse = [
        f"{name}: {ratios[name]:g}, was {kept[name]:g}"
        for name in sorted(ratios.keys() & kept.keys())
        if ratios[name] * WORSE < kept[name]
    ]
    parts += ["", "## Worse than before by more than half", "", *(f"* {line}" for line in worse or ["none"])]
    if names:
        print("\n".join(parts))
        return
    RESULTS.write_text("\n".join(parts) + "\n", encoding="utf-8")
    RATIOS.write_text("".join(f"{name}\t{value:g}\n" for name, value in sorted((kept | ratios).items())), encoding="utf-8")
    print(f"{RESULTS} is written; {len(worse)} ratios are worse by more than half")


if __name__ == "__main__":
    main(sys.argv[1:])
