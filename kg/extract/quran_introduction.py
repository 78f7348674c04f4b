"""What stands before a quotation: the formula that introduces it (قال الله تعالى, ثم قرأ, فنزلت) and the marks around it.

The formulas are in ``tables/quran_introductions.tsv``. Between the formula and the quotation praise of God and a few words of
address may stand (عز وجل, لنبيه, في كتابه); they belong to the introduction.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from kg.tables import TableError, read_tsv
from kg.text import Words, fold

__all__ = ["Introduction", "Introductions", "Mark", "marks"]

_TABLE = Path(__file__).with_name("tables") / "quran_introductions.tsv"
_BETWEEN = frozenset(
    fold(
        "تعالى عز وجل سبحانه وتعالى تبارك جل وعلا وعز ثناؤه ذكره جلاله اسمه العزيز العظيم الكريم العلي القدير فيه فيهم فيهما فيها فينا عليه عليهم"
        " إليه لنبيه لرسوله ولنبيه منكم أيضا في كتابه ذلك هذا مثل على نبيه رسوله محمد صلى الله وسلم عليه السلام له لهم لنا يعني بعد أول آخر قال يقول"
        " القائل الحق"
    ).split()
)
_PREPOSITIONS = frozenset(fold("في على مثل بعد").split())
_REACH = 8
_GOD = "الله"
_BEFORE_GOD = frozenset(fold("عبد عبيد رسول نبي ورسول برسول لرسول وعبد هبة عطاء عون ولي أمة سبيل").split())


@dataclass(frozen=True, slots=True)
class Introduction:
    """Words ``first`` to ``after - 1`` introduce what follows; ``strength`` 1 to 3 as in the table."""

    first: int
    after: int
    strength: int
    elision: bool
    use: str | None
    cited_by: str | None


@dataclass(frozen=True, slots=True)
class _Formula:
    rest: tuple[str, ...]
    strength: int
    elision: bool
    use: str | None
    cited_by: str | None


class Introductions:
    """The formulas, by their first word and the one after it."""

    def __init__(self, path: Path = _TABLE) -> None:
        self._alone: dict[str, list[_Formula]] = {}
        self._longer: dict[str, dict[str, list[_Formula]]] = {}
        for line, row in read_tsv(path, ("phrase", "strength", "use", "cited_by", "attached", "source")):
            if row["strength"] not in ("0", "1", "2", "3", "elision"):
                raise TableError(path, line, f"strength {row['strength']!r}: write 0, 1, 2, 3 or elision")
            first, *rest = fold(row["phrase"]).split()
            elision = row["strength"] == "elision"
            strength = 2 if elision else int(row["strength"])
            formula = _Formula(tuple(rest), strength, elision, row["use"] or None, row["cited_by"] or None)
            for before in ("", "و", "ف", *(("ل", "ب", "ك", "ول", "وك", "وب") if row["attached"] == "yes" else ())):
                if rest:
                    self._longer.setdefault(before + first, {}).setdefault(rest[0], []).append(formula)
                else:
                    self._alone.setdefault(before + first, []).append(formula)
        for formulas in [formulas for by_second in self._longer.values() for formulas in by_second.values()]:
            formulas.sort(key=lambda formula: -len(formula.rest))
        self._known = frozenset((*self._alone, *self._longer))

    def find(self, tokens: Sequence[str], opened: Callable[[int], bool] = lambda token: False) -> list[Introduction]:
        """The introductions in a text's words, in order; of several that begin with one word the longest.

        ``opened`` tells whether a quotation opens right before a token: no formula goes on over that (قال: «الله يعلم»).

        >>> [(i.first, i.after, i.strength) for i in Introductions().find("ثم قرا قول الله عز وجل لا ريب فيه".split())]
        [(1, 6, 3)]
        """
        found: list[Introduction] = []
        known, nothing = self._known, list[_Formula]()
        for i in [i for i, token in enumerate(tokens) if token in known]:
            by_second = self._longer.get(tokens[i])
            longer = by_second.get(tokens[i + 1], nothing) if by_second and i + 1 < len(tokens) else nothing
            for formula in (*longer, *self._alone.get(tokens[i], nothing)):
                after = i + 1 + len(formula.rest)
                if tuple(tokens[i + 1 : after]) != formula.rest or any(map(opened, range(i + 1, after))):
                    continue
                if formula.strength == 0:
                    break
                if tokens[i] == _GOD and i and tokens[i - 1] in _BEFORE_GOD:
                    break  # عبد الله يقول: a man speaks
                if found and found[-1].after >= after:
                    break  # inside a longer one
                after = _over_praise(tokens, after)
                first, strength, elision, use = i, formula.strength, formula.elision, formula.use
                if found and found[-1].after >= i and found[-1].strength + strength > 2:
                    before = found.pop()
                    first, elision = before.first, before.elision or elision
                    strength, use = max(strength, before.strength), before.use or use
                found.append(Introduction(first, after, strength, elision, use, formula.cited_by))
                break
        return found


def _over_praise(tokens: Sequence[str], after: int) -> int:
    """The token after what may stand between a formula and a quotation (في ذلك, but not في before a name)."""
    stop = min(len(tokens), after + _REACH)
    while after < stop and tokens[after] in _BETWEEN:
        if tokens[after] in _PREPOSITIONS and not (after + 1 < stop and tokens[after + 1] in _BETWEEN):
            break
        after += 1
    return after


@dataclass(frozen=True, slots=True)
class Mark:
    """A pair of marks around words ``first`` to ``after - 1``; ``quran`` where such marks stand around the Quran only."""

    first: int
    after: int
    quran: bool


_PAIRS = (
    (re.compile(r"[{\ufd3f\u2774]([^{}\ufd3e\ufd3f]*)[}\ufd3e]|\ufd3e([^\ufd3e\ufd3f]*)\ufd3f"), "{\ufd3f\ufd3e", True),
    (re.compile(r"@QB@(.*?)(?:@QE@|$)", re.DOTALL), "@", True),
    (re.compile(r"«([^«»]*)»"), "«", False),
    (re.compile(r"“([^“”]*)”"), "“", False),
    (re.compile(r"\"([^\"]*)\""), '"', False),
    (re.compile(r"\(\(([^()]*)\)\)"), "(", False),
    (re.compile(r"(?<!\()\(([^()]*)\)(?!\))"), "(", False),
    (re.compile(r"\[([^\[\]]*)\]"), "[", False),
)


def marks(words: Words) -> list[Mark]:
    """The pairs of marks in a text, with the words inside; in order of their first word.

    >>> marks(Words("قوله ﴿ثاني اثنين﴾ يعني"))
    [Mark(first=1, after=3, quran=True)]
    """
    text = words.text
    found = []
    for pattern, signs, quran in _PAIRS:
        if not any(sign in text for sign in signs):
            continue
        for match in pattern.finditer(text):
            start, end = next(match.span(g) for g in range(1, pattern.groups + 1) if match.start(g) >= 0)
            first, after = words.at(start), words.at(end - 1) if end > start else 0
            while after < len(words) and words.ends[after] <= end:
                after += 1
            if first < after and words.starts[first] >= start:
                found.append(Mark(first, after, quran))
    return sorted(found, key=lambda mark: (mark.first, -mark.after))
