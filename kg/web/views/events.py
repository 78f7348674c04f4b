"""What passages tell of events: one report, and the page that lays the reports of one event side by side."""

from collections import Counter
from dataclasses import dataclass

from markupsafe import Markup, escape
from pyoxigraph import Literal

from kg.web.documents import natural
from kg.web.languages import Text
from kg.web.maps import Spot, draw_map
from kg.web.reader import Reader

__all__ = ["EventPage", "Report", "event_page", "grouped", "report_of"]

AROUND = 240
"""Letters shown before and after the words of a report."""


@dataclass(frozen=True, slots=True)
class Report:
    """What one passage says of one event."""

    iri: str
    event: Markup
    event_iri: str
    kind: Markup
    passage: Markup
    passage_iri: str
    status: str
    surface: Text
    quotation: Markup
    language: str
    roles: list[tuple[str, Markup]]
    place: Markup | None
    place_inferred: bool
    time: Text | None
    according_to: Markup | None
    confidence: float | None
    times_said: int | None


@dataclass(frozen=True, slots=True)
class EventPage:
    title: Text
    kinds: list[Markup]
    other_names: list[Text]
    years: str
    place: Markup | None
    participants: list[Markup]
    part_of: list[Markup]
    after: list[Markup]
    parts: list[Markup]
    reports: list[Report]
    agreed: list[tuple[str, list[tuple[Markup, int]]]]
    map: Markup | None


def report_of(reader: Reader, iri: str) -> Report:
    """A report with its roles, each under its name in the reader's language."""
    event = next(iter(reader.links(iri, "reports")), None)
    kind = next(iter(reader.links(iri, "eventType")), None)
    passage = next(iter(reader.links(iri, "inPassage")), "")
    roles = []
    for role in sorted(reader.links(iri, "role"), key=natural):
        name = reader.string(role, "roleName")
        who = [*reader.links(role, "rolePerson"), *reader.links(role, "roleEvent")]
        shown = [reader.link(w) for w in who] or [Markup(t.__html__()) for t in reader.texts(role, "roleValue")]
        roles += [(reader.t.get(f"role.{name}", name), s) for s in shown]
    place = next(iter(reader.links(iri, "place")), None)
    told_by = reader.d.value(iri, "sls:accordingTo")
    quoted, language = _in_context(reader, iri, passage)
    return Report(
        iri=iri,
        event=reader.link(event) if event else reader.link(kind) if kind else Markup(""),
        event_iri=event or "",
        kind=reader.link(kind) if kind else Markup(""),
        passage=reader.link(passage) if passage else Markup(""),
        passage_iri=passage,
        status=next((reader.tail(s) for s in reader.links(iri, "reportStatus")), "tells"),
        surface=reader.text(iri, "surface") or Text(""),
        quotation=quoted,
        language=language,
        roles=roles,
        place=reader.link(place) if place else None,
        place_inferred=reader.string(iri, "placeInferred") == "yes",
        time=reader.text(iri, "timeSurface"),
        according_to=reader.shown(told_by) if told_by is not None else None,
        confidence=reader.decimal(iri, "confidence"),
        times_said=reader.number(iri, "timesSaid"),
    )


def grouped(reports: list[Report]) -> list[tuple[Report, list[Report]]]:
    """Reports by the named event they tell of, in the order of the text; those of no named event stand by themselves."""
    groups: dict[str, list[Report]] = {}
    for report in reports:
        groups.setdefault(report.event_iri or report.iri, []).append(report)
    return [(members[0], members) for members in groups.values()]


def _in_context(reader: Reader, iri: str, passage: str) -> tuple[Markup, str]:
    """The words of a report where they stand in the passage, with some letters around."""
    letters = (
        next((q.object for q in reader.describer.text_of(passage) if isinstance(q.object, Literal)), None) if passage else None
    )
    surface = reader.text(iri, "surface") or Text("")
    start, end = reader.number(iri, "start"), reader.number(iri, "end")
    if letters is None or start is None or end is None or letters.value[start:end] != surface.value:
        return Markup("<mark>{}</mark>").format(surface.value), surface.language or "ar"
    text = letters.value
    first = max(0, text.rfind(" ", 0, max(0, start - AROUND)) + 1) if start > AROUND else 0
    last = text.find(" ", end + AROUND) if end + AROUND < len(text) else len(text)
    last = len(text) if last < 0 else last
    return (
        Markup("{}{}<mark>{}</mark>{}{}").format(
            "… " if first else "", escape(text[first:start]), text[start:end], text[end:last], " …" if last < len(text) else ""
        ),
        letters.language or "ar",
    )


def event_page(reader: Reader) -> EventPage:
    d, iri = reader.d, reader.d.iri
    reports = [report_of(reader, r) for r in sorted(d.pointing("sls:reports"), key=natural)]
    reports.sort(key=lambda r: (r.status != "tells", -(r.confidence or 0)))
    first, last = reader.string(iri, "dateAHEarliest"), reader.string(iri, "dateAHLatest")
    place = next(iter(reader.links(iri, "place")), None)
    return EventPage(
        title=reader.label(iri),
        kinds=[reader.link(kind) for kind in d.links(iri, "rdf:type") if reader.tail(kind) != "Event"],
        other_names=[Text(t.value, t.language or "") for t in d.values(iri, "skos:altLabel") if isinstance(t, Literal)],
        years=first if first == last else f"{first or '…'}–{last or '…'}",
        place=reader.link(place) if place else None,
        participants=[reader.link(p) for p in reader.links(iri, "participant")],
        part_of=[reader.link(p) for p in reader.links(iri, "partOf")],
        after=[reader.link(p) for p in reader.links(iri, "after")],
        parts=[reader.link(p) for p in d.pointing("sls:partOf")],
        reports=reports,
        agreed=_compare(reader, reports),
        map=_map(reader),
    )


def _map(reader: Reader) -> Markup | None:
    """Where the event and its parts took place, and where the reports put it."""
    iri = reader.d.iri
    places = dict.fromkeys(p for subject in [iri, *reader.d.pointing("sls:reports")] for p in reader.links(subject, "place"))
    spots = []
    for place in places:
        at = reader.describer.coordinates(place)
        if at:
            spots.append(Spot(at[1], at[0], str(reader.label(place)), reader.href(place), place in reader.links(iri, "place")))
    return draw_map(spots, reader.t("place.map"))


def _compare(reader: Reader, reports: list[Report]) -> list[tuple[str, list[tuple[Markup, int]]]]:
    """What the reports say of who and where, each with the number of passages that say it: they agree where all do."""
    said: dict[str, Counter[Markup]] = {}
    for report in reports:
        for name, who in {(name, who) for name, who in report.roles}:
            said.setdefault(name, Counter())[who] += 1
        if report.place:
            said.setdefault(reader.t("event.place"), Counter())[report.place] += 1
        if report.according_to:
            said.setdefault(reader.t("event.according_to"), Counter())[report.according_to] += 1
    return [(name, counts.most_common()) for name, counts in said.items()]
