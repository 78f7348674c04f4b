"""Makes kg/identify/tables/transmissions.tsv from nothing: who hears whom over the nine books, as this program identifies their narrators.

    python bench/habits.py [TABLE]

Reads the nine books (the optional seven need the data list installed) and decides over all their chains without any shipped counts, in a
fixed number of rounds (kg/identify/learning.py). The same books and tables give the same file, byte for byte. About three minutes
of one core and 900 MiB.
"""

import sys
import time
from pathlib import Path

from kg.authority import load
from kg.extract.isnad import IsnadReader
from kg.extract.record import Record
from kg.identify.candidates import NameIndex
from kg.identify.chains import Corpus
from kg.identify.habits import attested, write_habits
from kg.identify.learning import contradictions, learn
from kg.sources import open_sources
from kg.text import Passage, Words

TABLE = Path(__file__).parents[1] / "kg" / "identify" / "tables" / "transmissions.tsv"


def corpus_of(name: str) -> Corpus:
    """The chains of the books, without their texts."""
    reader, corpus = IsnadReader(), Corpus()
    for source in open_sources(name):
        for passage in source.passages():
            narrators, isnads = reader.read(Words(passage.text), passage)
            corpus.add(Record(Passage(passage.id, "", source=passage.source, work=passage.work), narrators, isnads))
    return corpus


def main(table: Path = TABLE) -> None:
    began = time.process_time()
    index = NameIndex(load().persons.values())
    before = sum(1 for _ in contradictions(attested(), index))
    corpus = corpus_of("nine-books")
    print(f"{len(corpus.passages)} passages, {len(corpus.chains)} different chains, {len(corpus.names)} names")
    habits = learn(corpus, index, progress=lambda _: print(f"  round done, {time.process_time() - began:.0f} s of processor"))
    write_habits(habits, table)
    after = sum(1 for _ in contradictions(habits, index))
    print(f"{len(habits.heard)} pairs, {len(habits.called)} names; contradictions: {before} before, {after} now")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:2]))
