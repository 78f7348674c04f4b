"""Groups of parallel reports as the graph writes them: keys of passages and persons, common links worked out."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from kg.identify.common_links import Link
from kg.identify.parallels import Parallels

__all__ = ["ReportGroup", "report_groups"]


class ReportGroup(NamedTuple):
    """A report that several passages tell; ``grade`` is the weakest of its members, ``kind`` says whose it is beside the first;
    ``common`` and ``partial`` hold the numbers behind the links, ``stands_for`` the rows that point back and what each stands for."""

    key: str
    passages: tuple[str, ...]
    common_links: tuple[str, ...]
    partial_common_links: tuple[str, ...]
    grade: str
    kind: str | None
    common: tuple[Link, ...] = ()
    partial: tuple[Link, ...] = ()
    stands_for: tuple[tuple[str, str], ...] = ()


def report_groups(parallels: Parallels, keys: Mapping[str, str]) -> Iterator[ReportGroup]:
    """The groups with two tellings or more, ``keys`` giving each passage's key by its id. Narrators that nobody identified are no links."""
    for group in parallels.groups:
        if len(group.passages) < 2:
            continue
        links = parallels.common_links(group)
        tellers = [member for member in group.members if member.passage in group.passages]
        relations = {member.relation for member in tellers if member.relation}
        yield ReportGroup(
            group.key,
            tuple(keys[passage] for passage in group.passages),
            tuple(link.person for link in links.common if link.person.startswith("person/")),
            tuple(link.person for link in links.partial if link.person.startswith("person/")),
            "same-wording" if all(member.grade == "same-wording" for member in tellers) else "same-report",
            " and ".join(sorted(relations)) or None,
            links.common,
            links.partial,
            tuple((keys[row], keys[report]) for row, report in group.stands_for),
        )
