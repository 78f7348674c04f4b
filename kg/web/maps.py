"""Maps drawn here, without tiles from elsewhere: coastlines of the lands of the texts, and places on them, as SVG."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import cos, radians
from pathlib import Path
from typing import Any

from markupsafe import Markup

__all__ = ["Spot", "draw_map", "read_coastlines"]

WEST, SOUTH, EAST, NORTH = 8.0, 8.0, 76.0, 46.0
"""The lands of the texts, in degrees: from Ifriqiya to Sind, from the Yemen to Transoxiana."""

Line = list[tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Spot:
    """A place on a map: longitude and latitude in degrees (WGS 84)."""

    longitude: float
    latitude: float
    label: str
    href: str | None = None
    emphasis: bool = False


def read_coastlines(topology: dict[str, Any]) -> list[Line]:
    """The rings of land of a TopoJSON file that touch the lands of the texts, in degrees with two decimals.

    Arcs are differences between whole numbers, scaled (TopoJSON 1.0, section 2.1.4); ``~n`` is arc ``n`` backwards.
    """
    scale, shift = topology["transform"]["scale"], topology["transform"]["translate"]
    arcs: list[Line] = []
    for arc in topology["arcs"]:
        x = y = 0
        line: Line = []
        for dx, dy in arc:
            x, y = x + dx, y + dy
            line.append((x * scale[0] + shift[0], y * scale[1] + shift[1]))
        arcs.append(line)
    rings: list[Line] = []
    for geometry in topology["objects"]["land"]["geometries"]:
        polygons = geometry["arcs"] if geometry["type"] == "MultiPolygon" else [geometry["arcs"]]
        for polygon in polygons:
            for indices in polygon:
                ring: Line = []
                for index in indices:
                    part = arcs[index] if index >= 0 else arcs[~index][::-1]
                    ring.extend(part[1:] if ring else part)
                ring = _clip(ring)
                if len(ring) > 3:
                    rings.append([(round(x, 2), round(y, 2)) for x, y in ring])
    return rings


def _clip(ring: Line) -> Line:
    """The part of a ring inside the frame (Sutherland and Hodgman's algorithm)."""
    for axis, limit, keep_greater in ((0, WEST, True), (0, EAST, False), (1, SOUTH, True), (1, NORTH, False)):
        kept: Line = []
        for i, point in enumerate(ring):
            before = ring[i - 1]
            inside, was = ((p[axis] >= limit) == keep_greater for p in (point, before))
            if inside != was:
                share = (limit - before[axis]) / (point[axis] - before[axis])
                kept.append((before[0] + share * (point[0] - before[0]), before[1] + share * (point[1] - before[1])))
            if inside:
                kept.append(point)
        ring = kept
    return ring


@lru_cache(maxsize=1)
def _coastlines() -> list[Line]:
    path = Path(__file__).parent / "static" / "vendor" / "coastlines.json"
    return [[(x, y) for x, y in line] for line in json.loads(path.read_text(encoding="utf-8"))] if path.exists() else []


def _frame(spots: Sequence[Spot]) -> tuple[float, float, float, float]:
    """Degrees shown: the spots with room around, never less than eight degrees wide."""
    west, east = min(s.longitude for s in spots), max(s.longitude for s in spots)
    south, north = min(s.latitude for s in spots), max(s.latitude for s in spots)
    wide = max(8.0, (east - west) * 1.3)
    high = max(wide * 0.6, (north - south) * 1.3)
    x, y = (west + east) / 2, (south + north) / 2
    return x - wide / 2, y - high / 2, x + wide / 2, y + high / 2


def draw_map(spots: Iterable[Spot], title: str, width: int = 900) -> Markup | None:
    """The places on a map, an ``svg`` element; None where there are none, or one alone without a coast to see it by.

    >>> "Medina" in draw_map([Spot(39.61, 24.47, "Medina"), Spot(39.83, 21.42, "Mecca")], "Places")
    True
    """
    spots = list(spots)
    if not spots or (len(spots) == 1 and not _coastlines()):
        return None
    west, south, east, north = _frame(spots)
    squeeze = cos(radians((south + north) / 2))
    scale = width / ((east - west) * squeeze)
    height = (north - south) * scale

    def at(longitude: float, latitude: float) -> tuple[float, float]:
        return (longitude - west) * squeeze * scale, (north - latitude) * scale

    parts = [Markup('<rect class="map-sea" width="{}" height="{:.0f}" fill="#dfe9f1"/>').format(width, height)]
    for line in _coastlines():
        if all(x < west or x > east for x, _ in line) or all(y < south or y > north for _, y in line):
            continue
        path = " ".join(f"{'L' if i else 'M'}{a:.1f} {b:.1f}" for i, (a, b) in enumerate(at(x, y) for x, y in line))
        parts.append(Markup('<path class="map-land" d="{}Z" fill="#f4eddc" stroke="#b6a988"/>').format(path))
    taken: list[tuple[float, float]] = []
    for spot in sorted(spots, key=lambda s: (not s.emphasis, s.label)):
        x, y = at(spot.longitude, spot.latitude)
        named = spot.emphasis or len(spots) <= 12 or all(abs(x - a) > 90 or abs(y - b) > 18 for a, b in taken)
        arabic = any("\u0600" <= c <= "\u06ff" for c in spot.label)
        name = Markup("")
        if named:
            taken.append((x, y))
            name = Markup(
                '<text class="map-name" x="{:.1f}" y="{:.1f}" text-anchor="middle" font-size="15" fill="#3b2f14" stroke="#fffdf8" stroke-width="3"'
                ' paint-order="stroke" {}>{}</text>'
            ).format(x, y - 9, Markup('lang="ar" direction="rtl"' if arabic else 'lang="en"'), spot.label)
        dot = Markup('<g class="map-spot"><title>{}</title><circle cx="{:.1f}" cy="{:.1f}" r="{}" fill="#9a3412"/>{}</g>').format(
            spot.label, x, y, 6 if spot.emphasis else 4.5, name
        )
        parts.append(Markup('<a href="{}">{}</a>').format(spot.href, dot) if spot.href else dot)
    return Markup(
        '<svg class="map-picture" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {w} {h:.0f}" width="{w}" height="{h:.0f}" role="group"'
        ' aria-labelledby="picture-of-map" font-family="Amiri, \'Noto Naskh Arabic\', serif"><title id="picture-of-map">{t}</title>{p}</svg>'
    ).format(w=width, h=height, t=title, p=Markup("").join(parts))
