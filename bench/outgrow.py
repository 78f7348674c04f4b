"""When to leave the embedded store: seconds of the same questions on stores of different size.

    python -m bench.outgrow [STORE ...]              built folders, or the store folders of Oxigraph (default: kg-data)
    python -m bench.outgrow --repeat 11 OUT [DATA]   makes such a store: the texts of a build, with all that was read in them, so
                                                     many times over, the persons, verses and places once

Each question is asked as a query worker asks it (the union of the named graphs, opened read-only), once cold and then up to three times;
the least is shown. A question that takes longer than the limit of the service (20 s) is what breaks first.
"""

import re
import resource
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pyoxigraph as ox

from kg.graph.formats import read_packed
from kg.store.embedded import StoreLoader

SLS = "https://w3id.org/silsila/ontology#"
LEAST, TIMES = 5.0, 3
TEXTS = re.compile(
    rb"(?<=<https://w3id\.org/silsila/)(?:hadith|passage|mention|naming|isnad|claim|citation|report|parallel|version|graph/source)/"
)

QUESTIONS = {
    "label of a thing": "SELECT ?l { ?s a sls:Work ; rdfs:label ?l } LIMIT 1",
    "chain of a passage, in order": "SELECT ?m ?p { ?i sls:inPassage ?h ; ?place ?m . ?m sls:refersTo ?p } LIMIT 8",
    "a narrator's hundred passages": "SELECT ?h { ?m sls:refersTo ?p ; sls:inPassage ?h . ?p sls:passageCount ?n } LIMIT 100",
    "narrators by number of passages": "SELECT ?p ?n { ?p sls:passageCount ?n } ORDER BY DESC(?n) LIMIT 20",
    "mentions by transmission term": "SELECT ?t (COUNT(*) AS ?n) { ?m sls:transmissionTerm ?t } GROUP BY ?t",
    "text scan: CONTAINS in every text": "SELECT (COUNT(*) AS ?n) { ?h sls:text ?t FILTER(CONTAINS(?t, 'قميصه')) }",
    "text scan: REGEX in every text": "SELECT (COUNT(*) AS ?n) { ?h sls:text ?t FILTER(REGEX(?t, 'قم[يى]ص')) }",
    "anti-join, one step: MINUS": "SELECT (COUNT(*) AS ?n) { ?h a sls:Hadith MINUS { ?g sls:hasPassage ?h } }",
    "anti-join, two steps: MINUS": "SELECT (COUNT(*) AS ?n) { ?h a sls:Hadith MINUS { ?m sls:inPassage ?h ; sls:refersTo ?p } }",
    "join of all mentions and persons": "SELECT (COUNT(*) AS ?n) { ?m sls:refersTo ?p . ?p sls:tabaqa ?t }",
}


def store_of(folder: Path) -> Path:
    """The store of a built folder, or the folder itself."""
    return next((path for path in (folder / "current" / "store", folder / "store") if path.is_dir()), folder)


def timed(work: Callable[[], object]) -> float:
    """Seconds of a call."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def ask(store: ox.Store, question: str) -> None:
    """Ask and read the answer to its end."""
    prefixes = f"PREFIX sls: <{SLS}> PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#> "
    answer = store.query(prefixes + question, use_default_graph_as_union=True)
    for _ in answer:  # type: ignore[union-attr]
        pass


def column(folder: Path) -> tuple[str, dict[str, float]]:
    """The title of a store, and seconds by question."""
    path = store_of(folder)
    began = time.perf_counter()
    store = ox.Store.read_only(str(path))
    figures = {"open": time.perf_counter() - began}
    size = sum(file.stat().st_size for file in path.rglob("*") if file.is_file())
    for name, question in QUESTIONS.items():
        least = timed(partial(ask, store, question))
        for _ in range(TIMES if least < LEAST else 0):
            least = min(least, timed(partial(ask, store, question)))
        figures[name] = least
    return f"{len(store) / 1e6:.1f} M, {size / 1e9:.1f} GB", figures


def repeated(data: Path, out: Path, times: int) -> None:
    """A store with the texts of a build ``times`` over: every passage, mention, isnad, claim and report under further names."""
    dumps, loader, began, quads = data / "current" / "dumps", StoreLoader(out), time.perf_counter(), 0
    loading = 0.0
    graphs = sorted(path for path in dumps.glob("*.nq.zst") if not path.name.startswith("silsila."))
    for number in range(times):
        for graph in graphs:
            if number and not graph.name.startswith(("source-", "identity.", "parallels.")):
                continue
            plain = out.with_suffix(".nq")
            with read_packed(graph) as lines, plain.open("wb") as written:
                for line in lines:
                    written.write(TEXTS.sub(rb"\g<0>x%d-" % number, line) if number else line)
                    quads += 1
            start = time.perf_counter()
            loader.add(plain)
            loading += time.perf_counter() - start
            plain.unlink()
    start = time.perf_counter()
    loader.finish()
    loading += time.perf_counter() - start
    print(
        f"{quads:,} statements loaded at {quads / loading:,.0f} a second ({time.perf_counter() - began:.0f} s with making them)"
    )
    print(f"peak memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB")


def main(folders: list[Path]) -> None:
    """Print one column a store."""
    columns = [column(folder) for folder in folders]
    print(f"{'seconds':36}" + "".join(f"{title:>18}" for title, _ in columns))
    for name in columns[0][1]:
        print(f"{name:36}" + "".join(f"{figures[name]:18.4f}" for _, figures in columns))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--repeat"]:
        repeated(Path(sys.argv[4] if len(sys.argv) > 4 else "kg-data"), Path(sys.argv[3]), int(sys.argv[2]))
        sys.exit()
    main([Path(name) for name in sys.argv[1:]] or [Path("kg-data")])
