"""Who cites the Quran within a report: the Prophet, a Companion or a Successor, from who speaks and who recites there.

``quran_speaker`` reads names that stand at the formula; here the frame of the report decides: he who recites is the doer of the
verb (ثم قرأ), he who argues with a verse is the speaker of the speech in which it stands, and outside speech the teller, the last
narrator of the chain. Upon what occasion a verse came down the teller says, not the Prophet. Where the speaker is none of these
or the text leaves him open, nothing is said.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace

from kg.extract.participants import Participant
from kg.extract.record import Citation, Isnad
from kg.extract.scene import Scene
from kg.text import Words, fold

__all__ = ["Citers"]

_PROPHET = "person/muhammad"
_NAMED_BEFORE = 8
"""Words (an honorific among them) between a name and the formula it belongs to."""
_RECITES = frozenset(
    before + word
    for before in ("", "و", "ف")
    for word in fold("قرأ قرأت يقرأ تقرأ قرأها يقرؤها تلا تلت يتلو تلاها قرأهما يتلوها").split()
)
_SAYS = frozenset(before + word for before in ("", "و", "ف") for word in fold("قال قالت يقول تقول قلت").split())
_I_SAID = frozenset(("قلت", "فقلت", "وقلت"))
_OF_GOD = frozenset(fold("الله ربه ربك ربكم ربنا تعالى عز").split())
_SUPPOSED = frozenset(fold("من إذا لو الذي التي أن لم لا").split())
"""Words before a verb of reciting or saying that make it a case supposed, denied or told of: من قرأ."""
_EXCEPT = frozenset(fold("إلا غير نحو مثل عند في").split())
_THAT_IS = frozenset(("ذلك", "هو"))
"""How an explanation begins: فذلك قوله, وهو قوله."""
_NEAR = 3
_SERIES = 40
_TO = frozenset(("الي", "حتي"))
_ELIDED = 60
_MARKS = 5
"""Letters before a report among which its quotation mark is looked for."""


@dataclass(frozen=True, slots=True)
class _Citer:
    """Who cites: ``prophet``, ``companion`` or ``successor``, and his key where the passage names him as one person."""

    rank: str
    person: str | None = None


_THE_PROPHET = _Citer("prophet", _PROPHET)


class Citers:
    """Says who cites; made once with the rank (``companion``, ``successor``) of each person by key and of names in chains."""

    def __init__(self, ranks: Mapping[str, str], names: Mapping[tuple[str, ...], str]) -> None:
        self.ranks, self.names = ranks, names

    def named(
        self,
        words: Words,
        citations: Sequence[Citation],
        isnads: Sequence[Isnad],
        scene: Scene,
        quoted: Set[int],
    ) -> tuple[Citation, ...]:
        """The citations with who cites, where that was not yet read; the rest of each is unchanged. ``quoted`` are the
        words that are the Quran's, ``scene`` was read without them."""
        chained = [span for isnad in isnads for span in isnad.segments]
        told = [span for isnad in isnads for span in isnad.matn]
        alone = len(isnads) == 1 and isnads[0].points_back is None
        found: list[Citation] = []
        for citation in citations:
            matn = max((start for start, end in told if start <= citation.start < end), default=None)
            in_chain = any(start <= citation.start < end for start, end in chained)
            if citation.cited_by is None and matn is not None and not in_chain and citation.use != "sura-named":
                before = found[-1] if found else None
                if _goes_on(words, citation, before):
                    citation = _cited_as(citation, before)
                else:
                    who = self._who(words, citation, scene, quoted, matn)
                    if (
                        who is not None
                        and who.rank == "successor"
                        and not alone
                        and who == self._rank(scene.teller(words.at(matn)))
                    ):
                        who = None  # a narrator of several chains, through whom a Companion may speak
                    if who is not None:
                        citation = replace(citation, cited_by=who.rank, cited_by_person=who.person)
            elif citation.cited_by is not None and citation.introduced_by is not None:
                citation = replace(citation, cited_by_person=self._named(words, citation, scene))
            found.append(citation)
        return tuple(found)

    def _named(self, words: Words, citation: Citation, scene: Scene) -> str | None:
        """The person whose name at the formula told the rank: within the formula, right after it, or the last one before it."""
        assert citation.introduced_by is not None
        first, last = words.at(citation.introduced_by[0]), words.at(citation.introduced_by[1] - 1)
        near = [scene.cast.at[i] for i in range(first, last + 2) if i in scene.cast.at]
        near += [who for who in scene.cast.before(first) if first - who.after <= _NAMED_BEFORE][:1]
        return next((who.key for who in near if who.key and not who.members and self._rank_of(who) == citation.cited_by), None)

    def _who(self, words: Words, citation: Citation, scene: Scene, quoted: Set[int], matn: int) -> _Citer | None:
        folded, first = words.folded, words.at(citation.start)
        if citation.introduced_by is None:
            return _THE_PROPHET if self._in_his_words(words, citation, scene, matn) else self._unintroduced(first, scene, quoted)
        begins = max(words.at(citation.introduced_by[0]), min(words.at(matn), first))
        after = words.at(citation.introduced_by[1] - 1) + 1
        if citation.use == "recitation":
            verb = next((i for i in range(begins, after) if folded[i] in _RECITES), None)
            return self._doer(scene, verb) if verb is not None else None
        if begins and folded[begins - 1] in _EXCEPT:
            return None
        verb = next((i for i in range(begins - 1, max(-1, begins - 1 - _NEAR), -1) if folded[i] in _RECITES), None)
        if citation.use is None and verb is not None:
            return self._doer(scene, verb)  # قرأ علي الآية
        speech = scene.speech[begins]
        teller = self._rank(scene.teller(begins))
        if citation.use == "occasion":
            speaker = self._rank(speech.speaker) if speech is not None else teller
            speaker = teller if _is_prophet(speaker) else speaker
            return None if _is_prophet(speaker) else speaker
        if folded[begins] in _SAYS and begins + 1 < len(folded) and folded[begins + 1] not in _OF_GOD:
            if _OF_GOD.intersection(folded[max(0, begins - _NEAR) : begins]):
                return None  # خيرني الله فقال: God speaks, whoever tells it
            return self._doer(scene, begins) if folded[begins] not in _I_SAID else None
        if speech is None:
            return _THE_PROPHET if self._in_his_words(words, citation, scene, matn) else teller
        if folded[begins].removeprefix("ف").removeprefix("و") in _THAT_IS and not speech.quoted:
            return teller  # whoever tells it explains it
        speaker = self._rank(speech.speaker)
        if folded[speech.first - 1] in _I_SAID and (_is_prophet(speaker) or not _is_prophet(self._rank(speech.addressee))):
            return None  # who says "I said" may be any narrator of the chain
        return speaker

    def _in_his_words(self, words: Words, citation: Citation, scene: Scene, matn: int) -> bool:
        """Whether the quotation marks that open the report are the Prophet's and still open at the citation."""
        named = words.folded[words.at(matn)] in ("رسول", "النبي", "نبي")
        his = named or _is_prophet(self._rank(scene.teller(words.at(citation.start))))
        return his and _in_first_quotation(words.text[max(0, matn - _MARKS) : citation.start])

    def _doer(self, scene: Scene, verb: int) -> _Citer | None:
        """Who recites or says, where the verb's doer is also the one last named, or goes on from his own quoted speech."""
        doer = scene.subjects.get(verb)
        before = scene.words.folded[max(0, verb - _NEAR) : verb]
        if doer is None or (before[-1:] and before[-1] in _SUPPOSED) or "لم" in before or "احدا" in before:
            return None
        speech = scene.speech[verb - 1] if verb else None
        if speech is not None and not speech.quoted and speech.speaker is not None and not speech.speaker.same(doer):
            return None  # the words before may still be another's
        last = next((p for p in scene.cast.before(verb) if not p.members and p.who == doer.who), None)
        named_after = doer.first > verb
        spoke = any(s is not None and s.quoted and doer.same(s.speaker) for s in scene.speech[max(0, verb - _NEAR) : verb])
        return self._rank(doer) if named_after or spoke or doer.same(last) else None

    def _unintroduced(self, first: int, scene: Scene, quoted: Set[int]) -> _Citer | None:
        """Words that nothing introduces are the Prophet's where they stand within his quotation marks; whose they are else, is open."""
        before = first - 1
        while before > 0 and before in quoted:
            before -= 1
        speech = scene.speech[before] if first - before <= _SERIES and before >= 0 else None
        who = self._rank(speech.speaker) if speech is not None and speech.quoted else None
        return who if _is_prophet(who) else None

    def _rank(self, participant: Participant | None) -> _Citer | None:
        if participant is None or participant.members:
            return None
        rank = self._rank_of(participant)
        return _Citer(rank, participant.key) if rank else None

    def _rank_of(self, participant: Participant) -> str | None:
        if participant.key == _PROPHET:
            return "prophet"
        if participant.key is not None:
            return self.ranks.get(participant.key)
        return self.names.get(tuple(fold(participant.surface).split()))


def _is_prophet(citer: _Citer | None) -> bool:
    return citer is not None and citer.rank == "prophet"


def _cited_as(citation: Citation, before: Citation | None) -> Citation:
    """A citation with who cites the one before it."""
    if before is None:
        return citation
    return replace(citation, cited_by=before.cited_by, cited_by_person=before.cited_by_person)


def _goes_on(words: Words, citation: Citation, before: Citation | None) -> bool:
    """Whether a formula goes on from the citation before it, so that whoever cites the one cites the other: … إلى قوله …; … الآية، وقال …"""
    if citation.introduced_by is None:
        return False
    begins = words.at(citation.introduced_by[0])
    if words.folded[begins] in _TO:
        return before is None or begins - words.at(before.end - 1) <= _ELIDED
    and_said = words.folded[begins] in ("وقال", "وقالت", "ويقول")
    return and_said and before is not None and 0 < begins - words.at(before.end - 1) <= _NEAR


def _in_first_quotation(text: str) -> bool:
    """Whether the quotation marks that open a report are still open at the end of ``text``: it is the words of whom the chain ends in."""
    return (text.count('"') == 1) or (text.count("«") == 1 and "»" not in text) or (text.count("“") == 1 and "”" not in text)
