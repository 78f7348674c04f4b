"""Pictures of chains: layers, crossings, and boxes that never lie on each other, at 3 and at 150 nodes."""

import re
import xml.etree.ElementTree as xml
from random import Random

import pytest

from kg.web.isnad_svg import HEIGHT, WIDTH, Bundle, Edge, Node, draw
from kg.web.maps import Spot, draw_map, read_coastlines
from kg.web.marks import Mark, marked
from kg.web.timeline import Period, draw_timeline

SVG = "{http://www.w3.org/2000/svg}"


def bundle(size: int, seed: int = 5) -> Bundle:
    """A report that spreads from one Companion to many books: each narrator received from one or two before him."""
    dice = Random(seed)
    nodes = [Node("p", "النبي", "", None, "prophet")]
    edges = []
    for i in range(size - 1):
        book = i > size * 0.85
        nodes.append(Node(f"n{i}", f"راو {i} بن فلان الفلاني", "ت 100 هـ", f"/person/n{i}", "book" if book else ""))
        before = [n.id for n in nodes[max(0, i - 30) : i + 1] if n.emphasis != "book"]
        edges += [Edge(teacher, f"n{i}", "عن") for teacher in {dice.choice(before), dice.choice(before)}]
    return Bundle(tuple(nodes), tuple(edges))


@pytest.mark.parametrize("size", [3, 12, 150])
def test_boxes_do_not_overlap_and_stay_inside(size: int) -> None:
    picture = xml.fromstring(draw(bundle(size), "A bundle"))
    _, _, width, height = map(float, picture.get("viewBox", "").split())
    boxes = [(float(r.get("x", 0)), float(r.get("y", 0))) for r in picture.iter(f"{SVG}rect")]
    assert len(boxes) == size
    for i, (x, y) in enumerate(boxes):
        assert 0 <= x <= width - WIDTH and 0 <= y <= height - HEIGHT
        assert not any(abs(x - a) < WIDTH and abs(y - b) < HEIGHT for a, b in boxes[:i])


def test_a_student_stands_below_all_his_teachers() -> None:
    here = bundle(60)
    layer = {identity: number for number, row in enumerate(here.layers()) for identity in row}
    assert all(layer[edge.teacher] < layer[edge.student] for edge in here.lines)
    assert layer["p"] == 0


def test_circles_are_cut_not_followed() -> None:
    circle = Bundle((Node("a", "A"), Node("b", "B")), (Edge("a", "b"), Edge("b", "a"), Edge("a", "a")))
    assert [(e.teacher, e.student) for e in circle.lines] == [("a", "b")]
    assert draw(circle, "Circle")


def test_the_same_bundle_is_the_same_picture() -> None:
    assert draw(bundle(40), "x") == draw(bundle(40), "x")


def test_marks_nest_and_overlap() -> None:
    text = "قال ابن عباس يوم بدر قرأ"
    marks = [
        Mark(0, 12, "event", "/event/a", "Event"),
        Mark(4, 12, "person", "/person/ibn-abbas", "Ibn Abbas"),
        Mark(9, 20, "verse", "/verse/1/1", "1:1", sign="1:1"),
        Mark(13, 20, "event", "/event/badr", "Badr"),
        Mark(99, 120, "person", "/person/nobody", "outside"),
    ]
    shown = str(marked(text, marks))
    assert re.sub(r"<sup.*?</sup>|<[^>]+>", "", shown) == text
    xml.fromstring(f"<p>{shown}</p>")
    assert shown.count('href="/person/ibn-abbas"') == 2 and shown.count('tabindex="-1"') == 1
    assert "nobody" not in shown


def test_maps_and_timelines_are_whole() -> None:
    spots = [Spot(39.6, 24.5, "المدينة", "/place/medina", True), Spot(39.8, 21.4, "Mecca <b>")]
    drawn = draw_map(spots, "Places")
    times = draw_timeline([Period("هشام <i>", 245, 245), Period("صدقة", 171, 180, "/person/x")], "Deaths", rtl=True)
    assert drawn and times and draw_map([], "None") is None and draw_timeline([], "None") is None
    for picture in (drawn, times):
        xml.fromstring(picture)
        assert "<b>" not in picture and "<i>" not in picture


def test_coastlines_of_a_small_world() -> None:
    arcs = [[[0, 0], [100, 0], [0, 100], [-100, 0], [0, -100]]]
    land = {"type": "MultiPolygon", "arcs": [[[0]]]}
    world = {"transform": {"scale": [0.2, 0.2], "translate": [30, 20]}, "arcs": arcs, "objects": {"land": {"geometries": [land]}}}
    (ring,) = read_coastlines(world)
    assert {(30.0, 20.0), (50.0, 20.0), (50.0, 40.0), (30.0, 40.0)} <= set(ring)
