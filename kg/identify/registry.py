"""The registry of persons known from chains only: their opaque ids, kept from build to build, and ids that were retired.

An id comes from the first mention of the person (``person/c-`` and letters). A source added later may not rename it: the registry
remembers each mention's id. When two become one, the retired id points to the one that stays; where nothing replaces it, to nothing.
The addresses of the persons of the tables are remembered likewise, so that one who gets a readable address leaves a redirect.
"""

import hashlib
import json
import os
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

__all__ = ["UNKNOWN", "Registry", "RegistryError", "opaque_id"]

_FILE = "persons.json"
UNKNOWN = "person/c-"
"""How the ids of persons known from chains only begin."""


class RegistryError(ValueError):
    """The registry file cannot be read: says which file and what to do."""


def opaque_id(mention: str) -> str:
    """The id of a person known from chains only, made from the first mention.

    >>> opaque_id("bazzar:quarrel/11-31")
    'person/c-rnriv3gxck'
    """
    digest = hashlib.sha256(mention.encode()).digest()
    number = int.from_bytes(digest[:7], "big")
    letters = "abcdefghijklmnopqrstuvwxyz234567"
    text = ""
    for _ in range(10):
        number, rest = divmod(number, 32)
        text += letters[rest]
    return f"person/c-{text}"


@dataclass(slots=True)
class Registry:
    """``ids`` maps a mention (``bukhari:3661/11-32``) to the person's key; ``retired`` a key to the one that took its place,
    or to None where nothing did; ``joined`` the same where a scholar's correction says so, for as long as it stands;
    ``addresses`` the keys of the persons of the tables at the last build, each with the number in the Taqrib."""

    ids: dict[str, str] = field(default_factory=dict)
    retired: dict[str, str | None] = field(default_factory=dict)
    joined: dict[str, str] = field(default_factory=dict)
    addresses: dict[str, int | None] = field(default_factory=dict)

    @classmethod
    def load(cls, folder: Path) -> "Registry":
        """The registry of a data folder; an absent one is empty.

        Raises:
            RegistryError: the file is not what ``save`` wrote.
        """
        path = folder / _FILE
        if not path.is_file():
            return cls()
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
            registry = cls(
                dict(data["ids"]), dict(data["retired"]), dict(data.get("joined", {})), dict(data.get("addresses", {}))
            )
        except (ValueError, KeyError, TypeError) as error:
            raise RegistryError(
                f"{path}: not a registry of persons ({error}): restore it from a backup; without it, ids of persons known from chains may change"
            ) from error
        circle = registry.circle()
        if circle:
            raise RegistryError(f"{path}: retired ids lead in a circle ({' → '.join(circle)}): restore it from a backup")
        return registry

    def save(self, folder: Path) -> None:
        """Writes the registry, whole or not at all."""
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / _FILE
        tables: dict[str, Mapping[str, str | int | None]] = {
            "ids": self.ids,
            "retired": self.retired,
            "joined": self.joined,
            "addresses": self.addresses,
        }
        data = {name: dict(sorted(table.items())) for name, table in tables.items()}
        draft = path.with_suffix(".tmp")
        draft.write_text(json.dumps(data, ensure_ascii=False, indent=0) + "\n", encoding="utf-8")
        os.replace(draft, path)

    def keep(self, persons: Mapping[str, int | None]) -> None:
        """Notes the keys of the persons of the tables with their numbers in the Taqrib.

        A key that the last build had and this one has not is retired in favour of the person of the same number, or of nothing.

        >>> registry = Registry()
        >>> registry.keep({"person/taqrib-2911": 2911})
        >>> registry.keep({"person/sadaqa-b-khalid": 2911})
        >>> registry.redirects()
        {'person/taqrib-2911': 'person/sadaqa-b-khalid'}
        """
        numbers = {number: key for key, number in persons.items() if number is not None}
        for key in persons:
            self.retired.pop(key, None)
        for key, number in self.addresses.items():
            if key not in persons:
                self.retire(key, numbers.get(number) if number is not None else None)
        self.addresses = dict(persons)

    def key_for(self, mentions: Iterable[str], apart: Container[frozenset[str]] = frozenset()) -> str:
        """The key of the person of these mentions (in text order): the oldest id any of them has, or a new one.

        A mention keeps the id it was first given; ``apart`` are pairs of ids that a scholar calls two, which no longer lead to one another.

        >>> registry = Registry()
        >>> first = registry.key_for(["a:2/0-4", "a:9/0-4"])
        >>> registry.key_for(["a:1/0-4", "a:2/0-4"]) == first
        True
        """
        named = list(mentions)
        known = list(dict.fromkeys(self.ids[mention] for mention in named if mention in self.ids))
        for old in known:
            now = self.current(old)
            if old in self.retired and (now is None or not now.startswith(UNKNOWN) or frozenset({old, now}) in apart):
                del self.retired[old]  # the person is met again, or is no longer taken for another
        key = next((now for old in known if (now := self.current(old)) is not None), None)
        if key is None:
            key = opaque_id(named[0])
            self.retired.pop(key, None)
        for other in known:
            if other != key and other not in self.retired:
                self.retire(other, key)
        for mention in named:
            self.ids.setdefault(mention, key)
        return key

    def current(self, key: str) -> str | None:
        """The key that stands for ``key`` now; None where it was retired without successor."""
        now: str | None = key
        while now is not None and now in self.retired:
            now = self.retired[now]
        return now

    def retire(self, key: str, successor: str | None) -> None:
        """Retires a key in favour of another, or of nothing. A successor that had been retired in favour of ``key`` lives again."""
        if successor is None:
            self.retired[key] = None
        elif key != successor:
            if self.current(successor) == key:
                self.retired.pop(successor)
            self.retired[key] = successor

    def redirects(self) -> dict[str, str | None]:
        """Every id that no longer stands for itself, and the one that does; None where nothing took its place."""
        return {**self.retired, **self.joined}

    def circle(self) -> list[str]:
        """Ids that lead to one another without end, as a broken file may have them; empty where there are none."""
        redirects = self.redirects()
        for start in redirects:
            path, now = [start], redirects[start]
            while now is not None and now in redirects:
                if now in path:
                    return [*path, now]
                path.append(now)
                now = redirects[now]
        return []
