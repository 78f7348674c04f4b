"""A small graph with known answers: six passages of four collections, written by the graph room and read back."""

import importlib.util
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from pyoxigraph import RdfFormat, Store

from kg.authority.model import Event, Person, Place, Year
from kg.build.reports import ReportGroup
from kg.extract.record import Citation, EventReport, Isnad, NarratorMention, PersonMention, Record, Role, Term
from kg.graph.dump import Link, write_graph
from kg.graph.mapping import Claim
from kg.graph.queries import stored_queries
from kg.identify.common_links import CommonLinks, Contradiction
from kg.identify.common_links import Link as CommonLink
from kg.identify.parallels import Member
from kg.text import Passage

_SEED = Path(__file__).parents[1] / "graph" / "bukhari_3661.py"
_spec = importlib.util.spec_from_file_location("bukhari_3661", _SEED)
assert _spec and _spec.loader
seed = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(seed)

BASE = seed.BASE
QUARREL = "event/quarrel-of-abu-bakr-and-umar"


@dataclass(frozen=True, slots=True)
class Verse:
    """A verse as the graph sees it."""

    sura: int
    number: int
    text: str


def _passage(identifier: str, text: str, source: str, **more: object) -> Passage:
    return Passage(identifier, text, source=source, kind="hadith", **more)


def _bazzar() -> Record:
    text = "نا صدقة، عن زيد بن واقد، عن بسر، عن رجل، عن أبي الدرداء كنا عند النبي"
    names = ("صدقة", "زيد بن واقد", "بسر", "رجل", "أبي الدرداء")
    persons = ("sadaqa-b-khalid", "zayd-b-waqid", "busr-b-ubayd-allah", None, "abu-al-darda")
    mentions = []
    for index, (surface, person) in enumerate(zip(names, persons, strict=True)):
        start = text.index(surface)
        term = Term(start - 3, start - 1, text[start - 3 : start - 1], "term/an" if index else "term/haddathana-abbreviated")
        mentions.append(
            NarratorMention(
                start,
                start + len(surface),
                surface,
                term=term,
                received_from=(index + 1,) if index < 4 else (),
                anonymous=person is None,
                person=person and f"person/{person}",
                confidence=0.9,
            )
        )
    at = text.index("كنا")
    report = EventReport(
        "Quarrel", at, len(text), event=QUARREL, status="mentions", roles=(Role("witness", value="رجل"),), place="place/baqi"
    )
    isnad = Isnad(tuple(range(5)), attributed_to="companion", matn=((at, len(text)),))
    return Record(_passage("bazzar:quarrel", text, "sample-bazzar"), tuple(mentions), (isnad,), events=(report,))


def _undecided() -> Record:
    text = "حدثنا سفيان، عن عائشة"
    sufyan, aisha = text.index("سفيان"), text.index("عائشة")
    mentions = (
        NarratorMention(
            sufyan,
            sufyan + 5,
            "سفيان",
            term=Term(0, 5, "حدثنا", "term/haddathana"),
            received_from=(1,),
            candidates=(("person/sufyan-al-thawri", 0.5), ("person/sufyan-b-uyayna", 0.45)),
        ),
        NarratorMention(aisha, aisha + 5, "عائشة", term=Term(13, 15, "عن", "term/an"), person="person/aisha", confidence=0.95),
    )
    isnad = Isnad((0, 1), attributed_to="prophet")
    citation = Citation(0, 5, refs=("9:40",), exact=True, confidence=1.0)
    passage = _passage("muslim:7", text, "muslim", work="work/sahih-muslim")
    return Record(passage, mentions, (isnad,), quran=(citation,))


def _badr() -> Record:
    text = "شهد أبو بكر بدرا"
    report = EventReport(
        "Battle", 0, len(text), event="event/battle-of-badr", roles=(Role("participant", "person/abu-bakr", 4, 11),)
    )
    naming = PersonMention(4, 11, "أبو بكر", "person/abu-bakr", 0.9)
    return Record(Passage("nawawi:1", text, source="nawawi"), events=(report,), persons=(naming,))


def _authority():
    plain = seed.authority()
    persons = dict(plain.persons)
    for slug, name, more in (
        ("aisha", "عائشة", {"sex": "f", "death": Year(58, 58)}),
        ("sufyan-al-thawri", "سفيان الثوري", {"sex": "m", "death": Year(161, 161)}),
        ("sufyan-b-uyayna", "سفيان بن عيينة", {"sex": "m", "death": Year(198, 198)}),
        ("hisham-b-ammar", "هشام بن عمار", {"sex": "m", "death": Year(245, 245, (244, 246))}),
    ):
        persons[f"person/{slug}"] = Person(f"person/{slug}", name, slug, source="editors", **more)
    badr = Event("event/battle-of-badr", "Battle", "غزوة بدر", "Battle of Badr", date=Year(2, 2), place="place/badr")
    places = dict(plain.places)
    places["place/badr"] = Place("place/badr", "بدر", "Badr")
    places["place/baqi"] = Place("place/baqi", "البقيع", "al-Baqi'", "cemetery", within="place/medina")
    return replace(plain, persons=persons, places=places, events={**plain.events, badr.key: badr})


class Identified:
    """The claims of the records, but for one mention on which an editor has spoken."""

    def __init__(self, records: list[Record]) -> None:
        from kg.graph.mapping import record_claims

        self._claims = {record.passage.id: dict(record_claims(record)) for record in records}
        self._claims["bukhari:3661"][1] = (
            Claim("person/sadaqa-b-khalid", 1.0, "reviewed", "editor", "his pupil is Hisham b. Ammar", True),
            Claim("person/abu-bakr", 0.01, "rejected", "editor", "another generation", False),
        )

    def claims(self, passage_id: str):
        """The claims of a passage."""
        return self._claims.get(passage_id, {})


@pytest.fixture(scope="session")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """The graph in a store."""
    records = [
        _bazzar(),
        seed.record("bukhari:3661", quran=(seed.citation("9:40"),)),
        seed.record("bukhari:3662"),
        _undecided(),
        _badr(),
    ]
    sources = [
        seed.TextSource("sample-bazzar", "bazzar", "مسند البزار", "al-Bazzar", "public domain", work=None),
        seed.BUKHARI,
        seed.TextSource("muslim", "muslim", "صحيح مسلم", "Sahih Muslim", work="work/sahih-muslim"),
        seed.TextSource("nawawi", "nawawi", "النووي", "al-Nawawi", republishable=False, work=None),
    ]
    bazzar, bukhari = "hadith/bazzar/quarrel", "hadith/bukhari/3661"
    sadaqa, darda = "person/sadaqa-b-khalid", "person/abu-al-darda"
    links = CommonLinks(
        common=(CommonLink(sadaqa, darda, 2, 0, 2, 2, spider=True),),
        contradictions=(Contradiction("left-out", sadaqa, darda, "person/zayd-b-waqid", (bazzar,), (bukhari,)),),
    )
    tellings = (Member(bazzar), Member(bukhari, "same-report", "mutabaa", bazzar, 0.7))
    group = ReportGroup("parallel/1", (bazzar, bukhari), "same-report", "mutabaa", tellings, links)
    folder = tmp_path_factory.mktemp("queries")
    counts = write_graph(
        folder,
        base=BASE,
        sources=sources,
        records=records,
        identification=Identified(records),
        parallels=[group],
        authority=_authority(),
        verses=[Verse(9, 40, "إلا تنصروه"), Verse(9, 41, "انفروا")],
        links=[Link("person/abu-bakr", "skos:exactMatch", "http://www.wikidata.org/entity/Q89044")],
    )
    filled = Store()
    for file in counts.files:
        filled.bulk_load(path=str(folder / "dumps" / file), format=RdfFormat.N_QUADS)
    return filled


@pytest.fixture
def answer(store: Store) -> Callable[..., list[tuple]]:
    """Runs a stored query; values are written short: keys without the base, plain strings."""

    def run(name: str, **values: str | int) -> list[tuple]:
        solutions = store.query(stored_queries()[name].sparql(BASE, **values), use_default_graph_as_union=True)
        variables = [variable.value for variable in solutions.variables]
        return [
            tuple(
                None if row[variable] is None else row[variable].value.removeprefix(BASE).rpartition("ontology#")[2]
                for variable in variables
            )
            for row in solutions
        ]

    return run
