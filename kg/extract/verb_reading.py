"""Which reading of a word as a verb its vowels and its surroundings allow."""

import re
from unicodedata import normalize

from kg.extract.verbs import Conjugation, Form
from kg.text import Words

_BID = re.compile("\u0650[\u0621-\u064a]\u0651?\u064f\u0648")  # بَايِعُوا: bid them, where they did is بَايَعُوا
__all__ = ["chosen_form", "fitting_forms", "is_noun", "is_unclear"]


def is_noun(words: Words, i: int) -> bool:
    """A word that ends in ta marbuta or a tanwin is no verb."""
    surface = words.surface(i, i + 1)
    return (
        surface.rstrip("\u064b\u064c\u064d\u064e\u064f\u0650\u0651\u0652").endswith("ة")
        or surface[-1] in "\u064b\u064c\u064d"
        or surface.endswith(("\u064bا", "ا\u064b"))
    )


def fitting_forms(words: Words, i: int, conjugation: Conjugation) -> tuple[Form, ...]:
    """The readings of a word as a verb that its vowels allow."""
    forms = conjugation.read(words.folded[i])
    if not forms:
        return forms
    surface = normalize("NFC", words.surface(i, i + 1))
    if surface[-1] in "\u0652\u0650":  # أَسْلِمْ, اسْتَغْفِرِ اللَّهَ: a command
        forms = tuple(f for f in forms if not (f.past and f.who == "3ms" and not f.whom))
    forms = tuple(f for f in forms if not (f.past and f.who == "3mp" and len(f.verb) > 3 and _BID.search(surface)))
    if sum("\u064b" <= letter <= "\u0652" for letter in surface) < 2:
        return forms
    return tuple(f for f in forms if f.verb not in conjugation.vowelled or conjugation.vowelled[f.verb].search(surface))


def is_unclear(words: Words, i: int) -> bool:
    """Whether no vowel tells 'I' from 'she': the word does not end in a sukun or kasra."""
    surface = words.surface(i, i + 1)
    position = surface.rfind("ت")
    if surface[-1] in "\u0652\u0650":
        return False
    return not (0 < position < len(surface) - 2 and surface[position + 1] == "\u0652")  # قَتَلَتْهُ


def chosen_form(words: Words, i: int, forms: tuple[Form, ...]) -> Form:
    """The reading that the vowels tell, where there are vowels: ندمتُ, ندمتْ, أنكحتَ."""
    form = forms[0]
    if form.whom[:1] == "1" and form.who == "1s":
        return _with_who(form, "2ms")  # نهيتني: nobody does a thing to himself
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
