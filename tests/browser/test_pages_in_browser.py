"""Every page in both languages, narrow and wide: no overflow, no console message, WCAG 2.2 AA by axe; screenshots are kept."""

import base64
import re
from pathlib import Path
from typing import Any

import pytest
from machine import PATIENCE

SCREENSHOTS = Path(__file__).parents[2] / "test-screenshots"
QUERY = (
    "SELECT%20%3Fperson%20%3Fyear%20WHERE%20%7B%20%3Fperson%20%3Chttps%3A%2F%2Fw3id.org%2Fsilsila%2Fontology%23deathYearAHEarliest%3E"
    "%20%3Fyear%20%7D%20LIMIT%2020"
)
PAGES = {
    "home": "/",
    "hadith": "/hadith/bukhari/3661.html",
    "translation": "/hadith/own/1.html",
    "person": "/person/zayd-b-waqid.html",
    "isnad": "/isnad/bukhari/3661/1.html",
    "event": "/event/quarrel-of-abu-bakr-and-umar.html",
    "place": "/place/medina.html",
    "verse": "/verse/9/40.html",
    "sura": "/sura/9.html",
    "work": "/work/sahih-al-bukhari.html",
    "book": "/book/sahih-al-bukhari/62.html",
    "parallel": "/parallel/quarrel.html",
    "differences": "/parallel/quarrel.html?first=bukhari/4640&only=differences",
    "bundle": "/person/busr-b-ubayd-allah.html?report=quarrel",
    "term": "/term/haddathana.html",
    "works": "/works",
    "persons": "/persons",
    "events": "/events",
    "places": "/places",
    "quran": "/quran",
    "search": "/search?q=%D8%A3%D8%A8%D9%88%20%D8%A8%D9%83%D8%B1",
    "query": "/query",
    "answer": f"/sparql?query={QUERY}",
    "ontology": "/ontology",
    "dumps": "/dumps/",
    "about": "/about",
    "limits": "/limits",
    "missing": "/nothing",
}
COLOURFUL = ("home", "hadith", "person", "event", "verse", "parallel", "query", "answer")
"""Pages looked at in the dark as well."""
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


def size(browser: Any, width: int, height: int = 900) -> None:
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride", {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
    )


def keep(browser: Any, name: str) -> None:
    """A screenshot of the whole page, up to 5,000 pixels."""
    SCREENSHOTS.mkdir(exist_ok=True)
    width, height = browser.execute_script("return [innerWidth, Math.min(document.documentElement.scrollHeight, 5000)]")
    shot = browser.execute_cdp_cmd(
        "Page.captureScreenshot",
        {"captureBeyondViewport": True, "clip": {"x": 0, "y": 0, "width": width, "height": height, "scale": 1}},
    )
    (SCREENSHOTS / f"{name}.png").write_bytes(base64.b64decode(shot["data"]))


def messages(browser: Any) -> list[str]:
    """What the console said, but for the status of the page that is meant to be missing, and what the browser says of its own pages or of a
    slow machine."""
    said = [entry["message"] for entry in browser.get_log("browser")]
    return [
        line
        for line in said
        if not re.search(r"/nothing\S* - Failed to load resource.*404|^chrome://|Slow network is detected", line)
    ]


def open_page(browser: Any, address: str, name: str, language: str) -> None:
    path = PAGES[name]
    browser.get(f"{address}{path}{'&' if '?' in path else '?'}lang={language}")


def violations(browser: Any, axe: str) -> list[str]:
    """What axe finds in the page as it stands, everything that can be opened being open."""
    browser.execute_script("for (const d of document.querySelectorAll('details')) d.open = true")
    browser.execute_script(axe)
    result = browser.execute_async_script(
        "const done = arguments[arguments.length - 1];"
        " axe.run(document, {runOnly: arguments[0], resultTypes: ['violations']}).then(done, e => done({error: String(e)}))",
        TAGS,
    )
    assert "error" not in result
    return [
        f"{v['id']}: {v['nodes'][0]['html'][:200]} {v['nodes'][0].get('failureSummary', '')[:300]}" for v in result["violations"]
    ]


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("language", ["ar", "en"])
@pytest.mark.parametrize("name", PAGES)
def test_a_page_fits_and_is_quiet(browser: Any, address: str, name: str, language: str, width: int) -> None:
    size(browser, width)
    open_page(browser, address, name, language)
    assert browser.find_element("tag name", "html").get_attribute("dir") == {"ar": "rtl", "en": "ltr"}[language]
    keep(browser, f"{name}-{language}-{width}")
    assert browser.execute_script("return document.documentElement.scrollWidth") <= width
    assert messages(browser) == []


@pytest.mark.parametrize(
    ("name", "language", "scheme"),
    [(name, language, "light") for name in PAGES for language in ("ar", "en")] + [(name, "ar", "dark") for name in COLOURFUL],
)
def test_axe_finds_nothing(browser: Any, address: str, axe: str, name: str, language: str, scheme: str) -> None:
    size(browser, 390 if language == "en" else 1280)
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
    open_page(browser, address, name, language)
    if scheme == "dark":
        keep(browser, f"{name}-{language}-dark")
    assert violations(browser, axe) == []
    messages(browser)


def test_the_keyboard_reaches_marks_and_shows_why(browser: Any, address: str) -> None:
    size(browser, 1280)
    browser.get(f"{address}/hadith/bukhari/3661.html?lang=en")
    browser.execute_script("document.querySelector('a.mark.narrator').focus()")
    card = browser.find_element("id", "note-card")
    assert card.is_displayed() and "97%" in card.text and "name and teacher agree" in card.text
    browser.execute_script("document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {key: 'Escape', bubbles: true}))")
    assert not card.is_displayed()


def test_pictures_zoom_and_tables_sort(browser: Any, address: str) -> None:
    size(browser, 1280)
    browser.get(f"{address}/hadith/bukhari/3661.html?lang=en")
    before = browser.execute_script("return document.querySelector('.isnad-picture').getBoundingClientRect().width")
    browser.find_element("xpath", "//button[text()='Larger']").click()
    assert browser.execute_script("return document.querySelector('.isnad-picture').getBoundingClientRect().width") > before
    browser.get(f"{address}/person/abu-al-darda.html?lang=en")
    head = browser.find_element("css selector", "table.relations th button")
    head.click()
    assert browser.find_element("css selector", "table.relations th").get_attribute("aria-sort") == "ascending"


def test_the_editor_sends_what_it_shows(browser: Any, address: str) -> None:
    size(browser, 1280)
    browser.get(f"{address}/query?lang=en&query=ASK%7B%7D")
    browser.find_element("css selector", ".query-form button").click()
    assert "Yes" in browser.find_element("css selector", ".answer").text
    assert "ASK{}" in browser.find_element("id", "sparql").get_attribute("value")


def test_completion_offers_names(browser: Any, address: str) -> None:
    from selenium.webdriver.support.ui import WebDriverWait

    size(browser, 1280)
    browser.get(f"{address}/?lang=ar")
    browser.find_element("id", "site-q").send_keys("ابو الدر")
    WebDriverWait(browser, PATIENCE).until(
        lambda b: b.execute_script("return document.querySelectorAll('#completions option').length")
    )


@pytest.mark.parametrize(
    "path",
    [
        "/person/x-hostile.html",
        "/hadith/hostile/%3Cscript%3Ealert%281%29%3C%2Fscript%3E.html",
        "/search?q=%22%3E%3Cimg%20src%3Dx%20onerror%3Dalert(9)%3E",
        "/query?query=%3C/textarea%3E%3Cscript%3Ealert(9)%3C/script%3E",
        "/sparql?query=SELECT%20%3C/textarea%3E%3Cscript%3Ealert(9)%3C/script%3E",
        "/sparql?query=SELECT%20%2A%20WHERE%20%7B%20%3Chttps%3A%2F%2Fw3id.org%2Fsilsila%2Fperson%2Fx-hostile%3E%20%3Fp%20%3Fo%20%7D",
        "/%3Cscript%3Ealert(9)%3C/script%3E",
    ],
)
def test_nothing_hostile_runs(browser: Any, address: str, path: str) -> None:
    from selenium.common.exceptions import NoAlertPresentException

    size(browser, 1280)
    browser.get(address + path)
    browser.execute_script("for (const m of document.querySelectorAll('[data-note]')) m.dispatchEvent(new Event('focus'))")
    with pytest.raises(NoAlertPresentException):
        browser.switch_to.alert.accept()
    assert not [line for line in messages(browser) if "Content Security Policy" in line]
    assert (
        browser.execute_script('return document.querySelectorAll(\'a[href^="javascript"], a[href^="data:"], main img\').length')
        == 0
    )


def test_pages_without_scripts_are_whole(browser: Any, address: str) -> None:
    size(browser, 1280)
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        browser.get(f"{address}/hadith/bukhari/3661.html?lang=en")
        assert len(browser.find_elements("css selector", ".chain > li")) == 6
        assert browser.find_elements("css selector", ".isnad-picture")
    finally:
        browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
