"""Events told in a passage: typed reports with their roles, place, time and the person whose word it is."""

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import replace
from typing import TypeVar

from kg.authority import Authority
from kg.extract.event_identity import EventIdentifier, distinct
from kg.extract.event_matching import by_god, clause_end, match, opens_speech, passive_kind, times_said, unreal
from kg.extract.event_types import EventType, Pattern, TypeBook, read_classes, read_event_types
from kg.extract.known_events import KnownEvents
from kg.extract.naming import Namer
from kg.extract.participants import Participant, after_honorific, cast_of, read_nouns
from kg.extract.presence import PresenceReader
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
from kg.extract.report_tellers import Tellers, word_range
from kg.extract.roles import RoleReader
from kg.extract.scene import Scene
from kg.extract.speech import scene_of
from kg.extract.verbs import Conjugation, Form
from kg.text import Passage, Words, fold

__all__ = ["EventReader"]

_Mention = TypeVar("_Mention", PlaceMention, TimeMention)


class EventReader:
    """Reads event reports; made once from an authority (it compiles the tables), then asked passage by passage.

    >>> from kg.authority import load
    >>> authority = load()
    >>> namer, reader = Namer(authority), EventReader(authority)
    >>> passage = Passage("t:1", "ثم إن عمر ندم فأتى منزل أبي بكر")
    >>> words = Words(passage.text)
    >>> names = namer.find(words, passage, (), ())
    >>> [(r.type, sorted((role.role, role.person) for role in r.roles)) for r in reader.read(words, passage, (), (), *names, ())]
    [('Regret', [('agent', 'person/umar-b-al-khattab')]), ('Visit', [('agent', 'person/umar-b-al-khattab'), ('host', 'person/abu-bakr')])]
    """

    def __init__(self, authority: Authority) -> None:
        self.events = authority.events
        self.book = TypeBook(read_event_types())
        self.classes: Mapping[str, str] = read_classes()
        self.conjugation = Conjugation()
        self.nouns = read_nouns()
        self.women = frozenset(person.key for person in authority.persons.values() if person.sex == "f")
        self.transmitters = frozenset(
            person.key
            for person in authority.persons.values()
            if person.death is not None and person.death.first is not None and person.death.first >= 95 and not person.companion
        )
        self.known = KnownEvents(authority.events)
        self.identifier = EventIdentifier(authority, self.known)
        self.presence = PresenceReader(authority.events)
        self.tellers = Tellers(Namer(authority), self.women)

    def scene(
        self,
        words: Words,
        narrators: Sequence[NarratorMention],
        isnads: Sequence[Isnad],
        persons: Sequence[PersonMention],
        quoted: Set[int] = frozenset(),
    ) -> Scene:
        """Who takes part and who speaks in a passage; ``quoted`` are the words that are the Quran's."""
        skipped, tellers = self.tellers.of(words, narrators, isnads)
        skipped |= quoted
        known = {fold(teller.who.surface): teller.who.key for teller in tellers if teller.who is not None and teller.who.key}
        persons = [  # عبد الله in a report of 'Abd Allah (b. Mas'ud) is he
            replace(person, person=known[fold(person.surface)])
            if person.person is None and fold(person.surface) in known
            else person
            for person in persons
        ]
        cast = cast_of(words, persons, self.nouns, self.women, skipped)
        for teller in tellers:
            if teller.who is not None:
                cast.everyone.append(teller.who)
        if tellers:
            for narrator in narrators:
                first = words.at(narrator.start)
                if first >= tellers[0].first and first not in cast.covered:
                    inside = self.tellers.teller(words, narrator)
                    if inside is not None:
                        cast.add(inside)
        cast.everyone.sort(key=lambda participant: participant.first)
        scene = scene_of(words, cast, tellers, self.conjugation, skipped, self.transmitters)
        for narrator in narrators:
            first = words.at(narrator.start)
            if first and first - 1 in scene.forms:
                named = self.tellers.teller(words, narrator)
                if named is not None:
                    scene.narrators[first] = named
        return scene

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
        quoted = {
            i for citation in quran if citation.end > citation.start for i in word_range(words, citation.start, citation.end)
        }
        scene = self.scene(words, narrators, isnads, persons, quoted)
        scene.quran = quoted
        scene.places = {words.at(place.start): words.at(place.end - 1) + 1 for place in places}
        names = {i for mention in narrators for i in word_range(words, mention.start, mention.end)}
        # a narrator's name is no cue: سهيل بن أبي صالح does not tell of Suhayl at al-Hudaybiya
        sightings = [
            sighting
            for sighting in self.known.find(words)
            if not all(i in names for first, after in sighting.evidence[:1] for i in range(first, after))
        ]
        attendances = self.presence.find(words)
        roles = RoleReader(scene)
        listed = {i for attendance in attendances for i in range(attendance.first, attendance.after)}
        reports = []
        for report, trigger in self._typed(words, scene, roles, quoted | listed):
            report = self._surrounded(words, scene, report, trigger, places, times)
            reports.append(report)
            if report.type == "StandingFirm":
                reports += _other_days(words, report, times)
        reports += self.identifier.attended(words, scene, roles, attendances)
        reports = self.identifier.identified(words, scene, reports, sightings, attendances)
        reports.sort(key=lambda report: (report.start, report.end, report.type, report.event or ""))
        return distinct(reports)

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
            if "Visit" in best:  # he went to a person: one thing, not two
                best.pop("Journey", None)
                best.pop("Arrival", None)
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
        doubt = unreal(words, scene, i, form)
        divine = form is not None and by_god(words, scene, i, form)
        for event_type, pattern in candidates:
            if doubt and not event_type.negated and not (event_type.real and doubt == "supposed"):
                continue
            if form is not None and not form.past and not pattern.trigger.present:
                continue
            if pattern.trigger.joined and (form is None or not form.whom):
                continue
            if form is not None and form.who == "3md" and not _is_dual(words, roles, i):
                continue
            mine = (
                form is None
                and scene.forms.get(i)
                and scene.forms[i][0].who == "1s"
                and words.text[words.ends[i] - 1] == "\u064f"
            )
            if event_type.divine and mine:
                continue  # فَنَزَلْتُ
            if divine and not event_type.divine and not (pattern.rest and "الله" in pattern.rest[0].words):
                continue
            if i + 1 < len(words) and words.folded[i + 1] in event_type.not_before:
                continue
            if i and words.folded[i - 1] in event_type.not_after:
                continue
            if event_type.opens_speech and not opens_speech(words, scene, i):
                continue
            if event_type.without and not event_type.without.isdisjoint(words.folded[i + 1 : i + 6]):
                continue
            found = match(words, scene, pattern.rest, 0, i + 1)
            if found is None:
                continue
            after, slots = found
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
        passive = None if form is None else passive_kind(words, i, form, roles)
        if passive and (passive == "vowelled" or "subject" in "|".join(event_type.passive.values())):
            if not event_type.passive and "subject" in "|".join(sources.values()):
                return None
            sources = event_type.passive or sources
        found: list[Role] = []
        if form is None:  # the subject of words is that of the first verb among them: حتى قتل
            verb = next((j for j in range(i, after) if j in roles.scene.forms), None)
            if verb is not None:
                roles.scene.subjects.setdefault(i, roles.scene.subjects.get(verb))
        subject = roles.subject(i)
        known = [player.key for player in slots.values() if isinstance(player, Participant) and player.key]
        if len(known) > len(set(known)):
            return None
        for name, player in slots.items():
            if isinstance(player, Participant):
                if form is not None and form.whom and not player.before and "object" in sources.get(name, ""):
                    return None  # أتاه آت: to whom it is done is the pronoun
                if player.case == "acc" and sources.get(name, "").startswith("subject") and not passive:
                    return None
                if player is subject and form is not None and not sources.get(name, "").startswith("subject"):
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
        own = form or next(iter(roles.scene.forms.get(i, ())), None)
        for role in roles.read(i, own, rest):
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
            times_said=times_said(words, after) if event_type.counted else None,
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
        limit = clause_end(words, scene, trigger, words.at(report.end - 1) + 1)
        for said in _within(times, words.ends[trigger], limit):  # a verb right behind the time opens the next sentence
            j = words.at(said.end - 1) + 1
            if j in scene.forms and scene.forms[j][0].past:
                limit = min(limit, words.starts[j])
        extra: list[Role] = []
        place = report.place
        if report.type != "RevelationOfVerse":
            for mention in _within(places, words.starts[trigger], limit):
                j = words.at(mention.start)
                origin = words.folded[j - 1] == "من" and self._is(report.type, "Movement")
                if origin:
                    extra.append(Role("origin", None, mention.start, mention.end, mention.place or mention.surface))
                elif place is None and mention.place is not None:
                    place = mention.place
        time = report.time
        if time is None:
            after = _within(times, words.starts[trigger], limit)
            time = next((t for t in after if words.folded[words.at(t.start) - 1] not in ("ابن", "بنت", "ابنه")), None)
        if time is None and words.folded[trigger][0] not in "وف":
            time = next(iter(_within(times, words.starts[max(0, trigger - 4)], words.starts[trigger])), None)
        return replace(report, place=place, time=time, roles=(*report.roles, *extra))

    def _is(self, name: str, ancestor: str) -> bool:
        while name in self.classes:
            if name == ancestor:
                return True
            name = self.classes[name]
        return name == ancestor


def _within(mentions: Sequence[_Mention], start: int, end: int) -> Sequence[_Mention]:
    """The mentions that begin from offset ``start`` on and before ``end``."""
    return mentions[bisect_left(mentions, start, key=_start) : bisect_left(mentions, end, key=_start)]


def _start(mention: PlaceMention | TimeMention) -> int:
    return mention.start


def _is_dual(words: Words, roles: RoleReader, i: int) -> bool:
    """Whether a word in -a is the dual of a verb: two do it, or vowels tell; غضبا is a noun as well."""
    doer = roles.subject(i)
    form = roles.scene.forms[i][0]
    if form.before == "ف" or (i and words.folded[i - 1] in ("حتي", "ثم", "لما", "فلما")):
        return True
    return doer is not None and (doer.who == "md" or any("\u064b" <= letter <= "\u0652" for letter in words.surface(i, i + 1)))


def _other_days(words: Words, report: EventReport, times: Sequence[TimeMention]) -> list[EventReport]:
    """The same said of further days: يوم أحد ويوم حنين."""
    reports = []
    last = report.time
    for time in _within(times, last.end, last.end + 120) if last is not None else ():
        if last is not None and time.event and words.at(time.start) <= words.at(last.end - 1) + 1:
            reports.append(replace(report, time=time, start=time.start, end=time.end))
            last = time
    return reports
