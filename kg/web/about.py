"""/about: what is in this edition, under which licences, and how good it is."""

import json
import re
from pathlib import Path
from typing import Any

from flask import Blueprint, Response
from werkzeug.security import safe_join

from kg.web.site import Site, site

__all__ = ["about_blueprint", "tables_of"]

QUALITY = Path(__file__).parents[2] / "docs" / "quality"
VENDOR = Path(__file__).parent / "static" / "vendor"

Table = tuple[str, list[str], list[list[str]]]


def about_blueprint() -> Blueprint:
    blueprint = Blueprint("about", __name__)

    @blueprint.get("/about")
    def about() -> Response:
        here = site()
        return here.page(
            "about.html", title=here.messages("about.title"), here="about", sources=_sources(here), software=_software(),
            tables=_quality(here), counts=_counts(here.edition.manifest), base=here.edition.base,
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
        rows.append({
            **source, "shown": title.get(language) or title.get("en", "") if isinstance(title, dict) else title,
            "licence": licence, "licence_link": licence if licence.startswith(("http://", "https://")) else None,
            "notice_files": sorted(p.name for p in folder.iterdir()) if folder.is_dir() else [],
            "rows": counted.get(source["key"]) if isinstance(counted, dict) else None,
        })  # fmt: skip
    return rows


def _software() -> list[dict[str, Any]]:
    path = VENDOR / "licences.json"
    rows: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else []
    return rows


def _counts(manifest: dict[str, Any]) -> list[tuple[str, int]]:
    return [(name, value) for name, value in manifest.get("counts", {}).items() if isinstance(value, int)]


def _quality(here: Site) -> list[Table]:
    """The tables of the quality pages, where this is a checkout."""
    if "quality" not in here.edition.kept:
        here.edition.kept["quality"] = [
            table for path in sorted(QUALITY.glob("*.md")) for table in tables_of(path.read_text(encoding="utf-8"))[:2]
        ]
    tables: list[Table] = here.edition.kept["quality"]
    return tables


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
    return [re.sub(r"[`*]", "", cell.strip()) for cell in line.strip().strip("|").split("|")]
