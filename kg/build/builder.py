"""The build: sources to records, records to claims, claims to a graph, the graph to a store; then the swap."""

import hashlib
import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from kg import __version__, authority
from kg.authority.model import Authority, Person
from kg.build.beside import ParallelPass
from kg.build.cache import RecordCache, read_records
from kg.build.extraction import Readers
from kg.build.fingerprint import build_fingerprint, extraction_fingerprint
from kg.build.folder import BuildError, DataFolder
from kg.build.loading import Loading
from kg.build.packing import Packing
from kg.build.processes import Helpers
from kg.build.progress import Progress, Silent
from kg.extract.quran_text import NOTICES, load_verses
from kg.extract.record import Record
from kg.extract.rijal import persons as dictionary_persons
from kg.graph.changes import write_changes
from kg.graph.dump import Counts, Link, write_graph
from kg.graph.vocabulary import Vocabulary
from kg.identify.corrections import Corrections
from kg.identify.dictionaries import join_dictionary
from kg.identify.narrators import identify
from kg.identify.registry import Registry
from kg.link.service import write_names_of_folder
from kg.link.table import identifier_links, load_links
from kg.remedies import sentence
from kg.sources import Source, SourceError, raise_error
from kg.store.embedded import EmbeddedStore
from kg.store.errors import StoreError
from kg.web.preparing import prepare
from kg.web.search_index import write_index
from kg.web.statements import Quads

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
    records: str | None = None,
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
    folder = DataFolder(out)
    corrected = Corrections.load(corrections)
    readable, fingerprints, skipped = _fingerprinted(sources, keep_going)
    name = _version_name(readable, fingerprints, base, corrections)
    with folder.locked(wait=wait):
        if folder.current_version() == name and not keep_going:
            return Built(folder.current(), fresh=False)
        work = _Work(folder, name, base, fingerprints, corrected, progress, skipped)
        try:
            return _build(work, readable, Readers(workers, scheduler=scheduler, records=records, cache=folder.cache), keep_going)
        except (OSError, StoreError, BrokenExecutor) as error:
            raise BuildError(f"{out}: the build stopped ({_said(error)}); the old version is still served") from error


@dataclass(frozen=True, slots=True)
class _Work:
    """What one build is about."""

    folder: DataFolder
    name: str
    base: str
    fingerprints: dict[str, str]
    corrections: Corrections
    progress: Progress
    skipped: list[SourceError]


def _write_names(building: Path, base: str, persons: Mapping[str, Person]) -> None:
    write_names_of_folder(building, EmbeddedStore.open(building / "store"), base, persons)


def _said(error: Exception) -> str:
    """What stopped a build, and what to do about it."""
    if isinstance(error, BrokenExecutor):
        return "one of its processes was killed: give the machine more memory, or build with fewer --workers"
    if isinstance(error, StoreError):
        return str(error)
    assert isinstance(error, OSError)
    return sentence(error)


def _fingerprinted(sources: Sequence[Source], keep_going: bool) -> tuple[list[Source], dict[str, str], list[SourceError]]:
    """The sources whose files are there, their fingerprints by key, and what was left out."""
    readable: dict[str, Source] = {}
    fingerprints, skipped = {}, []
    for source in sources:
        try:
            if source.key in readable:
                raise SourceError(_place(source), None, f"has the name of {_place(readable[source.key])}: rename one of the two")
            fingerprints[source.key] = source.fingerprint()
            readable[source.key] = source
        except SourceError as error:
            if not keep_going:
                raise
            skipped.append(error)
    return list(readable.values()), fingerprints, skipped


def _place(source: Source) -> str:
    return str(source.files[0]) if source.files else source.key


def _build(work: _Work, sources: list[Source], readers: Readers, keep_going: bool) -> Built:
    folder, progress, base = work.folder, work.progress, work.base
    known = _with_dictionaries(authority.load(), sources)
    with readers:
        sources, paths = _read(work, sources, readers, keep_going)
    registry = Registry.load(folder.registry)
    passages: list[str] = []

    def met() -> Iterator[Record]:
        for record in read_records(paths):
            passages.append(record.passage.id)
            yield record

    building = folder.begin(work.name)
    one = readers.workers == 1
    with (
        ParallelPass(paths, in_turn=one) as parallels,
        Loading(building / "store", in_turn=one) as loading,
        Packing(building / "dumps", readers.workers) as packing,
    ):

        def finished(file: Path) -> None:
            loading.add(file)
            packing.add(file)

        with progress.step("deciding who is who", unit="passages") as step:
            identification = identify(
                met(),
                known,
                registry=registry,
                corrections=work.corrections,
                progress=step.advance,
                parallels=parallels.alike,
            )
        parallels.decide(identification, passages, registry)
        with progress.step("writing the graph, finding parallels", total=len(passages), unit="passages") as step:
            counts = write_graph(
                building,
                base=base,
                sources=sources,
                records=read_records(paths),
                identification=identification,
                parallels=parallels.groups(),
                authority=known,
                verses=load_verses(),
                links=_links(),
                progress=step.advance,
                finished=finished,
            )
        with progress.step("loading the store, packing the dumps, indexing for search"):
            loading.finish()
            store = EmbeddedStore.open(building / "store")
            write_index(building / "search.sqlite", store, base)
            with Helpers(1, in_turn=one) as naming:
                named = naming.submit(_write_names, building, base, known.persons)
                prepare(building, cast(Quads, store), base)
                named.result()
            packing.finish()
    previous = folder.current_version()
    if previous is not None and previous != work.name:
        with progress.step("comparing with the version before"):
            write_changes(folder.version(previous) / "dumps", building / "dumps")
    registry.save(folder.registry)
    _keep_notices(sources, building / "notices")
    manifest = _manifest(sources, work.fingerprints, work.name, base, counts, work.skipped)
    (building / "manifest.json").write_text(
        json.dumps(manifest, ensure_ascii=False, indent=1, sort_keys=True) + "\n", encoding="utf-8"
    )
    version = folder.publish(building, work.name)
    return Built(version, fresh=True, skipped=tuple(work.skipped), counts=manifest["counts"])


def _keep_notices(sources: Sequence[Source], folder: Path) -> None:
    """What the sources, and the texts of the Quran, ask to be kept with them."""
    for source in sources:
        for file in source.notices:
            (folder / source.key).mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, folder / source.key / file.name)
    (folder / "quran").mkdir(parents=True, exist_ok=True)
    for notice in NOTICES:
        (folder / "quran" / notice.file).write_text(notice.text + "\n", encoding="utf-8")


def _read(work: _Work, sources: Sequence[Source], readers: Readers, keep_going: bool) -> tuple[list[Source], list[Path]]:
    """The sources that could be read, and where the records of each are; those read before are not read again."""
    report = work.skipped.append if keep_going else raise_error
    cache = RecordCache(work.folder.cache)
    read: list[Source] = []
    paths: list[Path] = []
    for source in sources:
        key = _record_key(work.fingerprints[source.key])
        if not cache.has(source.key, key):
            before = len(work.skipped)
            with work.progress.step(f"reading {source.title_en or source.key}", total=source.rows, unit="passages") as step:
                passages = map(source.numbered, source.passages(report))
                try:
                    cache.write(source.key, key, readers.read(passages, step.advance))
                except SourceError as error:
                    if not keep_going:
                        raise
                    work.skipped.append(error)
                    continue
            if len(work.skipped) > before:
                cache.rename(source.key, key, f"partial-{key}")
                key = f"partial-{key}"
        read.append(source)
        paths.append(cache.path(source.key, key))
    return read, paths


def _with_dictionaries(known: Authority, sources: Sequence[Source]) -> Authority:
    """The authority with the persons of the biographical dictionaries among the sources."""
    for source in sources:
        if source.dictionary:
            for path in source.files:
                with path.open(encoding="utf-8-sig", errors="replace") as lines:
                    known = join_dictionary(known, dictionary_persons(lines, path.name))
    return known


def _links() -> list[Link]:
    """What the reviewed tables say of our things elsewhere."""
    links = [Link(link.subject, link.predicate, link.target, link.status) for link in load_links() if link.status != "rejected"]
    return links + [Link(subject, "skos:exactMatch", target) for subject, target in identifier_links()]


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
        "verses": [
            {"title": notice.name, "licence": notice.licence_url, "licenceNote": notice.attribution, "notice": notice.file}
            for notice in NOTICES
        ],
        "counts": {"quads": counts.quads, "passages": counts.passages, "graphs": counts.graphs, "rows": counts.rows},
        "skipped": [str(error) for error in skipped],
    }
