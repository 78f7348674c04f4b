"""Whose word a report is: the last narrator of the chain before it, and the Prophet where it goes back to him."""

from collections.abc import Sequence, Set
from dataclasses import replace
from pathlib import Path

from kg.extract.naming import Namer
from kg.extract.participants import Participant, after_honorific
from kg.extract.record import Isnad, NarratorMention
from kg.extract.scene import Teller
from kg.tables import read_tsv
from kg.text import Words, fold

__all__ = ["Tellers", "word_range"]


_BARE = Path(__file__).parent / "tables" / "bare_tellers.tsv"
_OTHERWISE = frozenset({"بهذا", "بهذه", "مثله", "نحوه", "بمثله", "بنحوه", "باسناده", "باسنادهم", "باسنادهما"})


class Tellers:
    """Reads who tells; ``women`` are the keys of the women of the authority."""

    def __init__(self, namer: Namer, women: Set[str]) -> None:
        self._namer, self._women = namer, women
        self._bare = {
            (fold(row["name"]), row["teller"]): row["person"]
            for _, row in read_tsv(_BARE, ("name", "teller", "person", "example"))
        }

    def of(self, words: Words, narrators: Sequence[NarratorMention], isnads: Sequence[Isnad]) -> tuple[set[int], list[Teller]]:
        """The words of the chains, and from which word on whose report it is."""
        skipped: set[int] = set()
        tellers: dict[int, Teller] = {}
        for isnad in isnads:
            for start, end in isnad.segments:
                skipped.update(word_range(words, start, end))
            if not isnad.path or not isnad.matn:
                continue
            first = words.at(isnad.matn[0][0])
            # سمعت مسروقا قال سألت عائشة: what he tells begins before the name of the last narrator
            n = next((n for n in reversed(isnad.path) if words.at(narrators[n].start) < first), isnad.path[-1])
            if not _OTHERWISE.isdisjoint(words.folded[first : first + 1]):
                tellers.setdefault(first, Teller(first, None))  # بهذا الإسناد نحوه: what is added was told by another
            if first not in tellers:
                prophet, said = _prophet_before(words, narrators[n], first)
                who = self.teller(words, narrators[n])
                if who is not None and who.key is None and isnad.path.index(n):
                    student = narrators[isnad.path[isnad.path.index(n) - 1]]
                    key = self._by_student(who.surface, student.surface, kin=narrators[n].kin is not None)
                    if key is None and narrators[n].kin == "father":
                        key = self._father(student.surface)
                    if key is not None:
                        who = replace(who, key=key, kind="person")
                tellers[first] = Teller(first, who, prophet if said else None, prophet)
        return skipped, [tellers[first] for first in sorted(tellers)]

    def _by_student(self, surface: str, student: str, *, kin: bool) -> str | None:
        """Whom a bare name means by who tells from him: عن علقمة عن عبد الله. Of kin a student's first name says nothing where it
        goes on: the father of Hisham b. Amir is not Hisham's."""
        names = fold(student).split()
        known = (" ".join(names[:k]) for k in (3, 2, 1) if not (kin and k == 1 < len(names)))
        return next((found for name in known if (found := self._bare.get((fold(surface), name)))), None)

    def _father(self, son: str) -> str | None:
        """Whom *his father* means where the son's name says it and one bearer only is known: عبد الله بن أبي قتادة عن أبيه."""
        words = son.split()
        k = next((k for k, word in enumerate(words) if fold(word) in ("بن", "ابن")), len(words))
        found = {self._namer.bearer(" ".join(words[k + 1 : k + 1 + n])) for n in (4, 3, 2, 1) if k + n < len(words)}
        found.discard(None)
        return found.pop() if len(found) == 1 else None

    def teller(self, words: Words, narrator: NarratorMention) -> Participant | None:
        """A narrator as one who may tell and act; nobody where several are meant."""
        if narrator.collective:
            return None
        first, after = words.at(narrator.start), words.at(narrator.end - 1) + 1
        unknown = narrator.kin is not None or narrator.anonymous
        kind = "kin" if narrator.kin is not None and narrator.person is None else "person"
        key = narrator.person or (None if unknown else self._namer.bearer(narrator.surface))
        female = key in self._women or words.folded[first] in (
            "ام",
            "عايشه",
            "زينب",
            "اسماء",
            "حفصه",
            "ميمونه",
            "صفيه",
            "فاطمه",
            "ابنه",
            "بنت",
        )
        return Participant(first, after, narrator.start, narrator.end, key, "fs" if female else "ms", "", kind, narrator.surface)


def _prophet_before(words: Words, narrator: NarratorMention, first: int) -> tuple[Participant | None, bool]:
    """The Prophet where he stands between the last narrator and word ``first``, and whether the matn that begins there is
    his own words: أن رسول الله قال …, قال قال النبي …, but not عن النبي أنه نهى."""
    folded = words.folded
    for j in range(first - 1, max(words.at(narrator.end - 1), first - 12), -1):
        if folded[j] not in ("النبي", "رسول", "نبي"):
            continue
        after = j + 1 if folded[j] == "النبي" else j + 2
        said_after = folded[first - 1] in ("قال", "يقول", "قوله")
        said_before = j > 0 and folded[j - 1] in ("قال", "يقول", "قول") and after_honorific(words, after) == first
        prophet = Participant(j, after, *words.span(j, after), "person/muhammad", "ms", "", "prophet", words.surface(j, after))
        return prophet, said_after or said_before
    return None, False


def word_range(words: Words, start: int, end: int) -> range:
    """The words between two offsets of the text."""
    return range(words.at(start), words.at(max(start, end - 1)) + 1)
