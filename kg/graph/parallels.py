"""Groups of parallel reports: which passages, which common link, how alike."""

from collections.abc import Iterable, Iterator
from typing import Any

from kg.graph.passages import LABEL, TYPE
from kg.graph.terms import Statements, decimal, integer, name, text
from kg.graph.vocabulary import Vocabulary, segment

__all__ = ["parallel_things"]

_GROUP, _HAS, _GRADE, _KIND = name("sls:ParallelGroup"), name("sls:hasPassage"), name("sls:grade"), name("sls:parallelKind")
_LINK, _PARTIAL, _SIZE, _SIMILARITY = (
    name("sls:commonLink"),
    name("sls:partialCommonLink"),
    name("sls:passageCount"),
    name("sls:similarity"),
)


_STANDS_FOR = name("sls:standsFor")
_FINDING, _LINK_FINDING = name("sls:linkFinding"), name("sls:CommonLinkFinding")


def parallel_things(words: Vocabulary, groups: Iterable[Any]) -> Iterator[tuple[str, Statements]]:
    """Each group of parallels.

    A group has ``key`` (``parallel/…``), ``passages`` (keys), and may have ``common_links``, ``partial_common_links`` (person
    keys), ``grade``, ``kind`` (mutabaa, shahid), ``similarity`` (0 to 1), and in ``common`` and ``partial`` the numbers behind the links, in
    ``stands_for`` the passages that only point back (مثله), each with the passage it stands for.
    """
    for group in groups:
        key = group.key if group.key.startswith("parallel/") else f"parallel/{segment(group.key)}"
        passages = sorted(set(group.passages))
        statements: Statements = [(TYPE, _GROUP)]
        statements.append((LABEL, text(f"{len(passages)} parallel reports", "en")))
        statements.append((LABEL, text(f"{len(passages)} من الروايات المتوازية", "ar")))
        statements.append((_SIZE, integer(len(passages))))
        statements += [(_HAS, words.term(passage)) for passage in passages]
        statements += [(_LINK, words.remembered(person)) for person in _people(group, "common_link")]
        statements += [(_PARTIAL, words.remembered(person)) for person in _people(group, "partial_common_link")]
        for prop, value in ((_GRADE, getattr(group, "grade", None)), (_KIND, getattr(group, "kind", None))):
            if value:
                statements.append((prop, text(str(value))))
        similarity = getattr(group, "similarity", None)
        if similarity is not None:
            statements.append((_SIMILARITY, decimal(round(similarity, 3))))
        found = [
            finding for kind in ("common", "partial") for finding in _findings(words, key, kind, getattr(group, kind, None) or ())
        ]
        statements += [(_FINDING, words.term(finding)) for finding, _ in found]
        yield key, statements
        yield from found
        for row, report in getattr(group, "stands_for", ()):
            yield row, [(_STANDS_FOR, words.term(report))]


def _findings(words: Vocabulary, group: str, kind: str, links: Iterable[Any]) -> Iterator[tuple[str, Statements]]:
    """The numbers behind a common link (``kg.identify.common_links.Link``); narrators that nobody identified have no address."""
    for link in links:
        if not link.person.startswith("person/"):
            continue
        key = f"{group}/{kind}/{Vocabulary.slug(link.person)}"
        statements: Statements = [
            (TYPE, _LINK_FINDING),
            (name("sls:ofPerson"), words.remembered(link.person)),
            (name("sls:linkKind"), text(kind)),
            (name("sls:studentCount"), integer(link.students)),
            (name("sls:spreadingCount"), integer(link.spreading)),
            (_SIZE, integer(link.passages)),
        ]
        if link.source.startswith("person/"):
            key += f"/{Vocabulary.slug(link.source)}"
            statements.append((name("sls:forSource"), words.remembered(link.source)))
        if link.spider:
            statements.append((name("sls:spider"), text("yes")))
        yield key, statements


def _people(group: Any, field: str) -> list[str]:
    found = getattr(group, f"{field}s", None)
    if found is None:
        found = getattr(group, field, None) or ()
    return [found] if isinstance(found, str) else list(found)
