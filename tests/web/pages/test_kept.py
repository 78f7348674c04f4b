"""Documents kept before the application: the same bytes and headers, and never another's language, host or edition."""

from collections.abc import Iterable
from typing import Any

import pytest
from flask.testing import FlaskClient

from kg.web.kept import KeptDocuments

PAGE, DATA = "/hadith/bukhari/3661.html", "/hadith/bukhari/3661.ttl"


@pytest.mark.parametrize("path", [PAGE, DATA, "/person/abu-al-darda.jsonld"])
def test_the_second_answer_is_the_first_one(client: FlaskClient, path: str) -> None:
    first, second, head = client.get(path), client.get(path), client.head(path)
    assert second.status_code == head.status_code == 200
    assert second.data == first.data
    assert head.data == b""
    assert dict(second.headers) == dict(first.headers)
    assert head.headers["ETag"] == first.headers["ETag"]
    unchanged = client.get(path, headers={"If-None-Match": first.headers["ETag"]})
    assert unchanged.status_code == 304


def test_each_reader_has_the_page_in_his_language(client: FlaskClient) -> None:
    pages = {}
    for header in ("ar", "en", "ar;q=0.1, en"):
        for _ in range(2):
            pages[header] = client.get(PAGE, headers={"Accept-Language": header}).text
    assert 'lang="ar" dir="rtl"' in pages["ar"][:200]
    assert 'lang="en" dir="ltr"' in pages["en"][:200] and pages["en"] == pages["ar;q=0.1, en"]
    client.set_cookie("lang", "ar")
    assert client.get(PAGE, headers={"Accept-Language": "en"}).text == pages["ar"]


def test_a_choice_of_language_is_remembered_each_time(client: FlaskClient) -> None:
    for _ in range(2):
        assert "lang=ar" in client.get(PAGE + "?lang=ar").headers["Set-Cookie"]
        client.delete_cookie("lang")


def test_another_host_has_its_own_addresses(client: FlaskClient) -> None:
    for host in ("one.example", "two.example"):
        for _ in range(2):
            assert f"http://{host}/" in client.get(DATA, headers={"Host": host}).headers["Link"]


def test_only_whole_good_documents_of_the_served_edition_are_kept() -> None:
    served, asked = ["first"], list[str]()

    def application(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        asked.append(environ["PATH_INFO"])
        headers = [("ETag", '"x"')] + ([("Set-Cookie", "lang=ar")] if environ.get("QUERY_STRING") else [])
        start_response("404 Not Found" if environ["PATH_INFO"] == "/no.ttl" else "200 OK", headers)
        return [environ["PATH_INFO"].encode()]

    kept = KeptDocuments(application, lambda: served[0], limit=80)

    def get(path: str, query: str = "", **more: str) -> bytes:
        environ = {"REQUEST_METHOD": "GET", "PATH_INFO": path, "QUERY_STRING": query, **more}
        return b"".join(kept(environ, lambda *_: None))

    for path in ("/a.ttl", "/a.ttl", "/no.ttl", "/no.ttl", "/search", "/search"):
        assert get(path) == path.encode()
    assert asked == ["/a.ttl", "/no.ttl", "/no.ttl", "/search", "/search"]
    get("/a.ttl", "lang=ar"), get("/a.ttl", "lang=ar"), get("/a.ttl", HTTP_RANGE="bytes=0-1")
    assert asked[5:] == ["/a.ttl"] * 3
    served[0] = "second"
    get("/a.ttl"), get("/a.ttl")
    assert asked[8:] == ["/a.ttl"]
    for number in range(20):  # the oldest give way
        get(f"/{number}.ttl")
    assert kept.size <= 80
    get("/a.ttl")
    assert asked[-1] == "/a.ttl"
