"""Choosing the representation a client prefers: the Accept header of RFC 9110, section 12.5.1, over tables of media types.

What clients really send is wider than the RFC: old names of media types, parameters nobody defined, members that cannot be
read. Old names lead to today's type, which is what is sent; a member that cannot be read is passed over.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from kg.store.formats import GRAPH_FORMATS, RESULT_FORMATS, Format

__all__ = [
    "DOCUMENTS",
    "GRAPHS",
    "HTML",
    "PROBLEMS",
    "RESULTS",
    "MediaRange",
    "Offer",
    "by_name",
    "choose",
    "choose_language",
    "parse_accept",
]


@dataclass(frozen=True, slots=True)
class Offer:
    """One representation there is: ``name`` for programs and ``?format=``, the registered type that is sent, older names of it."""

    name: str
    media_type: str
    aliases: tuple[str, ...] = ()
    names: tuple[str, ...] = ()

    @property
    def content_type(self) -> str:
        """As a Content-Type header; text is UTF-8 and says so."""
        return f"{self.media_type}; charset=utf-8" if self.media_type.startswith("text/") else self.media_type


@dataclass(frozen=True, slots=True)
class MediaRange:
    """One member of an Accept header: ``text/turtle;q=0.8``."""

    type: str
    subtype: str
    parameters: tuple[tuple[str, str], ...] = ()
    quality: float = 1.0


# media type sent by the store -> (older or looser names met in Accept headers, other names met in ?format=)
_OTHER_NAMES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "json": (("application/json", "text/json", "application/sparql-results-json"), ("srj", "sparql-results+json")),
    "xml": (("application/xml", "text/xml", "application/sparql-result+xml"), ("srx", "sparql-results+xml")),
    "csv": (("application/csv",), ()),
    "tsv": (("text/tsv",), ("text/tab-separated-values",)),
    "turtle": (("application/x-turtle", "application/turtle", "text/n3", "text/rdf+n3", "application/n3"), ("ttl", "n3")),
    "jsonld": (("application/json", "application/x-json+ld"), ("json-ld", "json")),
    "ntriples": (("text/plain", "text/ntriples", "application/ntriples", "text/nt"), ("nt", "n-triples")),
    "rdfxml": (("application/xml", "text/xml", "application/rdf"), ("rdf", "rdf+xml", "rdf-xml", "xml")),
    "trig": (("application/x-trig",), ()),
    "nquads": (("text/x-nquads", "text/nquads"), ("nq", "n-quads")),
}


def _offers(formats: dict[str, Format]) -> tuple[Offer, ...]:
    return tuple(Offer(name, format.media_type, *_OTHER_NAMES[name]) for name, format in formats.items())


# Names of a family: they lead to a member of it, but give way to a name of its own that is accepted as gladly.
_GENERIC_NAMES = frozenset({"application/json", "text/json", "application/xml", "text/xml", "text/plain"})

HTML = Offer("html", "text/html", ("application/xhtml+xml",))

RESULTS: tuple[Offer, ...] = _offers(RESULT_FORMATS)
"""Answers of SELECT and ASK, in the server's order of preference."""

GRAPHS: tuple[Offer, ...] = _offers(GRAPH_FORMATS)
"""Answers of CONSTRUCT and DESCRIBE, the service description."""

DOCUMENTS: tuple[Offer, ...] = (HTML, *(offer for offer in GRAPHS if offer.name in ("turtle", "jsonld", "ntriples", "rdfxml")))
"""Documents of things."""

PROBLEMS: tuple[Offer, ...] = (
    Offer("json", "application/problem+json", ("application/json",)),
    HTML,
    Offer("text", "text/plain"),
)
"""Errors."""

# Parameters that say nothing against what is sent: every text is UTF-8, CSV has its header, SPARQL 1.1 and 1.2 are answered alike.
_NEUTRAL = {
    "charset": re.compile(r"utf-?8|\*", re.IGNORECASE),
    "version": re.compile(r"1\.[012](-basic)?"),
    "header": re.compile(r"present", re.IGNORECASE),
    "profile": re.compile(r".*"),
}
_TOKEN = r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+"
_RANGE = re.compile(rf"\s*(?:({_TOKEN})/({_TOKEN})|\*)\s*")  # a bare * is sent by java.net.HttpURLConnection
_PARAMETER = re.compile(rf';\s*(?:({_TOKEN})\s*=\s*(?:"((?:[^"\\]|\\.)*)"|({_TOKEN}(?:[/:]{_TOKEN})*))\s*)?')
_QUALITY = re.compile(r"(?:0(?:\.\d*)?|1(?:\.0*)?|\.\d+)")
_MOST_MEMBERS = 100


def parse_accept(header: str) -> list[MediaRange]:
    """The members of an Accept header that can be read, in their order.

    >>> parse_accept("text/turtle;q=0.5, nonsense, */*;q=x, text/csv")
    [MediaRange(type='text', subtype='turtle', parameters=(), quality=0.5), MediaRange(type='text', subtype='csv', parameters=(), quality=1.0)]
    """
    ranges = []
    for member in _members(header):
        found = _RANGE.match(member)
        if found is None or (found[1] == "*" and found[2] not in (None, "*")):
            continue
        quality: float | None = 1.0
        parameters = []
        at = found.end()
        while at < len(member):
            parameter = _PARAMETER.match(member, at)
            if parameter is None:
                quality = None
                break
            at = parameter.end()
            if parameter[1] is None:
                continue
            name = parameter[1].lower()
            value = parameter[3] if parameter[3] is not None else re.sub(r"\\(.)", r"\1", parameter[2])
            if name == "q":
                quality = float(value) if _QUALITY.fullmatch(value) else None
                break  # what follows q are extensions of Accept, not of the type
            parameters.append((name, value))
        if quality is not None:
            ranges.append(MediaRange((found[1] or "*").lower(), (found[2] or "*").lower(), tuple(parameters), quality))
    return ranges


def choose(header: str | None, offers: Sequence[Offer]) -> Offer | None:
    """The offer a client prefers; None where nothing there is suits it.

    Of equal quality, what the client names stands before what a family's name or a wildcard covers, the earlier named before the later, then
    the server's order.
    A header that is absent, empty or unreadable accepts everything.

    >>> choose("application/sparql-results+xml;q=0.9, application/sparql-results+json;q=0.1", RESULTS).name
    'xml'
    >>> choose("image/png", RESULTS) is None
    True
    """
    return _choose(header or "", tuple(offers))


@lru_cache(maxsize=1024)  # clients send the same few headers again and again
def _choose(header: str, offers: tuple[Offer, ...]) -> Offer | None:
    ranges = parse_accept(header)
    if not ranges:
        return offers[0]
    for strict in (True, False):
        ranked = []
        for order, offer in enumerate(offers):
            quality, names, place = _quality(ranges, offer, strict)
            if quality > 0:
                ranked.append((-quality, -names, place, order, offer))
        if ranked:
            return min(ranked, key=lambda rank: rank[:4])[4]
    return None


def by_name(name: str, offers: Sequence[Offer]) -> Offer | None:
    """The offer that ``?format=`` names, by a short name or a media type.

    >>> by_name("ttl", GRAPHS).media_type
    'text/turtle'
    """
    name = name.strip().lower().replace(" ", "+")  # an unescaped + of a media type
    for offer in offers:
        if name in (offer.name, offer.media_type):
            return offer
    return next((offer for offer in offers if name in offer.names or name in offer.aliases), None)


def choose_language(header: str | None, languages: Sequence[str]) -> str:
    """The language a reader prefers (RFC 4647 lookup); the first of ``languages`` where none suits.

    >>> choose_language("en-GB;q=0.8, ar;q=0.3", ["ar", "en"])
    'en'
    """
    best, best_quality = languages[0], 0.0
    for member in _members(header or ""):
        tag, _, rest = member.partition(";")
        found = re.fullmatch(r"\s*q\s*=\s*(\S+)\s*", rest, re.IGNORECASE) if rest.strip() else None
        if rest.strip() and (found is None or not _QUALITY.fullmatch(found[1])):
            continue
        quality = float(found[1]) if found else 1.0
        primary = tag.strip().lower().split("-")[0]
        for language in languages:
            if primary in (language, "*") and quality > best_quality:
                best, best_quality = language, quality
                break
    return best


def _members(header: str) -> list[str]:
    """The comma-separated members; a comma within quotation marks is part of a value."""
    return [found for found in re.findall(r'(?:[^,"]|"(?:[^"\\]|\\.)*"|")+', header)[:_MOST_MEMBERS] if found.strip()]


def _quality(ranges: Sequence[MediaRange], offer: Offer, strict: bool) -> tuple[float, int, int]:
    """Quality of an offer, how specific the range is that gives it, and that range's place.

    The most specific range decides (RFC 9110); an offer's own name and its older names are one for this, and the kinder of them counts.
    """
    best: dict[int, tuple[int, float, int]] = {}  # how specific -> parameters, quality, place
    for place, accepted in enumerate(ranges):
        specific = _specific(accepted, offer)
        if specific and (not strict or _fits(accepted.parameters)):
            rank = (len(accepted.parameters), accepted.quality, -place)
            best[specific] = max(best.get(specific, rank), rank)
    if not best or (_OWN in best and best[_OWN][1] == 0):
        return 0.0, 0, 0
    specific = max(best)
    if specific == _OWN and _OLDER in best and best[_OLDER][1] > best[_OWN][1]:
        specific = _OLDER
    return best[specific][1], specific, -best[specific][2]


_OWN, _OLDER, _GENERIC, _TYPE, _ANY = 5, 4, 3, 2, 1


def _specific(accepted: MediaRange, offer: Offer) -> int:
    """How closely a range names an offer; 0 for not at all."""
    name = f"{accepted.type}/{accepted.subtype}"
    if name == offer.media_type:
        return _OWN
    if name in offer.aliases:
        return _GENERIC if name in _GENERIC_NAMES else _OLDER
    if accepted.subtype == "*":
        return _ANY if accepted.type == "*" else _TYPE if offer.media_type.startswith(f"{accepted.type}/") else 0
    return 0


def _fits(parameters: Sequence[tuple[str, str]]) -> bool:
    return all(name in _NEUTRAL and _NEUTRAL[name].fullmatch(value) for name, value in parameters)
