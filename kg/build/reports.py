"""Groups of parallel reports as the graph writes them: keys of passages and persons, common links worked out."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from kg.identify.common_links import CommonLinks
from kg.identify.parallels import Member, Parallels

__all__ = ["ReportGroup", "report_groups"]


class ReportGroup(NamedTuple):
    """A report that several passages tell. ``grade`` is the weakest of its tellings, ``kind`` says whose they are beside the first;
    ``tellings`` say the same of each, those included that have a part only; ``links`` is what the chains show, ``stands_for``
    are the rows that point back and what each stands for."""

    key: str
    passages: tuple[str, ...]
    grade: str
    kind: str | None
    tellings: tuple[Member, ...]
    links: CommonLinks
    stands_for: tuple[tuple[str, str], ...] = ()


def report_groups(parallels: Parallels, keys: Mapping[str, str]) -> Iterator[ReportGroup]:
    """The groups with two tellings or more, ``keys`` giving each passage's key by its id."""
    for group in parallels.groups:
        told = group.passages
        if len(told) < 2:
            continue
        tellers = group.members[1 : len(told)]
        relations = {member.relation for member in tellers if member.relation}
        yield ReportGroup(
            group.key,
            tuple(keys[passage] for passage in told),
            "same-wording" if all(member.grade == "same-wording" for member in tellers) else "same-report",
            " and ".join(sorted(relations)) or None,
            tuple(_keyed(member, keys) for member in group.members),
            _keyed_links(parallels.common_links(group), keys),
            tuple((keys[row], keys[report]) for row, report in group.stands_for),
        )


def _keyed(member: Member, keys: Mapping[str, str]) -> Member:
    return replace(member, passage=keys[member.passage], beside=keys[member.beside] if member.beside else None)


def _keyed_links(links: CommonLinks, keys: Mapping[str, str]) -> CommonLinks:
    return replace(
        links,
        dives=tuple(replace(dive, strand=replace(dive.strand, passage=keys[dive.strand.passage])) for dive in links.dives),
        contradictions=tuple(
            replace(
                found,
                passages=tuple(keys[passage] for passage in found.passages),
                other_passages=tuple(keys[passage] for passage in found.other_passages),
            )
            for found in links.contradictions
        ),
    )
