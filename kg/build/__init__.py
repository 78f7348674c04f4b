"""Texts in, a published data folder out: extraction cached by source, one global pass, dumps and store, a swap."""

from .builder import Built, build
from .folder import BuildError, DataFolder

__all__ = ["BuildError", "Built", "DataFolder", "build"]
