"""Sources that are files: plain text, JSON Lines, JSON, CSV, OpenITI mARkdown, a folder of them, standard input."""

import atexit
import os
import re
import sys
import tempfile
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from kg.text import Passage

from .errors import OnError, Reports, SourceError
from .lines import lines, opened, sniff
from .markdown import is_markdown, sections
from .page_ends import closes_at_page_ends, joined
from .plain import language_of, paragraphs
from .rows import Row, csv_rows, json_array, json_rows
from .source import Source

__all__ = ["FORMATS", "file_source", "files_in", "guess_format", "read_text_file"]

FORMATS = ("text", "jsonl", "json", "csv", "openiti")
_ENDINGS = {
    ".txt": "text",
    ".text": "text",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "json",
    ".csv": "csv",
    ".tsv": "csv",
    ".markdown": "openiti",
    ".completed": "openiti",
    ".inprogress": "openiti",
}
_OPENITI_NAME = re.compile(r"\d{4}[A-Z]\w+\.\w+\.\w+-(?:ara|per)\d+")
_STATES = (".inprogress", ".completed", ".markdown")
_BIOGRAPHICAL = re.compile(r"^(?:### \$|######OpenITI#BIOGRAPHY#|#META#.*BookSUBJ\s*::.*(?:تراجم|طبقات|رجال|رواة))", re.MULTILINE)


def guess_format(name: str, beginning: str) -> str:
    """The format of a file by what it begins with, then by its name.

    >>> guess_format("a.txt", '{"id": "1", "text": "عن أنس"}'), guess_format("b", "عن أنس")
    ('jsonl', 'text')
    """
    if is_markdown(beginning) or _OPENITI_NAME.match(name):
        return "openiti"
    by_name = _ENDINGS.get(Path(name).suffix.lower())
    if by_name and by_name != "text":
        return by_name
    first = beginning.lstrip("\ufeff \t\r\n")
    if first.startswith("{"):
        return "jsonl"
    if re.match(r"\[\s*\{", first):
        return "json"
    return by_name or "text"


def files_in(folder: Path) -> list[Path]:
    """The texts of a folder and its folders, sorted by path; hidden files and metadata (``.yml``, ``.md``) are left out, and of an
    OpenITI text in several states of correction all but the last (``.mARkdown``, else ``.completed``, else ``.inProgress``).

    Raises:
        SourceError: there is none.
    """
    found = sorted(
        path
        for path in folder.rglob("*")
        if not any(part.startswith(".") for part in path.relative_to(folder).parts)
        and (path.suffix.lower() in _ENDINGS or _OPENITI_NAME.match(path.name))
        and path.suffix.lower() != ".yml"
        and (os.path.isfile(path) or _leads_nowhere(path))  # Path.is_file raises where a folder on the way may not be entered
    )
    if not found:
        raise SourceError(
            str(folder), None, f"no texts in this folder: put files there that end in {', '.join(sorted(_ENDINGS))}"
        )
    names = {str(path).lower() for path in found}
    return [path for path in found if names.isdisjoint(_corrected(path))]


def _corrected(path: Path) -> list[str]:
    """What an OpenITI text that has been corrected further than this one would be called."""
    if not _OPENITI_NAME.match(path.name):
        return []
    ending = path.suffix.lower()
    text, later = (path.with_suffix(""), _STATES[_STATES.index(ending) + 1 :]) if ending in _STATES else (path, _STATES)
    return [f"{text}{state}".lower() for state in later]


def _leads_nowhere(path: Path) -> bool:
    """Whether a link leads to nothing: it is among the files, so that whoever reads them says so."""
    return os.path.islink(path) and not os.path.exists(path)


def _key(path: Path) -> str:
    name = path.name
    for ending in _ENDINGS:
        if name.lower().endswith(ending):
            name = name[: -len(ending)]
            break
    return re.sub(r"[\s/:#?%\\]+", "-", name).strip("-.") or "text"


def file_source(path: Path, input_format: str | None = None, key: str | None = None) -> Source:
    """A file as a source; its licence is the user's own matter and stated as unknown, its words are not republished whole.

    Raises:
        SourceError: the file cannot be opened or is empty.
    """
    beginning = sniff(path)
    if not beginning:
        raise SourceError(str(path), None, "the file is empty: give a file with text in it")
    chosen = input_format or guess_format(path.name, beginning)
    key = key or _key(path)
    openiti = chosen == "openiti"
    return Source(
        key=key,
        collection=key,
        title_ar="",
        title_en=path.name,
        licence="https://creativecommons.org/licenses/by-nc-sa/4.0/" if openiti else "",
        licence_note=(
            "OpenITI (openiti.org), CC BY-NC-SA 4.0"
            if openiti
            else "No licence is stated: say so in kg.toml before the text is published"
        ),
        republishable=False,
        read=_READERS[chosen],
        files=(path,),
        numbering="paragraph-in-file",
        dictionary=openiti and _is_dictionary(path),
    )


def _is_dictionary(path: Path) -> bool:
    """Whether an OpenITI text says that it is a biographical dictionary, by its marks or its subject; of others ``kg.toml`` may say so."""
    with opened(path) as stream:
        return bool(_BIOGRAPHICAL.search(stream.read(200_000).decode("utf-8", "replace")))


def standard_input(input_format: str | None, stream: BinaryIO | None = None) -> Source:
    """What comes on standard input as a source; it is spooled to a temporary file, so that it can be read twice, by other
    processes too; the file goes when this process ends.

    Raises:
        SourceError: nothing came.
    """
    with tempfile.NamedTemporaryFile(prefix="kg-", suffix=".input", delete=False) as spool:
        atexit.register(Path(spool.name).unlink, missing_ok=True)
        incoming = stream or sys.stdin.buffer
        while block := incoming.read(1 << 20):
            spool.write(block)
    path = Path(spool.name)
    if path.stat().st_size == 0:
        raise SourceError("standard input", None, "nothing came: pipe a text into the command")
    source = file_source(path, input_format or guess_format("-", sniff(path)), key="stdin")
    return _renamed(source)


def _renamed(source: Source) -> Source:
    import dataclasses

    return dataclasses.replace(source, title_en="standard input")


def _where(source: Source) -> str:
    return source.title_en if source.key == "stdin" else str(source.files[0])


def read_text_file(source: Source, on_error: OnError) -> Iterator[Passage]:
    """The paragraphs of a plain text; one in another script than the one before is its translation."""
    path, held, count = source.files[0], None, 0
    any_text, reports = False, Reports(on_error)
    with opened(path) as stream:
        for paragraph in paragraphs(lines(stream, _where(source), reports)):
            any_text = True
            language = language_of(paragraph.text)
            if held is not None and held.translation is None and held.language == "ar" and language == "en":
                held = _with_translation(held, paragraph.text)
                continue
            if held is not None:
                yield held
            number = source.ids[count] if count < len(source.ids) else str(count + 1)
            count += 1
            held = Passage(
                id=f"{source.collection}:{number}",
                text=paragraph.text,
                language=language,
                source=source.key,
                kind=source.kind,
                work=source.work,
                locators=source.locators or ((source.numbering, number), ("offset-in-file", str(paragraph.offset))),
            )
    if held is not None:
        yield held
    if not any_text and not reports.any:
        on_error(SourceError(_where(source), None, "no text in the file: give a file with paragraphs in it"))


def _with_translation(passage: Passage, translation: str) -> Passage:
    import dataclasses

    return dataclasses.replace(passage, translation=translation)


def _scheme_of_rows(source: Source, row: Row) -> str:
    """Rows are no paragraphs: those of a file of one's own are known by their id, else by their place."""
    if source.numbering != "paragraph-in-file":
        return source.numbering
    return "number-in-source" if row.id else "row-in-file"


def _read_rows(source: Source, rows: Iterator[Row], on_error: Reports) -> Iterator[Passage]:
    seen: set[str] = set()
    count = 0
    for count, row in enumerate(rows, 1):
        identifier = row.id or f"{source.collection}:{count}"
        known = unicodedata.normalize("NFC", identifier if ":" in identifier else f"{source.collection}:{identifier}")
        if known in seen:
            on_error(SourceError(_where(source), row.line, f"the id {identifier!r} stands twice: give each row an id of its own"))
            continue
        seen.add(known)
        yield Passage(
            id=identifier,
            text=row.text,
            language=language_of(row.text),
            translation=row.translation,
            source=source.key,
            kind=source.kind,
            work=source.work,
            locators=(
                (_scheme_of_rows(source, row), identifier.partition(":")[2] or identifier),
                ("line-in-file", str(row.line)),
            ),
        )
    if not seen and not on_error.any:
        on_error(SourceError(_where(source), None, "no rows with a text: give at least one"))


def _read_jsonl(source: Source, on_error: OnError) -> Iterator[Passage]:
    reports = Reports(on_error)
    with opened(source.files[0]) as stream:
        numbered = lines(stream, _where(source), reports)
        yield from _read_rows(source, json_rows(numbered, _where(source), reports), reports)


def _read_json(source: Source, on_error: OnError) -> Iterator[Passage]:
    reports = Reports(on_error)
    with opened(source.files[0]) as stream:
        text = "".join(line for _, line in lines(stream, _where(source), reports))
    if reports.any:
        return
    yield from _read_rows(source, json_array(text, _where(source), reports), reports)


def _read_csv(source: Source, on_error: OnError) -> Iterator[Passage]:
    reports = Reports(on_error)
    with opened(source.files[0]) as stream:
        numbered = lines(stream, _where(source), reports)
        yield from _read_rows(source, csv_rows(numbered, _where(source), reports), reports)


def _read_openiti(source: Source, on_error: OnError) -> Iterator[Passage]:
    some, reports = False, Reports(on_error)
    path, where = source.files[0], _where(source)
    with opened(path) as stream:
        join = source.join_pages and closes_at_page_ends(line for _, line in lines(stream, where, lambda _: None))
    with opened(path) as stream:
        for passage in joined(sections(lines(stream, where, reports)), join=join):
            some = True
            first = passage.parts[0].section
            number = passage.parts[0].number
            locators = [
                (source.numbering, str(number)),
                ("offset-in-file", str(first.offset)),
                ("line-in-file", str(first.line)),
            ]
            if first.entry:
                locators.append(("entry", first.entry))
            locators += [("heading", heading) for heading in first.headings if heading]
            if first.volume and first.page:
                locators += [("volume", first.volume), ("page", first.page)]
            for part in passage.parts[1:]:
                locators += [
                    (source.numbering, str(part.number)),
                    ("goes-on-in-file", f"{part.start} {part.section.offset}"),
                ]
                if part.section.page and ("page", part.section.page) not in locators:
                    locators.append(("page", part.section.page))
            yield Passage(
                id=f"{source.collection}:{number}",
                text=passage.text,
                language=language_of(passage.text),
                source=source.key,
                kind=source.kind,
                work=source.work,
                locators=tuple(locators),
            )
    if not some and not reports.any:
        on_error(SourceError(where, None, "no paragraphs after the header: check that the text is complete"))


_READERS = {
    "text": read_text_file,
    "jsonl": _read_jsonl,
    "json": _read_json,
    "csv": _read_csv,
    "openiti": _read_openiti,
}
