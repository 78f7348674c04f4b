"""Chains as pages show them: an ordered list from the book to its source, and a picture of one or many."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from markupsafe import Markup

from kg.web.documents import is_place, natural
from kg.web.isnad_svg import LETTERS, MANY, Bundle, Edge, Node
from kg.web.languages import Text
from kg.web.reader import Reader

__all__ = [
    "Chain",
    "Link",
    "Reading",
    "bundle",
    "chain",
    "chains_of",
    "in_few_boxes",
    "isnads_by_passage",
    "order",
    "readings_of",
]


@dataclass(frozen=True, slots=True)
class Claim:
    """One answer to who a mention is."""

    person: Markup
    confidence: float | None
    status: str
    method: str
    why: Text | None
    winner: bool


@dataclass(frozen=True, slots=True)
class Reading:
    """A stretch of text with what was read in it. ``id`` is the fragment of its line on the page."""

    iri: str
    id: str
    start: int
    end: int
    surface: Text
    kind: str
    target: str | None = None
    label: Text | None = None
    confidence: float | None = None
    claims: list[Claim] = field(default_factory=list)
    undecided: bool = False

    @property
    def why(self) -> Text | None:
        return next((claim.why for claim in self.claims if claim.winner), None)


@dataclass(frozen=True, slots=True)
class Link:
    """One narrator of a chain: how he received, what he is called here, who he is."""

    reading: Reading
    term: Text | None
    term_iri: str | None
    kin: str
    anonymous: bool
    year: str
    generation: str


@dataclass(frozen=True, slots=True)
class Chain:
    """An isnad: its narrators in order from the author, and how far it reaches."""

    iri: str
    links: list[Link]
    reaches: str
    basis: str
    continuity: Text | None
    points_back: Text | None


def order(reader: Reader, isnad: str) -> list[str]:
    """The mentions of a chain, nearest the author first."""
    places = [
        (int(predicate.rpartition("_")[2]), term.value)
        for predicate, terms in reader.d.index.get(isnad, {}).items()
        if is_place(predicate)
        for term in terms
    ]
    return [mention for _, mention in sorted(places)]


def claims_of(reader: Reader) -> dict[str, list[str]]:
    """The claims of the description by mention."""
    found: dict[str, list[str]] = {}
    for subject in reader.d.index:
        for mention in reader.links(subject, "claimMention"):
            found.setdefault(mention, []).append(subject)
    return found


def reading(reader: Reader, mention: str, kind: str, claims: Iterable[str] = ()) -> Reading:
    """A mention with who it is, how sure that is, and why."""
    target = next(iter(reader.links(mention, "refersTo")), None)
    made = [
        Claim(
            reader.link(person),
            reader.decimal(claim, "confidence"),
            next((reader.tail(s) for s in reader.links(claim, "status")), ""),
            reader.string(claim, "method"),
            reader.told(why) if (why := reader.string(claim, "why")) else None,
            person == target,
        )
        for claim in claims
        for person in reader.links(claim, "claimPerson")
    ]
    made.sort(key=lambda c: (not c.winner, -(c.confidence or 0)))
    start, end = reader.number(mention, "start") or 0, reader.number(mention, "end") or 0
    return Reading(
        mention,
        f"at-{start}-{end}",
        start,
        end,
        reader.text(mention, "surface") or Text("…"),
        kind,
        target,
        reader.label(target) if target else None,
        next((c.confidence for c in made if c.winner), None),
        made,
        undecided=target is None,
    )


def chain(reader: Reader, isnad: str, claims: dict[str, list[str]]) -> Chain:
    """One isnad of the description."""
    links = []
    for mention in order(reader, isnad):
        kinds = [reader.tail(kind) for kind in reader.d.links(mention, "rdf:type")]
        read = reading(reader, mention, "narrator", claims.get(mention, ()))
        person = read.target or ""
        links.append(
            Link(
                read,
                reader.text(mention, "termSurface"),
                next(iter(reader.links(mention, "transmissionTerm")), None),
                reader.string(mention, "kin"),
                "AnonymousMention" in kinds or "CollectiveMention" in kinds,
                year_of(reader, person),
                generation_of(reader, person),
            )
        )
    reaches = next((reader.tail(level) for level in reader.links(isnad, "attributedTo")), "")
    broken = reader.string(isnad, "continuity")
    continuity = Text(reader.t.get("continuity." + broken, broken), reader.language) if broken else None
    return Chain(
        isnad, links, reaches, reader.string(isnad, "attributionBasis") or "", continuity, reader.text(isnad, "pointsBack")
    )


def fact(reader: Reader, iri: str, name: str) -> str:
    """A plain value of a neighbour, which the description need not hold."""
    found = reader.string(iri, name)
    return found or reader.describer.fact(iri, name)


def year_of(reader: Reader, person: str) -> str:
    """The year of death as pages give it: ``d. 245 AH``, or the span of years where sources differ."""
    if not person:
        return ""
    first, last = fact(reader, person, "deathYearAHEarliest"), fact(reader, person, "deathYearAHLatest")
    if not first and not last:
        return ""
    if not first or not last:
        return reader.t("chain.died_before" if last else "chain.died_after").replace("{year}", first or last)
    return reader.t("chain.died").replace("{year}", first if first == last else f"{first}–{last}")


def generation_of(reader: Reader, person: str) -> str:
    number = fact(reader, person, "tabaqa") if person else ""
    return reader.t("chain.generation").replace("{number}", number) if number else ""


def chains_of(reader: Reader, passage: str, claims: dict[str, list[str]]) -> list[Chain]:
    """The chains of a passage, in their order."""
    isnads = [s for s in reader.d.index if reader.kind(s) == "isnad" and passage in reader.links(s, "inPassage")]
    return [chain(reader, isnad, claims) for isnad in sorted(isnads, key=natural)]


def bundle(
    reader: Reader, passages: Iterable[str], common: Iterable[str] = (), partial: Iterable[str] = (), self: str = ""
) -> Bundle:
    """The picture of the chains of some passages; narrators who are one person are one node, ``self`` is the one it is about."""
    nodes: dict[str, Node] = {}
    edges: dict[tuple[str, str], Edge] = {}
    emphasis = {**dict.fromkeys(partial, "partial"), **dict.fromkeys(common, "common-link"), self: "self"}
    isnads = isnads_by_passage(reader)
    for passage in passages:
        for isnad in isnads.get(passage, ()):
            below = passage
            nodes.setdefault(passage, Node(passage, str(reader.label(passage)), "", reader.href(passage), "book"))
            for mention in order(reader, isnad):
                here = _narrator(reader, mention, emphasis)
                nodes.setdefault(here.id, here)
                term = reader.text(mention, "termSurface")
                _count(edges, Edge(here.id, below, str(term or "")))
                below = here.id
            if "prophet" in [reader.tail(level) for level in reader.links(isnad, "attributedTo")] and below != passage:
                prophet = reader.base + "person/muhammad"
                nodes.setdefault(prophet, Node(prophet, reader.t("chain.prophet"), "", reader.href(prophet), "prophet"))
                _count(edges, Edge(prophet, below))
    return Bundle(tuple(nodes.values()), tuple(edges.values()))


def isnads_by_passage(reader: Reader) -> dict[str, list[str]]:
    """The chains of the description, in their order, by the passage they stand in."""
    found: dict[str, list[str]] = {}
    for subject in sorted((s for s in reader.d.index if reader.kind(s) == "isnad"), key=natural):
        for passage in reader.links(subject, "inPassage"):
            found.setdefault(passage, []).append(subject)
    return found


def in_few_boxes(reader: Reader, whole: Bundle) -> Bundle:
    """A bundle of many nodes in which the passages that one author heard from one narrator are one box with their numbers."""
    if len(whole.nodes) <= MANY:
        return whole
    teachers: dict[str, list[str]] = {}
    for edge in whole.edges:
        teachers.setdefault(edge.student, []).append(edge.teacher)
    boxes: dict[tuple[str, ...], list[Node]] = {}
    for node in whole.nodes:
        if node.emphasis == "book":
            boxes.setdefault((node.id.rpartition("/")[0], *sorted(teachers.get(node.id, ()))), []).append(node)
    place = {node.id: books[0].id for books in boxes.values() for node in books}
    merged: dict[str, Node] = {}
    for books in boxes.values():
        if len(books) > 1:
            shown = [(book.label.rpartition(" ")[2]) for book in books]
            numbers = reader.t.comma.join(shown[:4]) + (" …" if len(shown) > 4 else "")
            merged[books[0].id] = Node(books[0].id, books[0].label.rpartition(" ")[0], numbers, None, "book")
    edges: dict[tuple[str, str], Edge] = {}
    for edge in whole.edges:
        pair = (edge.teacher, place.get(edge.student, edge.student))
        weight = edge.weight + (edges[pair].weight if pair in edges else 0)
        edges[pair] = Edge(*pair, edge.term, weight)
    nodes = (merged.get(node.id, node) for node in whole.nodes if place.get(node.id, node.id) == node.id)
    return Bundle(tuple(nodes), tuple(edges.values()))


def _count(edges: dict[tuple[str, str], Edge], edge: Edge) -> None:
    pair = (edge.teacher, edge.student)
    before = edges.get(pair)
    edges[pair] = edge if before is None else Edge(*pair, before.term if before.term == edge.term else "", before.weight + 1)


def _narrator(reader: Reader, mention: str, emphasis: dict[str, str]) -> Node:
    person = next(iter(reader.links(mention, "refersTo")), None)
    surface = str(reader.text(mention, "surface") or "…")
    if person is None:
        return Node(mention, surface, reader.t("chain.undecided"), reader.href(mention), "undecided")
    return Node(
        person, short_name(reader, person, surface), year_of(reader, person), reader.href(person), emphasis.get(person, "")
    )


def short_name(reader: Reader, person: str, surface: str = "") -> str:
    """A name that fits a box: the label; where an Arabic one is long, what the text calls him, without vowels."""
    label = reader.label(person)
    if (reader.language != "ar" and label.language != "ar") or len(str(label)) <= LETTERS["ar"]:
        return str(label)
    plain = strip_marks(surface)
    return plain if plain and len(plain) > 4 else reader.describer.fact(person, "shuhra") or str(reader.arabic(person))


def strip_marks(text: str) -> str:
    """Arabic without its vowel signs and tatweel, every letter as it was.

    >>> strip_marks("أَبِي إِدْرِيسَ")
    'أبي إدريس'
    """
    return "".join(c for c in text if not ("\u064b" <= c <= "\u065f" or c in "\u0670\u0640"))


def readings_of(reader: Reader, passage: str, claims: dict[str, list[str]]) -> list[Reading]:
    """Everything read in a passage, in the order of its letters."""
    found: list[Reading] = []
    for subject in list(reader.d.index):
        if passage not in reader.links(subject, "inPassage"):
            continue
        kind = reader.kind(subject)
        if kind == "mention":
            found.append(reading(reader, subject, "narrator", claims.get(subject, ())))
        elif kind == "naming":
            place = next(iter(reader.links(subject, "refersToPlace")), None)
            is_place_naming = any(reader.tail(t) == "PlaceNaming" for t in reader.d.links(subject, "rdf:type"))
            read = reading(reader, subject, "place" if is_place_naming else "person", claims.get(subject, ()))
            if is_place_naming and place:
                read = _toward(read, place, reader)
            found.append(read)
        elif kind == "citation":
            verse = next(iter(reader.links(subject, "cites")), None)
            read = reading(reader, subject, "verse")
            found.append(
                _toward(read, verse, reader, Text(reader.string(subject, "reference")), reader.decimal(subject, "confidence"))
            )
        elif kind == "report" and reader.number(subject, "start") is not None and reader.text(subject, "surface"):
            event = next(iter(reader.links(subject, "reports")), None)
            kind_iri = next(iter(reader.links(subject, "eventType")), None)
            read = reading(reader, subject, "event")
            label = reader.label(event) if event else reader.label(kind_iri) if kind_iri else None
            found.append(_toward(read, event or subject, reader, label, reader.decimal(subject, "confidence")))
    return sorted(found, key=lambda r: (r.start, -r.end, r.kind))


def _toward(
    read: Reading, target: str | None, reader: Reader, label: Text | None = None, confidence: float | None = None
) -> Reading:
    shown = label or (reader.label(target) if target else None)
    return Reading(
        read.iri,
        read.id,
        read.start,
        read.end,
        read.surface,
        read.kind,
        target,
        shown,
        confidence,
        read.claims,
        undecided=target is None,
    )
