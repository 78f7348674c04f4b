"""What the versions of one event agree and differ in: roles, places, numbers and words, passage by passage."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kg.extract.record import EventReport

__all__ = ["Difference", "compare"]

Values = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Difference:
    """One row of the table: what is compared (``what``: a type and a role, place, time, how often it was said, the words), and what each
    passage says of it; a passage that says nothing is not in ``said``. ``agree`` is true where all passages say the same."""

    what: str
    said: Mapping[str, Values]
    agree: bool


def compare(
    reports_by_passage: Mapping[str, Sequence[EventReport]], texts: Mapping[str, str] | None = None
) -> tuple[Difference, ...]:
    """The table of one event told in several passages; ``texts`` (by passage) adds the words of each report.

    Rows stand in the order in which the first passage tells things; what one passage alone tells comes with that passage only.

    >>> from kg.extract.record import Role
    >>> told = [EventReport("Rebuke", 0, 5, roles=(Role("agent", "person/muhammad"),), times_said=n) for n in (2, 3)]
    >>> for row in compare({"bukhari": told[:1], "bazzar": told[1:]}):
    ...     print(row.what, dict(row.said), row.agree)
    Rebuke {'bukhari': ('told',), 'bazzar': ('told',)} True
    Rebuke, agent {'bukhari': ('person/muhammad',), 'bazzar': ('person/muhammad',)} True
    Rebuke, times said {'bukhari': ('2',), 'bazzar': ('3',)} False
    """
    said: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for passage, reports in reports_by_passage.items():
        for report in sorted(reports, key=lambda r: r.start):
            for what, value in _claims(report, (texts or {}).get(passage)):
                if value not in said[what][passage]:
                    said[what][passage].append(value)
    rows = []
    for what, by_passage in said.items():
        values = {passage: tuple(found) for passage, found in by_passage.items()}
        same = len(values) == len(reports_by_passage) and len({frozenset(found) for found in values.values()}) == 1
        rows.append(Difference(what, values, same))
    return tuple(rows)


def _claims(report: EventReport, text: str | None) -> list[tuple[str, str]]:
    name = report.type
    claims = [(name, report.status.replace("tells", "told").replace("mentions", "mentioned"))]
    for role in report.roles:
        words = text[role.start : role.end] if text is not None and role.start is not None and role.end is not None else None
        claims.append((f"{name}, {role.role}", role.person or role.value or words or "somebody"))
    if report.place is not None:
        claims.append((f"{name}, place", f"{report.place} (inferred)" if report.place_inferred else report.place))
    if report.time is not None:
        claims.append((f"{name}, time", report.time.event or report.time.duration or report.time.text))
    if report.times_said is not None:
        claims.append((f"{name}, times said", str(report.times_said)))
    if text is not None:
        claims.append((f"{name}, words", text[report.start : report.end]))
    return claims
