"""A timeline as SVG: a bar or a point for each thing, over years AH; time runs the way the page is read."""

from collections.abc import Iterable
from dataclasses import dataclass

from markupsafe import Markup, escape

__all__ = ["Period", "draw_timeline"]

WIDTH, ROW, LABEL, MARGIN = 900, 28, 230, 16
_ARABIC, _LATIN = 'lang="ar" direction="rtl"', 'lang="en" direction="ltr"'
MOST = 80
"""Rows drawn; the earliest are kept."""


@dataclass(frozen=True, slots=True)
class Period:
    """Years AH from ``first`` to ``last``, both included."""

    label: str
    first: int
    last: int
    href: str | None = None
    emphasis: bool = False


def round_years(first: int, last: int) -> list[int]:
    """Some four to eight round years between two.

    >>> round_years(80, 261), round_years(1, 11)
    ([100, 150, 200, 250], [2, 4, 6, 8, 10])
    """
    step = next((step for step in (1, 2, 5, 10, 20, 50, 100, 200, 500) if (last - first) / step <= 7), 1000)
    return list(range(-(-first // step) * step, last + 1, step))


def draw_timeline(periods: Iterable[Period], title: str, *, rtl: bool = False, identity: str = "timeline") -> Markup | None:
    """The periods one below the other, in order of time; None where there are none.

    >>> ">245<" in draw_timeline([Period("Hisham", 245, 245), Period("Zayd", 138, 138)], "Deaths")
    True
    """
    rows = sorted(periods, key=lambda p: (p.last, p.first, p.label))[:MOST]
    if not rows:
        return None
    first, last = min(p.first for p in rows), max(p.last for p in rows)
    first, last = (first - 2, last + 2) if last - first < 10 else (first, last)
    room = WIDTH - LABEL - 3 * MARGIN - 70

    def across(year: float) -> float:
        share = (year - first) / (last - first)
        x = LABEL + 2 * MARGIN + share * room
        return WIDTH - x if rtl else x

    parts: list[Markup] = []
    height = len(rows) * ROW + 2 * MARGIN + 18
    for year in round_years(first, last):
        x = across(year)
        parts.append(
            Markup(
                '<line x1="{0:.0f}" x2="{0:.0f}" y1="{1}" y2="{2}" stroke="#c9bd9f"/><text class="time-year" x="{0:.0f}" y="{3}" font-size="13"'
                ' text-anchor="middle" fill="#5d5440">{4}</text>'
            ).format(x, MARGIN, height - MARGIN - 12, height - 6, year)
        )
    for number, period in enumerate(rows):
        y = MARGIN + number * ROW + ROW / 2
        left, right = sorted((across(period.first), across(period.last)))
        arabic = any("\u0600" <= c <= "\u06ff" for c in period.label)
        name_x = WIDTH - MARGIN if rtl else MARGIN
        anchor = "start" if arabic == rtl else "end"
        years = str(period.last) if period.first == period.last else f"{period.first}–{period.last}"
        label = period.label if len(period.label) <= 34 else period.label[:33].rstrip() + "…"
        shape = (
            f"<g><title>{escape(period.label)}: {years}</title>"
            f'<text class="time-name" x="{name_x}" y="{y + 5:.0f}" font-size="15" text-anchor="{anchor}" fill="#211c12"'
            f" {_ARABIC if arabic else _LATIN}>{escape(label)}</text>"
            f'<rect class="time-bar" x="{left - 6:.1f}" y="{y - 6:.1f}" width="{right - left + 12:.1f}" height="12" rx="6"'
            f' fill="{"#1d4ed8" if period.emphasis else "#b08d4a"}"/>'
            f'<text class="time-year" x="{left - 12 if rtl else right + 12:.1f}" y="{y + 5:.0f}" font-size="13"'
            f' text-anchor="{"end" if rtl else "start"}" fill="#5d5440">{years}</text></g>'
        )
        parts.append(Markup(f'<a href="{escape(period.href)}">{shape}</a>' if period.href else shape))
    return Markup(
        '<svg class="time-picture" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {w} {h:.0f}" width="{w}" height="{h:.0f}" role="group"'
        ' aria-labelledby="picture-of-{i}" font-family="Amiri, \'Noto Naskh Arabic\', serif" direction="ltr">'
        '<title id="picture-of-{i}">{t}</title>{p}</svg>'
    ).format(w=WIDTH, h=height, i=identity, t=title, p=Markup("").join(parts))
