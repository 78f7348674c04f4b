"""Groups of parallel reports: which passages, how each stands to the first, which common link, and where chains part."""

from collections.abc import Iterable, Iterator
from typing import Any

from kg.graph.passages import LABEL, TYPE
from kg.graph.terms import Statements, decimal, integer, name, text
from kg.graph.vocabulary import Vocabulary, segment

__all__ = ["parallel_things"]

_GROUP, _HAS, _GRADE, _KIND = name("sls:ParallelGroup"), name("sls:hasPassage"), name("sls:grade"), name("sls:parallelKind")
_LINK, _PARTIAL, _SIZE = name("sls:commonLink"), name("sls:partialCommonLink"), name("sls:passageCount")
_FINDING, _LINK_FINDING = name("sls:linkFinding"), name("sls:CommonLinkFinding")
_CHAIN_FINDING, _CHAINS = name("sls:ChainFinding"), name("sls:chainFinding")
_TELLING, _HAS_TELLING = name("sls:Telling"), name("sls:telling")
_OF_PASSAGE, _OF_PERSON = name("sls:ofPassage"), name("sls:ofPerson")

Thing = tuple[str, Statements]


def parallel_things(words: Vocabulary, groups: Iterable[Any]) -> Iterator[Thing]:
    """Each group of parallels, and what was found of it: ``kg.build.reports.ReportGroup`` has all that is asked.

    Narrators that nobody identified have no address: what is found of them is left out, the counts include it.
    """
    for group in groups:
        key = group.key if group.key.startswith("parallel/") else f"parallel/{segment(group.key)}"
        passages, links = sorted(set(group.passages)), group.links
        found = [
            (_FINDING, thing) for kind in ("common", "partial") for thing in _findings(words, key, kind, getattr(links, kind))
        ]
        found += [(_CHAINS, thing) for thing in _chains(words, key, links)]
        found += [(_HAS_TELLING, thing) for thing in _tellings(words, key, group.tellings)]
        statements: Statements = [(TYPE, _GROUP)]
        statements.append((LABEL, text(f"{len(passages)} parallel reports", "en")))
        statements.append((LABEL, text(f"{len(passages)} من الروايات المتوازية", "ar")))
        statements.append((_SIZE, integer(len(passages))))
        statements += [(_HAS, words.term(passage)) for passage in passages]
        for prop, kind in ((_LINK, "common"), (_PARTIAL, "partial")):
            statements += [(prop, words.remembered(link.person)) for link in getattr(links, kind) if _person(link.person)]
        statements += [(prop, text(value)) for prop, value in ((_GRADE, group.grade), (_KIND, group.kind)) if value]
        statements.append((name("sls:singleStrandCount"), integer(len(links.single_strands))))
        statements.append((name("sls:diveCount"), integer(len(links.dives))))
        statements += [(prop, words.term(thing)) for prop, (thing, _) in found]
        yield key, statements
        for _, thing in found:
            yield thing
        for row, report in group.stands_for:
            yield row, [(name("sls:standsFor"), words.term(report))]


def _person(node: str) -> bool:
    return node.startswith("person/")


def _tellings(words: Vocabulary, group: str, members: Iterable[Any]) -> Iterator[Thing]:
    """Each telling: its grade and relation to the passage beside which it stands (``kg.identify.parallels.Member``)."""
    for member in members:
        said: Statements = [(TYPE, _TELLING), (_OF_PASSAGE, words.term(member.passage))]
        said += [(prop, text(v)) for prop, v in ((_GRADE, member.grade), (name("sls:relation"), member.relation)) if v]
        if member.beside:
            said.append((name("sls:comparedWith"), words.term(member.beside)))
        if member.similarity is not None:
            said.append((name("sls:similarity"), decimal(member.similarity)))
        yield f"{group}/telling/{member.passage.partition('/')[2]}", said


def _findings(words: Vocabulary, group: str, kind: str, links: Iterable[Any]) -> Iterator[Thing]:
    """The numbers behind a common link (``kg.identify.common_links.Link``)."""
    for link in links:
        if not _person(link.person):
            continue
        key = f"{group}/{kind}/{Vocabulary.slug(link.person)}"
        statements: Statements = [
            (TYPE, _LINK_FINDING),
            (_OF_PERSON, words.remembered(link.person)),
            (name("sls:linkKind"), text(kind)),
            (name("sls:studentCount"), integer(link.students)),
            (name("sls:spreadingCount"), integer(link.spreading)),
            (_SIZE, integer(link.passages)),
        ]
        if _person(link.source):
            key += f"/{Vocabulary.slug(link.source)}"
            statements.append((name("sls:forSource"), words.remembered(link.source)))
        if link.spider:
            statements.append((name("sls:spider"), text("yes")))
        yield key, statements


def _chains(words: Vocabulary, group: str, links: Any) -> Iterator[Thing]:
    """Where chains part: dives round a common link, and contradictions (``kg.identify.common_links``)."""
    rows: list[tuple[str, str, str, str | None, tuple[str, ...], tuple[str, ...]]]
    rows = [("dive", dive.around, dive.meets, None, (dive.strand.passage,), ()) for dive in links.dives]
    rows += [(c.kind, c.student, c.teacher, c.other, c.passages, c.other_passages) for c in links.contradictions]
    for number, (kind, person, meets, other, passages, others) in enumerate(rows, 1):
        if not all(_person(node) for node in (person, meets, other) if node is not None):
            continue
        said: Statements = [(TYPE, _CHAIN_FINDING), (name("sls:findingKind"), text(kind))]
        said += [(_OF_PERSON, words.remembered(person)), (name("sls:meets"), words.remembered(meets))]
        if other is not None:
            said.append((name("sls:otherPerson"), words.remembered(other)))
        said += [(_OF_PASSAGE, words.term(passage)) for passage in passages]
        said += [(name("sls:otherPassage"), words.term(passage)) for passage in others]
        yield f"{group}/chains/{number}", said
