"""Where texts come from: files, folders, standard input and named corpora, each a ``Source`` that streams ``Passage``."""

import dataclasses
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from kg.tables import line_of

from .corpora import corpus_names, corpus_sources
from .errors import OnError, SourceError, raise_error
from .files import FORMATS, file_source, files_in, standard_input
from .source import Source

__all__ = [
    "FORMATS",
    "OnError",
    "Source",
    "SourceError",
    "corpus_names",
    "open_source",
    "open_sources",
    "raise_error",
    "with_settings",
]


def open_sources(name: str, input_format: str | None = None, on_error: OnError | None = None) -> list[Source]:
    """The sources that a word on the command line names: a corpus, a file, a folder, or ``-`` for standard input.

    >>> [source.key for source in open_sources("sample")]
    ['sample-bazzar', 'sample-bukhari', 'sample-nawawi']

    With ``on_error`` a file of a folder that cannot be opened is reported and left out.

    Raises:
        SourceError: there is no such corpus, file or folder, or no text in it.
    """
    if name == "-":
        return [standard_input(input_format)]
    path = Path(name)
    if name in corpus_names():
        return corpus_sources(name)
    if path.is_dir():
        return _folder_sources(path, input_format, on_error or raise_error)
    if path.exists():
        return [file_source(path, input_format)]
    raise SourceError(name, None, f"no such file, folder or corpus: the corpora are {', '.join(corpus_names())}")


def _folder_sources(folder: Path, input_format: str | None, on_error: OnError) -> list[Source]:
    sources = []
    for file in files_in(folder):
        try:
            sources.append(file_source(file, input_format))
        except SourceError as error:
            on_error(error)
    return sources


_WORDS, _YES_OR_NO = "words in quotation marks", "true or false"
_SETTINGS = {
    **dict.fromkeys(("title_ar", "title_en", "licence_note"), _WORDS),
    "licence": "the address of a licence without spaces, or its words, in quotation marks",
    **dict.fromkeys(("republishable", "translation_republishable", "join_pages", "dictionary"), _YES_OR_NO),
    "work": 'the key of a work, such as "work/muwatta"',
    "kind": '"hadith" or "passage"',
    "collection": "a name without a colon, in quotation marks",
}
_PATTERNS = {
    "licence": r"""(?!https?://).*|https?://[^\s<>"{}|\\^`]+""",
    "work": r"work/[^\s/]+",
    "kind": "hadith|passage",
    "collection": "[^:]+",
}


def _fits(setting: str, value: object) -> bool:
    if _SETTINGS[setting] == _YES_OR_NO:
        return isinstance(value, bool)
    return isinstance(value, str) and bool(re.fullmatch(_PATTERNS.get(setting, ".*"), value, re.DOTALL))


def with_settings(sources: list[Source], settings: Mapping[str, Mapping[str, Any]], path: Path | None = None) -> list[Source]:
    """The sources with what ``kg.toml`` (at ``path``) states of them under ``[source.KEY]``: title, licence, republishable, work, kind.

    Raises:
        SourceError: a setting is not one of these, by name.
    """
    named = {source.key: source for source in sources}
    for key, values in settings.items():
        for setting, value in values.items():
            if setting not in _SETTINGS:
                wrong = f"has the unknown setting {setting!r}: the settings are {', '.join(sorted(_SETTINGS))}"
            elif not _fits(setting, value):
                wrong = f"has {setting} = {value!r}: write {_SETTINGS[setting]}"
            else:
                continue
            line = line_of(path, "source", key, setting) if path else 0
            raise SourceError(str(path or "kg.toml"), line or None, f"[source.{key}] {wrong}")
        if key in named:
            named[key] = dataclasses.replace(named[key], **values)
    return list(named.values()) if len(named) == len(sources) else sources


def open_source(name: str, input_format: str | None = None) -> Source:
    """The one source of that name, for programs.

    >>> next(open_source("sample-bukhari").passages()).id
    'bukhari:3661'

    Raises:
        SourceError: there is none, or there are several.
    """
    sources = open_sources(name, input_format)
    if len(sources) != 1:
        raise SourceError(name, None, f"{len(sources)} sources under this name: {', '.join(source.key for source in sources)}")
    return sources[0]
