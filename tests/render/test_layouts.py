"""What every layout promises: nothing overlaps, nothing is cut, edges keep clear of boxes."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest

from tests.render.pictures import dag, nasty, tree
from treec.graph import edges_to_reverse
from treec.render.graph import DrawnEdge, DrawnGraph, Vertex
from treec.render.measure import pixels
from treec_drawing.boxes import DETAIL_SIZE, LABEL_SIZE, box_contents
from treec_drawing.geometry import GraphLayout, Point, Rectangle, Route
from treec_drawing.layered_order import Layers
from treec_drawing.layered_ranks import ranks
from treec_drawing.layout_layered import layout_layered
from treec_drawing.layout_tree import WIDE, down, layout_indented, layout_tree, right
from treec_drawing.svg import place

SIZES = (1, 2, 10, 40, 300)


def sized(kind: str, count: int, graph: DrawnGraph) -> Any:
    """A graph to try; layouts of large ones that are no trees take a second or more."""
    marks = [pytest.mark.thorough] if count >= 300 and "tree" not in kind else []
    return pytest.param(graph, id=f"{kind}-{count}", marks=marks)


GRAPHS = [
    *(sized("tree", count, tree(count, 1)) for count in SIZES),
    *(sized("another-tree", count, tree(count, 2)) for count in SIZES),
    *(sized("dag", count, dag(count)) for count in SIZES),
    *(sized("dag-right", count, dag(count, 5, "right")) for count in SIZES),
    *(sized("cycles", n, dag(n, 7, cycles=n // 5)) for n in (10, 40, 300)),
    pytest.param(nasty("tree"), id="nasty-tree"),
    pytest.param(nasty("dag"), id="nasty-dag"),
]


@pytest.mark.parametrize("graph", GRAPHS)
def test_boxes_and_labels_share_no_room(graph: DrawnGraph) -> None:
    layout, _ = place(graph)
    boxes = [*layout.boxes.values(), *(r.label_box for r in layout.routes if r.label_box)]
    assert not [(a, b) for a, b in combinations(boxes, 2) if a.overlaps(b)]
    assert len(layout.boxes) == len(graph.vertices)
    assert all(b.x >= -0.1 and b.y >= -0.1 for b in boxes)
    assert all(b.right <= layout.width + 0.1 and b.bottom <= layout.height + 0.1 for b in boxes)


@pytest.mark.parametrize("layout", [down, right, layout_indented])
@pytest.mark.parametrize("count", [10, 300])
@pytest.mark.few(2)
def test_each_way_to_lay_a_tree_is_free_of_overlaps(layout: object, count: int) -> None:
    graph = tree(count, 3)
    found: GraphLayout = layout(graph, box_contents(graph))  # type: ignore[operator]
    boxes = [*found.boxes.values(), *(r.label_box for r in found.routes if r.label_box)]
    assert not [(a, b) for a, b in combinations(boxes, 2) if a.overlaps(b)]
    assert not list(_collisions(graph, found))


@pytest.mark.parametrize("graph", GRAPHS)
def test_every_line_of_text_is_inside_its_box(graph: DrawnGraph) -> None:
    layout, contents = place(graph)
    for vertex in graph.vertices:
        content, box = contents[vertex.id], layout.boxes[vertex.id]
        widths = [pixels(line, LABEL_SIZE) for line in content.label]
        details = [pixels(line, DETAIL_SIZE) for line in content.detail]
        widths = [widths[0] + 10 + details[0]] if content.inline else widths + details
        end = box.width if content.mark_x is None else content.mark_x
        assert content.text_x + max(widths) <= end
        rows = 17 * len(content.label) + (0 if content.inline else 14 * len(content.detail))
        assert rows <= box.height


@pytest.mark.parametrize("graph", GRAPHS)
@pytest.mark.few(8, thorough=6)
def test_edges_run_through_no_box(graph: DrawnGraph) -> None:
    layout, _ = place(graph)
    assert len(layout.routes) == len(graph.edges)
    assert not list(_collisions(graph, layout))


@pytest.mark.parametrize("graph", GRAPHS)
def test_edges_begin_and_end_at_their_boxes(graph: DrawnGraph) -> None:
    layout, _ = place(graph)
    for route in layout.routes:
        edge = graph.edges[route.edge]
        for end, point in ((edge.source, route.points[0]), (edge.target, route.points[-1])):
            box = layout.boxes[end]
            assert box.x - 0.1 <= point[0] <= box.right + 0.1
            assert box.y - 0.1 <= point[1] <= box.bottom + 0.1


def _collisions(graph: DrawnGraph, layout: GraphLayout) -> list[tuple[int, str]]:
    found = []
    for route in layout.routes:
        points = _sampled(route)
        for name, box in layout.boxes.items():
            inner = Rectangle(box.x + 0.5, box.y + 0.5, box.width - 1, box.height - 1)
            if any(inner.x < x < inner.right and inner.y < y < inner.bottom for x, y in points):
                found.append((route.edge, name))
    return found


def _sampled(route: Route) -> list[Point]:
    """Points along the way, at most a few pixels apart on boxes' scale."""
    points = route.points
    found: list[Point] = []
    step = 3 if route.curved else 1
    for start in range(0, len(points) - 1, step):
        a, d = points[start], points[start + step]
        b, c = (points[start + 1], points[start + 2]) if route.curved else (a, d)
        count = int(abs(a[0] - d[0]) + abs(a[1] - d[1])) // 8 + 2
        for index in range(count + 1):
            t = index / count
            u = 1 - t
            weights = (u**3, 3 * u * u * t, 3 * u * t * t, t**3)
            found.append(
                (
                    sum(w * p[0] for w, p in zip(weights, (a, b, c, d), strict=True)),
                    sum(w * p[1] for w, p in zip(weights, (a, b, c, d), strict=True)),
                )
            )
    return found


def test_small_trees_grow_down_and_large_ones_stay_narrow() -> None:
    assert layout_tree(tree(10, 1))[0].style == "down"
    large, _ = layout_tree(tree(300, 1))
    assert large.style in ("right", "indented")
    assert large.width <= WIDE


def test_a_wide_flat_tree_is_laid_in_rows() -> None:
    vertices = tuple(Vertex(str(i), f"child {i}", "skill") for i in range(61))
    graph = DrawnGraph("", vertices, tuple(DrawnEdge("0", str(i)) for i in range(1, 61)))
    layout, _ = layout_tree(graph)
    assert layout.style == "right"
    tops = [layout.boxes[str(i)].y for i in range(1, 61)]
    assert tops == sorted(tops)


def test_parents_stand_over_the_middle_of_their_children() -> None:
    vertices = tuple(Vertex(str(i), "same", "skill") for i in range(4))
    graph = DrawnGraph("", vertices, tuple(DrawnEdge("0", str(i)) for i in (1, 2, 3)))
    boxes = layout_tree(graph)[0].boxes
    assert boxes["0"].x == pytest.approx(boxes["2"].x)
    assert boxes["1"].x < boxes["2"].x < boxes["3"].x


def test_a_wide_dag_is_turned() -> None:
    vertices = tuple(Vertex(str(i), f"subtask number {i}", "subtask") for i in range(41))
    graph = DrawnGraph("", vertices, tuple(DrawnEdge(str(i), "0") for i in range(1, 41)), "dag")
    layout, _ = layout_layered(graph)
    assert layout.style == "right"
    assert layout.width < layout.height


def test_a_chain_is_drawn_straight() -> None:
    vertices = tuple(Vertex(str(i), "x" * (i + 1), "subtask") for i in range(6))
    graph = DrawnGraph("", vertices, tuple(DrawnEdge(str(i), str(i + 1)) for i in range(5)), "dag")
    layout, _ = layout_layered(graph)
    middles = {round(box.middle[0], 3) for box in layout.boxes.values()}
    assert len(middles) == 1
    tops = [layout.boxes[str(i)].y for i in range(6)]
    assert tops == sorted(tops)


@pytest.mark.thorough
def test_a_long_chain_of_a_thousand_is_laid() -> None:
    vertices = tuple(Vertex(str(i), str(i), "subtask") for i in range(1000))
    edges = tuple(DrawnEdge(str(i), str(i + 1)) for i in range(999))
    for shape in ("tree", "dag"):
        layout, _ = place(DrawnGraph("", vertices, edges, shape))
        assert len(layout.boxes) == 1000


def test_back_edges_point_back() -> None:
    vertices = tuple(Vertex(name, name, "decision") for name in "abc")
    edges = (DrawnEdge("a", "b"), DrawnEdge("b", "c"), DrawnEdge("c", "a"), DrawnEdge("b", "a"))
    layout, _ = layout_layered(DrawnGraph("", vertices, edges, "dag"))
    assert layout.boxes["a"].y < layout.boxes["b"].y < layout.boxes["c"].y
    there, again = layout.routes[0], layout.routes[3]
    assert there.points[0] != again.points[-1]


def test_what_belongs_to_nothing_stands_last() -> None:
    vertices = tuple(Vertex(name, name, "subtask") for name in ("alone", "a", "b", "c", "d"))
    edges = (DrawnEdge("b", "a"), DrawnEdge("c", "d"))
    boxes = layout_layered(DrawnGraph("", vertices, edges, "dag"))[0].boxes
    assert max(boxes, key=lambda name: boxes[name].y) == "alone"


def test_twin_edges_lie_apart() -> None:
    vertices = (Vertex("a", "a", "decision"), Vertex("b", "b", "action"))
    edges = (DrawnEdge("a", "b"), DrawnEdge("a", "b", style="dashed"))
    routes = layout_layered(DrawnGraph("", vertices, edges, "dag"))[0].routes
    assert routes[0].points[0] != routes[1].points[0]


def test_ranks_climb_along_every_edge_and_pull_sources_to_their_use() -> None:
    edges = [(0, 1), (1, 2), (2, 3), (4, 3)]
    assert ranks(5, edges) == [0, 1, 2, 3, 2]
    assert edges_to_reverse(3, [(0, 1), (1, 2), (2, 0), (1, 1)]) == {2, 3}


def test_crossings_that_need_not_be_are_removed() -> None:
    layers = Layers([[0, 1, 2], [3, 4, 5]], [(0, 5), (1, 4), (2, 3)])
    assert layers.crossings() == 3
    layers.reduce()
    assert layers.crossings() == 0
