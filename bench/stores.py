"""The graph in other servers: triples a second of a push, and the same questions asked of each store by this program.

    python -m bench.stores [DATA]        DATA is a built folder (default: kg-data)

Some graphs of the build are loaded into an embedded store, read by rdflib into memory, and pushed to an Oxigraph server and to Virtuoso
(left out where it is not installed: Debian's virtuoso-opensource-7-bin). Milliseconds are medians; a ratio is the other's figure by
the embedded store's, or the other way round where more is better, so that a ratio above 1 says that the embedded store is quicker.
"""

import gzip
import math
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

import rdflib

from kg.build.folder import DataFolder
from kg.store.embedded import EmbeddedStore
from kg.store.http import Client, split_account
from kg.store.limits import Limits
from kg.store.push import push
from kg.store.remote import RemoteStore
from kg.store.remote_queries import RemotePool
from kg.store.servers import find_endpoints
from kg.store.workers import QueryPool
from kg.web.documents import Describer

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "store"))

from other_stores import VIRTUOSO, oxigraph_server, virtuoso_server

GRAPHS = ("authority", "links", "parallels", "quran", "statistics")
TIMES = 15
SLS = "PREFIX sls: <https://w3id.org/silsila/ontology#> "
QUESTIONS = {
    "label": "SELECT ?l { <person/abu-hurayra> rdfs:label ?l }",
    "teachers and students": "SELECT ?p { { <person/al-zuhri> sls:narratedFrom ?p } UNION { ?p sls:narratedFrom <person/al-zuhri> } }",
    "most met": "SELECT ?p ?n { ?p sls:passageCount ?n } ORDER BY DESC(?n) LIMIT 20",
    "by generation": "SELECT ?t (COUNT(*) AS ?n) { ?p sls:tabaqa ?t } GROUP BY ?t",
    "regex over names": "SELECT (COUNT(*) AS ?n) { ?p sls:fullName ?l FILTER(REGEX(STR(?l), 'عبد')) }",
    "anti-join": "SELECT (COUNT(*) AS ?n) { ?p a sls:Person MINUS { ?p sls:passageCount ?n } }",
}


def median(work: Callable[[int], object], times: int = TIMES) -> float:
    """Milliseconds of a call, the median of some."""
    taken = []
    for number in range(times):
        began = time.perf_counter()
        work(number)
        taken.append((time.perf_counter() - began) * 1000)
    return statistics.median(taken)


def figures(pool: Any, store: Any, base: str) -> dict[str, float]:
    """Milliseconds of each question, and of the description of a thing as its page needs it."""
    prefixes = SLS + "PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#> "

    def asked(query: str, number: int) -> None:
        pool.run(f"{prefixes}{query} # {number}", base=base).close()

    found = {name: median(partial(asked, query)) for name, query in QUESTIONS.items()}
    found["description of a person"] = median(lambda number: Describer(store, base).describe(f"{base}person/al-zuhri"))
    return found


def rdflib_figures(files: list[Path], base: str, loaded: float) -> dict[str, float]:
    """The same of rdflib, which holds the graph in memory; each question is asked three times, its answer read."""
    graph = rdflib.Dataset(default_union=True)
    began = time.perf_counter()
    for file in files:
        with gzip.open(file, "rb") as lines:
            graph.parse(lines, format="nquads")
    took = time.perf_counter() - began
    print(f"rdflib: read at {len(graph) / took:,.0f} a second")
    print(f"ratio embedded-load/rdflib-read {took / loaded:.2f}")
    prefixes = f"BASE <{base}> {SLS} PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#> "
    return {name: median(lambda _, query=query: list(graph.query(prefixes + query)), 3) for name, query in QUESTIONS.items()}


def main(data: Path) -> None:
    """Print the figures."""
    folder = DataFolder(data)
    base, dumps = folder.manifest()["base"], folder.current() / "dumps"
    limits = Limits(seconds=60, cache_bytes=0)
    with tempfile.TemporaryDirectory(prefix="kg-bench-") as name, ExitStack() as stack:
        few = Path(name) / "dumps"
        few.mkdir()
        for graph in GRAPHS:
            shutil.copy(dumps / f"{graph}.nq.gz", few)
        began = time.perf_counter()
        path = EmbeddedStore.create(Path(name) / "store", sorted(few.glob("*.nq.gz")))
        loaded = time.perf_counter() - began
        embedded = EmbeddedStore.open(path)
        total = sum(1 for _ in embedded.quads())
        print(f"{total:,} statements of {', '.join(GRAPHS)}; embedded: loaded at {total / loaded:,.0f} a second")
        here = figures(stack.enter_context(QueryPool(path, limits)), embedded, base)
        columns = {"embedded": here, "rdflib": rdflib_figures(sorted(few.glob("*.nq.gz")), base, loaded)}
        for kind, start, account in (("oxigraph", oxigraph_server, (None, None)), ("virtuoso", virtuoso_server, VIRTUOSO)):
            if kind == "virtuoso" and shutil.which("virtuoso-t") is None:
                print("virtuoso is not installed here and is left out")
                continue
            place = Path(name) / kind
            place.mkdir()
            url, known = split_account(stack.enter_context(start(place)), *account)
            with Client(known) as client:
                endpoints = find_endpoints(url, client)
                began = time.perf_counter()
                push(few, endpoints, client, base=base)
                pushed = time.perf_counter() - began
            print(f"{kind}: pushed at {total / pushed:,.0f} a second")
            print(f"ratio embedded-load/{kind}-push {pushed / loaded:.2f}")
            store = RemoteStore(endpoints.query)
            graphs = [graph for graph in store.graphs() if graph.startswith(base)]
            columns[kind] = figures(
                RemotePool(endpoints.query, graphs, limits), RemoteStore(endpoints.query, graphs=graphs), base
            )
    print(f"{'milliseconds':26}" + "".join(f"{kind:>12}" for kind in columns))
    for question in here:
        print(f"{question:26}" + "".join(f"{column.get(question, math.nan):12.2f}" for column in columns.values()))
    for kind in list(columns)[1:]:
        for question in columns[kind]:
            print(f"ratio embedded/{kind}:{question.replace(' ', '-')} {columns[kind][question] / here[question]:.2f}")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "kg-data"))
