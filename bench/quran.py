"""Speed and start-up of the Quran finder, beside other packages in the same run, and its precision on judged citations.

    python -m bench.quran                     ours alone, and the judged citations of bench/gold/quran_unmarked.tsv
    python -m bench.quran --peers PYTHON      quran-toolkit and quran-detector too, where that interpreter has them

The text is the first million letters of a prose book where ../shared is there, else of Sahih al-Bukhari. Seconds are of the processor
(``time.process_time``, one core), the best of three for ours, one run for the others; making the words is not counted for ours, as
one pass makes them for all extractors, and counted apart.
"""

import argparse
import csv
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from kg.evaluate import shared
from kg.extract.quran import QuranFinder
from kg.sources import open_source
from kg.text import Passage, Words

JUDGED = Path(__file__).with_name("gold") / "quran_unmarked.tsv"
LETTERS = 1_000_000
OTHERS_LETTERS = 200_000
PACKAGES = {
    "quran-toolkit": "from quran_toolkit import AyahDetector\nfind = AyahDetector().find",
    "quran-detector": "from quran_detector import detect as find\nfind('قل هو الله أحد')",
}
DRIVER = """
import json, sys, time
texts = json.load(sys.stdin)
{setup}
start = time.process_time()
found = sum(len(find(text)) for text in texts)
print(json.dumps([time.process_time() - start, found]))
"""


def prose(letters: int) -> list[str]:
    """Paragraphs of about so many letters in all."""
    folder = shared()
    books = sorted((folder / "texts").glob("*IbnHisham*")) if folder else []
    paragraphs = (
        books[0].read_text(encoding="utf-8").split("\n# ")[20:]
        if books
        else [passage.text for passage in open_source("bukhari").passages()]
    )
    taken, size = [], 0
    for paragraph in paragraphs:
        if size >= letters:
            break
        taken.append(paragraph)
        size += len(paragraph)
    return taken


def ours(cache: Path) -> float:
    """Prints our figures; returns letters a second."""
    QuranFinder.load(cache)
    load = f"from pathlib import Path; from kg.extract.quran import QuranFinder; QuranFinder.load(Path({str(cache)!r}))"
    code = f"import time; start = time.perf_counter(); {load}; print(time.perf_counter() - start)"
    started = min(
        float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout) for _ in range(3)
    )
    finder = QuranFinder.load(cache)
    texts = prose(LETTERS)
    start = time.process_time()
    passages = [(Words(text), Passage(f"b:{i}", text)) for i, text in enumerate(texts)]
    making = time.process_time() - start
    letters = sum(map(len, texts))
    seconds = []
    for _ in range(3):
        start = time.process_time()
        found = sum(len(finder.find(words, passage)) for words, passage in passages)
        seconds.append(time.process_time() - start)
    best = min(seconds)
    print(f"start-up, import and index from the cache: {started:.2f} s")
    print(
        f"silsila: {letters:,} letters, {found} citations in {best:.2f} s: {letters / best:,.0f} letters/s (words made apart: {making:.2f} s)"
    )
    return letters / best


def others(rate: float, python: str) -> None:
    """Prints the figures of other packages that an interpreter has."""
    texts = prose(OTHERS_LETTERS)
    letters = sum(map(len, texts))
    for package, setup in PACKAGES.items():
        run = subprocess.run(
            [python, "-c", DRIVER.format(setup=setup)], input=json.dumps(texts), capture_output=True, text=True, check=False
        )
        if run.returncode:
            print(f"{package}: does not run here, left out ({run.stderr.strip().splitlines()[-1]})")
            continue
        seconds, found = json.loads(run.stdout.splitlines()[-1])
        theirs = letters / seconds
        print(f"{package}: {letters:,} letters, {found} citations in {seconds:.2f} s: {theirs:,.0f} letters/s")
        print(f"ratio silsila/{package}:letters-a-second {rate / theirs:.1f}")


def judged(cache: Path) -> None:
    """Prints how many of the citations judged by hand are asserted still, and how many of those are right."""
    finder = QuranFinder.load(cache)
    passages = {passage.id: passage for name in ("bukhari", "muslim") for passage in open_source(name).passages()}
    still: dict[str, int] = {}
    with JUDGED.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader((line for line in lines if not line.startswith("#")), delimiter="\t"))
    for row in rows:
        passage = passages[row["id"]]
        start, end = int(row["start"]), int(row["end"])
        for citation in finder.find(Words(passage.text), passage):
            if citation.refs[:1] == (row["ref"],) and citation.start < end and start < citation.end:
                still[row["verdict"]] = still.get(row["verdict"], 0) + 1
                break
    total = sum(still.values())
    print(
        f"judged by hand: {len(rows)} unmarked citations, {total} asserted now: {still}; precision {1 - still.get('chance', 0) / total:.3f}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peers", metavar="PYTHON", help="an interpreter that has other packages")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        cache = Path(folder)
        rate = ours(cache)
        judged(cache)
        if options.peers:
            others(rate, options.peers)


if __name__ == "__main__":
    main()
