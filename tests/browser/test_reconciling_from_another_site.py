"""A page of another site reconciles in a real browser: as OpenRefine's does (CORS, JSONP, previews in a frame) and as clients of 1.0-draft do."""

import re
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest


@pytest.fixture(scope="module")
def elsewhere() -> Iterator[str]:
    """The address of an empty page on another host and port."""

    class Empty(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = b"<!DOCTYPE html><title>a table of names</title><main></main>"
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:
            """Nothing is logged."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Empty)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://localhost:{server.server_address[1]}/"
    server.shutdown()
    server.server_close()


CLIENT = """
const [service, done] = [arguments[0], arguments[arguments.length - 1]];
const json = async (address, options) => (await fetch(address, options)).json();
const jsonp = (address) => new Promise((resolve, reject) => {
  globalThis.answered = resolve;
  document.head.append(Object.assign(document.createElement("script"), { src: address + "&callback=answered", onerror: reject }));
});
(async () => {
  const manifest = await json(service);
  const form = (fields) => ({ method: "POST", body: new URLSearchParams(fields) });
  const batch = await json(service, form({ queries: JSON.stringify({
    q0: { query: "هشامُ بنُ عمار", type: "Person", limit: 3 },
    q1: { query: "Aboo Dardaa", properties: [{ pid: "deathYearAH", v: 32 }] } }) }));
  const entity = manifest.suggest.entity;
  const suggested = await jsonp(entity.service_url + entity.service_path + "?prefix=" + encodeURIComponent("ابو الدر"));
  const flyout = await jsonp(entity.flyout_service_url + entity.flyout_service_path.replace("${id}", suggested.result[0].id));
  const extended = await json(service, form({ extend: JSON.stringify({
    ids: [batch.q0.result[0].id], properties: [{ id: "deathYearAH" }] }) }));
  const frame = Object.assign(document.createElement("iframe"), {
    src: manifest.preview.url.replace("{{id}}", batch.q0.result[0].id), width: manifest.preview.width, height: manifest.preview.height });
  await new Promise((resolve) => { frame.onload = resolve; document.querySelector("main").append(frame); });
  const draft = await json(service + "/match", { method: "POST", headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ queries: [{ type: "Person", conditions: [{ matchType: "name", propertyValue: "Zayd ibn Waqid" }] }] }) });
  done({ first: batch.q0.result[0], second: batch.q1.result[0], suggested: suggested.result[0], flyout, extended,
    draft: draft.results[0].candidates[0] });
})().catch((error) => done({ error: String(error) }));
"""


def test_a_table_is_reconciled_from_another_site(browser: Any, address: str, elsewhere: str) -> None:
    browser.get_log("browser")
    browser.get(elsewhere)
    told = browser.execute_async_script(CLIENT, address + "/reconcile")
    assert "error" not in told, told
    assert (told["first"]["id"], told["first"]["match"]) == ("person/hisham-b-ammar", True)
    assert told["second"]["id"] == told["suggested"]["id"] == "person/abu-al-darda"
    assert "Darda" in told["flyout"]["html"] or "الدرداء" in told["flyout"]["html"]
    assert told["extended"]["rows"]["person/hisham-b-ammar"]["deathYearAH"] == [{"int": 245}]
    assert (told["draft"]["id"], told["draft"]["lang"] in ("en", "ar")) == ("person/zayd-b-waqid", True)
    browser.switch_to.frame(browser.find_element("tag name", "iframe"))
    assert browser.find_element("tag name", "h1").text
    browser.switch_to.default_content()
    said = [entry["message"] for entry in browser.get_log("browser")]
    assert [line for line in said if not re.search(r"favicon|^chrome://|Slow network is detected", line)] == []
