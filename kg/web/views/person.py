"""The page of a person: names in parts, generation, dates, teachers and students, mentions, evidence, identifiers."""

from dataclasses import dataclass

from markupsafe import Markup

from kg.web.documents import natural
from kg.web.isnad_svg import Bundle, Edge, Node, draw
from kg.web.languages import Text, genitive
from kg.web.maps import Spot, draw_map
from kg.web.names import SLS
from kg.web.reader import Reader
from kg.web.timeline import Period, draw_timeline
from kg.web.views.chains import Reading, claims_of, reading, year_of
from kg.web.views.person_reports import DrawnReport, PersonReport, drawn_report, reports_of

__all__ = ["PersonPage", "Relation", "network", "person_page"]

NAME_PARTS = ("ism", "nasab", "kunya", "laqab", "nisba", "shuhra")
SHOWN = 14
"""Teachers and as many students in the picture: those with most reports."""
TOLD = 5
"""Passages named beside a role in an event."""


@dataclass(frozen=True, slots=True)
class Relation:
    """A teacher or student as the chains attest: in how many passages, how many distinct reports these tell, the places of the student in the
    chains, the nearest and furthest from the author, and in how many versions."""

    iri: str
    person: Markup
    name: str
    year: str
    year_number: int
    count: int
    passages: Markup
    reports: int
    places: str
    versions: int


@dataclass(frozen=True, slots=True)
class Mention:
    """Where a person is named."""

    passage: Markup
    reading: Reading
    link: Markup


@dataclass(frozen=True, slots=True)
class Part:
    """A role in a named event or a kind of event: the reports of it, each under the name of its passage, and how many are not shown."""

    role: str
    event: Markup
    reports: list[Markup]
    more: int


@dataclass(frozen=True, slots=True)
class PersonPage:
    title: Text
    arabic: Text
    full_name: Text | None
    romanised: Text | None
    anonymous: bool
    parts: list[tuple[str, list[Text]]]
    other_names: list[Text]
    facts: list[tuple[str, list[Markup]]]
    teachers: list[Relation]
    students: list[Relation]
    listed_teachers: list[Markup]
    listed_students: list[Markup]
    picture: Markup | None
    mentions: list[Mention]
    roles: list[Part]
    claims: list[tuple[Markup, Markup, float | None]]
    identifiers: list[Markup]
    sort: str
    reports: list[PersonReport]
    report_count: int
    drawn: DrawnReport | None
    timeline: Markup | None
    map: Markup | None


FACTS = ("isCompanion", "sex", "tabaqa", "rank", "livedIn", "placeName", "father", "taqribNumber")
COUNTS = ("passageCount", "mentionCount", "teacherCount", "studentCount")


def person_page(reader: Reader, sort: str = "count", report: str = "") -> PersonPage:
    d, iri = reader.d, reader.d.iri
    teachers, students = _relations(reader, "student", "teacher", sort), _relations(reader, "teacher", "student", sort)
    labels = reader.labels(iri)
    bundle = network(reader, teachers, students)
    reports, report_count = reports_of(reader)
    return PersonPage(
        title=reader.label(iri),
        arabic=reader.arabic(iri),
        full_name=next(iter(reader.texts(iri, "fullName")), None),
        romanised=next((t for t in labels if t.language.lower() == "ar-latn"), None),
        anonymous=not labels,
        parts=[(part, reader.texts(iri, part)) for part in NAME_PARTS if reader.texts(iri, part)],
        other_names=reader.other_names(iri),
        facts=_facts(reader),
        teachers=teachers,
        students=students,
        listed_teachers=_listed(reader, "listedTeacher"),
        listed_students=_listed(reader, "listedStudent"),
        picture=draw(bundle, reader.t("person.picture_of").replace("{name}", _of(reader, iri)), identity="network") if bundle.edges else None,
        mentions=_mentions(reader),
        roles=_roles(reader),
        claims=_open_claims(reader),
        identifiers=[reader.shown(t) for name in ("owl:sameAs", "skos:exactMatch", "skos:closeMatch", "rdfs:seeAlso", "dcterms:identifier")
                     for t in d.values(iri, name)],
        sort=sort,
        reports=reports,
        report_count=report_count,
        drawn=drawn_report(reader, report),
        timeline=_timeline(reader, teachers, students),
        map=_map(reader),
    )  # fmt: skip


def _of(reader: Reader, iri: str) -> str:
    """The name as it stands after a noun that governs it."""
    name = str(reader.label(iri))
    return genitive(name) if reader.language == "ar" else name


def _facts(reader: Reader) -> list[tuple[str, list[Markup]]]:
    iri, rows = reader.d.iri, []
    death = year_of(reader, iri)
    if death:
        others = reader.strings(iri, "deathYearAHAlternative")
        first, last = reader.string(iri, "deathYearCEEarliest"), reader.string(iri, "deathYearCELatest")
        common = reader.t("person.common_era").replace("{years}", first if first == last else f"{first}–{last}") if first else ""
        also = reader.t("person.or_year").replace("{years}", reader.t.comma.join(others)) if others else ""
        rows.append(("death", [Markup("{} {} {}").format(death, common, also)]))
    for name in FACTS:
        values = [reader.shown(term) for term in reader.d.values(iri, "sls:" + name)]
        if not values:
            continue
        if name == "isCompanion":
            values = [Markup("{}").format(reader.t("person.yes"))]
        elif name == "sex":
            values = [Markup("{}").format(reader.t.get("person.sex_" + reader.string(iri, "sex"), reader.string(iri, "sex")))]
        elif name == "tabaqa":
            values = [Markup("{} ({})").format(v, reader.t.get("person.scheme_" + s, s)) for v in values
                      for s in reader.strings(iri, "tabaqaScheme")[:1]] or values  # fmt: skip
        elif name == "rank":
            by = [reader.shown(term) for name_ in ("rankCritic", "rankBook") for term in reader.d.values(iri, "sls:" + name_)]
            values = [Markup("{} ({})").format(v, Markup(reader.t.comma).join(by)) if by else v for v in values]
        rows.append((name, values))
    rows += [(name, [Markup("{:,}").format(n)]) for name in COUNTS if (n := reader.number(iri, name)) is not None]
    rows += [("source", [Markup(reader.told(t.value).__html__()) for t in reader.d.values(iri, "dcterms:source")])]
    return [row for row in rows if row[1]]


def _places(reader: Reader, transmission: str) -> str:
    """The places at which a student stands in chains: ``2–4``."""
    ends = [reader.number(transmission, name) for name in ("firstPlace", "lastPlace")]
    return "–".join(str(end) for end in dict.fromkeys(ends) if end is not None)


def _relations(reader: Reader, here: str, there: str, sort: str) -> list[Relation]:
    rows = []
    for iri in reader.d.index:
        if reader.kind(iri) != "transmission" or reader.d.iri not in reader.links(iri, here):
            continue
        for person in reader.links(iri, there):
            year = reader.describer.fact(person, "deathYearAHLatest")
            name = reader.label(person)
            count = reader.number(iri, "count") or 0
            rows.append(
                Relation(person, reader.link(person), str(name), year_of(reader, person), int(year) if year.isdecimal() else 9999, count,
                         reader.link(iri, str(count)), reader.number(iri, "reportCount") or count, _places(reader, iri),
                         len(reader.links(iri, "inVersion")))
            )  # fmt: skip
    keys = {
        "name": lambda r: (natural(r.name),),
        "year": lambda r: (r.year_number, r.name),
        "count": lambda r: (-r.reports, -r.count, r.name),
    }
    return sorted(rows, key=keys.get(sort, keys["count"]))


def _timeline(reader: Reader, teachers: list[Relation], students: list[Relation]) -> Markup | None:
    """The deaths of a person, his chief teachers and his chief students, in time."""
    chief = [r for group in (teachers, students) for r in sorted(group, key=lambda r: -r.count)[:SHOWN]]
    periods: dict[str, Period] = {}
    for iri, name in [(reader.d.iri, str(reader.label(reader.d.iri))), *((r.iri, r.name) for r in chief)]:
        first, last = reader.describer.fact(iri, "deathYearAHEarliest"), reader.describer.fact(iri, "deathYearAHLatest")
        if first.isdecimal() and last.isdecimal():
            here = iri == reader.d.iri
            periods.setdefault(iri, Period(name, int(first), int(last), None if here else reader.href(iri), here))
    title = reader.t("person.timeline")
    return draw_timeline(periods.values(), title, rtl=reader.t.direction == "rtl") if len(periods) > 2 else None


def _map(reader: Reader) -> Markup | None:
    """Where a person lived, as far as the places have coordinates."""
    spots = []
    for place in reader.links(reader.d.iri, "livedIn"):
        at = reader.describer.coordinates(place)
        if at:
            spots.append(Spot(at[1], at[0], str(reader.label(place)), reader.href(place)))
    return draw_map(spots, reader.t("place.map"))


def _listed(reader: Reader, name: str) -> list[Markup]:
    return [reader.link(p) for p in reader.links(reader.d.iri, name)] + [
        Markup(t.__html__()) for t in reader.texts(reader.d.iri, name + "Name")
    ]


def _mentions(reader: Reader) -> list[Mention]:
    claims = claims_of(reader)
    rows = []
    for mention in reader.d.pointing("sls:refersTo"):
        passage = next(iter(reader.links(mention, "inPassage")), None)
        if passage is None:
            continue
        kind = "narrator" if reader.kind(mention) == "mention" else "person"
        read = reading(reader, mention, kind, claims.get(mention, ()))
        rows.append(Mention(reader.link(passage), read, reader.link(mention, read.surface)))
    return rows


def _roles(reader: Reader) -> list[Part]:
    """What he did in events, as passages tell it: the named event or its kind with his role once, with every passage that says so."""
    reports = {role: role.rpartition("/")[0] for role in reader.d.pointing("sls:rolePerson")}
    said: dict[str, dict[str, str]] = {report: {} for report in reports.values()}
    for quad in reader.describer.store.of(said, [SLS + name for name in ("eventType", "reports", "inPassage")]):
        said[quad.subject.value][quad.predicate.value.removeprefix(SLS)] = quad.object.value
    parts: dict[tuple[str, str], dict[str, str]] = {}
    for role, report in reports.items():
        event = said[report].get("reports") or said[report].get("eventType") or report
        parts.setdefault((reader.string(role, "roleName"), event), {}).setdefault(said[report].get("inPassage", report), report)
    reader.describer.learn_labels([iri for (_, event), told in parts.items() for iri in (event, *told)])
    return [
        Part(reader.t.get(f"role.{name}", name), reader.link(event),
             [reader.link(told[p], reader.label(p)) for p in sorted(told, key=natural)[:TOLD]], max(0, len(told) - TOLD))
        for (name, event), told in sorted(parts.items(), key=lambda row: -len(row[1]))
    ]  # fmt: skip


def _open_claims(reader: Reader) -> list[tuple[Markup, Markup, float | None]]:
    """Mentions that may be this person, without being decided for him."""
    decided = set(reader.d.pointing("sls:refersTo"))
    return [
        (reader.link(mention), reader.link(claim, "?"), reader.decimal(claim, "confidence"))
        for claim in reader.d.pointing("sls:claimPerson")
        for mention in reader.links(claim, "claimMention")
        if mention not in decided
    ]


def network(reader: Reader, teachers: list[Relation], students: list[Relation]) -> Bundle:
    """A person between his chief teachers and his chief students."""
    iri = reader.d.iri
    nodes = {iri: Node(iri, str(reader.label(iri)), year_of(reader, iri), None, "self")}
    edges = []
    for relations, upward in ((teachers, True), (students, False)):
        for r in sorted(relations, key=lambda r: -r.count)[:SHOWN]:
            prophet = r.iri == reader.base + "person/muhammad"
            nodes.setdefault(r.iri, Node(r.iri, r.name, str(r.count), reader.href(r.iri), "prophet" if prophet else ""))
            edges.append(Edge(r.iri, iri, "", r.count) if upward else Edge(iri, r.iri, "", r.count))
    return Bundle(tuple(nodes.values()), tuple(edges))
