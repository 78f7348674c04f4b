"""Writing the graph of a build: one streaming pass over the records, a file of N-Quads and one of Turtle a named graph.

No graph is held in memory: the writers spill sorted runs. Compression, the whole-graph files, checksums and the other
formats are made from these files afterwards (``kg.graph.formats``, ``kg.graph.further``).
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from kg.authority.model import Authority
from kg.extract.record import Record
from kg.graph.authorities import authority_things, version_statements
from kg.graph.describe import description_things, provenance_things, stem
from kg.graph.mapping import Identification, Mapper, SourceLike, bare_person, record_to_turtle, things_of_verses
from kg.graph.ontology import ontology_things, term_things
from kg.graph.parallels import parallel_things
from kg.graph.passages import absorbed, version_key
from kg.graph.statistics import Statistics
from kg.graph.terms import Statements, iri, name, text
from kg.graph.vocabulary import GRAPHS, Vocabulary, segment
from kg.graph.writer import GraphError, GraphWriter, Shape

__all__ = ["Counts", "Link", "record_to_turtle", "stem", "write_graph"]

Shapes = dict[str, Counter[Shape]]
"""For each named graph, how often a subject has which classes and properties in it."""

_EVERY = 500  # passages between two calls of ``progress``


class Link(NamedTuple):
    """A link to somebody else's thing (``kg.link.table.LinkRecord`` has the same fields): ``predicate`` is a prefixed name
    (``skos:exactMatch``); what is ``proposed`` stands in a graph of its own as ``skos:closeMatch``, what is ``rejected``
    nowhere."""

    subject: str
    predicate: str
    target: str
    status: str = "accepted"


@dataclass(slots=True)
class Counts:
    """What was written. ``files`` are the N-Quads files in order (what a store loads), ``graphs`` the quads of
    each named graph, ``rows`` the passages of each source, ``repeated`` the passages left out because another source had
    given them already."""

    quads: int = 0
    passages: int = 0
    repeated: int = 0
    graphs: dict[str, int] = field(default_factory=dict)
    rows: dict[str, int] = field(default_factory=dict)
    files: list[Path] = field(default_factory=list)


def write_graph(
    folder: Path,
    *,
    base: str,
    sources: Sequence[SourceLike],
    records: Iterable[Record],
    identification: Identification | None = None,
    parallels: Iterable[Any] | None = None,
    authority: Authority,
    verses: Sequence[Any] | None = None,
    suras: Sequence[Any] = (),
    links: Iterable[Any] | None = (),
    progress: Callable[[int], object] | None = None,
    finished: Callable[[Path], object] | None = None,
) -> Counts:
    """Writes ``folder/dumps/{graph}.nq`` and ``.ttl`` for every named graph, and the description of the whole.

    ``records`` come in order, those of one source together (``record.passage.source`` is the source's key); ``progress`` is
    told how many passages are done since it was last told. A passage that another source has already given is left out.
    ``finished`` is given each N-Quads file as it is complete.

    Raises:
        GraphError: a record belongs to no source of the list, or an id comes twice in a source.
        OSError: the folder cannot be written.
    """
    words = Vocabulary(base)
    dumps = folder / "dumps"
    dumps.mkdir(parents=True, exist_ok=True)
    counts, shapes = Counts(), Shapes()
    with ExitStack() as stack:

        def writer(graph: str) -> GraphWriter:
            return stack.enter_context(GraphWriter(dumps, stem(graph), words.term(graph), words.base))

        def close(graph: str, written: GraphWriter) -> None:
            if written.quads:
                counts.files.append(written.finish()[0])
                if finished is not None:
                    finished(counts.files[-1])
                counts.graphs[graph], shapes[graph] = written.quads, written.shapes
                counts.quads += written.quads

        def whole(graph: str, things: Iterable[tuple[str, Statements]]) -> None:
            into = writer(GRAPHS[graph])
            for key, statements in things:
                into.add(words.term(key), statements)
            close(GRAPHS[graph], into)

        ontology = writer(GRAPHS["ontology"])
        for term, statements in ontology_things():
            ontology.add(term, statements)
        for key, statements in term_things(words):
            ontology.add(words.term(key), statements)
        close(GRAPHS["ontology"], ontology)
        titles = _version_titles(sources, authority)
        whole("authority", chain(authority_things(words, authority), _versions(words, sources, titles, authority)))
        if verses:
            if not suras:
                from kg.extract.quran_text import load_suras

                suras = load_suras()
            held = {verse.sura for verse in verses}
            whole("quran", things_of_verses(words, [sura for sura in suras if sura.number in held], verses))

        identity, statistics = writer(GRAPHS["identity"]), Statistics(authority)
        named = _write_records(
            words, sources, records, identification, authority, titles, statistics, identity, counts, writer, close, progress
        )
        for key, statements in _further_persons(words, identification, authority, named):
            identity.add(words.term(key), statements)
        for key, statements in _retired(words, identification):
            identity.add(words.term(key), statements)
        close(GRAPHS["identity"], identity)
        groups = list(parallels or ())  # they may be found while the records are written
        reports = {passage: group.key for group in groups for passage in group.passages}
        whole("statistics", statistics.things(words, reports))
        whole("parallels", parallel_things(words, groups))
        given = [Link(link.subject, link.predicate, link.target, link.status) for link in links or ()]
        whole("links", _links(link for link in given if link.status == "accepted"))
        whole("links-proposed", _links(link._replace(predicate="skos:closeMatch") for link in given if link.status == "proposed"))
        graphs = [*counts.graphs, GRAPHS["provenance"], GRAPHS["description"]]
        whole("provenance", provenance_things(words, sources, graphs))
        description = writer(GRAPHS["description"])
        for term, statements in description_things(words, sources, counts.graphs, shapes).items():
            description.add(term, statements)
        close(GRAPHS["description"], description)
    return counts


def _write_records(
    words: Vocabulary,
    sources: Sequence[SourceLike],
    records: Iterable[Record],
    identification: Identification | None,
    authority: Authority,
    titles: Mapping[str, tuple[str, str]],
    statistics: Statistics,
    identity: GraphWriter,
    counts: Counts,
    writer: Callable[[str], GraphWriter],
    close: Callable[[str, GraphWriter], None],
    progress: Callable[[int], object] | None,
) -> dict[str, str]:
    """Streams the records into the graphs of their sources; gives the first surface of every person claimed."""
    mapper = Mapper(words, authority, identification)
    by_key = {source.key: source for source in sources}
    shared = {collection for collection, number in Counter(source.collection for source in sources).items() if number > 1}
    seen: set[str] = set()
    further: set[str] = set()
    current: SourceLike | None = None
    into: GraphWriter | None = None
    done: set[str] = set()
    order = waiting = 0
    remember = identity.add
    for record in records:
        passage = record.passage
        if current is None or passage.source != current.key:
            if into is not None and current is not None:
                close(words.source_graph(current.key), into)
                done.add(current.key)
            current = by_key.get(passage.source)
            if current is None:
                raise GraphError(f"passage {passage.id!r} comes from {passage.source!r}, which is not among the sources given")
            if current.key in done:
                raise GraphError(f"the passages of {current.key!r} do not come together: give the records source by source")
            into, order = writer(words.source_graph(current.key)), 0
        assert into is not None
        order += 1
        if passage.collection not in titles and passage.collection not in further:
            # A row may bear an id of another collection than its source's: the version is said where it is first met.
            further.add(passage.collection)
            title = (passage.collection, passage.collection)
            into.add(words.term(version_key(passage)), version_statements(words, [current], title, authority.works))
        if passage.collection in shared:
            if passage.id in seen:
                counts.repeated += 1
                continue
            seen.add(passage.id)
        reading = mapper.read(record, order, current, titles.get(passage.collection, (passage.collection, passage.collection)))
        for key, statements in reading.things.items():
            into.add(words.term(key), statements)
        for key, statements in absorbed(words, passage):
            into.add(words.term(key), statements)
        for key, statements in reading.claims:
            remember(words.term(key), statements)
        statistics.add(reading.record, reading.persons)
        counts.passages += 1
        counts.rows[current.key] = counts.rows.get(current.key, 0) + 1
        waiting += 1
        if progress is not None and waiting == _EVERY:
            progress(waiting)
            waiting = 0
    if into is not None and current is not None:
        close(words.source_graph(current.key), into)
    if progress is not None and waiting:
        progress(waiting)
    return mapper.named


def _version_titles(sources: Sequence[SourceLike], authority: Authority) -> dict[str, tuple[str, str]]:
    """Title of each collection: that of the source that bears its name, else of the first that gives passages of it: of its work, or its own."""
    titles: dict[str, tuple[str, str]] = {}
    for source in sources:
        if source.collection not in titles or source.key == source.collection:
            work = authority.works.get(source.work or "") if source.key != source.collection else None
            titles[source.collection] = (work.title_ar, work.title_en) if work else (source.title_ar, source.title_en)
    return titles


def _versions(
    words: Vocabulary, sources: Sequence[SourceLike], titles: Mapping[str, tuple[str, str]], authority: Authority
) -> Iterable[tuple[str, Statements]]:
    for collection, title in titles.items():
        given = [source for source in sources if source.collection == collection]
        yield f"version/{segment(collection)}", version_statements(words, given, title, authority.works)


def _further_persons(
    words: Vocabulary, identification: Identification | None, authority: Authority, named: Mapping[str, str]
) -> Iterable[tuple[str, Statements]]:
    """Persons known only from chains: the clusters of the identity pass, and whoever a claim names that no table knows."""
    clusters: Mapping[str, Any] = getattr(identification, "clusters", None) or {}
    for person in sorted({*named, *clusters} - set(authority.persons)):
        cluster = clusters.get(person)
        label = getattr(cluster, "name_ar", None) or getattr(cluster, "label", None) or named.get(person)
        if label is None:
            continue
        yield (
            person,
            [*bare_person(label), *_parts_of_name(words, cluster), (name("sls:personKind"), text("known from chains only"))],
        )


def _retired(words: Vocabulary, identification: Identification | None) -> Iterable[tuple[str, Statements]]:
    """Ids that no person has any more: which one took their place, so that old links lead on, or that none did."""
    retired: Mapping[str, str | None] = getattr(identification, "retired", None) or {}
    for key in sorted(retired):
        said: Statements = [(name("owl:deprecated"), text("true"))]
        successor, seen = retired[key], {key}
        while successor is not None and successor in retired and successor not in seen:
            seen.add(successor)
            successor = retired[successor]
        if successor is not None and successor not in seen:
            said.append((name("dcterms:isReplacedBy"), words.remembered(successor)))
        yield key, said


def _parts_of_name(words: Vocabulary, cluster: Any) -> Statements:
    """What the fullest name of a cluster says in parts, and whose relative the person is."""
    said: Statements = []
    if getattr(cluster, "ism", None):
        said.append((name("sls:ism"), text(cluster.ism, "ar")))
    if getattr(cluster, "nasab", ()):
        said.append((name("sls:nasab"), text(" بن ".join(cluster.nasab), "ar")))
    for prop, field_ in (("sls:kunya", "kunya"), ("sls:nisba", "nisba")):
        said += [(name(prop), text(value, "ar")) for value in getattr(cluster, field_, ())]
    if getattr(cluster, "kin_of", None):
        said.append((name("sls:kin"), text(cluster.kin or "kin")))
        said.append((name("sls:relativeOf"), words.remembered(cluster.kin_of)))
    return said


def _links(links: Iterable[Link]) -> Iterable[tuple[str, Statements]]:
    gathered: dict[str, Statements] = {}
    for link in links:
        gathered.setdefault(link.subject, []).append((name(link.predicate), iri(link.target)))
    return gathered.items()
