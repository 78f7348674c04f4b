"""The answer to a query, in memory or in an unlinked file, and a bounded store of answers to identical queries."""

import os
import threading
from collections import OrderedDict
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from types import TracebackType

from kg.store.formats import format_named

__all__ = ["Answer", "AnswerCache"]

_BLOCK = 256 * 1024
_OBJECTS = 1_000  # bytes of the objects around an answer that is kept


@dataclass(slots=True)
class Answer:
    """A whole answer; the status of a response can be decided before its first byte is sent.

    ``kind`` is ``solutions``, ``boolean`` or ``graph``; ``format`` a name of ``kg.store.formats``; ``size`` in bytes; ``cut`` the name of the
    limit it was cut at, or empty; ``seconds`` what the query took in its worker; ``cached`` whether it was answered before.
    An answer with a file must be closed; it is a context manager.
    """

    kind: str
    format: str
    size: int
    body: bytes | None = None
    file: int | None = None
    cut: str = ""
    seconds: float = 0.0
    cached: bool = False

    @property
    def status(self) -> int:
        """The HTTP status: an answer that is there is always 200, whole or cut."""
        return 200

    @property
    def truncated(self) -> bool:
        """Whether a limit cut it."""
        return bool(self.cut)

    @property
    def content_type(self) -> str:
        """The Content-Type header."""
        return format_named(self.format).content_type

    def chunks(self) -> Iterator[bytes]:
        """The bytes in blocks; closes the answer at the end."""
        try:
            if self.body is not None:
                yield self.body
            at = 0
            while self.file is not None and at < self.size:
                block = os.pread(self.file, min(_BLOCK, self.size - at), at)
                if not block:
                    raise OSError(f"the spool of an answer ends at {at} of {self.size} bytes")
                at += len(block)
                yield block
        finally:
            self.close()

    def read(self) -> bytes:
        """All bytes; closes the answer."""
        return b"".join(self.chunks())

    def close(self) -> None:
        """Give the file back; may be called twice."""
        file, self.file = self.file, None
        if file is not None:
            os.close(file)

    def __enter__(self) -> "Answer":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def __del__(self) -> None:
        self.close()


class AnswerCache:
    """The answers last given, up to ``most_bytes`` of bodies; answers in files are not kept.

    >>> cache = AnswerCache(2000)
    >>> cache.put("a", Answer("boolean", "json", 600, b"1" * 600))
    >>> cache.put("b", Answer("boolean", "json", 600, b"2" * 600))
    >>> cache.get("a") is None, cache.get("b").cached
    (True, True)
    """

    def __init__(self, most_bytes: int) -> None:
        self._most, self._taken = most_bytes, 0
        self._answers: OrderedDict[Hashable, tuple[Answer, int]] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Hashable) -> Answer | None:
        """The answer kept under this key, marked as cached and costing nothing."""
        with self._lock:
            kept = self._answers.get(key)
            if kept is None:
                return None
            self._answers.move_to_end(key)
        answer, _ = kept
        return Answer(answer.kind, answer.format, answer.size, answer.body, cut=answer.cut, cached=True)

    def put(self, key: Hashable, answer: Answer, beside: int = 0) -> None:
        """Keep an answer; the oldest go where there is no room. ``beside`` are the bytes of the key."""
        if answer.body is None or answer.size > self._most:
            return
        weight = answer.size + beside + _OBJECTS
        with self._lock:
            self._taken += weight - self._answers.pop(key, (None, 0))[1]
            self._answers[key] = answer, weight
            while self._taken > self._most:
                self._taken -= self._answers.popitem(last=False)[1][1]

    def clear(self) -> None:
        """Forget all answers."""
        with self._lock:
            self._answers.clear()
            self._taken = 0
