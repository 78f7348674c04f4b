"""/dumps/: the whole graph and each source as files, with checksums, by version, in ranges."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from flask import Blueprint, Response, request, send_file
from werkzeug.security import safe_join

from kg.web.edition import Edition
from kg.web.site import Site, site

__all__ = ["Dump", "checksums", "dumps_blueprint"]

TYPES = {
    ".nq": "application/n-quads", ".ttl": "text/turtle", ".nt": "application/n-triples", ".trig": "application/trig",
    ".jsonld": "application/ld+json", ".rdf": "application/rdf+xml", ".gz": "application/gzip", ".zst": "application/zstd",
    ".json": "application/json",
}  # fmt: skip
FORMATS = {"nq": "N-Quads", "ttl": "Turtle", "trig": "TriG", "nt": "N-Triples", "jsonld": "JSON-LD", "rdf": "RDF/XML"}
PACKED = ("gz", "zst")
SUMS = "SHA256SUMS"


@dataclass(frozen=True, slots=True)
class Dump:
    """A file of the dumps: its name, size in bytes, and SHA-256."""

    name: str
    size: int
    sha256: str

    @property
    def shown_size(self) -> str:
        size = float(self.size)
        for unit in ("B", "kB", "MB"):
            if size < 1000:
                return f"{size:.0f} {unit}" if unit == "B" else f"{size:.1f} {unit}"
            size /= 1000
        return f"{size:.1f} GB"


def checksums(folder: Path) -> dict[str, str]:
    """The SHA-256 of each file, as the build wrote them down."""
    path = folder / SUMS
    if not path.exists():
        return {}
    pairs = (line.split(maxsplit=1) for line in path.read_text(encoding="utf-8").splitlines() if line.strip())
    return {name.strip().lstrip("*"): digest for digest, name in pairs}


def _files(folder: Path) -> list[Dump]:
    if not folder.is_dir():
        return []
    sums = checksums(folder)
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return [Dump(name := path.relative_to(folder).as_posix(), path.stat().st_size, sums.get(name, "")) for path in paths]


def _versions(edition: Edition) -> list[tuple[str, Path]]:
    """The versions that are kept, the served one first."""
    beside = [
        path
        for path in edition.folder.parent.iterdir()
        if path.is_dir() and (path / "dumps").is_dir() and not path.name.startswith(".")
    ]
    beside.sort(key=lambda path: (path.name != edition.name, -path.stat().st_mtime))
    return [(path.name, path) for path in beside]


def dumps_blueprint() -> Blueprint:
    blueprint = Blueprint("dumps", __name__)

    @blueprint.get("/dumps/")
    def listing() -> Response:
        here = site()
        return _page(here, here.edition.folder, "")

    @blueprint.get("/dumps/<path:name>")
    def file(name: str) -> Response:
        here = site()
        versions = dict(_versions(here.edition))
        version, _, rest = name.partition("/")
        if version in versions:
            return _send(here, versions[version] / "dumps", rest) if rest else _page(here, versions[version], version + "/")
        return _send(here, here.edition.dumps, name)

    return blueprint


def _send(here: Site, folder: Path, name: str) -> Response:
    """A file or a range of it; its checksum is its tag."""
    joined = safe_join(str(folder), name)
    path = Path(joined) if joined else None
    if path is None or not path.is_file():
        return here.problem(404, None)
    digest = checksums(folder).get(name)
    size = path.stat().st_size
    if request.range is not None and request.range.range_for_length(size) is None:
        return Response(status=416, headers={"Content-Range": f"bytes */{size}"})
    if digest and digest in request.if_none_match:
        return Response(status=304, headers={"ETag": f'"{digest}"'})
    response = send_file(path, mimetype=TYPES.get(path.suffix, "text/plain"), conditional=True, etag=digest or True, max_age=3600)
    response.headers["Accept-Ranges"] = "bytes"
    response.headers["Access-Control-Allow-Origin"] = "*"
    if digest:
        response.headers["Repr-Digest"] = f"sha-256=:{_base64(digest)}:"
    return response


def _base64(digest: str) -> str:
    from base64 import b64encode

    return b64encode(bytes.fromhex(digest)).decode()


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the graph with its files: ``cells`` has one list of files a format."""

    title: str
    cells: list[list[Dump]]


def _parts(here: Site, files: list[Dump], manifest: dict[str, Any]) -> tuple[list[str], list[Part], list[Dump]]:
    """The files as a table: formats, a row for the whole, each source and each other part, and what is no part."""
    by_part: dict[str, dict[str, list[Dump]]] = {}
    rest = []
    for file in files:
        pieces = file.name.split(".")
        if len(pieces) == 3 and pieces[1] in FORMATS and pieces[2] in PACKED and "/" not in file.name:
            by_part.setdefault(pieces[0], {}).setdefault(pieces[1], []).append(file)
        else:
            rest.append(file)
    formats = [name for name in FORMATS if any(name in cells for cells in by_part.values())]
    titles = {
        f"source-{source['key']}": _title(source.get("title"), here.messages.language) or source["key"]
        for source in manifest.get("sources", [])
    }
    named = {name: titles.get(name) or here.messages.get("dumps.part_" + name, name) for name in by_part}
    order = sorted(by_part, key=lambda name: (name != "silsila", name not in titles, name))
    parts = [Part(named[name], [by_part[name].get(format, []) for format in formats]) for name in order]
    return [FORMATS[name] for name in formats], parts, rest


def _title(title: Any, language: str) -> str:
    return str(title.get(language) or title.get("en") or "") if isinstance(title, dict) else str(title or "")


def _page(here: Site, version: Path, prefix: str) -> Response:
    others = [(name, path) for name, path in _versions(here.edition) if path != version]
    formats, parts, rest = _parts(here, _files(version / "dumps"), _manifest(version))
    return here.page(
        "dumps.html", title=here.messages("dumps.title"), formats=formats, parts=parts, rest=rest, prefix=prefix, version=version.name,
        others=[name for name, _ in others], changes=_changes(version, others[0][1]) if others and not prefix else [],
    )  # fmt: skip


def _changes(now: Path, before: Path) -> list[tuple[str, int, int]]:
    """Named graphs whose number of statements differs between two versions."""
    here, there = (_graphs(folder) for folder in (now, before))
    return [
        (name, there.get(name, 0), here.get(name, 0)) for name in sorted({*here, *there}) if here.get(name) != there.get(name)
    ]


def _manifest(folder: Path) -> dict[str, Any]:
    path = folder / "manifest.json"
    manifest: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return manifest


def _graphs(folder: Path) -> dict[str, int]:
    graphs = _manifest(folder).get("counts", {}).get("graphs", {})
    return graphs if isinstance(graphs, dict) else {}
