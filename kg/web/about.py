"""/about: what is in this edition, under which licences, and how good it is."""

import json
import re
from pathlib import Path
from typing import Any

from flask import Blueprint, Response
from werkzeug.security import safe_join

from kg.web.languages import Text
from kg.web.phrases import told
from kg.web.site import Site, site

__all__ = ["about_blueprint", "tables_of"]

SUMMARY = Path(__file__).parents[2] / "docs" / "quality.md"
QUALITY = SUMMARY.with_suffix("")
VENDOR = Path(__file__).parent / "static" / "vendor"

Table = tuple[str, list[str], list[list[str]]]


def about_blueprint() -> Blueprint:
    blueprint = Blueprint("about", __name__)

    @blueprint.get("/about")
    def about() -> Response:
        here = site()
        return here.page(
            "about.html", title=here.messages("about.title"), here="about", sources=_sources(here), software=_software(),
            summary=_summary(here), tables=_quality(here), counts=_counts(here.edition.manifest), base=here.edition.base,
        )  # fmt: skip

    @blueprint.get("/notices/<path:name>")
    def notice(name: str) -> Response:
        """A notice that a source asks to be kept, as the build copied it."""
        here = site()
        joined = safe_join(str(here.edition.folder / "notices"), name)
        if joined is None or not Path(joined).is_file():
            return here.problem(404, None)
        return Response(Path(joined).read_bytes(), content_type="text/plain; charset=utf-8")

    return blueprint


def _sources(here: Site) -> list[dict[str, Any]]:
    language = here.messages.language
    rows = []
    counted = here.edition.manifest.get("counts", {}).get("rows", {})
    for source in here.edition.manifest.get("sources", []):
        title = source.get("title", "")
        folder = here.edition.folder / "notices" / source["key"]
        licence = source.get("licence", "")
        note = source.get("licenceNote", "")
        rows.append({
            **source, "note": told(note, language) if note else None, "said": told(licence, language) if licence else None,
            "shown": title.get(language) or title.get("en", "") if isinstance(title, dict) else title,
            "licence": licence, "licence_link": licence if licence.startswith(("http://", "https://")) else None,
            "notice_files": sorted(p.name for p in folder.iterdir()) if folder.is_dir() else [],
            "rows": counted.get(source["key"]) if isinstance(counted, dict) else None,
        })  # fmt: skip
    for verses in here.edition.manifest.get("verses", []):
        rows.append({
            "key": "quran", "shown": verses["title"], "licence": verses["licence"], "licence_link": verses["licence"], "rows": None,
            "note": Text(verses["licenceNote"], "en"), "notice_files": [verses["notice"]], "republishable": True,
        })  # fmt: skip
    return rows


def _software() -> list[dict[str, Any]]:
    path = VENDOR / "licences.json"
    rows: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else []
    return rows


def _counts(manifest: dict[str, Any]) -> list[tuple[str, int]]:
    return [(name, value) for name, value in manifest.get("counts", {}).items() if isinstance(value, int)]


def _summary(here: Site) -> tuple[list[str], list[list[Text]]] | None:
    """The table of what was reached, each measure in the reader's language, where this is a checkout."""
    tables = tables_of(SUMMARY.read_text(encoding="utf-8")) if SUMMARY.is_file() else []
    if not tables:
        return None
    t = here.messages
    head = [t("about." + name) for name in ("task", "reached", "asked", "elsewhere")]
    return head, [[told(cell, t.language) for cell in row] for row in tables[0][2]]


def _quality(here: Site) -> list[tuple[str, str, list[Table]]]:
    """The quality pages, where this is a checkout: name, title, tables."""
    found: list[tuple[str, str, list[Table]]] | None = here.edition.kept.get("quality")
    if found is None:
        found = []
        for path in sorted(QUALITY.glob("*.md")):
            page = path.read_text(encoding="utf-8")
            title = page.partition("\n")[0].lstrip("# ").strip()
            if tables := tables_of(page)[:3]:
                found.append((path.stem, title, tables))
        here.edition.kept["quality"] = found
    return [(name, here.messages.get("quality." + name, title), tables) for name, title, tables in found]


def tables_of(markdown: str) -> list[Table]:
    """The tables of a Markdown page: heading above it, head, rows.

    >>> tables_of("# Isnads\\n\\n| measure | F1 |\\n|---|---|\\n| spans | 0.9 |\\n")
    [('Isnads', ['measure', 'F1'], [['spans', '0.9']])]
    """
    found: list[Table] = []
    heading = ""
    lines = markdown.splitlines()
    for number, line in enumerate(lines):
        if line.startswith("#"):
            heading = line.lstrip("#").strip()
        if re.fullmatch(r"\|?[\s:|-]+\|[\s:|-]*", line) and "-" in line and number and "|" in lines[number - 1]:
            rows = []
            for row in lines[number + 1 :]:
                if "|" not in row:
                    break
                rows.append(_cells(row))
            found.append((heading, _cells(lines[number - 1]), rows))
    return found


def _cells(line: str) -> list[str]:
    """The cells of a row without marks of Markdown; of a link the words stay."""
    plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", line.strip().strip("|"))
    return [re.sub(r"[`*]", "", cell.strip()) for cell in plain.split("|")]
