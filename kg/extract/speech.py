"""Who speaks at each word of a story, and to whom; who does what each verb says.

Speech opens at a verb of saying and ends at the closing quotation mark, or where the texts have none at the next verb of saying
outside it, at 'and when' (فلما) and at 'then So-and-so' (ثم إن). Where قال names nobody the speakers take turns.
"""

from collections.abc import Sequence, Set
from dataclasses import dataclass
from unicodedata import normalize

from kg.extract.participants import Cast, Participant, after_honorific, before_honorific
from kg.extract.verbs import Conjugation, Form
from kg.text import Words

__all__ = ["Scene", "Speech", "Teller", "agrees", "scene_of"]

_SAYING = {
    f"{before}{word}": who
    for before in ("", "و", "ف")
    for word, who in {
        "قال": "3ms", "قالت": "3fs", "قلت": "1s", "قالوا": "3mp", "قلنا": "1p", "قالا": "3md",
        "يقول": "3ms", "تقول": "3fs", "اقول": "1s", "قلن": "3fp",
    }.items()
}  # fmt: skip
_TO_PRONOUN = {"له": "3ms", "لها": "3fs", "لهم": "3mp", "لهما": "3md", "لي": "1s", "لنا": "1p", "لك": "2ms", "لهن": "3fp"}
_QUOTES = '"“”«»'
_LIGHT = frozenset(
    "له لها لي لنا لهم لهما لك اليه اليها اليهم اليك اليهما عليه عليها عليهم عليك علينا "  # noqa: SIM905
    "منه منها منهم مني به بها بهم بهما فيه معه معها عنه عنها عنده ذلك يومئذ يوميذ اذ قد ايضا اليوم الليله البارحه غدا بنا لنا بالناس باصحابه".split()
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


_DOUBT = frozenset({"احسبه", "اظنه", "اراه", "او", "واحسبه", "واظنه"})
_NOT_NAMES = frozenset(
    {"يوم", "عام", "سنه", "ثم", "في", "من", "الي", "علي", "عن", "مع", "عند", "حتي", "صبرا", "قبل", "بعد", "قد", "انه", "ان", "اذ"}
)
_OF_MYSELF = frozenset(
    {"كنت", "كنا", "وكنت", "وكنا", "انا", "وانا", "معي", "عندي", "اعتكفنا", "صلينا", "صليت", "سمعنا", "راينا", "اتينا", "قدمنا"}
)
_PREPOSITIONS = frozenset({"مع", "عند", "الي", "علي", "عن", "من", "خلف", "وراء"})
_SENDING = frozenset({"بعث", "استعمل", "ولي", "امر"})
_BEFORE_SPEAKER = frozenset(
    {"ان", "وان", "فان", "لكن", "عن", "وعن", "سمعت", "سمع", "حدثنا", "حدثني", "اخبرنا", "اخبرني", "سمعنا"}
)
_MEMORY = 80  # words over which a pronoun reaches back
_EMBEDDING = frozenset({"حين", "ان", "الذي", "التي", "لان", "حيث", "الذين", "بما", "ما", "مما"})
_NOUN_AFTER = frozenset(
    {"في", "الي", "علي", "عن", "بعد", "قبل", "كل", "بين", "عند", "بعض", "غير", "اي", "ذي", "ذات", "بغير", "يوم"}
)


class Scene:
    """The readings of a passage that roles are taken from, word by word."""

    def __init__(
        self, words: Words, cast: Cast, tellers: Sequence[Teller], conjugation: Conjugation, transmitters: Set[str] = frozenset()
    ) -> None:
        self.words, self.cast, self.tellers, self.conjugation = words, cast, tellers, conjugation
        self.speech: list[Speech | None] = [None] * len(words)
        self.forms: dict[int, tuple[Form, ...]] = {}
        self.subjects: dict[int, Participant | None] = {}
        self.previous: dict[int, Participant | None] = {}
        self.transmitters = transmitters  # keys of men too late to act in the stories they tell
        self.protagonist = _protagonist(cast)
        self.honouring: set[int] = set()
        self.unclear: set[int] = set()  # verbs whose letters are both "I" and "she" did
        self.first_person: set[int] = set()  # tellers (by first word) who say I
        self.on_me = {i for i, word in enumerate(words.folded) if word in ("علي", "الي") and _is_on_me(words.surface(i, i + 1))}
        self.places: dict[int, int] = {}
        self.quran: Set[int] = frozenset()
        self.running: dict[int, Participant | None] = {}  # whom the story is at, before each verb

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
        if found is None and who == "3ms" and self.protagonist is not None and not self.protagonist.same(other_than):
            return self.protagonist
        return found

    def last_met(self, i: int, who: str, subject: Participant) -> Participant | None:
        """The person last named before word ``i`` within a few words, where that is another than the subject."""
        for participant in reversed(self.cast.everyone):
            if participant.after > i or participant.members:
                continue
            if i - participant.first > 12 or participant.same(subject):
                return None
            return participant if agrees(participant.who, who) else None
        return None

    def _last(self, i: int, who: str, other_than: Participant | None, since: int) -> Participant | None:
        """The last person named before word ``i`` who fits; he who speaks there and whom he calls on are not 'he'."""
        speech = self.speech[i]
        for participant in reversed(self.cast.everyone):
            if participant.after > i:
                continue
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


def scene_of(
    words: Words,
    cast: Cast,
    tellers: Sequence[Teller],
    conjugation: Conjugation,
    skipped: set[int],
    transmitters: Set[str] = frozenset(),
) -> Scene:
    """Reads a passage from left to right, each word once; ``skipped`` are the words of the chains."""
    scene = Scene(words, cast, tellers, conjugation, transmitters)
    folded, starts, ends = words.folded, words.starts, words.ends
    current: Speech | None = None
    outer: Speech | None = None
    last: Speech | None = None
    subject: Participant | None = None
    subject_before: Participant | None = None
    acted = False  # somebody has done something since the last speech
    answering: Participant | None = None  # to whom the last speech was said
    opening = -1
    quote_open = False
    telling = {teller.first for teller in tellers}
    honouring = scene.honouring = {j for p in cast.everyone for j in range(p.after, after_honorific(words, p.after))}
    for i, word in enumerate(folded):
        gap = words.gap(i) if i == 0 or starts[i] - ends[i - 1] > 1 else " "
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
                    current, outer, acted, answering = None, None, False, last.addressee
        if i in skipped:
            continue
        if i in honouring:
            scene.speech[i] = current
            continue
        if outer is not None and any(mark in gap for mark in ".،,") and word[0] in "فو":
            current, outer = outer, None  # words quoted within a speech end with their clause
        who = _SAYING.get(word) if i == 0 or folded[i - 1] not in _DOUBT else None
        if who is not None and not (current is not None and current.quoted and word.startswith(("يقول", "تقول", "اقول"))):
            speech = _open(scene, i, who, current, last, (subject, subject_before), acted)
            if current is not None and current.quoted:
                outer = outer or current
            else:
                last = current or last
            scene.speech[i] = current
            told_by = speech.speaker is not None and speech.speaker.key in transmitters
            if speech.speaker is not None and not told_by and who[0] == "3" and not speech.speaker.same(subject):
                subject, subject_before = speech.speaker, subject
            opening = max(speech.first - 1, i)
            for j in range(i, min(opening + 1, len(folded))):
                scene.speech[j] = scene.speech[i]
            scene.subjects[i] = speech.speaker
            current, acted = speech, False
            continue
        if i <= opening:
            continue
        if current is not None and not current.quoted and outer is None and _closes(scene, current, i, word):
            last, answering, acted = current, current.addressee, False
            current = None
        scene.speech[i] = current
        if word == "يا" and current is not None and i + 1 in cast.at and i - current.first < 4:
            current.addressee = cast.at[i + 1]
        forms: tuple[Form, ...] = ()
        if i not in cast.covered and (i == 0 or word[0] == "ف" or folded[i - 1] not in _NOUN_AFTER) and not _is_noun(words, i):
            forms = _fitting(words, i, conjugation)
        if current is None and word in _OF_MYSELF:
            scene.first_person.add(max((t.first for t in tellers if t.first <= i), default=-1))
        if current is not None and (word in ("اني", "انا", "لي", "بيني", "كنت") or (forms and forms[0].who in ("1s", "1p"))):
            current.personal = True
        if forms:
            form = _choose(words, i, forms)
            if form.who == "3fs" and form.past and form.verb not in ("توفي", "سمي") and _is_unclear(words, i):
                scene.unclear.add(i)
            if form.who in ("1s", "1p") and current is None:
                scene.first_person.add(max((t.first for t in tellers if t.first <= i), default=-1))
            scene.forms[i] = (form, *(other for other in forms if other is not form))
            main = subject
            doer = _subject(scene, i, form, subject, answering if current is None and not acted else None)
            scene.subjects[i] = doer
            scene.running[i] = main
            scene.previous[i] = main if main is not None and not main.same(doer) else subject_before
            if form.who[0] == "3" and doer is not None and (i == 0 or folded[i - 1] not in _EMBEDDING) and not _inside(current):
                acted = acted or current is None
                if not doer.same(subject):
                    subject, subject_before = doer, subject
    return scene


def _is_noun(words: Words, i: int) -> bool:
    """A word that ends in ta marbuta or a tanwin is no verb."""
    surface = words.surface(i, i + 1)
    return (
        surface.rstrip("\u064b\u064c\u064d\u064e\u064f\u0650\u0651\u0652").endswith("ة")
        or surface[-1] in "\u064b\u064c\u064d"
        or surface.endswith(("\u064bا", "ا\u064b"))
    )


def _open(
    scene: Scene,
    i: int,
    who: str,
    current: Speech | None,
    last: Speech | None,
    subjects: tuple[Participant | None, Participant | None],
    acted: bool,
) -> Speech:
    """The speech that a verb of saying at word ``i`` opens."""
    words, cast = scene.words, scene.cast
    folded = words.folded
    if i + 1 < len(folded) and folded[i + 1] in ("الله", "عز", "تعالي"):
        return Speech(None, None, i + 1)
    subject, subject_before = subjects
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
    called = cast.at.get(j + 1) if j < len(folded) and folded[j] == "يا" else None
    if called is None and j + 2 < len(folded) and folded[j + 1] == "يا":
        called = cast.at.get(j + 2)
    if called is not None:
        addressee = called
    if speaker is None:
        ending = cast.ending.get(before_honorific(words, i - 1)) if i else None
        if who[0] == "1":
            inside = current if current is not None and current.quoted else None
            speaker = (
                inside.speaker if inside is not None else scene.teller(i) or (before.addressee if before is not None else None)
            )
        elif (
            ending is not None
            and (ending.before == "و" or (ending.first and folded[ending.first - 1] in _BEFORE_SPEAKER))
            and not words.folded[i].startswith(("ف", "و"))
            and agrees(ending.who, who)
            and not _stops(words, i)
        ):
            speaker = ending
        elif (
            who == "3fs"
            and current is not None
            and current.speaker is not None
            and current.speaker.who == "fs"
            and _is_man(current.addressee)
        ):
            speaker = current.speaker
        elif acted and subject is not None and agrees(subject.who, who) and not subject.same(called):
            speaker = subject
        elif (
            before is not None
            and before.addressee is not None
            and agrees(before.addressee.who, who)
            and not before.addressee.same(called)
        ):
            speaker = before.addressee
        elif subject is not None and agrees(subject.who, who) and not subject.same(called):
            speaker = subject
        elif (
            before is not None
            and before.speaker is not None
            and agrees(before.speaker.who, who)
            and not before.speaker.same(called)
        ):
            speaker = before.speaker
        else:
            speaker = _candidate(scene, i, who)
    if addressee is None:
        if pronoun:
            addressee = scene.pronoun(i, pronoun, other_than=speaker)
        elif acted and subject is not None and not subject.same(speaker):
            addressee = subject
        elif before is not None and before.speaker is not None and not before.speaker.same(speaker):
            addressee = before.speaker
        elif subject is not None and not subject.same(speaker):
            addressee = subject
        elif subject_before is not None and not subject_before.same(speaker):
            addressee = subject_before
        else:
            near = [p for p in cast.everyone if i - 14 <= p.first and p.after <= i and not p.same(speaker) and not p.members]
            teller = scene.teller(i)
            addressee = near[-1] if near else teller if teller is not None and not teller.same(speaker) else None
    return Speech(speaker, addressee, j)


def _inside(speech: Speech | None) -> bool:
    """Whether what is told stands between quotation marks: it does not move the story on."""
    return speech is not None and speech.quoted


def _stops(words: Words, i: int) -> bool:
    """Whether a sentence ends before word ``i``."""
    return any(mark in words.gap(i) for mark in '.؟?!"«»')


def _is_man(participant: Participant | None) -> bool:
    return participant is None or participant.who != "fs"


def _closes(scene: Scene, speech: Speech, i: int, word: str) -> bool:
    """Whether the story goes on at word ``i`` after unquoted speech."""
    following = scene.words.folded[i + 1] if i + 1 < len(scene.words) else ""
    if word in ("فلما", "فبينا", "فبينما") or (following == "رضي" and i not in scene.cast.covered):
        return True
    if word == "ثم" and following == "ان":
        return not speech.personal or i + 2 in scene.cast.at
    if word.startswith("ف") and not speech.personal:
        forms = scene.conjugation.read(word)
        if forms and forms[0].past and forms[0].who[0] == "3":
            named = scene.cast.at.get(i + 1)
            return "." in scene.words.gap(i) or (named is not None and named.before == "" and named.case != "acc")
    return "." in scene.words.gap(i) and word in ("ثلاثا", "مرتين", "قالها")


def _is_on_me(surface: str) -> bool:
    """عليَّ, إليَّ: upon me, to me; not the prepositions."""
    return surface.endswith(("\u0651", "\u0651\u064e", "\u064e\u0651", "ي")) and not surface.endswith("ى")


def _fitting(words: Words, i: int, conjugation: Conjugation) -> tuple[Form, ...]:
    """The readings of a word as a verb that its vowels allow."""
    forms = conjugation.read(words.folded[i])
    if not forms or not any(form.verb in conjugation.vowelled for form in forms):
        return forms
    surface = normalize("NFC", words.surface(i, i + 1))
    if sum("\u064b" <= letter <= "\u0652" for letter in surface) < 2:
        return forms
    return tuple(f for f in forms if f.verb not in conjugation.vowelled or conjugation.vowelled[f.verb].search(surface))


def _is_unclear(words: Words, i: int) -> bool:
    """Whether no vowel tells 'I' from 'she': the word does not end in a sukun or kasra."""
    surface = words.surface(i, i + 1)
    position = surface.rfind("ت")
    if surface[-1] in "\u0652\u0650":
        return False
    return not (0 < position < len(surface) - 2 and surface[position + 1] == "\u0652")  # قَتَلَتْهُ


def _choose(words: Words, i: int, forms: tuple[Form, ...]) -> Form:
    """The reading that the vowels tell, where there are vowels: ندمتُ, ندمتْ, أنكحتَ."""
    form = forms[0]
    if form.who in ("3fs", "1s") and form.past and not form.whom:
        last = words.text[words.ends[i] - 1]
        if last == "\u0652" and form.who == "1s":
            return _with_who(form, "3fs")
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


def _nominative(scene: Scene, j: int) -> Participant | None:
    """A subject that is no known person (أصابه سهمٌ, مكث المهاجرُ): a word whose last vowel is u."""
    words = scene.words
    if j >= len(words) or j in scene.cast.covered or any(mark in words.gap(j) for mark in '.،"'):
        return None
    surface = words.surface(j, j + 1).rstrip("\u0651")
    bare = surface.rstrip("\u064b\u064c\u064d\u064e\u064f\u0650\u0651\u0652")
    if bare.endswith(("ه", "ها", "هم")):
        return None  # a pronoun's vowel tells nothing of the noun
    plural = bare.endswith("ون") and surface.endswith("\u064f\u0648\u0646\u064e")
    if (
        (surface[-1] not in "\u064f\u064c" and not plural)
        or words.folded[j] in _NOT_NAMES
        or (scene.conjugation.read(words.folded[j]) and words.folded[j][0] in "ياتنوف")
    ):
        return None
    return Participant(j, j + 1, words.starts[j], words.ends[j], None, "xx", "", "thing", words.surface(j, j + 1), "nom")


def _unknown_name(scene: Scene, i: int) -> Participant | None:
    """قتله قزمان: after a topic, a verb and its pronoun, a word that is no word of grammar names who did it."""
    words, cast, j = scene.words, scene.cast, i + 1
    topic = cast.ending.get(before_honorific(words, i - 1)) if i else None
    if topic is None or topic.kind == "noun" or j >= len(words) or j in cast.covered or words.gap(j).strip() or j in scene.places:
        return None
    word = words.folded[j]
    if word in _NOT_NAMES or word[0] in "وفبلي" or len(word) < 3 or word.startswith("ال"):
        return None
    return Participant(j, j + 1, words.starts[j], words.ends[j], None, "ms", "", "person", words.surface(j, j + 1))


def _is_sent(words: Words, named: Participant) -> bool:
    """بعث زيادا إلى حضرموت: whom a verb of sending names before the place is sent, unless his name is a nominative or the Prophet's."""
    if named.case == "nom" or named.kind == "prophet" or named.before:
        return False
    return bool({"الي", "علي"} & set(words.folded[named.after : named.after + 6]))


def _object_first(words: Words, cast: Cast, named: Participant, form: Form) -> bool:
    """أتى النبي رجل: he who is not known yet is the subject, though he is named last."""
    later = cast.at.get(after_honorific(words, named.after))
    return (
        named.case == ""
        and named.kind in ("prophet", "person")
        and later is not None
        and agrees(later.who, form.who)
        and later.kind == "noun"
        and later.surface[:2] != "ال"
        and later.before == ""
        and not later.surface.endswith(("ا", "ه", "ي"))
    )


def _subject(
    scene: Scene, i: int, form: Form, subject: Participant | None, answering: Participant | None = None
) -> Participant | None:
    """Who does what a verb says: the speaker, the addressee, the name after or before it, or whom the story is at."""
    words, cast = scene.words, scene.cast
    if form.who[0] == "1":
        return scene.speaker(i)
    if form.who[0] == "2":
        return scene.addressee(i)
    j = i + 1
    while j < len(words) and j - i < 4 and (words.folded[j] in _LIGHT or j in scene.on_me):
        j += 1
    named = cast.at.get(j)
    fits = named is not None and (agrees(named.who, form.who) or (named.who[1] != "s" and form.who in ("3ms", "3fs")))
    if (
        named is not None
        and subject is not None
        and form.verb in _SENDING
        and _is_sent(words, named)
        and agrees(subject.who, form.who)
    ):
        return subject
    if (
        named is not None
        and named.before == ""
        and fits
        and named.case not in ("acc", "gen")
        and not _object_first(words, cast, named, form)
    ):
        return cast.series.get(named.first, named)
    if named is not None and named.before == "":
        later = cast.at.get(after_honorific(words, named.after))
        if later is not None and later.before == "" and later.case in ("", "nom") and agrees(later.who, form.who):
            return cast.series.get(later.first, later)  # أتى النبيَّ رجلٌ
    if j < len(words) and words.folded[j] == "رضي" and form.who == "3ms" and scene.protagonist is not None:
        return scene.protagonist
    if i:
        ending = cast.ending.get(before_honorific(words, i - 1))
        plain = not form.before.startswith(("و", "ف"))
        if (
            ending is not None
            and plain
            and not (form.past and form.whom.startswith("3") and agrees(ending.who, form.whom))
            and ending.before in ("", "و", "ف")
            and "." not in words.gap(i)
            and agrees(ending.who, form.who)
        ):
            return ending
    stranger = _nominative(scene, j)
    if stranger is not None:
        return stranger
    if form.past and form.whom.startswith("3") and j == i + 1:
        unknown = _unknown_name(scene, i)
        if unknown is not None:
            return unknown
    if (
        form.verb in ("اتي", "جاء")
        and form.past
        and form.before.startswith("ف")
        and form.whom.startswith("3")
        and subject is not None
    ):
        met = scene.last_met(i, form.who, subject)
        if met is not None:
            return met  # استعمل رجلا فجاءه: the man who was just met comes back to him
    if answering is not None and form.before.startswith("ف") and agrees(answering.who, form.who):
        return answering
    if form.who == "3fs" and i in scene.unclear:
        speech = scene.speech[i]
        a_woman = subject is not None and subject.who == "fs"
        teller = scene.speaker(i)
        if not a_woman and teller is not None and (speech is None or speech.personal or teller.who != "fs"):
            return teller
    if subject is not None and agrees(subject.who, form.who):
        return subject
    return _candidate(scene, i, form.who)


def _candidate(scene: Scene, i: int, who: str) -> Participant | None:
    """Whom a verb without a subject may mean: the last person named who fits and is no genitive, else the teller, else any."""
    speech, teller = scene.speech[i], scene.teller(i)
    telling = max((t.first for t in scene.tellers if t.first <= i), default=-1)
    genitive = None
    for participant in reversed(scene.cast.everyone):
        if participant.after > i:
            continue
        if i - participant.first > 40:
            break
        if (
            participant.key in scene.transmitters
            or not agrees(participant.who, who)
            or participant.same(teller)
            or (speech is not None and participant.same(speech.speaker))
        ):
            continue
        governed = participant.first > 0 and scene.words.folded[participant.first - 1] in _PREPOSITIONS
        if participant.case == "gen" and not governed:
            genitive = genitive or participant
            continue
        return participant
    if teller is not None and agrees(teller.who, who) and telling not in scene.first_person:
        return teller
    return genitive
