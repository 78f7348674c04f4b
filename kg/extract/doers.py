"""Who does what a verb says, where it names him, where it does not, and where the word order misleads."""

from kg.extract.participants import Cast, Participant, after_honorific, before_honorific, prophet_honoured
from kg.extract.scene import Scene, agrees, joined
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


_APPOINTING = frozenset({"استعمل", "استخلف", "امر", "ولي", "خلف"})


_FOUND = frozenset({"وجد", "راي", "ادرك", "ترك", "لقي"})  # فوجده قد مات: whom he found, not he who found


_TOPICS = frozenset({"اما", "واما", "فاما"})


_OPENERS = frozenset({"ان", "وان", "فان", "لان", "كان", "وكان", "فكان", "كانت", "وكانت", "لكن", "ولكن"})


_AUXILIARY = frozenset({"قد", "لقد", "كان", "ثم"})


_NOT_UNLISTED = frozenset(
    "اليوم الليله البارحه المدينه الجمعه الخميس الاثنين السبت الاحد العيد الخندق المشاهد الصلاه العقبه "
    "القيامه الفجر العصر الظهر المسجد البيت الكوفه البصره الولد الذي التي الذين الناس الان".split()
)


_FIGHTING = frozenset({"قاتل", "لقي", "هزم", "غزا", "قتل", "حاصر"})


_LIFE = frozenset({"توفي", "مات", "ولد", "اسلم", "هاجر", "شهد", "استشهد", "قتل", "دفن", "هلك", "قدم", "روي"})


def subject_of(
    scene: Scene, i: int, form: Form, subject: Participant | None, answering: Participant | None = None
) -> Participant | None:
    """Who does what a verb says: the speaker, the addressee, the name after or before it, or whom the story is at."""
    words, cast = scene.words, scene.cast
    if form.who[0] in "12":
        return _of_the_speech(scene, i, form)
    speech = scene.speech[i]
    if speech is not None and i == speech.first and form.before == "و" and form.past and speech.speaker is not None:
        beside = agrees(speech.speaker.who, form.who)
        if beside:
            speech.first = i + 1
            return speech.speaker  # فقالت عائشة وغضبت
    that = words.folded[i - 1 if i < 2 or words.folded[i - 1] not in _AUXILIARY else i - 2] if i else ""
    if that in ("انه", "انها", "بانه"):
        opened = scene.opened_by(i)
        if opened is not None and agrees(opened.who, form.who):
            return opened
    prophet = prophet_honoured(words, i)
    if prophet is not None and form.who == "3ms":
        return prophet  # أمر صلى الله عليه وسلم
    ordered = _ordered(scene, i, form)
    if ordered is not None:
        return ordered
    j = i + 1
    while j + 1 < len(words) and j - i < 5:
        if words.folded[j] in _LIGHT or j in scene.on_me:
            j += 1
        elif words.folded[j] == "فيما" or (words.folded[j] == "من" and words.folded[j + 1].startswith("عند")):
            j += 2  # قتله فيما يذكرون خبيب, خرج من عنده الجارود
        else:
            break
    topic = _topic(scene, i)
    if topic is not None and not form.whom and form.before in ("", "ل") and agrees(topic.who, form.who):
        return topic  # أن عمر قتل رجلا, كان ضرار لحق عمر
    named = cast.at.get(j)
    fits = named is not None and (agrees(named.who, form.who) or (named.who[1] != "s" and form.who in ("3ms", "3fs")))
    if named is None and form.verb in _LIFE and form.past and not form.whom:
        named = _unlisted(scene, j)
        if named is not None:
            return named
    if (
        named is not None
        and subject is not None
        and form.verb in _FIGHTING
        and (named.kind, named.who, named.case) == ("noun", "mp", "")
        and agrees(subject.who, form.who)
    ):
        return subject  # ثم قاتل القوم
    if (
        named is not None
        and subject is not None
        and form.verb in _SENDING
        and _is_sent(words, named)
        and agrees(subject.who, form.who)
    ):
        return subject
    if form.verb in _APPOINTING and i + 3 < len(words) and words.folded[i + 1] == "علي" and i + 1 not in scene.on_me:
        # استعمل على المدينة نميلة: whom a verb of appointing names after the place is appointed
        return subject if subject is not None and agrees(subject.who, form.who) else candidate(scene, i, form.who)
    found = scene.forms.get(i - 2 if i > 1 and words.folded[i - 1] == "قد" else i - 1)
    if found and found[0].verb in _FOUND and found[0].whom.startswith("3") and agrees_with_form(found[0].whom, form.who):
        return scene.pronoun(i - 1, found[0].whom, other_than=subject)
    if (
        named is not None
        and named.before == ""
        and fits
        and (form.who[-1] not in "pd" or named.case == "nom")  # قتلوا فلانا: after a plural comes to whom it is done
        and named.case not in ("acc", "gen")
        and not _object_first(words, cast, named, form)
    ):
        return cast.series.get(named.first, named)
    if (
        j + 1 < len(words)
        and words.folded[j] == "هو"
        and j + 1 in cast.at
        and cast.at[j + 1].before == "و"
        and subject is not None
    ):
        others = cast.series.get(j + 1, cast.at[j + 1])
        return joined(subject, *(others.members or (others,)))  # فخرج هو وأبو بكر
    if named is not None and named.before == "":
        later = cast.at.get(after_honorific(words, named.after))
        if later is not None and later.before == "" and later.case in ("", "nom") and agrees(later.who, form.who):
            return cast.series.get(later.first, later)  # أتى النبيَّ رجلٌ
    if j < len(words) and words.folded[j] == "رضي" and form.who == "3ms" and scene.protagonist is not None:
        return scene.protagonist
    if (
        scene.headword is not None
        and form.verb in _LIFE
        and agrees(scene.headword.who, form.who)
        and not _announced(words, cast, i)
    ):
        return scene.headword
    if i:
        k = i - 1 if words.folded[i - 1] not in _AUXILIARY else i - 2
        while k > 0 and k in scene.aside and i not in scene.aside:
            k -= 1
        ending = cast.ending.get(before_honorific(words, k)) if k >= 0 else None
        if ending is not None and speech is not None and i == speech.first and ending.same(speech.speaker):
            ending = None  # قال محمد بن سعد توفي سنة: not he
        about = ending is not None and ending.first > 0 and words.folded[ending.first - 1] in _TOPICS
        plain = not form.before.startswith(("و", "ف")) or about
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
        if teller is not None and teller.key in scene.transmitters:
            teller = None
        if subject is not None and subject.kind == "group" and speech is None:
            return subject  # وكانت الأوس قد قتلت
        mine = speech is not None or scene.telling(i) in scene.first_person
        if mine and not a_woman and teller is not None and (speech is None or speech.personal or teller.who != "fs"):
            return teller
    speech = scene.speech[i]
    speaks_himself = subject is not None and speech is not None and subject.same(speech.speaker)
    if subject is not None and speech is None and scene.telling(i) in scene.first_person and subject.same(scene.teller(i)):
        speaks_himself = form.who[0] == "3"
    if subject is not None and agrees(subject.who, form.who) and not speaks_himself:
        return subject
    if form.who in ("3md", "3d"):
        named = next((p for p in cast.before(i) if agrees(p.who, form.who)), None)
        return named if named is not None and i - named.first < 30 else scene.two(i)
    return candidate(scene, i, form.who)  # تبعته حتى تحوز بداره: who says «I» is not «he» in his own words


def _of_the_speech(scene: Scene, i: int, form: Form) -> Participant | None:
    """Who is I, we, you or you two at the verb at word ``i``: with those who are joined to the pronoun (جئت أنا وأبو بكر)."""
    words, cast = scene.words, scene.cast
    one = scene.speaker(i) if form.who[0] == "1" else scene.addressee(i)
    pronoun = "انا" if form.who[0] == "1" else "انت"
    near = range(i + 1, min(i + 4, len(words))) if form.who != "2d" else range(max(0, i - 12), min(i + 4, len(words)))
    for j in near:
        others = cast.at.get(j + 1)
        if words.folded[j] == pronoun and others is not None and others.before == "و" and one is not None:
            others = cast.series.get(j + 1, others)
            scene.pair = joined(one, *(others.members or (others,)))
            return scene.pair
    if form.who == "1p" and scene.pair is not None and one is not None and any(one.same(member) for member in scene.pair.members):
        return scene.pair
    return one


def agrees_with_form(pronoun: str, who: str) -> bool:
    """Whether a pronoun and a verb form may mean one person."""
    return pronoun.replace("3d", "3md") == who


def _announced(words: Words, cast: Cast, i: int) -> bool:
    """Whether the name before the verb at word ``i`` opens its clause: أن فلانا توفي."""
    ending = cast.ending.get(before_honorific(words, i - 1)) if i else None
    return ending is not None and ending.first > 0 and words.folded[ending.first - 1] in ("ان", "وان")


def _topic(scene: Scene, i: int) -> Participant | None:
    """Whom أن or كان before his name makes the subject of the verb at word ``i``."""
    words = scene.words
    k = i - 2 if i > 1 and words.folded[i - 1] in ("قد", "لقد") else i - 1
    if k < 1:
        return None
    last = before_honorific(words, k)
    for participant in (scene.cast.ending.get(last), *(s for s in scene.cast.series.values() if s.after == last + 1)):
        if (
            participant is not None
            and participant.first
            and words.folded[participant.first - 1] in _OPENERS
            and participant.before == ""
        ):
            return participant
    return None


def _ordered(scene: Scene, i: int, form: Form) -> Participant | None:
    """فأمر به رسول الله فرجم: to whom it is done by order is he of whom the order speaks."""
    words = scene.words
    if not form.before.startswith("ف") or form.whom or not form.past:
        return None
    for k in range(i - 1, max(0, i - 9), -1):
        forms = scene.forms.get(k)
        if forms and forms[0].verb == "امر" and k + 1 < len(words):
            who = {"به": "3ms", "بها": "3fs", "بهما": "3md", "بهم": "3mp"}.get(words.folded[k + 1])
            return (
                scene.pronoun(k, who, other_than=scene.subjects.get(k))
                if who is not None and agrees_with_form(who, form.who)
                else None
            )
        if "." in words.gap(k):
            return None
    return None


def _unlisted(scene: Scene, j: int) -> Participant | None:
    """توفي الكسائي: after a verb of life and death a word with the article names somebody, though no table knows him."""
    words = scene.words
    if j >= len(words) or j in scene.cast.covered or j in scene.places or words.gap(j).strip():
        return None
    word = words.folded[j]
    if not word.startswith("ال") or len(word) < 5 or word in _NOT_UNLISTED or word.endswith(("ات", "ون")):
        return None
    return Participant(j, j + 1, words.starts[j], words.ends[j], None, "ms", "", "person", words.surface(j, j + 1))


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
    if topic is None and i:  # خالد بن الأعلم، حليف لهم، قتله قزمان
        last = next(cast.before(i), None)
        if last is not None and i - last.after <= 4 and not any(k in scene.forms for k in range(last.after, i)):
            topic = last
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
        and not words.folded[min(later.after, len(words) - 1)].startswith("ال")  # مسروق بن أبرهة ملك اليمن
    )
