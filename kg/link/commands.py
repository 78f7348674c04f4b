"""``kg link``: proposals for review, checks of accepted links, links for other tools and from them."""

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

__all__ = ["link"]

CACHE = Path("kg-data") / "cache" / "wikidata"
_KINDS = ("person", "place", "event", "work")


@click.command()
@click.option("--check", "task", flag_value="check", help="Check the table by itself, without a network.")
@click.option("--verify", "task", flag_value="verify", help="Check accepted links against the service or a snapshot.")
@click.option("--export", "export", type=click.Choice(["quickstatements", "sssom"]), help="Write the links for another tool.")
@click.option("--from", "source", type=click.Path(path_type=Path, dir_okay=False, exists=True), help="Take links from FILE.")
@click.option(
    "--endpoint", default="https://query.wikidata.org/sparql", show_default=True, help="A SPARQL service shaped as Wikidata's."
)
@click.option("--snapshot", type=click.Path(path_type=Path, dir_okay=False), help="A saved dump of items instead of the service.")
@click.option("--reconciliation", metavar="URL", help="A service of the Reconciliation API, asked for further candidates.")
@click.option("--contact", envvar="SILSILA_CONTACT", default="", help="Your address (mail or page), told to the service.")
@click.option("--kind", "kinds", multiple=True, type=click.Choice(_KINDS), help="Only these kinds; may be given again.")
@click.option("--only", multiple=True, metavar="KEY", help="Only these things, such as person/al-zuhri.")
@click.option("--every", is_flag=True, help="Persons known only from the Taqrib too.")
@click.option(
    "--data", type=click.Path(path_type=Path, file_okay=False), help="A built folder, for teachers and students in its chains."
)
@click.option(
    "--table", type=click.Path(path_type=Path, dir_okay=False, exists=True), help="A table of links; ours if not given."
)
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="Standard output if not given.")
@click.option("--cache", type=click.Path(path_type=Path, file_okay=False), default=CACHE, show_default=True, help="Answers kept.")
@click.option("--base", default="https://w3id.org/silsila/", show_default=True, help="The beginning of our IRIs.")
@click.option("--timeout", type=click.IntRange(1), default=60, show_default=True, help="Seconds an answer is waited for.")
@click.option("--pause", type=click.FloatRange(0), default=1.0, show_default=True, help="Seconds between two questions.")
@click.option("--quiet", is_flag=True, help="No progress.")
@click.option("--json", "as_json", is_flag=True, help="Findings as JSON.")
def link(**given: Any) -> None:
    """Propose links to Wikidata for review, check accepted ones, or exchange them with other tools.

    Nothing is accepted here: proposals are rows of the table kg/link/links.tsv with status `proposed`, each with what was compared.
    Exit code 1 where a check finds something wrong or the service gives no answer.

    Example: kg link --contact you@example.org --kind person --out proposals.tsv
    """
    from kg.store.errors import StoreError
    from kg.tables import TableError

    try:
        _run(**given)
    except (StoreError, TableError) as error:
        raise click.ClickException(str(error)) from None
    except KeyboardInterrupt:
        raise click.ClickException("stopped; what was answered is kept, the same command goes on from there") from None


def _run(
    *, task: str | None, export: str | None, source: Path | None, table: Path | None, out: Path | None, base: str, **given: Any
) -> None:
    from kg.authority import load
    from kg.link.exchange import to_quickstatements, to_sssom
    from kg.link.table import load_links

    if sum(map(bool, (task, export, source))) > 1:
        raise click.UsageError("give one of --check, --verify, --export and --from")
    links, known = load_links(table), load()
    if export:
        _write((to_sssom if export == "sssom" else to_quickstatements)(links, base), out)
    elif task == "check":
        from kg.link.verify import check_offline

        _tell(check_offline(links, known), len(links), as_json=given["as_json"])
    elif task == "verify":
        from kg.link.verify import verify

        service = _service(given)
        accepted = sum(one.status == "accepted" for one in links)
        with _progress(given, "checking links", accepted) as advance:
            findings = list(verify(links, known, service, advance=advance))
        _tell(findings, accepted, as_json=given["as_json"])
    elif source:
        _take(source, base, known, links, given, out)
    else:
        _propose(known, links, {**given, "base": base}, out)


def _service(given: dict[str, Any]) -> Any:
    from kg.link.wikidata import Snapshot, WikidataService

    if given["snapshot"]:
        return Snapshot(given["snapshot"])
    return WikidataService(given["endpoint"], given["contact"], given["cache"], timeout=given["timeout"], pause=given["pause"])


def _reconciliation(given: dict[str, Any]) -> Any:
    from kg.link.wikidata import ReconciliationService, WikidataService

    polite = WikidataService(given["endpoint"], given["contact"], timeout=given["timeout"], pause=given["pause"])
    return ReconciliationService(given["reconciliation"], polite) if given["reconciliation"] else None


@contextmanager
def _progress(given: dict[str, Any], title: str, total: int) -> Iterator[Callable[[int], None]]:
    """A bar on standard error; silent where that is no terminal."""
    hidden = given["quiet"] or not sys.stderr.isatty()
    with click.progressbar(length=total, label=title, file=sys.stderr, hidden=hidden) as bar:
        yield bar.update


def _where(given: dict[str, Any], service: Any) -> str:
    return f"{given['snapshot'].name} of {service.date}" if given["snapshot"] else given["endpoint"]


def _today() -> str:
    return datetime.now(UTC).date().isoformat()


def _propose(known: Any, links: Any, given: dict[str, Any], out: Path | None) -> None:
    from kg.link.proposals import Proposal, propose, row_of, write_proposals
    from kg.link.subjects import subject_of, subjects
    from kg.store.errors import StoreError

    linked = {one.subject: one.qid for one in links if one.status == "accepted"}
    if given["only"]:
        wanted = [subject_of(key, known, linked) for key in given["only"]]
        missing = [key for key, subject in zip(given["only"], wanted, strict=True) if subject is None]
        if missing:
            raise click.UsageError(f"{missing[0]} is not a thing of ours: give keys such as person/al-zuhri")
        chosen = [subject for subject in wanted if subject is not None]
    else:
        chosen = list(subjects(known, links, given["kinds"] or _KINDS, every=given["every"]))
    if given["data"]:
        from kg.link.facts import Facts
        from kg.link.subjects import with_neighbours
        from kg.store.embedded import EmbeddedStore

        facts = Facts(EmbeddedStore.open(given["data"] / "current" / "store"), given["base"])
        chosen = [with_neighbours(subject, facts, linked) for subject in chosen]
    service, rows, disproved = _service(given), list[Any](), list[Proposal]()
    failure: StoreError | None = None
    try:
        with _progress(given, "asking for candidates", len(chosen)) as advance:
            more = _reconciliation(given)
            for proposal in propose(chosen, service, links, advance=advance, disproved=disproved, reconciliation=more):
                rows.append(row_of(proposal, _today(), _where(given, service)))
    except StoreError as error:
        failure = error
    _write(write_proposals(rows), out)
    click.echo(
        f"{len(rows)} proposals for {len({row.subject for row in rows})} things; {len(disproved)} candidates disproved", err=True
    )
    if failure is not None:
        raise failure


def _take(source: Path, base: str, known: Any, links: Any, given: dict[str, Any], out: Path | None) -> None:
    from kg.link.exchange import read_exchange
    from kg.link.proposals import write_proposals

    asked = given["snapshot"] or given["contact"]
    proposals, refused = read_exchange(source, base, known, links, _today(), _service(given) if asked else None)
    _write(write_proposals(proposals), out)
    for row in refused:
        click.echo(f"refused: {source.name} {row}", err=True)
    unchecked = "" if asked else "; not compared with the items: give --contact or --snapshot"
    click.echo(f"{len(proposals)} proposals, {len(refused)} refused{unchecked}", err=True)
    if refused:
        sys.exit(1)


def _write(text: str, out: Path | None) -> None:
    if out is None:
        click.echo(text, nl=False)
    else:
        out.write_text(text, encoding="utf-8")


def _tell(findings: Any, checked: int, *, as_json: bool) -> None:
    import dataclasses

    if as_json:
        click.echo(json.dumps([dataclasses.asdict(finding) for finding in findings], ensure_ascii=False, indent=1))
    else:
        for finding in findings:
            click.echo(str(finding))
    click.echo(f"{checked} links checked, {len(findings)} findings", err=True)
    if findings:
        sys.exit(1)
