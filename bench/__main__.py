"""The whole set of measurements, written to bench/results.md: ``make bench`` (``make bench PEERS=/elsewhere/bin/python``).

    python -m bench [--peers PYTHON] [NAME ...]        all, or those named

Each measurement is a program of its own in this folder and can be run alone; what it prints stands in the results under its name,
with the machine. PYTHON is an interpreter that has the programs we compare with and is none of ours:

    python -m venv /elsewhere
    /elsewhere/bin/pip install --no-deps isnady==0.5.8
    /elsewhere/bin/pip install --ignore-requires-python quran-toolkit quran-detector rdflib-endpoint uvicorn

rdflib and Oxigraph's server are there anyway; Virtuoso is taken where it is installed (Debian's virtuoso-opensource-7-bin). What is not there
is left out and said to be. The built folder kg-data is measured as it is, or built first.

A line ``ratio NAME VALUE`` (better when larger) is kept in bench/ratios.tsv; the run reports each ratio that is worse
than the one kept by more than half. Absolute times of a shared machine mean little: read the ratios.
"""

import argparse
import os
import platform
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).parent
RESULTS, RATIOS = HERE / "results.md", HERE / "ratios.tsv"
WORSE, PEERS = 1.5, "--peers"
SECONDS, MOST = 300, {"build": 900}
"""After so many seconds a measurement is stopped; some may take longer."""

MEASUREMENTS = {
    "folding": ["folding.py"],
    "isnad": ["isnad.py", PEERS],
    "quran": ["quran.py", PEERS],
    "events": ["events.py"],
    "identity": ["identity.py"],
    "parallels": ["parallels.py", "sahihs"],
    "graph": ["graph.py"],
    "build": ["build.py"],
    "incremental": ["build.py", "--incremental"],
    "search": ["search.py"],
    "sparql": ["sparql.py", "--seconds", "1"],
    "sparql-peers": ["sparql.py", "--seconds", "1", PEERS],
    "queries": ["queries.py"],
    "stores": ["stores.py"],
    "outgrow": ["outgrow.py"],
    "documents": ["documents.py"],
    "reconcile": ["reconcile.py"],
}
"""Longer ones stand in docs/quality: builds of the nine books, 28 million statements."""


def measure(command: list[str], peers: str | None) -> str:
    """What one measurement prints; of one that fails or takes too long also what it printed until then."""
    program = HERE / command[0]
    if command[-1] == PEERS:
        if peers is None and program.stem == "sparql":
            return "left out: no --peers PYTHON was given"
        command = [*command, peers] if peers else command[:-1]
    most = MOST.get(program.stem, SECONDS)
    process = subprocess.Popen(
        [sys.executable, "-m", f"bench.{program.stem}", *command[1:]],
        cwd=HERE.parent,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        out, errors = process.communicate(timeout=most)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)  # what it has started too
        out, _ = process.communicate()
        return f"{out}stopped after {most} s"
    if process.returncode:
        return f"{out}failed with {process.returncode}\n" + "\n".join(errors.splitlines()[-5:])
    return out.rstrip()


def kept_ratios() -> dict[str, float]:
    """The ratios of the run that is kept."""
    if not RATIOS.exists():
        return {}
    return {name: float(value) for name, value in (line.split("\t") for line in RATIOS.read_text(encoding="utf-8").splitlines())}


def main(names: list[str], peers: str | None) -> None:
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
    started = time.monotonic()
    if not Path("kg-data/current").is_dir():
        subprocess.run([sys.executable, "-m", "kg.cli", "build", "--quiet"], check=True)
    for name in names or MEASUREMENTS:
        began = time.monotonic()
        print(f"{name} …", end=" ", flush=True, file=sys.stderr)
        printed = measure(MEASUREMENTS[name], peers)
        print(f"{time.monotonic() - began:.0f} s", file=sys.stderr)
        command = " ".join(MEASUREMENTS[name]).replace(".py", "").replace(PEERS, f"{PEERS} PYTHON")
        parts += [
            "",
            f"## {name}",
            "",
            f"`python -m bench.{command}`, {time.monotonic() - began:.0f} s",
            "",
            "```",
            printed,
            "```",
        ]
        ratios |= {found[1]: float(found[2]) for found in re.finditer(r"^ratio (\S+) ([\d.]+)", printed, re.MULTILINE)}
    kept = kept_ratios()
    worse = [
        f"{name}: {ratios[name]:g}, was {kept[name]:g}"
        for name in sorted(ratios.keys() & kept.keys())
        if ratios[name] * WORSE < kept[name]
    ]
    parts += [
        "",
        f"In all {time.monotonic() - started:.0f} s.",
        "",
        "## Worse than before by more than half",
        "",
        *(f"* {line}" for line in worse or ["none"]),
    ]
    if names:
        print("\n".join(parts))
        return
    RESULTS.write_text("\n".join(parts) + "\n", encoding="utf-8")
    RATIOS.write_text("".join(f"{name}\t{value:g}\n" for name, value in sorted((kept | ratios).items())), encoding="utf-8")
    print(f"{RESULTS} is written; {len(worse)} ratios are worse by more than half")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(PEERS, metavar="PYTHON", help="an interpreter that has the programs we compare with")
    parser.add_argument("names", nargs="*", metavar="NAME")
    given = parser.parse_args()
    main(given.names, given.peers)
