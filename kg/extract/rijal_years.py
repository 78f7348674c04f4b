"""Death years in biographical dictionaries: number words, dropped centuries, reigns."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from kg.authority.model import Year
from kg.tables import TableError, read_tsv

__all__ = ["Tabaqa", "death_year", "tabaqat", "years_said"]

_TABLES = Path(__file__).parent / "tables"
_VERBS = {"مات", "ماتت", "توفي", "توفيت", "قتل", "قتلت", "استشهد", "استشهدت", "وفاته", "وفاتها", "موته"}
_OR = {"او", "وقيل", "ويقال", "قيل", "يقال", "وقال", "واول"}
_BEFORE = {"قبل", "قبيل", "وقبل"}
_AFTER = {"بعد", "بعيد"}
_AGE = {"جاوز", "جاز", "جاوزت", "ناهز", "قارب"}
"""What follows these is an age: وقد جاز المائة."""
_DENIED = (("ولا", "يصح"), ("ولم", "يصح"), ("ولا", "يثبت"), ("ولم", "يثبت"), ("وهو", "وهم"), ("وهو", "غلط"))
_CONTRADICTS = 30
"""Years that a year written in full lies outside its generation, so that another century is as likely meant."""
_ABOUT = {"حدود", "قريبا", "نحو", "راس", "قرب"}
_PASSED = {
    *("سنه", "من", "في", "اول", "اخر", "اوايل", "اواخر", "شهر", "ربيع", "رمضان", "شعبان", "شوال", "صفر", "المحرم", "محرم", "رجب"),
    *(
        "جمادي",
        "الاول",
        "الاولي",
        "الاخره",
        "الاخر",
        "ذي",
        "القعده",
        "الحجه",
        "ذو",
        "عام",
        "سنيه",
        "بمكه",
        "بالمدينه",
        "بها",
        "بالكوفه",
    ),
    *("بالبصره", "بالشام", "بمصر", "بدمشق", "ببغداد", "بحمص", "حاجا", "غازيا", "الهجره"),
}


class Tabaqa(NamedTuple):
    """One of Ibn Hajar's generations: the years in which its people died, widest and usual."""

    first: int
    last: int
    usual_first: int
    usual_last: int


@cache
def tabaqat() -> dict[int, Tabaqa]:
    """The generations of the Taqrib by number."""
    return {
        int(row["tabaqa"]): Tabaqa(*(int(row[name]) for name in ("from", "to", "usual_from", "usual_to")))
        for _, row in read_tsv(_TABLES / "rijal_tabaqat.tsv", ("tabaqa", "name", "from", "to", "usual_from", "usual_to"))
    }


@cache
def _numbers() -> dict[str, tuple[str, int]]:
    path = _TABLES / "rijal_numbers.tsv"
    numbers = {}
    for line, row in read_tsv(path, ("word", "kind", "value")):
        if row["kind"] not in {"unit", "teen", "ten", "hundred", "few"}:
            raise TableError(path, line, f"{row['kind']!r} is no kind of number word: see the comment above the table")
        numbers[row["word"]] = (row["kind"], int(row["value"]))
    return numbers


@cache
def _reigns() -> list[tuple[tuple[str, ...], int, int]]:
    rows = [
        (tuple(row["words"].split()), int(row["first"]), int(row["last"]))
        for _, row in read_tsv(_TABLES / "rijal_reigns.tsv", ("words", "first", "last"))
    ]
    return sorted(rows, key=lambda row: -len(row[0]))


@dataclass(slots=True)
class _Said:
    """One year as said, still without what a later word adds (أربع أو خمس وتسعين)."""

    unit: int | None = None
    ten: int | None = None
    hundred: int | None = None
    few: bool = False
    sense: str = ""
    shift: int | None = None

    @property
    def empty(self) -> bool:
        return self.unit is None and self.ten is None and self.hundred is None and not self.few

    @property
    def value(self) -> int:
        return (self.unit or 0) + (self.ten or 0) + (self.hundred or 0)


@dataclass(slots=True)
class _Reading:
    said: list[_Said] = field(default_factory=list)
    now: _Said = field(default_factory=_Said)

    def close(self) -> None:
        if not self.now.empty or self.now.shift is not None:
            self.said.append(self.now)
        self.now = _Said(sense=self.now.sense if self.now.empty and self.now.shift is None else "")


def _number(word: str) -> tuple[str, int, bool] | None:
    """Kind, value, and whether و joins it to what stands before."""
    numbers = _numbers()
    if word.isdecimal() and 0 < int(word) < 1500:
        return ("hundred" if int(word) >= 100 else "ten", int(word), False)  # سنة 91: the century is dropped here too
    for joined, bare in ((False, word), (True, word[1:] if word[:1] == "و" else "")):
        for form in (bare, bare[2:] if bare.startswith("ال") else "", bare[2:] if bare.startswith("لل") else ""):
            if form in numbers:
                return (*numbers[form], joined)
    return None


def years_said(words: Sequence[str]) -> list[tuple[int, bool, str]]:
    """The years in a run of folded words: value, whether the century was said, and in which sense (``""``, before, after, about, few).

    >>> years_said("سنه اربع او خمس وتسعين وقد قارب الثمانين".split())
    [(94, False, ''), (95, False, '')]
    >>> years_said("سنه سبع او ثمان وتسعين وقيل مايه او بعد ذلك".split())
    [(97, False, ''), (98, False, ''), (100, True, '')]
    >>> years_said("بعد الاربعين ومايتين".split())
    [(240, True, 'after')]
    """
    reading = _Reading()
    silent = 0
    for i, word in enumerate(words):
        number = _number(word)
        now = reading.now
        if number is not None:
            kind, value, joined = number
            silent = 0
            if kind == "few":
                if not now.empty:
                    reading.close()
                reading.now.few = True
            elif kind == "unit":
                following = _number(words[i + 1]) if i + 1 < len(words) else None
                if following and following[0] == "hundred" and not following[2] and following[1] == 100:
                    reading.now.hundred = value * 100
                    _share_hundred(reading)
                    continue
                if now.unit is not None or now.ten is not None or now.hundred is not None:
                    if not joined and now.unit is None and now.ten is None:
                        break
                    reading.close()
                reading.now.unit = value
            elif kind in {"teen", "ten"}:
                if now.ten is not None:
                    reading.close()
                    now = reading.now
                now.ten = value
                if joined or kind == "teen":
                    _share_ten(reading)
            elif now.hundred is None or now.hundred < 100:
                if now.unit is not None and value == 100 and not joined:
                    now.hundred, now.unit = now.unit * 100, None
                else:
                    now.hundred = value
                if now.unit is not None or now.ten is not None or now.few:
                    _share_hundred(reading)
            continue
        bare = word[1:] if word[:1] == "و" and word[1:] in _AFTER | _BEFORE | _ABOUT else word
        if word in _AGE:
            break
        if word in _OR:
            reading.close()
            silent = 0
        elif word in {"بسنه", "بسنتين"} and i and words[i - 1].lstrip("و") in {"بعدها", "قبلها"}:
            steps = 1 if word == "بسنه" else 2
            reading.now.shift = steps if "بعدها" in words[i - 1] else -steps
            reading.close()
        elif bare in _BEFORE | _AFTER | _ABOUT:
            if not now.empty:
                reading.close()
            reading.now.sense = "before" if bare in _BEFORE else "after" if bare in _AFTER else "about"
        elif word in {"بعدها", "قبلها", "بعد", "ذلك", "التي"} or word in _PASSED:
            if not now.empty and word in {"سنه", "عام"}:
                reading.close()
        else:
            silent += 1
            if reading.said or not now.empty or silent > 0:
                break
    reading.close()
    years: list[tuple[int, bool, str]] = []
    for said in reading.said:
        if said.shift is not None:
            if years:
                years.append((years[0][0] + said.shift, years[0][1], ""))
            continue
        if said.ten is None and said.hundred is None and said.unit is None:
            continue
        years.append((said.value, said.hundred is not None, "few" if said.few else said.sense))
    return years


def _share_ten(reading: _Reading) -> None:
    for said in reversed(reading.said):
        if said.unit is None or said.ten is not None or said.hundred is not None:
            break
        said.ten = reading.now.ten


def _share_hundred(reading: _Reading) -> None:
    for said in reversed(reading.said):
        if said.hundred is not None or (said.ten is not None and reading.now.ten is None):
            break
        said.hundred = reading.now.hundred


def death_year(words: Sequence[str], tabaqa: int | None, source: str = "", *, reigns: bool = True) -> Year | None:
    """When the person died, as the entry's folded words say; the century that the Taqrib drops follows from the generation.

    Where two centuries are possible the other one stands among the alternatives. ``reigns`` takes خلافة معاوية or يوم الجمل for a
    span of years. A year of units alone takes its tens from a year named before it; a reign that the entry denies (ولا يصح) is none; a
    year written in full that its generation contradicts stands beside that of the other century, and neither is chosen.

    >>> death_year("من الثامنه مات سنه احدي وسبعين وقيل ثمانين او بعدها".split(), 8).alternatives
    (180,)
    >>> death_year("صحابي مات في خلافه معاويه".split(), 1)
    Year(first=41, last=60, alternatives=(), precision='interval', source='')
    >>> death_year("ولي الخلافه في اخر سنه اربع وستين ومات سنه خمس في رمضان".split(), 2).first
    65
    >>> death_year("ثقه ثبت من التاسعه مات سنه خمس عشره ومايه".split(), 9)
    Year(first=None, last=None, alternatives=(115, 215), precision='year', source='')
    """
    for i, word in enumerate(words):
        verb = word[1:] if word[:1] == "و" and word[1:] in _VERBS else word
        if verb not in _VERBS:
            continue
        rest = words[i + 1 :]
        start = _start_of_year(rest)
        if start is not None:
            years = years_said(rest[start : start + 24])
            if years:
                return _year(_with_tens(years, words[:i]), tabaqa, source)
        reign = _reign(rest[:9]) if reigns and not _denied(rest[:9]) else None
        if reign is not None:
            return Year(reign[0], reign[1], precision="year" if reign[0] == reign[1] else "interval", source=source)
    return None


def _denied(words: Sequence[str]) -> bool:
    return any(pair in _DENIED for pair in pairwise(words))


def _with_tens(years: list[tuple[int, bool, str]], before: Sequence[str]) -> list[tuple[int, bool, str]]:
    """The years, the first of units alone with the tens of the year last named before it (سنة أربع وستين … ومات سنة خمس)."""
    value, full, sense = years[0]
    if full or value >= 10 or "سنه" not in before:
        return years
    named = years_said(before[len(before) - 1 - before[::-1].index("سنه") :])
    tens = named[-1][0] - named[-1][0] % 10 if named else 0
    return [(value + tens, full, sense), *years[1:]] if 0 < tens < 100 else years


def _start_of_year(rest: Sequence[str]) -> int | None:
    for j, word in enumerate(rest[:14]):
        if word in _VERBS:
            return None
        if word in {"سنه", "عام"} and j + 1 < len(rest) and any(_number(w) for w in rest[j + 1 : j + 4]):
            before = rest[max(0, j - 2) : j]
            return j - len(before) if set(before) & (_BEFORE | _AFTER | _ABOUT) else j
        if word in _BEFORE | _AFTER | _ABOUT and any(_number(w) for w in rest[j + 1 : j + 3]):
            return j
        if word in {"بضع", "نيف"}:
            return j
    return None


def _reign(rest: Sequence[str]) -> tuple[int, int] | None:
    for words, first, last in _reigns():
        for j in range(len(rest) - len(words) + 1):
            if tuple(rest[j : j + len(words)]) == words:
                return first, last
    return None


def _with_century(value: int, tabaqa: int | None) -> list[int]:
    """The years that a number without century may mean, the likelier first."""
    generation = tabaqat().get(tabaqa or 0)
    if value > 100:
        return [value]
    if generation is None:
        return [value]
    possible = [value + century for century in (0, 100, 200, 300) if value + century > 0]
    within = [year for year in possible if generation.usual_first <= year <= generation.usual_last]
    wide = [year for year in possible if generation.first <= year <= generation.last and year not in within]
    if within or wide:
        return within + wide
    middle = (generation.usual_first + generation.usual_last) / 2
    return [min(possible, key=lambda year: abs(year - middle))]


def _of_generation(value: int, tabaqa: int | None) -> int | None:
    """The same year of the century before or after, where the generation contradicts the one written; None where it does not."""
    generation = tabaqat().get(tabaqa or 0)
    if generation is None or generation.first - _CONTRADICTS <= value <= generation.last + _CONTRADICTS:
        return None
    return next((year for year in (value + 100, value - 100) if generation.first <= year <= generation.last), None)


def _year(years: list[tuple[int, bool, str]], tabaqa: int | None, source: str) -> Year:
    value, full, sense = years[0]
    if (full or value > 100) and not sense and len(years) == 1:
        other = _of_generation(value, tabaqa)
        if other is not None:
            return Year(None, None, (value, other), "year", source)
    candidates = [value] if full or value > 100 else _with_century(value, tabaqa)
    first = candidates[0]
    others = candidates[1:]
    century = first - first % 100 if first % 100 or value == 0 else first - value
    for other, other_full, _ in years[1:]:
        if other_full or other >= 100:
            others.append(other)
        elif other < 10 <= first % 100:
            others.append(first - first % 10 + other)
        else:
            near = min((other + c for c in (0, 100, 200, 300)), key=lambda year: (abs(year - first), year))
            others.append(near if tabaqa else other + century)
    alternatives = tuple(dict.fromkeys(year for year in others if year != first))
    if sense == "few":
        return Year(first + 3, first + 9, alternatives, "interval", source)
    if sense == "before":
        return Year(None, first, alternatives, "before", source)
    if sense == "after":
        return Year(first, None, alternatives, "after", source)
    if sense == "about":
        return Year(first - 5, first + 5, alternatives, "decade", source)
    return Year(first, first, alternatives, "year", source)
