"""Where texts come from: files, folders, standard input and named corpora, each a ``Source`` that streams ``Passage``."""

from pathlib import Path

from .corpora import corpus_names, corpus_sources
from .errors import OnError, SourceError, raise_error
from .files import FORMATS, file_source, files_in, standard_input
from .source import Source

__all__ = ["FORMATS", "OnError", "Source", "SourceError", "corpus_names", "open_source", "open_sources", "raise_error"]


def open_sources(name: str, input_format: str | None = None) -> list[Source]:
    """The sources that a word on the command line names: a corpus, a file, a folder, or ``-`` for standard input.

    >>> [source.key for source in open_sources("sample")]
    ['sample-bazzar', 'sample-bukhari', 'sample-nawawi']

    Raises:
        SourceError: there is no such corpus, file or folder, or no text in it.
    """
    if name == "-":
        return [standard_input(input_format)]
    path = Path(name)
    if name in corpus_names():
        return corpus_sources(name)
    if path.is_dir():
        return [file_source(file, input_format, key=None) for file in files_in(path)]
    if path.exists():
        return [file_source(path, input_format)]
    raise SourceError(name, None, f"no such file, folder or corpus: the corpora are {', '.join(corpus_names())}")


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
