"""Times: years with their hundreds and months, dates counted from the end of a month, years that leave their tens to the next."""

import pytest

from kg.extract.times import TimeReader
from kg.text import Words

BADR = "event/battle-of-badr"


@pytest.fixture(scope="module")
def reader() -> TimeReader:
    return TimeReader({("بدر",): BADR})


@pytest.mark.parametrize(
    ("text", "said", "year"),
    [
        ("توفي سنة ثنتين ومائتين", "سنة ثنتين ومائتين", 202),
        ("توفي سنة خمس وتسعين وأربعمائة", "سنة خمس وتسعين وأربعمائة", 495),
        ("كتب سنة سبع مائة", "سنة سبع مائة", 700),
        ("كانت في شوال سنة خمس", "شوال سنة خمس", 5),
        ("إلى شهر رمضان من سنة تسع", "شهر رمضان من سنة تسع", 9),
        ("لعشر ليال بقين من شهر رمضان سنة ثمان", "عشر ليال بقين من شهر رمضان سنة ثمان", 8),
        ("توفي سنة ست وقيل سبع وأربعين ومائة", "سنة ست", 146),
    ],
)
def test_a_year_has_its_hundreds_and_its_month(reader: TimeReader, text: str, said: str, year: int) -> None:
    (time,) = reader.find(Words(text))
    assert (time.text, time.hijri, time.duration) == (said, (year, year), None)


@pytest.mark.parametrize(
    ("text", "said", "duration"),
    [
        ("مكثا ثلاث ليال", "ثلاث ليال", "P3D"),
        ("فأقام شهرين", "شهرين", "P2M"),
        ("بلغ مائة وثمانيا وعشرين سنة", "مائة وثمانيا وعشرين سنة", "P128Y"),
    ],
)
def test_durations(reader: TimeReader, text: str, said: str, duration: str) -> None:
    (time,) = reader.find(Words(text))
    assert (time.text, time.duration, time.hijri) == (said, duration, None)


def test_a_day_named_after_an_event(reader: TimeReader) -> None:
    (time,) = reader.find(Words("قتل يوم بدر"))
    assert (time.text, time.event) == ("يوم بدر", BADR)


@pytest.mark.parametrize("text", ["يَؤُمَّانِ النَّخْلَ", "أربع من النساء", "في السنة أحكام"])
def test_no_time(reader: TimeReader, text: str) -> None:
    assert not reader.find(Words(text))


def test_a_day_of_a_month_has_no_duration(reader: TimeReader) -> None:
    (time,) = reader.find(Words("فقدم لأربع مضين من ذي الحجة"))
    assert time.text.endswith("ذي الحجة") and time.duration is None
