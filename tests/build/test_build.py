"""A build of the sample: what it writes, what it does not do again, what is left when it is killed."""

import gzip
import hashlib
import json
import os
import random
import signal
import subprocess
import sys
import time
import xml.sax
from pathlib import Path

import pytest
from rdflib import DCTERMS, Graph, URIRef

from kg.build.builder import build
from kg.build.folder import BuildError, DataFolder
from kg.build.processes import Helpers
from kg.collating import collate_named
from kg.graph.check import check_folder
from kg.sources import SourceError, open_sources, with_settings
from kg.web.app import create_app

ISNAD = "حدثنا مالك عن نافع عن ابن عمر قال قال رسول الله صلى الله عليه وسلم"


def hashes(folder: Path) -> dict[str, str]:
    """Of the dumps; what says how a version differs from the one before, and the list of sums that names it, are left out."""
    files = [
        path
        for path in sorted(folder.iterdir())
        if path.is_file() and not path.name.startswith(("changes.", "SHA256SUMS", "files.ttl"))
    ]
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> DataFolder:
    out = tmp_path_factory.mktemp("sample") / "kg-data"
    assert build(open_sources("sample"), out).fresh
    return DataFolder(out)


def test_a_built_folder_is_whole(sample: DataFolder) -> None:
    version = sample.current()
    manifest = json.loads((version / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["version"] == version.name
    assert manifest["counts"]["passages"] == 3
    assert [source["key"] for source in manifest["sources"]] == ["sample-bazzar", "sample-bukhari", "sample-nawawi"]
    assert {"manifest.json", "store", "dumps", "search.sqlite", "names.sqlite"} <= {path.name for path in version.iterdir()}
    assert (version / "dumps" / "SHA256SUMS").is_file()


def test_the_texts_of_the_quran_are_published_with_their_licences(sample: DataFolder) -> None:
    version = sample.current()
    assert "TANZIL" in (version / "notices" / "quran" / "tanzil.txt").read_text(encoding="utf-8").upper()
    assert "CC BY 4.0" in (version / "notices" / "quran" / "quran-text.txt").read_text(encoding="utf-8")
    client = create_app(sample.path).test_client()
    about = client.get("/about").text
    assert "tanzil.txt" in about and "quran-text.txt" in about
    assert "Tanzil Project" in client.get("/notices/quran/tanzil.txt").text
    for address in ("/verse/9/40.html", "/sura/9.html"):
        page = client.get(address).text
        assert "creativecommons.org/licenses/by/4.0" in page and "pypi.org/project/quran-text" in page, address
    said = Graph().parse(data=client.get("/verse/9/40.ttl").text, format="turtle")
    verse = URIRef("https://w3id.org/silsila/verse/9/40")
    assert said.value(verse, DCTERMS.license) == URIRef("https://creativecommons.org/licenses/by/4.0/")
    assert said.value(verse, DCTERMS.source) == URIRef("https://pypi.org/project/quran-text/")
    with gzip.open(version / "dumps" / "description.nq.gz", "rt", encoding="utf-8") as lines:
        described = [line for line in lines if "/graph/quran> " in line.split(" ", 1)[0] + " "]
    assert any("license> <https://creativecommons.org/licenses/by/4.0/>" in line for line in described)
    assert any("Tanzil" in line and "rights>" in line for line in described)


def test_a_biographical_dictionary_gives_persons_with_the_teachers_it_lists(tmp_path: Path) -> None:
    """Known ones gain what it lists; others become persons. One that does not say what it is, is told to be by kg.toml."""
    lives = tmp_path / "0676Nawawi.TahdhibAsma.JK001320-ara1"
    lives.write_text(
        "######OpenITI#\n#META#Header#End#\n"
        "# 1 - عامر بن طارق الصحابي رضي الله عنه هو أبو يحيى عامر بن طارق بن زيد الأنصاري روى عنه ابن عمر وأنس بن مالك\n"
        "# 2 - قتيبة بن سعيد تكرر هو أبو رجاء قتيبة بن سعيد بن جميل سمع مالك بن أنس والليث بن سعد توفى سنة أربعين ومائتين\n",
        encoding="utf-8",
    )
    sources = open_sources(str(lives))
    assert not sources[0].dictionary
    told = with_settings(sources, {sources[0].key: {"dictionary": True}})
    assert told[0].dictionary and told[0].fingerprint() != sources[0].fingerprint()
    build(told, tmp_path / "out")
    with gzip.open(DataFolder(tmp_path / "out").current() / "dumps" / "authority.nq.gz", "rt", encoding="utf-8") as lines:
        text = lines.read()
    listed = "<https://w3id.org/silsila/ontology#listedTeacher>"
    assert f"person/qutayba-b-said> {listed} <https://w3id.org/silsila/person/malik-b-anas>" in text
    assert "<https://w3id.org/silsila/person/tahdhib-asma-1> <http://www.w3.org/2000/01/rdf-schema#label>" in text


def test_nothing_is_done_twice(sample: DataFolder) -> None:
    before = sample.current().stat().st_mtime_ns
    assert not build(open_sources("sample"), sample.path).fresh
    assert sample.current().stat().st_mtime_ns == before


def test_the_same_input_gives_the_same_bytes(sample: DataFolder, tmp_path: Path) -> None:
    build(open_sources("sample"), tmp_path / "again", workers=2)
    again = DataFolder(tmp_path / "again").current()
    assert hashes(again / "dumps") == hashes(sample.current() / "dumps")
    assert again.name == sample.current().name


def test_records_of_an_unchanged_source_are_not_read_again(tmp_path: Path) -> None:
    texts = tmp_path / "texts"
    texts.mkdir()
    (texts / "a.txt").write_text(ISNAD, encoding="utf-8")
    (texts / "b.txt").write_text(ISNAD, encoding="utf-8")
    out = tmp_path / "out"
    build(open_sources(str(texts)), out)
    kept = {path.name: path.stat().st_mtime_ns for path in (out / "cache").glob("*.records")}
    (texts / "b.txt").write_text(ISNAD + " لا صلاة", encoding="utf-8")
    assert build(open_sources(str(texts)), out).fresh
    now = {path.name: path.stat().st_mtime_ns for path in (out / "cache").glob("*.records")}
    assert len(kept) == len(now) == 2
    same = set(kept.items()) & set(now.items())
    assert [name for name, _ in same] == [name for name in now if name.startswith("a.")]


def test_what_cannot_be_read_is_left_out_where_asked_and_told(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text(json.dumps({"id": "r:1", "text": ISNAD}) + "\n{broken\n", encoding="utf-8")
    with pytest.raises(SourceError, match=r"rows\.jsonl:2"):
        build(open_sources(str(path)), tmp_path / "strict")
    assert DataFolder(tmp_path / "strict").current_version() is None
    built = build(open_sources(str(path)), tmp_path / "lenient", keep_going=True)
    assert [error.line for error in built.skipped] == [2]
    assert built.counts["passages"] == 1


def test_ids_as_people_write_them_give_a_graph_without_faults_and_lose_no_row(tmp_path: Path) -> None:
    ids = [
        "a/b",
        "a b",
        "50%",
        "باب:١",
        "q\"uo'te\\",
        "new\nline",
        "x" * 5000,
        "<s>",
        "..",
        "x:",
        ":x",
        "\x00",
        "e\u0301",
        "javascript:alert(1)",
    ]
    rows = (json.dumps({"id": name, "text": f"<b>{ISNAD}\x07\ufffe"}) for name in (*ids, "1"))
    (tmp_path / "a.jsonl").write_text("\n".join(rows), encoding="utf-8")
    (tmp_path / "b.csv").write_text(f"id,text\n1,{ISNAD} لا صلاة\n", encoding="utf-8")
    sources = [*open_sources(str(tmp_path / "a.jsonl")), *open_sources(str(tmp_path / "b.csv"))]
    out = tmp_path / "out"
    built = build(sources, out)
    assert built.counts["rows"] == {"a": len(ids) + 1, "b": 1}
    assert [str(finding) for finding in check_folder(built.version)] == []
    with gzip.open(built.version / "dumps" / "silsila.rdf.gz") as dumped:
        xml.sax.parse(dumped, xml.sax.ContentHandler())
    # A licence stated later is another version: what may go out has changed.
    stated = with_settings(sources, {"b": {"republishable": True}})
    again = build(stated, out)
    assert again.fresh
    assert [source["republishable"] for source in json.loads((again.version / "manifest.json").read_text())["sources"]] == [
        False,
        True,
    ]
    with pytest.raises(BuildError, match="may not be republished"):
        collate_named(["a:a/b", "b:1"], out)
    with pytest.raises(BuildError, match="no such passage"):
        collate_named(["a<b:1", "b:1"], out)


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(BuildError, match="--out"):
        build(open_sources("sample"), tmp_path / "file" / "out")


def test_two_sources_of_one_name_are_told(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "a.txt").write_text(ISNAD, encoding="utf-8")
    with pytest.raises(SourceError, match=r"two/a\.txt: has the name of .*one/a\.txt"):
        build(open_sources(str(tmp_path)), tmp_path / "out")
    built = build(open_sources(str(tmp_path)), tmp_path / "out", keep_going=True)
    assert [str(tmp_path / "two" / "a.txt") in str(error) for error in built.skipped] == [True]


@pytest.mark.xdist_group("kills")
def test_killed_at_any_moment_the_old_version_is_served_and_the_next_build_is_whole(sample: DataFolder, tmp_path: Path) -> None:
    out = tmp_path / "out"
    build(open_sources("sample-bazzar"), out)
    old = DataFolder(out).current_version()
    code = (
        "import sys; from pathlib import Path; from kg.build.builder import build; from kg.sources import open_sources;"
        "build(open_sources('sample'), Path(sys.argv[1]))"
    )
    chance = random.Random(1)
    for _ in range(5):
        started = subprocess.Popen([sys.executable, "-c", code, str(out)], start_new_session=True)
        time.sleep(chance.uniform(0.2, 4))
        os.killpg(started.pid, signal.SIGKILL)
        started.wait()
        current = DataFolder(out).current()
        assert (current / "manifest.json").is_file() and (current / "store" / "CURRENT").is_file()
        if current.name != old:
            break
    build(open_sources("sample"), out)
    assert hashes(DataFolder(out).current() / "dumps") == hashes(sample.current() / "dumps")


def _interrupted() -> str:
    return signal.getsignal(signal.SIGINT).name if isinstance(signal.getsignal(signal.SIGINT), signal.Handlers) else "other"


def test_an_interrupt_is_for_the_process_that_builds_not_for_its_helpers() -> None:
    with Helpers(1) as helpers:
        assert helpers.submit(_interrupted).result() == "SIG_IGN"
