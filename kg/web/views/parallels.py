"""The page of a parallel group: its tellings word by word, its common links, the bundle of its chains."""

from dataclasses import dataclass

from markupsafe import Markup

from kg.web.documents import natural
from kg.web.isnad_svg import Bundle, draw
from kg.web.languages import Text
from kg.web.reader import Reader
from kg.web.views.chains import bundle, in_few_boxes
from kg.web.views.collation import Choice, collation_of, tellings_of
from kg.web.views.library import entries

__all__ = ["Stands", "group_picture", "outline", "parallel_page", "relation", "telling_of"]


def outline(reader: Reader, bundle: Bundle) -> list[tuple[Markup, list[Markup], str]]:
    """A bundle as a list, from the top: each narrator with those he received from, and whether he is a common link, in words."""
    signs = {"common-link": reader.t("parallel.sign_common"), "partial": reader.t("parallel.sign_partial"), "self": "●"}
    teachers: dict[str, list[str]] = {}
    for edge in bundle.lines:
        teachers.setdefault(edge.student, []).append(edge.teacher)
    return [
        (
            reader.link(node, bundle.by_id[node].label),
            [reader.link(t, bundle.by_id[t].label) for t in teachers.get(node, ())],
            signs.get(bundle.by_id[node].emphasis, ""),
        )
        for row in bundle.layers()
        for node in row
    ]


def _findings(reader: Reader) -> list[tuple[Markup, str, list[tuple[str, int]]]]:
    """The numbers behind common links: each person with his kind of link and the counts."""
    rows = []
    for finding in sorted(reader.links(reader.d.iri, "linkFinding"), key=natural):
        counts = [
            (name, n)
            for name in ("studentCount", "spreadingCount", "passageCount")
            if (n := reader.number(finding, name)) is not None
        ]
        rows += [
            (reader.link(person), reader.string(finding, "linkKind"), counts) for person in reader.links(finding, "ofPerson")
        ]
    return rows


def group_picture(reader: Reader, group: str, narrator: str = "") -> tuple[Bundle, Markup | None]:
    """The whole bundle of a group's chains, and its picture with the common links (and a narrator) emphasised."""
    passages = sorted(reader.links(group, "hasPassage"), key=natural)
    whole = bundle(reader, passages, reader.links(group, "commonLink"), reader.links(group, "partialCommonLink"), narrator)
    drawn = in_few_boxes(reader, whole)
    return whole, draw(drawn, str(reader.label(group)), identity="bundle") if drawn.edges else None


def relation(reader: Reader, group: str) -> str:
    """How the tellings are alike, in words: the grade, and whether they are of one Companion."""
    return _in_words(reader, group, ("grade", "parallelKind"))


def _in_words(reader: Reader, iri: str, names: tuple[str, ...]) -> str:
    parts = [reader.string(iri, name) for name in names]
    return reader.t.comma.join(reader.t.get("parallel." + part, part) for part in parts if part)


@dataclass(frozen=True, slots=True)
class Stands:
    """How a telling stands to the one it is compared with: in words, and how much of the words they share, as a percentage.
    ``part``: it has a part of the report only."""

    link: Markup
    words: Text
    says: str
    share: str
    beside: Markup | None
    part: bool


def telling_of(reader: Reader, group: str, passage: str) -> str:
    """How a passage stands to the first of its group, in words; of the first itself how the group's tellings are alike."""
    return _in_words(reader, f"{group}/telling/{reader.key(passage).partition('/')[2]}", ("grade", "relation")) or relation(
        reader, group
    )


def _standing(reader: Reader) -> list[Stands]:
    """The tellings in the order of their numbers, the first before all, those that have a part only last."""
    tellings = {next(iter(reader.links(iri, "ofPassage")), ""): iri for iri in reader.links(reader.d.iri, "telling")}
    tellings.pop("", None)
    whole = [passage for passage in reader.links(reader.d.iri, "hasPassage") if passage in tellings]
    parts = sorted((passage for passage in tellings if passage not in whole), key=natural)
    found = []
    for passage in [*sorted(whole, key=lambda p: (bool(reader.links(tellings[p], "comparedWith")), natural(p))), *parts]:
        iri = tellings[passage]
        entry = entries(reader, [passage])[0]
        share = reader.string(iri, "similarity")
        beside = [reader.link(other) for other in reader.links(iri, "comparedWith")]
        says = _in_words(reader, iri, ("grade", "relation"))
        percent = f"{float(share):.0%}" if share else ""
        found.append(Stands(entry.link, entry.words, says, percent, beside[0] if beside else None, passage in parts))
    return found


def _parted(reader: Reader) -> list[tuple[str, Markup, list[Markup], list[Markup], list[Markup]]]:
    """Where chains part: how, in whom, between whom, and the passages of the one way and of the other."""
    rows = []
    for finding in sorted(reader.links(reader.d.iri, "chainFinding"), key=natural):
        kind = reader.string(finding, "findingKind")
        persons = [reader.link(p) for name in ("meets", "otherPerson") for p in reader.links(finding, name)]
        here, there = (
            [reader.link(p) for p in sorted(reader.links(finding, name), key=natural)] for name in ("ofPassage", "otherPassage")
        )
        for person in reader.links(finding, "ofPerson"):
            rows.append((reader.t.get("parallel." + kind, kind), reader.link(person), persons, here, there))
    return rows


def parallel_page(reader: Reader, choice: Choice | None) -> dict[str, object]:
    """A group of parallel passages with the bundle of their chains; collated where ``choice`` is given."""
    iri = reader.d.iri
    passages = sorted(reader.links(iri, "hasPassage"), key=natural)
    whole, picture = group_picture(reader, iri)
    listed = entries(reader, passages)
    return {
        "title": next((entry.words for entry in listed if entry.words), reader.label(iri)),
        "tellings": reader.label(iri),
        "relation": relation(reader, iri),
        "common": [reader.link(p) for p in reader.links(iri, "commonLink")],
        "partial": [reader.link(p) for p in reader.links(iri, "partialCommonLink")],
        "findings": _findings(reader),
        "picture": picture,
        "outline": outline(reader, whole),
        "narrators": sum(node.emphasis != "book" for node in whole.nodes),
        "standing": _standing(reader),
        "counts": [(name, reader.string(iri, name)) for name in ("singleStrandCount", "diveCount") if reader.string(iri, name)],
        "parted": _parted(reader),
        "entries": listed,
        "collation": collation_of(reader, tellings_of(reader, passages), choice) if choice else None,
    }
