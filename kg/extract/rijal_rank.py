"""The judgement in an entry of a biographical dictionary: where it opens, how far it goes, and what it says of a Companion."""

from functools import cache
from pathlib import Path

from kg.extract.rijal_name import FILIATION
from kg.tables import read_tsv
from kg.text import Words, fold

__all__ = ["COMPANIONS", "judgement", "rank_of", "rank_start", "says_companion"]

_TABLES = Path(__file__).parent / "tables"
COMPANIONS = {"companion", "kin"}
"""Kinds of words that say of somebody that he saw the Prophet; those of kin (زوج النبي, خادم رسول الله) are no judgement."""
_OFFICES = {"امام": ("مسجد", "المسجد", "جامع", "الجامع"), "معروف": ("ب",), "شيخ": ("ل",)}
"""Words that judge nobody before a word that begins so: إمام مسجد سلمية, معروف بكنيته, شيخ لابن جريج."""
_NO_TEACHER = {"لا", "لم", "لين", "ليس"}
_CRITICS = {"وثقه", "ضعفه", "كذبه"}
_LIFE = {"مات", "ماتت", "قتل", "توفي", "استشهد", "ومات", "ولد", "قال", "روي", "قلت", "وماتت"}

Phrase = tuple[str, ...]


@cache
def _ranks() -> dict[str, list[tuple[Phrase, str]]]:
    by_first: dict[str, list[tuple[Phrase, str]]] = {}
    for _, row in read_tsv(_TABLES / "rijal_ranks.tsv", ("words", "kind")):
        words = tuple(row["words"].split())
        by_first.setdefault(words[0], []).append((words, row["kind"]))
    for rows in by_first.values():
        rows.sort(key=lambda row: -len(row[0]))
    return by_first


@cache
def _qualifiers() -> frozenset[Phrase]:
    return frozenset(
        tuple(fold(row["words"]).split()) for _, row in read_tsv(_TABLES / "rijal_qualifiers.tsv", ("words", "example"))
    )


def _opening(folded: list[str], i: int) -> tuple[Phrase, str] | None:
    """The longest words of judgement, or of a Companion, that stand at a place, and their kind."""
    return next((row for row in _ranks().get(folded[i], ()) if tuple(folded[i : i + len(row[0])]) == row[0]), None)


def rank_start(folded: list[str], end: int) -> tuple[int | None, str | None]:
    """Where an entry begins to say who its person was, after the name, and the kind of the words."""
    for i in range(1, end):
        found = _opening(folded, i)
        if found is None or folded[i - 1] in FILIATION | {"ابي", "ابو", "مولي"}:
            continue
        words, kind = found
        if kind == "rank" and words == ("شيخ",) and folded[i - 1] in {"هو", "وهو"}:
            continue
        if kind in COMPANIONS and _of_another(folded, i):
            continue
        return i, kind
    return None, None


def says_companion(folded: list[str], end: int) -> bool:
    """Whether an entry says anywhere that its person saw the Prophet."""
    for i in range(1, end):
        found = _opening(folded, i)
        if found is not None and found[1] in COMPANIONS:
            return not _of_another(folded, i)
    return False


def _of_another(folded: list[str], i: int) -> bool:
    """Whether what is said there of a Companion is denied, or said of another: لا تثبت له صحبة, سمع من كبار الصحابة, عن رجل له صحبة."""
    before = folded[max(0, i - 3) : i]
    heard = any(word in before for word in ("سمع", "وسمع", "روي", "عن", "لقي", "ادرك", "وادرك"))
    return heard or folded[i - 1] in {"انه", "انها", "ليست", "ليس"} or ("لا" in before and "تثبت" in before)


def _judged_from(folded: list[str], start: int, stop: int) -> int | None:
    """Where the judgement itself opens, from a place on: beyond words of kin or office, if at all."""
    for i in range(start, stop):
        found = _opening(folded, i)
        if found is None or found[1] == "kin":
            continue
        beyond = _opening(folded, i + len(found[0])) if found[1] == "companion" and i + len(found[0]) < stop else None
        if beyond is not None and beyond[1] == "rank":  # ... الصحابي مقبول: an ancestor was the Companion
            continue
        after = folded[i + 1] if len(found[0]) == 1 and i + 1 < stop else ""
        if not after.startswith(_OFFICES.get(folded[i], ("\0",))) or after in _NO_TEACHER:
            return i
    return None


def rank_of(words: Words, start: int | None, stated: int | None, end: int) -> tuple[str | None, str | None]:
    """The judgement as the entry words it, up to the generation (``stated``) or what is told of the life, and its opening term, folded."""
    if start is None:
        return None, None
    folded = words.folded
    if folded[start] in {"ولد", "ولدت"}:
        return None, None  # ولد في حياة النبي is told of the life, no judgement
    start = _judged_from(folded, start, stated if stated is not None else end)
    if start is None:
        return None, None
    found = _opening(folded, start)
    opening = found[0] if found is not None else (folded[start],)
    stop = stated if stated is not None else end
    for i in range(start + len(opening), stop):
        if folded[i] in _LIFE or (stated is None and folded[i] in {"من", "له", "لها", "في", "ذكر", "وقد"}):
            stop = i
            break
    return words.surface(start, stop), " ".join(opening)


def judgement(rank: str | None) -> str | None:
    """The term of a judgement with what qualifies it; the critic's further words stay in his book. None where the words judge nobody.

    >>> judgement("صدوق له أوهام ورمي بالتشيع مات قديما")
    'صدوق له أوهام ورمي بالتشيع'
    >>> judgement("وثقه بن معين وقال"), judgement("زوج النبي صلى الله عليه وسلم")
    ('وثقه بن معين', None)
    """
    if not rank:
        return None
    words = Words(rank)
    folded = words.folded
    at = _judged_from(folded, 0, len(folded))
    found = _opening(folded, at) if at is not None else None
    if at is None or found is None:
        return None
    end = at + len(found[0])
    if folded[at] in _CRITICS and end < len(folded):
        named = folded[end] in {"بن", "ابن", "ابو", "ابي"}
        end += 2 if named and end + 1 < len(folded) else 1 if folded[end].startswith("ال") else 0
    while (longer := _qualified(folded, end)) > end:
        end = longer
    return words.surface(at, end)


def _qualified(folded: list[str], i: int) -> int:
    """The end of the longest qualification that stands at a place; the place itself where none does."""
    for length in (4, 3, 2, 1):
        phrase = tuple(folded[i : i + length])
        if len(phrase) == length and (phrase in _qualifiers() or (phrase[0].removeprefix("و"), *phrase[1:]) in _qualifiers()):
            return i + length
    return i
