"""Settings of an installation: ``kg.toml`` beside the data or where the command is run."""

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kg.tables import TableError, line_of, read_toml

__all__ = ["Config", "load_config"]

DEFAULT_BASE = "https://w3id.org/silsila/"

_SECTIONS = {"limits", "source"}
_KNOWN = {"base", "public_url", "title", "contact", "corrections", "limits", "source"}


@dataclass(frozen=True, slots=True)
class Config:
    """What an installation decides for itself.

    ``base`` is the beginning of all IRIs of things; ``public_url`` the address under which the server is reached, where it
    differs from the request's; ``contact`` is sent to services that ask who calls; ``corrections`` a file of
    corrections by scholars; ``limits`` overrides of the SPARQL service's limits; ``sources`` licences stated for files by name.
    """

    base: str = DEFAULT_BASE
    public_url: str | None = None
    title: str | None = None
    contact: str | None = None
    corrections: Path | None = None
    limits: dict[str, Any] = field(default_factory=dict)
    sources: dict[str, dict[str, Any]] = field(default_factory=dict)
    path: Path | None = None


def load_config(path: Path | None = None) -> Config:
    """The settings of ``path``, or of ``kg.toml`` in the folder where the command is run, or the defaults.

    Raises:
        TableError: the file is missing, is not TOML, or has a setting that is not known.
    """
    if path is None:
        path = Path("kg.toml")
        if not path.is_file():
            return Config()
    if not path.is_file():
        raise TableError(path, 0, "no such settings file: check the path given with --config")
    table = read_toml(path)
    for name in table:
        if name not in _KNOWN:
            raise TableError(path, line_of(path, name), f"unknown setting {name!r}: the settings are {', '.join(sorted(_KNOWN))}")
        wanted, kind = ("a section", dict) if name in _SECTIONS else ("words in quotation marks", str)
        if not isinstance(table[name], kind):
            raise TableError(path, line_of(path, name), f"{name} is {table[name]!r}: write {wanted} there (docs/commands.md)")
    for name, values in table.get("source", {}).items():
        if not isinstance(values, dict):
            line = line_of(path, "source", name)
            raise TableError(
                path, line, f"source.{name} is {values!r}: write a section [source.{name}] with title_en and the like"
            )
    base = table.get("base", DEFAULT_BASE)
    if not re.fullmatch(r"https?://[^\s<>\"{}|\\^`?#/]+/([^\s<>\"{}|\\^`?#]*/)?", base):
        raise TableError(
            path,
            line_of(path, "base"),
            f"base {base!r} is not an http(s) address that ends in a slash: write one like https://example.org/kg/",
        )
    public_url = table.get("public_url")
    if public_url is not None and not re.fullmatch(r"https?://[^\s<>\"{}|\\^`?#/]+(/[^\s<>\"{}|\\^`?#]*)?", public_url):
        line = line_of(path, "public_url")
        raise TableError(path, line, f"public_url {public_url!r} is no http(s) address: write one like https://example.org")
    corrections = table.get("corrections")
    return Config(
        base=base,
        public_url=public_url,
        title=table.get("title"),
        contact=table.get("contact"),
        corrections=path.parent / corrections if corrections else None,
        limits=dict(table.get("limits", {})),
        sources=dict(table.get("source", {})),
        path=path,
    )
