"""The steps of a pattern tried at a word, and whether what the word says is told, denied or supposed."""

from collections.abc import Sequence

from kg.extract.event_types import Element
from kg.extract.participants import Participant, after_honorific, before_honorific
from kg.extract.roles import RoleReader
from kg.extract.scene import Scene
from kg.extract.verbs import Form
from kg.text import Words

__all__ = ["by_god", "clause_end", "match", "opens_speech", "passive_kind", "times_said", "unreal"]


_NEGATIONS = frozenset({"لم", "ولم", "فلم", "لا", "ولا", "فلا", "ما", "وما", "فما", "لن", "ولن", "ليس", "الم", "افلم", "لما"})


_CONDITIONS = frozenset(
    {
        "اذا",
        "واذا",
        "فلو",
        "لو",
        "ولو",
        "من",
        "ومن",
        "فمن",
        "ان",
        "وان",
        "فان",
        "متي",
        "كلما",
        "ايما",
        "حيثما",
        "مهما",
        "لين",
        "ولين",
        "كمن",
        "لمن",
        "ممن",
        "فيمن",
    }
    | {"اكان", "لعل", "عسي", "هل", "نعلم", "ادري", "فيما", "بما", "مما", "فهل", "ايهما", "ايكم", "كالذي", "كما", "مثل"}
)


_TIMES_SAID = {"ثلاثا": 3, "مرتين": 2, "مرارا": 3, "ثلاث": 3}


_CONDITIONAL = frozenset({"ان", "اذا", "واذا", "فاذا", "من", "ومن", "فمن", "لو", "ولو", "فلو", "ايما", "وان", "كلما"})


_CONDITION_REACH = 24


_WINDOW = 9


def match(
    words: Words, scene: Scene, rest: Sequence[Element], n: int, j: int
) -> tuple[int, dict[str, Participant | tuple[int, int]]] | None:
    """Matches the steps from ``n`` on at word ``j``: the word after the match and what the slots hold. Gaps are bounded, so is the work."""
    if n == len(rest):
        return j, {}
    element = rest[n]
    folded = words.folded
    if element.kind == "gap":
        k = j
        for _ in range(element.length + 1):
            if k > j and k - 1 in scene.forms and scene.forms[k - 1][0].past and (folded[k - 1][0] in "فو" or k - 1 > j):
                return None  # a new clause
            found = match(words, scene, rest, n + 1, k)
            if found is not None or k >= len(folded):
                return found
            player = scene.cast.series.get(k) or scene.cast.at.get(k)  # a name counts as one word
            k = after_honorific(words, player.after) if player is not None else k + 1
        return None
    if j < len(folded):
        if "." in words.gap(j) and not words.text[words.ends[j - 1] - 1].isdigit() and element.kind == "slot":
            return match(words, scene, rest, n + 1, j) if element.optional else None  # who is named in the next sentence
        if element.kind == "place" and j in scene.places:
            found = match(words, scene, rest, n + 1, scene.places[j])
            if found is not None:
                return found
        elif element.kind != "slot" and _word_fits(scene, element, j):
            found = match(words, scene, rest, n + 1, j + 1)
            if found is not None:
                return found
        elif element.kind == "slot" and j in scene.cast.at and _particle_fits(element, scene.cast.at[j]):
            player = scene.cast.series.get(j)
            if player is not None:
                found = match(words, scene, rest, n + 1, after_honorific(words, player.after))
                if found is not None:
                    return max(found[0], player.after), {element.role: player, **found[1]}
            player = scene.cast.at[j]
            found = match(words, scene, rest, n + 1, after_honorific(words, player.after))
            if found is None and after_honorific(words, player.after) != player.after:
                found = match(words, scene, rest, n + 1, player.after)
            if found is not None:
                after = max(found[0], player.after)
                return after, {element.role: player, **found[1]}
        elif element.kind == "span" and j + element.length <= len(folded):
            found = match(words, scene, rest, n + 1, j + element.length)
            if found is not None:
                return found[0], {element.role: (j, j + element.length), **found[1]}
    return match(words, scene, rest, n + 1, j) if element.optional else None


def _word_fits(scene: Scene, element: Element, j: int) -> bool:
    """Whether one word is what a step asks for: a word, a form of a verb, a word of the Quran."""
    if element.kind == "word":
        if scene.words.folded[j] in element.mine:
            return j in scene.on_me
        return scene.words.folded[j] in element.words and (element.upon_me or j not in scene.on_me)
    if element.kind == "verb":
        return any(form.verb in element.words for form in scene.forms.get(j, ()))
    return element.kind == "quran" and j in scene.quran


def _particle_fits(element: Element, player: Participant) -> bool:
    if element.particle:
        return player.before.endswith(element.particle)
    return player.before in ("", "و", "ف")


def opens_speech(words: Words, scene: Scene, i: int) -> bool:
    """Whether word ``i`` is the first that somebody said once, not what he used to say or whoever says."""
    speech = scene.speech[i]
    return speech is not None and speech.first == i and not {"اذا", "كان", "واذا", "فاذا"} & set(words.folded[max(0, i - 14) : i])


def unreal(words: Words, scene: Scene, i: int, form: Form | None) -> str:
    """Whether what word ``i`` says is ``denied``, or ``supposed`` (asked, a condition or what follows on one); empty where it is told."""
    if i == 0:
        return ""
    folded = words.folded
    before = folded[i - 1]
    speech = scene.speech[i]
    if form is not None and form.who == "3ms" and speech is not None and i + 1 < len(folded) and _commands(words, i):
        return "supposed"
    if form is not None and form.who[0] == "2" and _answered_no(words, i):
        return "denied"
    earlier = scene.forms.get(i - 1)
    if earlier and not earlier[0].past and form is not None and not form.before and before[0] in "يتن" and words.gap(i) == " ":
        return "denied"  # لن تستطيع قتله: a verbal noun
    if before == "لما" and form is not None and form.who[0] == "2":
        return "supposed"  # لا مانع لما أعطيت: for what thou givest
    if form is not None and form.past and form.whom and not form.before and _is_asked_for(words, scene, i):
        return "supposed"
    if before == "ما" and i > 1 and folded[i - 2] in ("اول", "بعد", "حين", "قبل", "عند", "كل"):
        return ""
    when = before == "لما" and (form is None or form.past)
    if before in _NEGATIONS and not when and not (folded[i].startswith("ف") or any(mark in words.gap(i) for mark in ".،,؟")):
        return "denied"
    until = before == "اذا" and i > 1 and folded[i - 2] == "حتي"  # حتى إذا: until, when at last
    if (not until and before in (_CONDITIONS if form is not None else {"اذا", "لو", "واذا"})) or "لو" in folded[
        max(0, i - 4) : i
    ]:
        return "supposed"
    earliest = max(0, scene.telling(i))
    if before == "فقد" and any(
        folded[j] in ("ان", "وان", "فان") and j + 1 in scene.forms for j in range(max(earliest, i - 8), i - 2)
    ):
        return "supposed"  # إن أستخلف فقد استخلف
    if before == "الا" and not _NEGATIONS.isdisjoint(folded[max(earliest, i - 14) : i - 1]):
        return "supposed"  # ولا يريدها ملك إلا هلك
    if _of_the_last_day(scene, i):
        return "supposed"
    for j in range(i - 1, max(earliest, i - _CONDITION_REACH) - 1, -1):
        if any(mark in words.gap(j + 1) for mark in '."') or folded[j] in ("قال", "فقال", "قالت"):
            break
        if folded[j] == "ثم" and (speech is None or not speech.quoted):
            break
        if folded[j] == "اذا" and j and folded[j - 1] == "حتي":
            continue
        if folded[j] == "اذا" and j and folded[j - 1] in ("كان", "وكان") and _is_past_the_habit(scene, j, i, form):
            continue
        if folded[j] in ("لولا", "فلولا", "ولولا") or (folded[j] in _CONDITIONAL and _opens_condition(words, scene, j)):
            return "supposed"
    asked = (
        i > 1 and folded[i - 2] in ("اذا", "من", "ومن", "لو", "فمن") and before in ("كان", "كانت", "ما", "قد", "احدكم", "الرجل")
    )
    return "supposed" if asked else ""


def _commands(words: Words, i: int) -> bool:
    """Whether an unvowelled form in speech is a command: أسلم يا ثمامة, يا بن أخي، انطلق بنا."""
    folded = words.folded
    if folded[i + 1] == "يا" or (
        folded[i + 1] == "بنا" and not any("\u064b" <= letter <= "\u0652" for letter in words.surface(i, i + 1))
    ):
        return True
    return "،" in words.gap(i) and "يا" in folded[max(0, i - 5) : i]


def _is_past_the_habit(scene: Scene, j: int, i: int, form: Form | None) -> bool:
    """وكان إذا نام نفخ فأتاه بلال: after condition and consequence a named man's act with fa- is told."""
    named = scene.cast.at.get(i + 1)
    if form is None or not form.past or form.before != "ف" or named is None or named.before or named.kind == "noun":
        return False
    return sum(k in scene.forms for k in range(j + 1, i)) >= 1 and i - j > 2


_ASKING_FOR = frozenset({"سال", "اراد", "استاذن", "عزم", "اجمع"})


def _is_asked_for(words: Words, scene: Scene, i: int) -> bool:
    """سأله رجل قتله, أرادوا قتله: what looks like a verb with a pronoun is the act that somebody asks for or wants."""
    j = i - 1
    while j > i - 6 and j >= 0:
        last = before_honorific(words, j)
        named = scene.cast.ending.get(last)
        if j in scene.forms or any(mark in words.gap(j + 1) for mark in ".،:"):
            break
        if named is None:
            return False
        j = named.first - 1
    return j >= 0 and j in scene.forms and scene.forms[j][0].verb in _ASKING_FOR and not words.gap(i).strip()


def _answered_no(words: Words, i: int) -> bool:
    """Whether what somebody asks is answered with no: طلقت نساءك قال لا."""
    near = words.folded[i + 1 : i + 8]
    return any(word in ("قال", "قالت", "فقال") and near[n + 1 : n + 2] == ["لا"] for n, word in enumerate(near))


_LAST_DAY = frozenset({"القيامه", "فيقول", "فيقولون", "فيقال", "ويقال", "فيوتي", "لياتين", "تقوم", "الساعه", "الدجال"})


def _of_the_last_day(scene: Scene, i: int) -> bool:
    """Whether word ``i`` stands in quoted words after such as tell what will be: يوم القيامة, فيقول, تقوم الساعة."""
    speech = scene.speech[i]
    if speech is None or not speech.quoted:
        return False
    return not _LAST_DAY.isdisjoint(scene.words.folded[max(speech.first, i - 60) : i])


def _opens_condition(words: Words, scene: Scene, j: int) -> bool:
    """Whether a conditional particle at word ``j`` has its verb after it (من قتل, إن اشترى; not من أجل)."""
    if words.folded[j] in ("لو", "ولو", "فلو"):
        return True
    if words.folded[j].endswith("ان") and "\u0623" in words.surface(j, j + 1):
        return False  # أُمرت أن أستغفر: that, not if
    if words.folded[j] in ("اذا", "واذا", "فاذا") and words.folded[j + 1 : j + 2] in (["كان"], ["كانت"], ["لم"], ["كنتم"]):
        return True
    if j + 1 not in scene.forms or words.folded[j + 1] == "اجل":
        return False
    if words.folded[j] == "من" and j:  # تسمية من شهد العقبة: those who, not whoever
        opening = (
            words.gap(j).strip()
            or words.folded[j - 1] in ("قال", "يقول", "فقال", "ان", "انه", "الا", "وقال")
            or scene.telling(j) == j
        )
        if not opening or j - 1 in scene.cast.ending or (j > 1 and words.folded[j - 1] in ("رجلا", "رجل", "ناسا", "ناس", "قوما")):
            return False
    return scene.forms[j + 1][0].past or words.folded[j] not in ("من", "ان")


def by_god(words: Words, scene: Scene, i: int, form: Form) -> bool:
    """Whether God does what the verb at word ``i`` says (أعطاه الله, إن الله حرم): what is believed, no event among people."""
    folded = words.folded
    if i + 1 < len(folded) and folded[i + 1] in ("عز", "ربي", "ربك", "ربنا", "تعالي"):
        return True
    if i + 1 < len(folded) and folded[i + 1] == "الله":
        return not words.surface(i + 1, i + 2).endswith("\u064e")  # سأل اللهَ
    k = i - 2 if i > 1 and folded[i - 1] in ("قد", "عز", "وجل", "تعالي", "لقد") else i - 1
    while k > 1 and folded[k] in ("عز", "وجل", "تعالي", "تبارك", "وتعالي"):
        k -= 1
    said = k > 0 and folded[k] == "الله" and k not in scene.cast.covered and k not in scene.honouring
    return said and folded[k - 1] in ("ان", "وان", "فان", "لان", "لكن", "ولكن", "كان") and form.who == "3ms"


def passive_kind(words: Words, i: int, form: Form, roles: RoleReader) -> str:
    """Whether a verb is passive: its first vowel is u; in unvowelled text where nobody is named to whom it could be done."""
    start = words.inside(i, len(form.before)) if form.before else words.starts[i]
    letters = words.text[start : words.ends[i]]
    marks = [letter for letter in letters if "\u064b" <= letter <= "\u0652"]
    if len(marks) >= 2:
        first = next((letter for letter in letters[1:3] if "\u064b" <= letter <= "\u0650"), "")
        if first != "\u064f" or not form.past:
            return ""
        # قُلْتُ is active: of I and you only what has a kasra before its ending (أُعْطِيتُ)
        return "vowelled" if form.who[0] == "3" or "\u0650" in letters[2:-2] else ""
    if form.whom or form.who[0] != "3" or letters.endswith("ى"):
        return ""
    if form.verb == "اتي" and form.past and form.who == "3ms" and "ى" in words.text:
        return "vowelled"  # أتي به, in an edition that writes أتى otherwise
    subject = roles.subject(i)
    alone = roles.object(i, form, subject) is None and subject is not None and subject.first in range(i + 1, i + 4)
    return "likely" if alone else ""


def times_said(words: Words, after: int) -> int | None:
    for j in range(after, min(after + 5, len(words))):
        word = words.folded[j]
        if word in _TIMES_SAID:
            return _TIMES_SAID[word]
        if word in ("فقال", "ثم", "وقال"):
            return None
    return None


def clause_end(words: Words, scene: Scene, trigger: int, after: int) -> int:
    """The offset where the clause of a trigger ends: at a full stop, at the next story verb, or after a few words."""
    last = min(len(words), max(after, trigger + 1) + _WINDOW)
    for j in range(after, last):
        if "." in words.gap(j):
            return words.starts[j]
        word = words.folded[j]
        if (
            word in ("ثم", "فلما")
            or (j in scene.forms and scene.forms[j][0].past and (word[0] in "فو" or "،" in words.gap(j)))
            or word in ("قال", "فقال", "قالت")
        ):
            return words.starts[j]
    return words.ends[last - 1] if last else 0
