"""Narrators named in chains, the chains, and the claims of who is who."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from kg.extract.record import Isnad, NarratorMention, Record
from kg.graph.passages import IN_PASSAGE, TYPE, quotation, spanned
from kg.graph.terms import Statements, Term, decimal, integer, name, text
from kg.graph.vocabulary import Vocabulary

__all__ = ["USUAL_METHOD", "claim_statements", "isnad_statements", "mention_statements", "place_in_chain", "term_key"]

USUAL_METHOD = "whole corpus"
"""How nearly all claims are made, by the pass over all records: said in the ontology, not a hundred thousand times."""

_MENTION, _ANONYMOUS, _COLLECTIVE = name("sls:NarratorMention"), name("sls:AnonymousMention"), name("sls:CollectiveMention")
_UNDECIDED = name("sls:UndecidedMention")
_TERM, _TERM_SURFACE, _TERM_START = name("sls:transmissionTerm"), name("sls:termSurface"), name("sls:termStart")
_RECEIVED_FROM, _REFERS_TO, _READ_AS = name("sls:receivedFrom"), name("sls:refersTo"), name("sls:readAs")
_KIN, _KIN_OF, _GLOSS = name("sls:kin"), name("sls:kinOf"), name("sls:gloss")
_ISNAD, _LENGTH, _LAST = name("sls:Isnad"), name("sls:length"), name("sls:last")
_ATTRIBUTION_BASIS = name("sls:attributionBasis")
_ATTRIBUTED_TO, _CONTINUITY, _POINTS_BACK = name("sls:attributedTo"), name("sls:continuity"), name("sls:pointsBack")
_MATN_START, _MATN_END, _GAP, _REACHES = (
    name("sls:matnStart"),
    name("sls:matnEnd"),
    name("sls:gap"),
    name("sls:reachesTermSurface"),
)
_CLAIM, _CLAIM_MENTION, _CLAIM_PERSON = name("sls:IdentityClaim"), name("sls:claimMention"), name("sls:claimPerson")
_CONFIDENCE, _STATUS, _METHOD, _WHY = name("sls:confidence"), name("sls:status"), name("sls:method"), name("sls:why")
_CLAIMED_BY, _YES = name("sls:claimedBy"), text("yes")
_LEVELS = {level: name(f"sls:{level}") for level in ("prophet", "companion", "successor", "divine")}
_STATUSES = {status: name(f"sls:{status}") for status in ("machine", "reviewed", "rejected")}


def place_in_chain(position: int) -> Term:
    """The property of the n-th place of a chain, from 1 (nearest the author): ``rdf:_1``, as in any RDF sequence."""
    return name(f"rdf:_{position}")


def term_key(concept: str) -> str:
    """The key of a transmission term."""
    return concept if concept.startswith("term/") else f"term/{concept}"


def mention_statements(
    words: Vocabulary,
    record: Record,
    mention: NarratorMention,
    keys: Sequence[str],
    passage: Term,
    person: str | None,
    open_: bool,
) -> Statements:
    """One narrator named in a chain; ``keys`` are those of all mentions of the passage, ``person`` the winner of the claims."""
    language = record.passage.language
    surface = quotation(mention.surface, open_)
    statements = spanned(_MENTION, passage, mention.start, mention.end, surface, language)
    if mention.anonymous:
        statements.append((TYPE, _ANONYMOUS))
    if mention.collective:
        statements.append((TYPE, _COLLECTIVE))
    if person is None and not mention.anonymous and not mention.collective:
        statements.append((TYPE, _UNDECIDED))
    term = mention.term
    if term is not None:
        if term.concept:
            statements.append((_TERM, words.remembered(term_key(term.concept))))
        statements.append((_TERM_SURFACE, text(term.text, language)))
        statements.append((_TERM_START, integer(term.start)))
    for index in mention.received_from:
        statements.append((_RECEIVED_FROM, words.term(keys[index])))
    if person is not None:
        statements.append((_REFERS_TO, words.remembered(person)))
    if mention.kin:
        statements.append((_KIN, text(mention.kin)))
    if mention.kin_of is not None:
        statements.append((_KIN_OF, words.term(keys[mention.kin_of])))
    for gloss in mention.gloss:
        statements.append((_GLOSS, text(quotation(gloss.text, open_), language)))
    if mention.read_as:
        statements.append((_READ_AS, text(mention.read_as, language)))
    return statements


def isnad_statements(words: Vocabulary, record: Record, isnad: Isnad, keys: Sequence[str], passage: Term) -> Statements:
    """One chain: its narrators in order (``rdf:_1`` is nearest the author), how far it reaches, the report it carries."""
    statements: Statements = [(TYPE, _ISNAD), (IN_PASSAGE, passage)]
    if isnad.path:
        statements.append((_LENGTH, integer(len(isnad.path))))
        for position, index in enumerate(isnad.path, 1):
            statements.append((place_in_chain(position), words.term(keys[index])))
        statements.append((_LAST, words.term(keys[isnad.path[-1]])))
    if isnad.attributed_to:
        statements.append((_ATTRIBUTED_TO, _LEVELS.get(isnad.attributed_to) or name(f"sls:{isnad.attributed_to}")))
    if isnad.attribution_basis not in (None, "words"):
        statements.append((_ATTRIBUTION_BASIS, text(str(isnad.attribution_basis))))
    if isnad.continuity:
        statements.append((_CONTINUITY, text(isnad.continuity)))
    if isnad.points_back:
        statements.append((_POINTS_BACK, text(isnad.points_back, record.passage.language)))
    if isnad.reaches_term is not None:
        statements.append((_REACHES, text(isnad.reaches_term.text, record.passage.language)))
    if isnad.gap:
        statements.append((_GAP, _YES))
    if isnad.matn:
        # A matn in pieces goes out as the stretch from its first letter to its last.
        statements.append((_MATN_START, integer(min(start for start, _ in isnad.matn))))
        statements.append((_MATN_END, integer(max(end for _, end in isnad.matn))))
    return statements


def claim_statements(
    words: Vocabulary, tail: str, record: Record, claims: Mapping[int, Sequence[Any]], keys: Sequence[str]
) -> Iterator[tuple[str, Statements]]:
    """Who a mention may be: each claim with its confidence, status, method and reason. Anonymous mentions have none."""
    for index, made in claims.items():
        mention = record.narrators[index]
        # Two claims of one person for one mention are one: the best, which comes first.
        for claim in {claim.person: claim for claim in reversed(made)}.values():
            key = f"claim/{tail}/{mention.start}-{mention.end}/{Vocabulary.slug(claim.person)}"
            statements: Statements = [
                (TYPE, _CLAIM),
                (_CLAIM_MENTION, words.term(keys[index])),
                (_CLAIM_PERSON, words.remembered(claim.person)),
                (_CONFIDENCE, decimal(round(claim.confidence, 3))),
                (_STATUS, _STATUSES.get(claim.status) or name(f"sls:{claim.status}")),
            ]
            if claim.method and claim.method != USUAL_METHOD:
                statements.append((_METHOD, text(claim.method)))
            if claim.why:
                statements.append((_WHY, text(claim.why)))
            said_by = getattr(claim, "by", None) or mention.claimed_by
            if said_by:
                statements.append((_CLAIMED_BY, text(said_by)))
            yield key, statements
