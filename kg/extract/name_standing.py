"""Whether a single word that may be a common word is a name where it stands."""

from collections.abc import Set
from unicodedata import normalize

from kg.extract.name_grammar import FILIATION, NameGrammar, read_surroundings
from kg.text import Words

__all__ = ["SPEECH", "NameStanding", "names_the_prophet"]

SPEECH = frozenset(
    [
        "قال",
        "فقال",
        "وقال",
        "قالت",
        "فقالت",
        "وقالت",
        "يا",
        "عن",
        "حدثنا",
        "حدثني",
        "اخبرنا",
        "اخبرني",
        "سمعت",
        "سمع",
        "حدثه",
        "اخبره",
        "رايت",
        "لقيت",
        "وعن",
        "انبانا",
        "نا",
        "ثنا",
    ]
)
_AFTER_MUHAMMAD = frozenset(
    "رسول نبي عبده عبد صلي عليه ﷺ من في الي علي عن ان انه قد لا ما ثم او ام حتي الا هذا هو بشر بيده اذا اذ مع بعد قبل قال بن النبي".split()
)
_DONE_TO = frozenset(
    "ان كان لكن لعل قتل قتلت قتلوا اسر بعث بعثت سال سالت سالوا رايت راي لقي لقيت لقوا اتي اتيت اتينا دعا دعوت اخبر اخبرت امر امرت "
    "ضرب ضربت اعطي اعطيت تزوج اعتق ولي استعمل كلم كلمت ارسل حبس طعن استخلف نعي زوج خاصم شكا وعد تبع ادرك عاد غسل دفن كفن وجد وجدت".split()
)
_AFTER_DOER = frozenset({"النبي", "الله", "وسلم", "عنه", "عنها"})  # نعى النبي زيدا
_PEOPLE = frozenset(
    "رجل رجلا رجال رجالا ناس ناسا اناس قوم قوما نفر نفرا رهط امراه حي الحي غلام بطن هو وهو وهم هم سيد بني جاريه".split()
)
_HONOUR = frozenset(["رضي", "رضوان", "كرم", "رحمه", "ﷺ"])
_VOWELS = frozenset("\u064b\u064c\u064d\u064e\u064f\u0650\u0652")
_MARKS = "".join(_VOWELS) + "\u0651"


class NameStanding:
    """Judges single words by their neighbours and vowels; ``loose`` are accusatives that are adjectives as often (كاملا)."""

    def __init__(self, grammar: NameGrammar, loose: Set[str]) -> None:
        self._grammar, self._loose = grammar, loose
        self._surroundings = read_surroundings()

    def stands(self, words: Words, i: int, word: str, single_name: bool) -> bool:
        """Whether a word that may be a common word is a name here."""
        folded = words.folded
        before = folded[i - 1] if i else ""
        following = folded[i + 1] if i + 1 < len(folded) else ""
        if before == "ال":  # آل عمران: the family, and the sura called after it
            return False
        if (
            word.endswith("ه")
            and (single_name or word not in self._surroundings)
            and "ؤ" not in words.surface(i, i + 1)
            and not words.surface(i, i + 1).rstrip(_MARKS).endswith("ة")
        ):
            return False  # أمامه, عباده: a pronoun, where the name would end in ta marbuta
        rule = self._surroundings.get(folded[i]) or self._surroundings.get(word)
        if rule is None and word in self._loose:
            rule = self._surroundings.get(word[:-1])  # غنما: as غنم
        if (
            word in self._loose and rule is None
        ):  # شهرا كاملا, طالبا للعلم: an adjective, unless a verb of doing to people stands before it
            return (
                following in FILIATION
                or before in SPEECH
                or not {before, before[1:]}.isdisjoint(_DONE_TO | _AFTER_DOER | self._grammar.sure)
            )
        if rule is None:
            if not single_name or word in self._grammar.sure:
                return True
            return before in SPEECH or (following in FILIATION and following != "ابن") or following in _HONOUR
        surface = words.surface(i, i + 1)
        if rule.letters is not None and any(letter in _VOWELS for letter in surface):
            return rule.letters.search(normalize("NFC", surface)) is not None
        if word == "علي" and surface.endswith("ى"):
            return False
        if before == "من" and word == "اسلم" and (i < 2 or folded[i - 2] not in _PEOPLE):
            return False  # آخر من أسلم
        if rule.before is None or before in rule.before or before[1:] in rule.before:
            return True
        return rule.after is None or following in rule.after

    @staticmethod
    def is_prophet(words: Words, i: int, word: str) -> bool:
        """A bare name is the prophet's where blessings follow it, or it stands in the Quran's company (قوم موسى, يا آدم)."""
        folded = words.folded
        following = folded[i + 1] if i + 1 < len(folded) else ""
        before = folded[i - 1] if i else ""
        if word in ("ابراهيم", "اسماعيل", "يعقوب", "يوسف", "داود", "سليمان", "موسي", "عيسي", "هارون", "يحيي", "زكرياء", "يونس"):
            if following in FILIATION:
                return False
            return following in ("عليه", "عليهما", "صلي", "وعيسي", "وهارون", "ﷺ") or before not in SPEECH or before == "يا"
        return True


def names_the_prophet(words: Words, i: int) -> bool:
    """Whether Muhammad at word ``i`` stands alone: an accusative, called, before a particle, a verb or a sign; not محمد رشيد رضا."""
    folded = words.folded
    if folded[i].endswith("ا") or (i and folded[i - 1] == "يا") or i + 1 >= len(folded) or words.gap(i + 1).strip():
        return True
    following = folded[i + 1]
    return following[0] in "وفيتسل" or following in _AFTER_MUHAMMAD
