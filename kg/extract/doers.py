"""Who does what a verb says, where it names him, where it does not, and where the word order misleads."""

from kg.extract.doer_clues import (
    agrees_with_form,
    announced,
    by_nisba,
    is_sent,
    nominative,
    object_first,
    of_the_speech,
    ordered,
    topic_of,
    unknown_name,
    unlisted,
)
from kg.extract.participants import Participant, after_honorific, before_honorific, prophet_honoured
from kg.extract.scene import Scene, agrees, joined
from kg.extract.verbs import Form

__all__ = ["candidate", "subject_of"]


_LIGHT = frozenset(
    "بي له لها لي لنا لهم لهما لك اليه اليها اليهم اليك اليهما عليه عليها عليهم عليك علينا "
    "منه منها منهم مني به بها بهم بهما فيه معه معها عنه عنها عنده ذلك يومئذ يوميذ اذ قد ايضا اليوم الليله البارحه غدا بنا لنا بالناس باصحابه".split()
)


_PREPOSITIONS = frozenset({"مع", "عند", "الي", "علي", "عن", "من", "خلف", "وراء"})


_SENDING = frozenset({"بعث", "استعمل", "ولي", "امر"})


_APPOINTING = frozenset({"استعمل", "استخلف", "امر", "ولي", "خلف"})


_FOUND = frozenset({"وجد", "راي", "ادرك", "ترك", "لقي"})  # فوجده قد مات: whom he found, not he who found


_TOPICS = frozenset({"اما", "واما", "فاما"})


_BECOMING = frozenset({"صار", "وصار", "فصار", "وانا", "وهو"})  # وصار رجلا أتى مكة: what he became


_AUXILIARY = frozenset({"قد", "لقد", "كان"})


_FIGHTING = frozenset({"قاتل", "لقي", "هزم", "غزا", "قتل", "حاصر"})


_DYING = frozenset({"توفي", "مات", "ولد", "هلك", "استشهد"})


_COMING = frozenset({"قدم", "دخل", "خرج", "وفد", "ورد", "اقبل"})


_LIFE = frozenset({"توفي", "مات", "ولد", "اسلم", "هاجر", "شهد", "استشهد", "قتل", "دفن", "هلك", "قدم", "روي"})


def subject_of(
    scene: Scene, i: int, form: Form, subject: Participant | None, answering: Participant | None = None
) -> Participant | None:
    """Who does what a verb says: the speaker, the addressee, the name after or before it, or whom the story is at."""
    words, cast = scene.words, scene.cast
    if form.who[0] in "12":
        return of_the_speech(scene, i, form)
    speech = scene.speech[i]
    if speech is not None and i == speech.first and form.before == "و" and form.past and speech.speaker is not None:
        beside = agrees(speech.speaker.who, form.who) and not (i + 1 in cast.at and cast.at[i + 1].before == "")
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
    by_order = ordered(scene, i, form)
    if by_order is not None:
        return by_order
    j = i + 1
    while j + 1 < len(words) and j - i < 5:
        if words.folded[j] in _LIGHT or j in scene.on_me:
            j += 1
        elif words.folded[j] == "فيما" or (words.folded[j] == "من" and words.folded[j + 1].startswith("عند")):
            j += 2  # قتله فيما يذكرون خبيب, خرج من عنده الجارود
        else:
            break
    topic = topic_of(scene, i)
    if topic is not None and not form.whom and form.before in ("", "ل") and agrees(topic.who, form.who):
        return topic  # أن عمر قتل رجلا, كان ضرار لحق عمر
    named = cast.at.get(j)
    fits = named is not None and (agrees(named.who, form.who) or (named.who[1] != "s" and form.who in ("3ms", "3fs")))
    if named is None and not form.whom and form.who in ("3ms", "3fs"):
        stranger = by_nisba(scene, j, form.who)
        if stranger is not None:
            return stranger
    if named is None and form.verb in _DYING and form.past and not form.whom:
        named = unlisted(scene, j, form.who)
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
        and is_sent(words, named)
        and agrees(subject.who, form.who)
    ):
        return subject
    if form.verb in _APPOINTING and i + 3 < len(words) and words.folded[i + 1] == "علي" and i + 1 not in scene.on_me:
        # استعمل على المدينة نميلة: whom a verb of appointing names after the place is appointed
        return subject if subject is not None and agrees(subject.who, form.who) else candidate(scene, i, form.who)
    met = scene.forms.get(i - 2 if i > 1 and words.folded[i - 1] in ("قد", "بعد", "يوميذ") else i - 1)
    if met and met[0].verb in _FOUND and met[0].whom.startswith("3") and agrees_with_form(met[0].whom, form.who):
        return scene.pronoun(i - 1, met[0].whom, other_than=subject)
    if i > 1 and words.folded[i - 1] in ("الذي", "التي") and not form.whom and named is not None and j == i + 1:
        antecedent = cast.ending.get(i - 2)
        return antecedent if antecedent is not None and agrees(antecedent.who, form.who) else None  # الذي زجر القوم
    later = cast.at.get(after_honorific(words, named.after)) if named is not None else None
    if later is not None and ":" in words.gap(later.first) and later.before == "" and agrees(later.who, form.who):
        return later  # قتل الحارث: النعمان بن عصر
    if (
        named is not None
        and named.before == ""
        and fits
        and (form.who[-1] not in "pd" or named.case == "nom")  # قتلوا فلانا: after a plural comes to whom it is done
        and named.case not in ("acc", "gen")
        and not object_first(words, cast, named, form)
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
        if later is not None and later.before == "" and later.case in ("", "nom") and _fits(later, form):
            return cast.series.get(later.first, later)  # أتى النبيَّ رجلٌ
    if j < len(words) and words.folded[j] == "رضي" and form.who == "3ms" and scene.protagonist is not None:
        return scene.protagonist
    if (
        scene.headword is not None
        and form.verb in _LIFE
        and agrees(scene.headword.who, form.who)
        and not announced(words, cast, i)
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
            and not (ending.kind == "noun" and ending.first and words.folded[ending.first - 1] in _BECOMING)
            and "." not in words.gap(i)
            and agrees(ending.who, form.who)
        ):
            return ending
    if j + 1 < len(words) and words.folded[j] in ("علي", "الي") and j + 1 in cast.at and j not in scene.on_me:
        k = after_honorific(words, cast.at[j + 1].after)
        late = cast.at.get(k)
        first = late is not None and (late.case == "nom" or late.kind == "noun" or (late.case == "" and form.verb in _COMING))
        if late is not None and late.before == "" and first and agrees(late.who, form.who):
            return late
        late = nominative(scene, k)
        if late is not None:
            return late
    stranger = nominative(scene, j)
    if stranger is not None:
        return stranger
    if form.past and form.whom.startswith("3") and j == i + 1:
        unknown = unknown_name(scene, i)
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
        came = scene.last_met(i, form.who, subject)
        if came is not None:
            return came  # استعمل رجلا فجاءه: the man who was just met comes back to him
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
        two = next((p for p in reversed(cast.series.values()) if p.first < i and len(p.members) == 2), None)
        if two is not None and i - two.first < 60:
            return two  # بعثوا عبد الله بن أبي ربيعة وعمرو بن العاص … فخرجا
        named = next((p for p in cast.before(i) if agrees(p.who, form.who)), None)
        return named if named is not None and i - named.first < 30 else scene.two(i)
    found = candidate(scene, i, form.who)  # تبعته حتى تحوز بداره: who says «I» is not «he» in his own words
    if form.verb in ("توفي", "مات", "ولد") and form.who == "3ms" and scene.telling(i) < 0 and scene.headword is None:
        # روى عنه فلان وفلان توفي سنة: of him whom the part that was not read is about, not of the last one named
        return found if found is not None and found is next(iter(cast.everyone), None) else None
    return found


def _fits(named: Participant, form: Form) -> bool:
    """Whether a name behind the verb may be its subject: before many the verb stands in the singular (فابتاع خبيبا بنو الحارث)."""
    return agrees(named.who, form.who) or (named.kind == "group" and form.who in ("3ms", "3fs"))


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
