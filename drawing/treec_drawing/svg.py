"""Pictures as self-contained SVG with selectable text, tooltips and a dark scheme."""

from __future__ import annotations

from collections import Counter
from html import escape

from treec.render.graph import DrawnGraph, Vertex
from treec.render.kinds import Outline, drawing_of, outline_of
from treec.render.measure import cells, clean, escaped, one_line, pixels, wrap
from treec.render.palette import style_sheet
from treec.render.text import name_of
from treec_drawing.boxes import (
    DETAIL_LINE,
    EDGE_LINE,
    ICON,
    LABEL_LINE,
    Content,
    edge_lines,
    tooltip,
)
from treec_drawing.geometry import GraphLayout, Point, Rectangle, Route
from treec_drawing.icons import STATUS_FILLS, STATUS_STROKES, fill_of, stroke_of
from treec_drawing.layout_layered import layout_layered
from treec_drawing.layout_tree import layout_tree
from treec_drawing.legend import Legend, make_legend

MARGIN, _TITLE_SIZE, _TITLE_LINE = 20.0, 16.0, 21.0
_LEAST_WIDTH, _CORNER = 320.0, 7.0


def place(graph: DrawnGraph) -> tuple[GraphLayout, dict[str, Content]]:
    """The layout of a graph and the contents of its boxes."""
    return layout_tree(graph) if graph.shape == "tree" else layout_layered(graph)


def render_svg(graph: DrawnGraph) -> str:
    """Render a graph; the same graph gives the same bytes."""
    layout, contents = place(graph)
    inner = max(layout.width, _LEAST_WIDTH)
    title = wrap(graph.title, inner / 8, cells) if graph.title.strip() else []
    head = MARGIN + (len(title) * _TITLE_LINE + 11.0 if title else 0.0)
    legend = make_legend(graph, inner)
    foot = head + layout.height + (22.0 if legend.items else 0.0)
    inner = max(inner, legend.width, *(pixels(line, _TITLE_SIZE * 1.08) for line in title or [""]))
    width, height = inner + 2 * MARGIN, foot + legend.height + MARGIN
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="treec" role="img" '
        f'width="{_n(width)}" height="{_n(height)}" viewBox="0 0 {_n(width)} {_n(height)}">',
        f"<title>{escaped(one_line(graph.title))}</title>",
        f"<desc>{escaped(describe(graph))}</desc>",
        f"<style>{style_sheet()}</style>",
        f'<rect class="ground" width="{_n(width)}" height="{_n(height)}"/>',
    ]
    for number, line in enumerate(title):
        y = MARGIN + number * _TITLE_LINE + 15.0
        lines.append(f'<text class="title" x="{_n(MARGIN)}" y="{_n(y)}">{escaped(line)}</text>')
    lines.append(f'<g transform="translate({_n(MARGIN)} {_n(head)})">')
    lines += [_edge(graph, route) for route in layout.routes]
    lines += [
        _vertex(vertex, layout.boxes[vertex.id], contents[vertex.id]) for vertex in graph.vertices
    ]
    beside = graph.shape == "tree" and layout.style == "down"
    lines += [
        _edge_label(graph, route, route.label_box, beside)
        for route in layout.routes
        if route.label_box
    ]
    lines.append("</g>")
    if legend.items:
        lines += [
            f'<g class="legend" transform="translate({_n(MARGIN)} {_n(foot)})">',
            *_legend(legend),
            "</g>",
        ]
    lines.append("</svg>")
    return "\n".join(lines) + "\n"


def describe(graph: DrawnGraph) -> str:
    """A description of the picture in one sentence."""
    kinds = Counter(vertex.kind for vertex in graph.vertices)
    what = "A tree" if graph.shape == "tree" else "A graph"
    parts = ", ".join(
        f"{count} {one_line(kind).replace('_', ' ')}" for kind, count in kinds.items()
    )
    start = ", ".join(name_of(graph.by_id[root]) for root in graph.roots[:3])
    return (
        f"{what} of {len(graph.vertices)} nodes and {len(graph.edges)} edges"
        + (f" ({parts})" if parts else "")
        + (f", from {start}" if start else "")
        + "."
    )


def _n(value: float) -> str:
    """A number with at most one decimal place."""
    return f"{round(value, 1):.1f}".removesuffix(".0").replace("-0", "0") if value else "0"


def _attribute(text: str) -> str:
    return '"' + escape(clean(text)).replace("\n", "&#10;") + '"'


def _vertex(vertex: Vertex, box: Rectangle, content: Content) -> str:
    status = vertex.status or ""
    classes = f"{drawing_of(vertex.kind).group} {status}".strip()
    parts = [
        f'<g class="{classes}" data-id={_attribute(vertex.id)} '
        f'transform="translate({_n(box.x)} {_n(box.y)})">',
        f"<title>{escaped(tooltip(vertex))}</title>",
        outline(outline_of(vertex.kind), box.width, box.height),
    ]
    if content.icon_x is not None:
        parts.append(icon(vertex.kind, content.icon_x, (box.height - ICON) / 2))
    if content.mark_x is not None:
        parts.append(status_mark(status, content.mark_x, (box.height - ICON) / 2))
    return "".join([*parts, *_lines(content), "</g>"])


def _lines(content: Content) -> list[str]:
    if content.inline:
        y = (content.height + LABEL_LINE) / 2 - 4.0
        detail = f'<tspan class="detail" dx="10">{escaped(content.detail[0])}</tspan>'
        return [
            f'<text class="label" x="{_n(content.text_x)}" y="{_n(y)}">'
            f"{escaped(content.label[0])}{detail}</text>"
        ]
    lines = []
    y = (content.height - len(content.label) * LABEL_LINE - len(content.detail) * DETAIL_LINE) / 2
    for line in content.label:
        lines.append(_line("label", content.text_x, y + LABEL_LINE - 4.0, line))
        y += LABEL_LINE
    for line in content.detail:
        lines.append(_line("detail", content.text_x, y + DETAIL_LINE - 3.5, line))
        y += DETAIL_LINE
    return lines


def _line(css: str, x: float, y: float, text: str) -> str:
    return f'<text class="{css}" x="{_n(x)}" y="{_n(y)}">{escaped(text)}</text>'


def outline(shape: Outline, width: float, height: float) -> str:
    """The outline of a box as SVG."""
    w, h = _n(width), _n(height)
    if shape == "hexagon":
        cut = min(9.0, height * 0.3)
        corners = (
            f"{_n(cut)},0 {_n(width - cut)},0 {w},{_n(height / 2)} {_n(width - cut)},{h} "
            f"{_n(cut)},{h} 0,{_n(height / 2)}"
        )
        return f'<polygon class="shape" points="{corners}"/>'
    radius = {"oval": height / 2, "rounded": 7.0, "double": 2.0, "box": 2.0}[shape]
    rect = f'<rect class="shape" width="{w}" height="{h}" rx="{_n(radius)}"/>'
    if shape == "double":
        rect += f'<path class="inner" d="M4 0V{h}M{_n(width - 4)} 0V{h}"/>'
    return rect


def icon(kind: str, x: float, y: float) -> str:
    """The symbol of ``kind`` with its upper left corner at (x, y)."""
    return _strokes(stroke_of(kind), fill_of(kind), "", x, y)


def status_mark(status: str, x: float, y: float) -> str:
    """The mark of a status, so that it is visible without colour."""
    return _strokes(STATUS_STROKES.get(status), STATUS_FILLS.get(status), "mark ", x, y)


def _strokes(stroke: str | None, fill: str | None, css: str, x: float, y: float) -> str:
    shape, path = ("fill", fill) if fill else ("stroke", stroke)
    if not path:
        return ""
    scale = f"translate({_n(x)} {_n(y)}) scale({_n3(ICON / 16)})"
    return f'<path class="{css}{shape}" transform="{scale}" d="{path}"/>'


def _n3(value: float) -> str:
    return f"{value:.3f}".rstrip("0")


def _edge(graph: DrawnGraph, route: Route) -> str:
    edge = graph.edges[route.edge]
    dashed = " dashed" if edge.style == "dashed" else ""
    way = _curve(route.points) if route.curved else _corners(route.points)
    path = f'<path class="edge{dashed}" d="{way}"/>'
    return path + (_arrow(route.points) if route.arrow else "")


def _point(point: Point) -> str:
    return f"{_n(point[0])} {_n(point[1])}"


def _curve(points: tuple[Point, ...]) -> str:
    way = [f"M{_point(points[0])}"]
    for start in range(1, len(points), 3):
        a, b, end = points[start : start + 3]
        straight = abs(a[0] - points[start - 1][0]) < 0.05 and abs(a[0] - end[0]) < 0.05
        straight |= abs(a[1] - points[start - 1][1]) < 0.05 and abs(a[1] - end[1]) < 0.05
        way.append(f"L{_point(end)}" if straight else f"C{_point(a)} {_point(b)} {_point(end)}")
    return "".join(way)


def _corners(points: tuple[Point, ...]) -> str:
    """Straight lines with rounded corners."""
    way = [f"M{_point(points[0])}"]
    for before, corner, after in zip(points, points[1:], points[2:], strict=False):
        reach = [abs(before[i] - corner[i]) + abs(after[i] - corner[i]) for i in (0, 1)]
        radius = min(_CORNER, *(length / 2 for length in reach))
        way.append(f"L{_point(_towards(corner, before, radius))}")
        way.append(f"Q{_point(corner)} {_point(_towards(corner, after, radius))}")
    return "".join([*way, f"L{_point(points[-1])}"])


def _towards(start: Point, goal: Point, length: float) -> Point:
    dx, dy = goal[0] - start[0], goal[1] - start[1]
    whole = (dx * dx + dy * dy) ** 0.5 or 1.0
    return (start[0] + dx / whole * length, start[1] + dy / whole * length)


def _arrow(points: tuple[Point, ...]) -> str:
    tip = points[-1]
    before = next(
        (p for p in reversed(points) if abs(p[0] - tip[0]) + abs(p[1] - tip[1]) > 0.5), tip
    )
    foot = _towards(tip, before, 7.0)
    side = (-(foot[1] - tip[1]) / 2, (foot[0] - tip[0]) / 2)
    left, right = (foot[0] + side[0], foot[1] + side[1]), (foot[0] - side[0], foot[1] - side[1])
    return f'<path class="arrow" d="M{_point(tip)}L{_point(left)}L{_point(right)}Z"/>'


def _edge_label(graph: DrawnGraph, route: Route, box: Rectangle, beside: bool) -> str:
    """Render an edge label: on the line with a halo, or ``beside`` it."""
    parts = []
    if not beside:
        parts.append(
            f'<rect class="halo" x="{_n(box.x)}" y="{_n(box.y)}" '
            f'width="{_n(box.width)}" height="{_n(box.height)}" rx="3"/>'
        )
    css = "edge-label" if beside else "edge-label centred"
    x = box.x + 4.0 if beside else box.middle[0]
    for number, line in enumerate(edge_lines(graph.edges[route.edge].label)):
        parts.append(_line(css, x, box.y + 2.0 + number * EDGE_LINE + 10.5, line))
    return "".join(parts)


def _legend(legend: Legend) -> list[str]:
    lines = []
    for item in legend.items:
        shape = outline(item.outline, 24.0, 16.0)
        sign = status_mark(item.status, 6.0, 1.0) if item.status else ""
        sign = sign or (icon(item.kind, 5.0, 1.0) if item.kind else "")
        lines.append(
            f'<g class="{item.css}" transform="translate({_n(item.x)} {_n(item.y)})">'
            f"{shape}{sign}{_line('key', 30.0, 12.0, item.text)}</g>"
        )
    return lines
