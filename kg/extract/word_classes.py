"""What each word is to a reader of isnads: one letter a word, so that the grammar of names and chains is a regular expression.

The letters stand in ``LETTER``. A word written together with the conjunction has the letter of the word behind it, moved:
``JOINED`` higher for wa- (ووكيع), ``THEN`` higher for fa- (فحدثني). Words come from the tables beside this module; a word in none of
them is ``U``, or ``l`` where it carries the article.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from kg.tables import TableError, read_tsv

__all__ = ["JOINED", "LETTER", "THEN", "TermEntry", "WordClasses", "joined", "then"]

TABLES = Path(__file__).parent / "tables"
JOINED, THEN = 0x100, 0x200

LETTER = {
    "teller": "H", "short": "J", "told": "O", "verb": "C", "hear": "S", "heard": "s", "prep": "A", "that": "N", "say": "Q",
    "sayall": "2", "saying": "y", "telling": "Y", "read": "R", "wrote": "W", "found": "W", "reach": "h", "prophet": "P",
    "divine": "d", "tahwil": "x", "gloss": "g", "link": "j", "role": "r", "client": "m", "anonymous": "a",
    "circumstance": "c", "honorific": "z", "honorific-tail": "Z", "ask": "q", "dative": "u",
    "witness": "w", "thereby": "i", "title": "t", "back": "b", "plain-and": "p", "or": "o", "stop": "V",
    "ism": "E", "nisba": "L", "kin": "k",
}  # fmt: skip
"""Role or class in the tables, and its letter."""

_GRAMMAR = {
    "بن": "B", "ابن": "I", "بنت": "T", "ابنه": "T", "ابو": "K", "ابا": "K", "ابي": "F", "ام": "M", "عبد": "D", "الله": "G", "انه": "n",
    "انها": "n", "انهم": "n", "انهما": "n", "انهن": "n", "بانه": "n", "بان": "N", "اخي": "f", "ذي": "K", "ذو": "K", "ذا": "K",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class TermEntry:
    """A row of the table of terms of transmission."""

    concept: str
    mode: str
    decides: str
    role: str
    forms: tuple[str, ...]
    label_ar: str
    label_en: str
    source: str


def joined(letters: str) -> str:
    """The letters as they stand for words written together with wa-."""
    return "".join(chr(ord(letter) + JOINED) for letter in letters)


def then(letters: str) -> str:
    """The letters as they stand for words written together with fa-."""
    return "".join(chr(ord(letter) + THEN) for letter in letters)


class WordClasses(dict[str, str]):
    """Folded word to its letter; words not in the tables are classed once and remembered.

    >>> classes = WordClasses.load()
    >>> classes.code("حدثنا صدقه بن خالد عن ابي الدرداء".split())
    'HEBEAFL'
    >>> classes["ووكيع"] == joined("E")
    True
    """

    LIMIT = 400_000  # words remembered beside those of the tables

    def __init__(
        self,
        letters: Mapping[str, str],
        terms: Mapping[str, TermEntry],
        kin: Mapping[str, str],
        ranks: Mapping[tuple[str, ...], str],
    ) -> None:
        super().__init__(letters)
        self.terms, self.kin, self.ranks = terms, kin, ranks
        self._own = dict(letters)
        self._room = self.LIMIT

    @classmethod
    def load(cls, folder: Path = TABLES) -> "WordClasses":
        """The classes of the tables in ``folder``.

        Raises:
            TableError: a table lacks a column, or names a role or class that the reader does not know.
        """
        letters: dict[str, str] = {}
        path = folder / "narrator_names.tsv"
        for number, row in read_tsv(path, ("word", "kind", "sahihs", "taqrib")):
            letters[row["word"]] = "L" if row["word"].startswith("ال") else _letter(path, number, row["kind"])
        path, kin = folder / "kin.tsv", {}
        for _, row in read_tsv(path, ("form", "kin", "source")):
            letters[row["form"]] = "k"
            kin[row["form"]] = row["kin"]
        path = folder / "isnad_words.tsv"
        for number, row in read_tsv(path, ("class", "words", "example")):
            for word in row["words"].split():
                if row["class"] != "stop" or word not in letters:
                    letters[word] = _letter(path, number, row["class"])
        path, terms = folder / "terms.tsv", {}
        for number, row in read_tsv(path, ("concept", "mode", "decides", "role", "forms", "label_ar", "label_en", "source")):
            forms = tuple(row.pop("forms").split())
            entry = TermEntry(forms=forms, **row)
            for form in forms:
                letters[form] = _letter(path, number, row["role"])
                terms[form] = entry
        letters.update(_GRAMMAR)
        ranks: dict[tuple[str, ...], str] = {}
        for _, row in read_tsv(folder / "successor_names.tsv", ("name", "with_companion", "in_all")):
            ranks[tuple(row["name"].split())] = "successor"
        for _, row in read_tsv(folder / "companion_names.tsv", ("name", "last", "inner", "source")):
            ranks[tuple(row["name"].split())] = "companion"
        return cls(letters, terms, kin, ranks)

    def code(self, folded: list[str]) -> str:
        """The letters of the words, one a word."""
        return "".join(map(self.__getitem__, folded))

    def term(self, word: str) -> TermEntry | None:
        """The term a word is, with or without a conjunction before it."""
        return self.terms.get(word) or (self.terms.get(word[1:]) if word[0] in "وف" else None)

    def __missing__(self, word: str) -> str:
        letter = self._classify(word)
        if self._room > 0:
            self._room -= 1
            self[word] = letter
        return letter

    def _classify(self, word: str) -> str:
        own, first = self._own, word[0]
        if first in "وف" and len(word) > 2:
            behind = own.get(word[1:]) or ("E" if len(word) > 4 and own.get("ال" + word[1:]) == "L" else None)
            if behind is not None and (first == "و" or behind in _AFTER_FA):
                return chr(ord(behind) + (JOINED if first == "و" else THEN))
            if first == "و" and (word.startswith("وعبدال") or (word[-1] == "ا" and own.get(word[1:-1]) == "E")):
                return chr(ord("E") + JOINED)
            if first == "و":
                return chr(ord("l" if word.startswith("وال") and len(word) > 5 else "U") + JOINED)
        if word.startswith("ال") and len(word) > 4:
            return "l"
        if word.startswith("عبدال"):  # written together: عبدالله
            return "E"
        if word[-1] == "ا" and len(word) > 3 and own.get(word[:-1]) == "E":  # accusative: بكيرا
            return "E"
        if len(word) > 3 and own.get("ال" + word) == "L":  # مسور beside المسور
            return "E"
        if word.startswith("قال") and own.get(word[3:]) == "H":  # two words run together: قالحدثنا
            return "H"
        if not "\u0621" <= first <= "\u064a" or word == "ص":  # the page mark of some editions
            return "-"
        return "U"


_AFTER_FA = "HJOCSsAQ2yYRWhNnqVb"


def _letter(path: Path, line: int, name: str) -> str:
    if name not in LETTER:
        raise TableError(path, line, f"no such class or role {name!r}: use one of {', '.join(sorted(LETTER))}")
    return LETTER[name]
