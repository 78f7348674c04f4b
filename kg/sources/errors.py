"""What can be wrong with a source, told in one sentence with file and line."""

from collections.abc import Callable

__all__ = ["OnError", "Reports", "SourceError"]


class SourceError(ValueError):
    """A source cannot be read: what was seen, where, and what to do. ``line`` counts from 1; None for a whole file."""

    def __init__(self, where: str, line: int | None, message: str) -> None:
        super().__init__(f"{where}:{line}: {message}" if line else f"{where}: {message}")
        self.where, self.line, self.message = where, line, message


OnError = Callable[[SourceError], None]
"""Takes an error and returns, so that reading goes on after the bad piece; the default raises it."""


def raise_error(error: SourceError) -> None:
    """The default: the first error ends the reading."""
    raise error


class Reports:
    """Passes errors on and knows whether there was one: a file that could not be read is not also called empty."""

    def __init__(self, on_error: OnError) -> None:
        self._on_error, self.any = on_error, False

    def __call__(self, error: SourceError) -> None:
        self.any = True
        self._on_error(error)
