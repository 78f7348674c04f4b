"""The two seed isnads: the thirteen narrators, each the person that the reasons in the gold name."""

import pytest

from kg.authority import load
from kg.extract.isnad import IsnadReader
from kg.extract.record import Record
from kg.identify.claims import Identification
from kg.identify.narrators import identify
from kg.sources import open_sources
from kg.text import Words

QUARREL_IN_AL_BAZZAR = [
    "ibrahim-b-hani-al-naysaburi",
    "muhammad-b-al-mubarak-al-suri",
    "sadaqa-b-khalid",
    "zayd-b-waqid",
    "busr-b-ubayd-allah",
    "abu-idris-al-khawlani",
    "abu-al-darda",
]
QUARREL_IN_AL_BUKHARI = ["hisham-b-ammar", *QUARREL_IN_AL_BAZZAR[2:]]


@pytest.fixture(scope="module")
def sample() -> tuple[dict[str, Record], Identification]:
    reader = IsnadReader()
    records = [
        Record(passage, *reader.read(Words(passage.text), passage))
        for source in open_sources("sample")
        for passage in source.passages()
    ]
    return {record.passage.id: record for record in records}, identify(records, load())


@pytest.mark.parametrize(("key", "chain"), [("bazzar:quarrel", QUARREL_IN_AL_BAZZAR), ("bukhari:3661", QUARREL_IN_AL_BUKHARI)])
def test_every_narrator_is_who_he_is(sample: tuple[dict[str, Record], Identification], key: str, chain: list[str]) -> None:
    records, decided = sample
    record = decided.apply(records[key])
    path = record.isnads[0].path
    assert [record.narrators[i].person for i in path] == [f"person/{slug}" for slug in chain]


def test_each_link_says_why(sample: tuple[dict[str, Record], Identification]) -> None:
    records, decided = sample
    record = decided.apply(records["bazzar:quarrel"])
    sadaqa = record.narrators[record.isnads[0].path[2]]
    assert sadaqa.surface == "صَدَقَةُ"
    assert sadaqa.why is not None and "Zayd b. Waqid" in sadaqa.why and "died 171" in sadaqa.why


def test_the_trap_of_the_two_ibrahims(sample: tuple[dict[str, Record], Identification]) -> None:
    records, decided = sample
    record = records["bazzar:quarrel"]
    claims = decided.claims("bazzar:quarrel")[record.isnads[0].path[0]]
    assert claims[0].person == "person/ibrahim-b-hani-al-naysaburi" and claims[0].winner
