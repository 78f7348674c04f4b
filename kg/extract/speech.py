"""Who speaks at each word of a story, and to whom; who does what each verb says.

Speech opens at a verb of saying and ends at the closing quotation mark, or where the texts have none at the next verb of saying
outside it, at 'and when' (فلما) and at 'then So-and-so' (ثم إن). Where قال names nobody the speakers take turns.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from kg.extract.participants import Cast, Participant, after_honorific, before_honorific
from kg.extract.verbs import Conjugation, Form
from kg.text import Words

__all__ = ["Scene", "Speech", "Teller", "scene_of"]

_SAYING = {
    f"{before}{word}": who
    for before in ("", "و", "ف")
    for word, who in {
        "قال": "3ms", "قالت": "3fs", "قلت": "1s", "قالوا": "3mp", "قلنا": "1p", "قالا": "3md", "يقول": "3ms", "تقول": "3fs", "اقول": "1s", "قلن": "3fp",
    }.items()
}  # fmt: skip
_TO_PRONOUN = {"له": "3ms", "لها": "3fs", "لهم": "3mp", "لهما": "3md", "لي": "1s", "لنا": "1p", "لك": "2ms", "لهن": "3fp"}
_QUOTES = '"“”«»'
_LIGHT = frozenset(
    "له لها لي لنا لهم لهما لك اليه اليها الي اليهم اليك اليهما عليه عليها عليهم علي عليك علينا منه منها منهم مني به بها بهم بهما فيه معه معها عنه عنها عنده ذلك يومئذ يوميذ اذ قد ايضا".split()  # noqa: SIM905
)


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
    """From word ``first`` on a story is told by ``who`` (the last narrator of the chain before it)."""

    first: int
    who: Participant | None


class Scene:
    """The readings of a passage that roles are taken from, word by word."""

    def __init__(self, words: Words, cast: Cast, tellers: Sequence[Teller]) -> None:
        self.words, self.cast, self.tellers = words, cast, tellers
        self.speech: list[Speech | None] = [None] * len(words)
        self.forms: dict[int, tuple[Form, ...]] = {}
        self.subjects: dict[int, Participant | None] = {}
        self.previous: dict[int, Participant | None] = {}

    def teller(self, i: int) -> Participant | None:
        """The narrator in whose report word ``i`` stands."""
        found = None
        for teller in self.tellers:
            if teller.first > i:
                break
            found = teller.who
        return found

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
        if who.startswith("2"):
            return self.addressee(i)
        previous = self.previous.get(i)
        if (
            previous is not None
            and not previous.same(other_than)
            and _agrees(previous.who, who)
            and self.subjects.get(i) is not previous
        ):
            return previous
        speech = self.speech[i]
        for participant in reversed(self.cast.everyone):
            if participant.first >= i:
                continue
            if i - participant.first > 60:
                break
            if participant.same(other_than) or not _agrees(participant.who, who):
                continue
            if speech is not None and (
                participant.same(speech.speaker) or self.words.folded[participant.first - 1 : participant.first] == ["يا"]
            ):
                continue
            return participant
        return None


def _agrees(who: str, pronoun: str) -> bool:
    """Whether a noun (ms, fs, mp) can be meant by a pronoun or verb form (3ms, 3fs, 3mp)."""
    number, gender = pronoun[-1], pronoun[-2] if len(pronoun) > 2 else ""
    if pronoun in ("3d", "3md"):
        return who in ("md", "mp")
    if number == "p":
        return who.endswith(("p", "d"))
    return who == f"{gender}{number}"


def scene_of(words: Words, cast: Cast, tellers: Sequence[Teller], conjugation: Conjugation, skipped: set[int]) -> Scene:
    """Reads a passage from left to right, each word once; ``skipped`` are the words of the chains."""
    scene = Scene(words, cast, tellers)
    folded = words.folded
    current: Speech | None = None
    outer: Speech | None = None
    last: Speech | None = None
    subject: Participant | None = None
    subject_before: Participant | None = None
    opening = -1
    quote_open = False
    telling = {teller.first for teller in tellers}
    for i, word in enumerate(folded):
        gap = words.gap(i)
        if i in telling:
            current, outer, last, subject, subject_before, quote_open = None, None, None, None, None, False
        if len(gap) > 1 and any(mark in gap for mark in _QUOTES):
            for mark in gap:
                if mark not in _QUOTES:
                    continue
                quote_open = mark in "“«" or (mark == '"' and not quote_open)
                if quote_open:
                    if current is not None and i <= opening + 1:
                        current.quoted = True
                elif current is not None and (current.quoted or outer is not None):
                    last = outer or current
                    current, outer = None, None
        if i in skipped:
            continue
        who = _SAYING.get(word)
        if who is not None and not (current is not None and current.quoted and word.startswith(("يقول", "تقول", "اقول"))):
            speech = _open(scene, i, who, current, last, subject)
            if current is not None and current.quoted:
                outer = outer or current
            else:
                last = current or last
            scene.speech[i] = current
            if speech.speaker is not None and who[0] == "3" and not speech.speaker.same(subject):
                subject, subject_before = speech.speaker, subject
            opening = max(speech.first - 1, i)
            for j in range(i, min(opening + 1, len(folded))):
                scene.speech[j] = scene.speech[i]
            scene.subjects[i] = speech.speaker
            current = speech
            continue
        if i <= opening:
            continue
        if current is not None and not current.quoted and outer is None and _closes(scene, current, i, word):
            last, current = current, None
        scene.speech[i] = current
        if word == "يا" and current is not None and i + 1 in cast.at and i - current.first < 4:
            current.addressee = cast.at[i + 1]
        forms = conjugation.read(word)
        if current is not None and (word in ("اني", "انا", "لي", "بيني", "كنت") or (forms and forms[0].who == "1s")):
            current.personal = True
        if forms:
            form = _choose(words, i, forms)
            scene.forms[i] = (form, *(other for other in forms if other is not form))
            scene.previous[i] = subject_before if subject is not None else None
            doer = _subject(scene, i, form, subject)
            scene.subjects[i] = doer
            if form.who[0] == "3" and doer is not None and not doer.same(subject):
                subject, subject_before = doer, subject
                scene.previous[i] = subject_before
    return scene


def _open(scene: Scene, i: int, who: str, current: Speech | None, last: Speech | None, subject: Participant | None) -> Speech:
    """The speech that a verb of saying at word ``i`` opens."""
    words, cast = scene.words, scene.cast
    folded = words.folded
    speaker: Participant | None = None
    addressee: Participant | None = None
    j, pronoun = i + 1, ""
    for _ in range(4):
        if j >= len(folded):
            break
        if folded[j] in _TO_PRONOUN and not pronoun:
            pronoun, j = _TO_PRONOUN[folded[j]], j + 1
            continue
        named = cast.at.get(j)
        if named is None:
            break
        if named.before in ("ل", "ول") and addressee is None:
            addressee = named
        elif named.before == "" and speaker is None and who[0] == "3":
            speaker = named
        else:
            break
        j = after_honorific(words, named.after)
    before = last if current is None else current
    if speaker is None:
        ending = cast.ending.get(before_honorific(words, i - 1)) if i else None
        if who[0] == "1":
            inside = current if current is not None and current.quoted else None
            speaker = (
                inside.speaker if inside is not None else scene.teller(i) or (before.addressee if before is not None else None)
            )
        elif (
            ending is not None
            and ending.before in ("", "و")
            and not words.folded[i].startswith(("ف", "و"))
            and "." not in words.gap(i)
        ):
            speaker = ending
        elif before is not None and before.addressee is not None and _agrees(before.addressee.who, who):
            speaker = before.addressee
        elif subject is not None and _agrees(subject.who, who):
            speaker = subject
        else:
            teller = scene.teller(i)
            if teller is not None and _agrees(teller.who, who) and who != "3mp":
                speaker = teller
    if addressee is None:
        if pronoun:
            addressee = scene.pronoun(i, pronoun, other_than=speaker)
        elif before is not None and before.speaker is not None and not before.speaker.same(speaker):
            addressee = before.speaker
        elif subject is not None and not subject.same(speaker):
            addressee = subject
        else:
            teller = scene.teller(i)
            addressee = teller if teller is not None and not teller.same(speaker) else None
    return Speech(speaker, addressee, j)


def _closes(scene: Scene, speech: Speech, i: int, word: str) -> bool:
    """Whether the story goes on at word ``i`` after unquoted speech."""
    following = scene.words.folded[i + 1] if i + 1 < len(scene.words) else ""
    if word in ("فلما", "فبينا", "فبينما"):
        return True
    if word == "ثم" and following == "ان":
        return not speech.personal or i + 2 in scene.cast.at
    gap = scene.words.gap(i)
    return "." in gap and word in ("ثلاثا", "مرتين", "قالها") and not speech.quoted


def _choose(words: Words, i: int, forms: tuple[Form, ...]) -> Form:
    """The reading that the vowels tell, where there are vowels: ندمتُ, ندمتْ, أنكحتَ."""
    form = forms[0]
    if form.who in ("3fs", "1s") and form.past and not form.whom:
        last = words.text[words.ends[i] - 1]
        if last == "\u064f":
            return _with_who(form, "1s")
        if last == "\u064e":
            return _with_who(form, "2ms")
        if last == "\u0650" and form.who == "1s":
            return _with_who(form, "2fs")
    if form.who == "3fs" and form.past and form.whom:
        surface = words.surface(i, i + 1)
        position = surface.rfind("ت")
        if 0 <= position < len(surface) - 1 and surface[position + 1] == "\u064f":
            return _with_who(form, "1s")
    return form


def _with_who(form: Form, who: str) -> Form:
    return Form(form.verb, who, form.past, form.whom, form.before)


def _subject(scene: Scene, i: int, form: Form, subject: Participant | None) -> Participant | None:
    words, cast = scene.words, scene.cast
    if form.who[0] == "1":
        return scene.speaker(i)
    if form.who[0] == "2":
        return scene.addressee(i)
    j = i + 1
    while j < len(words) and j - i < 4 and words.folded[j] in _LIGHT:
        j += 1
    named = cast.at.get(j)
    if (
        named is not None
        and named.before == ""
        and (_agrees(named.who, form.who) or (named.who[1] != "s" and form.who in ("3ms", "3fs")))
    ):
        return named
    if i:
        ending = cast.ending.get(before_honorific(words, i - 1))
        plain = not form.before.startswith(("و", "ف"))
        if (
            ending is not None
            and plain
            and ending.before in ("", "و", "ف")
            and "." not in words.gap(i)
            and _agrees(ending.who, form.who)
        ):
            return ending
    if form.who == "3fs" and form.past and not form.before.startswith("ت"):
        speech = scene.speech[i]
        fits = subject is not None and subject.who == "fs"
        teller = scene.speaker(i)
        if not fits and teller is not None and (speech is None or speech.personal or teller.who != "fs"):
            return teller
    if subject is not None and _agrees(subject.who, form.who):
        return subject
    speech = scene.speech[i]
    for participant in reversed(cast.everyone):
        if participant.first >= i:
            continue
        if i - participant.first > 40:
            break
        if _agrees(participant.who, form.who) and not (speech is not None and participant.same(speech.speaker)):
            return participant
    return None
