"""The two languages of the pages, and literals as they are shown: each with its language and direction."""

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from flask import Request
from markupsafe import Markup, escape
from pyoxigraph import Literal, NamedNode

from kg.web.negotiation import choose_language

__all__ = ["LANGUAGES", "Messages", "Text", "asked_language", "best", "direction", "genitive", "messages"]

LANGUAGES = ("en", "ar")
"""The languages of the interface; the first is the one for readers who ask for neither."""

_RIGHT_TO_LEFT = {"ar", "fa", "he", "ur", "ps", "ckb", "ug", "yi", "dv", "syr"}
_LEFT_SCRIPTS = {"latn", "cyrl"}
PREFERENCE = {
    "ar": ("ar", "ar-latn", "en", "", "mul"),
    "en": ("en", "ar-latn", "", "mul", "ar"),
}


@cache
def direction(tag: str) -> str:
    """``rtl``, ``ltr`` or, without a tag, ``auto``.

    >>> direction("ar"), direction("ar-Latn"), direction("en"), direction("")
    ('rtl', 'ltr', 'ltr', 'auto')
    """
    if not tag:
        return "auto"
    primary, *rest = tag.lower().split("-")
    return "rtl" if primary in _RIGHT_TO_LEFT and not _LEFT_SCRIPTS & set(rest) else "ltr"


@dataclass(frozen=True, slots=True)
class Text:
    """Letters with the tag of their language; in a page a ``bdi`` element with ``lang`` and ``dir``."""

    value: str
    language: str = ""

    def __str__(self) -> str:
        return self.value

    def __bool__(self) -> bool:
        return bool(self.value)

    def __html__(self) -> Markup:
        tag = escape(self.language) if self.language else "und"
        return Markup(f'<bdi lang="{tag}" dir="{direction(self.language)}">{escape(self.value)}</bdi>')

    @property
    def direction(self) -> str:
        return direction(self.language)


def best(terms: Iterable[Literal | NamedNode], language: str) -> Text | None:
    """Of several labels the one that serves a reader of ``language``; never none because of a tag."""
    order = PREFERENCE[language]
    found: Text | None = None
    rank = len(order) + 1
    for term in terms:
        if not isinstance(term, Literal):
            continue
        tag = (term.language or "").lower()
        here = order.index(tag) if tag in order else len(order)
        if here < rank:
            found, rank = Text(term.value, term.language or ""), here
    return found


_GENITIVE = {"أبو": "أبي", "ذو": "ذي", "أخو": "أخي"}


def genitive(name: str) -> str:
    """An Arabic name as it stands after a preposition or a noun: the first word's case where letters show it.

    >>> genitive("أبو إدريس الخولاني"), genitive("ابن أبي مليكة"), genitive("أبوه")
    ('أبي إدريس الخولاني', 'ابن أبي مليكة', 'أبوه')
    """
    first, space, rest = name.partition(" ")
    return _GENITIVE.get(first, first) + space + rest if space else name


class Messages:
    """The words of the interface in one language, from ``i18n/<language>.toml``; a key that is missing is an error.

    >>> messages("en")("person.teachers")
    'Teachers'
    """

    def __init__(self, language: str) -> None:
        path = Path(__file__).parent / "i18n" / f"{language}.toml"
        self.language = language
        self.direction = direction(language)
        self._words: dict[str, str] = {}
        for section, words in tomllib.loads(path.read_text(encoding="utf-8")).items():
            self._words.update({f"{section}.{name}": word for name, word in words.items()})

    def __call__(self, key: str, **values: object) -> str:
        word = self._words[key]
        return Markup(word).format(**{k: escape(v) for k, v in values.items()}) if values else word

    def get(self, key: str, otherwise: str) -> str:
        """The word for a key that data may bring: a role, a kind of place."""
        return self._words.get(key, otherwise)

    @property
    def comma(self) -> str:
        """What stands between the members of a list."""
        return "، " if self.language == "ar" else ", "

    def keys(self) -> set[str]:
        return set(self._words)

    def count(self, key: str, number: int) -> str:
        """A counted noun: ``key.one``, ``key.two``, ``key.few`` (3-10) and ``key.many``, where the language has them.

        >>> messages("ar").count("count.reports", 2), messages("ar").count("count.reports", 5), messages("en").count("count.reports", 1)
        ('روايتان', '5 روايات', '1 report')
        """
        form = "one" if number == 1 else "two" if number == 2 else "few" if 3 <= number % 100 <= 10 else "many"
        word = self._words.get(f"{key}_{form}") or self._words[f"{key}_many"]
        return word.replace("{n}", f"{number:,}")


@cache
def messages(language: str) -> Messages:
    return Messages(language)


def asked_language(request: Request) -> str:
    """The language of a page: ``?lang=``, else the one chosen before (cookie), else ``Accept-Language``."""
    for choice in (request.args.get("lang"), request.cookies.get("lang")):
        if choice in LANGUAGES:
            return choice
    return choose_language(request.headers.get("Accept-Language"), LANGUAGES)
