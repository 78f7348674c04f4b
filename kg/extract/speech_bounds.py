"""Where direct speech begins and ends without quotation marks, and who is meant where it opens."""

from kg.extract.participants import Participant
from kg.extract.scene import Scene, Speech, agrees
from kg.extract.verb_reading import fitting_forms
from kg.text import Words

__all__ = ["closes", "first_name", "is_reached", "long_aside", "resumes", "stops"]


def resumes(scene: Scene, i: int, who: str, current: Speech | None) -> bool:
    """Whether the verb of saying at word ``i`` is the teller's who goes on (قالت: فلما خرجا, قال: ثم مضى فلان): after it a
    story verb of the third person with fa- or after *then*, no speaker named, and the teller may be meant."""
    words = scene.words
    if i + 2 >= len(words) or (current is not None and current.quoted):
        return False
    teller = scene.teller(i)
    if teller is not None and not agrees(teller.who, who):
        return False
    j = i + 2 if words.folded[i + 1] == "ثم" else i + 1
    if words.folded[i + 1] == "فلما":
        return True
    forms = fitting_forms(words, j, scene.conjugation) if j not in scene.cast.covered else ()
    if not forms or not forms[0].past or forms[0].who[0] != "3":
        return False
    return j == i + 2 or forms[0].before == "ف"


def is_reached(words: Words, named: Participant, i: int) -> bool:
    """Whether word ``i`` names whom news reaches: he is who acts next."""
    before = words.folded[i - 2] if i > 1 and words.folded[i - 1] == "ذلك" else words.folded[i - 1] if i else ""
    return before in ("بلغ", "فبلغ", "وبلغ") and named.before == "" and named.case != "nom"


def first_name(scene: Scene, j: int) -> Participant | None:
    """Whom a bare first name at word ``j`` means that no table knows: him whose whole name the passage gave before (قال أبىّ)."""
    words = scene.words
    if j >= len(words) or j in scene.cast.covered:
        return None
    for participant in scene.cast.before(j):
        k = participant.first
        if participant.after > k + 1 and words.folded[k] == words.folded[j] and words.folded[k + 1] in ("بن", "ابن", "بنت"):
            return participant
    return None


def long_aside(scene: Scene, i: int) -> bool:
    """Whether a round bracket before word ``i`` holds words said, and not an editor's (قال)."""
    return all(j in scene.aside for j in range(i, min(i + 4, len(scene.words))))


def closes(scene: Scene, speech: Speech, i: int, word: str) -> bool:
    """Whether the story goes on at word ``i`` after unquoted speech."""
    following = scene.words.folded[i + 1] if i + 1 < len(scene.words) else ""
    if word in ("فلما", "فبينا", "فبينما") or (following == "رضي" and i not in scene.cast.covered):
        return True
    if word == "ثم" and not speech.personal and speech.speaker is not scene.teller(i):
        forms = scene.conjugation.read(following)
        if forms and forms[0].past and forms[0].who in ("1s", "1p") and scene.telling(i) in scene.first_person:
            return True
    if word == "ثم" and following == "ان":
        return not speech.personal or i + 2 in scene.cast.at
    if word.startswith("ف") and not speech.personal:
        forms = scene.conjugation.read(word)
        if forms and forms[0].past and forms[0].who[0] == "3":
            named = scene.cast.at.get(i + 1)
            return "." in scene.words.gap(i) or (named is not None and named.before == "" and named.case != "acc")
    return "." in scene.words.gap(i) and word in ("ثلاثا", "مرتين", "قالها")


def stops(words: Words, i: int) -> bool:
    """Whether a sentence ends before word ``i``."""
    return any(mark in words.gap(i) for mark in '.؟?!"«»')
