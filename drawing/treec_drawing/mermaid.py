"""Pictures as Mermaid flowcharts, which GitHub and others draw inside Markdown."""

from __future__ import annotations

import re

from treec.render.graph import DrawnGraph, Vertex
from treec.render.kinds import Outline, drawing_of, kind_label, outline_of
from treec.render.measure import one_line

_SHAPES: dict[Outline, tuple[str, str]] = {
    "box": ('["', '"]'),
    "rounded": ('("', '")'),
    "hexagon": ('{{"', '"}}'),
    "oval": ('(["', '"])'),
    "double": ('[["', '"]]'),
}
_SPECIAL = re.compile(r"[^\w .,:+*/=→⇉?·$%()-]")


def render_mermaid(graph: DrawnGraph) -> str:
    """Render a flowchart; the same graph gives the same text."""
    ids = {vertex.id: f"n{number}" for number, vertex in enumerate(graph.vertices)}
    lines = [f"flowchart {'TD' if graph.direction == 'down' else 'LR'}"]
    lines += [f"  {ids[vertex.id]}{_box(vertex)}" for vertex in graph.vertices]
    for edge in graph.edges:
        arrow = "-.->" if edge.style == "dashed" else "-->"
        label = f'|"{_text(edge.label)}"|' if edge.label.strip() else ""
        lines.append(f"  {ids[edge.source]} {arrow}{label} {ids[edge.target]}")
    return "\n".join(lines) + "\n"


def _box(vertex: Vertex) -> str:
    opening, closing = _SHAPES[outline_of(vertex.kind)]
    symbol = drawing_of(vertex.kind).symbol
    parts = [f"{symbol} {vertex.label}".strip()]
    if vertex.kind not in ("", vertex.label) and not vertex.label.startswith(f"{vertex.kind}:"):
        parts.append(f"({kind_label(vertex.kind)})")
    if vertex.detail.strip():
        parts.append(vertex.detail)
    return opening + "<br>".join(_text(part) for part in parts) + closing


def _text(text: str) -> str:
    """A text in which every character with a meaning of its own is an entity of Mermaid."""
    return _SPECIAL.sub(lambda match: f"#{ord(match[0])};", one_line(text)) or " "
