"""The record of Sahih al-Bukhari 3661 read by hand: what the extractors should give, independent of them."""

from dataclasses import dataclass, replace

from kg.authority import Authority
from kg.authority.model import Book, Event, Person, Place, Work, Year
from kg.extract.record import (
    Citation,
    EventReport,
    Isnad,
    NarratorMention,
    PersonMention,
    PlaceMention,
    Record,
    Role,
    Term,
    TimeMention,
)
from kg.text import Passage

TEXT = (
    "حَدَّثَنِي هِشَامُ بْنُ عَمَّارٍ، حَدَّثَنَا صَدَقَةُ بْنُ خَالِدٍ، حَدَّثَنَا زَيْدُ بْنُ وَاقِدٍ، عَنْ بُسْرِ بْنِ عُبَيْدِ اللَّهِ، "
    "عَنْ عَائِذِ اللَّهِ أَبِي إِدْرِيسَ، عَنْ أَبِي الدَّرْدَاءِ ـ رضى الله عنه ـ قَالَ كُنْتُ جَالِسًا عِنْدَ النَّبِيِّ صلى الله عليه وسلم "
    "إِذْ أَقْبَلَ أَبُو بَكْرٍ آخِذًا بِطَرَفِ ثَوْبِهِ حَتَّى أَبْدَى عَنْ رُكْبَتِهِ"
)
_CHAIN = (
    ("حَدَّثَنِي", "هِشَامُ بْنُ عَمَّارٍ", "term/haddathani", "person/hisham-b-ammar"),
    ("حَدَّثَنَا", "صَدَقَةُ بْنُ خَالِدٍ", "term/haddathana", "person/sadaqa-b-khalid"),
    ("حَدَّثَنَا", "زَيْدُ بْنُ وَاقِدٍ", "term/haddathana", "person/zayd-b-waqid"),
    ("عَنْ", "بُسْرِ بْنِ عُبَيْدِ اللَّهِ", "term/an", "person/busr-b-ubayd-allah"),
    ("عَنْ", "عَائِذِ اللَّهِ أَبِي إِدْرِيسَ", "term/an", "person/abu-idris-al-khawlani"),
    ("عَنْ", "أَبِي الدَّرْدَاءِ", "term/an", "person/abu-al-darda"),
)
BASE = "https://silsila.example/"


@dataclass(frozen=True, slots=True)
class TextSource:
    """A source as the graph sees it."""

    key: str
    collection: str
    title_ar: str = "صحيح البخاري"
    title_en: str = "Sahih al-Bukhari"
    licence: str = "https://unlicense.org/"
    licence_note: str = ""
    republishable: bool = True
    translation_republishable: bool = False
    work: str | None = "work/sahih-al-bukhari"


BUKHARI = TextSource("bukhari", "bukhari")


def mentions() -> tuple[NarratorMention, ...]:
    """The six narrators with their terms, found in the text one after the other."""
    found, at = [], 0
    for index, (term, surface, concept, person) in enumerate(_CHAIN):
        term_start = TEXT.index(term, at)
        start = TEXT.index(surface, term_start)
        at = start + len(surface)
        found.append(
            NarratorMention(
                start,
                at,
                surface,
                term=Term(term_start, term_start + len(term), term, concept),
                received_from=(index + 1,) if index + 1 < len(_CHAIN) else (),
                person=person,
                confidence=0.98,
                candidates=((person, 0.98),),
                why="no other bearer of the name",
            )
        )
    return tuple(found)


def record(passage_id: str = "bukhari:3661", source: str = "bukhari", **changes: object) -> Record:
    """The record; ``changes`` replace fields of it."""
    passage = Passage(
        passage_id,
        TEXT,
        translation="While I was sitting with the Prophet",
        source=source,
        kind="hadith",
        work="work/sahih-al-bukhari",
        locators=(("number-in-source", passage_id.partition(":")[2]), ("book", "62"), ("al-Mizzi", "10941")),
    )
    narrators = mentions()
    report = TEXT.index("أَقْبَلَ أَبُو بَكْرٍ")
    abu_bakr = TEXT.index("أَبُو بَكْرٍ")
    made = Record(
        passage,
        narrators=narrators,
        isnads=(
            Isnad(
                tuple(range(6)),
                segments=((0, narrators[-1].end),),
                attributed_to="prophet",
                matn=((TEXT.index("كُنْتُ"), len(TEXT)),),
            ),
        ),
        events=(
            EventReport(
                "Quarrel",
                report,
                report + 20,
                event="event/quarrel-of-abu-bakr-and-umar",
                confidence=0.9,
                roles=(Role("participant", "person/abu-bakr", abu_bakr, abu_bakr + 11), Role("witness", "person/abu-al-darda")),
                according_to="person/abu-al-darda",
            ),
        ),
        persons=(PersonMention(abu_bakr, abu_bakr + 11, TEXT[abu_bakr : abu_bakr + 11], "person/abu-bakr", 0.99),),
    )
    return replace(made, **changes)


def citation(reference: str = "9:40", start: int = 0, end: int = 9) -> Citation:
    """A citation anywhere: only its form is tested here."""
    return Citation(start, end, refs=(reference,), words=(1, 2), exact=True, marked=True, confidence=1.0, introduced_by=(0, 9))


def place_and_time() -> tuple[PlaceMention, TimeMention]:
    """A place and a time on some words of the text."""
    return PlaceMention(0, 9, TEXT[0:9], "place/medina"), TimeMention(11, 31, TEXT[11:31], hijri=(9, 9), duration="P3D")


def authority() -> Authority:
    """Persons, places, events and works enough for the record."""
    persons = {key: Person(key, surface, key.removeprefix("person/"), sex="m", source="editors") for _, surface, _, key in _CHAIN}
    persons["person/abu-bakr"] = Person(
        "person/abu-bakr", "أبو بكر", "Abu Bakr", companion=True, death=Year(13, 13), source="editors"
    )
    persons["person/al-bukhari"] = Person("person/al-bukhari", "البخاري", "al-Bukhari", death=Year(256, 256), source="editors")
    work = Work("work/sahih-al-bukhari", "صحيح البخاري", "Sahih al-Bukhari", "Ṣaḥīḥ al-Bukhārī", "person/al-bukhari")
    quarrel = Event(
        "event/quarrel-of-abu-bakr-and-umar",
        "Quarrel",
        "ما كان بين أبي بكر وعمر",
        "Quarrel of Abu Bakr and Umar",
        date=Year(1, 10),
        place="place/medina",
        participants=(("participant", "person/abu-bakr"),),
    )
    return Authority(
        persons,
        {"place/medina": Place("place/medina", "المدينة", "Medina", "town", latitude=24.4709, longitude=39.6122)},
        {quarrel.key: quarrel},
        {work.key: work},
        {(work.key, 62): Book(work.key, 62, "كتاب فضائل أصحاب النبي", "Companions of the Prophet")},
    )
