"""Pictures as Graphviz text, for its layouts and file formats."""

from __future__ import annotations

import re

from treec.render.graph import DrawnGraph, Vertex
from treec.render.kinds import Outline, drawing_of, outline_of
from treec.render.measure import cells, clean, wrap
from treec.render.palette import LIGHT
from treec_drawing.boxes import DETAIL_CELLS, EDGE_CELLS, LABEL_CELLS, tooltip

_SHAPES: dict[Outline, str] = {
    "box": 'shape=box, style="filled"',
    "rounded": 'shape=box, style="filled,rounded"',
    "hexagon": 'shape=hexagon, style="filled", margin="0.02,0.04"',
    "oval": 'shape=ellipse, style="filled", margin="0.02,0.04"',
    "double": 'shape=box, style="filled", peripheries=2',
}
# Graphviz interprets HTML entities even in plain labels.
_ENTITY = re.compile(r"&(?=#\d+;|#[xX][0-9a-fA-F]+;|\w+;)")


def render_dot(graph: DrawnGraph) -> str:
    """Render a graph in the dot language; vertices are n0, n1, … with their ids as comments."""
    names = {vertex.id: f"n{number}" for number, vertex in enumerate(graph.vertices)}
    tree = graph.shape == "tree"
    direction = "TB" if graph.direction == "down" else "LR"
    lines = [
        f"digraph {quote(graph.title)} {{",
        f"  graph [rankdir={direction}, label={quote(graph.title)}, labelloc=t"
        + (', ordering="out", fontname="Helvetica"];' if tree else ', fontname="Helvetica"];'),
        '  node [fontname="Helvetica", fontsize=13, height=0.4];',
        f'  edge [fontname="Helvetica", fontsize=11, color="{LIGHT.edge}"'
        + (", arrowhead=none];" if tree else "];"),
    ]
    lines += [f"  {names[vertex.id]} [{_attributes(vertex)}];" for vertex in graph.vertices]
    for edge in graph.edges:
        label = f"label={quote(_wrap(edge.label, EDGE_CELLS))}" if edge.label.strip() else ""
        style = "style=dashed" if edge.style == "dashed" else ""
        attributes = ", ".join(filter(None, (label, style)))
        end = f" [{attributes}];" if attributes else ";"
        lines.append(f"  {names[edge.source]} -> {names[edge.target]}{end}")
    return "\n".join([*lines, "}"]) + "\n"


def _attributes(vertex: Vertex) -> str:
    drawing = drawing_of(vertex.kind)
    fill, line, _ = (
        LIGHT.statuses[vertex.status] if vertex.status else LIGHT.families[drawing.group]
    )
    label = _wrap(vertex.label, LABEL_CELLS)
    if drawing.symbol:
        label = f"{drawing.symbol} {label}"
    if vertex.detail.strip():
        label += "\n" + _wrap(vertex.detail, DETAIL_CELLS)
    return (
        f"label={quote(label)}, {_SHAPES[outline_of(vertex.kind)]}, "
        f'fillcolor="{fill}", color="{line}", '
        f"tooltip={quote(tooltip(vertex))}, comment={quote(vertex.id)}"
    )


def _wrap(text: str, width: int) -> str:
    return "\n".join(wrap(text, width, cells))


def quote(text: str) -> str:
    """Quote a text so that Graphviz shows it unchanged, including newlines."""
    safe = _ENTITY.sub("&amp;", clean(text)).replace("\\", "\\\\").replace('"', '\\"')
    return '"' + safe.replace("\n", "\\n") + '"'
