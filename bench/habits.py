"""Makes kg/identify/tables/transmissions.tsv anew: who hears whom over the nine books, as this program identifies their narrators.

    python bench/habits.py [ROUNDS]

Reads the nine books (the optional seven need the data list installed), decides over all chains without any shipped counts, and
writes the counts. A first pass over three books gives the second pass something to start from. About four minutes on one core.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

from kg.authority import load
from kg.extract.isnad import IsnadReader
from kg.extract.record import Record
from kg.identify.candidates import NameIndex
from kg.identify.chains import Corpus
from kg.identify.habits import Habits, write_habits
from kg.identify.inference import Inference
from kg.sources import open_sources
from kg.text import Passage, Words

TABLE = Path(__file__).parents[1] / "kg" / "identify" / "tables" / "transmissions.tsv"
FIRST_BOOKS = {"bukhari", "muslim", "ibn-maja"}


def records(reader: IsnadReader, books: set[str] | None) -> Iterator[Record]:
    """The chains of the books, without their texts."""
    for source in open_sources("nine-books"):
        if books is None or source.key in books:
            for passage in source.passages():
                narrators, isnads = reader.read(Words(passage.text), passage)
                yield Record(Passage(passage.id, "", source=passage.source, work=passage.work), narrators, isnads)


def corpus_of(reader: IsnadReader, books: set[str] | None) -> Corpus:
    corpus = Corpus()
    for record in records(reader, books):
        corpus.add(record)
    return corpus


def habits_of(inference: Inference, least: float) -> Habits:
    """The counts of an inference, by person keys and names."""
    index, corpus, width = inference.index, inference.corpus, inference.width
    known = len(index)
    heard, called = {}, {}
    for key, count in inference.weights.pairs.items():
        student, teacher = divmod(key, width)
        if student < known and teacher < known and count >= 0.7:
            heard[index.keys[student], index.keys[teacher]] = count
    for key, count in inference.weights.named.items():
        person, form = divmod(key, width)
        name = corpus.names[form].whole if form < len(corpus.names) else ""
        if person < known and count >= least and 0 < len(name.split()) <= 5:
            called[index.keys[person], name] = called.get((index.keys[person], name), 0.0) + count
    return Habits(heard, called)


def main(rounds: int = 3) -> None:
    reader = IsnadReader()
    index = NameIndex(load().persons.values())
    first = Inference(corpus_of(reader, FIRST_BOOKS), index)
    first.run(2)
    start = habits_of(first, 1)
    corpus = corpus_of(reader, None)
    inference = Inference(corpus, index, *start.counts(index, corpus.names))
    inference.run(1)
    inference.prior, inference.prior_names = {}, {}
    inference.run(rounds - 1)
    write_habits(habits_of(inference, 3), TABLE)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
