"""What the reviewed tables know, as statements: persons, places, events, works and their books, versions, terms."""

from collections.abc import Iterator
from functools import cache
from typing import Any

from convertdate import islamic

from kg.authority.model import Authority, Book, Event, Person, Place, Work, Year
from kg.graph.passages import LABEL, TYPE, book_key
from kg.graph.terms import Statements, decimal, integer, iri, name, text
from kg.graph.vocabulary import Vocabulary

__all__ = ["authority_thing", "authority_things", "common_era", "person_statements", "version_statements"]

_ALT, _HIDDEN, _SOURCE = name("skos:altLabel"), name("skos:hiddenLabel"), name("dcterms:source")
_YES = text("yes")


@cache
def common_era(year: int) -> tuple[int, int]:
    """The CE years in which an AH year begins and ends (tabular calendar; two at most).

    >>> common_era(256)
    (869, 870)
    """
    first, _, _ = islamic.to_gregorian(year, 1, 1)
    last, _, _ = islamic.to_gregorian(year, 12, 29)
    return first, last


def _labels(arabic: str, english: str, latin: str = "") -> Statements:
    statements: Statements = []
    if arabic:
        statements.append((LABEL, text(arabic, "ar")))
    if english:
        statements.append((LABEL, text(english, "en")))
    if latin:
        statements.append((LABEL, text(latin, "ar-Latn")))
    return statements


def _death(year: Year) -> Statements:
    statements: Statements = []
    first, last = year.first, year.last
    if first is not None and first == last:
        statements.append((name("sls:deathYearAH"), integer(first)))
    if first is not None:
        statements.append((name("sls:deathYearAHEarliest"), integer(first)))
    if last is not None:
        statements.append((name("sls:deathYearAHLatest"), integer(last)))
    if first is not None and first > 0:
        statements.append((name("sls:deathYearCEEarliest"), integer(common_era(first)[0])))
    if last is not None and last > 0:
        statements.append((name("sls:deathYearCELatest"), integer(common_era(last)[1])))
    statements += [(name("sls:deathYearAHAlternative"), integer(other)) for other in year.alternatives]
    if year.precision and year.precision != "year":
        statements.append((name("sls:deathYearPrecision"), text(year.precision)))
    return statements


def _reference(words: Vocabulary, value: str, known: Any, prop: str, prop_text: str) -> tuple[Any, Any]:
    """A link where the value is a key we have a thing for, else its words."""
    return (name(prop), words.remembered(value)) if value in known else (name(prop_text), text(value, "ar"))


def person_statements(words: Vocabulary, person: Person, authority: Authority) -> Statements:
    """A person: the usual name before the full one, names in parts, generation with its scheme, death with its bounds, rank with critic and book."""
    statements: Statements = [(TYPE, name("sls:Person"))]
    if person.kind not in ("", "person"):
        statements.append((name("sls:personKind"), text(person.kind)))
    shown = person.usual or person.name_ar
    statements += _labels(shown, person.name_en, person.name_latn)
    if shown != person.name_ar:
        statements.append((name("sls:fullName"), text(person.name_ar, "ar")))
    others = dict.fromkeys((person.name_ar, *person.surfaces))
    statements += [(_ALT, text(surface, "ar")) for surface in others if surface != shown]
    if person.sex:
        statements.append((name("sls:sex"), text(person.sex)))
    if person.rank_critic:
        statements.append(_reference(words, person.rank_critic, authority.persons, "sls:rankCritic", "sls:rankCriticName"))
    if person.rank_book:
        statements.append(_reference(words, person.rank_book, authority.works, "sls:rankBook", "sls:rankBookName"))
    for prop, value in (("sls:ism", person.ism), ("sls:shuhra", person.shuhra), ("sls:rank", person.rank)):
        if value:
            statements.append((name(prop), text(value, "ar")))
    if person.nasab:
        statements.append((name("sls:nasab"), text(" بن ".join(person.nasab), "ar")))
    for prop, values in (("sls:kunya", person.kunya), ("sls:laqab", person.laqab), ("sls:nisba", person.nisba)):
        statements += [(name(prop), text(value, "ar")) for value in values]
    if person.companion:
        statements.append((name("sls:isCompanion"), _YES))
    if person.tabaqa is not None:
        statements += [(name("sls:tabaqa"), integer(person.tabaqa)), (name("sls:tabaqaScheme"), text(person.tabaqa_scheme))]
    if person.death is not None:
        statements += _death(person.death)
    statements += [_reference(words, place, authority.places, "sls:livedIn", "sls:placeName") for place in person.places]
    if person.taqrib_no is not None:
        statements.append((name("sls:taqribNumber"), integer(person.taqrib_no)))
    if person.father and person.father in authority.persons:
        statements.append((name("sls:father"), words.remembered(person.father)))
    statements += [
        _reference(words, teacher, authority.persons, "sls:listedTeacher", "sls:listedTeacherName")
        for teacher in person.listed_teachers
    ]
    statements += [
        _reference(words, student, authority.persons, "sls:listedStudent", "sls:listedStudentName")
        for student in person.listed_students
    ]
    if person.source:
        statements.append((_SOURCE, text(person.source)))
    return statements


def _place(words: Vocabulary, place: Place, authority: Authority) -> Statements:
    statements: Statements = [(TYPE, name("sls:Place")), *_labels(place.name_ar, place.name_en)]
    statements += [(_ALT, text(surface, "ar")) for surface in place.surfaces if surface != place.name_ar]
    statements.append((name("sls:placeKind"), text(place.kind)))
    if place.within and place.within in authority.places:
        statements.append((name("sls:within"), words.remembered(place.within)))
    if place.latitude is not None and place.longitude is not None:
        statements.append((name("geo:lat"), decimal(place.latitude, 5)))
        statements.append((name("geo:long"), decimal(place.longitude, 5)))
    if place.source:
        statements.append((_SOURCE, text(place.source)))
    return statements


def _event(words: Vocabulary, event: Event, authority: Authority) -> Statements:
    statements: Statements = [(TYPE, name("sls:Event")), *_labels(event.name_ar, event.name_en)]
    if event.type != "Event":
        statements.insert(1, (TYPE, name(f"sls:{event.type}")))
    for surface in event.surfaces:
        if surface not in (event.name_ar, event.name_en):
            statements.append((_HIDDEN if surface in event.phrases else _ALT, text(surface, "en" if surface.isascii() else "ar")))
    if event.date is not None:
        for prop, year in (("sls:dateAHEarliest", event.date.first), ("sls:dateAHLatest", event.date.last)):
            if year is not None:
                statements.append((name(prop), integer(year)))
        statements += [(name("sls:dateAHAlternative"), integer(other)) for other in event.date.alternatives]
        if event.date.source:
            statements.append((name("sls:dateSource"), text(event.date.source)))
    if event.place and event.place in authority.places:
        statements.append((name("sls:place"), words.remembered(event.place)))
    participants = dict.fromkeys(person for _, person in event.participants if person in authority.persons)
    statements += [(name("sls:participant"), words.remembered(person)) for person in participants]
    for prop, other in (("sls:partOf", event.part_of), ("sls:after", event.after)):
        if other and other in authority.events:
            statements.append((name(prop), words.remembered(other)))
    if event.source:
        statements.append((_SOURCE, text(event.source)))
    return statements


def _work(words: Vocabulary, work: Work, authority: Authority) -> Statements:
    statements: Statements = [(TYPE, name("sls:Work")), *_labels(work.title_ar, work.title_en, work.title_latn)]
    if work.author:
        statements.append(_reference(words, work.author, authority.persons, "sls:author", "sls:authorName"))
    statements.append((name("sls:workKind"), text(work.kind)))
    if work.openiti:
        statements.append((name("sls:openitiIdentifier"), text(work.openiti)))
    if work.source:
        statements.append((_SOURCE, text(work.source)))
    return statements


def version_statements(words: Vocabulary, sources: list[Any], title: tuple[str, str], works: Any) -> Statements:
    """A recension or edition, said once for all sources that give passages of it."""
    statements: Statements = [(TYPE, name("sls:Version")), *_labels(*title)]
    for work in dict.fromkeys(source.work for source in sources):
        if work and work in works:
            statements.append((name("sls:versionOf"), words.remembered(work)))
    for licence in dict.fromkeys(source.licence for source in sources):
        if licence:
            target = iri(licence) if licence.startswith(("http://", "https://")) else text(licence, "en")
            statements.append((name("sls:licence" if target.nt.startswith("<") else "sls:licenceText"), target))
    may = all(source.republishable for source in sources)
    statements.append((name("sls:republishable"), text("yes" if may else "no")))
    return statements


def _book(words: Vocabulary, book: Book, authority: Authority) -> Statements:
    statements: Statements = [(TYPE, name("sls:Book")), *_labels(book.title_ar, book.title_en)]
    if book.work in authority.works:
        statements.append((name("sls:bookOf"), words.remembered(book.work)))
    statements.append((name("sls:bookNumber"), integer(book.number)))
    if book.source:
        statements.append((_SOURCE, text(book.source)))
    return statements


def authority_thing(words: Vocabulary, authority: Authority, key: str) -> Statements | None:
    """What the tables say of a person, place, event or work; None where they do not know the key."""
    person, place = authority.persons.get(key), authority.places.get(key)
    if person is not None:
        return person_statements(words, person, authority)
    if place is not None:
        return _place(words, place, authority)
    event, work = authority.events.get(key), authority.works.get(key)
    if event is not None:
        return _event(words, event, authority)
    return None if work is None else _work(words, work, authority)


def authority_things(words: Vocabulary, authority: Authority) -> Iterator[tuple[str, Statements]]:
    """Every thing of the tables with what is said of it, in no particular order."""
    for key in (*authority.persons, *authority.places, *authority.events, *authority.works):
        statements = authority_thing(words, authority, key)
        if statements is not None:
            yield key, statements
    for (work, number), book in authority.books.items():
        yield book_key(work, number), _book(words, book, authority)
