"""Servers in service: they live, are ready, tell their figures, and take up a new build without losing a request."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from machine import PATIENCE, free_port, wait_for, wait_until

from kg.web.app import create_app

sys.path.insert(0, str(Path(__file__).parent))

from swapping import add_version, fetch, point, read_over_swaps, served

DEPLOY = Path(__file__).parents[2] / "deploy"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data folder with versions 0 to 3, the first served."""
    folder = tmp_path / "kg-data"
    for number in range(4):
        add_version(folder, number)
    point(folder, "v0")
    return folder


def figures(client: FlaskClient) -> dict[str, float]:
    lines = client.get("/metrics").text.splitlines()
    return {name: float(value) for name, value in (line.rsplit(" ", 1) for line in lines if not line.startswith("#"))}


@pytest.mark.xdist_group("swaps")
def test_five_hundred_requests_over_three_builds(data: Path) -> None:
    with served(data, "--watch") as port:
        seen = read_over_swaps(data, port, 500, ["v1", "v2", "v3"])
        assert sum(seen.values()) == 500 and set(seen) == {"0", "1", "2", "3"}
        assert json.loads(fetch(port, "/readyz")[1])["version"] == "v3"


def test_without_watching_the_first_build_stays(data: Path) -> None:
    app = create_app(data, watch=False)
    point(data, "v1")
    assert b"build-0-mark" in app.test_client().get("/person/abu-bakr.ttl").data
    app.extensions["kg-close"]()


def test_a_build_that_cannot_be_opened_is_not_taken_up(data: Path) -> None:
    app = create_app(data)
    client = app.test_client()
    assert client.get("/readyz").status_code == 200
    shutil.rmtree(data / "versions" / "v1" / "store")
    point(data, "v1")
    assert b"build-0-mark" in client.get("/person/abu-bakr.ttl").data
    told = client.get("/readyz").get_json()
    assert told["version"] == "v0" and "v1 cannot be opened" in told["notTakenUp"]
    point(data, "v2")
    assert b"build-2-mark" in client.get("/person/abu-bakr.ttl").data
    assert client.get("/readyz").get_json() == {"ready": True, "version": "v2", "problems": [], "notTakenUp": ""}
    app.extensions["kg-close"]()


def test_a_server_whose_workers_are_gone_lives_but_is_not_ready(data: Path) -> None:
    app = create_app(data)
    client = app.test_client()
    assert client.get("/readyz").get_json()["ready"] is True
    app.extensions["kg-close"]()
    answer = client.get("/readyz")
    assert answer.status_code == 503 and answer.get_json()["problems"]
    assert client.get("/healthz").text == "ok\n"


def test_figures_count_what_was_asked(data: Path) -> None:
    app = create_app(data, LIMITS={"nesting": 5})
    client = app.test_client()
    for path in ("/person/abu-bakr.html", "/person/nobody.html", "/robots.txt", "/static/nothing.css"):
        client.get(path).close()
    client.get("/sparql", query_string={"query": "ASK { ?s ?p ?o }"}).close()
    client.get("/sparql", query_string={"query": "ASK " + "{ " * 9 + "}" * 9}).close()
    client.open("/", method="BREW").close()
    told = figures(client)
    assert told['silsila_requests_total{method="GET",room="resources",status="200"}'] == 1
    assert told['silsila_requests_total{method="GET",room="resources",status="404"}'] == 1
    assert told['silsila_requests_total{method="GET",room="front",status="200"}'] == 1
    assert told['silsila_requests_total{method="GET",room="static",status="404"}'] == 1
    assert told['silsila_requests_total{method="GET",room="sparql",status="400"}'] == 1
    assert any('method="other"' in name for name in told) and not any("BREW" in name for name in told)
    assert told['silsila_refused_total{limit="nesting"}'] == 1
    assert told["silsila_query_seconds_count"] == 1
    assert told["silsila_requests_running"] == 1  # the one that asks
    assert any(name.startswith("silsila_build_info{") and 'version="v0"' in name for name in told)
    point(data, "v1")
    assert any(name.startswith("silsila_build_info{") and 'version="v1"' in name for name in figures(client))
    app.extensions["kg-close"]()


def test_crawlers_are_kept_from_what_is_for_those_who_run_it(data: Path) -> None:
    app = create_app(data)
    client = app.test_client()
    for path in ("/healthz", "/readyz", "/metrics"):
        assert f"Disallow: {path}" in client.get("/robots.txt").text
        assert client.get(path).headers["X-Robots-Tag"] == "noindex"
        assert f"{path} " in (DEPLOY / "nginx.conf").read_text(encoding="utf-8"), f"the proxy lets {path} out"
    app.extensions["kg-close"]()


@pytest.mark.xdist_group("swaps")
def test_gunicorn_by_the_recipe_sums_the_figures_of_its_processes(data: Path, tmp_path: Path) -> None:
    port = free_port()
    shared = tmp_path / "metrics"
    shared.mkdir()
    environment = {
        **os.environ,
        "SILSILA_DATA": str(data),
        "SILSILA_BIND": f"127.0.0.1:{port}",
        "SILSILA_PROCESSES": "2",
        "PROMETHEUS_MULTIPROC_DIR": str(shared),
    }
    command = [
        sys.executable,
        "-m",
        "gunicorn",
        "-c",
        str(DEPLOY / "gunicorn.conf.py"),
        "serve:app",
        "--access-logfile",
        "/dev/null",
    ]
    server = subprocess.Popen(command, cwd=DEPLOY.parent, env=environment, stderr=subprocess.DEVNULL)
    try:
        wait_for(server, lambda: fetch(port, "/readyz")[0] == 200)
        for _ in range(30):
            assert fetch(port, "/person/abu-bakr.ttl")[0] == 200
        wanted = 'silsila_requests_total{method="GET",room="resources",status="200"} 30.0'
        # a request is counted when its last byte is sent
        assert wait_until(lambda: wanted in fetch(port, "/metrics")[1].decode()), fetch(port, "/metrics")[1].decode()
        (shared / "counter_1.db").touch()  # as of a process that is just making it
        status, figures = fetch(port, "/metrics")
        assert status == 200 and 'version="v0"' in figures.decode()
    finally:
        server.terminate()
        server.wait(PATIENCE)


def test_recipes_name_the_settings_that_the_program_reads() -> None:
    read = set(re.findall(r"SILSILA_[A-Z]+", (DEPLOY.parent / "serve.py").read_text(encoding="utf-8")))
    read |= set(re.findall(r"SILSILA_[A-Z]+", (DEPLOY / "gunicorn.conf.py").read_text(encoding="utf-8")))
    for path in DEPLOY.iterdir():
        named = set(re.findall(r"\b(?:SILSILA|KG)_[A-Z]+", path.read_text(encoding="utf-8")))
        assert named <= read, f"{path.name} sets {sorted(named - read)}, which nothing reads"
