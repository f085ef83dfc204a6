"""Layout of trees: downwards while that is narrow enough, else in rows from the left.

- ``down``: one level per depth, parents centred over their children (Reingold and Tilford's
  contours, packed from the left and from the right and averaged, which distributes the space
  between uneven subtrees and keeps all distances).
- ``right``: one column per depth, one row per leaf, parents level with their first child.
- ``layout_indented``: one row per vertex, as in a list of files; never wider than the tree is deep.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from treec.render.graph import DrawnGraph
from treec_drawing.boxes import Content, box_contents, edge_lines, lines_size
from treec_drawing.geometry import GraphLayout, Point, Rectangle, Route, Style

WIDE = 1500.0
"""Width in pixels above which another layout is used if possible."""

MANY_LEAVES = 20
"""Number of leaves above which a tree is laid out in rows."""

_SIBLING_GAP, _COUSIN_GAP, _LEVEL_GAP = 18.0, 30.0, 40.0
_ROW_GAP, _COLUMN_GAP = 9.0, 40.0
_INDENT, _STEM = 30.0, 14.0


def layout_tree(graph: DrawnGraph) -> tuple[GraphLayout, dict[str, Content]]:
    """The first readable one of the three layouts, beginning with the requested direction."""
    contents = box_contents(graph)
    leaves = sum(not graph.out_edges[vertex.id] for vertex in graph.vertices)
    if graph.direction == "down" and leaves <= MANY_LEAVES:
        layout = down(graph, contents)
        if layout.width <= WIDE:
            return layout, contents
    layout = right(graph, contents)
    if layout.width <= WIDE:
        return layout, contents
    contents = box_contents(graph, flat=True)
    return layout_indented(graph, contents), contents


def _label_sizes(graph: DrawnGraph) -> dict[str, tuple[float, float]]:
    """The size of the label of the edge into each vertex."""
    return {edge.target: lines_size(edge_lines(edge.label)) for edge in graph.edges}


def _levels(graph: DrawnGraph) -> list[list[str]]:
    levels: list[list[str]] = []
    for vertex, depth in graph.walk():
        if depth == len(levels):
            levels.append([])
        levels[depth].append(vertex)
    return levels


def down(graph: DrawnGraph, contents: Mapping[str, Content]) -> GraphLayout:
    """Lay out in levels from the top (see the module)."""
    levels = _levels(graph)
    labels = _label_sizes(graph)
    middles = _middles(graph, contents, labels)
    boxes: dict[str, Rectangle] = {}
    y = 0.0
    tops: list[float] = []
    for level in levels:
        label = max((labels.get(vertex, (0.0, 0.0))[1] for vertex in level), default=0.0)
        y += label
        tops.append(y)
        for vertex in level:
            content = contents[vertex]
            boxes[vertex] = Rectangle(
                middles[vertex] - content.width / 2, y, content.width, content.height
            )
        y += max(contents[vertex].height for vertex in level) + _LEVEL_GAP
    depth_of = dict(graph.walk())
    routes = []
    for index, edge in enumerate(graph.edges):
        source, target = boxes[edge.source], boxes[edge.target]
        level_end = tops[depth_of[edge.source]] + max(
            contents[vertex].height for vertex in levels[depth_of[edge.source]]
        )
        bend = level_end + _LEVEL_GAP / 2
        x0, x1 = source.middle[0], target.middle[0]
        width, height = labels[edge.target]
        label_box = Rectangle(x1 + 4, target.y - 4 - height, width, height) if width else None
        points = ((x0, source.bottom), (x0, bend), (x1, bend), (x1, target.y))
        routes.append(Route(index, _straighten(points), label_box=label_box))
    return _from_origin(boxes, routes, "down")


def _middles(
    graph: DrawnGraph, contents: Mapping[str, Content], labels: Mapping[str, tuple[float, float]]
) -> dict[str, float]:
    """The x coordinate of the centre of each box."""
    shift: dict[str, float] = {}
    contours: dict[str, tuple[list[float], list[float]]] = {}
    for vertex in reversed([vertex for vertex, _ in graph.walk()]):
        half = contents[vertex].width / 2
        label = labels.get(vertex, (0.0, 0.0))[0]
        right_half = max(half, label + 4) if label else half
        kids = graph.children(vertex)
        offsets, left, right_ = _pack([contours.pop(kid) for kid in kids])
        centre = (offsets[0] + offsets[-1]) / 2 if offsets else 0.0
        for kid, offset in zip(kids, offsets, strict=True):
            shift[kid] = offset - centre
        contours[vertex] = (
            [-half, *(value - centre for value in left)],
            [right_half, *(value - centre for value in right_)],
        )
    offsets, _, _ = _pack([contours[root] for root in graph.roots])
    middles = dict(zip(graph.roots, offsets, strict=True))
    for vertex, _ in graph.walk():
        for kid in graph.children(vertex):
            middles[kid] = middles[vertex] + shift[kid]
    return middles


Contour = tuple[list[float], list[float]]


def _pack(parts: list[Contour]) -> tuple[list[float], list[float], list[float]]:
    """The offsets of adjacent subtrees and their common contour, left and right by depth."""
    from_left = _packed_one_way(parts)
    mirrored = [([-r for r in right_], [-v for v in left]) for left, right_ in reversed(parts)]
    from_right = [-value for value in reversed(_packed_one_way(mirrored))]
    if parts:
        slack = from_left[-1] - from_right[-1]
        from_right = [value + slack for value in from_right]
    offsets = [(a + b) / 2 for a, b in zip(from_left, from_right, strict=True)]
    depth = max((len(left) for left, _ in parts), default=0)
    left_out = [float("inf")] * depth
    right_out = [float("-inf")] * depth
    for offset, (left, right_) in zip(offsets, parts, strict=True):
        for level, (a, b) in enumerate(zip(left, right_, strict=True)):
            left_out[level] = min(left_out[level], offset + a)
            right_out[level] = max(right_out[level], offset + b)
    return offsets, left_out, right_out


def _packed_one_way(parts: list[Contour]) -> list[float]:
    outline: list[float] = []
    offsets: list[float] = []
    for left, right_ in parts:
        offset = 0.0
        if offsets:
            offset = max(
                outline[level] - value + (_SIBLING_GAP if level == 0 else _COUSIN_GAP)
                for level, value in enumerate(left[: len(outline)])
            )
        offsets.append(offset)
        for level, value in enumerate(right_):
            if level < len(outline):
                outline[level] = max(outline[level], offset + value)
            else:
                outline.append(offset + value)
    return offsets


def right(graph: DrawnGraph, contents: Mapping[str, Content]) -> GraphLayout:
    """Lay out in columns from the left (see the module)."""
    levels = _levels(graph)
    labels = _label_sizes(graph)
    column_x: list[float] = []
    bends: list[float] = []
    x = 0.0
    for level in levels:
        label = max((labels.get(vertex, (0.0, 0.0))[0] for vertex in level), default=0.0)
        x += label
        column_x.append(x)
        x += max(contents[vertex].width for vertex in level)
        bends.append(x + _COLUMN_GAP / 2)
        x += _COLUMN_GAP
    order = list(graph.walk())
    anchor: dict[str, float] = {}
    for vertex, _ in reversed(order):
        own = max(contents[vertex].height, labels.get(vertex, (0.0, 0.0))[1]) / 2
        first = graph.children(vertex)[:1]
        anchor[vertex] = max(own, anchor[first[0]]) if first else own
    boxes: dict[str, Rectangle] = {}
    middle_y: dict[str, float] = {}
    heirs = {edges[0].target for edges in graph.out_edges.values() if edges}
    bottom = 0.0
    for vertex, depth in order:
        content = contents[vertex]
        if vertex in heirs:  # level with its parent, which made room for it
            middle_y[vertex] = middle_y[graph.in_edges[vertex][0].source]
        else:
            middle_y[vertex] = bottom + (_ROW_GAP if bottom else 0.0) + anchor[vertex]
        top = middle_y[vertex] - content.height / 2
        boxes[vertex] = Rectangle(column_x[depth], top, content.width, content.height)
        room = max(content.height, labels.get(vertex, (0.0, 0.0))[1]) / 2
        bottom = max(bottom, middle_y[vertex] + room)
    depth_of = dict(order)
    routes = []
    for index, edge in enumerate(graph.edges):
        source, target = boxes[edge.source], boxes[edge.target]
        bend, y0, y1 = bends[depth_of[edge.source]], source.middle[1], target.middle[1]
        points = ((source.right, y0), (bend, y0), (bend, y1), (target.x, y1))
        width, height = labels[edge.target]
        label_box = (
            Rectangle(target.x - 4 - width, y1 - height / 2, width, height) if width else None
        )
        routes.append(Route(index, _straighten(points), label_box=label_box))
    return _from_origin(boxes, routes, "right")


def layout_indented(graph: DrawnGraph, contents: Mapping[str, Content]) -> GraphLayout:
    """Lay out with one vertex per row (see the module)."""
    labels = _label_sizes(graph)
    boxes: dict[str, Rectangle] = {}
    left: dict[str, float] = {}
    y = 0.0
    for vertex, depth in graph.walk():
        content = contents[vertex]
        parents = graph.in_edges[vertex]
        width, height = labels.get(vertex, (0.0, 0.0))
        start = left[parents[0].source] + _INDENT if depth else 0.0
        left[vertex] = start + (width + 4 if width else 0.0)
        row = max(content.height, height)
        boxes[vertex] = Rectangle(
            left[vertex], y + (row - content.height) / 2, content.width, content.height
        )
        y += row + _ROW_GAP - 2
    routes = []
    for index, edge in enumerate(graph.edges):
        source, target = boxes[edge.source], boxes[edge.target]
        stem, y1 = source.x + _STEM, target.middle[1]
        width, height = labels[edge.target]
        label_box = (
            Rectangle(target.x - 4 - width, y1 - height / 2, width, height) if width else None
        )
        points = ((stem, source.bottom), (stem, y1), (target.x, y1))
        routes.append(Route(index, points, label_box=label_box))
    return _from_origin(boxes, routes, "indented")


def _straighten(points: tuple[Point, ...]) -> tuple[Point, ...]:
    """Remove corners that lie on the line between their neighbours."""
    corners = [points[0]]
    for (before, here), after in zip(pairwise(points), points[2:], strict=False):
        same_x = abs(before[0] - here[0]) < 0.05 and abs(here[0] - after[0]) < 0.05
        same_y = abs(before[1] - here[1]) < 0.05 and abs(here[1] - after[1]) < 0.05
        if not (same_x or same_y):
            corners.append(here)
    return (*corners, points[-1])


def _from_origin(boxes: dict[str, Rectangle], routes: list[Route], style: Style) -> GraphLayout:
    """Shift everything so that the leftmost and topmost coordinates are zero."""
    around = [*boxes.values(), *(route.label_box for route in routes if route.label_box)]
    if not around:
        return GraphLayout({}, (), 0.0, 0.0, style)
    dx, dy = -min(box.x for box in around), -min(box.y for box in around)
    moved = tuple(route.shifted(dx, dy) for route in routes)
    return GraphLayout(
        {vertex: box.shifted(dx, dy) for vertex, box in boxes.items()},
        moved,
        max(box.right for box in around) + dx,
        max(box.bottom for box in around) + dy,
        style,
    )
