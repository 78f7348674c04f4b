"""A headless Chromium over a served small graph; skipped plainly where Chromium or its driver is absent."""

import importlib.util
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from machine import PATIENCE, free_port

ROOT = Path(__file__).parents[2]
SCREENSHOTS = ROOT / "test-screenshots"
OPTIONS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",  # a container may have little of it
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--force-prefers-reduced-motion",
)


def _small_graph():
    path = ROOT / "tests" / "web" / "pages" / "small_graph.py"
    spec = importlib.util.spec_from_file_location("small_graph", path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server that runs as long as the tests."""
    from kg.web.app import create_app
    from kg.web.server import gate_of, running

    app = create_app(_small_graph().build(tmp_path_factory.mktemp("served")))
    with running(gate_of(app)) as port:
        yield f"http://127.0.0.1:{port}"
    app.extensions["kg-close"]()


@pytest.fixture(scope="session")
def browser() -> Iterator[object]:
    """Chromium by Debian's driver, with an empty profile."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    driver = shutil.which("chromedriver")
    if not chromium or not driver:
        pytest.skip("chromium or chromedriver is not installed: apt-get install chromium chromium-driver")
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    profile = tempfile.mkdtemp(prefix="silsila-browser-")
    for option in (*OPTIONS, f"--user-data-dir={profile}"):
        options.add_argument(option)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    browser = webdriver.Chrome(options=options, service=Service(driver, port=free_port()))
    browser.set_page_load_timeout(PATIENCE)
    browser.set_script_timeout(PATIENCE)
    browser.implicitly_wait(PATIENCE)
    yield browser
    browser.quit()
    shutil.rmtree(profile, ignore_errors=True)


@pytest.fixture(scope="session")
def axe() -> str:
    """The text of axe-core, where ``python -m kg.web.assets --with-tests`` has put it."""
    path = ROOT / "node_modules" / "axe-core" / "axe.min.js"
    if not path.exists():
        pytest.skip("axe-core is not installed: python -m kg.web.assets --with-tests")
    return path.read_text(encoding="utf-8")
