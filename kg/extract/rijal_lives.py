"""Lives told in prose, as al-Nawawi tells them: name, kunya, death year, teachers and students where he lists them."""

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from kg.extract.names import NAME, plain
from kg.extract.rijal_entry import Facts
from kg.extract.rijal_name import EntryName
from kg.extract.rijal_years import death_year
from kg.extract.word_classes import JOINED, WordClasses
from kg.tables import read_tsv
from kg.text import Words, fold

__all__ = ["listed", "names_somebody", "read_life"]

_HEADING_ENDS = {
    *(
        "الصحابي",
        "الصحابيه",
        "التابعي",
        "التابعيه",
        "رضي",
        "مذكور",
        "مذكوره",
        "المذكور",
        "المذكوره",
        "تكرر",
        "تكررت",
        "متكرر",
        "متكرره",
    ),
    *(
        "هو",
        "هي",
        "ذكره",
        "ذكرها",
        "من",
        "صلي",
        "عليه",
        "رسول",
        "امير",
        "احد",
        "جاء",
        "له",
        "في",
        "روي",
        "ام المومنين",
        "رحمه",
        "الامام",
    ),
}
_COMPANION = {"الصحابي", "الصحابيه"}
_FULL_NAME = {"هو", "هي", "واسمه", "واسمها", "اسمه", "اسمها"}
_TITLES = {"الامام", "الجليل", "المشهور", "البارع", "ابن", "السيد", "الحافظ", "او"}
_HE_HEARD = (("روي", "عن"), ("وروي", "عن"), ("سمع",), ("وسمع",), ("وحدث", "عن"), ("حدث", "عن"), ("يروي", "عن"))
_HEARD_HIM = (
    ("روي", "عنه"),
    ("وروي", "عنه"),
    ("روي", "عنها"),
    ("وروي", "عنها"),
    ("روت", "عنه"),
    ("حدث", "عنه"),
    ("وحدث", "عنه"),
    ("وعنه",),
)
_PASSED = {
    "من",
    "الصحابه",
    "التابعين",
    "جماعات",
    "جماعه",
    "خلايق",
    "خلق",
    "منهم",
    "كثيرون",
    "وخلايق",
    "ابنه",
    "ابناه",
    "وابنه",
    "الاعلام",
    "الايمه",
}
_name = re.compile(NAME)


@cache
def _words(kind: str) -> frozenset[str]:
    rows = read_tsv(Path(__file__).parent / "tables" / "rijal_life_words.tsv", ("word", "kind", "example"))
    return frozenset(row["word"] for _, row in rows if row["kind"] == kind)


def names_somebody(text: str) -> bool:
    """Whether an entry is about a person by name, not about a saying or somebody unnamed.

    >>> names_somebody("قوله في المهذب في صلاة العيد"), names_somebody("قيس بن سعد بن عبادة")
    (False, True)
    """
    first = fold(text).split()[:1]
    return bool(first) and first[0] not in _words("unnamed")


@cache
def _classes() -> WordClasses:
    return WordClasses.load()


def read_life(paragraphs: Sequence[str]) -> Facts:
    """The facts of a life told in paragraphs; the first begins with the name.

    >>> life = read_life([
    ...     "زيد بن ثابت الصحابي رضي الله عنه تكرر هو أبو سعيد زيد بن ثابت بن الضحاك الأنصاري النجاري",
    ...     "روى عنه ابن عمر وأنس بن مالك وأبو هريرة وتوفى بالمدينة سنة خمس وأربعين",
    ... ])
    >>> life.ism, life.nasab, life.kunya, life.companion, life.death.first
    ('زيد', ('ثابت', 'الضحاك'), ('أبو سعيد',), True, 45)
    >>> life.students
    ('ابن عمر', 'أنس بن مالك', 'أبو هريرة')
    """
    if not paragraphs:
        return Facts()
    words = Words(paragraphs[0])
    folded = words.folded
    end = next((i for i, word in enumerate(folded) if i and word in _HEADING_ENDS), min(len(folded), 12))
    heading = EntryName(words, end)
    heading.read()
    fuller = _fuller(words, end)
    best = fuller if fuller is not None and fuller.ism and (not heading.ism or fuller.ism == heading.ism) else heading
    text = Words(" ".join(paragraphs))
    nisbas = [*heading.nisba, *(best.nisba if best is not heading else [])]
    return Facts(
        ism=next((ism for ism in (heading.ism, best.ism) if ism and fold(ism) not in _words("ism")), None),
        nasab=tuple(best.nasab if len(best.nasab) > len(heading.nasab) else heading.nasab),
        kunya=tuple(dict.fromkeys([*heading.kunya, *best.kunya])),
        nisba=tuple(nisba for nisba in dict.fromkeys(nisbas) if fold(nisba) not in _words("byname")),
        laqab=tuple(dict.fromkeys(heading.laqab)),
        shuhra=tuple(dict.fromkeys(heading.shuhra)),
        sex="f" if "f" in {heading.sex, best.sex} else "m",
        companion=any(word in _COMPANION for word in folded[: end + 3]),
        death=death_year(_with_verbs(text.folded), None, "life", reigns=False),
        teachers=listed(text, _HE_HEARD),
        students=listed(text, _HEARD_HIM),
    )


def _with_verbs(folded: Sequence[str]) -> list[str]:
    """The words with توفى written as the years are read."""
    return ["توفي" if word in {"توفي", "وتوفي", "فتوفي"} else word for word in folded]


def _fuller(words: Words, heading_end: int) -> EntryName | None:
    """The name written out after هو, where the life opens with it."""
    folded = words.folded
    for i in range(heading_end, min(len(folded) - 2, heading_end + 40)):
        if folded[i] in _FULL_NAME:
            at = i + 1
            while at < len(folded) - 1 and folded[at] in _TITLES:
                at += 1
            rest = Words(words.text[words.starts[at] :])
            stop = next((k for k, word in enumerate(rest.folded) if k and word in _HEADING_ENDS), min(len(rest), 25))
            name = EntryName(rest, stop)
            name.read()
            return name
    return None


def listed(text: Words, openings: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """The names in the lists that such words open: روى عنه فلان وفلان وفلان."""
    folded = text.folded
    codes = _classes().code(folded)
    found: dict[str, None] = {}
    for i in range(len(folded)):
        opening = next((words for words in openings if tuple(folded[i : i + len(words)]) == words), None)
        if opening is None:
            continue
        at = i + len(opening)
        while at < len(folded) and folded[at] in _PASSED:
            at += 1
        first = True
        while at < len(folded):
            joined = ord(codes[at]) > JOINED
            if not first and not joined:
                break
            own = chr(ord(codes[at]) - JOINED) if joined else codes[at]
            match = _name.match(own + codes[at + 1 :])
            if match is None:
                break
            surface = " ".join(plain(text.surface(at, at + match.end())))
            name = surface[1:] if joined and surface.startswith("و") else surface
            if len(name) > 2 and fold(name) not in _words("list"):
                found[name] = None
            at += match.end()
            first = False
    return tuple(found)
