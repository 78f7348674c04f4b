"""The command ``kg``: each subcommand parses its words, calls one function of the library, prints."""

import functools
import json
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from kg import __version__
from kg.link.commands import link
from kg.remedies import sentence

__all__ = ["main"]

DEFAULT_OUT = Path("kg-data")
DEFAULT_CORPORA = ("sample", "bukhari", "muslim")


def _mendable() -> tuple[type[Exception], ...]:
    """The errors whose words tell the user what to mend. Loaded when one is there, so that a command starts fast."""
    from kg.build.folder import BuildError
    from kg.evaluate.gold import GoldError
    from kg.graph.formats import DumpError
    from kg.graph.vocabulary import IriError
    from kg.graph.writer import GraphError
    from kg.identify.corrections import CorrectionError
    from kg.identify.registry import RegistryError
    from kg.sources.errors import SourceError
    from kg.store.errors import StoreError
    from kg.tables import TableError

    return (
        *(BuildError, CorrectionError, DumpError, GoldError, GraphError, IriError),
        *(RegistryError, SourceError, StoreError, TableError),
    )


def _told(function: Callable[..., Any]) -> Callable[..., Any]:
    """Errors that the user can mend are one sentence and exit code 1; a broken pipe ends quietly."""

    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(1)
        except OSError as error:
            raise click.ClickException(sentence(error)) from None
        except Exception as error:
            if isinstance(error, _mendable()):
                raise click.ClickException(str(error)) from None
            raise

    return wrapper


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="kg")
def main() -> None:
    """Classical Arabic texts in, a published knowledge graph of transmission out."""


_DATA = click.option("--data", type=click.Path(path_type=Path), default=DEFAULT_OUT, show_default=True, help="The built folder.")
_CONFIG = click.option("--config", type=click.Path(path_type=Path, dir_okay=False), help="Settings; kg.toml here if not given.")
_FORMAT_IN = click.option(
    "--input-format", type=click.Choice(["text", "jsonl", "json", "csv", "openiti"]), help="Guessed if not given."
)


@main.command()
@click.argument("sources", nargs=-1)
@click.option("--out", type=click.Path(path_type=Path), default=DEFAULT_OUT, show_default=True, help="The data folder.")
@click.option("--base", help="The beginning of all IRIs; from kg.toml if not given.")
@click.option(
    "--workers",
    type=click.IntRange(1),
    default=os.cpu_count() or 1,
    show_default="all cores",
    help="Processes that read texts; with 1 the whole build keeps to one core.",
)
@click.option(
    "--keep-going", is_flag=True, help="Leave out what cannot be read, build the rest, exit with 1 and say what was left out."
)
@click.option("--no-wait", is_flag=True, help="Fail at once where another build holds the folder.")
@click.option("--scheduler", metavar="ADDRESS", help="Read texts on a dask cluster: tcp://host:8786, or `local`.")
@click.option(
    "--records",
    metavar="URL",
    help="Where machines of the cluster share records: s3://bucket/path, or another address of fsspec.",
)
@click.option("--quiet", is_flag=True, help="No progress.")
@click.option("--log-json", is_flag=True, help="Progress as JSON lines on standard error.")
@_FORMAT_IN
@_CONFIG
@_told
def build(
    sources: tuple[str, ...],
    out: Path,
    base: str | None,
    workers: int,
    scheduler: str | None,
    records: str | None,
    keep_going: bool,
    no_wait: bool,
    quiet: bool,
    log_json: bool,
    input_format: str | None,
    config: Path | None,
) -> None:
    """Build the graph of SOURCES: files, folders, `-`, or corpora by name.

    The corpora are sample, bukhari, muslim, nine-books and the other seven books by name; without a source the
    sample and the two Sahihs are built.

    Example: kg build sample my-texts/ --out kg-data
    """
    from kg.build.builder import build as run
    from kg.build.progress import progress_for
    from kg.config import load_config
    from kg.sources import SourceError, open_sources, with_settings

    if records is not None and scheduler is None:
        raise click.UsageError("--records is for a cluster: name its --scheduler")
    settings = load_config(config)
    skipped: list[SourceError] = []
    opened = []
    for name in sources or DEFAULT_CORPORA:
        try:
            opened += open_sources(name, input_format, on_error=skipped.append if keep_going else None)
        except SourceError as error:
            if not keep_going:
                raise
            skipped.append(error)
    if not opened:
        raise click.ClickException("; ".join(map(str, skipped)) or "no source: name a file, a folder or a corpus")
    built = run(
        with_settings(opened, settings.sources, settings.path),
        out,
        base=base or settings.base,
        workers=workers,
        scheduler=scheduler,
        records=records,
        keep_going=keep_going,
        corrections=settings.corrections,
        progress=progress_for(quiet=quiet, json_lines=log_json),
        wait=not no_wait,
    )
    for left_out in (*skipped, *built.skipped):
        click.echo(f"left out: {left_out}", err=True)
    click.echo(f"{built.version}" if built.fresh else f"{built.version} (nothing changed)")
    if skipped or built.skipped:
        sys.exit(1)


@main.command()
@click.argument("source")
@click.option("--format", "output", type=click.Choice(["jsonl", "turtle"]), default="jsonl", show_default=True)
@click.option("--keep-going", is_flag=True, help="Leave out what cannot be read, go on, exit with 1 and say what was left out.")
@click.option("--persons", is_flag=True, help="Print the persons of biographical dictionaries instead, one JSON object an entry.")
@_FORMAT_IN
@_CONFIG
@_told
def extract(source: str, output: str, keep_going: bool, persons: bool, input_format: str | None, config: Path | None) -> None:
    """Print what is read in SOURCE (a file, a folder, a corpus, or `-`): one record a passage.

    Example: kg extract passage.txt | head -1
    """
    from kg.config import load_config
    from kg.extraction_run import extract_sources
    from kg.sources import SourceError, open_sources, with_settings

    skipped: list[SourceError] = []
    report = skipped.append if keep_going else None
    opened = open_sources(source, input_format, on_error=report)
    if persons:
        from kg.extraction_run import persons_of_dictionaries

        settings = load_config(config)
        for entry in persons_of_dictionaries(with_settings(opened, settings.sources, settings.path)):
            click.echo(json.dumps(entry, ensure_ascii=False))
        opened = []
    for record in extract_sources(opened, on_error=report):
        if output == "jsonl":
            click.echo(json.dumps(record.to_json(), ensure_ascii=False))
        else:
            from kg.graph.dump import record_to_turtle

            click.echo(record_to_turtle(record, load_config(config).base))
    for left_out in skipped:
        click.echo(f"left out: {left_out}", err=True)
    if skipped:
        sys.exit(1)


@main.command()
@_DATA
@click.option("--host", default="127.0.0.1", show_default=True)
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True)
@click.option("--threads", type=click.IntRange(1, 64), default=8, show_default=True)
@click.option(
    "--store", metavar="URL", help="A SPARQL server that holds the graph (kg push) and is asked instead of the folder's."
)
@click.option("--watch/--no-watch", default=True, show_default=True, help="Take up a new build without a restart.")
@_CONFIG
@_told
def serve(data: Path, host: str, port: int, threads: int, store: str | None, watch: bool, config: Path | None) -> None:
    """Serve pages, SPARQL, dumps and reconciliation of a built folder; a new build is taken up without a restart.

    Example: kg serve --port 8000
    """
    from kg.config import load_config
    from kg.web.server import run

    run(
        data,
        host=host,
        port=port,
        threads=threads,
        config=load_config(config),
        announce=lambda line: click.echo(line, err=True),
        store=store,
        watch=watch,
    )


@main.command()
@click.option("--to", "url", metavar="URL", required=True, help="The server: its root or its SPARQL address.")
@_DATA
@click.option("--user", envvar="KG_STORE_USER", help="An account of the server; from KG_STORE_USER if not given.")
@click.option(
    "--password", envvar="KG_STORE_PASSWORD", help="Better given as KG_STORE_PASSWORD, where no list of processes shows it."
)
@click.option("--graph-store", metavar="URL", help="Its graph store protocol, where it is not found by itself.")
@click.option("--update", metavar="URL", help="Its address for updates, where it is not found by itself.")
@click.option("--again", is_flag=True, help="Send what the server was sent before as well.")
@click.option("--quiet", is_flag=True, help="No progress.")
@click.option("--log-json", is_flag=True, help="Progress as JSON lines on standard error.")
@_told
def push(
    url: str,
    data: Path,
    user: str | None,
    password: str | None,
    graph_store: str | None,
    update: str | None,
    again: bool,
    quiet: bool,
    log_json: bool,
) -> None:
    """Send a built graph to a SPARQL 1.1 server: each named graph replaced, in bounded batches; what broke off is taken up again.

    Example: kg push --to http://localhost:7878/
    """
    from kg.build.progress import progress_for
    from kg.pushing import push_folder

    pushed = push_folder(
        data,
        url,
        user=user,
        password=password,
        graph_store=graph_store,
        update=update,
        again=again,
        progress=progress_for(quiet=quiet, json_lines=log_json),
    )
    click.echo(
        f"{pushed.triples:,} triples in {len(pushed.sent)} graphs sent"
        + (f", {len(pushed.there)} graphs were there" if pushed.there else "")
        + (f", {len(pushed.removed)} of an earlier build removed" if pushed.removed else "")
    )


@main.command()
@click.argument("query")
@_DATA
@click.option(
    "--format", "output", type=click.Choice(["table", "json", "csv", "tsv", "xml", "turtle"]), default="table", show_default=True
)
@_told
def query(query: str, data: Path, output: str) -> None:
    """Run QUERY: the name of a stored query, a file, or `-`.

    Example: kg query common-links --format csv
    """
    from kg.store.queries import run

    sys.stdout.write(run(query, data, output, _searched))


def _searched(query: str, version: Path) -> str:
    """A query with what ``sls:matches`` finds in a version."""
    from kg.web.edition import Shelf
    from kg.web.matches import expand

    return expand(query, Shelf(version).current().matching) if "matches" in query else query


@main.command()
@_DATA
@click.option(
    "--format",
    "output",
    type=click.Choice(["turtle", "nquads", "trig", "ntriples", "jsonld", "rdfxml"]),
    default="nquads",
    show_default=True,
)
@click.option(
    "--out", metavar="FILE|URL", help="Standard output if not given; .gz and .zst are packed; s3://… and the like by fsspec."
)
@_told
def dump(data: Path, output: str, out: str | None) -> None:
    """Write the whole graph in a format.

    Example: kg dump --format turtle --out silsila.ttl.gz
    """
    from kg.build.folder import DataFolder
    from kg.graph.further import write_format

    dumps = DataFolder(data).current() / "dumps"
    if out is None or "://" not in out:
        write_format(dumps, output, Path(out) if out else None)
        return
    from kg.build.object_store import upload

    with tempfile.TemporaryDirectory(prefix="kg-dump-") as folder:
        file = Path(folder) / out.rpartition("/")[2]
        write_format(dumps, output, file)
        upload(file, out)


@main.command()
@click.argument("tellings", nargs=-1, required=True)
@_DATA
@click.option("--format", "form", type=click.Choice(["table", "json", "tei"]), default="table", show_default=True)
@_told
def collate(tellings: tuple[str, ...], data: Path, form: str) -> None:
    """Set two or more TELLINGS side by side: files, or passages of a built folder by id.

    Example: kg collate bazzar:quarrel bukhari:3661
    """
    if len(tellings) < 2:
        raise click.UsageError("name two tellings or more")
    from kg.collating import collate_named

    click.echo(collate_named(tellings, data, form), nl=False)


@main.command()
@_DATA
@click.option("--limit", type=click.IntRange(1), default=20, show_default=True, help="Findings shown of each kind.")
@_told
def check(data: Path, limit: int) -> None:
    """Validate a built folder: SHACL shapes, and integrity of the whole graph. Exit code 1 where something is wrong.

    Example: kg check
    """
    from kg.build.folder import DataFolder
    from kg.graph.check import check_folder

    findings = check_folder(DataFolder(data).current())
    shown = 0
    for finding in findings:
        if shown < limit:
            click.echo(str(finding))
        shown += 1
    click.echo("nothing wrong was found" if not shown else f"{shown} findings", err=True)
    if any(finding.severity == "violation" for finding in findings):
        sys.exit(1)


@main.command()
@click.argument(
    "task",
    type=click.Choice(
        ["segmentation", "boundary", "prose-isnad", "identity", "quran", "events", "rijal", "names", "edges", "parallels"]
    ),
)
@click.argument("gold", type=click.Path(exists=True, path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="The scores as JSON.")
@click.option("--wrong", is_flag=True, help="List the rows that are wrong.")
@_told
def evaluate(task: str, gold: Path, as_json: bool, wrong: bool) -> None:
    """Score TASK against answers in GOLD (a file, or a folder of them).

    Example: kg evaluate segmentation ../shared/gold/narrators/segmentation.jsonl
    """
    import importlib

    from kg.evaluate.shown import score_lines

    module = importlib.import_module(f"kg.evaluate.{task.replace('-', '_')}")
    scores = module.score(gold, rows_wrong=wrong)
    if as_json:
        click.echo(json.dumps(scores, ensure_ascii=False, indent=1))
        return
    for line in score_lines(scores):
        click.echo(line)


main.add_command(link)


if __name__ == "__main__":
    main()
