"""Characters a second of the isnad reader on the two Sahihs, one core, fully vowelled, from text (folding and offsets included).

Beside it, on the same rows in the same run, isnady 0.5.8, where an interpreter that has it is given:

    python -m venv /elsewhere && /elsewhere/bin/pip install --no-deps isnady==0.5.8
    python -m bench.isnad --peers /elsewhere/bin/python
"""

import argparse
import json
import subprocess
import sys
import time

from kg.extract.isnad import IsnadReader
from kg.sources import open_source
from kg.text import Passage, Words

# run by the other interpreter: rows come in as JSON Lines; only the parsing is timed
THEIRS = """
import json, sys, time
from isnady.core.isnad import parse
rows = [json.loads(line) for line in sys.stdin]
start = time.process_time()
links = sum(len(parse(row).links) for row in rows)
print(json.dumps({"seconds": time.process_time() - start, "narrators": links}))
"""


def ours(rows: list[str]) -> dict[str, float]:
    """Seconds of processor time and mentions found, the best of three rounds."""
    best = None
    for _ in range(3):
        reader = IsnadReader()
        start = time.process_time()
        mentions = sum(len(reader.read(Words(row), Passage("b:1", row))[0]) for row in rows)
        seconds = time.process_time() - start
        best = min(best or seconds, seconds)
    return {"seconds": best or 0.0, "narrators": mentions}


def theirs(python: str, rows: list[str]) -> dict[str, float] | None:
    """The same of isnady, or None (with a plain word why) where it cannot be run."""
    lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    try:
        done = subprocess.run([python, "-c", THEIRS], input=lines, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        reason = getattr(error, "stderr", "") or str(error)
        print(f"isnady left out: {reason.strip().splitlines()[-1]}", file=sys.stderr)
        return None
    result: dict[str, float] = json.loads(done.stdout)
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peers", metavar="PYTHON", help="an interpreter that has isnady 0.5.8")
    parser.add_argument("--rows", type=int, default=None, help="only so many rows of each Sahih")
    options = parser.parse_args()
    rows = []
    for name in ("bukhari", "muslim"):
        texts = [passage.text for passage in open_source(name).passages()]
        rows += texts[: options.rows] if options.rows else texts
    characters = sum(map(len, rows))
    results = {"silsila": ours(rows)}
    if options.peers and (other := theirs(options.peers, rows)):
        results["isnady"] = other
    elif not options.peers:
        print("isnady left out: no --peers PYTHON given", file=sys.stderr)
    for name, result in results.items():
        speed = characters / result["seconds"] / 1e6
        print(
            f"{name:8} {speed:6.2f} M characters/s  {result['seconds']:6.2f} s  {result['narrators']:.0f} narrators in {len(rows)} rows"
        )

    if "isnady" in results:
        print(f"ratio silsila/isnady:characters-a-second {results['isnady']['seconds'] / results['silsila']['seconds']:.1f}")


if __name__ == "__main__":
    main()
