"""The named events of the sira: ``events.toml`` read into ``Event`` entries."""

from pathlib import Path
from typing import Any

from kg.authority.model import Event, Year
from kg.tables import TableError, read_toml

__all__ = ["EVENTS_FILE", "read_events"]

EVENTS_FILE = Path(__file__).parent / "events.toml"

_REQUIRED = ("key", "type", "name_ar", "name_en", "year", "source")


def read_events(path: Path = EVENTS_FILE) -> dict[str, Event]:
    """The named events by key, in the order of the file.

    Years are AH and may be an interval; the year before the first of the Hijra is 0. English variants stand among the
    surfaces after the Arabic ones, and phrases that speak of the event without naming it between them.

    Raises:
        TableError: an entry lacks a field, or names a whole or a predecessor that is not in the file.

    >>> read_events()["event/battle-of-badr"].date.first
    2
    """
    lines = path.read_text(encoding="utf-8").splitlines()
    events: dict[str, Event] = {}
    for entry in read_toml(path).get("event", []):
        line = _line_of(lines, entry)
        for name in _REQUIRED:
            if name not in entry:
                raise TableError(path, line, f"the event lacks {name!r}: add it")
        first, last = entry["year"]
        if first > last:
            raise TableError(path, line, f"the year {entry['year']} ends before it begins: turn the two numbers round")
        events[entry["key"]] = Event(
            key=entry["key"],
            type=entry["type"],
            name_ar=entry["name_ar"],
            name_en=entry["name_en"],
            surfaces=(*entry.get("variants_ar", ()), *entry.get("phrases_ar", ()), *entry.get("variants_en", ())),
            phrases=tuple(entry.get("phrases_ar", ())),
            date=Year(first, last, precision=entry.get("precision", "year"), source=entry["source"]),
            place=entry.get("place"),
            participants=tuple((role, person) for role, person in entry.get("participants", ())),
            part_of=entry.get("part_of"),
            after=entry.get("after"),
            source=entry["source"],
        )
    for event in events.values():
        for other in (event.part_of, event.after):
            if other is not None and other not in events:
                raise TableError(
                    path, _line_of(lines, {"key": event.key}), f"{event.key} names {other}, which is no event of this file"
                )
    return events


def _line_of(lines: list[str], entry: dict[str, Any]) -> int:
    wanted = f'key = "{entry.get("key", "")}"'
    return next((number for number, line in enumerate(lines, 1) if line.strip() == wanted), 1)
