"""Events told in a passage: typed reports with their roles, place, time and the person whose word it is."""

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import replace

from kg.authority import Authority
from kg.authority.model import Event
from kg.extract.event_types import Element, EventType, Pattern, TypeBook, read_classes, read_event_types
from kg.extract.known_events import KnownEvents, Sighting
from kg.extract.naming import Namer
from kg.extract.participants import Participant, after_honorific, cast_of, read_nouns
from kg.extract.presence import Attendance, PresenceReader
from kg.extract.record import (
    Citation,
    EventReport,
    Isnad,
    NarratorMention,
    PersonMention,
    PlaceMention,
    Role,
    TimeMention,
)
from kg.extract.roles import RoleReader
from kg.extract.speech import Scene, Teller, scene_of
from kg.extract.verbs import Conjugation, Form
from kg.text import Passage, Words, fold

__all__ = ["EventReader"]

_NEGATIONS = frozenset({"لم", "ولم", "فلم", "لا", "ولا", "فلا", "ما", "وما", "فما", "لن", "ولن", "ليس", "الم", "افلم", "لما"})
_CONDITIONS = frozenset(
    {
        "اذا",
        "واذا",
        "لو",
        "ولو",
        "من",
        "ومن",
        "فمن",
        "ان",
        "وان",
        "فان",
        "متي",
        "كلما",
        "ايما",
        "حيثما",
        "مهما",
        "لين",
        "ولين",
        "كمن",
        "لمن",
        "ممن",
    }
    | {"لعل", "عسي", "هل", "نعلم", "ادري", "فيما", "بما", "مما", "فهل", "ايهما", "ايكم", "كالذي", "كما", "مثل"}
)
_TIMES_SAID = {"ثلاثا": 3, "مرتين": 2, "مرارا": 3, "ثلاث": 3}
_MEMBERS = frozenset({"Movement", "Journey", "Hijra", "Arrival", "Visit"})
_PARTS_OF_BATTLE = frozenset({"StandingFirm", "BannerBearing", "Killing", "Battle", "Captivity", "Death"})
_CONDITIONAL = frozenset({"ان", "اذا", "واذا", "فاذا", "من", "ومن", "فمن", "لو", "ولو", "ايما", "وان", "كلما"})
_CONDITION_REACH = 24
_WINDOW = 9


class EventReader:
    """Reads event reports; made once from an authority (it compiles the tables), then asked passage by passage.

    >>> from kg.authority import load
    >>> authority = load()
    >>> namer, reader = Namer(authority), EventReader(authority)
    >>> passage = Passage("t:1", "ثم إن عمر ندم فأتى منزل أبي بكر")
    >>> words = Words(passage.text)
    >>> names = namer.find(words, passage, (), ())
    >>> [(r.type, [(role.role, role.person) for role in r.roles]) for r in reader.read(words, passage, (), (), *names, ())]
    [('Regret', [('agent', 'person/umar-b-al-khattab')]), ('Visit', [('agent', 'person/umar-b-al-khattab'), ('host', 'person/abu-bakr')])]
    """

    def __init__(self, authority: Authority) -> None:
        self.events = authority.events
        self.book = TypeBook(read_event_types())
        self.classes: Mapping[str, str] = read_classes()
        self.conjugation = Conjugation()
        self.nouns = read_nouns()
        self.women = frozenset(person.key for person in authority.persons.values() if person.sex == "f")
        self.first_names = {person.key: fold(person.ism) for person in authority.persons.values() if person.ism}
        self.transmitters = frozenset(
            person.key
            for person in authority.persons.values()
            if person.death is not None and person.death.first is not None and person.death.first >= 95 and not person.companion
        )
        self.known = KnownEvents(authority.events)
        self.presence = PresenceReader(authority.events)
        self.namer = Namer(authority)

    def scene(
        self,
        words: Words,
        narrators: Sequence[NarratorMention],
        isnads: Sequence[Isnad],
        persons: Sequence[PersonMention],
        quoted: Set[int] = frozenset(),
    ) -> Scene:
        """Who takes part and who speaks in a passage; ``quoted`` are the words that are the Quran's."""
        skipped, tellers = self._chains(words, narrators, isnads)
        skipped |= quoted
        cast = cast_of(words, persons, self.nouns, self.women, skipped)
        for teller in tellers:
            if teller.who is not None:
                cast.everyone.append(teller.who)
        if tellers:
            for narrator in narrators:
                first = words.at(narrator.start)
                if first >= tellers[0].first and first not in cast.covered:
                    inside = self._teller(words, narrator)
                    if inside is not None:
                        cast.add(inside)
        cast.everyone.sort(key=lambda participant: participant.first)
        return scene_of(words, cast, tellers, self.conjugation, skipped, self.transmitters)

    def read(
        self,
        words: Words,
        passage: Passage,
        narrators: Sequence[NarratorMention],
        isnads: Sequence[Isnad],
        persons: Sequence[PersonMention],
        places: Sequence[PlaceMention],
        times: Sequence[TimeMention],
        quran: Sequence[Citation],
    ) -> tuple[EventReport, ...]:
        """The reports of a passage in the order of the text."""
        quoted = {i for citation in quran if citation.end > citation.start for i in _range(words, citation.start, citation.end)}
        scene = self.scene(words, narrators, isnads, persons, quoted)
        scene.quran = quoted
        scene.places = {words.at(place.start): words.at(place.end - 1) + 1 for place in places}
        sightings = self.known.find(words)
        attendances = self.presence.find(words)
        roles = RoleReader(scene)
        listed = {i for attendance in attendances for i in range(attendance.first, attendance.after)}
        reports = []
        for report, trigger in self._typed(words, scene, roles, quoted | listed):
            report = self._surrounded(words, scene, report, trigger, places, times)
            reports.append(report)
            if report.type == "StandingFirm":
                reports += _other_days(words, report, times)
        reports += self._attended(words, scene, roles, attendances)
        reports = self._identified(words, scene, reports, sightings, attendances)
        reports.sort(key=lambda report: (report.start, report.end, report.type, report.event or ""))
        return _distinct(reports)

    # who tells

    def _chains(
        self, words: Words, narrators: Sequence[NarratorMention], isnads: Sequence[Isnad]
    ) -> tuple[set[int], list[Teller]]:
        skipped: set[int] = set()
        tellers: dict[int, Teller] = {}
        for isnad in isnads:
            for start, end in isnad.segments:
                skipped.update(_range(words, start, end))
            if not isnad.path or not isnad.matn:
                continue
            narrator = narrators[isnad.path[-1]]
            first = words.at(isnad.matn[0][0])
            if first not in tellers:
                tellers[first] = Teller(first, _prophet_before(words, narrator, first) or self._teller(words, narrator))
        return skipped, [tellers[first] for first in sorted(tellers)]

    def _teller(self, words: Words, narrator: NarratorMention) -> Participant | None:
        if narrator.collective:
            return None
        first, after = words.at(narrator.start), words.at(narrator.end - 1) + 1
        unknown = narrator.kin is not None or narrator.anonymous
        key = narrator.person or (None if unknown else self.namer.bearer(narrator.surface))
        female = key in self.women or words.folded[first] in (
            "ام",
            "عايشه",
            "زينب",
            "اسماء",
            "حفصه",
            "ميمونه",
            "صفيه",
            "فاطمه",
            "ابنه",
            "بنت",
        )
        return Participant(
            first, after, narrator.start, narrator.end, key, "fs" if female else "ms", "", "person", narrator.surface
        )

    # what is told

    def _typed(self, words: Words, scene: Scene, roles: RoleReader, quoted: set[int]) -> Iterator[tuple[EventReport, int]]:
        folded, by_word, by_verb = words.folded, self.book.by_word, self.book.by_verb
        for i, word in enumerate(folded):
            forms = scene.forms.get(i)
            literal = by_word.get(word)
            if (not forms and literal is None) or i in quoted:
                continue
            best: dict[str, tuple[int, EventReport]] = {}
            if literal is not None:
                self._try(words, scene, roles, i, None, literal, best)
            for form in forms or ():
                candidates = by_verb.get(form.verb)
                if candidates is not None:
                    self._try(words, scene, roles, i, form, candidates, best)
                    if form is forms[0]:  # type: ignore[index]
                        break
            for _, report in best.values():
                yield report, i

    def _try(
        self,
        words: Words,
        scene: Scene,
        roles: RoleReader,
        i: int,
        form: Form | None,
        candidates: Sequence[tuple[EventType, Pattern]],
        best: dict[str, tuple[int, EventReport]],
    ) -> None:
        unreal = _unreal(words, scene, i, form)
        for event_type, pattern in candidates:
            if unreal and not event_type.negated:
                continue
            if form is not None and not form.past and not pattern.trigger.present:
                continue
            if i + 1 < len(words) and words.folded[i + 1] in event_type.not_before:
                continue
            if i and words.folded[i - 1] in event_type.not_after:
                continue
            if event_type.opens_speech and not _opens_speech(words, scene, i):
                continue
            if event_type.without and not event_type.without.isdisjoint(words.folded[i + 1 : i + 6]):
                continue
            match = _match(words, scene, pattern.rest, 0, i + 1)
            if match is None:
                continue
            after, slots = match
            report = self._report(words, roles, i, form, event_type, after, slots)
            if report is None:
                continue
            weight = 10 * sum(role.person is not None or role.start is not None for role in report.roles) + (after - i)
            known = best.get(event_type.name)
            if known is None or known[0] < weight:
                best[event_type.name] = (weight, report)

    def _report(
        self,
        words: Words,
        roles: RoleReader,
        i: int,
        form: Form | None,
        event_type: EventType,
        after: int,
        slots: Mapping[str, Participant | tuple[int, int]],
    ) -> EventReport | None:
        sources = event_type.roles
        passive = None if form is None else _passive(words, i, form, roles)
        if passive and (passive == "vowelled" or "subject" in "|".join(event_type.passive.values())):
            if not event_type.passive and "subject" in "|".join(sources.values()):
                return None
            sources = event_type.passive or sources
        found: list[Role] = []
        subject = roles.subject(i)
        known = [player.key for player in slots.values() if isinstance(player, Participant) and player.key]
        if len(known) > len(set(known)):
            return None
        for name, player in slots.items():
            if isinstance(player, Participant):
                if player is subject and form is not None and "subject" not in sources.get(name, ""):
                    following = roles.cast.at.get(after_honorific(words, player.after))
                    if player.case == "nom" or form.whom or (following is not None and following.before == ""):
                        return None
                    roles.scene.subjects[i] = roles.scene.running.get(i)
                found.extend(roles.roles(name, player))
            else:
                span = words.span(*player)
                found.append(Role(name, None, span.start, span.end, words.text[span.start : span.end]))
        filled = {role.role for role in found}
        rest = {name: source for name, source in sources.items() if name not in filled}
        taken = {(role.person, role.start) for role in found}
        for role in roles.read(i, form, rest):
            twice = role.person is not None and any(role.person == other.person and role.role != other.role for other in found)
            if (role.person, role.start) not in taken and not twice:
                found.append(role)
                taken.add((role.person, role.start))
        names = {role.role for role in found}
        if any(need not in names for need in event_type.needs) or (
            event_type.needs_any and not names & set(event_type.needs_any)
        ):
            return None
        end = after
        doer = roles.subject(i)
        if doer is not None and doer.first in range(i + 1, i + 4):
            end = max(end, doer.after)
        span = words.span(i, end)
        speaker = roles.scene.speaker(i)
        return EventReport(
            type=event_type.name,
            start=span.start,
            end=span.end,
            confidence=0.8 if all(role.person or role.value for role in found) and found else 0.6,
            roles=tuple(found),
            according_to=speaker.key if speaker is not None and "consensus" not in names else None,
            evidence=((span.start, span.end),),
            times_said=_times_said(words, after) if event_type.counted else None,
        )

    # where and when

    def _surrounded(
        self,
        words: Words,
        scene: Scene,
        report: EventReport,
        trigger: int,
        places: Sequence[PlaceMention],
        times: Sequence[TimeMention],
    ) -> EventReport:
        limit = _clause_end(words, scene, trigger, words.at(report.end - 1) + 1)
        extra: list[Role] = []
        place = report.place
        if report.type != "RevelationOfVerse":
            for mention in places:
                if mention.start < words.starts[trigger] or mention.start >= limit:
                    continue
                j = words.at(mention.start)
                origin = words.folded[j - 1] == "من" and self._is(report.type, "Movement")
                if origin:
                    extra.append(Role("origin", None, mention.start, mention.end, mention.place or mention.surface))
                elif place is None and mention.place is not None:
                    place = mention.place
        time = report.time
        for moment in times:
            if words.starts[max(0, trigger - 4)] <= moment.start < limit and time is None:
                time = moment
        return replace(report, place=place, time=time, roles=(*report.roles, *extra))

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

    def _is(self, name: str, ancestor: str) -> bool:
        while name in self.classes:
            if name == ancestor:
                return True
            name = self.classes[name]
        return name == ancestor

    # which event

    def _attended(self, words: Words, scene: Scene, roles: RoleReader, attendances: Sequence[Attendance]) -> list[EventReport]:
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

    def _identified(
        self,
        words: Words,
        scene: Scene,
        reports: list[EventReport],
        sightings: Sequence[Sighting],
        attendances: Sequence[Attendance],
    ) -> list[EventReport]:
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
                people = {person for _, person in event.participants} | {"person/muhammad"}
                for n, report in enumerate(result):
                    if report.event is None and report.type in story.parts and first_offset <= report.start <= last_offset:
                        players = {role.person for role in report.roles if role.person}
                        if (
                            report.type == event.type
                            or not players
                            or players <= people
                            or (players & people and len(players) <= 2)
                        ):
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


def _distinct(reports: Sequence[EventReport]) -> tuple[EventReport, ...]:
    """Of reports of one type over the same words, and of a stay beside a stay in a cave, the fuller one."""
    kept: list[EventReport] = []
    for report in sorted(reports, key=lambda r: (r.type != "StayInCave", -len(r.roles), r.start - r.end)):
        kind = "Stay" if report.type == "StayInCave" else report.type
        clash = any(
            kind == ("Stay" if other.type == "StayInCave" else other.type)
            and report.start < other.end
            and other.start < report.end
            and (report.event is None or report.event == other.event or kind == "Stay")
            for other in kept
        )
        if not clash:
            kept.append(report)
    kept.sort(key=lambda report: (report.start, report.end, report.type, report.event or ""))
    return tuple(kept)


def _other_days(words: Words, report: EventReport, times: Sequence[TimeMention]) -> list[EventReport]:
    """The same said of further days: يوم أحد ويوم حنين."""
    reports = []
    last = report.time
    for time in times:
        if last is not None and time.start > last.start and time.event and words.at(time.start) <= words.at(last.end - 1) + 1:
            reports.append(replace(report, time=time, start=time.start, end=time.end))
            last = time
    return reports


def _prophet_before(words: Words, narrator: NarratorMention, first: int) -> Participant | None:
    """The Prophet, where the matn that begins at word ``first`` is his own words: عن ابن عمر أن رسول الله قال …"""
    folded = words.folded
    if first == 0 or folded[first - 1] not in ("قال", "يقول"):
        return None
    for j in range(first - 1, max(words.at(narrator.end - 1), first - 12), -1):
        if folded[j] in ("النبي", "رسول", "نبي"):
            after = j + 1 if folded[j] == "النبي" else j + 2
            return Participant(j, after, *words.span(j, after), "person/muhammad", "ms", "", "prophet", words.surface(j, after))
    return None


def _present_players(participants: Sequence[tuple[str, str]], scene: Scene) -> tuple[Role, ...]:
    """Of an event's participants those whom the passage names."""
    by_key = {p.key: p for p in reversed(scene.cast.everyone) if p.key}
    return tuple(Role(role, key, by_key[key].start, by_key[key].end) for role, key in participants if key in by_key)


def _range(words: Words, start: int, end: int) -> range:
    return range(words.at(start), words.at(max(start, end - 1)) + 1)


def _match(
    words: Words, scene: Scene, rest: Sequence[Element], n: int, j: int
) -> tuple[int, dict[str, Participant | tuple[int, int]]] | None:
    """Matches the steps from ``n`` on at word ``j``: the word after the match and what the slots hold. Gaps are bounded, so is the work."""
    if n == len(rest):
        return j, {}
    element = rest[n]
    folded = words.folded
    if element.kind == "gap":
        for k in range(j, min(j + element.length, len(folded)) + 1):
            if k > j and k - 1 in scene.forms and folded[k - 1][0] in "فو" and scene.forms[k - 1][0].past:
                return None  # a new clause
            found = _match(words, scene, rest, n + 1, k)
            if found is not None:
                return found
        return None
    if j < len(folded):
        if element.kind == "place" and j in scene.places:
            found = _match(words, scene, rest, n + 1, scene.places[j])
            if found is not None:
                return found
        elif element.kind != "slot" and _word_fits(scene, element, j):
            found = _match(words, scene, rest, n + 1, j + 1)
            if found is not None:
                return found
        elif element.kind == "slot" and j in scene.cast.at and _particle_fits(element, scene.cast.at[j]):
            player = scene.cast.series.get(j)
            if player is not None:
                found = _match(words, scene, rest, n + 1, after_honorific(words, player.after))
                if found is not None:
                    return max(found[0], player.after), {element.role: player, **found[1]}
            player = scene.cast.at[j]
            found = _match(words, scene, rest, n + 1, after_honorific(words, player.after))
            if found is None and after_honorific(words, player.after) != player.after:
                found = _match(words, scene, rest, n + 1, player.after)
            if found is not None:
                after = max(found[0], player.after)
                return after, {element.role: player, **found[1]}
        elif element.kind == "span" and j + element.length <= len(folded):
            found = _match(words, scene, rest, n + 1, j + element.length)
            if found is not None:
                return found[0], {element.role: (j, j + element.length), **found[1]}
    return _match(words, scene, rest, n + 1, j) if element.optional else None


def _opens_speech(words: Words, scene: Scene, i: int) -> bool:
    """Whether word ``i`` is the first that somebody said once, not what he used to say or whoever says."""
    speech = scene.speech[i]
    return speech is not None and speech.first == i and not {"اذا", "كان", "واذا", "فاذا"} & set(words.folded[max(0, i - 14) : i])


def _word_fits(scene: Scene, element: Element, j: int) -> bool:
    """Whether one word is what a step asks for: a word, a form of a verb, a word of the Quran."""
    if element.kind == "word":
        return scene.words.folded[j] in element.words and (element.upon_me or j not in scene.on_me)
    if element.kind == "verb":
        return any(form.verb in element.words for form in scene.forms.get(j, ()))
    return element.kind == "quran" and j in scene.quran


def _particle_fits(element: Element, player: Participant) -> bool:
    if element.particle:
        return player.before.endswith(element.particle)
    return player.before in ("", "و", "ف")


def _unreal(words: Words, scene: Scene, i: int, form: Form | None) -> str:
    """Whether what word ``i`` says is ``denied``, or ``supposed`` (asked, a condition or what follows on one); empty where it is told."""
    if i == 0:
        return ""
    folded = words.folded
    before = folded[i - 1]
    if before == "ما" and i > 1 and folded[i - 2] in ("اول", "بعد", "حين", "قبل", "عند", "كل"):
        return ""
    if before in _NEGATIONS and not (folded[i].startswith("ف") or any(mark in words.gap(i) for mark in ".،,؟")):
        return "" if before == "لما" and (form is None or form.past) else "denied"
    if before in (_CONDITIONS if form is not None else {"اذا", "لو", "واذا"}) or "لو" in folded[max(0, i - 4) : i]:
        return "supposed"
    earliest = max((teller.first for teller in scene.tellers if teller.first <= i), default=0)
    for j in range(i - 1, max(earliest, i - _CONDITION_REACH) - 1, -1):
        if any(mark in words.gap(j + 1) for mark in '."') or folded[j] in ("قال", "فقال", "قالت", "ثم"):
            break
        if folded[j] == "لولا" or (folded[j] in _CONDITIONAL and _opens_condition(words, scene, j)):
            return "supposed"
    asked = (
        i > 1 and folded[i - 2] in ("اذا", "من", "ومن", "لو", "فمن") and before in ("كان", "كانت", "ما", "قد", "احدكم", "الرجل")
    )
    return "supposed" if asked else ""


def _opens_condition(words: Words, scene: Scene, j: int) -> bool:
    """Whether a conditional particle at word ``j`` has its verb after it (من قتل, إن اشترى; not من أجل)."""
    if j + 1 not in scene.forms or words.folded[j + 1] == "اجل":
        return False
    return scene.forms[j + 1][0].past or words.folded[j] not in ("من", "ان")


def _passive(words: Words, i: int, form: Form, roles: RoleReader) -> str:
    """Whether a verb is passive: its first vowel is u; in unvowelled text where nobody is named to whom it could be done."""
    start = words.inside(i, len(form.before)) if form.before else words.starts[i]
    letters = words.text[start : words.ends[i]]
    marks = [letter for letter in letters if "\u064b" <= letter <= "\u0652"]
    if len(marks) >= 2:
        first = next((letter for letter in letters[1:3] if "\u064b" <= letter <= "\u0650"), "")
        return "vowelled" if first == "\u064f" and form.past and form.who[0] == "3" else ""
    if form.whom or form.who[0] != "3":
        return ""
    subject = roles.subject(i)
    alone = roles.object(i, form, subject) is None and subject is not None and subject.first in range(i + 1, i + 4)
    return "likely" if alone else ""


def _times_said(words: Words, after: int) -> int | None:
    for j in range(after, min(after + 5, len(words))):
        word = words.folded[j]
        if word in _TIMES_SAID:
            return _TIMES_SAID[word]
        if word in ("فقال", "ثم", "وقال"):
            return None
    return None


def _clause_end(words: Words, scene: Scene, trigger: int, after: int) -> int:
    """The offset where the clause of a trigger ends: at a full stop, at the next story verb, or after a few words."""
    last = min(len(words), max(after, trigger + 1) + _WINDOW)
    for j in range(after, last):
        if "." in words.gap(j):
            return words.starts[j]
        word = words.folded[j]
        if (
            word in ("ثم", "فلما")
            or (j in scene.forms and scene.forms[j][0].past and word[0] in "فو")
            or word in ("قال", "فقال", "قالت")
        ):
            return words.starts[j]
    return words.ends[last - 1] if last else 0
