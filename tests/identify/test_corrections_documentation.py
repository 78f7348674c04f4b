"""The examples of docs/corrections.md: they load, name mentions that are read there, and persons who exist."""

from pathlib import Path
from urllib.parse import unquote

import pytest

from kg.authority import load
from kg.extract.isnad import IsnadReader
from kg.identify.corrections import Corrections
from kg.sources import open_sources
from kg.text import Words

PAGE = Path(__file__).parents[2] / "docs" / "corrections.md"


@pytest.fixture(scope="module")
def page() -> str:
    return PAGE.read_text(encoding="utf-8")


def _load(folder: Path, name: str, page: str, first: str) -> Corrections:
    """The indented block of the page that begins with ``first``, read as a file."""
    lines: list[str] = []
    for line in page.splitlines():
        if line.startswith("    " + first) or (lines and (line.startswith("    ") or not line)):
            lines.append(line[4:])
        elif lines:
            break
    (folder / name).write_text("\n".join(lines), encoding="utf-8")
    return Corrections.load(folder / name)


def test_the_examples_are_of_mentions_and_persons_that_there_are(tmp_path: Path, page: str) -> None:
    table = _load(tmp_path, "corrections.csv", page, "kind,subject,object,by,why")
    turtle = _load(tmp_path, "corrections.ttl", page, "@prefix rdf:")
    assert len(table.mentions) == 2 and len(table.rejected) == 1 and len(table.same) == 1 and len(turtle.mentions) == 1
    for corrections in (table, turtle):
        corrections.require(load().persons.__contains__)
    mentions = {*table.mentions, *table.rejected, *turtle.mentions}
    wanted = {tuple(map(unquote, mention.split("/")[1:3])) for mention in mentions}
    reader = IsnadReader()
    found = set()
    for source in (source for name in ("bukhari", "muslim") for source in open_sources(name)):
        for passage in source.passages():
            collection, _, number = passage.id.partition(":")
            if (collection, number) in wanted:
                narrators, _ = reader.read(Words(passage.text), passage)
                found |= {f"mention/{collection}/{number}/{mention.start}-{mention.end}" for mention in narrators}
    assert mentions <= found
