"""What passages tell of events: one report, and the page that lays the tellings of one event side by side."""

from collections import Counter
from dataclasses import dataclass

from markupsafe import Markup, escape
from pyoxigraph import Literal

from kg.web.documents import natural
from kg.web.languages import Text
from kg.web.maps import Spot, draw_map
from kg.web.reader import Reader

__all__ = ["EventPage", "Report", "Telling", "event_page", "grouped", "report_of", "telling_of"]

AROUND = 200
"""Letters shown before and after the words of the reports of a passage."""
TELLINGS = 24
"""Passages laid side by side; further ones are only named."""


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
    start: int | None
    end: int | None
    roles: list[tuple[str, Markup]]
    place: Markup | None
    place_inferred: bool
    time: Text | None
    according_to: Markup | None
    confidence: float | None
    times_said: int | None


@dataclass(frozen=True, slots=True)
class Telling:
    """One passage that tells of an event: its words, those of the reports marked, and the reports in the order of the text."""

    passage: Markup
    quotation: Markup
    language: str
    reports: list[Report]


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
    tellings: list[Telling]
    more: list[Markup]
    passages: int
    groups: list[Markup]
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
    return Report(
        iri=iri,
        event=reader.link(event) if event else reader.link(kind) if kind else Markup(""),
        event_iri=event or "",
        kind=reader.link(kind) if kind else Markup(""),
        passage=reader.link(passage) if passage else Markup(""),
        passage_iri=passage,
        status=next((reader.tail(s) for s in reader.links(iri, "reportStatus")), "tells"),
        surface=reader.text(iri, "surface") or Text(""),
        start=reader.number(iri, "start"),
        end=reader.number(iri, "end"),
        roles=roles,
        place=reader.link(place) if place else None,
        place_inferred=reader.string(iri, "placeInferred") == "yes",
        time=reader.text(iri, "timeSurface"),
        according_to=reader.according(told_by) if told_by is not None else None,
        confidence=reader.decimal(iri, "confidence"),
        times_said=reader.number(iri, "timesSaid"),
    )


def grouped(reports: list[Report]) -> list[tuple[Report, list[Report]]]:
    """Reports by the named event they tell of, in the order of the text; those of no named event stand by themselves."""
    groups: dict[str, list[Report]] = {}
    for report in reports:
        groups.setdefault(report.event_iri or report.iri, []).append(report)
    return [(members[0], members) for members in groups.values()]


def telling_of(reader: Reader, reports: list[Report]) -> Telling:
    """The reports of one passage with its words: from a little before the first to a little after the last."""
    passage = reports[0].passage_iri
    letters = next((q.object for q in reader.describer.text_of(passage) if isinstance(q.object, Literal)), None)
    if letters is None or any(r.start is None or letters.value[r.start : r.end] != r.surface.value for r in reports):
        words = Markup(" … ").join(Markup("<mark>{}</mark>").format(r.surface.value) for r in reports)
        return Telling(reports[0].passage, words, reports[0].surface.language or "ar", reports)
    text, spans = letters.value, sorted((r.start or 0, r.end or 0) for r in reports)
    before, end = spans[0][0], max(end for _, end in spans)
    first = max(0, text.rfind(" ", 0, max(0, before - AROUND)) + 1) if before > AROUND else 0
    last = text.find(" ", end + AROUND) if end + AROUND < len(text) else len(text)
    last = len(text) if last < 0 else last
    parts, here = [Markup("… " if first else "")], first
    for start, stop in spans:
        if stop > here:
            start = max(start, here)
            parts += [escape(text[here:start]), Markup("<mark>{}</mark>").format(text[start:stop])]
            here = stop
    parts += [escape(text[here:last]), Markup(" …" if last < len(text) else "")]
    return Telling(reports[0].passage, Markup("").join(parts), letters.language or "ar", reports)


def _groups(reader: Reader, passages: list[str]) -> list[Markup]:
    """The groups of parallel tellings that two of the passages or more are in, the largest first."""
    met = Counter(group for passage in passages for group in reader.describer.groups_of(passage))
    return [reader.link(group) for group, number in sorted(met.items(), key=lambda row: (-row[1], row[0])) if number > 1]


def event_page(reader: Reader) -> EventPage:
    d, iri = reader.d, reader.d.iri
    reports = [report_of(reader, r) for r in sorted(d.pointing("sls:reports"), key=natural)]
    by_passage: dict[str, list[Report]] = {}
    for report in sorted(reports, key=lambda r: (r.start or 0, r.end or 0)):
        by_passage.setdefault(report.passage_iri, []).append(report)
    tellings = sorted(
        by_passage.values(), key=lambda told: (all(r.status != "tells" for r in told), -len(told), natural(told[0].passage_iri))
    )
    first, last = reader.string(iri, "dateAHEarliest"), reader.string(iri, "dateAHLatest")
    place = next(iter(reader.links(iri, "place")), None)
    return EventPage(
        title=reader.label(iri),
        kinds=[reader.link(kind) for kind in d.links(iri, "rdf:type") if reader.tail(kind) != "Event"],
        other_names=reader.other_names(iri),
        years=first if first == last else f"{first or '…'}–{last or '…'}",
        place=reader.link(place) if place else None,
        participants=[reader.link(p) for p in reader.links(iri, "participant")],
        part_of=[reader.link(p) for p in reader.links(iri, "partOf")],
        after=[reader.link(p) for p in reader.links(iri, "after")],
        parts=[reader.link(p) for p in d.pointing("sls:partOf")],
        tellings=[telling_of(reader, told) for told in tellings[:TELLINGS]],
        more=[told[0].passage for told in tellings[TELLINGS:]],
        passages=len(tellings),
        groups=_groups(reader, list(by_passage)),
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
    said: dict[str, dict[Markup, set[str]]] = {}
    for report in reports:
        rows = [*report.roles]
        rows += [(reader.t("event.place"), report.place)] if report.place else []
        rows += [(reader.t("event.according_to"), report.according_to)] if report.according_to else []
        for name, who in rows:
            said.setdefault(name, {}).setdefault(who, set()).add(report.passage_iri)
    return [
        (name, sorted(((who, len(by)) for who, by in counts.items()), key=lambda row: -row[1])) for name, counts in said.items()
    ]
