"""Reading a query's tokens before it is run: what is refused, how deep it goes, whether it names a dataset.

The engine has no switch that turns ``SERVICE`` off, and it overflows its stack on deep nesting, so both are found here.
The tokens are those of the SPARQL grammar. One thing cannot be told without a parser: whether ``?a<?b#>`` goes on after the
``>`` or is less-than and a comment (the engine decides by context, against the grammar's rule of the longest token). Where that
is open and could hide something, the letters of SERVICE are refused wherever they stand.

The engine does not ask for spaces around keywords either (``trueSERVICE<urn:x>``, ``SERVICEe:x``): a word is taken to be a keyword when it
ends or begins with one.
"""

import re
from dataclasses import dataclass

from kg.store.errors import LimitReached, Position, QueryRefused, QuerySyntaxError, UpdateRefused
from kg.store.limits import LIMITS, Limits

__all__ = ["Inspection", "Token", "form_of", "inspect", "position_of", "tokens"]

_IRI_BODY = r"(?:[^<>\"{}|^`\\\x00-\x20]|\\[uU][0-9A-Fa-f]+)*>"
_LOCAL = r"(?:(?:[\w:%]|\\.)(?:(?:[\w:\u00b7%.-]|\\.)*(?:[\w:\u00b7%-]|\\.))?)?"
_TOKEN = re.compile(
    r"""
      (?P<space>    [\x20\t\r\n]+ | \#[^\r\n]* )
    | (?P<iri>      <IRI_BODY )
    | (?P<string>   \"{3}(?: \"{0,2}(?:[^"\\]|\\.) )*\"{3} | '{3}(?: '{0,2}(?:[^'\\]|\\.) )*'{3}
                  | "(?:[^"\\\r\n]|\\[^\r\n])*" | '(?:[^'\\\r\n]|\\[^\r\n])*' )
    | (?P<variable> [?$]\w[\w\u00b7\u0300-\u036f\u203f\u2040]* )
    | (?P<language> @[A-Za-z]+(?:-[A-Za-z0-9]+)*(?:--[A-Za-z]+)? )
    | (?P<run>      (?> [^\W\d](?:[\w\u00b7.-]*[\w\u00b7-])? ) (?: :LOCAL )? | :LOCAL )
    | (?P<number>   \d+(?:\.\d*)?(?:[eE][+-]?\d+)? )
    | (?P<escape>   \\. )
    | (?P<sign>     <<\((?!IRI_BODY) | <<(?!IRI_BODY) | \)>> | >> | \{\| | \|\} | \|\| | && | \^\^ | != | <= | >= | . )
    """.replace("IRI_BODY", _IRI_BODY).replace("LOCAL", _LOCAL),
    re.VERBOSE | re.DOTALL,
)
_WORD = re.compile(r"[^\W\d]\w*")
_SERVICE_ANYWHERE = re.compile(r"(?<![?$])SERVICE", re.IGNORECASE)
_ESCAPE = re.compile(r"\\u([0-9A-Fa-f]{4})|\\U([0-9A-Fa-f]{8})")

_UPDATES = frozenset({"INSERT", "DELETE", "LOAD", "CLEAR", "DROP", "CREATE", "ADD", "MOVE", "COPY", "WITH"})
_FORMS = frozenset({"SELECT", "ASK", "CONSTRUCT", "DESCRIBE"})
_CHANGING = frozenset({"RAND", "NOW", "UUID", "STRUUID", "BNODE"})
_OPENING = frozenset({"(", "{", "[", "<<", "<<(", "{|"})
_CLOSING = frozenset({")", "}", "]", ">>", ")>>", "|}"})
_ENDING = frozenset({")", "}", "]", ">>", ")>>"})
_PREFIXED = frozenset({"!", "-", "+", "^"})
_LOOKED_FOR = re.compile(rf"SERVICE|FROM|{'|'.join(sorted(_UPDATES | _CHANGING))}|\\[uU]", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Token:
    """One token of a query: what kind it is, its letters and where it starts."""

    kind: str
    text: str
    start: int


@dataclass(frozen=True, slots=True)
class Inspection:
    """What the tokens of an allowed query tell.

    ``names_dataset`` says that it has FROM or FROM NAMED; ``repeatable`` that the same data give the same answer (no RAND, NOW, UUID,
    BNODE).
    """

    names_dataset: bool
    repeatable: bool


_PLAIN = Inspection(names_dataset=False, repeatable=True)


def tokens(query: str) -> list[Token]:
    """The tokens of a query without spaces and comments.

    >>> [token.text for token in tokens("ASK { ?s <urn:p#SERVICE> 'SERVICE' } # SERVICE")]
    ['ASK', '{', '?s', '<urn:p#SERVICE>', "'SERVICE'", '}']
    """
    listed: list[Token] = []
    for found in _TOKEN.finditer(query):
        kind, text = found.lastgroup or "sign", found.group()
        if kind == "run" and ":" not in text:
            # dots and hyphens bind the parts of a prefix, not words: true.SERVICE is two
            listed += (Token("word", part.group(), found.start() + part.start()) for part in _WORD.finditer(text))
        elif kind != "space":
            listed.append(Token("name" if kind == "run" else kind, text, found.start()))
    return listed


def position_of(query: str, offset: int, token: str = "") -> Position:
    """Line and column (from 1) of an offset.

    >>> position_of("ASK\\n{ SERVICE", 6).column
    3
    """
    before = query[:offset]
    return Position(before.count("\n") + 1, offset - (before.rfind("\n") + 1) + 1, token)


def inspect(query: str, limits: Limits) -> Inspection:
    """What must be known of a query before it is run.

    >>> inspect("SELECT * FROM <urn:g> { ?s ?p ?o }", Limits()).names_dataset
    True

    Raises:
        LimitReached: the query is longer or nested deeper than the limits allow.
        UpdateRefused: it is an update.
        QueryRefused: it has SERVICE or LOAD, plainly or spelled with codepoint escapes.
    """
    if len(query) > limits.query_length:
        raise LimitReached(
            f"The query has {len(query):,} characters; {limits.query_length:,} are allowed.",
            remedy=LIMITS["query_length"].remedy,
            limit="query_length",
            value=limits.query_length,
        )
    if _is_plain(query, limits):
        return _PLAIN
    found = tokens(query)
    _measure_nesting(query, found, limits)
    words = _refuse(query, found)
    if _two_readings(found) and (clause := _SERVICE_ANYWHERE.search(query)):
        raise _other_server(query, Token("word", clause.group(), clause.start()))
    if "\\u" in query or "\\U" in query:
        spelled = _ESCAPE.sub(_character, query)
        _refuse(spelled, tokens(spelled))
    return Inspection("FROM" in words, _CHANGING.isdisjoint(words))


def form_of(query: str) -> str:
    """SELECT, ASK, CONSTRUCT or DESCRIBE; empty where there is none.

    >>> form_of("PREFIX ask: <urn:x> describe <urn:y>")
    'DESCRIBE'
    """
    words = (token.text.upper() for token in tokens(query) if token.kind == "word")
    return next((word for word in words if word in _FORMS), "")


def _is_plain(query: str, limits: Limits) -> bool:
    """Whether nothing that is looked for stands in the query, not even within a string or an IRI: its tokens need not be read."""
    return (
        _LOOKED_FOR.search(query) is None
        and sum(map(query.count, "({[<|")) <= limits.nesting
        and sum(map(query.count, "!-+^")) <= limits.nesting
    )


def _refuse(query: str, found: list[Token]) -> list[str]:
    """The words of a query in capitals, in order; refuses requests to other servers and updates."""
    words: list[str] = []
    verb = True  # no query form has been met yet
    for place, token in enumerate(found):
        prefix = token.text.upper().partition(":")[0] if token.kind == "name" else ""
        opens = place + 1 < len(found) and found[place + 1].text == "{"
        of_graph = place > 0 and found[place - 1].text.upper() == "GRAPH"
        if "SERVICE" in prefix and opens and not of_graph:  # SERVICEe:x { is read as SERVICE e:x { as well
            raise _other_server(query, token)
        if token.kind != "word":
            continue
        word = token.text.upper()
        words.append(word)
        if verb and word in _UPDATES:
            raise UpdateRefused(
                f"{word} is an update; only SELECT, ASK, CONSTRUCT and DESCRIBE are answered.",
                remedy="Take the dumps into a store of your own to change the data.",
                position=position_of(query, token.start, token.text),
            )
        if "SERVICE" in word or word == "LOAD":
            raise _other_server(query, token)
        verb = verb and word not in _FORMS
    return words


def _other_server(query: str, token: Token) -> QueryRefused:
    return QueryRefused(
        f"{'LOAD' if token.text.upper() == 'LOAD' else 'SERVICE'} is refused: a query is answered from this graph alone.",
        remedy="Ask the other server yourself, or call this one with SERVICE from a store of your own.",
        position=position_of(query, token.start, token.text),
    )


def _two_readings(found: list[Token]) -> bool:
    """Whether a ``<`` after an operand, in parentheses, may be less-than although it looks like an IRI that hides a quotation mark or comment."""
    depth = 0
    before: Token | None = None
    for token in found:
        if token.kind == "sign" and token.text in ("(", "<<("):
            depth += 1
        elif token.kind == "sign" and token.text in (")", ")>>"):
            depth -= 1
        elif token.kind == "iri" and depth > 0 and before is not None and ("#" in token.text or "'" in token.text):
            operand = before.kind != "sign" or before.text in _ENDING
            if operand:
                return True
        before = token
    return False


def _measure_nesting(query: str, found: list[Token], limits: Limits) -> None:
    depth = run = 0
    for token in found:
        if token.kind != "sign":
            run = 0
            continue
        if token.text in _OPENING:
            depth += 1
        elif token.text in _CLOSING:
            depth -= 1
        run = run + 1 if token.text in _PREFIXED else 0
        if depth > limits.nesting or run > limits.nesting:
            seen = "brackets inside one another" if depth > limits.nesting else f"signs {token.text!r} in a row"
            raise LimitReached(
                f"More than {limits.nesting} {seen}.",
                remedy=LIMITS["nesting"].remedy,
                limit="nesting",
                value=limits.nesting,
                position=position_of(query, token.start, token.text),
            )


def _character(found: re.Match[str]) -> str:
    code = int(found[1] or found[2], 16)
    if code > 0x10FFFF or 0xD800 <= code <= 0xDFFF:
        raise QuerySyntaxError(
            f"{found[0]} is not a character of Unicode.",
            remedy="Write the character itself; surrogates and numbers over 10FFFF are no characters.",
            position=position_of(found.string, found.start(), found[0]),
        )
    return chr(code)
