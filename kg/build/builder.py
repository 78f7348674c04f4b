"""The build: sources to records, records to claims, claims to a graph, the graph to a store; then the swap."""

import hashlib
import json
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kg import __version__, authority
from kg.authority.model import Authority
from kg.build.cache import RecordCache
from kg.build.extraction import Readers
from kg.build.fingerprint import build_fingerprint, extraction_fingerprint
from kg.build.folder import BuildError, DataFolder
from kg.build.loading import Loading
from kg.build.processes import Helpers
from kg.build.progress import Progress, Silent
from kg.build.reports import report_groups
from kg.extract.quran_text import load_verses
from kg.extract.record import Record
from kg.extract.rijal import persons as dictionary_persons
from kg.graph.changes import write_changes
from kg.graph.dump import Counts, Link, write_graph
from kg.graph.formats import pack, write_further
from kg.graph.vocabulary import Vocabulary
from kg.identify.corrections import Corrections
from kg.identify.dictionaries import join_dictionary
from kg.identify.narrators import identify
from kg.identify.parallels import find_parallels
from kg.identify.registry import Registry
from kg.link.service import write_names_of_folder
from kg.link.table import identifier_links, load_links
from kg.sources import Source, SourceError, raise_error
from kg.store.embedded import EmbeddedStore
from kg.web.search_index import write_index

__all__ = ["DEFAULT_BASE", "Built", "build"]

DEFAULT_BASE = "https://w3id.org/silsila/"


@dataclass(frozen=True, slots=True)
class Built:
    """What a build did: the version, whether it was already there, what was skipped and why, counts."""

    version: Path
    fresh: bool
    skipped: tuple[SourceError, ...] = ()
    counts: dict[str, Any] = field(default_factory=dict)


def build(
    sources: Sequence[Source],
    out: Path,
    *,
    base: str = DEFAULT_BASE,
    workers: int = 1,
    scheduler: str | None = None,
    keep_going: bool = False,
    corrections: Path | None = None,
    progress: Progress | None = None,
    wait: bool = True,
) -> Built:
    """Build the graph of ``sources`` into the data folder ``out`` and make it the served version.

    Nothing is done where the served version was made of the same sources, tables, code and settings. Extraction
    of an unchanged source is read from its cache. The swap is one rename: whoever reads sees the old or the new.

    Raises:
        IriError: ``base`` cannot be the beginning of IRIs.
        SourceError: a source cannot be read and ``keep_going`` is false.
        BuildError: the folder cannot be written, or another build holds it and ``wait`` is false.
    """
    progress = progress or Silent()
    Vocabulary(base)
    _distinct(sources)
    folder = DataFolder(out)
    fingerprints = {source.key: source.fingerprint() for source in sources}
    corrected = Corrections.load(corrections)
    name = _version_name(sources, fingerprints, base, corrections)
    with folder.locked(wait=wait):
        if folder.current_version() == name and not keep_going:
            return Built(folder.current(), fresh=False)
        try:
            return _build(list(sources), folder, name, fingerprints, base, workers, scheduler, keep_going, corrected, progress)
        except OSError as error:
            what = error.strerror or str(error)
            raise BuildError(
                f"{out}: the build stopped ({what}): free space or change permissions; the old version is still served"
            ) from error


def _build(
    sources: list[Source],
    folder: DataFolder,
    name: str,
    fingerprints: dict[str, str],
    base: str,
    workers: int,
    scheduler: str | None,
    keep_going: bool,
    corrections: Corrections,
    progress: Progress,
) -> Built:
    skipped: list[SourceError] = []
    report = skipped.append if keep_going else raise_error
    known = _with_dictionaries(authority.load(), sources)
    cache = RecordCache(folder.cache)
    keys = {source.key: _record_key(fingerprints[source.key]) for source in sources}
    with Readers(workers, scheduler=scheduler, cache=folder.cache) as readers:
        for source in sources:
            if cache.has(source.key, keys[source.key]):
                continue
            before = len(skipped)
            with progress.step(f"reading {source.title_en or source.key}", total=source.rows, unit="passages") as step:
                cache.write(
                    source.key, keys[source.key], readers.read(map(source.numbered, source.passages(report)), step.advance)
                )
            if len(skipped) > before:
                cache.rename(source.key, keys[source.key], f"partial-{keys[source.key]}")
                keys[source.key] = f"partial-{keys[source.key]}"

    def records() -> Iterator[Record]:
        seen: set[str] = set()
        for source in sources:
            for record in cache.read(source.key, keys[source.key]):
                if record.passage.id not in seen:
                    seen.add(record.passage.id)
                    yield record

    registry = Registry.load(folder.registry)
    with progress.step("deciding who is who", unit="passages") as step:
        identification = identify(records(), known, registry=registry, corrections=corrections, progress=step.advance)
    passage_keys: dict[str, str] = {}

    def remembered() -> Iterator[Record]:
        for record in records():
            passage_keys[record.passage.id] = Vocabulary.passage(record.passage)
            yield record

    with progress.step("finding parallels", unit="passages") as step:
        parallels = find_parallels(remembered(), identification, registry=registry, progress=step.advance)
    building = folder.begin(name)
    dumps = building / "dumps"
    with Loading(building / "store") as loading, Helpers(1) as packing:
        with progress.step("writing the graph", unit="passages") as step:
            counts = write_graph(
                building,
                base=base,
                sources=sources,
                records=records(),
                identification=identification,
                parallels=report_groups(parallels, passage_keys),
                authority=known,
                verses=load_verses(),
                links=_links(),
                progress=step.advance,
                finished=loading.add,
            )
        with progress.step("loading the store, packing the dumps, indexing for search"):
            packed = packing.submit(_pack, dumps)
            loading.finish()
            store = EmbeddedStore.open(building / "store")
            write_index(building / "search.sqlite", store, base)
            write_names_of_folder(building, store, base, known.persons)
            packed.result()
    for plain in counts.files:
        plain.unlink()
        plain.with_suffix(".ttl").unlink()
    previous = folder.current_version()
    if previous is not None and previous != name:
        with progress.step("comparing with the version before"):
            write_changes(folder.version(previous) / "dumps", building / "dumps")
    registry.save(folder.registry)
    for source in sources:
        for notice in source.notices:
            (building / "notices" / source.key).mkdir(parents=True, exist_ok=True)
            shutil.copyfile(notice, building / "notices" / source.key / notice.name)
    manifest = _manifest(sources, fingerprints, name, base, counts, skipped)
    (building / "manifest.json").write_text(
        json.dumps(manifest, ensure_ascii=False, indent=1, sort_keys=True) + "\n", encoding="utf-8"
    )
    version = folder.publish(building, name)
    return Built(version, fresh=True, skipped=tuple(skipped), counts=manifest["counts"])


def _with_dictionaries(known: Authority, sources: Sequence[Source]) -> Authority:
    """The authority with the persons of the biographical dictionaries among the sources."""
    for source in sources:
        if source.dictionary:
            for path in source.files:
                with path.open(encoding="utf-8-sig", errors="replace") as lines:
                    known = join_dictionary(known, dictionary_persons(lines))
    return known


def _links() -> list[Link]:
    """What the reviewed tables say of our things elsewhere."""
    links = [Link(link.subject, link.predicate, link.target, link.status) for link in load_links() if link.status != "rejected"]
    return links + [Link(subject, "skos:exactMatch", target) for subject, target in identifier_links()]


def _pack(dumps: Path) -> None:
    """N-Quads and Turtle packed, then the other formats made from them."""
    pack(dumps, keep=True)
    write_further(dumps)


def _distinct(sources: Sequence[Source]) -> None:
    seen: set[str] = set()
    for source in sources:
        if source.key in seen:
            raise SourceError(source.key, None, "two sources have this name: rename one of the files")
        seen.add(source.key)


def _record_key(fingerprint: str) -> str:
    return hashlib.sha256(f"{fingerprint} {extraction_fingerprint()}".encode()).hexdigest()


def _version_name(sources: Sequence[Source], fingerprints: dict[str, str], base: str, corrections: Path | None) -> str:
    """A hash of all that a version is made of: code and tables, texts, what is stated of the texts, base, corrections."""
    digest = hashlib.sha256(build_fingerprint().encode())
    stated = [
        (
            *(source.title_ar, source.title_en, source.licence, source.licence_note),
            *(source.republishable, source.translation_republishable, source.numbering_note),
        )
        for source in sources
    ]
    digest.update(json.dumps([list(fingerprints.items()), stated, base]).encode())
    if corrections is not None:
        digest.update(corrections.read_bytes())
    return digest.hexdigest()[:16]


def _manifest(
    sources: Sequence[Source], fingerprints: dict[str, str], name: str, base: str, counts: Counts, skipped: Sequence[SourceError]
) -> dict[str, Any]:
    return {
        "version": name,
        "software": __version__,
        "base": base,
        "sources": [
            {
                "key": source.key,
                "collection": source.collection,
                "title": {"ar": source.title_ar, "en": source.title_en},
                "work": source.work,
                "licence": source.licence,
                "licenceNote": source.licence_note,
                "republishable": source.republishable,
                "translationRepublishable": source.translation_republishable,
                "numberingNote": source.numbering_note,
                "notices": [path.name for path in source.notices],
                "fingerprint": fingerprints[source.key],
            }
            for source in sources
        ],
        "counts": {"quads": counts.quads, "passages": counts.passages, "graphs": counts.graphs, "rows": counts.rows},
        "skipped": [str(error) for error in skipped],
    }
