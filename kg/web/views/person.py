"""The page of a person: names in parts, generation, dates, teachers and students, mentions, evidence, identifiers."""

from dataclasses import dataclass
from urllib.parse import quote

from markupsafe import Markup

from kg.web.documents import natural
from kg.web.isnad_svg import Bundle, Edge, Node, draw
from kg.web.languages import Text, genitive
from kg.web.maps import Spot, draw_map
from kg.web.names import SLS
from kg.web.parts import Part
from kg.web.reader import Reader
from kg.web.timeline import Period, draw_timeline
from kg.web.views.chains import Reading, claims_of, reading, year_of
from kg.web.views.person_reports import DrawnReport, PersonReport, drawn_report, reports_of

__all__ = ["PersonPage", "Relation", "network", "person_page"]

NAME_PARTS = ("ism", "nasab", "kunya", "laqab", "nisba", "shuhra")
SHOWN = 14
"""Teachers and as many students in the picture: those with most reports."""
PARTS = 30
"""Parts in events on one page."""


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
class PartInEvent:
    """A role in a named event or a kind of event: reports of it, each under the name of its passage, how many are not shown, and the
    address of all."""

    role: str
    event: Markup
    reports: list[Markup]
    more: int
    all: str


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
    parts_in_events: list[PartInEvent]
    parts_page: int
    parts_pages: int
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


def person_page(reader: Reader, sort: str = "count", report: str = "", parts: int = 1) -> PersonPage:
    """The page; ``report`` is the group whose chains are drawn, ``parts`` the page of his parts in events, from 1."""
    d, iri = reader.d, reader.d.iri
    teachers, students = _relations(reader, "student", "teacher", sort), _relations(reader, "teacher", "student", sort)
    labels = reader.labels(iri)
    bundle = network(reader, teachers, students)
    reports, report_count = reports_of(reader)
    parts_in_events, parts_pages = _parts(reader, parts)
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
        parts_in_events=parts_in_events,
        parts_page=parts,
        parts_pages=parts_pages,
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
                         len(reader.links(iri, "attestedIn")))
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


def _parts(reader: Reader, page: int) -> tuple[list[PartInEvent], int]:
    """One page of what he did in events, and how many pages there are."""
    parts = reader.describer.parts(reader.d.iri)
    pages = max(1, -(-len(parts) // PARTS))
    shown = parts[(page - 1) * PARTS : page * PARTS]
    inside: dict[str, str] = {}
    for quad in reader.describer.store.of([report for part in shown for report in part.reports], [SLS + "inPassage"]):
        inside[quad.subject.value] = quad.object.value
    reader.describer.learn_labels([*inside.values(), *(part.event for part in shown)])
    return [
        PartInEvent(
            role=reader.t.get(f"role.{part.role}", part.role),
            event=reader.link(part.event),
            reports=[reader.link(report, reader.label(inside.get(report, report))) for report in part.reports],
            more=part.passages - len(part.reports),
            all=reader.path("sparql") + "?query=" + quote(_passages_of(reader.d.iri, part), safe=""),
        )
        for part in shown
    ], pages


def _passages_of(person: str, part: Part) -> str:
    """The query for all passages in which a person has a part."""
    event = f"sls:reports <{part.event}>" if part.named else f"sls:eventType <{part.event}>"
    unnamed = "" if part.named else "\n  FILTER NOT EXISTS { ?report sls:reports ?named }"
    return f"""PREFIX sls: <{SLS}>
SELECT DISTINCT ?passage ?words WHERE {{
  ?role sls:rolePerson <{person}> ; sls:roleName "{part.role}" .
  ?report sls:role ?role ; {event} ; sls:inPassage ?passage ; sls:surface ?words .{unnamed}
}}
ORDER BY ?passage
"""


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
