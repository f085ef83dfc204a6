"""The box of a vertex: wrapped lines of text and a size, before any layout."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from treec.render.graph import DrawnGraph, Vertex
from treec.render.kinds import Outline, outline_of
from treec.render.measure import cells, pixels, wrap
from treec_drawing.icons import has_icon

LABEL_SIZE, LABEL_LINE = 13.0, 17.0
DETAIL_SIZE, DETAIL_LINE = 11.0, 14.0
EDGE_SIZE, EDGE_LINE = 11.0, 14.0
ICON = 14.0
"""Font sizes, line heights and symbol size in pixels."""

LABEL_CELLS, DETAIL_CELLS, EDGE_CELLS = 28, 36, 24
"""Columns at which text wraps; wide characters count as two."""

DETAIL_LINES = 3
"""Longer details end in '…'; the tooltip has all of it."""

_PAD_X, _PAD_Y, _FLAT_PAD_Y, _SLOT, _INLINE_GAP = 11.0, 7.5, 4.5, 7.0, 10.0
_SLANT = {"hexagon": 7.0, "oval": 5.0, "double": 4.0}


@dataclass(frozen=True, slots=True)
class Content:
    """Text and size of a box; ``…_x`` are the offsets of text, symbol and status mark.

    ``inline``: label and detail are one line each and stand side by side.
    """

    label: tuple[str, ...]
    detail: tuple[str, ...]
    width: float
    height: float
    text_x: float
    icon_x: float | None
    mark_x: float | None
    inline: bool


def box_contents(graph: DrawnGraph, flat: bool = False) -> dict[str, Content]:
    """The contents of all boxes, by vertex id."""
    return {vertex.id: box_content(vertex, flat) for vertex in graph.vertices}


def box_content(vertex: Vertex, flat: bool) -> Content:
    """The lines of a vertex and the size of its box; ``flat`` boxes are wide and low."""
    outline = outline_of(vertex.kind)
    wider = 2 if flat else 1
    label = wrap(vertex.label, LABEL_CELLS * wider, cells)
    detail = (
        _shorten(wrap(vertex.detail, DETAIL_CELLS * wider, cells)) if vertex.detail.strip() else []
    )
    inline = flat and len(label) == len(detail) == 1
    widths = [pixels(line, LABEL_SIZE) for line in label]
    widths += [pixels(line, DETAIL_SIZE) for line in detail]
    text = widths[0] + _INLINE_GAP + widths[1] if inline else max(widths)
    lines = len(label) * LABEL_LINE + (0 if inline else len(detail) * DETAIL_LINE)
    height = lines + 2 * (_FLAT_PAD_Y if flat else _PAD_Y)
    inset = _inset(outline, height)
    left = _PAD_X + inset
    text_x = left + (ICON + _SLOT if has_icon(vertex.kind) else 0.0)
    # Common fonts are narrower than the widths assumed here, so long lines leave room anyway.
    right = _PAD_X - min(_PAD_X / 2, text * 0.05) + inset
    mark = ICON + _SLOT if vertex.status else 0.0
    width = round(max(48.0, text_x + text + mark + right), 1)
    return Content(
        label=tuple(label),
        detail=tuple(detail),
        width=width,
        height=height,
        text_x=text_x,
        icon_x=left if has_icon(vertex.kind) else None,
        mark_x=width - left - ICON if vertex.status else None,
        inline=inline,
    )


def _inset(outline: Outline, height: float) -> float:
    """The horizontal inset of an outline, which for ovals grows with the height."""
    if outline == "oval":
        return min(_SLANT["oval"] + max(height - 32.0, 0.0) * 0.18, 16.0)
    return _SLANT.get(outline, 0.0)


def _shorten(lines: list[str]) -> list[str]:
    if len(lines) <= DETAIL_LINES:
        return lines
    last = lines[DETAIL_LINES - 1]
    return [*lines[: DETAIL_LINES - 1], last + " …"]


def edge_lines(label: str) -> tuple[str, ...]:
    """The wrapped lines of an edge label; none for an empty one."""
    return tuple(wrap(label, EDGE_CELLS, cells)) if label.strip() else ()


def lines_size(lines: tuple[str, ...]) -> tuple[float, float]:
    """Width and height of an edge label in pixels, including padding."""
    if not lines:
        return (0.0, 0.0)
    width = max(map(partial(pixels, size=EDGE_SIZE), lines))
    return (round(width + 8.0, 1), len(lines) * EDGE_LINE + 4.0)


def tooltip(vertex: Vertex) -> str:
    """The full text of a vertex."""
    kind = vertex.kind.replace("_", " ")
    parts = [f"{kind}: {vertex.label}" if kind else vertex.label, vertex.detail]
    return "\n".join(part for part in (*parts, vertex.status or "") if part.strip())
