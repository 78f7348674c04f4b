"""Is a stretch of words that stand in the Quran a citation? By how much its words tell, what introduces it and what marks it.

``credit`` is the number of words that agree less what differs, ``told`` the bits that the words tell (a rare word tells more).
Phrases in everybody's mouth (``tables/quran_formulas.tsv``) are citations only where a formula or marks say so.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kg.extract.quran_alignment import Match
from kg.extract.quran_index import QuranIndex
from kg.extract.quran_introduction import Introduction, Mark
from kg.extract.quran_reading import Note, Reading
from kg.extract.quran_search import Found
from kg.text import fold

__all__ = ["Phrases", "bounded", "common_phrases", "is_common", "judge", "told_by"]

Phrases = frozenset[tuple[str, ...]]

_AFTER = frozenset(fold("قال يعني أي الآية الآيات الآيتين يقول ويقال معناه أراد يريد").split())
_ENDS_WORD = frozenset(fold("قال يعني أي الآية").split())
_MEANS = frozenset(fold("أي يعني معناه أراد يريد").split())
_OF_VERSE = frozenset(fold("أنزل أنزلت نزلت هذه تلك بهذه وهذه في من آخر تلا قرأ لهذه يذكر ذكر فذكر وذكر تذكر يقرأ").split())
_VERSE = frozenset(fold("الآية الآيات الآيتين الآيتان").split())
_BOUNDS = (
    (3.0, 2.5, 18.0, 0.98),
    (2.0, 2.5, 16.0, 0.95),
    (1.5, 2.5, 26.0, 0.9),
    (1.3, 2.6, 32.0, 0.9),
    (1.2, 2.6, 36.0, 0.9),
    (1.0, 2.6, 40.0, 0.9),
    (0.0, 2.8, 44.0, 0.85),
)
"""Strength of what introduces or follows, credit and told bits that a stretch of three words and more needs, and the confidence they give."""
_LONGEST = 12
_MORE = 17.0
"""Bits that words beside a common phrase must tell for the whole to be more than the phrase."""
_ADJACENT = 1
_REACH = 14
_READER = 8
_GOES_ON = 2
_ELIDES = 60
_VERSES_OF_ONE = 3
_VERSES_OF_TWO = 8
"""Places beyond which one or two words without marks tell nothing."""
_AHEAD = 10
_CIRCUMSTANCE = frozenset(fold("وهو وهي وهم وهما وأنا").split())
"""After a verb of reciting: not what he recited but how he stood (قرأ وهو قائم)."""
_WHAT = frozenset(fold("قرأها يقرؤها قرأه").split())
"""What is recited is named already."""
_WHEN = frozenset(fold("لما فلما ولما").split())
_CALLED = "يا"
_BOOK = fold("كتاب")
_WITH = "ب"
_BETWEEN_LETTERS = frozenset("])،,.-\ufffd")
_BESIDE_BRACES = 16.0
_DIFFERS = 0.7
_LONG = 10
_MEAN = 8.5
"""Bits that a word of a stretch without introduction must tell on average, but in long ones."""
_UNOPENED = 8.0
_UNOPENED_REVEALED = 14.0
"""Bits that words right after a formula must tell more where no sign stands between; after "was revealed" may stand of whom or where."""
_COLON = 8.0
"""Bits for a colon or quotation mark between the formula and the words."""


def judge(found: Found, reading: Reading, index: QuranIndex, formulas: Phrases, before: Found | None = None) -> float:
    """The confidence that a stretch is a citation; 0 where it is none. Sets what introduces and marks it.

    ``before`` is the citation before it: a word of speech right after that (وقال: …) goes on citing.
    """
    match = found.best
    strength = said = _strength(found, match, reading, index, before)
    mark = found.mark = _mark(match, reading)
    told = told_by(match, reading, index)
    credit = match.credit
    words = match.after - match.first
    if mark is not None and words > 2 and match.exact and (mark.first, mark.after) == (match.first, match.after):
        strength = max(strength, 2)
    if mark is not None and mark.quran and credit >= 0.5 * (mark.after - mark.first):
        return 0.99
    if words < 3 and reading.braced and not (strength >= 3 and told >= _BESIDE_BRACES):
        return 0.0  # who marks the Quran would have marked this
    if words < 3 and mark is None and _unlikely(found, match, reading, index):
        return 0.0
    if words == 1:
        return _one_word(match, reading, told, strength) if len(found.matches) <= _VERSES_OF_ONE else 0.0
    if not _says_so(said, found, match, reading) and is_common(match, reading, index, formulas):
        return 0.0
    if words == 2 and len(found.matches) > _VERSES_OF_TWO and not reading.opened(match.first):
        return 0.0
    if words == 2:
        return _two_words(match, reading, told, strength, found.introduction)
    if strength < 1.5 and match.cost >= _DIFFERS:
        told -= 16  # nothing says that it is quoted: it must agree the better
    elif strength > 1 and found.introduction is not None and not reading.opened(match.first):
        told -= _UNOPENED_REVEALED if found.introduction.use == "occasion" else _UNOPENED
    told += _shape(match, reading, index) + (_COLON if strength > 1 and reading.opened(match.first) else 0.0)
    if strength < 1 and told < _MEAN * words and words < _LONG:
        return 0.0
    for needed, least_credit, least_told, confidence in _BOUNDS:
        if strength >= needed and credit >= least_credit and told >= least_told:
            return confidence
    return 0.0


def _says_so(said: float, found: Found, match: Match, reading: Reading) -> bool:
    """Whether even a phrase in everybody's mouth is said to be quoted: recited, or after a formula and a sign."""
    if said < 2:
        return False
    by = found.introduction
    recited = said == 3 and (by is None or by.use in ("recitation", None))
    return recited or bool(match.odd) or reading.opened(match.first)


def told_by(match: Match, reading: Reading, index: QuranIndex) -> float:
    """The bits that the words of a match tell, less four for each word that differs."""
    return sum(index.bits[number] for number in reading.ids[match.first : match.after]) - 4 * match.cost


def common_phrases(phrases: Iterable[Sequence[str]], index: QuranIndex) -> Phrases:
    """The phrases in everybody's mouth, and all their parts of three words and more, in the index's spelling."""
    found = set()
    for phrase in phrases:
        words = tuple(_spelt(word, index) for word in phrase)
        found.add(words)
        found.update(words[i:k] for i in range(len(words)) for k in range(i + 3, len(words) + 1))
    return frozenset(found)


def _spelt(word: str, index: QuranIndex) -> str:
    number = index.spellings[word]
    return index.vocabulary[number] if number else word


def is_common(match: Match, reading: Reading, index: QuranIndex, formulas: Phrases) -> bool:
    """Whether a match is a phrase in everybody's mouth, with hardly a word more."""
    words = [index.vocabulary[number] or token for number, token in _numbered(match, reading)]
    if words[0][0] in "وف" and tuple(words) not in formulas:
        words[0] = words[0][1:]
    if len(words) > _LONGEST:
        return False
    bits = [index.bits[number] for number, _ in _numbered(match, reading)]
    for length in range(len(words), 1, -1):
        for start in range(len(words) - length + 1):
            if tuple(words[start : start + length]) in formulas and sum(bits[:start]) + sum(bits[start + length :]) < _MORE:
                return True
    return False


def _numbered(match: Match, reading: Reading) -> list[tuple[int, str]]:
    return list(zip(reading.ids[match.first : match.after], reading.tokens[match.first : match.after], strict=True))


def _shape(match: Match, reading: Reading, index: QuranIndex) -> float:
    """Bits for what chance seldom makes: words that are a whole verse or its beginning or end, with signs on both sides of them."""
    verse, last = index.verse_of[match.start], index.verse_of[match.stop - 1]
    starts = match.start == index.verse_starts[verse]
    ends = match.stop == len(index.words) or index.verse_of[match.stop] != last
    signs = int(reading.closed(match.first)) + int(reading.closed(match.after))
    return (0.0, 4.0, 10.0)[starts + ends] + (0.0, 3.0, 6.0)[signs]


def _introduced(found: Found, match: Match, reading: Reading) -> int:
    """The strength of what introduces a stretch; 0 where nothing does."""
    before: Introduction | None = reading.before(match.first + (1 if match.odd else 0))
    if before is None:
        return 0
    distance = match.first - before.after
    if distance <= _ADJACENT or (distance <= _REACH and before.strength > 1 and reading.opened(match.first)):
        found.introduction = before
        return before.strength
    if before.use == "recitation" and distance <= _READER and before.strength > 1:
        found.introduction = before  # the reader stands between: قرأ ابن عباس …
        return 1
    return 0


def _strength(found: Found, match: Match, reading: Reading, index: QuranIndex, before: Found | None) -> float:
    introduced, followed = _introduced(found, match, reading), _followed(found, match, reading, index)
    by = found.introduction
    if by is not None and by.elision and not _elides(by, before):
        introduced, by, found.introduction = 0, None, None
    if any(mark.quran and match.after <= mark.first <= match.after + 1 for mark in reading.marks_from(match.after)):
        introduced, by, found.introduction = 0, None, None  # what is introduced is the quotation in the marks that follow
    if (
        introduced
        and by is not None
        and before is not None
        and 0 <= by.first - before.best.after <= _GOES_ON
        and _and(by, reading)
    ):
        introduced = min(3, introduced + 1) if match.after - match.first > 2 else introduced
    named = reading.sura_near(match.first, match.after, _AHEAD)
    if named is not None and any(index.sura_of_verse[index.verse_of[place.start]] == named.sura for place in found.matches):
        introduced += 1
    return 1.5 if introduced == 1 and followed else min(3, max(introduced, followed))


def _and(by: Introduction, reading: Reading) -> bool:
    """Whether a formula goes on from what was before: وقال, فقال, ثم قال."""
    word = reading.tokens[by.first]
    return word[0] in "وف" or word == "ثم"


def _elides(by: Introduction, before: Found | None) -> bool:
    """Whether a formula of elision (إلى قوله) comes after a citation; a bare إلى right after it."""
    if before is None:
        return False
    gap = by.first - before.best.after
    return gap <= (1 if by.after - by.first == 1 else _ELIDES)


def _followed(found: Found, match: Match, reading: Reading, index: QuranIndex) -> float:
    """The strength of what follows a stretch: the verse named as such (الآية), or its explanation (أي, يعني)."""
    note = reading.note_after(match.after)
    if note is not None and any(note_of(place, index, note) for place in found.matches):
        return 3
    after = reading.tokens[match.after : match.after + 1]
    if after and after[0] in _VERSE and reading.tokens[match.after - 1] not in _OF_VERSE:
        return 3
    if after and after[0] in _MEANS:
        return 1.3
    return 1.2 if after and after[0] in _AFTER else 0


def _mark(match: Match, reading: Reading) -> Mark | None:
    for mark in reading.around(match.first):
        if match.after <= mark.after and (mark.quran or match.first - mark.first <= 1):
            return mark
    return None


def bounded(match: Match, reading: Reading) -> bool:
    """Whether something ends the stretch: a sign, or a word with which an explanation begins."""
    return reading.closed(match.after) or reading.tokens[match.after] in _AFTER


def note_of(match: Match, index: QuranIndex, note: Note | None) -> bool:
    """Whether a reference beside the words names the verse of a match."""
    if note is None:
        return False
    verse = index.verse_of[match.start]
    return index.sura_of_verse[verse] == note.sura and note.first - 1 <= index.number_of_verse[verse] <= note.last + 1


def _unlikely(found: Found, match: Match, reading: Reading, index: QuranIndex) -> bool:
    """Whether one or two unmarked words go on with the author's own sentence, as they do in certain constructions, though a formula stands
    before them. Words at the beginning of a verse may stand for it and are likelier."""
    by, first = found.introduction, reading.tokens[match.first]
    if by is None:
        return False
    if first == _CALLED:
        return True  # يقول الله يا آدم: said, but not in the Quran
    if reading.tokens[by.first] == _WITH and not _BETWEEN_LETTERS.isdisjoint(reading.gap(by.first + 1)):
        return True  # the letter of a folio or a list, not the preposition parted from the words quoted: [ق: 40 - ب]
    if reading.opened(match.first):
        return False
    gap = reading.gap(match.first)
    tokens = reading.tokens[match.first + bool(match.odd) : match.after]
    if not match.exact or "." in gap or "]" in gap or not all(token in index.listed for token in tokens):
        return True  # other words than the Quran's; a new sentence or page; a spelling only guessed at
    if by.elision:
        return False
    words = match.after - match.first
    formula = reading.tokens[by.first : by.after]
    begins = any(place.start == index.verse_starts[index.verse_of[place.start]] for place in found.matches)
    if not begins and not bounded(match, reading):
        return True  # the sentence goes on: يقول الله عز وجل انظروا إلى عبدي
    if words == 1 and match.odd and match.odd in "بكل":
        return True
    if by.use == "recitation":
        return first in _CIRCUMSTANCE or formula[-1] in _WHAT or (words == 1 and not _opens_sura(found, index))
    if by.use == "occasion":
        when = by.first > 0 and reading.tokens[by.first - 1] in _WHEN
        return not begins and (words == 1 or not when)  # نزل يثرب: he alighted there
    return _BOOK in formula or (by.use is None and not begins)  # ليس في كتاب الله فليس له


def _opens_sura(found: Found, index: QuranIndex) -> bool:
    """Whether the words are the first of a sura: of single words after a verb of reciting only such are recited (يقرأ يس);
    others are he who recites, the letter he reads out, or what he does besides (يقرأ ويصلي)."""
    places = (place.start for place in found.matches)
    return any(
        not place or index.sura_of_verse[index.verse_of[place]] != index.sura_of_verse[index.verse_of[place - 1]]
        for place in places
    )


def _two_words(match: Match, reading: Reading, told: float, strength: float, by: Introduction | None) -> float:
    ends, opened = bounded(match, reading), reading.opened(match.first)
    revealed = by is not None and by.use == "occasion" and not opened  # نزل في: who or where, more often than the words
    if strength == 3 and told >= (14 if opened else 24 if revealed or by is None else 18) and (ends or opened or told >= 22):
        return 0.9
    if strength == 2 and not revealed and told >= 18 and (ends or opened or told >= 24):
        return 0.8
    if strength == 1 and told >= 26 and ends:
        return 0.75
    return 0.0


def _one_word(match: Match, reading: Reading, told: float, strength: float) -> float:
    opened = reading.opened(match.first)
    explained = match.after < len(reading.tokens) and reading.tokens[match.after] in _ENDS_WORD
    ends = explained or reading.closed(match.after)
    if (
        match.exact
        and (strength == 3 or (strength == 2 and (opened or explained)))
        and told >= 12
        and (ends or (opened and told >= 15))
    ):
        return 0.8 if strength == 3 else 0.7
    return 0.0
