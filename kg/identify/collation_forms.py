"""A collation written down: as JSON, as a TEI apparatus, and as the rows of a table for a page."""

from collections.abc import Mapping
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from kg.identify.collation import Collation, Place, Reading

__all__ = ["to_json", "to_rows", "to_tei"]


def to_json(collation: Collation) -> dict[str, Any]:
    """The collation as JSON: places in order, readings by witness; offsets count code points of each text.

    >>> from kg.identify.collation import collate
    >>> found = to_json(collate([("a", "فقد خامر"), ("b", "فقد غامر")]))
    >>> found["witnesses"], found["places"][1]["kind"], found["places"][1]["readings"]["b"]["text"]
    (['a', 'b'], 'changed', 'غامر')
    """
    return {
        "witnesses": list(collation.witnesses),
        "places": [
            {
                "kind": place.kind,
                "kinds": dict(zip(collation.witnesses[1:], place.kinds[1:], strict=True)),
                "detail": place.detail,
                "partner": place.partner,
                "readings": {
                    witness: None if reading is None else _reading(reading)
                    for witness, reading in zip(collation.witnesses, place.readings, strict=True)
                },
            }
            for place in collation.places
        ],
    }


def _reading(reading: Reading) -> dict[str, Any]:
    return {"start": reading.start, "end": reading.end, "text": reading.text, "count": reading.count}


def to_rows(collation: Collation) -> list[dict[str, Any]]:
    """The rows of a table: the kind, its detail, and a cell a witness (text, or None), each with its kind.

    >>> from kg.identify.collation import collate
    >>> to_rows(collate([("a", "صدقت"), ("b", "صدق")]))[0]["cells"]
    [{'witness': 'a', 'kind': 'agreed', 'text': 'صدقت'}, {'witness': 'b', 'kind': 'changed', 'text': 'صدق'}]
    """
    return [
        {
            "kind": place.kind,
            "detail": place.detail,
            "cells": [
                {"witness": witness, "kind": kind, "text": None if reading is None else reading.text}
                for witness, kind, reading in zip(collation.witnesses, place.kinds, place.readings, strict=True)
            ],
        }
        for place in collation.places
    ]


def to_tei(collation: Collation, titles: Mapping[str, str] | None = None) -> str:
    """The collation as TEI P5 with a critical apparatus by parallel segmentation; the first witness is the lemma.

    >>> from kg.identify.collation import collate
    >>> print(to_tei(collate([("a", "فقد خامر"), ("b", "فقد غامر")])).split("<p>")[1].split("</p>")[0])
    فقد <app type="changed"><lem wit="#w1">خامر</lem><rdg wit="#w2">غامر</rdg></app>
    """
    marks = {witness: f"w{number}" for number, witness in enumerate(collation.witnesses, 1)}
    listed = "\n".join(
        f"        <witness xml:id={quoteattr(mark)} n={quoteattr(witness)}>{escape((titles or {}).get(witness, witness))}</witness>"
        for witness, mark in marks.items()
    )
    body = " ".join(_segment(place, list(marks.values())) for place in collation.places)
    return _TEI.format(witnesses=listed, body=body)


def _segment(place: Place, marks: list[str]) -> str:
    lemma = place.readings[0]
    if place.kind == "agreed" and lemma is not None:
        return escape(lemma.text)
    readings: dict[str, list[str]] = {}
    for number, (kind, reading) in enumerate(zip(place.kinds, place.readings, strict=True)):
        text = "" if reading is None else lemma.text if kind == "agreed" and lemma is not None else reading.text
        if number == 0 or kind != "agreed":
            readings.setdefault(text, []).append("#" + marks[number])
        else:
            readings.setdefault("" if lemma is None else lemma.text, []).append("#" + marks[number])
    parts = []
    for number, (text, witnesses) in enumerate(readings.items()):
        name, where = ("lem" if number == 0 else "rdg"), quoteattr(" ".join(witnesses))
        parts.append(f"<{name} wit={where}>{escape(text)}</{name}>" if text else f"<{name} wit={where}/>")
    return f"<app type={quoteattr(place.kind)}>{''.join(parts)}</app>"


_TEI = """<?xml version="1.0" encoding="UTF-8"?>
<TEI xmlns="http://www.tei-c.org/ns/1.0" xml:lang="ar">
  <teiHeader>
    <fileDesc>
      <titleStmt><title xml:lang="en">Collation</title></titleStmt>
      <publicationStmt><p xml:lang="en">Made by Silsila</p></publicationStmt>
      <sourceDesc><listWit>
{witnesses}
      </listWit></sourceDesc>
    </fileDesc>
    <encodingDesc><variantEncoding method="parallel-segmentation" location="internal"/></encodingDesc>
  </teiHeader>
  <text><body>
    <p>{body}</p>
  </body></text>
</TEI>
"""
