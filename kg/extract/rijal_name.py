"""The name that opens an entry of a biographical dictionary, word by word: ism, nasab, kunyas, nisbas, what he is known by."""

from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from kg.tables import read_tsv
from kg.text import Words, fold

__all__ = ["FILIATION", "EntryName"]

_TABLES = Path(__file__).parent / "tables"
_SON, _DAUGHTER = {"بن", "ابن"}, {"بنت", "ابنه"}
FILIATION = _SON | _DAUGHTER
_COMPOUND = {
    "وابو",
    "عبد",
    "عبيد",
    "امه",
    "ذو",
    "ذي",
    "ابو",
    "ابي",
    "ابا",
    "ام",
    "هبه",
    "عايذ",
    "تيم",
    "سيف",
    "زين",
    "امرء",
    "ال",
}
_OF_GOD = {"الله"}
# These are names by themselves too (عبيد بن عمير, سيف): of two words only with one of these behind.
_ALONE_TOO = {"عبيد", "هبه", "عايذ", "تيم", "سيف", "زين"}
_SECOND = {"الله", "الرحمن", "اللات", "الدين", "العابدين", "الدوله"}
_KNOWN_AS = {"المعروف", "يعرف", "يلقب", "لقبه", "الملقب", "ويعرف", "ويلقب", "تعرف", "المعروفه"}
_NO_NAMES = {
    "",
    "واسم",
    "فقيل",
    "قيل",
    "ابيه",
    "انه",
    "انها",
    "ان",
    "له",
    "لها",
    "كنيته",
    "هو",
    "هي",
    "غير",
    "فيه",
    "لا",
    "في",
    "علي",
    "ايضا",
    "ذلك",
    "لم",
    "يعرف",
    "كان",
    "بل",
}
_NO_ISM = {"عن", "من", "لمن", "في", "الي", "قال", "وعن", "حديث", "صاحب", "ولد"}
_KIN = {"ابيه", "اخيه", "ابنه", "امه", "ابي", "عمي"}
_LIVED = {"نزيل", "نزل", "سكن", "نزيله", "سكنت", "نزلت"}
_RELATIVE_OF = {
    *("والد", "والده", "امراه", "زوجه", "زوج", "جده", "اخو", "اخت", "عمه", "خاله", "ابوه", "وابوه", "نسيب", "صهر", "ختن", "سبط"),
    *("حفيد", "ربيب", "كاتب", "وراق", "خادم", "غلام", "صاحب", "راويه", "رفيق", "جار", "مستملي"),
}
_KIN_OF = {"اخي", "اخت", "عم", "عمه", "خال", "خاله", "امراه"}
"""Kin behind ابن (ابن أخي الزهري): whose, the entry goes on to say."""
_CRITICS = {"حبان", "معين", "منده", "ماكولا", "عساكر", "حزم"}
"""Critics whom an entry quotes (ذكره بن حبان): behind ابن no byname of its person."""
_OR = {"او", "ويقال", "وقيل", "قيل", "يقال"}


@cache
def _spelling() -> frozenset[str]:
    return frozenset(row["word"] for _, row in read_tsv(_TABLES / "rijal_spelling.tsv", ("word",)))


def spells(word: str) -> bool:
    """Whether the word spells the name out (بفتح, وسكون, المهملة) and is no part of it."""
    spelling = _spelling()
    for stem in (word, word[1:] if word[:1] in "وب" else "", word[2:] if word[:2] in {"ال", "لل", "وب"} else ""):
        if stem in spelling:
            return stem not in {"عين", "نون", "لام"} or word != stem
        if stem.startswith("ال") and stem[2:] in spelling:
            return True
    if word[:3] in {"بال", "وال"} and word[3:] in spelling:
        return True
    return word[:4] == "وبال" and word[4:] in spelling


@dataclass(slots=True)
class EntryName:
    """Reads the words of a name one after the other."""

    words: Words
    end: int
    ism: str | None = None
    sex: str = "m"
    nasab: list[str] = field(default_factory=list)
    kunya: list[str] = field(default_factory=list)
    nisba: list[str] = field(default_factory=list)
    laqab: list[str] = field(default_factory=list)
    shuhra: list[str] = field(default_factory=list)
    isms: list[str] = field(default_factory=list)
    places: list[str] = field(default_factory=list)
    mawla_of: str | None = None
    father_ism: str | None = None

    def read(self) -> None:
        """The name proper: everything before the judgement."""
        folded = self.words.folded
        first = 1 if folded[:1] in (["ولهم"], ["لهم"]) else 0  # ولهم شيخ آخر يقال له
        kept = [i for i in range(first, self.end) if not spells(folded[i])]
        position = 0
        in_lineage = True
        while position < len(kept):
            i = kept[position]
            word = folded[i]
            after = kept[position + 1] if position + 1 < len(kept) else None
            following = folded[after] if after is not None else ""
            if word in _OR:
                position = self._alternative(kept, position, in_lineage)
                continue
            if word in FILIATION:
                if word in _DAUGHTER and not self.nasab:
                    self.sex = "f"
                unit, position = self._unit(kept, position + 1)
                if not unit:
                    continue
                if in_lineage or (not self.nasab and not self.kunya):
                    self.nasab.append(unit)
                elif fold(unit) in _KIN_OF:  # ابن أخي عبد الله بن مسعود: what follows is the other's name
                    position = self._other(kept, position)
                elif fold(unit) not in _CRITICS:
                    self.shuhra.append(f"ابن {unit}")
                continue
            if word in {"وابو", "ابو", "ام"} and following and following not in FILIATION:
                if word == "ام":
                    self.sex = "f"
                unit, position = self._unit(kept, position)
                self.kunya.append(unit.removeprefix("و"))
                in_lineage = self.ism is None and not self.nasab
                continue
            if word in {"يكني", "تكني", "كنيته", "كنيتها", "يكنا"}:
                unit, position = self._unit(kept, position + 1)
                if unit and self.words.folded[kept[position - 1]] != unit:
                    self.kunya.append(_nominative(unit))
                in_lineage = False
                continue
            if word in _RELATIVE_OF and position:  # أم محمد والدة محمد بن حرب: what follows is the other's name
                position = self._other(kept, position + 1)
                in_lineage = False
                continue
            if word in {"مولي", "مولاه"}:
                self.mawla_of = self._unit(kept, position + 1)[0] or self.mawla_of
                position = self._other(kept, position + 1)
                if word == "مولاه":
                    self.sex = "f"
                in_lineage = False
                continue
            if word in _LIVED:
                if after is not None:
                    self.places.append(self.words.surface(after, after + 1))
                position += 2
                in_lineage = False
                continue
            if word in _KNOWN_AS:
                position = self._known_as(kept, position + 1)
                in_lineage = False
                continue
            if word in {"واسم", "اسم", "واسمه", "اسمه", "واسمها", "اسمها"}:
                if word.endswith(("اسمه", "اسمها")):
                    unit, position = self._unit(kept, position + 1)
                    in_lineage = self._named(unit)
                else:
                    position += 2
                    in_lineage = False
                continue
            if self.ism is None and not self.kunya and not self.nasab and in_lineage:
                self.ism, position = self._unit(kept, position)
                continue
            if self.ism is None and not self.nasab and following in FILIATION and word not in _NO_ISM and word[:2] != "ال":
                self.ism, position = self._unit(kept, position)  # هو أبو صالح حمزة بن عمرو
                in_lineage = True
                continue
            if in_lineage and len(self.nasab) == 1 and fold(self.nasab[0]).startswith("ابي ") and not word.startswith("ال"):
                unit, position = self._unit(kept, position)
                self.father_ism = self.father_ism or unit
                continue
            if word == "الاصل":
                in_lineage = False
            elif word.startswith("ال") and len(word) > 3:
                surface = self.words.surface(i, i + 1)
                (self.nisba if word.endswith(("ي", "يه")) else self.laqab).append(surface)
                in_lineage = False
            elif word.endswith(("ي", "يه")) and len(word) > 3 and word[0] not in "ولب" and word not in _KIN and self.ism:
                surface = self.words.surface(i, i + 1)
                self.nisba.append("ال" + surface.removeprefix("ال"))
                in_lineage = False
            elif word not in {"مولاهم", "حليف"}:
                in_lineage = in_lineage and word in {"هو"}
            position += 1

    def _other(self, kept: list[int], position: int) -> int:
        """The place after another's name and lineage: a relative's, a patron's."""
        _, position = self._unit(kept, position)
        while position < len(kept) and self.words.folded[kept[position]] in FILIATION:
            _, position = self._unit(kept, position + 1)
        return position

    def _named(self, name: str) -> bool:
        """Takes the name told of somebody known by kunya; whether a lineage may follow it."""
        if not name or fold(name) in _NO_NAMES:
            return False
        if self.ism is None and not self.nasab:
            self.ism = name
            return True
        self.isms.append(name)
        return False

    def also(self, start: int, end: int) -> None:
        """Kunyas and names told after the judgement (يكنى أبا رافع, اسمه سليمان)."""
        folded = self.words.folded
        for i in range(start, end - 1):
            if folded[i] in {"يكني", "تكني", "كنيته", "كنيتها", "وكنيته"} and folded[i + 1] in {"ابا", "ابو", "ام"}:
                unit, _ = self._unit(list(range(i + 1, end)), 0)
                self.kunya.append(_nominative(unit))
            elif folded[i] in {"اسمه", "اسمها", "واسمه"} and folded[i + 1] not in {"في", "علي"} and not self.ism:
                unit, _ = self._unit(list(range(i + 1, end)), 0)
                if fold(unit) not in _NO_NAMES:
                    self.isms.append(unit)

    def _unit(self, kept: list[int], position: int) -> tuple[str, int]:
        """One name of one or two words (عبد الله, أبي بكر, أم سلمة) and the position after it."""
        if position >= len(kept):
            return "", position
        folded = self.words.folded
        i = kept[position]
        if folded[i] in FILIATION:
            return "", position
        if folded[i] in _COMPOUND and position + 1 < len(kept):
            j = kept[position + 1]
            alone = (folded[i] in _ALONE_TOO and folded[j] not in _SECOND) or (
                folded[i] == "عبد" and folded[j] in {"ابو", "ابي", "ام"}
            )
            if folded[j] not in FILIATION and not alone:
                first, second = self.words.surface(i, i + 1), self.words.surface(j, j + 1)
                of_servant = folded[i] in {"وابو", "ابو", "ابي", "ابا", "ام"} and folded[j] in {"عبد", "عبيد", "امه", "هبه"}
                if of_servant and position + 2 < len(kept):
                    k = kept[position + 2]
                    if folded[k] not in FILIATION and (folded[j] not in _ALONE_TOO or folded[k] in _SECOND):
                        return f"{first} {second} {self.words.surface(k, k + 1)}", position + 3
                return f"{first} {second}", position + 2
        if position + 1 < len(kept) and folded[kept[position + 1]] in _OF_GOD and folded[i] != "رسول":
            j = kept[position + 1]
            return f"{self.words.surface(i, i + 1)} {self.words.surface(j, j + 1)}", position + 2
        return self.words.surface(i, i + 1), position + 1

    def _alternative(self, kept: list[int], position: int, in_lineage: bool) -> int:
        """Another form of the part before: أو, ويقال, وقيل."""
        folded = self.words.folded
        position += 1
        if position >= len(kept):
            return position
        word = folded[kept[position]]
        if word in {"ابو", "ام"}:
            unit, position = self._unit(kept, position)
            self.kunya.append(unit)
            return position
        if word in FILIATION:
            _, after = self._unit(kept, position + 1)
            return after
        if word in {"له", "لها"} and position + 1 < len(kept) and folded[kept[position + 1]] in {"مولي", "مولاه"}:
            return position + 1  # ويقال له مولى بن عباس
        if word in {"له", "لها"}:
            unit, after = self._unit(kept, position + 1)
            if fold(unit) not in _NO_NAMES and not fold(unit).startswith("ال"):
                self.laqab.append(unit)
            return after if unit else position + 1
        if word in {"اسمه", "اسمها", "ان", "انه", "اسم"}:
            if word in {"اسمه", "اسمها"}:
                unit, after = self._unit(kept, position + 1)
                if fold(unit) not in _NO_NAMES:
                    self.isms.append(unit)
                return after
            return position + 1
        if word.startswith("ال") and word.endswith(("ي", "يه")):
            self.nisba.append(self.words.surface(kept[position], kept[position] + 1))
            return position + 1
        unit, after = self._unit(kept, position)
        if (not self.nasab and self.ism and fold(unit) not in _NO_NAMES) or (self.ism is None and fold(unit) not in _NO_NAMES):
            self.isms.append(unit)
        return after

    def _known_as(self, kept: list[int], position: int) -> int:
        """What the person is known by: المعروف بابن أبي عتيق, لقبه غندر."""
        folded = self.words.folded
        if position >= len(kept):
            return position
        i = kept[position]
        surface, word = self.words.surface(i, i + 1), folded[i]
        if word in {"بابن", "ابن"}:
            unit, after = self._unit(kept, position + 1)
            if unit:
                self.shuhra.append(f"ابن {unit}")
            return after
        if word in {"بابي", "ابا", "ابو"}:
            unit, after = self._unit(kept, position + 1)
            if unit:
                self.kunya.append(f"أبو {unit}")
            return after
        if word in FILIATION:
            unit, after = self._unit(kept, position + 1)
            if unit:
                self.shuhra.append(f"ابن {unit}")
            return after
        if word.startswith("بال") or (word.startswith("ب") and folded[kept[position - 1]] != "لقبه"):
            surface = surface[1:]
        if word.lstrip("ب").startswith("ال") and word.endswith("ي"):
            self.nisba.append(surface)
        else:
            self.laqab.append(surface)
        return position + 1


def _nominative(kunya: str) -> str:
    """أبا and أبي as أبو: the form under which a kunya is quoted."""
    head, _, rest = kunya.partition(" ")
    return f"أبو {rest}" if head in {"أبا", "أبي", "ابا", "ابي", "أبو"} and rest else kunya
