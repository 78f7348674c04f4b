"""Common links and what goes with them, in G. H. A. Juynboll's terms, each with the numbers behind it.

``Muslim Tradition`` (1983), pp. 206-217, and "Some isnad-analytical methods", al-Qantara 10 (1989): the common link is the one from whom
the report first spreads; a partial common link is one below him who passed it on to more than one; a single strand passes
no such; a spider is a common link with single strands only; a dive is a strand that goes round the common link to an older
authority. All this is what the data show; it is not the critics' judgement (madar).
"""

from dataclasses import dataclass

from kg.identify.bundle import Bundle, Strand

__all__ = ["CommonLinks", "Contradiction", "Dive", "Link", "common_links"]

_MOST = 0.75  # of the passages: a branch with so many is the bundle itself, and what goes round it a dive


@dataclass(frozen=True, slots=True)
class Link:
    """A person from whom the report spreads. ``students``: those who have it from him, collectors included; ``spreading``: how many of them
    pass it on to more than one in their turn; ``passages`` of ``all_passages`` that go back to ``source`` run through him;
    ``spider``: nobody below him is a partial common link."""

    person: str
    source: str
    students: int
    spreading: int
    passages: int
    all_passages: int
    spider: bool = False


@dataclass(frozen=True, slots=True)
class Dive:
    """A strand that goes round the common link ``around`` and meets the bundle at the older ``meets``."""

    strand: Strand
    around: str
    meets: str


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Where chains contradict: ``left-out``: ``student`` has it from ``teacher`` in some passages, and with ``other`` between them in others;
    ``other-source``: what comes through ``student`` goes back to the source ``teacher`` in some and to ``other`` in others."""

    kind: str
    student: str
    teacher: str
    other: str
    passages: tuple[str, ...]
    other_passages: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CommonLinks:
    """What a bundle shows: one common link a source at most, the partial ones below them, and the rest."""

    common: tuple[Link, ...] = ()
    partial: tuple[Link, ...] = ()
    single_strands: tuple[Strand, ...] = ()
    dives: tuple[Dive, ...] = ()
    contradictions: tuple[Contradiction, ...] = ()

    @property
    def spiders(self) -> tuple[Link, ...]:
        """The common links that have single strands only."""
        return tuple(link for link in self.common if link.spider)


def common_links(bundle: Bundle) -> CommonLinks:
    """The common links of a bundle, source by source.

    >>> two = [Strand("bazzar:quarrel", "bazzar", ("ibrahim", "suri", "sadaqa", "zayd", "busr", "abu-idris", "abu-darda")),
    ...        Strand("bukhari:3661", "bukhari", ("hisham", "sadaqa", "zayd", "busr", "abu-idris", "abu-darda"))]
    >>> third = Strand("bukhari:4640", "bukhari", ("sulayman", "walid", "ibn-zabr", "busr", "abu-idris", "abu-darda"))
    >>> common_links(Bundle(two)).common[0].person
    'sadaqa'
    >>> found = common_links(Bundle([*two, third]))
    >>> [link.person for link in found.common], [link.person for link in found.partial]
    (['busr'], ['sadaqa'])
    """
    common: list[Link] = []
    partial: list[Link] = []
    single: list[Strand] = []
    dives: list[Dive] = []
    for source in bundle.sources:
        part = bundle.of(source)
        person = _common_link(part, source)
        if person is None:
            single.extend(part.strands)
            continue
        total = len({strand.passage for strand in part.strands})
        spreading = {node for node in part.nodes if part.forks(node) and _identified(node)}
        below = [node for node in part.nodes if node in spreading and node != person and _below(part, person, node)]
        common.append(_link(part, person, source, total, spreading, spider=not below))
        partial.extend(_link(part, node, source, total, spreading) for node in below)
        for strand in part.strands:
            if person not in strand.path:
                line = _line(part, person)
                dives.append(Dive(strand, person, next(node for node in strand.path if node in line)))
            elif not spreading.intersection(strand.path[: strand.path.index(person)]):
                single.append(strand)
    return CommonLinks(tuple(common), tuple(partial), tuple(single), tuple(dives), (*_left_out(bundle), *_other_sources(bundle)))


def _common_link(bundle: Bundle, source: str) -> str | None:
    """From the source down: the first from whom the report spreads, unless nearly all of it runs through one student of his and
    only single strands go round that student. A chain that leaves that student out, but runs through one below him, is no other branch."""
    here, last, seen = source, None, {source}
    while True:
        students = bundle.students(here)
        if bundle.forks(here) and _identified(here):
            last = here
        if not students:
            return last
        total = len(bundle.passages(here))
        main = max(students, key=lambda student: (len(students[student]), student))
        if main.startswith("collector/") or main in seen:
            return last
        others = [student for student in students if student != main and not _below(bundle, main, student)]
        around = Bundle(strand for strand in bundle.strands if main not in strand.path)
        if others and (len(students[main]) < _MOST * total or any(_spreads(around, student) for student in others)):
            return last
        if others and not _spreads(bundle, main):
            return last
        seen.add(main)
        here = main


def _spreads(bundle: Bundle, node: str) -> bool:
    """Whether a node or one below it passes the report on to more than one."""
    waiting, seen = [node], {node}
    while waiting:
        here = waiting.pop()
        if bundle.forks(here):
            return True
        for student in bundle.students(here):
            if student not in seen:
                seen.add(student)
                waiting.append(student)
    return False


def _identified(node: str) -> bool:
    return not node.startswith("mention/")


def _below(bundle: Bundle, person: str, node: str) -> bool:
    return any(
        node in strand.path and person in strand.path and strand.path.index(node) < strand.path.index(person)
        for strand in bundle.strands
    )


def _line(bundle: Bundle, person: str) -> set[str]:
    """Those above a person in the chains that run through him."""
    return {node for strand in bundle.strands if person in strand.path for node in strand.path[strand.path.index(person) + 1 :]}


def _link(bundle: Bundle, person: str, source: str, total: int, spreading: set[str], *, spider: bool = False) -> Link:
    students = bundle.students(person)
    return Link(
        person,
        source,
        students=len(students),
        spreading=len(spreading.intersection(students)),
        passages=len(bundle.passages(person)),
        all_passages=total,
        spider=spider,
    )


def _left_out(bundle: Bundle) -> list[Contradiction]:
    found = []
    for (teacher, student), passages in bundle.edges.items():
        for between, reached in bundle.students(teacher).items():
            longer = bundle.edges.get((between, student))
            if longer and between != student and reached & longer and not passages & longer:
                found.append(
                    Contradiction("left-out", student, teacher, between, tuple(sorted(passages)), tuple(sorted(reached & longer)))
                )
    return found


def _other_sources(bundle: Bundle) -> list[Contradiction]:
    reached: dict[str, dict[str, set[str]]] = {}
    for strand in bundle.strands:
        for node in strand.path[:-1]:
            reached.setdefault(node, {}).setdefault(strand.path[-1], set()).add(strand.passage)
    found = []
    for node, sources in reached.items():
        if len(sources) < 2 or not _identified(node):
            continue
        first, *others = sorted(sources)
        teachers = {strand.path[strand.path.index(node) + 1] for strand in bundle.strands if node in strand.path[:-1]}
        if len(teachers) < 2:
            continue  # the chains part further up: said of the one from whom they part
        for other in others:
            found.append(
                Contradiction("other-source", node, first, other, tuple(sorted(sources[first])), tuple(sorted(sources[other])))
            )
    return found
