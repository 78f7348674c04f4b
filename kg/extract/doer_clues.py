"""What in a clause tells who does what its verb says: a topic, an order, a nominative, a name of no table, the speech it stands in."""

from kg.extract.participants import Cast, Participant, after_honorific, before_honorific
from kg.extract.scene import Scene, agrees, joined
from kg.extract.verbs import Form
from kg.text import Words

__all__ = [
    "agrees_with_form",
    "announced",
    "by_nisba",
    "is_sent",
    "nominative",
    "object_first",
    "of_the_speech",
    "ordered",
    "topic_of",
    "unknown_name",
    "unlisted",
]


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

_OPENERS = frozenset({"ان", "وان", "فان", "لان", "كان", "وكان", "فكان", "كانت", "وكانت", "لكن", "ولكن"})

_NOT_UNLISTED = frozenset(
    "اليوم الليله البارحه المدينه الجمعه الخميس الاثنين السبت الاحد العيد الخندق المشاهد السلام الصلاه العقبه "
    "القيامه الفجر العصر الظهر المسجد البيت الكوفه البصره الولد الذي التي الذين الناس الان".split()
)

_VOWEL_MARKS = "\u064b\u064c\u064d\u064e\u064f\u0650\u0651\u0652"


_DONE_TO = frozenset({"قتل", "اسر", "طعن", "ضرب", "اصاب", "شتم", "اعتق", "سبي", "زوج", "جرح"})


def of_the_speech(scene: Scene, i: int, form: Form) -> Participant | None:
    """Who is I, we, you or you two at the verb at word ``i``: with those who are joined to the pronoun (جئت أنا وأبو بكر)."""
    words, cast = scene.words, scene.cast
    one = scene.speaker(i) if form.who[0] == "1" else scene.addressee(i)
    pronoun = "انا" if form.who[0] == "1" else "انت"
    near = range(i + 1, min(i + 9, len(words))) if form.who != "2d" else range(max(0, i - 12), min(i + 4, len(words)))
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


def announced(words: Words, cast: Cast, i: int) -> bool:
    """Whether the name before the verb at word ``i`` opens its clause: أن فلانا توفي."""
    ending = cast.ending.get(before_honorific(words, i - 1)) if i else None
    return ending is not None and ending.first > 0 and words.folded[ending.first - 1] in ("ان", "وان")


def topic_of(scene: Scene, i: int) -> Participant | None:
    """Whom أن or كان before his name makes the subject of the verb at word ``i``."""
    words = scene.words
    k = i - 2 if i > 1 and words.folded[i - 1] in ("قد", "لقد") else i - 1
    if k < 1:
        return None
    if k == i - 2 or "،" in words.gap(i):
        far = _far_topic(scene, i)
        if far is not None:
            return far
    last = before_honorific(words, k)
    for participant in (scene.cast.ending.get(last), scene.cast.series_ending.get(last)):
        if (
            participant is not None
            and participant.first
            and words.folded[participant.first - 1] in _OPENERS
            and participant.before == ""
        ):
            return participant
    return None


def _far_topic(scene: Scene, i: int) -> Participant | None:
    """وكان ربيعة بن حرام من عذرة قد قدم: who stands behind كان is the subject though his tribe or a remark comes between."""
    words = scene.words
    for k in range(i - 2, max(-1, i - 17), -1):
        if "." in words.gap(k + 1) or k in scene.forms:
            return None
        if words.folded[k] in ("كان", "وكان", "كانت", "وكانت"):
            named = scene.cast.at.get(k + 1)
            return named if named is not None and named.before == "" and named.case in ("", "nom") else None
    return None


def ordered(scene: Scene, i: int, form: Form) -> Participant | None:
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


def unlisted(scene: Scene, j: int, who: str) -> Participant | None:
    """توفي الكسائي, توفيت جويرية: after a verb of life and death a word with the article, or after its feminine one in ta marbuta,
    names somebody, though no table knows him."""
    words = scene.words
    if j >= len(words) or j in scene.cast.covered or words.gap(j).strip():
        return None
    word = words.folded[j]
    woman = who == "3fs" and word.endswith("ه") and words.surface(j, j + 1).rstrip(_VOWEL_MARKS).endswith("ة")
    if not (word.startswith("ال") or woman) or len(word) < 5 or word in _NOT_UNLISTED or word.endswith(("ات", "ون")):
        return None
    return Participant(
        j, j + 1, words.starts[j], words.ends[j], None, "fs" if woman else "ms", "", "person", words.surface(j, j + 1)
    )


def by_nisba(scene: Scene, j: int, who: str) -> Participant | None:
    """خرج مرحب اليهودي: a name of no table before a word that says of what people he is."""
    words, people = scene.words, scene.cast.at.get(j + 1)
    if people is None or (people.kind, people.before, people.who) != ("noun", "", who[1:]) or j in scene.cast.covered:
        return None
    word = words.folded[j]
    if not words.folded[j + 1].startswith("ال") or not words.folded[j + 1].endswith(("ي", "يه")) or words.gap(j + 1).strip():
        return None
    if word in _NOT_NAMES or len(word) < 3 or word.startswith("ال") or word[0] in "وفبلي" or scene.conjugation.read(word):
        return None
    return Participant(j, people.after, *words.span(j, people.after), None, who[1:], "", "person", words.surface(j, people.after))


def nominative(scene: Scene, j: int) -> Participant | None:
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
        or words.folded[j][0] == "ي"  # أتاهم يصلحُ بينهم
        or (scene.conjugation.read(words.folded[j]) and words.folded[j][0] in "اتنوف")
    ):
        return None
    return Participant(j, j + 1, words.starts[j], words.ends[j], None, "xx", "", "thing", words.surface(j, j + 1), "nom")


def unknown_name(scene: Scene, i: int) -> Participant | None:
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
    if scene.forms[i][0].verb not in _DONE_TO or word.endswith(("ا", "ين")):
        return None
    if word in _NOT_NAMES or word[0] in "وفبلي" or len(word) < 3 or word.startswith("ال"):
        return None
    return Participant(j, j + 1, words.starts[j], words.ends[j], None, "ms", "", "person", words.surface(j, j + 1))


def is_sent(words: Words, named: Participant) -> bool:
    """بعث زيادا إلى حضرموت: whom a verb of sending names before the place is sent, unless his name is a nominative or the Prophet's."""
    if named.case == "nom" or named.kind == "prophet" or named.before:
        return False
    return bool({"الي", "علي"} & set(words.folded[named.after : named.after + 6]))


def object_first(words: Words, cast: Cast, named: Participant, form: Form) -> bool:
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
