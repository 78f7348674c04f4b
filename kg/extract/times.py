"""Times in running text: a day or year named after an event, durations, Hijri years and months."""

from collections.abc import Mapping
from pathlib import Path

from kg.extract.record import TimeMention
from kg.tables import TableError, read_tsv
from kg.text import Words, fold

__all__ = ["TimeReader"]

_TABLE = Path(__file__).parent / "tables" / "times.tsv"
_REIGNS = _TABLE.with_name("rijal_reigns.tsv")
_REIGN = {"خلافه", "ولايه", "اماره"}
_CONJUNCTIONS = ("و", "ف", "ب", "ل", "ك")
_PASSED = frozenset({"بقين", "خلون", "مضين", "بقيت", "خلت", "مضت", "بقي", "خلا"})
_DUALS = {"يومين", "يومان", "ليلتين", "ليلتان", "شهرين", "سنتين"}


class TimeReader:
    """Finds times; ``days`` names the event after which a day or year is called, by folded words (``بدر``)."""

    def __init__(self, days: Mapping[tuple[str, ...], str], table: Path = _TABLE) -> None:
        self.days = days
        self.units: dict[str, str] = {}
        self.numbers: dict[str, int] = {}
        self.months: dict[str, int] = {}
        self.months_of_two: dict[tuple[str, str], int] = {}
        self.anchors: set[str] = set()
        self.named_days: set[str] = set()
        self.several_days: set[str] = set()
        for line, row in read_tsv(table, ("class", "words", "value")):
            words = [fold(word) for word in row["words"].split()]
            kind, value = row["class"], row["value"]
            if kind == "unit":
                self.units.update(dict.fromkeys(words, value))
            elif kind == "number":
                self.numbers.update(dict.fromkeys(words, int(value)))
            elif kind == "month":
                self.months.update(dict.fromkeys(words, int(value)))
            elif kind == "two-word-month":
                self.months_of_two[words[0], words[1]] = int(value)
            elif kind == "anchor":
                self.anchors.update(words)
            elif kind == "named-day":
                self.named_days.update(words)
            elif kind == "several-days":
                self.several_days.update(words)
            else:
                raise TableError(
                    table,
                    line,
                    f"no class of time is called {kind!r}: use unit, number, month, anchor, named-day or several-days",
                )
        self.reigns: dict[tuple[str, ...], tuple[int, int]] = {}
        for _, row in read_tsv(_REIGNS, ("words", "first", "last")):
            name = tuple(fold(row["words"]).split())
            if name[0] in _REIGN:
                self.reigns[name] = int(row["first"]), int(row["last"])
        starts = (
            {"بعد", "قبل", "شهر", "هلال"}
            | self.anchors
            | set(self.numbers)
            | set(self.months)
            | {first for first, _ in self.months_of_two}
            | _DUALS
            | _REIGN
        )
        self.first = {
            prefix + word: word for prefix in ("", *_CONJUNCTIONS) for word in sorted(starts)
        }  # بثلاث: ثلاث behind a particle
        self.longest = max((len(words) for words in days), default=1)

    def find(self, words: Words) -> tuple[TimeMention, ...]:
        """All times of a text, in its order; none overlaps another.

        >>> reader = TimeReader({("بدر",): "event/battle-of-badr"})
        >>> [(t.text, t.event, t.duration, t.hijri) for t in reader.find(Words("يوم بدر سنة ثنتين مكثا ثلاث ليال"))]
        [('يوم بدر', 'event/battle-of-badr', None, None), ('سنة ثنتين', None, None, (2, 2)), ('ثلاث ليال', None, 'P3D', None)]
        >>> [t.text for t in reader.find(Words("بايعوه في اليوم الأوسط من أيام التشريق وبقي أيام منى"))]
        ['اليوم الأوسط من أيام التشريق', 'أيام منى']
        >>> [(t.text, t.hijri) for t in reader.find(Words("توفي في خلافة عمر بن عبد العزيز وقيل في خلافة يزيد"))]
        [('خلافة عمر بن عبد العزيز', (99, 101)), ('خلافة يزيد', (60, 64))]
        """
        folded, first = words.folded, self.first
        found: list[TimeMention] = []
        after = 0
        for i, word in enumerate(folded):
            if word not in first or i < after:
                continue
            mention = self._read(words, i, first[word])
            if mention is not None:
                found.append(mention)
                after = words.at(mention.end - 1) + 1
        return tuple(found)

    def _read(self, words: Words, i: int, word: str) -> TimeMention | None:
        folded = words.folded
        start = words.inside(i, len(folded[i]) - len(word)) if folded[i] != word else words.starts[i]

        def mention(after: int, **known: object) -> TimeMention:
            return TimeMention(start, words.ends[after - 1], words.text[start : words.ends[after - 1]], **known)  # type: ignore[arg-type]

        def dated(after: int) -> TimeMention:
            """The mention with the year that follows it: شوال سنة خمس, رمضان من سنة تسع."""
            year, end = self._year(folded, after + 1 if folded[after : after + 1] == ["من"] else after)
            return mention(end, hijri=year) if year is not None else mention(after)

        if word in ("شهر", "هلال"):
            j = self._month(folded, i + 1)
            return dated(j) if j else None
        if word in _REIGN:
            for length in range(4, 0, -1):  # خلافة عمر بن عبد العزيز before خلافة عمر
                name = (word, *folded[i + 1 : i + 1 + length])
                if name in self.reigns:
                    return mention(i + len(name), hijri=self.reigns[name])
            return None
        if word in ("بعد", "قبل"):
            return self._relative(words, i, start)
        if word in self.anchors:
            for length in range(min(self.longest, len(folded) - i - 1), 0, -1):
                event = self.days.get(tuple(folded[i + 1 : i + 1 + length]))
                if event is not None and not (folded[i + 1] == "موته" and "ؤ" not in words.surface(i + 1, i + 2)):
                    return mention(i + 1 + length, event=event)
            following = folded[i + 1] if i + 1 < len(folded) else ""
            if following in self.named_days and word in ("يوم", "ليله", "غداه"):
                return mention(i + 2)
            if following in self.several_days and word == "ايام":
                start = words.starts[i - 3] if folded[max(0, i - 3) : i : 2] == ["اليوم", "من"] else start
                return mention(i + 2)
            year, j = self._year(folded, i, word)
            return mention(j, hijri=year) if year is not None else None
        if word in self.numbers:
            value, j = self._number(folded, i, word)
            passed = j + 1 if j < len(folded) and folded[j] in self.units else j
            if value and folded[passed : passed + 1] and folded[passed] in _PASSED and folded[passed + 1 : passed + 2] == ["من"]:
                month = self._month(folded, passed + 2)
                if month:
                    return dated(month)  # لعشر ليال بقين من شهر رمضان سنة ثمان
            if value and j < len(folded) and folded[j] in self.units:
                return mention(j + 1, duration=f"P{value}{self.units[folded[j]]}")
            return None
        if word in _DUALS and "ؤ" not in words.surface(i, i + 1):
            return mention(i + 1, duration=f"P2{self.units[word]}")
        pair = (word, folded[i + 1] if i + 1 < len(folded) else "")
        if pair in self.months_of_two:
            return dated(i + 2)
        before = folded[i - 1] if i else ""
        if word in ("محرم", "المحرم") and before not in ("شهر", "في", "من", "هلال"):
            return None
        if word in self.months and (word != "صفر" or self._year(folded, i + 1)[0] is not None):
            return dated(i + 1)
        return None

    def _month(self, folded: list[str], i: int) -> int:
        """The word after the month named from word ``i`` on (شهر رمضان, ربيع الأول); 0 where none is."""
        j = i
        while folded[j : j + 1] in (["شهر"], ["هلال"]):
            j += 1
        if tuple(folded[j : j + 2]) in self.months_of_two:
            return j + 2
        return j + 1 if j < len(folded) and folded[j] in self.months else 0

    def _year(self, folded: list[str], i: int, word: str | None = None) -> tuple[tuple[int, int] | None, int]:
        """The Hijri year named from word ``i`` on and the word after it; a number that leaves its tens to the next takes them
        from there: سنة ست وقيل سبع وأربعين ومائة is 146."""
        if (word or "".join(folded[i : i + 1])) not in ("سنه", "عام"):
            return None, i
        value, j = self._number(folded, i + 1)
        if not value:
            return None, i
        if value < 10 and j < len(folded) and folded[j] in ("وقيل", "او", "ويقال"):
            next_value, _ = self._number(folded, j + 2 if folded[j + 1 : j + 2] in (["سنه"], ["في"]) else j + 1)
            if next_value > 20:
                value += next_value - next_value % 10
        return (value, value), j

    def _relative(self, words: Words, i: int, start: int) -> TimeMention | None:
        """After or before an event by so much: بعد العقبة الثانية بشهرين وأيام."""
        folded = words.folded
        for length in range(min(self.longest, len(folded) - i - 1), 0, -1):
            event = self.days.get(tuple(folded[i + 1 : i + 1 + length]))
            if event is None:
                continue
            j = i + 1 + length
            unit = folded[j][1:] if j < len(folded) and folded[j].startswith("ب") else ""
            if unit in _DUALS:
                after = (
                    j + 2 if j + 1 < len(folded) and folded[j + 1][1:] in self.units and folded[j + 1].startswith("و") else j + 1
                )
                end = words.ends[after - 1]
                return TimeMention(start, end, words.text[start:end], event=event, duration=f"P2{self.units[unit]}")
            value, after = self._number([*folded[:j], unit, *folded[j + 1 :]], j) if unit else (0, j)
            if value and after < len(folded) and folded[after] in self.units:
                end = words.ends[after]
                return TimeMention(
                    start, end, words.text[start:end], event=event, duration=f"P{value}{self.units[folded[after]]}"
                )
            return TimeMention(start, words.ends[j - 1], words.text[start : words.ends[j - 1]], event=event)
        return None

    def _number(self, folded: list[str], i: int, first: str | None = None) -> tuple[int, int]:
        """The number written out from word ``i`` on and the word after it: tens and hundreds joined by wa-, -teens without."""
        total, j = 0, i
        while j < len(folded):
            word = first if j == i and first else folded[j]
            joined = j > i and word.startswith("و") and word[1:] in self.numbers
            value = self.numbers.get(word[1:] if joined else word)
            hundreds = value == 100 and 2 < total < 10 and not joined  # سبع مائة
            if value is None or (j > i and not joined and not hundreds and not (value == 10 and total < 10)):
                break
            total, j = total * 100 if hundreds else total + value, j + 1
        return total, j
