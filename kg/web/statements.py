"""What is read of a store: statements, asked for by pattern."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Protocol

from pyoxigraph import Literal, NamedNode

__all__ = ["Node", "Quads", "Said"]

Node = NamedNode | Literal


class Said(Protocol):
    """One statement of our graphs, in which there are no blank nodes and no quoted triples."""

    @property
    def subject(self) -> NamedNode: ...
    @property
    def predicate(self) -> NamedNode: ...
    @property
    def object(self) -> Node: ...


class Quads(Protocol):
    """What is asked of a store: its statements by pattern, one pattern at a time or many things at once.

    ``kg.store.embedded.EmbeddedStore`` and ``kg.store.remote.RemoteStore`` have it."""

    def quads(self, subject: Any = None, predicate: Any = None, object: Any = None, graph: Any = None) -> Iterator[Said]: ...
    def of(self, subjects: Iterable[str], predicates: Sequence[str] = ()) -> Iterator[Said]: ...
    def pointing(self, objects: Iterable[str], predicate: str) -> Iterator[Said]: ...
    def answers(self) -> bool: ...
