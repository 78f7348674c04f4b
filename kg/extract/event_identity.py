"""Which named event a report is of; presence lists; of reports of one thing the fullest."""

from collections.abc import Sequence
from dataclasses import replace

from kg.authority import Authority
from kg.authority.model import Event
from kg.extract.known_events import KnownEvents, Sighting
from kg.extract.presence import Attendance
from kg.extract.record import EventReport, Role
from kg.extract.roles import RoleReader
from kg.extract.scene import Scene
from kg.text import Words, fold

__all__ = ["EventIdentifier", "distinct"]

_PARTS_OF_BATTLE = frozenset({"StandingFirm", "BannerBearing", "Killing", "Battle", "Captivity", "Death"})


_NEAR = 4  # overlapping reports of one type that are compared


class EventIdentifier:
    """Says which named event a report is of; made once from an authority."""

    def __init__(self, authority: Authority, known: KnownEvents) -> None:
        self.events, self.known = authority.events, known
        self.first_names = {person.key: fold(person.ism) for person in authority.persons.values() if person.ism}

    def attended(self, words: Words, scene: Scene, roles: RoleReader, attendances: Sequence[Attendance]) -> list[EventReport]:
        """The reports of a presence list: one for each event."""
        reports = []
        for attendance in attendances:
            if attendance.negated:
                continue
            subject = roles.subject(attendance.verb) if attendance.verb in scene.forms else None
            if attendance.verb and words.folded[attendance.verb - 1] in ("من", "ممن", "فمن"):
                subject = None
            span = words.span(attendance.first, attendance.after)
            start = words.inside(attendance.first, 1) if words.folded[attendance.first].startswith("و") else span.start
            speech = scene.speech[attendance.verb]
            close = speech is None or attendance.verb - speech.first < 4  # else the author goes on in his own words
            speaker = scene.speaker(attendance.verb) if close else scene.teller(attendance.verb)
            found = roles.roles("participant", subject, attendance.verb) if subject is not None else []
            commander = roles.after_preposition(attendance.verb, "with", subject)
            if commander is not None:
                found.extend(roles.roles("commander", commander))
            verb = words.span(attendance.verb, attendance.verb + 1)
            event = self.events[attendance.key]
            reports.append(
                EventReport(
                    "Presence",
                    start,
                    span.end,
                    event=attendance.key,
                    status="mentions",
                    confidence=0.9 if subject is not None else 0.5,
                    roles=tuple(found),
                    place=event.place,
                    place_inferred=True,
                    according_to=speaker.key if speaker is not None else None,
                    evidence=((verb.start, verb.end), (start, span.end)),
                )
            )
        return reports

    def identified(
        self,
        words: Words,
        scene: Scene,
        reports: list[EventReport],
        sightings: Sequence[Sighting],
        attendances: Sequence[Attendance],
    ) -> list[EventReport]:
        """The reports with the named events they are of, and reports of the named events that none is of."""
        listed = {i for attendance in attendances for i in range(attendance.first, attendance.after)}
        attended = {attendance.key for attendance in attendances}
        result = list(reports)
        for sighting in sightings:
            event = self.events[sighting.key]
            story = self.known.stories.get(sighting.key)
            in_list = [i in listed for first, after in sighting.evidence for i in range(first, after)]
            if sighting.key in attended and any(in_list):
                continue
            status = "mentions" if sum(in_list) * 2 > len(in_list) else sighting.status
            if all(in_list) and status == "mentions":
                continue
            reach = story.reach if story is not None else 0
            first_offset = words.starts[max(0, sighting.first - reach)]
            last_offset = words.ends[min(len(words) - 1, sighting.after + reach)]
            own = False
            if status == "tells" and story is not None:
                theirs = {person for _, person in event.participants}
                people = theirs | {"person/muhammad"}
                for n, report in enumerate(result):
                    if report.event is None and report.type in story.parts and first_offset <= report.start <= last_offset:
                        # whom only a pronoun means does not speak against the event: _corrected puts its own player there
                        own_type = report.type == event.type
                        players = {role.person for role in report.roles if role.person and not (own_type and role.start is None)}
                        same_men = bool(players & theirs) or (report.type != event.type and players <= people)
                        if not players or not theirs or same_men:
                            place = report.place
                            result[n] = replace(
                                _corrected(report, event), event=event.key, confidence=max(report.confidence, 0.85), place=place
                            )
                            own = own or report.type == event.type
            for n, report in enumerate(result):
                if (
                    report.time is not None
                    and report.time.event == event.key
                    and report.event is None
                    and report.type in _PARTS_OF_BATTLE
                ):
                    result[n] = replace(report, event=event.key)
            if status == "tells" and story is not None:
                result = [self._by_name(words, report, event) if report.event == event.key else report for report in result]
            evidence = tuple(tuple(words.span(first, after)) for first, after in sighting.evidence)
            span = words.span(sighting.first, sighting.after)
            if status == "mentions" and any(report.event == event.key for report in result):
                continue
            named = event.place is not None and story is not None and not story.inferred
            if not own:
                speaker = scene.speaker(sighting.first)
                result.append(
                    EventReport(
                        event.type,
                        span.start if status == "mentions" else evidence[0][0],
                        span.end if status == "mentions" else evidence[0][1],
                        event=event.key,
                        status=status,
                        confidence=0.9 if status == "tells" else 0.85,
                        roles=_present_players(event.participants, scene),
                        place=event.place if story is not None and story.inferred else None,
                        place_inferred=bool(story is not None and story.inferred and not named),
                        according_to=speaker.key if speaker is not None else None,
                        evidence=evidence,  # type: ignore[arg-type]
                    )
                )
        return result

    def _by_name(self, words: Words, report: EventReport, event: Event) -> EventReport:
        """A bare name in a named event's story is the event's own man of that name: زيد, جعفر at Mu'ta."""
        own = {self.first_names.get(person, ""): person for _, person in event.participants}
        roles = tuple(
            replace(role, person=own.get(fold(words.text[role.start : role.end])))
            if role.person is None and role.value is None and role.start is not None
            else role
            for role in report.roles
        )
        return replace(report, roles=roles)


def _corrected(report: EventReport, event: Event) -> EventReport:
    """A role that only a pronoun fills is the named event's own player of that role, where the event has one."""
    own = dict(event.participants)
    names = [role.role for role in report.roles]
    if report.type != event.type or len(own) != len(event.participants):
        return report
    return replace(
        report,
        roles=tuple(
            replace(role, person=own[role.role])
            if role.start is None and role.role in own and names.count(role.role) == 1 and role.person not in own.values()
            else role
            for role in report.roles
        ),
    )


def distinct(reports: Sequence[EventReport]) -> tuple[EventReport, ...]:
    """Of reports of one type over the same words, and of a stay beside a stay in a cave, the fuller one."""
    kept: list[EventReport] = []
    last: dict[str, list[int]] = {}  # of each type the places in ``kept`` of those that may still overlap
    for report in sorted(reports, key=lambda r: (r.start, r.end, r.type, r.event or "")):
        kind = "Stay" if report.type == "StayInCave" else report.type
        near = last.setdefault(kind, [])[-_NEAR:]
        rival = next((n for n in near if _clash(kept[n], report, kind)), None)
        if rival is None:
            last[kind].append(len(kept))
            kept.append(report)
        elif _fullness(report) > _fullness(kept[rival]):
            kept[rival] = report
    kept.sort(key=lambda report: (report.start, report.end, report.type, report.event or ""))
    return tuple(kept)


def _fullness(report: EventReport) -> tuple[bool, int, int]:
    return report.type == "StayInCave", len(report.roles), report.end - report.start


def _clash(one: EventReport, other: EventReport, kind: str) -> bool:
    overlap = one.start < other.end and other.start < one.end
    return overlap and (one.event is None or other.event is None or one.event == other.event or kind == "Stay")


def _present_players(participants: Sequence[tuple[str, str]], scene: Scene) -> tuple[Role, ...]:
    """Of an event's participants those whom the passage names."""
    by_key = {p.key: p for p in reversed(scene.cast.everyone) if p.key}
    return tuple(Role(role, key, by_key[key].start, by_key[key].end) for role, key in participants if key in by_key)
