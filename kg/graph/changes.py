"""What changed since the version before: counts by graph, and a patch that makes the old graph the new one.

Dumps are sorted in byte order, so two versions are compared line by line as they stream past. The patch is RDF Patch
(https://afs.github.io/rdf-patch/): ``D`` lines take away, ``A`` lines add.
"""

import json
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO

from kg.graph.formats import WHOLE, checksums, read_packed, write_packed

__all__ = ["CHANGES", "PATCH", "Change", "differing_lines", "write_changes"]

CHANGES, PATCH = "changes.json", "changes.rdfp.gz"


@dataclass(slots=True)
class Change:
    """Statements added to and removed from one named graph; ``graph`` is the stem of its files."""

    graph: str
    added: int = 0
    removed: int = 0


def differing_lines(before: Iterator[bytes], now: Iterator[bytes]) -> Iterator[tuple[bytes, bytes]]:
    """The lines that only one of two sorted streams has: ``(b"D", line)`` or ``(b"A", line)``.

    >>> list(differing_lines(iter([b"a", b"c"]), iter([b"a", b"b", b"c"])))
    [(b'A', b'b')]
    """
    old, new = next(before, None), next(now, None)
    while old is not None or new is not None:
        if old == new:
            old, new = next(before, None), next(now, None)
        elif new is None or (old is not None and old < new):
            assert old is not None
            yield b"D", old
            old = next(before, None)
        else:
            yield b"A", new
            new = next(now, None)


def _graphs(dumps: Path) -> dict[str, Path]:
    return {path.name.removesuffix(".nq.zst"): path for path in dumps.glob("*.nq.zst") if not path.name.startswith(f"{WHOLE}.")}


def write_changes(before: Path, now: Path) -> list[Change]:
    """Compares the packed dumps of two versions; writes ``changes.json`` and ``changes.rdfp.gz`` into the newer.

    The base of both must be the same; where it is not, every statement is another one and the patch says so.
    """
    old, new = _graphs(before), _graphs(now)
    changes = []
    with write_packed(now / PATCH) as patch:
        patch.write(b"TX .\n")
        for graph in sorted({*old, *new}):
            change = Change(graph)
            with ExitStack() as stack:
                lines = [_lines(stack, files.get(graph)) for files in (old, new)]
                for sign, line in differing_lines(*lines):
                    patch.write(sign + b" " + line)
                    if sign == b"A":
                        change.added += 1
                    else:
                        change.removed += 1
            changes.append(change)
        patch.write(b"TC .\n")
    told = {"previous": before.parent.name, "graphs": [asdict(change) for change in changes]}
    (now / CHANGES).write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
    checksums(now)
    return changes


def _lines(stack: ExitStack, path: Path | None) -> Iterator[bytes]:
    if path is None:
        return iter(())
    stream: IO[bytes] = stack.enter_context(read_packed(path))
    return iter(stream)
