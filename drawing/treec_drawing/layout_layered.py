"""Layered layout of graphs: rows by rank, edges that bend only between rows.

An edge gets a dummy vertex in each row that it passes, and a label one in a row between its ends,
so no edge runs through a box. Connected components are laid out separately and packed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from treec.graph import edges_to_reverse
from treec.render.graph import DrawnGraph
from treec_drawing.boxes import Content, box_contents, edge_lines, lines_size
from treec_drawing.components import weak_components
from treec_drawing.geometry import GraphLayout, Point, Rectangle, Route, Style
from treec_drawing.layered_order import Layers
from treec_drawing.layered_place import places
from treec_drawing.layered_ranks import ranks
from treec_drawing.layout_tree import WIDE

_GAP, _THIN_GAP = 22.0, 12.0
_RANK_GAP, _LABEL_RANK_GAP, _LABEL_COLUMN_GAP, _MOST_GAP = 44.0, 22.0, 32.0, 120.0
_PART_GAP = 34.0
_FAN, _TWIN = 0.12, 9.0
_LOOP = 26.0
_ASPECT = 1.6


def layout_layered(graph: DrawnGraph) -> tuple[GraphLayout, dict[str, Content]]:
    """Lay out a graph in its direction, or in the other one if that avoids a wide picture."""
    contents = box_contents(graph)
    layout = _layout(graph, contents, graph.direction == "right")
    if layout.width > WIDE:
        other = _layout(graph, contents, graph.direction != "right")
        if other.width < layout.width:
            layout = other
    return layout, contents


def _layout(graph: DrawnGraph, contents: Mapping[str, Content], sideways: bool) -> GraphLayout:
    parts = [_Component(graph, vertices, contents, sideways).layout() for vertices in _parts(graph)]
    return _pack(parts, "right" if sideways else "down")


def _parts(graph: DrawnGraph) -> list[list[str]]:
    """The connected components in the order of their first vertices, single vertices last."""
    edges = {vertex.id: graph.children(vertex.id) for vertex in graph.vertices}
    return sorted(weak_components(edges), key=lambda part: len(part) == 1)


@dataclass(frozen=True, slots=True)
class _Chain:
    """An edge as the vertices it passes, from its upper to its lower end."""

    edge: int
    vertices: tuple[int, ...]
    turned: bool
    twin: float
    label: int | None


class _Component:
    """One connected component. ``across`` is along a row, ``along`` from row to row."""

    def __init__(
        self,
        graph: DrawnGraph,
        vertices: list[str],
        contents: Mapping[str, Content],
        sideways: bool,
    ) -> None:
        self.graph = graph
        self.ids = vertices
        self.contents = contents
        self.sideways = sideways
        self.number = {vertex: index for index, vertex in enumerate(vertices)}
        self.edges = [i for i, edge in enumerate(graph.edges) if edge.source in self.number]
        self.across: list[float] = []
        self.along: list[float] = []
        loops = {edge.source: edge for edge in graph.edges if edge.source == edge.target}
        for vertex in vertices:
            across, along = self._rotate(contents[vertex].width, contents[vertex].height)
            if vertex in loops:
                label = self._rotate(*lines_size(edge_lines(loops[vertex].label)))
                across, along = across + 2 * (_LOOP + label[0]), max(along, label[1])
            self.across.append(across)
            self.along.append(along)
        self.thin = [False] * len(vertices)
        self.labelled = any(edge_lines(graph.edges[index].label) for index in self.edges)
        self.rank: list[int] = []
        self.chains: list[_Chain] = []

    def _rotate(self, x: float, y: float) -> tuple[float, float]:
        return (y, x) if self.sideways else (x, y)

    def layout(self) -> GraphLayout:
        """The boxes and routes of this component, from (0, 0)."""
        self._rank()
        rows: list[list[int]] = [[] for _ in range(max(self.rank) + 1)]
        for vertex in self._first_order():
            rows[self.rank[vertex]].append(vertex)
        links = [
            pair
            for chain in self.chains
            for pair in zip(chain.vertices, chain.vertices[1:], strict=False)
        ]
        layers = Layers(rows, links)
        layers.reduce()
        at = places(layers, lambda v: self.across[v] / 2, self._gap, self.thin)
        low = min(value - self.across[v] / 2 for v, value in enumerate(at))
        at = [value - low for value in at]
        tops, heights = self._row_tops(rows, links, at)
        boxes = {}
        for vertex, name in enumerate(self.ids):
            row = self.rank[vertex]
            start = self._start(vertex, tops[row], heights[row])
            boxes[name] = self._box(at[vertex], start, self.contents[name])
        routes = [self._route(chain, at, tops, heights) for chain in self.chains]
        routes += self._loops(boxes)
        across = max(value + self.across[v] / 2 for v, value in enumerate(at))
        width, height = self._rotate(across, tops[-1] + heights[-1])
        style: Style = "right" if self.sideways else "down"
        return GraphLayout(boxes, tuple(routes), width, height, style)

    def _box(self, across: float, start: float, content: Content) -> Rectangle:
        if self.sideways:
            return Rectangle(start, across - content.height / 2, content.width, content.height)
        return Rectangle(across - content.width / 2, start, content.width, content.height)

    def _start(self, vertex: int, top: float, height: float) -> float:
        """The start of a box in its row: centred, but left-aligned in columns."""
        if self.sideways and not self.thin[vertex]:
            return top
        return top + (height - self.along[vertex]) / 2

    def _gap(self, one: int, other: int) -> float:
        # Sideways, the boxes of a row are stacked and need less space between them.
        gap = _THIN_GAP if self.sideways else _GAP
        return gap if not (self.thin[one] or self.thin[other]) else _THIN_GAP

    def _rank(self) -> None:
        """Compute the ranks of the vertices and the chains of dummies between them."""
        edges = self.graph.edges
        straight = [i for i in self.edges if edges[i].source != edges[i].target]
        pairs = [(self.number[edges[i].source], self.number[edges[i].target]) for i in straight]
        turned = edges_to_reverse(len(self.ids), pairs)
        pairs = [(b, a) if i in turned else (a, b) for i, (a, b) in enumerate(pairs)]
        step = 2 if self.labelled else 1
        self.rank = [value * step for value in ranks(len(self.ids), pairs)]
        twins: dict[tuple[int, int], list[int]] = {}
        for index, pair in enumerate(pairs):
            twins.setdefault(pair, []).append(index)
        for index, (upper, lower) in enumerate(pairs):
            same = twins[upper, lower]
            shift = (same.index(index) - (len(same) - 1) / 2) * _TWIN
            size = lines_size(edge_lines(edges[straight[index]].label))
            first, last = self.rank[upper], self.rank[lower]
            middle = (first + last) // 2
            inner, label = [], None
            for row in range(first + 1, last):
                dummy = len(self.rank)
                here = row == middle and size[0] > 0
                if here:
                    label = dummy
                across, along = self._rotate(*size) if here else (0.0, 0.0)
                self.rank.append(row)
                self.across.append(across)
                self.along.append(along)
                self.thin.append(True)
                inner.append(dummy)
            chain = (upper, *inner, lower)
            self.chains.append(_Chain(straight[index], chain, index in turned, shift, label))

    def _first_order(self) -> list[int]:
        """Depth first from the top, so that connected vertices start next to each other."""
        after: list[list[int]] = [[] for _ in self.rank]
        entered = [False] * len(self.rank)
        for chain in self.chains:
            for one, other in zip(chain.vertices, chain.vertices[1:], strict=False):
                after[one].append(other)
                entered[other] = True
        order: dict[int, None] = {}
        for root in sorted(range(len(self.rank)), key=lambda v: (entered[v], v)):
            waiting = [root]
            while waiting:
                vertex = waiting.pop()
                if vertex not in order:
                    order[vertex] = None
                    waiting.extend(reversed(after[vertex]))
        return list(order)

    def _row_tops(
        self, rows: list[list[int]], links: Sequence[tuple[int, int]], at: list[float]
    ) -> tuple[list[float], list[float]]:
        """Starts and heights of the rows; wide swings get more space to bend."""
        heights = [max(self.along[vertex] for vertex in row) for row in rows]
        swing = [0.0] * len(rows)
        for one, other in links:
            swing[self.rank[one]] = max(swing[self.rank[one]], abs(at[one] - at[other]))
        least = _RANK_GAP
        if self.labelled:
            least = _LABEL_COLUMN_GAP if self.sideways else _LABEL_RANK_GAP
        tops = [0.0]
        for row in range(len(rows) - 1):
            gap = min(max(least, least * 0.6 + swing[row] * 0.14), _MOST_GAP)
            tops.append(tops[-1] + heights[row] + gap)
        return tops, heights

    def _route(
        self, chain: _Chain, at: list[float], tops: list[float], heights: list[float]
    ) -> Route:
        """The route of a chain: straight within rows, curved between them."""
        points: list[Point] = []
        last = len(chain.vertices) - 1
        for step, vertex in enumerate(chain.vertices):
            row = self.rank[vertex]
            top, bottom = tops[row], tops[row] + heights[row]
            across = at[vertex] + chain.twin
            if step in (0, last):
                other = at[chain.vertices[1 if step == 0 else last - 1]]
                across = at[vertex] + self._port(vertex, other - at[vertex]) + chain.twin
                start = self._start(vertex, tops[row], heights[row])
                top = start + self.along[vertex] if step == 0 else top
                bottom = start if step == last else bottom
            if points:
                middle = (points[-1][1] + top) / 2
                points += [(points[-1][0], middle), (across, middle), (across, top)]
            else:
                points.append((across, top))
            if bottom - top > 0.05:
                points += [(across, top), (across, bottom), (across, bottom)]
        turned = [self._rotate(*point) for point in points]
        label_box = None
        if chain.label is not None:
            row = self.rank[chain.label]
            width, height = lines_size(edge_lines(self.graph.edges[chain.edge].label))
            x, y = self._rotate(at[chain.label] + chain.twin, tops[row] + heights[row] / 2)
            label_box = Rectangle(x - width / 2, y - height / 2, width, height)
        way = tuple(reversed(turned)) if chain.turned else tuple(turned)
        return Route(chain.edge, way, curved=True, arrow=True, label_box=label_box)

    def _port(self, vertex: int, towards: float) -> float:
        """The distance from a box's centre at which an edge leaves, growing with its slope."""
        most = self.across[vertex] * 0.3
        return max(-most, min(most, towards * _FAN))

    def _loops(self, boxes: Mapping[str, Rectangle]) -> list[Route]:
        routes = []
        for index in self.edges:
            edge = self.graph.edges[index]
            if edge.source != edge.target:
                continue
            box = boxes[edge.source]
            (x, y), out = box.middle, _LOOP * 0.8
            width, height = lines_size(edge_lines(edge.label))
            points: tuple[Point, ...]
            if self.sideways:
                a, b = (x - 9, box.bottom), (x + 9, box.bottom)
                points = (a, (x - 9, box.bottom + out), (x + 9, box.bottom + out), b)
                label_box = Rectangle(x - width / 2, box.bottom + out, width, height)
            else:
                a, b = (box.right, y - 7), (box.right, y + 7)
                points = (a, (box.right + out, y - 7), (box.right + out, y + 7), b)
                label_box = Rectangle(box.right + out, y - height / 2, width, height)
            label = label_box if width else None
            routes.append(Route(index, points, curved=True, arrow=True, label_box=label))
        return routes


def _pack(parts: list[GraphLayout], style: Style) -> GraphLayout:
    """Pack components into rows so that the whole is slightly wider than high."""
    area = sum((part.width + _PART_GAP) * (part.height + _PART_GAP) for part in parts)
    target = max([min((area * _ASPECT) ** 0.5, WIDE), *(part.width for part in parts)])
    boxes: dict[str, Rectangle] = {}
    routes: list[Route] = []
    x = y = row_height = width = 0.0
    for part in parts:
        if x and x + part.width > target:
            x, y, row_height = 0.0, y + row_height + _PART_GAP, 0.0
        boxes |= {vertex: box.shifted(x, y) for vertex, box in part.boxes.items()}
        routes += [route.shifted(x, y) for route in part.routes]
        width = max(width, x + part.width)
        row_height = max(row_height, part.height)
        x += part.width + _PART_GAP
    routes.sort(key=lambda route: route.edge)
    return GraphLayout(boxes, tuple(routes), width, y + row_height, style)
