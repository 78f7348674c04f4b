"""Who does what a verb says, where it names him, where it does not, and where the word order misleads."""

from kg.extract.participants import Cast, Participant, after_honorific, before_honorific
from kg.extract.scene import Scene, agrees
from kg.extract.verbs import Form
from kg.text import Words

__all__ = ["candidate", "subject_of"]


_LIGHT = frozenset(
    "له لها لي لنا لهم لهما لك اليه اليها اليهم اليك اليهما عليه عليها عليهم عليك علينا "
    "منه منها منهم مني به بها بهم بهما فيه معه معها عنه عنها عنده ذلك يومئذ يوميذ اذ قد ايضا اليوم الليله البارحه غدا بنا لنا بالناس باصحابه".split()
)


_NOT_NAMES = frozenset(
    {
        "يوم",
        "عام",
        "سنه",
        "ثم",
        "في",
        "من",
        "الي",
        "علي",
        "عن",
        "مع",
        "عند",
        "حتي",
        "صبرا",
        "قبل",
        "بعد",
        "قد",
        "انه",
        "ان",
        "اذ",
        "اياه",
        "اياها",
        "كل",
        "بعض",
        "هذا",
        "ذلك",
        "غير",
        "مثل",
    }
)


_PREPOSITIONS = frozenset({"مع", "عند", "الي", "علي", "عن", "من", "خلف", "وراء"})


_SENDING = frozenset({"بعث", "استعمل", "ولي", "امر"})


def subject_of(
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
    if j + 1 < len(words) and words.folded[j] in ("علي", "الي") and j + 1 in cast.at and j not in scene.on_me:
        k = after_honorific(words, cast.at[j + 1].after)
        late = cast.at.get(k)
        if late is not None and late.before == "" and (late.case == "nom" or late.kind == "noun") and agrees(late.who, form.who):
            return late
        late = _nominative(scene, k)
        if late is not None:
            return late
    stranger = _nominative(scene, j)
    if stranger is not None:
        return stranger
    if form.past and form.whom.startswith("3") and j == i + 1:
        unknown = _unknown_name(scene, i)
        if unknown is not None:
            return unknown
    if scene.headword is not None and agrees(scene.headword.who, form.who):
        return scene.headword
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
    speech = scene.speech[i]
    speaks_himself = subject is not None and speech is not None and subject.same(speech.speaker)
    if subject is not None and agrees(subject.who, form.who) and not speaks_himself:
        return subject
    return candidate(scene, i, form.who)  # تبعته حتى تحوز بداره: who says «I» is not «he» in his own words


def candidate(scene: Scene, i: int, who: str) -> Participant | None:
    """Whom a verb without a subject may mean: the last person named who fits and is no genitive, else the teller, else any."""
    speech, teller = scene.speech[i], scene.teller(i)
    telling = scene.telling(i)
    genitive = None
    for participant in scene.cast.before(i):
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
    if (
        teller is not None
        and teller.key not in scene.transmitters
        and agrees(teller.who, who)
        and telling not in scene.first_person
    ):
        return teller
    return genitive


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
