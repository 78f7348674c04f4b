"""The picture of a chain or a bundle of chains: layers from the Prophet at the top down to the books, as SVG.

The layers are longest paths from the top; crossings are lowered by ordering each layer after its neighbours (Sugiyama's method, with
dummy nodes where a line passes a layer). A layer of many narrators is folded: every second box stands lower, and lines run down between
the boxes, so that a bundle of 150 narrators is half as wide. Colours are attributes, so that the picture stands alone, and classes,
so that a page can recolour it. Lines run from the teacher down to the student.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from markupsafe import Markup, escape

__all__ = ["Bundle", "Edge", "Node", "draw"]

WIDTH, HEIGHT = 168, 50
BESIDE, BELOW = 22, 46
MARGIN = 14
LETTERS = {"ar": 23, "en": 21}
SWEEPS = 12
FOLDED = 8
"""Boxes in a layer from which on every second one stands lower."""
LOWER = HEIGHT + 18
"""How much lower: a box and a gap."""
LANE = 34
"""Room for a line that passes a layer."""
MANY = 40
"""Nodes from which on the words of transmission are left to the list beside the picture."""
SIGNS = {"common-link": "◆ ", "partial": "◇ ", "self": "● "}
"""What stands before a name, so that no one needs the colour."""

EMPHASIS = {
    "": ("#fdfaf3", "#8a7a58"),
    "prophet": ("#14532d", "#14532d"),
    "common-link": ("#fde68a", "#92400e"),
    "partial": ("#fef3c7", "#b45309"),
    "book": ("#e0e7ef", "#334155"),
    "undecided": ("#ffffff", "#6b7280"),
    "self": ("#dbeafe", "#1d4ed8"),
}
"""Fill and stroke by kind of node; pages override them by class for dark screens."""


@dataclass(frozen=True, slots=True)
class Node:
    """A narrator, a book or the Prophet in a picture. ``note`` is a second, smaller line: a year, a number."""

    id: str
    label: str
    note: str = ""
    href: str | None = None
    emphasis: str = ""


@dataclass(frozen=True, slots=True)
class Edge:
    """``student`` received from ``teacher``; ``term`` is the word of transmission, ``weight`` the number of reports."""

    teacher: str
    student: str
    term: str = ""
    weight: int = 1


@dataclass(frozen=True)
class Bundle:
    """Chains that share narrators."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]

    @cached_property
    def by_id(self) -> dict[str, Node]:
        return {node.id: node for node in self.nodes}

    @cached_property
    def lines(self) -> list[Edge]:
        """The edges between known nodes, once each, without those that would close a circle."""
        students: dict[str, list[str]] = defaultdict(list)
        kept: dict[tuple[str, str], Edge] = {}
        for edge in self.edges:
            pair = (edge.teacher, edge.student)
            if edge.teacher not in self.by_id or edge.student not in self.by_id or pair in kept:
                continue
            if edge.teacher != edge.student and not _reaches(edge.student, edge.teacher, students):
                students[edge.teacher].append(edge.student)
                kept[pair] = edge
        return list(kept.values())

    def layers(self) -> list[list[str]]:
        """Ids by layer from the top; a narrator stands below all he received from; books stand together at the bottom
        of a small picture, and each right below its narrator in one of many.

        >>> b = Bundle((Node("p", "P"), Node("a", "A"), Node("b", "B")), (Edge("p", "a"), Edge("a", "b"), Edge("p", "b")))
        >>> b.layers()
        [['p'], ['a'], ['b']]
        """
        rank = _ranks(self.nodes, self.lines)
        books = [node.id for node in self.nodes if node.emphasis == "book"] if len(self.nodes) <= MANY else []
        lowest = max((rank[book] for book in books), default=0)
        for book in books:
            rank[book] = lowest
        rows: list[list[str]] = [[] for _ in range(max(rank.values(), default=-1) + 1)]
        for node in self.nodes:
            rows[rank[node.id]].append(node.id)
        return [row for row in rows if row]


def _reaches(start: str, goal: str, students: Mapping[str, list[str]]) -> bool:
    waiting, seen = [start], {start}
    while waiting:
        here = waiting.pop()
        if here == goal:
            return True
        for after in students.get(here, ()):
            if after not in seen:
                seen.add(after)
                waiting.append(after)
    return False


def _ranks(nodes: Iterable[Node], lines: Iterable[Edge]) -> dict[str, int]:
    rank = {node.id: 0 for node in nodes}
    teachers: dict[str, int] = defaultdict(int)
    students: dict[str, list[str]] = defaultdict(list)
    for edge in lines:
        teachers[edge.student] += 1
        students[edge.teacher].append(edge.student)
    ready = [identity for identity in rank if not teachers[identity]]
    while ready:
        here = ready.pop()
        for student in students[here]:
            rank[student] = max(rank[student], rank[here] + 1)
            teachers[student] -= 1
            if not teachers[student]:
                ready.append(student)
    # Who starts a chain below the top stands just above his highest student, not with the Prophet.
    has_teacher = {edge.student for edge in lines}
    for identity in rank:
        if identity not in has_teacher and students[identity]:
            rank[identity] = max(0, min(rank[student] for student in students[identity]) - 1)
    return rank


def _arrange(bundle: Bundle) -> tuple[dict[str, float], list[list[str]], dict[tuple[str, str], list[str]]]:
    """Middle of each node (dummies included) across, the layers in order, and the dummies of each long line."""
    rows = bundle.layers()
    layer = {identity: number for number, row in enumerate(rows) for identity in row}
    above: dict[str, list[str]] = defaultdict(list)
    below: dict[str, list[str]] = defaultdict(list)
    routes: dict[tuple[str, str], list[str]] = {}
    for edge in bundle.lines:
        route = []
        previous = edge.teacher
        for number in range(layer[edge.teacher] + 1, layer[edge.student]):
            dummy = f"\0{edge.teacher}\0{number}"  # one lane for all lines of a teacher: a trunk with branches
            if dummy not in layer:
                rows[number].append(dummy)
                layer[dummy] = number
                below[previous].append(dummy)
                above[dummy].append(previous)
            route.append(dummy)
            previous = dummy
        below[previous].append(edge.student)
        above[edge.student].append(previous)
        routes[edge.teacher, edge.student] = route
    place = {identity: float(i) for row in rows for i, identity in enumerate(row)}
    for sweep in range(SWEEPS):
        down = sweep % 2 == 0
        for row in rows if down else reversed(rows):
            near = above if down else below
            row.sort(key=lambda i: (_middle([place[n] for n in near[i]], place[i]), i))
            for position, identity in enumerate(row):
                place[identity] = float(position)
    across = {identity: float(position * (WIDTH + BESIDE) / 2) for row in rows for position, identity in enumerate(row)}
    for sweep in range(SWEEPS * 2):
        for row in rows if sweep % 2 == 0 else reversed(rows):
            wish = [_middle([across[n] for n in above[i] + below[i]], across[i]) for i in row]
            for identity, x in zip(row, _spread(row, wish), strict=True):
                across[identity] = x
    least = min(across.values(), default=0.0)
    return {identity: x - least for identity, x in across.items()}, rows, routes


def _middle(values: list[float], otherwise: float) -> float:
    return sum(values) / len(values) if values else otherwise


def _spread(row: list[str], wish: list[float]) -> list[float]:
    """Places as near to the wished ones as the room each node needs allows, in the same order."""
    boxes = [not i.startswith("\0") for i in row]
    folded = is_folded(row)
    steps = [0.0]
    for left, right in pairwise(boxes):
        rooms = [WIDTH + BESIDE if box else LANE for box in (left, right)]
        steps.append((WIDTH + BESIDE) / 2 if left and right and folded else sum(rooms) / 2)
    groups: list[list[float]] = []  # sum of (wish - offset), count, room taken
    for i, want in enumerate(wish):
        groups.append([want, 1, 0.0, steps[i]])
        while len(groups) > 1:
            before, here = groups[-2], groups[-1]
            gap = before[2] + here[3]
            if here[0] / here[1] >= before[0] / before[1] + gap:
                break
            groups[-2:] = [[before[0] + here[0] - gap * here[1], before[1] + here[1], gap + here[2], before[3]]]
    places: list[float] = []
    index = 0
    for total, count, _, _ in groups:
        x = total / count
        for j in range(int(count)):
            if j:
                x += steps[index]
            places.append(x)
            index += 1
    return places


def is_folded(row: list[str]) -> bool:
    """Whether a layer has so many boxes that every second one stands lower."""
    return sum(not i.startswith("\0") for i in row) > FOLDED


def _short(label: str, emphasis: str) -> str:
    room = LETTERS["ar" if _is_arabic(label) else "en"] - len(SIGNS.get(emphasis, ""))
    return label if len(_plain(label)) <= room else label[: room + len(label) - len(_plain(label)) - 1].rstrip() + "…"


def _plain(label: str) -> str:
    return "".join(c for c in label if not 0x64B <= ord(c) <= 0x652)


def _is_arabic(text: str) -> bool:
    return any("\u0600" <= c <= "\u06ff" for c in text)


def _language(text: str) -> str:
    return 'lang="ar" direction="rtl"' if _is_arabic(text) else 'lang="en" direction="ltr"'


def draw(bundle: Bundle, title: str, *, identity: str = "chain") -> Markup:
    """The picture as an ``svg`` element with a title; its nodes are links where they have an address.

    >>> "حدثنا" in draw(Bundle((Node("a", "A"), Node("b", "B")), (Edge("a", "b", "حدثنا"),)), "Two")
    True
    """
    across, rows, routes = _arrange(bundle)
    half = WIDTH / 2
    top, bottom, lowered = _levels(rows)
    width = max((across[n.id] for n in bundle.nodes), default=0.0) + WIDTH + 2 * MARGIN
    width = max([width, *(across[d] + half + 2 * MARGIN + 40 for route in routes.values() for d in route)])
    height = max(bottom.values(), default=0.0) + MARGIN

    def point(name: str) -> tuple[float, float]:
        return across[name] + half + MARGIN, top[name] + (LOWER if name in lowered else 0)

    heaviest = max((edge.weight for edge in bundle.lines), default=1)
    shapes: list[str] = []
    for edge in bundle.lines:
        x, y = point(edge.teacher)
        path = f"M{x:.0f} {y + HEIGHT:.0f}"
        y = bottom[edge.teacher]
        path += f" L{x:.0f} {y:.0f}"
        for stop in [*routes[edge.teacher, edge.student], edge.student]:
            nx, _ = point(stop)
            ny = top[stop]
            bend = (ny - y) / 2
            path += f" C{x:.0f} {y + bend:.0f} {nx:.0f} {ny - bend:.0f} {nx:.0f} {ny:.0f}"
            y = bottom[stop] if stop != edge.student else point(stop)[1]
            path += f" L{nx:.0f} {y:.0f}"
            x = nx
        thick = 1.5 + 3.5 * (edge.weight / heaviest if heaviest > 1 else 0)
        shapes.append(f'<path class="isnad-line" d="{path}" fill="none" stroke="#8a7a58" stroke-width="{thick:.1f}"/>')
        if edge.term and len(bundle.nodes) <= MANY:
            last = routes[edge.teacher, edge.student][-1] if routes[edge.teacher, edge.student] else edge.teacher
            x1, x2 = point(last)[0], point(edge.student)[0]
            shapes.append(
                f'<text class="isnad-term" x="{(x1 + x2) / 2:.0f}" y="{(bottom[last] + top[edge.student]) / 2 + 5:.0f}" text-anchor="middle"'
                f' font-size="15" fill="#5b4a28" stroke="#ffffff" stroke-width="4" paint-order="stroke" {_language(edge.term)}>'
                f"{escape(edge.term)}</text>"
            )
    for node in bundle.nodes:
        shapes.append(_box(node, *point(node.id)))
    return Markup(
        '<svg class="isnad-picture" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {w:.0f} {h:.0f}" width="{w:.0f}" height="{h:.0f}"'
        ' role="group" aria-labelledby="picture-of-{i}" font-family="Amiri, \'Noto Naskh Arabic\', serif">'
        '<title id="picture-of-{i}">{t}</title>{s}</svg>'
    ).format(w=width, h=height, i=identity, t=title, s=Markup("".join(shapes)))


def _levels(rows: list[list[str]]) -> tuple[dict[str, float], dict[str, float], set[str]]:
    """Upper and lower edge of the layer of each node, and the nodes that stand lower in theirs."""
    top: dict[str, float] = {}
    bottom: dict[str, float] = {}
    lowered: set[str] = set()
    y = float(MARGIN)
    for row in rows:
        boxes = [i for i in row if not i.startswith("\0")]
        if is_folded(row):
            lowered.update(boxes[1::2])
        end = y + HEIGHT + (LOWER if is_folded(row) else 0)
        top.update(dict.fromkeys(row, y))
        bottom.update(dict.fromkeys(row, end))
        y = end + BELOW
    return top, bottom, lowered


def _box(node: Node, x: float, y: float) -> str:
    fill, stroke = EMPHASIS[node.emphasis]
    ink = "#ffffff" if node.emphasis == "prophet" else "#1f1a10"
    dashes = ' stroke-dasharray="5 4"' if node.emphasis == "undecided" else ""
    thick = {"common-link": 4, "self": 4, "partial": 2.5}.get(node.emphasis, 1.5)
    text = (
        f'<text x="{x:.0f}" y="{y + (22 if node.note else 31):.0f}" text-anchor="middle" font-size="17" fill="{ink}" {_language(node.label)}>'
        f"{SIGNS.get(node.emphasis, '')}{escape(_short(node.label, node.emphasis))}</text>"
    )
    if node.note:
        text += (
            f'<text class="isnad-note" x="{x:.0f}" y="{y + 41:.0f}" text-anchor="middle" font-size="13" fill="{ink}" {_language(node.note)}>'
            f"{escape(node.note)}</text>"
        )
    title = node.label + (f" ({node.note})" if node.note else "")
    box = (
        f'<g class="isnad-node is-{node.emphasis or "narrator"}"><title>{escape(title)}</title>'
        f'<rect x="{x - WIDTH / 2:.0f}" y="{y:.0f}" width="{WIDTH}" height="{HEIGHT}" rx="8"'
        f' fill="{fill}" stroke="{stroke}" stroke-width="{thick}"{dashes}/>{text}</g>'
    )
    return f'<a href="{escape(node.href)}">{box}</a>' if node.href else box


def standalone(picture: Markup) -> bytes:
    """The picture as a file of its own."""
    return b'<?xml version="1.0" encoding="UTF-8"?>\n' + str(escape(picture)).encode()
