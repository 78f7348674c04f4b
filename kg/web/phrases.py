"""Sentences that the graph holds in English (reasons, sources, licences), told to readers of Arabic by the table ``i18n/phrases.tsv``."""

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

from kg.tables import read_tsv
from kg.web.languages import Text, genitive, messages

__all__ = ["told"]

_PLACES = {
    "{n}": r"(?P<n>[\d,]+)",
    "{name}": r"(?P<name>.+?)",
    "{chains}": r"(?P<chains>one chain|[\d,]+ chains)",
    "{rest}": r"(?P<rest>.+)",
}


_TABLE = Path(__file__).parent / "i18n" / "phrases.tsv"
_COLUMNS = ("english", "arabic", "shown")


@cache
def _shown() -> dict[str, str]:
    """What is shown to readers of English where it is not the graph's own words."""
    return {row["english"]: row["shown"] for _, row in read_tsv(_TABLE, _COLUMNS) if row["shown"]}


@cache
def _plain() -> dict[str, str]:
    return {row["english"]: row["arabic"] for _, row in read_tsv(_TABLE, _COLUMNS) if "{" not in row["english"]}


@cache
def _patterns() -> tuple[tuple[re.Pattern[str], str], ...]:
    found = []
    for _, row in read_tsv(_TABLE, _COLUMNS):
        if "{" in row["english"]:
            pattern = re.escape(row["english"]).replace(r"\{", "{").replace(r"\}", "}")
            for place, expression in _PLACES.items():
                pattern = pattern.replace(place, expression)
            found.append((re.compile(pattern), row["arabic"]))
    return tuple(found)


def told(words: str, language: str, name: Callable[[str], str] = str) -> Text:
    """A sentence, its parts divided by semicolons, for a reader; ``name`` gives the Arabic name of a person from the English one.

    >>> told("pupil of Malik b. Anas in 7 chains; died 197", "ar", lambda english: "مالك").value
    'روى عن مالك في 7 أسانيد؛ ت 197 هـ'
    >>> told("pupil of Abu Bakr in 2 chains", "ar", lambda english: "أبو بكر").value
    'روى عن أبي بكر في إسنادين'
    >>> told("by a rule of mine", "ar")
    Text(value='by a rule of mine', language='en')
    """
    if language != "ar":
        return Text("; ".join(_shown().get(part, part) for part in words.split("; ")), "en")
    parts = [_arabic(part, name) for part in words.split("; ")]
    if any(part is None for part in parts):
        return Text(words, "en")
    return Text("؛ ".join(part for part in parts if part is not None), "ar")


def _arabic(part: str, name: Callable[[str], str]) -> str | None:
    if part in _plain():
        return _plain()[part]
    for pattern, arabic in _patterns():
        found = pattern.fullmatch(part)
        if found:
            places = found.groupdict()
            if "name" in places:
                places["name"] = name(places["name"])
                places["genitive"] = genitive(places["name"])
            if "chains" in places:
                number = places["chains"].split()[0].replace(",", "")
                places["chains"] = messages("ar").count("count.chains", 1 if number == "one" else int(number))
            for place, value in places.items():
                arabic = arabic.replace("{" + place + "}", value)
            return arabic
    return None
