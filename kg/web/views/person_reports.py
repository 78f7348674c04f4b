"""The reports that went through a narrator, and the chains of one of them from the Prophet down to the books."""

from dataclasses import dataclass

from markupsafe import Markup

from kg.web.documents import natural
from kg.web.languages import Text
from kg.web.names import SLS
from kg.web.reader import Reader
from kg.web.views.library import incipit
from kg.web.views.parallels import group_picture, outline

__all__ = ["DrawnReport", "PersonReport", "drawn_report", "reports_of"]

SHOWN = 12
"""Reports offered: those of which he is the common link first, then those told most often."""

_ROLES = ("commonLink", "partialCommonLink")


@dataclass(frozen=True, slots=True)
class PersonReport:
    """A report with several tellings that the narrator passed on. ``sign`` says whether its chains meet in him."""

    name: str
    tellings: Markup
    words: Text
    sign: str


@dataclass(frozen=True, slots=True)
class DrawnReport:
    """The chains of one report drawn, with the list beside."""

    name: str
    group: Markup
    picture: Markup | None
    outline: list[tuple[Markup, list[Markup], str]]


def reports_of(reader: Reader) -> tuple[list[PersonReport], int]:
    """The reports offered to be drawn, and how many there are in all (of those told by his mentions on this page of the document)."""
    iri, store = reader.d.iri, reader.describer.store
    signs = {"commonLink": reader.t("parallel.sign_common"), "partialCommonLink": reader.t("parallel.sign_partial"), "": ""}
    groups: dict[str, str] = {}
    for role in _ROLES:
        for quad in store.quads(None, SLS + role, iri):
            groups.setdefault(quad.subject.value, role)
    for mention in reader.d.pointing("sls:refersTo"):
        if reader.kind(mention) == "mention":
            for passage in reader.links(mention, "inPassage"):
                for quad in store.quads(None, SLS + "hasPassage", passage):
                    groups.setdefault(quad.subject.value, "")
    rank = {role: number for number, role in enumerate((*_ROLES, ""))}

    def order(group: str) -> tuple[int, int, str]:
        size = reader.describer.fact(group, "passageCount")
        return rank[groups[group]], -int(size) if size.isdecimal() else 0, group

    return [_offered(reader, group, signs[groups[group]]) for group in sorted(groups, key=order)[:SHOWN]], len(groups)


def _offered(reader: Reader, group: str, sign: str) -> PersonReport:
    passages = sorted((q.object.value for q in reader.describer.store.quads(group, SLS + "hasPassage")), key=natural)
    words = Text("")
    for quad in reader.describer.text_of(passages[0]) if passages else []:
        isnad = f"{reader.base}isnad/{reader.key(passages[0]).partition('/')[2]}/1"
        start = reader.describer.fact(isnad, "matnStart")
        words = Text(incipit(quad.object.value[int(start) if start.isdecimal() else 0 :], 80), "ar")
    return PersonReport(reader.key(group).partition("/")[2], reader.link(group), words, sign)


def drawn_report(reader: Reader, name: str) -> DrawnReport | None:
    """The chains of the report that was asked for, with the narrator marked; None where he has no part in such a report."""
    group = f"{reader.base}parallel/{name}"
    description = reader.describer.describe(group) if name else None
    if description is None:
        return None
    there = Reader(description, reader.describer, reader.t, reader.path)
    whole, picture = group_picture(there, group, reader.d.iri)
    if reader.d.iri not in whole.by_id:
        return None
    return DrawnReport(name, reader.link(group), picture, outline(there, whole))
