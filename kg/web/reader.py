"""Reads a description for a page: labels in the reader's language, links that are safe to follow."""

from collections.abc import Callable
from dataclasses import dataclass

from markupsafe import Markup, escape
from pyoxigraph import Literal, NamedNode

from kg.web.documents import Describer, Description, kind_of
from kg.web.languages import Messages, Text, best, genitive
from kg.web.names import LABELS, RDFS_LABEL, SLS, shorten
from kg.web.phrases import told
from kg.web.statements import Node

__all__ = ["Reader", "Statement"]

PARTS = ("report", "mention", "naming", "citation", "isnad", "claim", "time")
"""Kinds of things that lie in a passage and are named after it."""
_IN_ENGLISH = ("sls:why", "sls:method", "sls:licenceText", "sls:evidence", "sls:mode", "sls:modeByUsageOf", "dcterms:source")
"""Predicates of which the graph holds sentences in English."""
_FOLLOWED = ("http://", "https://")


@dataclass(frozen=True, slots=True)
class Statement:
    """One predicate with its objects, ready to be shown."""

    predicate: Markup
    values: list[Markup]


class Reader:
    """A description as one reader sees it. ``path`` makes the local address of a key (``/person/x``)."""

    def __init__(self, description: Description, describer: Describer, messages: Messages, path: Callable[[str], str]) -> None:
        self.d, self.describer, self.t, self.path = description, describer, messages, path
        self.language = messages.language
        self.base = describer.base
        self._named: dict[tuple[str, str], Text] = {}

    # what is said
    def string(self, subject: str, name: str) -> str:
        return self.d.string(subject, "sls:" + name)

    def strings(self, subject: str, name: str) -> list[str]:
        return [term.value for term in self.d.values(subject, "sls:" + name)]

    def number(self, subject: str, name: str) -> int | None:
        value = self.string(subject, name)
        return int(value) if value.lstrip("-").isdecimal() else None

    def decimal(self, subject: str, name: str) -> float | None:
        try:
            return float(self.string(subject, name))
        except ValueError:
            return None

    def links(self, subject: str, name: str) -> list[str]:
        return self.d.links(subject, "sls:" + name)

    def text(self, subject: str, name: str) -> Text | None:
        """The literal of a property in the reader's language."""
        return best(self.d.values(subject, "sls:" + name), self.language)

    def texts(self, subject: str, name: str) -> list[Text]:
        return [Text(t.value, t.language or "") for t in self.d.values(subject, "sls:" + name) if isinstance(t, Literal)]

    def told(self, words: str) -> Text:
        """A sentence that the graph holds in English, in the reader's language."""
        return told(words, self.language, self.describer.arabic_name)

    # how things are named
    def _labels(self, iri: str) -> list[Node]:
        found = [term for name in LABELS for term in self.d.values(iri, name)]
        return found or [quad.object for quad in self.describer.labels(iri)]

    def label(self, iri: str, language: str | None = None) -> Text:
        """What names a thing, else the last part of its IRI."""
        language = language or self.language
        found = self._named.get((iri, language))
        if found is None:
            found = self._counted(iri) or best(self._labels(iri), language) or self._composed(iri) or Text(self.tail(iri), "")
            self._named[iri, language] = found
        return found

    def _counted(self, iri: str) -> Text | None:
        """A group of parallel passages by their number, in the forms of the language."""
        number = self.describer.fact(iri, "passageCount") if self.kind(iri) == "parallel" else ""
        return Text(self.t.count("count.tellings", int(number)), self.language) if number.isdecimal() else None

    def other_names(self, iri: str) -> list[Text]:
        """Further names: those in Arabic letters, and in the reader's; a name's letters say what it is, not its tag."""
        names = []
        for term in self.d.values(iri, "skos:altLabel"):
            arabic = any("\u0600" <= letter <= "\u06ff" for letter in term.value)
            if arabic or self.language != "ar":
                names.append(Text(term.value, "ar" if arabic else "en"))
        return names

    def _composed(self, iri: str) -> Text | None:
        """A name for what bears none of its own: a part of a passage, a pair of teacher and student."""
        kind, *rest = self.key(iri).split("/") if iri.startswith(self.base) and "#" not in iri else ("",)
        if kind == "transmission" and len(rest) == 2:
            teacher, student = (best(self._labels(f"{self.base}person/{slug}"), self.language) or Text(slug) for slug in rest)
            return Text(f"{student} ← {teacher}", teacher.language)
        if kind in PARTS and len(rest) >= 2:
            found = (
                best(self._labels(f"{self.base}{passage}/{rest[0]}/{rest[1]}"), self.language)
                for passage in ("hadith", "passage")
            )
            passage = next(filter(None, found), None)
            word = self.t.get("kind." + kind, kind)
            return Text(f"{word}: {passage}", self.language) if passage else None
        return None

    def labels(self, iri: str) -> list[Text]:
        return [Text(t.value, t.language or "") for t in self.d.values(iri, RDFS_LABEL) if isinstance(t, Literal)]

    def arabic(self, iri: str) -> Text:
        return best(self._labels(iri), "ar") or Text(self.tail(iri), "")

    def tail(self, iri: str) -> str:
        if iri.startswith(self.base) and "#" not in iri:
            return iri.removeprefix(self.base)
        return iri.rpartition("#")[2].rpartition("/")[2] or iri

    def key(self, iri: str) -> str:
        return iri.removeprefix(self.base)

    def kind(self, iri: str) -> str:
        return kind_of(self.key(iri)) if iri.startswith(self.base) else ""

    # where they lead
    def href(self, iri: str) -> str | None:
        """The address a link to the IRI leads to: ours stay on this host; what is not http is not a link."""
        if iri.startswith(SLS):
            return self.path("ontology") + "#" + iri[len(SLS) :]
        if iri.startswith(self.base):
            return self.path(self.key(iri))
        return iri if iri.lower().startswith(_FOLLOWED) else None

    def link(self, iri: str, text: Text | str | None = None, *, css: str = "") -> Markup:
        """A link to a thing, under its label."""
        shown = Text(text) if isinstance(text, str) else text or self.label(iri)
        href = self.href(iri)
        if href is None:
            return Markup(f"<code>{escape(iri)}</code>")
        attributes = f' class="{css}"' if css else ""
        outside = ' rel="external noopener"' if href == iri else ""
        return Markup(f'<a href="{escape(href)}"{attributes}{outside}>{shown.__html__()}</a>')

    def shown(self, term: Node) -> Markup:
        """A literal with its language and direction, or a link."""
        if isinstance(term, NamedNode):
            return self.link(term.value)
        if isinstance(term, Literal):
            return Markup(Text(term.value, term.language or "").__html__())
        return Markup("<code>{}</code>").format(str(term))

    def according(self, term: Node) -> Markup:
        """Whom something is told by, as he is named after "according to"."""
        if self.language != "ar":
            return self.shown(term)
        if isinstance(term, NamedNode):
            name = self.label(term.value)
            return self.link(term.value, Text(genitive(str(name)), name.language))
        return (
            self.shown(Literal(genitive(term.value), language=term.language)) if isinstance(term, Literal) else self.shown(term)
        )

    def _term(self, predicate: str) -> Text | None:
        """What names a predicate of another vocabulary."""
        word = self.t.get("predicate." + shorten(predicate), "")
        return Text(word, self.language) if word else None

    def statements(self, subject: str, without: tuple[str, ...] = ()) -> list[Statement]:
        """Everything that is said of a subject, predicate by predicate."""
        rows = []
        for predicate, terms in sorted(self.d.index.get(subject, {}).items()):
            if shorten(predicate) in without:
                continue
            label = best([q.object for q in self.describer.labels(predicate)], self.language) or self._term(predicate)
            href = self.href(predicate) or predicate
            name = Markup('<a href="{}" title="{}">{}</a>').format(
                href, shorten(predicate), label or Text(shorten(predicate), "en")
            )
            told_in_english = shorten(predicate) in _IN_ENGLISH
            shown = [
                Markup(self.told(t.value).__html__()) if told_in_english and isinstance(t, Literal) else self.shown(t)
                for t in terms
            ]
            rows.append(Statement(name, shown))
        return rows
