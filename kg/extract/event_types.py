"""Declared event types: entries of ``tables/event_types/*.toml`` read, checked and compiled to one matcher.

An entry says the class, the words that tell the event (patterns), who plays which part, and examples and counter-examples that are
run as tests. The pattern language (docs/adding-an-event-type.md):

    @ندم          any form of a verb of verbs.tsv, told as done (past); ``@ندم~`` also the present, ``@ندم+`` with a pronoun joined to it
    غار|الغار      one of these words
    ..  ...       up to three, up to seven words between
    {agent}       a person or group; ل{agent}, ب{agent} with that particle before the name
    {place}       a place
    {quran}       words of the Quran
    {price:2}     two words, kept as they stand
    word?         may be missing
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kg.extract.verbs import Conjugation
from kg.tables import TableError, read_toml, read_tsv
from kg.text import fold

__all__ = ["Element", "EventType", "Example", "Pattern", "TypeBook", "read_classes", "read_event_types"]

_TABLES = Path(__file__).parent / "tables"
_SOURCES = frozenset(
    {
        "subject",
        "object",
        "speaker",
        "addressee",
        "owner",
        "after",
        "he",
        "she",
        "before",
        "thing",
        "price",
        "teller",
        "protagonist",
        "two",
        "all",
        "to",
        "with",
        "from",
        "on",
        "for",
        "by",
        "about",
        "at",
    }
)
_FIELDS = frozenset(
    {
        "class",
        "patterns",
        "roles",
        "passive",
        "needs",
        "needs_any",
        "negated",
        "counted",
        "examples",
        "counter",
        "place",
        "without",
        "not_before",
        "not_after",
        "opens_speech",
        "real",
        "divine",
    }
)
_SLOT = re.compile(r"^(?P<particle>[لب]?)\{(?P<role>[a-z_]+)(?::(?P<words>\d))?\}$")


@dataclass(frozen=True, slots=True)
class Element:
    """One step of a pattern: ``kind`` is word, verb, gap, slot or span; ``words`` folded alternatives or the verb; ``length`` of a gap or span;
    ``mine`` those of the words that are a preposition as well, meant with the pronoun (عليّ)."""

    kind: str
    words: frozenset[str] = frozenset()
    role: str = ""
    length: int = 0
    optional: bool = False
    present: bool = False
    joined: bool = False
    upon_me: bool = False
    mine: frozenset[str] = frozenset()
    particle: str = ""


@dataclass(frozen=True, slots=True)
class Pattern:
    """The steps after the trigger, and the trigger."""

    trigger: Element
    rest: tuple[Element, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Example:
    """A text that must be read as the type, with the surfaces of its roles."""

    text: str
    roles: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class EventType:
    """An entry. ``roles`` maps a role to where its player stands (subject, object, to …); ``passive`` the same where the verb is passive;
    ``needs`` are roles without which nothing is reported; ``place`` is false where a place beside it is not where it happened;
    ``without`` are words that may not stand among the next five, ``not_before`` such that may not stand next,
    ``not_after`` such that may not stand before it;
    ``opens_speech`` wants the trigger to be the first word that somebody says; ``real`` that a condition
    told before it does not make it a supposition; ``divine`` that it may be told of God."""

    name: str
    patterns: tuple[Pattern, ...]
    roles: Mapping[str, str]
    passive: Mapping[str, str]
    needs: tuple[str, ...]
    needs_any: tuple[str, ...]
    negated: bool
    counted: bool
    place: bool
    without: frozenset[str]
    not_before: frozenset[str]
    not_after: frozenset[str]
    opens_speech: bool
    real: bool
    divine: bool
    examples: tuple[Example, ...]
    counter: tuple[str, ...]
    file: Path
    line: int


def read_classes(path: Path = _TABLES / "event_classes.tsv") -> dict[str, str]:
    """The classes of events, each with its parent.

    Raises:
        TableError: a parent is no class of the table.

    >>> read_classes()["Regret"]
    'Reparation'
    """
    rows = {row["class"]: (line, row["parent"]) for line, row in read_tsv(path, ("class", "parent", "label_ar", "label_en"))}
    for name, (line, parent) in rows.items():
        if parent != "Event" and parent not in rows:
            raise TableError(path, line, f"the parent {parent!r} of {name} is no class of this table: add it, or write Event")
    return {name: parent for name, (_, parent) in rows.items()}


def read_event_types(
    folder: Path = _TABLES / "event_types", classes: Mapping[str, str] | None = None, verbs: Iterable[str] | None = None
) -> tuple[EventType, ...]:
    """The entries of all files of a folder, in the order of their names.

    Raises:
        TableError: an entry lacks a field, names an unknown class, verb or role source, or its pattern cannot be read; with file and line.
    """
    classes = read_classes() if classes is None else classes
    known_verbs = Conjugation().verbs if verbs is None else set(verbs)
    types: list[EventType] = []
    for path in sorted(folder.glob("*.toml")):
        lines = [n for n, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1) if line.strip() == "[[type]]"]
        for line, entry in zip(lines, read_toml(path).get("type", []), strict=True):
            types.append(_entry(path, line, entry, classes, known_verbs))
    return tuple(types)


def _entry(path: Path, line: int, entry: dict[str, Any], classes: Mapping[str, str], verbs: set[str]) -> EventType:
    for name in ("class", "patterns"):
        if not entry.get(name):
            raise TableError(path, line, f"the entry lacks {name!r}: add it")
    unknown = sorted(set(entry) - _FIELDS)
    if unknown:
        at = _line_of(path, line, unknown[0])
        raise TableError(path, at, f"no field is called {unknown[0]!r}: use one of {', '.join(sorted(_FIELDS))}")
    if entry["class"] not in classes:
        raise TableError(
            path,
            _line_of(path, line, entry["class"]),
            f"{entry['class']!r} is no class of event_classes.tsv: add a row there, or correct the spelling",
        )
    roles = entry.get("roles", {})
    for role, source in (*roles.items(), *entry.get("passive", {}).items()):
        for part in source.split("|"):
            if part.partition(":")[0] not in _SOURCES or part.partition(":")[2] not in ("", "m", "f"):
                at = _line_of(path, line, source)
                raise TableError(path, at, f"the role {role} comes from {part!r}: use one of {', '.join(sorted(_SOURCES))}")
    patterns = tuple(_pattern(path, line, text, verbs) for text in entry["patterns"])
    slots = {element.role for pattern in patterns for element in pattern.rest if element.role}
    for role in (*entry.get("needs", ()), *entry.get("needs_any", ())):
        if role not in roles and role not in slots:
            raise TableError(
                path, line, f"the entry needs the role {role!r}, which no pattern and no role fills: add it to roles"
            )
    return EventType(
        name=entry["class"],
        patterns=patterns,
        roles=roles,
        passive=entry.get("passive", {}),
        needs=tuple(entry.get("needs", ())),
        needs_any=tuple(entry.get("needs_any", ())),
        negated=entry.get("negated", False),
        counted=entry.get("counted", False),
        place=entry.get("place", True),
        without=frozenset(fold(word) for word in entry.get("without", ())),
        not_before=frozenset(fold(word) for word in entry.get("not_before", ())),
        not_after=frozenset(fold(word) for word in entry.get("not_after", ())),
        opens_speech=entry.get("opens_speech", False),
        real=entry.get("real", False),
        divine=entry.get("divine", False),
        examples=tuple(Example(e["text"], {k: v for k, v in e.items() if k != "text"}) for e in entry.get("examples", ())),
        counter=tuple(entry.get("counter", ())),
        file=path,
        line=line,
    )


def _line_of(path: Path, line: int, text: str) -> int:
    """The line on which ``text`` stands, from the entry's own line on: where a mistake is to be mended."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return next((n for n in range(line, len(lines) + 1) if text in lines[n - 1]), line)


def _pattern(path: Path, line: int, text: str, verbs: set[str]) -> Pattern:
    elements = [_element(path, line, token, text, verbs) for token in text.split()]
    if not elements or elements[0].kind not in ("word", "verb") or elements[0].optional:
        raise TableError(
            path, _line_of(path, line, text), f"the pattern {text!r} must begin with a word or a verb (@…) that is not optional"
        )
    return Pattern(elements[0], tuple(elements[1:]), text)


def _element(path: Path, line: int, token: str, text: str, verbs: set[str]) -> Element:
    if token in ("..", "..."):
        return Element("gap", length=3 if token == ".." else 7)
    optional = token.endswith("?")
    token = token.rstrip("?")
    if token == "{quran}":
        return Element("quran", optional=optional)
    if token == "{place}":
        return Element("place", role="place", optional=optional)
    slot = _SLOT.match(token)
    if slot:
        length = int(slot["words"] or 0)
        return Element(
            "span" if length else "slot", role=slot["role"], length=length, optional=optional, particle=slot["particle"]
        )
    if "{" in token or "}" in token:
        raise TableError(path, _line_of(path, line, text), f"{token!r} in {text!r} is no slot: write {{role}} or {{role:2}}")
    if token.startswith("@"):
        present, joined = token.endswith("~"), token.endswith("+")
        names = [fold(name) for name in token.strip("@~+").split("|")]
        for name in names:
            if name not in verbs:
                raise TableError(
                    path,
                    _line_of(path, line, text),
                    f"the verb {name!r} of {text!r} is not in verbs.tsv: add a row there, or correct the spelling",
                )
        return Element("verb", frozenset(names), optional=optional, present=present, joined=joined)
    alternatives = token.split("|")
    upon_me = any(word in ("علي", "إلي") for word in alternatives)
    mine = frozenset(fold(word) for word in alternatives if word in ("عليّ", "إليّ"))
    return Element("word", frozenset(fold(word) for word in alternatives), optional=optional, upon_me=upon_me, mine=mine)


class TypeBook:
    """All patterns by what triggers them: a look-up a word, whatever the number of types."""

    def __init__(self, types: Iterable[EventType]) -> None:
        self.types = tuple(types)
        self.by_word: dict[str, list[tuple[EventType, Pattern]]] = {}
        self.by_verb: dict[str, list[tuple[EventType, Pattern]]] = {}
        for event_type in self.types:
            for pattern in event_type.patterns:
                if pattern.trigger.kind == "verb":
                    for verb in pattern.trigger.words:
                        self.by_verb.setdefault(verb, []).append((event_type, pattern))
                else:
                    for word in pattern.trigger.words:
                        for form in (word, f"و{word}", f"ف{word}"):
                            self.by_word.setdefault(form, []).append((event_type, pattern))
