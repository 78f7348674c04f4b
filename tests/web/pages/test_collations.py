"""The tellings of a report side by side: the table, what is left out, the files, and many chains in one picture."""

import json
import xml.etree.ElementTree as xml

import pytest
from flask.testing import FlaskClient

from kg.identify.collation_bounds import LONGEST, MOST, TOGETHER
from kg.text import Span
from kg.web.isnad_svg import MANY, Bundle, Edge, Node, draw
from kg.web.languages import Text
from kg.web.views.collation import USUAL, Choice, Telling, chosen

GROUP = "/parallel/quarrel"
TEI = "{http://www.tei-c.org/ns/1.0}"


def telling(name: str, withheld: bool = False, words: int = 1) -> Telling:
    return Telling(
        f"https://example.org/hadith/{name}", name, Text(name), Text(name).__html__(), "قال", Span(0, 3), words, withheld
    )


def test_the_table_says_in_words_how_tellings_differ(client: FlaskClient) -> None:
    page = client.get(GROUP + ".html?lang=en").text
    for word in ("agreed", "changed", "added", "missing"):
        assert f'<span class="stands is-{word}">{word}</span>' in page
    assert "مُحَاوَرَةٌ" in page and "Sahih al-Bukhari 4640" in page
    assert 'name="telling" value="bukhari/3661" checked' in page
    arabic = client.get(GROUP + ".html?lang=ar").text
    assert '<span class="stands is-changed">إبدال</span>' in arabic


def test_the_reader_chooses_what_the_others_are_compared_with(client: FlaskClient) -> None:
    page = client.get(GROUP + ".html?lang=en&first=bukhari/4640&telling=bukhari/3661&telling=bukhari/4640").text
    assert 'name="first" value="bukhari/4640" checked' in page
    assert page.index('columnheader"><a href="/hadith/bukhari/4640"') < page.index('columnheader"><a href="/hadith/bukhari/3661"')
    differences = client.get(GROUP + ".html?lang=en&only=differences").text
    assert 'class="row-same"' in page and 'class="row-same"' not in differences


def test_what_was_chosen_is_not_remembered_for_others(client: FlaskClient) -> None:
    one = client.get(GROUP + ".html?first=bukhari/4640&telling=bukhari/4640&telling=bukhari/3661")
    other = client.get(GROUP + ".html")
    assert one.text != other.text and one.headers["ETag"] != other.headers["ETag"]


@pytest.mark.parametrize("asked", ["nonsense", '"><script>alert(1)</script>', "bukhari/3661"])
def test_what_is_no_telling_of_the_group_is_passed_over(client: FlaskClient, asked: str) -> None:
    page = client.get(GROUP + ".html", query_string={"telling": asked, "lang": "en"})
    assert page.status_code == 200 and "<script>alert" not in page.text
    assert page.text.count('name="telling"') == 2


def test_the_usual_choice_takes_every_collection_and_is_bounded() -> None:
    many = [telling(f"{book}/{n}") for book in ("bukhari", "muslim") for n in range(9)] + [telling("closed/1", withheld=True)]
    assert [t.name for t in chosen(many, Choice())] == ["bukhari/0", "muslim/0", "bukhari/1", "muslim/1"]
    assert len(chosen(many, Choice())) == USUAL
    all_of_them = chosen(many, Choice(tuple(t.name for t in many)))
    assert len(all_of_them) == MOST and "closed/1" not in [t.name for t in all_of_them]
    assert chosen(many, Choice(("muslim/3",), "bukhari/5"))[0].name == "bukhari/5"
    long = [telling(f"bukhari/{n}", words=700) for n in range(6)]
    assert len(chosen(long, Choice(tuple(t.name for t in long)))) == TOGETHER // LONGEST == 3


def test_the_collation_as_json_and_tei(client: FlaskClient) -> None:
    answer = client.get(GROUP + "/collation.json?first=bukhari/4640")
    assert answer.mimetype == "application/json" and answer.headers["ETag"]
    data = json.loads(answer.text)
    assert data["witnesses"] == ["bukhari/4640", "bukhari/3661"] and data["titles"]["bukhari/3661"] == "Sahih al-Bukhari 3661"
    assert data["iris"]["bukhari/3661"].endswith("/hadith/bukhari/3661")
    assert {"agreed", "changed", "added", "missing"} <= {place["kind"] for place in data["places"]}
    tei = client.get(GROUP + "/collation.tei")
    assert tei.mimetype == "application/tei+xml"
    witnesses = [w.text for w in xml.fromstring(tei.text).iter(TEI + "witness")]
    assert witnesses == ["Sahih al-Bukhari 3661", "Sahih al-Bukhari 4640"]
    assert client.get("/parallel/none/collation.json").status_code == 404


def test_a_hadith_leads_to_its_parallels_side_by_side(client: FlaskClient) -> None:
    page = client.get("/hadith/bukhari/4640.html?lang=en").text
    address = f"{GROUP}.html?first=bukhari/4640&amp;telling=bukhari/4640&amp;telling=bukhari/3661#collation"
    assert address in page and "same Companion" in page


def test_common_links_are_told_by_a_sign_too() -> None:
    nodes = (Node("a", "بسر", emphasis="common-link"), Node("b", "صدقة", emphasis="partial"), Node("c", "زيد"))
    drawn = draw(Bundle(nodes, (Edge("a", "b"), Edge("a", "c"))), "Links")
    assert drawn.count("◆") == 1 and drawn.count("◇") == 1


def test_a_picture_of_many_is_folded() -> None:
    nodes = (Node("p", "P"), *(Node(f"n{i}", f"N{i}") for i in range(MANY + 10)))
    picture = xml.fromstring(draw(Bundle(nodes, tuple(Edge("p", node.id, "عن") for node in nodes[1:])), "Many"))
    heights = {rect.get("y") for rect in picture.iter("{http://www.w3.org/2000/svg}rect")}
    assert len(heights) == 3
    assert "عن" not in xml.tostring(picture, encoding="unicode")


def test_the_chains_of_a_report_are_drawn_on_the_page_of_its_narrator(client: FlaskClient) -> None:
    offered = client.get("/person/busr-b-ubayd-allah.html?lang=en").text
    assert "/person/busr-b-ubayd-allah.html?report=quarrel#bundle" in offered and "◆ common link" in offered
    drawn = client.get("/person/busr-b-ubayd-allah.html?lang=en&report=quarrel").text
    assert "● Busr b. Ubayd Allah" in drawn and "/person/busr-b-ubayd-allah.svg?report=quarrel" in drawn
    picture = client.get("/person/busr-b-ubayd-allah.svg?report=quarrel")
    assert picture.status_code == 200 and "Sahih al-Bukhari 3661" in picture.text
    assert "is-book" not in client.get("/person/busr-b-ubayd-allah.html?report=none").text.split("<figcaption>")[0]
    assert client.get("/person/al-bukhari.html?report=quarrel").status_code == 200
