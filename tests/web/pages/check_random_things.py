"""The check of 200 random things of a built folder in every format: ``python tests/web/pages/check_random_things.py [DATA] [NUMBER]``.

For each: the thing answers 303 with ``Vary`` and the right address for the type asked for; the document has the type, a strong tag of
its own, answers 304 to it and 200 to the others' tags; RDF parses (Oxigraph and rdflib) to the same number of triples and speaks of the thing.
"""

import random
import sys
import warnings
from pathlib import Path

from rdflib import Graph

from kg.web.app import create_app
from kg.web.formats import FORMATS

READERS = {".ttl": "turtle", ".jsonld": "json-ld", ".nt": "nt", ".rdf": "xml"}


def check(data: Path, number: int) -> list[str]:
    """What is wrong, a line each."""
    warnings.simplefilter("ignore", DeprecationWarning)
    app = create_app(data)
    client, edition = app.test_client(), app.extensions["kg-shelf"].current()
    subjects = sorted(
        {
            q.subject.value
            for q in edition.store.quads()
            if q.subject.value.startswith(edition.base) and "#" not in q.subject.value
        }
    )
    wrong: list[str] = []

    def expect(true: bool, line: str) -> None:
        if not true:
            wrong.append(line)

    for iri in random.Random(200).sample(subjects, number):
        path = "/" + iri.removeprefix(edition.base)
        if iri == edition.base + "ontology":
            continue
        tags: dict[str, str] = {}
        sizes: set[int] = set()
        for suffix, form in FORMATS.items():
            lead = client.get(path, headers={"Accept": form.media_type})
            expect(lead.status_code == 303, f"{path}: {lead.status_code} for {form.media_type}")
            expect(
                lead.headers.get("Location") == f"http://localhost{path}{suffix}",
                f"{path}: leads to {lead.headers.get('Location')}",
            )
            expect("Accept" in lead.headers.get("Vary", ""), f"{path}: no Vary")
            answer = client.get(path + suffix)
            expect(
                answer.status_code == 200 and answer.mimetype == form.media_type,
                f"{path}{suffix}: {answer.status_code} {answer.mimetype}",
            )
            tags[suffix] = answer.headers.get("ETag", "")
            expect(tags[suffix].startswith('"'), f"{path}{suffix}: tag {tags[suffix]}")
            again = client.get(path + suffix, headers={"If-None-Match": tags[suffix]})
            expect(again.status_code == 304, f"{path}{suffix}: {again.status_code} to its own tag")
            if form.rdf is None:
                expect(iri in answer.text, f"{path}{suffix}: does not name the thing")
            else:
                graph = Graph().parse(data=answer.data, format=READERS[suffix])
                sizes.add(len(graph))
                expect(any(iri in (str(s), str(o)) for s, _, o in graph), f"{path}{suffix}: does not speak of the thing")
        expect(len(sizes) == 1, f"{path}: {sizes} triples in the four formats")
        expect(len(set(tags.values())) == len(FORMATS), f"{path}: tags are shared")
    return wrong


if __name__ == "__main__":
    data, number = Path(sys.argv[1] if len(sys.argv) > 1 else "kg-data"), int(sys.argv[2] if len(sys.argv) > 2 else 200)
    found = check(data, number)
    print("\n".join(found) or f"{number} random things in {len(FORMATS)} formats: nothing is wrong")
    raise SystemExit(bool(found))
