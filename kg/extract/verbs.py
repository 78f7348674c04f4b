"""Verb forms: which verb a written word may be, who does it and to whom.

A form is found by taking particles (wa-, fa-, sa-, li-) and pronouns (-hu, -ha, -ni …) off a word and looking the rest
up in a dictionary of conjugated stems; what was found is remembered word by word, so that a text costs one look-up a
word however many verbs are declared.
"""

import re
from dataclasses import dataclass, replace
from pathlib import Path
from unicodedata import normalize

from kg.tables import TableError, read_tsv

__all__ = ["Conjugation", "Form"]

_TABLE = Path(__file__).parent / "tables" / "verbs.tsv"
_BEFORE = ("", "و", "ف", "س", "ل", "فل", "ول", "وس", "فس", "وال")
_CLITICS = {
    "": "",
    "ه": "3ms",
    "ها": "3fs",
    "هم": "3mp",
    "هما": "3d",
    "هن": "3fp",
    "ني": "1s",
    "نا": "1p",
    "ك": "2ms",
    "كم": "2mp",
    "كما": "2d",
}
_NEVER_I = frozenset({"توفي", "سمي"})  # توفيت is she died: nobody tells his own death
_MEMO = 60_000


@dataclass(frozen=True, slots=True)
class Form:
    """A reading of a word: ``verb`` as the table names it, ``who`` does it (person, gender, number: 3ms, 1s, 3mp …), ``whom``
    the pronoun joined to it, ``past`` or not, ``before`` the particles written with it."""

    verb: str
    who: str
    past: bool
    whom: str = ""
    before: str = ""


class Conjugation:
    """The conjugated forms of the verbs of a table."""

    def __init__(self, table: Path = _TABLE) -> None:
        self.verbs: set[str] = set()
        self._bare: dict[str, list[Form]] = {}
        self._joined: dict[str, list[Form]] = {}  # stems as they stand before a pronoun
        self._memo: dict[str, tuple[Form, ...]] = {}
        self.intransitive: set[str] = set()
        self.vowelled: dict[str, re.Pattern[str]] = {}
        for line, row in read_tsv(table, ("past", "before_t", "present", "vowelled", "object")):
            if row["past"] in self.verbs:
                raise TableError(table, line, f"the verb {row['past']} stands twice: remove one of the two rows")
            self.verbs.add(row["past"])
            if row["object"] == "no":
                self.intransitive.add(row["past"])
            if row["vowelled"]:
                self.vowelled[row["past"]] = re.compile(normalize("NFC", row["vowelled"]))
            self._conjugate(row["past"], row["before_t"], row["present"])

    def _conjugate(self, past: str, before_t: str, present: str) -> None:
        weak = past[-1] in "يا" and len(past) > 2
        short = past[:-1] if weak else past
        stem = present[1:]
        present_weak = stem[-1] in "يوا" and weak
        present_short = stem[:-1] if present_weak else stem

        def add(form: str, who: str, is_past: bool, joined: str | None = None) -> None:
            self._bare.setdefault(form, []).append(Form(past, who, is_past))
            self._joined.setdefault(joined or form, []).append(Form(past, who, is_past))

        add(past, "3ms", True, (short if short.endswith("ا") else short + "ا") if weak else past)
        add(short + "ت", "3fs", True)
        add(short + "وا", "3mp", True, short + "و")
        add(short + "ا" if not weak else before_t + "ا", "3md", True)
        add(short + "تا", "3fd", True)
        for ending, who in (("ت", "1s"), ("نا", "1p"), ("تم", "2mp"), ("تما", "2d"), ("ن", "3fp")):
            if ending == "ت" and past in _NEVER_I:
                add(before_t + ending, "3fs", True)
            elif not (ending == "ت" and before_t + "ت" == short + "ت"):
                add(before_t + ending, who, True)
        for letter, who in (("ي", "3ms"), ("ت", "3fs"), ("ا", "1s"), ("ن", "1p")):
            add(letter + stem, who, False)
        for ending in ("ون", "وا"):
            if ending == "ون":
                self._joined.setdefault("ي" + present_short + ending, []).append(Form(past, "3mp", False))
            add("ي" + present_short + ending, "3mp", False, "ي" + present_short + "و")
            add("ت" + present_short + ending, "2mp", False, "ت" + present_short + "و")
        add("ي" + stem + "ان", "3md", False, "ي" + stem + "ا")

    def read(self, word: str) -> tuple[Form, ...]:
        """The readings of a folded word; ندمت is both 'I repented' and 'she repented' where only the vowels would tell.

        >>> [(f.verb, f.who, f.whom) for f in Conjugation().read("فسالته")]
        [('سال', '3fs', '3ms')]
        >>> [(f.verb, f.who) for f in Conjugation().read("فاتي")]
        [('اتي', '3ms')]
        """
        known = self._memo.get(word)
        if known is None:
            if len(self._memo) >= _MEMO:
                self._memo.clear()
            known = self._memo[word] = self._read(word)
        return known

    def _read(self, word: str) -> tuple[Form, ...]:
        if len(word) > 16:
            return ()
        found: list[Form] = []
        for before in _BEFORE:
            if not word.startswith(before):
                continue
            rest = word[len(before) :]
            for clitic, whom in _CLITICS.items():
                if clitic and not rest.endswith(clitic):
                    continue
                stem = rest[: len(rest) - len(clitic)] if clitic else rest
                for form in (self._joined if clitic else self._bare).get(stem, ()):
                    if before in ("س", "وس", "فس", "ل", "فل", "ول") and form.past:
                        continue
                    if not (whom and form.verb in self.intransitive):
                        found.append(replace(form, whom=whom, before=before))
        # the reading with the fewest letters taken off first
        found.sort(key=lambda form: (len(form.before) + len(form.whom), form.past is False))
        return tuple(found)
