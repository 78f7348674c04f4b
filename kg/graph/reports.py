"""What a passage tells: events with their roles, Quran citations, and persons, places and times named in running text."""

from collections.abc import Callable, Iterator
from typing import Any

from kg.extract.record import Citation, EventReport, Record
from kg.graph.passages import END, START, TYPE, quotation, spanned
from kg.graph.terms import Statements, Term, decimal, integer, name, text
from kg.graph.vocabulary import Vocabulary, segment

__all__ = ["citation_statements", "cited_things", "event_report_statements", "naming_statements", "verses_of"]

_CITATION, _CITES, _REFERENCE, _CANDIDATE = (
    name("sls:QuranCitation"),
    name("sls:cites"),
    name("sls:reference"),
    name("sls:candidate"),
)
_FIRST_WORD, _LAST_WORD, _EXACT, _MARKED = name("sls:firstWord"), name("sls:lastWord"), name("sls:exact"), name("sls:marked")
_CITED_BY, _CITER_RANK, _USE, _INTRODUCED_BY, _CONFIDENCE = (
    name("sls:citedBy"),
    name("sls:citerRank"),
    name("sls:use"),
    name("sls:introducedBy"),
    name("sls:confidence"),
)
_REPORT, _REPORTS, _EVENT_TYPE = name("sls:EventReport"), name("sls:reports"), name("sls:eventType")
_REPORT_STATUS, _ROLE, _ROLE_CLAIM = name("sls:reportStatus"), name("sls:role"), name("sls:RoleClaim")
_ROLE_NAME, _ROLE_PERSON, _ROLE_VALUE = name("sls:roleName"), name("sls:rolePerson"), name("sls:roleValue")
_ROLE_EVENT, _PLACE, _PLACE_INFERRED = name("sls:roleEvent"), name("sls:place"), name("sls:placeInferred")
_ACCORDING_TO, _TIMES_SAID, _EVIDENCE = name("sls:accordingTo"), name("sls:timesSaid"), name("sls:evidence")
_TIME_SURFACE, _TIME_EVENT, _DURATION = name("sls:timeSurface"), name("sls:timeRelativeTo"), name("sls:duration")
_AH_FIRST, _AH_LAST = name("sls:dateAHEarliest"), name("sls:dateAHLatest")
_PERSON_NAMING, _PLACE_NAMING, _TIME = name("sls:PersonNaming"), name("sls:PlaceNaming"), name("sls:TimeExpression")
_REFERS_TO, _REFERS_TO_PLACE, _NAMING_KIND = name("sls:refersTo"), name("sls:refersToPlace"), name("sls:namingKind")
_YES, _NO = text("yes"), text("no")
_STATUS = {"tells": name("sls:tells"), "mentions": name("sls:mentions")}


def verses_of(reference: str) -> list[str]:
    """The keys of the verses of a reference, one each: ``96:1-3`` is three.

    >>> verses_of("9:40"), verses_of("96:1-3")
    (['verse/9/40'], ['verse/96/1', 'verse/96/2', 'verse/96/3'])
    """
    sura, _, verses = reference.partition(":")
    if not verses:
        return [f"sura/{sura}"]
    first, _, last = verses.partition("-")
    return [f"verse/{int(sura)}/{verse}" for verse in range(int(first), int(last or first) + 1)]


def cited_things(citation: Citation) -> list[str]:
    """What a citation cites: each verse of the reference asserted, or the sura where one is named as a whole."""
    if not citation.refs:
        return []
    reference = citation.refs[0]
    return verses_of(reference.partition(":")[0] if citation.use == _SURA_NAMED else reference)


_SURA_NAMED = "sura-named"


def citation_statements(words: Vocabulary, record: Record, citation: Citation, passage: Term, open_: bool) -> Statements:
    """A Quran citation: the reference asserted, the verses it holds, other verses with the same words."""
    letters, language = record.passage.text, record.passage.language
    surface = quotation(letters[citation.start : citation.end], open_)
    statements = spanned(_CITATION, passage, citation.start, citation.end, surface, language)
    if citation.refs:
        statements.append((_REFERENCE, text(citation.refs[0])))
        for key in cited_things(citation):
            statements.append((_CITES, words.remembered(key)))
    for reference in (*citation.refs[1:], *citation.candidates):
        for key in verses_of(reference):
            statements.append((_CANDIDATE, words.remembered(key)))
    if citation.words:
        statements += [(_FIRST_WORD, integer(citation.words[0])), (_LAST_WORD, integer(citation.words[1]))]
    statements.append((_EXACT, _YES if citation.exact else _NO))
    statements.append((_MARKED, _YES if citation.marked else _NO))
    statements.append((_CONFIDENCE, decimal(round(citation.confidence, 3))))
    if citation.introduced_by:
        start, end = citation.introduced_by
        statements.append((_INTRODUCED_BY, text(quotation(letters[start:end], open_), language)))
    if citation.cited_by:
        statements.append((_CITER_RANK, text(citation.cited_by)))
    if citation.cited_by_person:
        statements.append((_CITED_BY, words.remembered(citation.cited_by_person)))
    if citation.use:
        statements.append((_USE, text(citation.use)))
    return statements


def _key_or_text(words: Vocabulary, value: str, language: str) -> Term:
    return words.remembered(value) if value.startswith(("person/", "event/", "work/")) else text(value, language)


def _event_class(kind: str) -> Term:
    return name(f"sls:{kind}")


def event_report_statements(
    words: Vocabulary, tail: str, record: Record, report: EventReport, passage: Term, open_: bool, unique: Callable[[str], str]
) -> Iterator[tuple[str, Statements]]:
    """What the passage says of one event, and each role in it as a thing of its own."""
    letters, language = record.passage.text, record.passage.language
    slug = Vocabulary.slug(report.event) if report.event else segment(report.type)
    key = unique(f"report/{tail}/{slug}/{report.start}-{report.end}")
    surface = quotation(letters[report.start : report.end], open_)
    statements = spanned(_REPORT, passage, report.start, report.end, surface, language)
    if report.event:
        statements.append((_REPORTS, words.remembered(report.event)))
    statements.append((_EVENT_TYPE, _event_class(report.type)))
    statements.append((_REPORT_STATUS, _STATUS.get(report.status) or name(f"sls:{report.status}")))
    statements.append((_CONFIDENCE, decimal(round(report.confidence, 3))))
    if report.place:
        statements.append((_PLACE, words.remembered(report.place)))
        if report.place_inferred:
            statements.append((_PLACE_INFERRED, _YES))
    if report.time is not None:
        statements.extend(_time_statements(words, report.time, language, open_))
    if report.according_to:
        statements.append((_ACCORDING_TO, _key_or_text(words, report.according_to, language)))
    if report.times_said is not None:
        statements.append((_TIMES_SAID, integer(report.times_said)))
    for start, end in report.evidence:
        if (start, end) != (report.start, report.end):
            statements.append((_EVIDENCE, text(quotation(letters[start:end], open_), language)))
    roles = []
    for number, role in enumerate(report.roles, 1):
        role_key = f"{key}/{number}"
        statements.append((_ROLE, words.term(role_key)))
        said: Statements = [(TYPE, _ROLE_CLAIM), (_ROLE_NAME, text(role.role))]
        if role.person:
            said.append((_ROLE_PERSON if role.person.startswith("person/") else _ROLE_EVENT, words.remembered(role.person)))
        if role.value:
            said.append((_ROLE_VALUE, text(quotation(role.value, open_), language)))
        if role.start is not None and role.end is not None:
            said += [(START, integer(role.start)), (END, integer(role.end))]
        roles.append((role_key, said))
    yield key, statements
    yield from roles


def _time_statements(words: Vocabulary, time: Any, language: str, open_: bool) -> Statements:
    statements: Statements = [(_TIME_SURFACE, text(quotation(time.text, open_), language))]
    if time.hijri:
        statements += [(_AH_FIRST, integer(time.hijri[0])), (_AH_LAST, integer(time.hijri[1]))]
    if time.event:
        statements.append((_TIME_EVENT, words.remembered(time.event)))
    if time.duration:
        statements.append((_DURATION, text(time.duration)))
    return statements


def naming_statements(
    words: Vocabulary, tail: str, record: Record, passage: Term, open_: bool
) -> Iterator[tuple[str, Statements]]:
    """Persons, places and times named outside the chains. A place that is only inferred has no words and is left out."""
    language = record.passage.language
    for person in record.persons:
        surface = quotation(person.surface, open_)
        statements = spanned(_PERSON_NAMING, passage, person.start, person.end, surface, language)
        if person.person:
            statements.append((_REFERS_TO, words.remembered(person.person)))
        if person.kind != "person" and not person.person:
            statements.append((_NAMING_KIND, text(person.kind)))
        yield f"naming/{tail}/{person.start}-{person.end}", statements
    for place in record.places:
        if place.inferred:
            continue
        statements = spanned(_PLACE_NAMING, passage, place.start, place.end, quotation(place.surface, open_), language)
        if place.place:
            statements.append((_REFERS_TO_PLACE, words.remembered(place.place)))
        yield f"naming/{tail}/{place.start}-{place.end}", statements
    for time in record.times:
        statements = spanned(_TIME, passage, time.start, time.end, quotation(time.text, open_), language)
        statements.extend(_time_statements(words, time, language, open_)[1:])
        yield f"time/{tail}/{time.start}-{time.end}", statements
