"""Lists of battles after a verb of presence, and words that only look like one."""

import pytest

from kg.authority import load
from kg.extract.presence import PresenceReader
from kg.text import Words


@pytest.mark.parametrize(
    ("text", "events"),
    [
        ("شَهِدَ بَدْرًا وَأُحُدًا وَالْخَنْدَقَ", ["event/battle-of-badr", "event/battle-of-uhud", "event/battle-of-the-trench"]),
        ("شهد بدرا وأحدا", ["event/battle-of-badr", "event/battle-of-uhud"]),
        ("شَهِدَ أُحُدًا", ["event/battle-of-uhud"]),
        ("لَقَدْ شَهِدْتُ تِلْكَ اللَّيْلَةَ وَمَا شَعَرْتُ أَنَّ أَحَدًا حَفِظَ", []),  # anyone
    ],
)
def test_anyone_is_not_uhud(text: str, events: list[str]) -> None:
    assert [attendance.key for attendance in PresenceReader(load().events).find(Words(text))] == events
