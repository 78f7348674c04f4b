"""Suras named in a text: سورة براءة, فاتحة الكتاب; and verses that stand for the sura they open (قرأ والنجم).

A sura named helps to choose the verse near by, and is a citation of its own (``use`` is ``sura-named``, the reference the whole sura).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kg.extract.quran_text import Sura
from kg.text import fold

__all__ = ["NamedSura", "SuraNames"]

_SURA = frozenset(before + "سوره" for before in ("", "و", "ب", "ل", "ال", "ف"))
_UNMISTAKABLE = frozenset(fold("فاتحة الكتاب|أم القرآن|السبع المثاني").split("|"))
_LONGEST = 5


@dataclass(frozen=True, slots=True)
class NamedSura:
    """Tokens ``first`` to ``after - 1`` name a sura; ``word`` is the token of the word sura before it, or None."""

    first: int
    after: int
    sura: int
    word: int | None


class SuraNames:
    """The names of the suras, by their folded words."""

    def __init__(self, suras: Sequence[Sura]) -> None:
        self.numbers: dict[tuple[str, ...], int] = {}
        for sura in suras:
            for name in (*sura.surfaces, *sura.openings):
                self.numbers.setdefault(tuple(fold(name).split()), sura.number)
        self.verses = {sura.number: sura.verses for sura in suras}
        self.openings = {tuple(fold(name).split()): sura.number for sura in suras for name in sura.openings}
        self._alone = {name: number for name, number in self.numbers.items() if " ".join(name) in _UNMISTAKABLE}
        self._first_alone = {name[0] for name in self._alone} | {before + name[0] for name in self._alone for before in "بو"}
        self._starts = frozenset((*_SURA, *self._first_alone))

    def whole(self, sura: int) -> str:
        """The reference of a whole sura.

        >>> from kg.extract.quran_text import load_suras
        >>> SuraNames(load_suras()).whole(112)
        '112:1-4'
        """
        return f"{sura}:1-{self.verses[sura]}"

    def at(self, tokens: Sequence[str], i: int) -> tuple[int, int] | None:
        """The sura named from word ``i`` on and the word after its name; the longest name counts."""
        for length in range(_LONGEST, 0, -1):
            number = self.numbers.get(tuple(tokens[i : i + length]))
            if number and i + length <= len(tokens):
                return number, i + length
        return None

    def find(self, tokens: Sequence[str]) -> list[NamedSura]:
        """The suras named, in text order.

        >>> from kg.extract.quran_text import load_suras
        >>> [(n.sura, n.first, n.after) for n in SuraNames(load_suras()).find("نزلت سوره براءه بعد فاتحه الكتاب".split())]
        [(9, 2, 3), (1, 4, 6)]
        """
        named: list[NamedSura] = []
        starts = self._starts
        for i in [i for i, token in enumerate(tokens) if token in starts]:
            token = tokens[i]
            if token in _SURA:
                found = self.at(tokens, i + 1)
                if found:
                    named.append(NamedSura(i + 1, found[1], found[0], i))
            elif token in self._first_alone and (i == 0 or tokens[i - 1] not in _SURA):
                for start in (token, token[1:]):
                    sura = self._alone.get((start, *tokens[i + 1 : i + 2]))
                    if sura:
                        named.append(NamedSura(i, i + 2, sura, None))
                        break
        return named
