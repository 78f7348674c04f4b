"""The words of a report as they are compared: light stems, stock formulas fused or left out, each with its weight.

The weight of a word is how rare it is in hadith (``tables/parallel_word_shares.tsv``), not how rare it is in this build:
two tellings are judged alike whatever else stands beside them. Shingles are pairs of neighbouring words of content.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from kg.tables import TableError, read_tsv

__all__ = ["TABLES", "Formulas", "Stems", "Vocabulary", "exchanges", "stem"]

TABLES = Path(__file__).parent / "tables"

_ARTICLES = ("وال", "فال", "بال", "كال", "ولل", "فلل", "ال", "لل")
_ENDINGS = (
    "هما",
    "كما",
    "تما",
    "هم",
    "هن",
    "ها",
    "كم",
    "كن",
    "نا",
    "تم",
    "وا",
    "ون",
    "ين",
    "ان",
    "ات",
    "ني",
    "يه",
    "ته",
    "ه",
    "ي",
    "ك",
    "ت",
    "ا",
)
_LONG_VOWELS = str.maketrans("", "", "اوي")


def stem(word: str) -> str:
    """The consonants of a folded word without conjunction, article, ending and long vowels: what two tellings share.

    Prefixes and endings are those of a light stemmer (Larkey, Ballesteros and Connell, "Light stemming for Arabic information
    retrieval", 2007) with the endings and prefixes of verbs; long vowels go because form and tense change them. Never under two
    letters. It is for comparing only.

    >>> [stem(word) for word in "فسالته ركبتيه والصلاه فقلت صدقت صدق يصوم صام جالسا".split()]
    ['سل', 'ركبت', 'صل', 'قلت', 'صدق', 'صدق', 'صم', 'صم', 'جلس']
    """
    if len(word) > 3 and word[0] in "وف":
        word = word[1:]
    for article in _ARTICLES:
        if word.startswith(article) and len(word) - len(article) >= 2:
            word = word[len(article) :]
            break
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word[: -len(ending)]
            break
    if len(word) > 3 and word[0] in "يتن":
        word = word[1:]
    consonants = word[0] + word[1:].translate(_LONG_VOWELS)
    return consonants if len(consonants) > 1 else word


class Formulas:
    """Stock formulas: found in folded words, left out or fused into one word.

    >>> formulas = Formulas.load()
    >>> formulas.applied("فقال النبي صلي الله عليه وسلم والذي نفسي بيده لياتين".split())
    ['فقال', 'النبي', 'والذي_نفسي_بيده', 'لياتين']
    """

    KINDS = ("drop", "fuse", "end")

    def __init__(self, rows: Iterable[tuple[tuple[str, ...], str]]) -> None:
        self._by_first: dict[str, list[tuple[tuple[str, ...], str]]] = {}
        for words, kind in rows:
            self._by_first.setdefault(words[0], []).append((words, kind))
        for candidates in self._by_first.values():
            candidates.sort(key=lambda candidate: -len(candidate[0]))

    @classmethod
    def load(cls, path: Path = TABLES / "parallel_formulas.tsv") -> "Formulas":
        """The formulas of the table.

        Raises:
            TableError: a row has a kind that is none of ``KINDS``, or no words.
        """
        rows: list[tuple[tuple[str, ...], str]] = []
        for number, row in read_tsv(path, ("words", "kind", "class", "example", "source")):
            if row["kind"] not in cls.KINDS or not row["words"]:
                raise TableError(
                    path, number, f"kind {row['kind']!r}: write {' or '.join(cls.KINDS)}, and the words of the formula"
                )
            alternatives: list[tuple[str, ...]] = [()]
            for word in row["words"].split():
                alternatives = [(*before, one) for before in alternatives for one in word.split("/")]
            rows += [(words, row["kind"]) for words in alternatives]
        return cls(rows)

    def applied(self, words: Sequence[str]) -> list[str]:
        """The words with formulas dropped or fused, the longest first; the author's note at the end left out."""
        found: list[str] = []
        by_first, here, end = self._by_first, 0, len(words)
        while here < end:
            word = words[here]
            for formula, kind in by_first.get(word, ()):
                if tuple(words[here : here + len(formula)]) == formula and (kind != "end" or len(found) > 3):
                    if kind == "end":
                        return found
                    if kind == "fuse":
                        found.append("_".join(formula))
                    here += len(formula)
                    break
            else:
                if word[0] not in "ﷺﷻ﷽":
                    found.append(word)
                here += 1
        return found


def exchanges(path: Path = TABLES / "parallel_exchanges.tsv") -> dict[str, str]:
    """Stems that tellings exchange for one another (جلس, قعد), each with the one it is compared as.

    >>> exchanges()[stem("قعد")] == stem("جلس")
    True
    """
    same: dict[str, str] = {}
    for number, row in read_tsv(path, ("words", "times", "meaning", "source")):
        first, *others = [stem(word) for word in row["words"].split()]
        for other in others:
            if same.get(other, first) != first:
                raise TableError(path, number, f"{other!r} is already compared as {same[other]!r}: put the words in one row")
            if other != first:
                same[other] = first
    return same


class Vocabulary:
    """Stems as small numbers, each with its weight: ``log2`` of one over the share of reports that have it.

    A stem that the table does not list stands in fewer reports than any it lists and has the full weight.
    """

    def __init__(self, shares: dict[str, float], floor: float, same: dict[str, str] | None = None) -> None:
        self.full = -math.log2(floor)
        self.same = same or {}
        self.weights: list[float] = []
        self.numbers: dict[str, int] = {}
        self._of_word: dict[str, int] = {}
        for word, share in shares.items():
            self.numbers[word] = len(self.weights)
            self.weights.append(-math.log2(max(share, floor)))

    @classmethod
    def load(cls, path: Path = TABLES / "parallel_word_shares.tsv") -> "Vocabulary":
        """The vocabulary of the table, whose shares are reports in ten thousand.

        Raises:
            TableError: a share is not a number between 0 and 10,000.
        """
        shares: dict[str, float] = {}
        for number, row in read_tsv(path, ("stem", "reports_in_10000")):
            try:
                share = float(row["reports_in_10000"]) / 10_000
            except ValueError:
                share = -1.0
            if not 0 < share <= 1:
                raise TableError(path, number, f"{row['reports_in_10000']!r} is no number of reports in ten thousand")
            shares[row["stem"]] = share
        return cls(shares, min(shares.values()) / 2, exchanges())

    def root(self, word: str) -> str:
        """What a folded word, or a fused formula, is compared as."""
        if "_" in word:
            return word
        root = stem(word)
        return self.same.get(root, root)

    def number(self, word: str) -> int:
        """The number of what a folded word is compared as."""
        number = self._of_word.get(word)
        if number is None:
            root = self.root(word)
            number = self.numbers.get(root, -1)
            if number < 0:
                number = self.numbers[root] = len(self.weights)
                self.weights.append(self.full)
            self._of_word[word] = number
        return number


class Stems:
    """Reads reports into numbered stems.

    >>> stems = Stems.load()
    >>> len(stems.read("قال كنت جالسا عند النبي صلي الله عليه وسلم".split()))
    5
    """

    CONTENT = 1.7  # bits: a word in more than three tenths of all reports (قال, من, كان) makes no shingle

    def __init__(self, formulas: Formulas, vocabulary: Vocabulary) -> None:
        self.formulas, self.vocabulary = formulas, vocabulary

    @classmethod
    def load(cls) -> "Stems":
        return cls(Formulas.load(), Vocabulary.load())

    def read(self, folded: Sequence[str]) -> list[int]:
        """The numbers of the stems of folded words, in order, formulas applied."""
        number = self.vocabulary.number
        return [number(word) for word in self.formulas.applied(folded)]

    def shingles(self, stems: Sequence[int]) -> Iterator[int]:
        """Pairs of words of content that stand beside one another or with one between them, as numbers; each once."""
        weights = self.vocabulary.weights
        content = [number for number in stems if weights[number] >= self.CONTENT]
        seen: set[int] = set()
        for here in range(len(content) - 1):
            first = content[here]
            for there in content[here + 1 : here + 3]:
                pair = first << 24 | there if first < there else there << 24 | first
                if pair not in seen:
                    seen.add(pair)
                    yield pair
