"""What one entry of a biographical dictionary says of its person: name parts, kunya, nisbas, rank, generation, death."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from kg.authority.model import Year
from kg.extract.rijal_name import FILIATION, EntryName
from kg.extract.rijal_rank import COMPANIONS, rank_of, rank_start, says_companion
from kg.extract.rijal_years import death_year
from kg.tables import read_tsv
from kg.text import Words

__all__ = ["Facts", "read_entry"]

_TABLES = Path(__file__).parent / "tables"


@dataclass(frozen=True, slots=True)
class Facts:
    """The facts of one entry. Names are in the entry's letters; ``rank`` is quoted, ``rank_term`` its opening term, folded."""

    ism: str | None = None
    nasab: tuple[str, ...] = ()
    kunya: tuple[str, ...] = ()
    nisba: tuple[str, ...] = ()
    laqab: tuple[str, ...] = ()
    shuhra: tuple[str, ...] = ()
    isms: tuple[str, ...] = ()
    father_ism: str | None = None
    mawla_of: str | None = None
    sex: str = "m"
    companion: bool = False
    tabaqa: int | None = None
    tabaqa_part: str | None = None
    rank: str | None = None
    rank_term: str | None = None
    death: Year | None = None
    places: tuple[str, ...] = ()
    sigla: tuple[str, ...] = ()
    teachers: tuple[str, ...] = ()
    students: tuple[str, ...] = ()


@cache
def _sigla() -> frozenset[str]:
    return frozenset(row["siglum"] for _, row in read_tsv(_TABLES / "rijal_sigla.tsv", ("siglum",)))


@cache
def _tabaqa_names() -> tuple[tuple[tuple[str, ...], int], ...]:
    rows = [
        (tuple(row["name"].split()), int(row["tabaqa"])) for _, row in read_tsv(_TABLES / "rijal_tabaqat.tsv", ("tabaqa", "name"))
    ]
    return tuple(sorted(rows, key=lambda row: -len(row[0])))


def read_entry(text: str, *, source: str = "taqrib") -> Facts:
    """The facts of an entry written as Ibn Hajar writes: name, rank, generation, death, sigla.

    >>> said = "عامر بن طارق الأسدي مولاهم أبو يحيى الحمصي ثقة من الثامنة مات سنة إحدى وسبعين وقيل ثمانين أو بعدها خ د س ق"
    >>> facts = read_entry(said)
    >>> facts.ism, facts.nasab, facts.kunya, facts.nisba
    ('عامر', ('طارق',), ('أبو يحيى',), ('الأسدي', 'الحمصي'))
    >>> facts.rank, facts.tabaqa, facts.death.first, facts.death.alternatives, facts.sigla
    ('ثقة', 8, 171, (180,), ('خ', 'د', 'س', 'ق'))
    """
    words = Words(text)
    folded = words.folded
    end, sigla = _without_sigla(words)
    tabaqa_at, _, tabaqa, part = _tabaqa(folded, end)
    rank_at, kind = rank_start(folded, end)
    companion = (kind in COMPANIONS and tabaqa in {None, 1, 2}) or (tabaqa in {None, 1} and says_companion(folded, end))
    stops = [at for at in (tabaqa_at, rank_at, _story_start(folded, end)) if at is not None]
    name_end = min(stops, default=end)
    name = EntryName(words, name_end)
    name.read()
    name.also(name_end, end)
    rank_end = tabaqa_at if tabaqa_at is not None and rank_at is not None and tabaqa_at > rank_at else None
    rank, term = rank_of(words, rank_at, rank_end, end)
    if tabaqa is None and (companion or kind == "seen"):
        born = kind == "seen" and rank_at is not None and folded[rank_at] == "ولد"  # born in his days: the great Successors
        tabaqa = 2 if born else 1  # the Companions, those among them who only saw the Prophet (Ibn Hajar's introduction)
    elif tabaqa is None and "مخضرم" in folded:
        tabaqa = 2  # grown up before Islam, and a Successor
    return Facts(
        ism=name.ism,
        nasab=tuple(name.nasab),
        kunya=tuple(dict.fromkeys(name.kunya)),
        nisba=tuple(dict.fromkeys(name.nisba)),
        laqab=tuple(dict.fromkeys(name.laqab)),
        shuhra=tuple(dict.fromkeys(name.shuhra)),
        isms=tuple(dict.fromkeys(name.isms)),
        father_ism=name.father_ism,
        mawla_of=name.mawla_of,
        sex=name.sex,
        companion=companion,
        tabaqa=tabaqa,
        tabaqa_part=part,
        rank=rank,
        rank_term=term,
        death=death_year(folded[:end], tabaqa, source),
        places=tuple(name.places),
        sigla=sigla,
    )


def _without_sigla(words: Words) -> tuple[int, tuple[str, ...]]:
    end = len(words)
    while end > 1 and words.folded[end - 1] in _sigla():
        end -= 1
    return end, tuple(words.surface(i, i + 1) for i in range(end, len(words)))


def _tabaqa(folded: list[str], end: int) -> tuple[int | None, int | None, int | None, str | None]:
    """Where the generation is stated (first word and after the last), its number, and كبار or صغار."""
    for i in range(1, end):
        if folded[i] not in {"من", "راس", "الطبقه"}:
            continue
        j, part = i + 1, None
        while j < end and folded[j] in {"كبار", "صغار", "رووس", "اوساط", "قدماء", "الطبقه", "اخر", "اواخر", "اوايل"}:
            if folded[j] in {"كبار", "صغار"}:
                part = folded[j]
            j += 1
        for name, number in _tabaqa_names():
            if tuple(folded[j : j + len(name)]) == name:
                if number in {1, 2} and folded[j + 1 : j + 2] and folded[j + 1] in {"من", "هجره"}:
                    break
                return i, j + len(name), number, part
    return None, None, None, None


_STORY = {
    *(
        "مات",
        "ماتت",
        "ولد",
        "روي",
        "روت",
        "له",
        "لها",
        "قتل",
        "توفي",
        "استشهد",
        "ذكره",
        "وهم",
        "وهو",
        "صوابه",
        "عن",
        "اسلم",
        "كان",
    ),
    *("قال", "تقدم", "ياتي", "من", "في", "ابوه", "اصله", "وكان", "وهي", "امه", "يروي", "حدث"),
}


def _story_start(folded: list[str], end: int) -> int | None:
    """Where the life is told, in an entry without rank and generation."""
    for i in range(2, end):
        called = folded[i] in {"له", "لها"} and folded[i - 1] in {"ويقال", "يقال"}
        if folded[i] in _STORY and folded[i - 1] not in FILIATION and not called:
            return i
    return None
