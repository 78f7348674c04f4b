"""Who speaks at each word of a story, and to whom; who does what each verb says.

Speech opens at a verb of saying and ends at the closing quotation mark, or where the texts have none at the next verb of saying
outside it, at 'and when' (فلما) and at 'then So-and-so' (ثم إن). Where قال names nobody the speakers take turns.
"""

from collections.abc import Sequence, Set
from itertools import islice

from kg.extract.doers import candidate, subject_of
from kg.extract.participants import Cast, Participant, after_honorific, before_honorific
from kg.extract.scene import Scene, Speech, Teller, agrees
from kg.extract.speech_bounds import closes, first_name, is_reached, long_aside, resumes, stops
from kg.extract.verb_reading import chosen_form, fitting_forms, is_noun, is_unclear
from kg.extract.verbs import Conjugation, Form
from kg.text import Words

__all__ = ["scene_of"]


_SAYING = {
    f"{before}{word}": who
    for before in ("", "و", "ف")
    for word, who in {
        "قال": "3ms", "قالت": "3fs", "قلت": "1s", "قالوا": "3mp", "قلنا": "1p", "قالا": "3md",
        "يقول": "3ms", "تقول": "3fs", "اقول": "1s", "قلن": "3fp",
    }.items()
}  # fmt: skip  # fmt: skip


_TO_PRONOUN = {"له": "3ms", "لها": "3fs", "لهم": "3mp", "لهما": "3md", "لي": "1s", "لنا": "1p", "لك": "2ms", "لهن": "3fp"}


_RESUMING = frozenset({"قال", "قالت", "قالوا"})


_QUOTES = '"“”«»()'


_DOUBT = frozenset({"احسبه", "اظنه", "اراه", "او", "واحسبه", "واظنه"})


_OF_MYSELF = frozenset(
    {"كنت", "كنا", "وكنت", "وكنا", "انا", "وانا", "معي", "عندي", "اعتكفنا", "صلينا", "صليت", "سمعنا", "راينا", "اتينا", "قدمنا"}
)


_NO_VERBS = frozenset(
    "فيه فيها فيهم وفيه وفيها وفيهم ومعه ومعها ومعهم وله ولها ولهم وعنده وعندها وهو فهو وهي واذا فاذا وعليه وعليها وبه ومنه ومنهم "
    "وانا ونحن وهم وهما وامه وابوه واسمه وكنيته وخاله وعمه واخوه فلما ولما وحين وان فان ولكن".split()
)


_SAID_I = frozenset({"قلت", "فقلت", "وقلت", "كنت", "وكنت", "فكنت", "معي", "عندي"})


_BEFORE_SPEAKER = frozenset(
    {
        "جعل",
        "فجعل",
        "وجعل",
        "طفق",
        "فطفق",
        "كان",
        "وكان",
        "ان",
        "وان",
        "فان",
        "لكن",
        "عن",
        "وعن",
        "سمعت",
        "سمع",
        "حدثنا",
        "حدثني",
        "اخبرنا",
        "اخبرني",
        "سمعنا",
    }
)


_EMBEDDING = frozenset({"حين", "ان", "الذي", "التي", "لان", "حيث", "الذين", "بما", "ما", "مما"})


_COPULAS = frozenset({"وكان", "وكانت", "كان", "كانت", "فكان"})


_NOUN_AFTER = frozenset(
    {"في", "الي", "علي", "عن", "بعد", "قبل", "كل", "بين", "عند", "بعض", "غير", "اي", "ذي", "ذات", "بغير", "يوم", "كان"}
)


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
    quote_open = bracketed = False
    unmarked = not any(mark in words.text for mark in ".،,")  # an edition without signs
    telling = {teller.first: teller for teller in tellers}
    honouring = scene.honouring = {j for p in cast.everyone for j in range(p.after, after_honorific(words, p.after))}
    for i, word in enumerate(folded):
        if word in _SAID_I and i not in skipped:
            scene.first_person.add(scene.telling(i))
    for i, word in enumerate(folded):
        gap = words.gap(i) if i == 0 or starts[i] - ends[i - 1] > 1 else " "
        if i in telling:
            current, outer, last, subject, subject_before, quote_open = None, None, None, None, None, False
            if telling[i].quotes is not None:
                current, opening = Speech(telling[i].quotes, telling[i].who, i), i - 1
            elif i and folded[i - 1] in ("قال", "يقول") and i in cast.at and cast.at[i].kind == "prophet":
                current = Speech(cast.at[i], scene.teller(i), after_honorific(words, cast.at[i].after))  # قال | رسول الله …
                opening = current.first - 1
            elif word == "يا" and i + 1 in cast.at:  # the report opens with what the teller said to somebody
                current = Speech(scene.teller(i), cast.at[i + 1], i)
        if len(gap) > 1 and any(mark in gap for mark in _QUOTES):
            for mark in gap:
                if mark not in _QUOTES or (mark == "(" and not long_aside(scene, i)) or (mark == ")" and not bracketed):
                    continue
                bracketed = mark == "("
                quote_open = mark in "“«(" or (mark == '"' and not quote_open)
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
        if outer is not None and word[0] in "فو" and (unmarked or any(mark in gap for mark in ".،,")):
            current, outer = outer, None  # words quoted within a speech end with their clause
        who = _SAYING.get(word) if i == 0 or folded[i - 1] not in _DOUBT else None
        if who is not None and word in _RESUMING and resumes(scene, i, who, current):
            before = current or last
            goes_on = who == "3fs" and scene.teller(i) is None and before is not None and not _is_man(before.speaker)
            last, outer, opening = before, None, i
            current = Speech(before.speaker, None, i + 1) if goes_on and before is not None else None
            continue
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
        if current is not None and not current.quoted and outer is None and closes(scene, current, i, word):
            last, answering, acted = current, current.addressee, False
            current = None
        scene.speech[i] = current
        if word == "يا" and current is not None and i + 1 in cast.at and i - current.first < 4:
            current.addressee = cast.at[i + 1]
        forms: tuple[Form, ...] = ()
        if i not in cast.covered and (i == 0 or word[0] == "ف" or folded[i - 1] not in _NOUN_AFTER) and not is_noun(words, i):
            forms = fitting_forms(words, i, conjugation)
        if word in _COPULAS and current is None and i + 1 in cast.at:  # وكان رافع من أهل العقبة فكان يقول
            topic = cast.at[i + 1]
            known = topic.before == "" and topic.kind in ("person", "group", "prophet") and topic.key not in transmitters
            if known and not topic.same(subject):
                subject, subject_before = topic, subject
        if current is None and i in cast.at and is_reached(words, cast.at[i], i) and not cast.at[i].same(subject):
            subject, subject_before = cast.at[i], subject  # بلغ عبد الله بن سلام مقدم النبي فأتاه
        if (
            current is None
            and i in cast.at
            and i - 1 not in scene.forms
            and _acts(words, cast.at[i], i)
            and not cast.at[i].same(subject)
        ):
            subject, subject_before, acted = cast.at[i], subject, True
        if current is None and word in _OF_MYSELF:
            scene.first_person.add(scene.telling(i))
        if current is not None and (word in ("اني", "انا", "لي", "بيني", "كنت") or (forms and forms[0].who in ("1s", "1p"))):
            current.personal = True
        if (
            forms
            and forms[0].who == "3md"
            and any(k in scene.forms and scene.forms[k][0].verb == forms[0].verb for k in range(max(0, i - 4), i))
        ):
            forms = ()  # مرض مرضا: the verbal noun
        if forms:
            form = chosen_form(words, i, forms)
            if form.who == "1p":
                form = _done_to_us(scene, i, form, forms)
            if form.who == "3fs" and form.past and form.verb not in ("توفي", "سمي") and is_unclear(words, i):
                scene.unclear.add(i)
            if form.who in ("1s", "1p") and current is None:
                scene.first_person.add(scene.telling(i))
            scene.forms[i] = (form, *(other for other in forms if other is not form))
            main = subject
            doer = subject_of(scene, i, form, subject, answering if current is None and not acted else None)
            scene.subjects[i] = doer
            scene.running[i] = main
            scene.previous[i] = main if main is not None and not main.same(doer) else subject_before
            if form.who[0] == "3" and doer is not None and (i == 0 or folded[i - 1] not in _EMBEDDING) and not _inside(current):
                acted = acted or current is None
                if not doer.same(subject):
                    subject, subject_before = doer, subject
    return scene


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
            first = first_name(scene, j) if speaker is None and who == "3ms" else None
            if first is not None:
                speaker, j = first, j + 1
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
            and not stops(words, i)
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
            speaker = candidate(scene, i, who)
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
            near = next(
                (p for p in islice(cast.before(i), 6) if i - 14 <= p.first and not p.same(speaker) and not p.members), None
            )
            teller = scene.teller(i)
            addressee = near if near is not None else teller if teller is not None and not teller.same(speaker) else None
    return Speech(speaker, addressee, j)


def _acts(words: Words, named: Participant, i: int) -> bool:
    """Whether a name in the nominative after a word of no table is the subject of a verb that is not known: فتولاه جبريلُ."""
    before = words.folded[i - 1] if i else ""
    return (
        (named.case, named.before) == ("nom", "")
        and len(before) > 2
        and before[0] in "فو"
        and before not in _NO_VERBS
        and named.kind in ("person", "prophet", "noun")
    )


def _done_to_us(scene: Scene, i: int, form: Form, forms: tuple[Form, ...]) -> Form:
    """خطبنا: we betrothed, or he addressed us, which the vowel before -na tells."""
    other = next((f for f in forms if f.who == "3ms" and f.past and f.whom == "1p"), None)
    if other is None:
        return form
    surface = scene.words.surface(i, i + 1)
    position = surface.rfind("ن")
    if position > 0 and surface[position - 1] in "\u064e\u0652":
        return other if surface[position - 1] == "\u064e" else form
    return form


def _inside(speech: Speech | None) -> bool:
    """Whether what is told stands between quotation marks: it does not move the story on."""
    return speech is not None and speech.quoted


def _is_man(participant: Participant | None) -> bool:
    return participant is None or participant.who != "fs"
