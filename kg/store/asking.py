"""What the query workers of a built folder and another SPARQL server have in common: a query in, its answer out."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable

from kg.store.answers import Answer
from kg.store.evaluation import Question
from kg.store.limits import Limits

__all__ = ["Asked"]


class Asked(ABC):
    """Whoever answers queries within ``limits``."""

    limits: Limits

    def run(
        self,
        query: str,
        *,
        base: str | None = None,
        default_graphs: Iterable[str] = (),
        named_graphs: Iterable[str] = (),
        result_format: str | None = "json",
        graph_format: str | None = "turtle",
        prefixes: Iterable[tuple[str, str]] = (),
        rows: int | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> Answer:
        """The answer of a query.

        Without a dataset, in the query or in ``default_graphs`` and ``named_graphs``, the default graph is the union of the named graphs.
        A graph that is not in the store is empty; nothing is ever fetched. ``prefixes`` shorten Turtle. ``rows`` cuts the answer
        earlier than the limit does. ``cancelled`` is asked a few times a second; when it says so, the query is stopped.

        Raises:
            QueryError: one of its kinds; the query got no answer.
            StoreError: another server cannot be reached, or its answer cannot be read.
        """
        question = Question(
            query=query,
            base=base,
            default_graphs=tuple(default_graphs),
            named_graphs=tuple(named_graphs),
            result_format=result_format,
            graph_format=graph_format,
            prefixes=tuple(prefixes),
            rows=rows or self.limits.rows,
        )
        return self.ask(question, cancelled)

    @abstractmethod
    def ask(self, question: Question, cancelled: Callable[[], bool] | None = None) -> Answer:
        """``run`` for a question that is put together already."""
