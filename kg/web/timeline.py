"""A timeline as SVG: a bar or a point for each thing, over years AH; time runs the way the page is read."""

from collections.abc import Iterable
from dataclasses import dataclass

from markupsafe import Markup

__all__ = ["Period", "draw_timeline"]

WIDTH, ROW, LABEL, MARGIN = 900, 28, 230, 16
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
    for step in range(0, 5):
        year = round(first + (last - first) * step / 4)
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
        shape = Markup(
            '<g><title>{t}: {y_}</title><text class="time-name" x="{nx}" y="{ty:.0f}" font-size="15" text-anchor="{a}" fill="#211c12" {lang}>{n}</text>'
            '<rect class="time-bar" x="{x:.1f}" y="{by:.1f}" width="{w:.1f}" height="12" rx="6" fill="{f}"/>'
            '<text class="time-year" x="{yx:.1f}" y="{ty:.0f}" font-size="13" text-anchor="{ya}" fill="#5d5440">{y_}</text></g>'
        ).format(
            t=period.label, y_=years, nx=name_x, ty=y + 5, a=anchor, lang=Markup('lang="ar" direction="rtl"' if arabic else 'lang="en" direction="ltr"'),
            n=label, x=left - 6, by=y - 6, w=right - left + 12, f="#1d4ed8" if period.emphasis else "#b08d4a",
            yx=left - 12 if rtl else right + 12, ya="end" if rtl else "start",
        )  # fmt: skip
        parts.append(Markup('<a href="{}">{}</a>').format(period.href, shape) if period.href else shape)
    return Markup(
        '<svg class="time-picture" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {w} {h:.0f}" width="{w}" height="{h:.0f}" role="group"'
        ' aria-labelledby="picture-of-{i}" font-family="Amiri, \'Noto Naskh Arabic\', serif" direction="ltr"><title id="picture-of-{i}">{t}</title>{p}</svg>'
    ).format(w=WIDTH, h=height, i=identity, t=title, p=Markup("").join(parts))
