"""The legend below a picture: the kinds and statuses it uses, once each."""

from __future__ import annotations

from dataclasses import dataclass

from treec.render.graph import DrawnGraph
from treec.render.kinds import Outline, drawing_of, kind_label, outline_of
from treec.render.measure import one_line, pixels
from treec_drawing.boxes import DETAIL_SIZE

_SAMPLE, _GAP, _ROW = 30.0, 20.0, 24.0
_STATUSES = ("RUNNING", "SUCCESS", "FAILURE")


@dataclass(frozen=True, slots=True)
class LegendItem:
    """A sample and its text; ``css`` are the classes for its colour."""

    x: float
    y: float
    text: str
    css: str
    outline: Outline
    kind: str
    status: str


@dataclass(frozen=True, slots=True)
class Legend:
    """The items and their total size from (0, 0)."""

    items: tuple[LegendItem, ...]
    width: float
    height: float


def make_legend(graph: DrawnGraph, width: float) -> Legend:
    """Make a legend: kinds in order of first use, then statuses, in rows within ``width``."""
    entries: list[tuple[str, str, Outline, str, str]] = []
    for name in dict.fromkeys(vertex.kind for vertex in graph.vertices if vertex.kind):
        label, group = one_line(kind_label(name)), drawing_of(name).group
        entries.append((label, group, outline_of(name), name, ""))
    used = {vertex.status for vertex in graph.vertices}
    for status in _STATUSES:
        if status in used:
            entries.append((status.lower(), f"action {status}", "box", "", status))
    items: list[LegendItem] = []
    x = y = widest = 0.0
    for text, css, outline, kind_name, status in entries:
        room = _SAMPLE + pixels(text, DETAIL_SIZE) * 0.92
        if x and x + room > width:
            x, y = 0.0, y + _ROW
        items.append(LegendItem(x, y, text, css, outline, kind_name, status))
        widest = max(widest, x + room)
        x += room + _GAP
    return Legend(tuple(items), widest, y + 16.0 if items else 0.0)
