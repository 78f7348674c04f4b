"""A built folder in small: Bukhari 3661 and 4640 read by hand, with the authority, written by the graph room's own writers.

The spans are found by their words, so that the letters are the source's own.
"""

import gzip
import hashlib
import json
from pathlib import Path

from pyoxigraph import RdfFormat, Store

from kg.authority import load
from kg.extract.record import Citation, EventReport, Isnad, NarratorMention, PersonMention, PlaceMention, Record, Role, Term
from kg.graph.authorities import authority_things, version_statements
from kg.graph.mapping import Mapper
from kg.graph.statistics import Statistics
from kg.graph.terms import Statements, decimal, integer, name, text
from kg.graph.terms import Term as RdfTerm
from kg.graph.vocabulary import Vocabulary
from kg.link.service import write_names_of_folder
from kg.sources import open_source
from kg.store.embedded import EmbeddedStore
from kg.text import Passage, Words
from kg.web.preparing import prepare
from kg.web.search_index import write_index

BASE = "https://w3id.org/silsila/"

TRANSLATION = "On the authority of Anas: works go by their intentions."


class Own:
    """A source of the user's own whose translation may be republished."""

    key = collection = "own"
    title_ar, title_en, licence, licence_note, work = "كتابي", "My book", "CC0", "", None
    republishable = translation_republishable = True


class KeptBack(Own):
    """The same, before its republishing is allowed."""

    republishable = translation_republishable = False


OWN, KEPT_BACK = Own(), KeptBack()

CHAINS = {
    "bukhari:3661": [
        ("هِشَامُ بْنُ عَمَّارٍ", "حَدَّثَنِي", "haddathani", "person/hisham-b-ammar"),
        ("صَدَقَةُ بْنُ خَالِدٍ", "حَدَّثَنَا", "haddathana", "person/sadaqa-b-khalid"),
        ("زَيْدُ بْنُ وَاقِدٍ", "حَدَّثَنَا", "haddathana", "person/zayd-b-waqid"),
        ("بُسْرِ بْنِ عُبَيْدِ اللَّهِ", "عَنْ", "an", "person/busr-b-ubayd-allah"),
        ("عَائِذِ اللَّهِ أَبِي إِدْرِيسَ", "عَنْ", "an", "person/abu-idris-al-khawlani"),
        ("أَبِي الدَّرْدَاءِ", "عَنْ", "an", "person/abu-al-darda"),
    ],
}


def record_3661(passage: Passage) -> Record:
    """The report of the quarrel with its chain, persons, event and role players."""
    letters = passage.text
    read = Words(letters)

    def found(words: str, after: int = 0) -> tuple[int, int]:
        wanted = Words(words).folded
        for i in range(len(read)):
            if read.starts[i] >= after and read.folded[i : i + len(wanted)] == wanted:
                return tuple(read.span(i, i + len(wanted)))  # type: ignore[return-value]
        raise AssertionError(f"{words} is not in the text")

    narrators, after = [], 0
    for number, (name_, term, concept, person) in enumerate(CHAINS["bukhari:3661"]):
        term_start, term_end = found(term, after)
        start, after = found(name_, term_end)
        surface = letters[start:after]
        last = number == len(CHAINS["bukhari:3661"]) - 1
        narrators.append(
            NarratorMention(
                start,
                after,
                surface,
                term=Term(term_start, term_end, letters[term_start:term_end], concept),
                received_from=() if last else (number + 1,),
                person=person,
                confidence=0.97,
                candidates=((person, 0.97),),
                why="name and teacher agree with the dictionary",
            )
        )
    matn = found("كنت جالسا")[0]

    def span(words: str) -> tuple[int, int]:
        return found(words, matn)

    def person(words: str, key: str, kind: str = "person") -> PersonMention:
        start, end = span(words)
        return PersonMention(start, end, letters[start:end], key, 0.98, kind=kind)

    quarrel = span("كَانَ بَيْنِي وَبَيْنَ ابْنِ الْخَطَّابِ شَىْءٌ")
    return Record(
        passage,
        narrators=tuple(narrators),
        isnads=(Isnad(tuple(range(6)), ((0, after),), attributed_to="prophet", matn=((matn, len(letters)),)),),
        persons=(
            person("أبو بكر", "person/abu-bakr"),
            person("ابن الخطاب", "person/umar-b-al-khattab"),
            person("عمر", "person/umar-b-al-khattab"),
            person("النبي", "person/muhammad", "prophet"),
        ),
        places=(PlaceMention(*span("منزل أبي بكر"), "منزل أبي بكر", None),),
        events=(
            EventReport(
                "Quarrel",
                *quarrel,
                event="event/quarrel-of-abu-bakr-and-umar",
                confidence=0.9,
                roles=(
                    Role("participant", "person/abu-bakr"),
                    Role("participant", "person/umar-b-al-khattab", *span("ابْنِ الْخَطَّابِ")),
                ),
                place="place/medina",
                place_inferred=True,
                according_to="person/abu-al-darda",
            ),
        ),
        quran=(Citation(*span("إِنَّ اللَّهَ بَعَثَنِي"), refs=("9:40",), confidence=0.4),),
    )


def hostile(passage_number: str = "<script>alert(1)</script>") -> Record:
    """A passage whose every literal tries to run as script."""
    letters = '<script>alert("text")</script> عن "><img src=x onerror=alert(1)> قال'
    start = letters.index('"><img')
    mention = NarratorMention(start, start + 33, letters[start : start + 33], why="<svg onload=alert(2)>", person="person/x-hostile",
                              confidence=0.5, candidates=(("person/x-hostile", 0.5),))  # fmt: skip
    passage = Passage(
        f"hostile:{passage_number}", letters, source="hostile", kind="hadith", locators=(("heading", "<b>bold</b>"),)
    )
    return Record(passage, narrators=(mention,), isnads=(Isnad((0,), matn=((start + 34, len(letters)),)),))


def build(folder: Path) -> Path:
    """Writes the built folder and gives its path."""
    words, authority = Vocabulary(BASE), load()
    source = open_source("bukhari")
    passages = {p.id: p for p in source.passages() if p.id in ("bukhari:3661", "bukhari:4640")}
    records = [record_3661(passages["bukhari:3661"]), Record(passages["bukhari:4640"]), hostile()]
    mapper, statistics = Mapper(words, authority), Statistics(authority)
    lines: list[str] = []

    def put(key: str, statements: Statements, graph: str) -> None:
        subject = words.term(key)
        lines.extend(f"{subject.nt} {p.nt} {o.nt} <{BASE}{graph}> .\n" for p, o in statements)

    for order, record in enumerate(records, 1):
        reading = mapper.read(record, order, source, ("صحيح البخاري", "Sahih al-Bukhari"))
        for key, statements in reading.things.items():
            put(key, statements, "graph/source/bukhari")
        for key, statements in reading.claims:
            put(key, statements, "graph/identity")
        statistics.add(record, reading.persons)
    own = Passage("own:1", "عن أنس قال قال رسول الله إنما الأعمال بالنيات", source="own", kind="hadith", translation=TRANSLATION)
    cut = Passage("own:2", "عن أنس قال قال رسول الله " + "كذا " * 20, source="own", locators=(("paragraph-in-file", "2"),))
    for passage, given in ((own, OWN), (cut, KEPT_BACK)):
        for key, statements in mapper.read(Record(passage), 1, given, ("كتابي", "My book")).things.items():
            put(key, statements, "graph/source/own")
    put("version/own", version_statements(words, [OWN], ("كتابي", "My book"), authority.works), "graph/source/own")
    for key, statements in authority_things(words, authority):
        if key.startswith("person/taqrib-"):
            continue  # thousands that no test asks for
        put(key, statements, "graph/authority")
    for key, statements in statistics.things(words):
        put(key, statements, "graph/statistics")
    version = version_statements(words, [source], ("صحيح البخاري", "Sahih al-Bukhari"), authority.works)
    put("version/bukhari", version, "graph/source/bukhari")
    label = name("rdfs:label")
    put("person/x-hostile", [
        (name("rdf:type"), name("sls:Person")), (label, text('<img src=x onerror="alert(3)">', "en")),
        (name("sls:rank"), text("</bdi><script>alert(4)</script>", "ar")),
        (name("rdfs:seeAlso"), RdfTerm("<javascript:alert(5)>", "<javascript:alert(5)>")),
        (name("rdfs:seeAlso"), RdfTerm("<data:text/html,alert(6)>", "<data:text/html,alert(6)>")),
    ], "graph/authority")  # fmt: skip
    put("person/merged-away", [(name("dcterms:isReplacedBy"), words.term("person/abu-bakr"))], "graph/authority")
    put("person/withdrawn", [(name("owl:deprecated"), text("true")), (label, text("Withdrawn", "en"))], "graph/authority")
    put("parallel/quarrel", [
        (name("rdf:type"), name("sls:ParallelGroup")), (label, text("The quarrel", "en")),
        (name("sls:hasPassage"), words.term("hadith/bukhari/3661")), (name("sls:hasPassage"), words.term("hadith/bukhari/4640")),
        (name("sls:commonLink"), words.term("person/busr-b-ubayd-allah")), (name("sls:parallelKind"), text("mutabaa")),
        (name("sls:linkFinding"), words.term("parallel/quarrel/common/busr-b-ubayd-allah")), (name("sls:diveCount"), integer(1)),
        (name("sls:chainFinding"), words.term("parallel/quarrel/chains/1")),
        *((name("sls:telling"), words.term(f"parallel/quarrel/telling/bukhari/{number}")) for number in (3661, 4640)),
    ], "graph/parallels")  # fmt: skip
    put("parallel/quarrel/telling/bukhari/3661", [
        (name("rdf:type"), name("sls:Telling")), (name("sls:ofPassage"), words.term("hadith/bukhari/3661")),
    ], "graph/parallels")  # fmt: skip
    put("parallel/quarrel/telling/bukhari/4640", [
        (name("rdf:type"), name("sls:Telling")), (name("sls:ofPassage"), words.term("hadith/bukhari/4640")),
        (name("sls:comparedWith"), words.term("hadith/bukhari/3661")), (name("sls:grade"), text("same-report")),
        (name("sls:relation"), text("mutabaa")), (name("sls:similarity"), decimal(0.62)),
    ], "graph/parallels")  # fmt: skip
    put("parallel/quarrel/chains/1", [
        (name("rdf:type"), name("sls:ChainFinding")), (name("sls:findingKind"), text("left-out")),
        (name("sls:ofPerson"), words.term("person/busr-b-ubayd-allah")), (name("sls:meets"), words.term("person/abu-al-darda")),
        (name("sls:ofPassage"), words.term("hadith/bukhari/4640")),
    ], "graph/parallels")  # fmt: skip
    put("parallel/quarrel/common/busr-b-ubayd-allah", [
        (name("rdf:type"), name("sls:CommonLinkFinding")), (name("sls:ofPerson"), words.term("person/busr-b-ubayd-allah")),
        (name("sls:linkKind"), text("common")), (name("sls:studentCount"), integer(2)), (name("sls:passageCount"), integer(2)),
    ], "graph/parallels")  # fmt: skip
    verse = "verse/9/40"
    put(verse, [(name("rdf:type"), name("sls:Verse")), (name("sls:inSura"), words.term("sura/9")), (name("sls:verseNumber"), integer(40)),
                (name("sls:text"), text("إِلَّا تَنصُرُوهُ فَقَدْ نَصَرَهُ ٱللَّهُ", "ar")), (label, text("التوبة 40", "ar")),
                (label, text("Quran 9:40", "en"))], "graph/quran")  # fmt: skip
    put("term/haddathana", [(name("rdf:type"), name("sls:TransmissionTerm")), (name("sls:mode"), text("hearing")), (label, text("حدثنا", "ar")),
                            (label, text("he told us", "en"))], "graph/ontology")  # fmt: skip
    put("sura/9", [(name("rdf:type"), name("sls:Sura")), (name("sls:suraNumber"), integer(9)), (label, text("التوبة", "ar")),
                   (label, text("Repentance", "en"))], "graph/quran")  # fmt: skip
    version_folder = folder / "versions" / "small"
    version_folder.mkdir(parents=True)
    store = Store(str(version_folder / "store"))
    store.bulk_load(input="".join(lines).encode(), format=RdfFormat.N_QUADS)
    store.flush()
    del store
    opened = EmbeddedStore.open(version_folder / "store")
    write_index(version_folder / "search.sqlite", opened, BASE)
    write_names_of_folder(version_folder, opened, BASE, load().persons)
    prepare(version_folder, opened, BASE)
    dumps = version_folder / "dumps"
    dumps.mkdir()
    packed = gzip.compress("".join(sorted(lines)).encode(), mtime=0)
    (dumps / "silsila.nq.gz").write_bytes(packed)
    (dumps / "SHA256SUMS").write_text(f"{hashlib.sha256(packed).hexdigest()}  silsila.nq.gz\n", encoding="utf-8")
    manifest = {"base": BASE, "sources": [{"key": "bukhari", "title": "Sahih al-Bukhari"}], "counts": {"quads": len(lines)}}
    (version_folder / "manifest.json").write_text(json.dumps(manifest))
    (folder / "current").symlink_to("versions/small")
    return folder
