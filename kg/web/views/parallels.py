"""The page of a parallel group: its tellings word by word, its common links, the bundle of its chains."""

from markupsafe import Markup

from kg.web.documents import natural
from kg.web.isnad_svg import Bundle, draw
from kg.web.reader import Reader
from kg.web.views.chains import bundle, in_few_boxes
from kg.web.views.collation import Choice, collation_of, tellings_of
from kg.web.views.library import entries

__all__ = ["group_picture", "outline", "parallel_page", "relation"]


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
    parts = [reader.string(group, name) for name in ("grade", "parallelKind")]
    return reader.t.comma.join(reader.t.get("parallel." + part, part) for part in parts if part)


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
        "entries": listed,
        "collation": collation_of(reader, tellings_of(reader, passages), choice) if choice else None,
    }
