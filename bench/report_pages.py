"""Time of the pages of report groups, of their collations, and of the most frequent narrators: ``python -m bench.report_pages kg-data``."""

import random
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from flask.testing import FlaskClient

from kg.web.app import create_app
from kg.web.names import SLS


def percentiles(client: FlaskClient, addresses: Sequence[str]) -> str:
    """Processor time of answers not asked for before: p50, p95 and the longest, in milliseconds."""
    times = []
    for address in addresses:
        started = time.process_time()
        if client.get(address).status_code != 200:
            raise SystemExit(f"{address} was not answered")
        times.append((time.process_time() - started) * 1000)
    times.sort()
    return f"p50 {times[len(times) // 2]:.0f} ms, p95 {times[int(len(times) * 0.95)]:.0f} ms, longest {times[-1]:.0f} ms"


def main(data: Path) -> None:
    """Measures one built folder."""
    app = create_app(data)
    client = app.test_client()
    client.get("/robots.txt")
    edition = app.extensions["kg-shelf"].current()
    fact = edition.describer.fact

    def most(iris: set[str], count: str, number: int) -> list[str]:
        ranked = sorted(sorted(iris), key=lambda iri: -int(fact(iri, count) or 0))
        return [iri.removeprefix(edition.base) for iri in ranked[:number]]

    groups = {quad.subject.value for quad in edition.store.quads(None, None, SLS + "ParallelGroup")}
    persons = {quad.subject.value for quad in edition.store.quads(None, SLS + "mentionCount", None)}
    some = random.Random(7).sample(sorted(iri.removeprefix(edition.base) for iri in groups), min(200, len(groups)))
    print(f"{len(some)} of {len(groups)} groups:", percentiles(client, [f"/{key}.html?lang=en" for key in some]))
    print("the 20 largest groups:", percentiles(client, [f"/{key}.html?lang=ar" for key in most(groups, "passageCount", 20)]))
    print("collations as JSON:", percentiles(client, [f"/{key}/collation.json" for key in some]))
    print("the 50 most frequent narrators:", percentiles(client, [f"/{key}.html" for key in most(persons, "mentionCount", 50)]))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
