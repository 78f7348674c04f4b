"""Who is who: the narrators of all records identified by the authority, gathered into persons of their own, or left open.

One global pass: records are streamed once and kept as numbers; the inference weighs all chains; answers are made when asked for.
"""

from collections.abc import Callable, Iterable
from urllib.parse import unquote

from kg.authority.model import Authority
from kg.extract.record import Record
from kg.identify.alike import Alike
from kg.identify.answers import Answers
from kg.identify.candidates import NameIndex
from kg.identify.chains import Corpus
from kg.identify.claims import Identification
from kg.identify.corrections import Correction, Corrections
from kg.identify.habits import Habits, attested
from kg.identify.inference import Inference
from kg.identify.plausibility import problems
from kg.identify.registry import UNKNOWN, Registry

__all__ = ["identify"]

Progress = Callable[[int], None]
_ROUNDS = 2


def identify(
    records: Iterable[Record],
    authority: Authority,
    *,
    registry: Registry | None = None,
    corrections: Corrections | None = None,
    progress: Progress | None = None,
    habits: Habits | None = None,
    parallels: Callable[[], Alike] | None = None,
) -> Identification:
    """Decides who every narrator of the records is.

    The records are read once. ``registry`` keeps the ids of persons whom the authority does not know and is the only thing
    changed; ``corrections`` win over what is decided; ``habits`` are the counts of who hears whom that the inference starts from
    (the table of the package where none is given); ``parallels`` gives the passages that tell one report, by their words alone, and is
    asked after the chains have been weighed.

    Raises:
        CorrectionError: a correction names a person whom nobody knows.

    >>> from kg.authority import load
    >>> from kg.extract.isnad import IsnadReader
    >>> from kg.text import Passage, Words
    >>> text = "حدثنا صدقة حدثني زيد بن واقد عن بسر بن عبيد الله عن أبي إدريس الخولاني عن أبي الدرداء قال"
    >>> passage = Passage("bazzar:1", text, source="bazzar")
    >>> record = Record(passage, *IsnadReader().read(Words(text), passage))
    >>> decided = identify([record], load())
    >>> [mention.person for mention in decided.apply(record).narrators][:2]
    ['person/sadaqa-b-khalid', 'person/zayd-b-waqid']
    """

    def known(key: str) -> bool:
        return key in authority.persons or key.startswith(UNKNOWN)

    registry = registry if registry is not None else Registry()
    registry.keep({key: person.taqrib_no for key, person in authority.persons.items()})
    if corrections is not None:
        corrections = corrections.readdressed(lambda key: key if known(key) else registry.current(key) or key)
        corrections.require(known)
    corpus = Corpus()
    corrected = _by_passage(corrections)
    marked: dict[str, dict[int, Correction]] = {}
    rejected: dict[str, dict[int, list[Correction]]] = {}
    for count, record in enumerate(records, 1):
        corpus.add(record)
        if record.passage.id in corrected:
            _mark(record, corrected[record.passage.id], corrections or Corrections(), marked, rejected)
        if progress is not None and count % 500 == 0:
            progress(500)
    index = NameIndex(authority.persons.values())
    counts = (habits if habits is not None else attested()).counts(index, corpus.names)
    inference = Inference(corpus, index, *counts)
    inference.run(_ROUNDS)
    if parallels is not None:
        inference.compare(parallels())
    answers = Answers(corpus, inference, registry, corrections, marked, rejected)
    return Identification(
        clusters=answers.clusters,
        problems=tuple(problems(corpus, inference, answers)),
        retired=answers.retired,
        _answer=answers.claims,
    )


def _by_passage(corrections: Corrections | None) -> dict[str, list[str]]:
    """The corrected mentions by the id of their passage."""
    found: dict[str, list[str]] = {}
    for mention in () if corrections is None else {**corrections.mentions, **corrections.rejected}:
        source, _, rest = mention.removeprefix("mention/").partition("/")
        number, _, _ = rest.rpartition("/")
        found.setdefault(f"{unquote(source)}:{unquote(number)}", []).append(mention)
    return found


def _mark(
    record: Record,
    mentions: Iterable[str],
    corrections: Corrections,
    marked: dict[str, dict[int, Correction]],
    rejected: dict[str, dict[int, list[Correction]]],
) -> None:
    """Notes which mentions of a passage are corrected, by their index."""
    places = {f"{mention.start}-{mention.end}": i for i, mention in enumerate(record.narrators)}
    for mention in mentions:
        place = places.get(mention.rpartition("/")[2])
        if place is None:
            continue
        if mention in corrections.mentions:
            marked.setdefault(record.passage.id, {})[place] = corrections.mentions[mention]
        if mention in corrections.rejected:
            rejected.setdefault(record.passage.id, {})[place] = corrections.rejected[mention]
