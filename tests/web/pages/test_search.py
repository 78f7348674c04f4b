"""Search: as Arabists spell, in Arabic and Latin letters; highlighting in the original spelling."""

from pathlib import Path

import pytest
from flask.testing import FlaskClient

from kg.store.embedded import EmbeddedStore
from kg.web.search import SearchIndex, highlight
from kg.web.search_index import Entry, alternatives, tokens, write_entries, write_index


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> SearchIndex:
    path = tmp_path_factory.mktemp("search") / "search.sqlite"
    write_entries(
        path,
        [
            Entry("person/abu-bakr", "person", (("أبو بكر الصديق", "ar"), ("Abū Bakr al-Ṣiddīq", "ar-Latn")), weight=140),
            Entry(
                "person/abu-bakr-b-abi-shayba",
                "person",
                (("أبو بكر بن أبي شيبة", "ar"), ("Abu Bakr b. Abi Shayba", "en")),
                weight=20,
            ),
            Entry("person/aisha", "person", (("عائشة بنت أبي بكر", "ar"), ("ʿĀʾisha", "ar-Latn")), weight=900),
            Entry("person/muhammad-b-sirin", "person", (("محمد بن سيرين", "ar"), ("Muhammad b. Sirin", "en"))),
            Entry("hadith/x/1", "hadith", (("x 1", "en"),), text="عَنْ أَبِي الدَّرْدَاءِ قَالَ كُنْتُ جَالِسًا فَتَبِعْتُهُ إِلَى الْبَقِيعِ وَالْوَلِيدُ مَعَهُ"),
            Entry("hadith/x/2", "hadith", (("x 2", "en"),), text="فَهَلْ أَنْتُمْ تَارِكُو لِي صَاحِبِي مَرَّتَيْنِ فَمَا أُوذِيَ بَعْدَهَا لِلْوَلِيدِ"),
        ],
    )
    return SearchIndex(path)


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("أبو بكر الصديق", "person/abu-bakr"),
        ("ابو بكر الصديق", "person/abu-bakr"),
        ("أبي بكر الصدّيق", "person/abu-bakr"),
        ("Abu Bakr al-Siddiq", "person/abu-bakr"),
        ("Abū Bakr al-Ṣiddīq", "person/abu-bakr"),
        ("Aboo Bakr Siddeeq", "person/abu-bakr"),
        ("عايشة", "person/aisha"),
        ("Aisha", "person/aisha"),
        ("'A'ishah", "person/aisha"),
        ("Mohammed ibn Sirin", "person/muhammad-b-sirin"),
        ("Muhammad bin Seereen", "person/muhammad-b-sirin"),
        ("ابي الدرداء", "hadith/x/1"),
        ("الدَّرْدَاءِ", "hadith/x/1"),
        ("بقيع", "hadith/x/1"),
        ("البقيع", "hadith/x/1"),
        ("ما أوذي بعدها", "hadith/x/2"),
        ('"تاركو لي صاحبي"', "hadith/x/2"),
        ("تاركو ل", "hadith/x/2"),
        ("البق", "hadith/x/1"),
    ],
)
def test_every_spelling_finds(index: SearchIndex, question: str, first: str) -> None:
    assert [hit.key for hit in index.find(question).hits][:1] == [first]


def test_the_son_stands_after_the_father_who_bears_the_name(tmp_path: Path) -> None:
    """ "Umar" is Umar, "Ibn Umar" his son, in either script, though the son is met twice as often; a famous work goes before who is
    called after its town; a place before a man of the same consonants."""
    son = (("عبد الله بن عمر", "ar"), ("ابن عمر", "ar"), ("Ibn Umar", "en"))
    write_entries(
        tmp_path / "search.sqlite",
        [
            Entry("person/ibn-umar", "person", son, weight=3_000),
            Entry(
                "person/umar",
                "person",
                (("عمر بن الخطاب", "ar"), ("عمر", "ar"), ("ʿUmar b. al-Khaṭṭāb", "ar-Latn")),
                weight=1_500,
            ),
            Entry("person/nafi", "person", (("نافع مولى ابن عمر", "ar"), ("Nafi mawla Ibn Umar", "en")), weight=2_000),
            Entry("place/medina", "place", (("المدينة", "ar"), ("Medina", "en")), weight=600),
            Entry("person/madan", "person", (("مدان", "ar"),)),
            Entry("work/sahih", "work", (("صحيح البخاري", "ar"), ("Sahih al-Bukhari", "en")), weight=7_000),
            Entry("person/of-bukhara", "person", (("البخاري بن محمد", "ar"),), weight=1),
        ],
    )
    index = SearchIndex(tmp_path / "search.sqlite")
    for question, first in (
        *((umar, "person/umar") for umar in ("Umar", "ʿUmar", "عمر", "عُمَر", "Omar")),
        *((ibn, "person/ibn-umar") for ibn in ("Ibn Umar", "ibn Omar", "ابن عمر", "بن عمر")),
        *((town, "place/medina") for town in ("Medina", "المدينة")),
        ("Bukhari", "work/sahih"),
    ):
        assert index.find(question).hits[0].key == first, question
    assert index.complete("Um") == ["ʿUmar b. al-Khaṭṭāb", "Ibn Umar", "Nafi mawla Ibn Umar"]


def test_the_article_and_what_is_attached_make_no_difference(index: SearchIndex) -> None:
    for question in ("الوليد", "وليد", "للوليد", "والوليد"):
        assert {hit.key for hit in index.find(question).hits} == {"hadith/x/1", "hadith/x/2"}, question


def test_kinds_and_counts(index: SearchIndex) -> None:
    found = index.find("أبو بكر")
    assert found.counts == {"person": 3}
    assert index.find("الدرداء", "person").total == 0
    assert index.find("الدرداء", "hadith").total == 1


def test_completion_in_the_script_typed(index: SearchIndex) -> None:
    assert index.complete("ابو بك") == ["أبو بكر الصديق", "أبو بكر بن أبي شيبة", "عائشة بنت أبي بكر"]
    assert index.complete("Abu Ba") == ["Abū Bakr al-Ṣiddīq", "Abu Bakr b. Abi Shayba"]


@pytest.mark.parametrize(
    "question", ["", "   ", '"', '""', "*", "AND", "a OR", "NEAR(", "names:", "')--", "(", "ـ", "ء", "\u200f", "﷽", "x" * 5000]
)
def test_no_question_breaks_it(index: SearchIndex, question: str) -> None:
    index.find(question)
    index.complete(question)


def test_highlighting_keeps_the_authors_letters() -> None:
    text = "عَنْ أَبِي الدَّرْدَاءِ ـ رضى الله عنه ـ قَالَ"
    terms = tuple(alternatives(word[0]) for word in tokens("ابو الدرداء"))
    marked = str(highlight(text, terms))
    assert "<mark>أَبِي</mark> <mark>الدَّرْدَاءِ</mark>" in marked
    assert marked.replace("<mark>", "").replace("</mark>", "") == text
    assert str(highlight("<b>بكر</b>", (("بكر",),))) == "&lt;b&gt;<mark>بكر</mark>&lt;/b&gt;"


def test_the_index_of_a_store(data: Path, tmp_path: Path) -> None:
    store = EmbeddedStore.open(data / "current" / "store")
    first, second = tmp_path / "a.sqlite", tmp_path / "b.sqlite"
    number = write_index(first, store, "https://w3id.org/silsila/")
    assert number > 300 and write_index(second, store, "https://w3id.org/silsila/") == number
    assert {hit.key for hit in SearchIndex(first).find("غامر").hits} == {"hadith/bukhari/3661", "hadith/bukhari/4640"}
    assert SearchIndex(first).find("غامر").hits == SearchIndex(second).find("غامر").hits


def test_the_page_and_the_document(client: FlaskClient) -> None:
    page = client.get("/search", query_string={"q": "صاحبكم فقد"}, headers={"Accept-Language": "ar"}).text
    assert "<mark>صَاحِبُكُمْ</mark>" in page
    found = client.get("/search.json", query_string={"q": "Abu al-Darda"}).get_json()
    assert found["results"][0]["id"] == "https://w3id.org/silsila/person/abu-al-darda"
    assert {"lang", "dir", "value"} == set(found["results"][0]["labels"][0])
    assert client.get("/suggest.json", query_string={"q": "Abu al-Dar"}).get_json()[1]
    assert "OpenSearchDescription" in client.get("/opensearch.xml").text


def test_names_are_aliases(client: FlaskClient) -> None:
    answer = client.get("/event/غزوة_بدر")
    assert answer.status_code == 301 and answer.location == "/event/battle-of-badr"


def test_a_query_searches_the_same_index(client: FlaskClient) -> None:
    from kg.graph.queries import stored_queries

    def rows(query: str) -> list[list[str]]:
        answer = client.get("/sparql", query_string={"query": query}, headers={"Accept": "text/csv"})
        assert answer.status_code == 200, answer.text
        return [line.split(",") for line in answer.text.splitlines()[1:]]

    found = rows(stored_queries()["words-in-passages"].body)
    assert [row[0].rpartition("silsila/")[2] for row in found] == ["hadith/bukhari/3661", "hadith/bukhari/4640"]
    prefix = "PREFIX sls: <https://w3id.org/silsila/ontology#> "
    for words in ("Aboo Dardaa", "أَبِي الدَّرداء", "ابو الدردا"):
        persons = rows(prefix + f'SELECT ?p {{ ?p a sls:Person ; sls:matches "{words}" }}')
        assert [row[0].rpartition("/")[2] for row in persons] == ["abu-al-darda"], words
    assert rows(prefix + 'SELECT ?p { ?p sls:matches "لا يوجد هذا قط" }') == []
    wrong = client.get("/sparql", query_string={"query": prefix + "ASK { ?p sls:matches ?words }"})
    assert wrong.status_code == 400 and wrong.get_json()["line"] == 1


def test_who_has_no_romanised_name_is_found_by_one(tmp_path: Path) -> None:
    write_entries(
        tmp_path / "search.sqlite",
        [
            Entry("person/taqrib-2922", "person", (("صدقة بن يسار الجزري", "ar"),), weight=3),
            Entry(
                "person/abu-bakr-b-abi-shayba",
                "person",
                (("أبو بكر بن أبي شيبة", "ar"), ("Abu Bakr b. Abi Shayba", "en")),
                weight=1384,
            ),
            Entry("person/abu-bakr", "person", (("أبو بكر", "ar"), ("Abu Bakr al-Siddiq", "en")), weight=1312),
        ],
    )
    index = SearchIndex(tmp_path / "search.sqlite")
    assert [hit.key for hit in index.find("Sadaqa b. Yasar").hits] == ["person/taqrib-2922"]
    assert not index.find("Sadaqa b. Yazid").hits
    for question in ("Abu Bakr", "Aboo Bakr", "أبي بكر"):
        assert [hit.key for hit in index.find(question).hits] == ["person/abu-bakr", "person/abu-bakr-b-abi-shayba"]
    assert index.complete("Sadaqa") == []
