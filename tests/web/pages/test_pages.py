"""Pages: complete in both languages, every literal with language and direction, nothing from data runs as script."""

import re
from html.parser import HTMLParser

import pytest
from flask.testing import FlaskClient

from kg.web.languages import messages

PAGES = (
    "/", "/works", "/events", "/places", "/quran", "/persons", "/query", "/ontology.html", "/about", "/dumps/", "/limits",
    "/search", "/hadith/bukhari/3661.html", "/hadith/bukhari/4640.html", "/person/abu-al-darda.html", "/person/zayd-b-waqid.html",
    "/isnad/bukhari/3661/1.html", "/event/quarrel-of-abu-bakr-and-umar.html", "/place/medina.html", "/verse/9/40.html", "/sura/9.html",
    "/work/sahih-al-bukhari.html", "/version/bukhari.html", "/book/sahih-al-bukhari/62.html", "/parallel/quarrel.html",
    "/term/haddathana.html", "/nothing",
)  # fmt: skip
VOID = {"meta", "link", "input", "br", "img", "hr"}
# Elements of SVG that are written with a closing slash.
EMPTY_SHAPES = {"path", "rect", "circle", "line"}


class Page(HTMLParser):
    """Checks as it reads: elements nest, ids are unique, literals say language and direction, links are safe."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.ids: list[str] = []
        self.problems: list[str] = []
        self.scripts: list[dict[str, str | None]] = []
        self.in_data_script = False
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if "id" in given:
            self.ids.append(given["id"] or "")
        for name, value in attrs:
            if name.startswith("on") or name == "style":
                self.problems.append(f"<{tag} {name}>")
            if name in ("href", "src", "action") and re.match(r"\s*(javascript|data|vbscript):", value or "", re.IGNORECASE):
                self.problems.append(f"<{tag} {name}={value}>")
        if tag == "bdi" and not ({"dir"} <= set(given) or "lang" in given or not given):
            self.problems.append(f"<bdi> {given}")
        if tag == "script":
            self.scripts.append(given)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in EMPTY_SHAPES | VOID:
            self.problems.append(f"<{tag}/>")

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open[-1] != tag:
            self.problems.append(f"</{tag}> closes {self.open[-1:]}")
        else:
            self.open.pop()


@pytest.mark.parametrize("language", ["ar", "en"])
@pytest.mark.parametrize("path", PAGES)
def test_a_page_is_whole(client: FlaskClient, path: str, language: str) -> None:
    answer = client.get(path, headers={"Accept-Language": language, "Accept": "text/html"})
    assert answer.status_code == (404 if path == "/nothing" else 200)
    page = Page(answer.text)
    assert not page.problems
    assert not page.open
    assert "&lt;bdi" not in answer.text and "&lt;a href" not in answer.text
    assert sorted(page.ids) == sorted(set(page.ids))
    assert f'<html lang="{language}" dir="{messages(language).direction}">' in answer.text
    assert answer.text.count("<h1") == 1
    assert answer.headers["Content-Security-Policy"].startswith("default-src 'self'")
    assert all(
        script.get("src", "").startswith("/static/") or script.get("type") == "application/ld+json" for script in page.scripts
    )
    assert not re.search(r'src="(https?:)?//', answer.text)
    assert not re.search(r'<link rel="(stylesheet|icon)" href="(https?:)?//', answer.text)


def test_both_languages_have_every_word() -> None:
    arabic, english = messages("ar").keys(), messages("en").keys()
    assert english <= arabic
    assert all(key.endswith(("_two", "_few")) for key in arabic - english)


def test_the_text_is_marked_in_the_authors_letters(client: FlaskClient) -> None:
    page = client.get("/hadith/bukhari/3661.html", headers={"Accept-Language": "en"}).text
    passage = re.search(r'<div class="passage[^>]*>(.*?)</div>', page, re.DOTALL)
    assert passage
    letters = re.sub(r"<sup.*?</sup>|<[^>]+>", "", passage[1], flags=re.DOTALL).replace("&#34;", '"')
    turtle = client.get("/hadith/bukhari/3661.nt").text
    assert letters in turtle.replace('\\"', '"')
    for kind in ("narrator", "person", "place", "verse", "event"):
        assert re.search(rf'class="(mark|sign) {kind}"', page), kind
    assert page.count('<li id="at-') == 6
    assert "97%" in page and "name and teacher agree with the dictionary" in page


def test_the_chain_is_listed_from_the_author_up(client: FlaskClient) -> None:
    page = client.get("/hadith/bukhari/3661.html", headers={"Accept-Language": "en"}).text
    names = re.findall(r'<span class="who"><bdi[^>]*>(.*?)</bdi>', page)
    assert names == [
        "Hisham b. Ammar",
        "Sadaqa b. Khalid",
        "Zayd b. Waqid",
        "Busr b. Ubayd Allah",
        "Abu Idris al-Khawlani",
        "Abu al-Darda&#39;",
    ]
    assert "Attributed to the Prophet" in page


def test_teachers_are_sorted_as_asked(client: FlaskClient) -> None:
    page = client.get("/person/zayd-b-waqid.html?sort=name", headers={"Accept-Language": "en"}).text
    assert '<strong aria-current="true">name</strong>' in page
    assert "Busr b. Ubayd Allah" in page and "Sadaqa b. Khalid" in page


@pytest.mark.parametrize("language", ["ar", "en"])
@pytest.mark.parametrize(
    "path",
    [
        "/person/x-hostile.html",
        "/hadith/hostile/%3Cscript%3Ealert%281%29%3C%2Fscript%3E.html",
        "/isnad/hostile/%3Cscript%3Ealert%281%29%3C%2Fscript%3E/1.html",
        "/%3Cscript%3Ealert(9)%3C/script%3E",
        "/search?q=%22%3E%3Cscript%3Ealert(9)%3C/script%3E",
        "/query?query=%3C/textarea%3E%3Cscript%3Ealert(9)%3C/script%3E",
        "/query?name=%3Cscript%3E",
        "/persons?letter=%3Cscript%3Ealert(9)%3C/script%3E",
        "/person/x-hostile.html?sort=%22%3E%3Cscript%3E",
        "/person/x-hostile.html?lang=%22%3E%3Cscript%3E",
    ],
)
def test_nothing_from_outside_becomes_markup(client: FlaskClient, path: str, language: str) -> None:
    answer = client.get(path, headers={"Accept-Language": language, "Accept": "text/html"})
    page = Page(answer.text)
    assert not page.problems
    assert "<script>alert" not in answer.text and "<img" not in answer.text
    assert all("src" in s or s.get("type") == "application/ld+json" for s in page.scripts)


def test_hostile_things_in_pictures_and_answers(client: FlaskClient) -> None:
    picture = client.get("/hadith/hostile/%3Cscript%3Ealert%281%29%3C%2Fscript%3E.svg")
    assert b"<script" not in picture.data and b"<img" not in picture.data
    for query in (
        "SELECT ?o WHERE { <person/x-hostile> ?p ?o }",
        "CONSTRUCT { ?s ?p ?o } WHERE { VALUES ?s { <person/x-hostile> } ?s ?p ?o }",
    ):
        answer = client.get("/sparql", query_string={"query": query}, headers={"Accept": "text/html"})
        assert answer.status_code == 200
        assert not Page(answer.text).problems
        assert "<img" not in answer.text and 'href="javascript' not in answer.text
    wrong = client.get(
        "/sparql", query_string={"query": "SELECT </textarea><script>alert(1)</script>"}, headers={"Accept": "text/html"}
    )
    assert wrong.status_code == 400 and "<script>alert" not in wrong.text


def test_answers_as_table_map_and_timeline(client: FlaskClient) -> None:
    query = "SELECT ?person ?earliest WHERE { ?person <https://w3id.org/silsila/ontology#deathYearAHEarliest> ?earliest } ORDER BY ?person LIMIT 5"
    page = client.get("/sparql", query_string={"query": query}, headers={"Accept": "text/html", "Accept-Language": "en"})
    assert page.status_code == 200 and page.text.count("<tr>") == 6
    assert "&lt;bdi" not in page.text
    assert 'class="time-picture"' in page.text
    assert client.get(
        "/sparql", query_string={"query": "ASK {}"}, headers={"Accept": "text/html", "Accept-Language": "en"}
    ).text.count("Yes")


def test_stored_questions_run_by_link(client: FlaskClient) -> None:
    listed = client.get("/queries.json").get_json()
    assert len(listed) >= 15
    for query in listed:
        assert query["title"].get("ar") and query["title"].get("en"), query["name"]
    answer = client.get("/query/died-between", headers={"Accept": "text/html"})
    assert answer.status_code == 303 and answer.location.startswith("/sparql?query=")
    assert client.get("/query/none").status_code == 404


def test_for_crawlers(client: FlaskClient) -> None:
    robots = client.get("/robots.txt")
    assert "Sitemap: http://localhost/sitemap.xml" in robots.text and "Disallow: /sparql" in robots.text
    assert "<loc>http://localhost/hadith/bukhari/3661</loc>" in client.get("/sitemap.xml").text
    page = client.get("/person/abu-bakr.html").text
    structured = re.search(r'<script type="application/ld\+json">(.*?)</script>', page)
    assert structured and '"@type": "Person"' in structured[1]


def test_a_passage_by_its_number(client: FlaskClient) -> None:
    asked = {"version": "version/bukhari", "scheme": "numberInSource", "number": "3661"}
    answer = client.get("/go", query_string=asked)
    assert answer.status_code == 303 and answer.location == "/hadith/bukhari/3661"
    for wrong in ({"number": "99999"}, {"scheme": "rank"}, {"version": "person/x"}, {"number": ""}):
        assert client.get("/go", query_string={**asked, **wrong}).status_code == 404
    assert 'name="number"' in client.get("/version/bukhari.html").text


def test_a_bundle_is_drawn_and_listed_with_its_common_link(client: FlaskClient) -> None:
    page = client.get("/parallel/quarrel.html", headers={"Accept-Language": "en"}).text
    assert 'class="isnad-picture"' in page and "is-common-link" in page
    assert "The same as a list" in page and "Students who spread it" in page
    assert client.get("/parallel/quarrel.svg").status_code == 200


def test_each_telling_says_how_it_stands_to_the_first(client: FlaskClient) -> None:
    page = client.get("/parallel/quarrel.html", headers={"Accept-Language": "en"}).text
    rows = page[page.index('id="passages"') :].split("<tr>")[2:4]
    assert ["4640" in row.split("</td>")[0] for row in rows] == [False, True]
    assert "same Companion" in rows[1] and "62%" in rows[1] and "bukhari/3661" in rows[1]
    assert "<dt>Dives</dt><dd>1</dd>" in page and "a link is left out" in page
    assert "same Companion" in client.get("/hadith/bukhari/4640.html", headers={"Accept-Language": "en"}).text


def test_a_person_is_shown_under_his_usual_name_with_the_full_one_below(client: FlaskClient) -> None:
    page = client.get("/person/abu-bakr.html?lang=ar").text
    heading = page[page.index("<h1>") : page.index("</h1>")]
    assert "أبو بكر الصديق" in heading and "عثمان" not in heading
    assert '<p class="full-name"><bdi lang="ar" dir="rtl">عبد الله بن عثمان بن عامر التيمي</bdi></p>' in page
    assert client.get("/search.json?q=عبد الله بن عثمان بن عامر").get_json()["results"]


def test_a_translation_that_may_be_shown_stands_beside_the_text(client: FlaskClient) -> None:
    page = client.get("/hadith/own/1.html?lang=en").text
    assert "with-translation" in page and "works go by their intentions" in page
    assert "with-translation" not in client.get("/hadith/bukhari/3661.html?lang=en").text


def test_parts_in_events_name_the_event_and_each_once(client: FlaskClient) -> None:
    page = client.get("/person/abu-bakr.html").text
    section = re.search(r'<section aria-labelledby="parts">.*?</section>', page, re.S)
    assert section is not None
    rows = re.findall(r"<li>.*?</li>", section[0], re.S)
    assert rows and len(rows) == len(set(rows))
    assert all(re.search(r'</span> <a href="/(event|ontology#)[^"]*">', row) for row in rows), rows
    assert any('href="/event/quarrel-of-abu-bakr-and-umar"' in row and "3661" in row for row in rows)


def test_a_text_of_no_work_is_listed_with_the_address_of_its_first_passage(client: FlaskClient) -> None:
    assert 'href="/version/own"' in client.get("/works").text
    home = client.get("/?lang=ar").text
    assert 'href="/version/own"' in home and 'href="/hadith/own/1"' in home
    assert 'href="/version/bukhari"' not in home
    assert client.get("/hadith/own/1").status_code == 303


def test_a_text_that_is_cut_names_the_setting(client: FlaskClient) -> None:
    for language in ("en", "ar"):
        words = messages(language)
        assert words("passage.shortened_setting") not in client.get(f"/hadith/own/1.html?lang={language}").text
        page = client.get(f"/passage/own/2.html?lang={language}").text
        assert words("passage.shortened_setting") in page and "republishable = true" in page and "paragraph-in-file" not in page


def test_what_is_announced_to_try_is_there(client: FlaskClient, app, monkeypatch) -> None:
    """Also where a folder holds none of the chosen things: then others of their kinds."""
    from kg.web import front

    edition = app.extensions["kg-shelf"].current()
    chosen = front.tried(edition)
    assert [key for _, key in chosen] == [key for _, key in front.TRIES]
    monkeypatch.setattr(front, "TRIES", tuple((words, key.partition("/")[0] + "/not-here") for words, key in front.TRIES))
    monkeypatch.delitem(edition.kept, "tried")
    others = front.tried(edition)
    edition.kept["tried"] = chosen
    assert len(others) == 3 and all("not-here" not in key for _, key in others)
    assert all(client.get(f"/{key}").status_code == 303 for _, key in others)


def test_a_long_sitemap_is_given_in_parts(client: FlaskClient, monkeypatch) -> None:
    from kg.web import front

    whole = re.findall("<loc>(.*?)</loc>", client.get("/sitemap.xml").text)
    monkeypatch.setattr(front, "IN_SITEMAP", 100)
    index = client.get("/sitemap.xml")
    assert "<sitemapindex" in index.text and index.headers["ETag"]
    parts = re.findall("<loc>http://localhost(.*?)</loc>", index.text)
    assert [url for part in parts for url in re.findall("<loc>(.*?)</loc>", client.get(part).text)] == whole
    assert len(parts) == -(-len(whole) // 100) and client.get(f"/sitemap-{len(parts) + 1}.xml").status_code == 404


def test_reasons_and_outside_properties_are_told_in_the_readers_language(client: FlaskClient) -> None:
    claim = "/claim/bukhari/3661/11-32/hisham-b-ammar.html?lang="
    arabic, english = client.get(claim + "ar"), client.get(claim + "en")
    assert arabic.status_code == english.status_code == 200
    assert ">النوع</bdi>" in arabic.text and ">Type</bdi>" in english.text and ">rdf:type<" not in arabic.text + english.text
