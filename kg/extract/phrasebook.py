"""Names as they are looked for in running text: phrases of folded words, each with what it names.

One dictionary answers for every word of a text: the first words of all phrases with the particles that Arabic writes
in front of them (wa-, fa-, bi-, li-, ka-). What follows is compared only where that look-up hits, so the number of
names does not slow the reading.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

from kg.text import fold

__all__ = ["PARTICLES", "Entry", "Phrasebook", "Start", "spellings", "takes_alif", "with_particles"]

PARTICLES = ("", "و", "ف", "ب", "ل", "ك", "وب", "ول", "وك", "فب", "فل")

_WITHOUT_NUNATION = frozenset(
    [
        "عمر",
        "احمد",
        "ابراهيم",
        "اسماعيل",
        "اسحاق",
        "يعقوب",
        "يوسف",
        "يونس",
        "يزيد",
        "داود",
        "هرقل",
        "زينب",
        "مريم",
        "مضر",
        "زفر",
        "ادم",
        "جبريل",
    ]
)
_CASES = {
    "ابو": ("ابو", "ابي", "ابا"),
    "اخو": ("اخو", "اخي", "اخا"),
    "ذو": ("ذو", "ذي", "ذا"),
    "بنو": ("بنو", "بني"),
    "بن": ("بن", "ابن"),
    "ابن": ("ابن", "بن"),
    "بنت": ("بنت", "ابنه"),
    "المهاجرون": ("المهاجرون", "المهاجرين"),
    "الاشعريون": ("الاشعريون", "الاشعريين"),
}


class Start(NamedTuple):
    """How a word opens a name: the letters of the particles before it, and the word without them."""

    particle: int
    word: str


@dataclass(frozen=True, slots=True)
class Entry:
    """A phrase and what it names: ``kind`` is person, prophet, group or place."""

    words: tuple[str, ...]
    kind: str
    key: str | None


def with_particles(word: str) -> Iterable[tuple[str, int]]:
    """A word as it may be written with particles before it, each form with the number of letters that are not the word.

    >>> sorted(with_particles("الانصار"))[:2]
    [('الانصار', 0), ('بالانصار', 1)]
    >>> ("للانصار", 1) in with_particles("الانصار")
    True
    """
    for particle in PARTICLES:
        if word.startswith("ال") and particle.endswith("ل"):
            yield particle + word[1:], len(particle)
        else:
            yield particle + word, len(particle)


def spellings(phrase: str) -> Iterable[tuple[str, ...]]:
    """The cases in which a name stands: Abu, Abi and Aba; Banu and Bani; ibn with and without its alif.

    >>> list(spellings("أبو جهل"))
    [('ابو', 'جهل'), ('ابي', 'جهل'), ('ابا', 'جهل')]
    """
    return product(*(_CASES.get(word, (word,)) for word in fold(phrase).split()))


def takes_alif(word: str) -> bool:
    """Whether a name has an alif in the accusative (زيدا); names without nunation have none (عمر, عثمان).

    >>> takes_alif("زيد"), takes_alif("عمر")
    (True, False)
    """
    return (
        word[-1] not in "اهيوء"
        and not word.startswith("ال")
        and word not in _WITHOUT_NUNATION
        and not (word.endswith("ان") and word != "حسان")
    )


class Phrasebook:
    """All phrases; the first row for a spelling wins. Looking one up costs as many steps as its first word's longest phrase has words."""

    def __init__(self) -> None:
        self._entries: dict[tuple[str, ...], Entry] = {}
        self._longest: dict[str, int] = {}
        self.first: dict[str, Start] = {}

    def add(self, phrase: str, kind: str, key: str | None) -> None:
        """A name in all its cases, a single word also with the alif of the accusative."""
        for words in spellings(phrase):
            if not words:
                continue
            self._put(words, kind, key)
            if len(words) == 1 and takes_alif(words[0]):
                self._put((words[0] + "ا",), kind, key)

    def _put(self, words: tuple[str, ...], kind: str, key: str | None) -> None:
        if words not in self._entries:
            self._entries[words] = Entry(words, kind, key)
            self._longest[words[0]] = max(len(words), self._longest.get(words[0], 0))
            self.open(words[0])

    def open(self, word: str) -> None:
        """Lets a word open a name, with every particle; the reading with the fewest particle letters wins."""
        for form, letters in with_particles(word):
            known = self.first.get(form)
            if known is None or known.particle > letters:
                self.first[form] = Start(letters, word)

    def longest(self, folded: list[str], i: int, word: str) -> Entry | None:
        """The longest phrase that stands at word ``i``, whose form without particles is ``word``.

        >>> book = Phrasebook()
        >>> book.add("أبو بكر", "person", "person/abu-bakr")
        >>> book.longest(["قال", "ابو", "بكر"], 1, "ابو").key
        'person/abu-bakr'
        """
        for length in range(min(self._longest.get(word, 0), len(folded) - i), 0, -1):
            entry = self._entries.get((word, *folded[i + 1 : i + length]))
            if entry is not None:
                return entry
        return None

    def get(self, words: tuple[str, ...]) -> Entry | None:
        """The phrase of exactly these words."""
        return self._entries.get(words)
