"""What is read of a passage before its events: who is who at each word."""

from bisect import bisect_right
from collections.abc import Sequence, Set
from dataclasses import dataclass

from kg.extract.participants import Cast, Participant, prophet_honoured
from kg.extract.verbs import Conjugation, Form
from kg.text import Words

__all__ = ["Scene", "Speech", "Teller", "agrees", "joined"]


_NEAR_TWO = 30  # words over which a dual reaches back
_ENTRY = frozenset({"الصحابي", "الصحابيه", "التابعي", "مذكور", "المذكور", "مذكوره", "رضي", "بن", "بنت"})
_NO_ENTRY = frozenset(
    {"قوله", "قولهم", "حديث", "في", "امراه", "رجل", "الرجل", "الجاريه", "زوج", "بنت", "ابنا", "ابنه", "هذا", "قول"}
)
_GOVERNING = frozenset({"عهد", "بيت", "مسجد", "زمن", "زمان", "اصحاب", "عند", "ازواج", "زوج", "مولي", "ابن", "بن", "حديث", "امر"})
_MEMORY = 80  # words over which a pronoun reaches back


@dataclass(slots=True)
class Speech:
    """A stretch of direct speech: whose, and to whom."""

    speaker: Participant | None
    addressee: Participant | None
    first: int
    quoted: bool = False
    personal: bool = False  # the speaker tells of himself in it


@dataclass(frozen=True, slots=True)
class Teller:
    """From word ``first`` on a story is told by ``who`` (the last narrator of the chain before it); ``quotes`` is the Prophet,
    where the report opens with his own words (عن أبي هريرة قال قال النبي …), ``of`` the Prophet where it goes back to him."""

    first: int
    who: Participant | None
    quotes: Participant | None = None
    of: Participant | None = None


class Scene:
    """The readings of a passage that roles are taken from, word by word."""

    def __init__(
        self, words: Words, cast: Cast, tellers: Sequence[Teller], conjugation: Conjugation, transmitters: Set[str] = frozenset()
    ) -> None:
        self.words, self.cast, self.tellers, self.conjugation = words, cast, tellers, conjugation
        self._tellings = [teller.first for teller in tellers]
        self.speech: list[Speech | None] = [None] * len(words)
        self.forms: dict[int, tuple[Form, ...]] = {}
        self.subjects: dict[int, Participant | None] = {}
        self.previous: dict[int, Participant | None] = {}
        self.transmitters = transmitters  # keys of men too late to act in the stories they tell
        self.protagonist = _protagonist(cast)
        self.headword = _headword(words, cast) if not tellers else None
        self.honouring: set[int] = set()
        self.unclear: set[int] = set()  # verbs whose letters are both "I" and "she" did
        self.first_person: set[int] = set()  # tellers (by first word) who say I
        self.aside = _aside(words)
        self.on_me = {
            i
            for i, word in enumerate(words.folded)
            if word in ("علي", "الي") and i not in cast.covered and _is_on_me(words.surface(i, i + 1))
        }
        self.places: dict[int, int] = {}
        self.quran: Set[int] = frozenset()
        self.narrators: dict[int, Participant] = {}  # narrators of the chains by their first words
        self.pair: Participant | None = None  # the two who were last spoken of together (أنت ورسول الله)
        self.running: dict[int, Participant | None] = {}  # whom the story is at, before each verb

    def telling(self, i: int) -> int:
        """The first word of the report in which word ``i`` stands; -1 before the first report."""
        n = bisect_right(self._tellings, i)
        return self._tellings[n - 1] if n else -1

    def teller(self, i: int) -> Participant | None:
        """The narrator in whose report word ``i`` stands."""
        n = bisect_right(self._tellings, i)
        return self.tellers[n - 1].who if n else None

    def opened_by(self, i: int) -> Participant | None:
        """Whom 'that he' means where a report begins with it: عن جابر أنه سمع, عن النبي أنه نهى."""
        n = bisect_right(self._tellings, i)
        if not n or i - self.tellers[n - 1].first > 3:
            return None
        return self.tellers[n - 1].of or self.tellers[n - 1].who

    def speaker(self, i: int) -> Participant | None:
        """Who says 'I' at word ``i``."""
        speech = self.speech[i]
        return speech.speaker if speech is not None and speech.speaker is not None else self.teller(i)

    def addressee(self, i: int) -> Participant | None:
        """Whom 'you' means at word ``i``."""
        speech = self.speech[i]
        return speech.addressee if speech is not None else None

    def pronoun(self, i: int, who: str, other_than: Participant | None = None) -> Participant | None:
        """Whom a pronoun at word ``i`` means: speaker, addressee, or the last person named who fits and is not ``other_than``."""
        if who.startswith("1"):
            return self.speaker(i)
        if who == "3ms":
            prophet = prophet_honoured(self.words, i)
            if prophet is not None:
                return prophet
        if who == "2d" and self.pair is not None:
            return self.pair
        if who.startswith("2"):
            one = self.addressee(i)
            return None if who == "2mp" and one is not None and one.who[1] == "s" else one
        speech = self.speech[i]
        if speech is not None and speech.speaker is not None:
            found = self._last(i, who, other_than, speech.first)
            if found is not None:
                return found
        hero = self.protagonist
        if (
            (speech is None or speech.speaker is None)
            and self.teller(i) is None
            and who == "3ms"
            and hero is not None
            and not hero.same(other_than)
        ):
            return hero
        previous = self.previous.get(i)
        if (
            previous is not None
            and not previous.same(other_than)
            and agrees(previous.who, who)
            and self.subjects.get(i) is not previous
        ):
            return previous
        found = self._last(i, who, other_than, max(0, i - _MEMORY))
        if found is None and who in ("3d", "3md"):
            return self.two(i)
        if found is None and who == "3ms" and self.protagonist is not None and not self.protagonist.same(other_than):
            return self.protagonist
        return found

    def two(self, i: int) -> Participant | None:
        """The two men named last before word ``i``, whom a dual means (فارتفعت أصواتهما); the teller is one where one only is named."""
        if not self._dual_before(i):
            return None
        found: list[Participant] = []
        for participant in self.cast.before(i):
            if i - participant.first > _NEAR_TWO or len(found) == 2:
                break
            governed = participant.first > 0 and self.words.folded[participant.first - 1] in _GOVERNING
            if participant.who != "ms" or participant.key in self.transmitters or governed:
                continue
            if participant.members or any(participant.same(other) for other in found):
                continue
            found.append(participant)
        teller = self.teller(i)
        if len(found) == 1 and teller is not None and teller.who == "ms" and not teller.same(found[0]):
            found.append(teller)
        return joined(*reversed(found)) if len(found) == 2 else None

    def _dual_before(self, i: int) -> bool:
        """Whether something tells that two are meant: vowels, or another dual among the words before (unvowelled, مرضا is a noun)."""
        folded = self.words.folded
        if folded[i].endswith(("هما", "كما")) or any("\u064b" <= letter <= "\u0652" for letter in self.words.surface(i, i + 1)):
            return True
        near = range(max(0, i - _NEAR_TWO), i)
        return any(
            folded[k].endswith("هما") or (k in self.forms and self.forms[k][0].who == "3md" and self.subjects.get(k))
            for k in near
        )

    def last_met(self, i: int, who: str, subject: Participant) -> Participant | None:
        """The person last named before word ``i`` within a few words, where that is another than the subject."""
        for participant in self.cast.before(i):
            if participant.members:
                continue
            if i - participant.first > 12 or participant.same(subject):
                return None
            return participant if agrees(participant.who, who) else None
        return None

    def _last(self, i: int, who: str, other_than: Participant | None, since: int) -> Participant | None:
        """The last person named before word ``i`` who fits; he who speaks there and whom he calls on are not 'he'."""
        speech = self.speech[i]
        for participant in self.cast.before(i):
            if participant.first < since:
                break
            if participant.key in self.transmitters or participant.same(other_than) or not agrees(participant.who, who):
                continue
            inside = self.speech[participant.first]
            if inside is not None and inside is not speech and inside.quoted:
                continue
            if speech is not None and (participant.same(speech.speaker) or participant.same(speech.addressee)):
                continue
            if participant.first and self.words.folded[participant.first - 1] == "يا":
                continue
            return participant
        return None


def _aside(words: Words) -> set[int]:
    """The words between round brackets: who is named there is no subject of what stands outside."""
    inside: set[int] = set()
    if "(" not in words.text:
        return inside
    depth = 0
    for i in range(len(words)):
        gap = words.gap(i)
        depth = max(0, depth + gap.count("(") - gap.count(")"))
        if depth:
            inside.add(i)
    return inside


def joined(*members: Participant) -> Participant:
    """Several participants as one that has members."""
    first, last = members[0], members[-1]
    who = "md" if len(members) == 2 else "mp"
    return Participant(first.first, last.after, first.start, last.end, None, who, first.before, "series", "", first.case, members)


def _headword(words: Words, cast: Cast) -> Participant | None:
    """Whom a numbered entry of a biographical dictionary is about: the first person it names (348 - عبد الرحمن بن زيد …)."""
    if not len(words) or not words.folded[0].isdigit():
        return None
    first = next((participant for participant in cast.everyone if not participant.members), None)
    if first is not None and first.first <= 3 and first.kind == "person":
        return first
    after = 3 if words.folded[1:2] in (["ابو"], ["ابن"], ["ام"]) else 2  # 792 أبو ساسان: a name no table knows
    if _ENTRY.isdisjoint(words.folded[after : after + 5]) or words.folded[1] in _NO_ENTRY:
        return None
    who = "fs" if words.folded[1] == "ام" else "ms"
    return Participant(1, after, *words.span(1, after), None, who, "", "person", words.surface(1, after))


def _protagonist(cast: Cast) -> Participant | None:
    """Whom a passage is about: the person most often named in it, prophets apart, if he is named three times."""
    counts: dict[str, int] = {}
    firsts: dict[str, Participant] = {}
    for participant in cast.everyone:
        if participant.key and participant.kind == "person" and participant.who == "ms":
            counts[participant.key] = counts.get(participant.key, 0) + 1
            firsts.setdefault(participant.key, participant)
    best = max(counts, key=lambda key: counts[key], default=None)
    return firsts[best] if best is not None and counts[best] >= 3 else None


def agrees(who: str, pronoun: str) -> bool:
    """Whether a noun (ms, fs, mp) can be meant by a pronoun or verb form (3ms, 3fs, 3mp)."""
    number, gender = pronoun[-1], pronoun[-2] if len(pronoun) > 2 else ""
    if pronoun in ("3d", "3md"):
        return who in ("md", "mp")
    if number == "p":
        return who.endswith("p")
    return who == f"{gender}{number}"


def _is_on_me(surface: str) -> bool:
    """عليَّ, إليَّ: upon me, to me; not the prepositions."""
    return surface.endswith(("\u0651", "\u0651\u064e", "\u064e\u0651", "ي")) and not surface.endswith("ى")
