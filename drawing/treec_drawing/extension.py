"""The extension of pictures: what `treec render -o FILE` writes."""

from __future__ import annotations

from treec.extensions import Extension

EXTENSION = Extension(
    name="drawing",
    pictures={
        "svg": "treec_drawing.svg:render_svg",
        "dot": "treec_drawing.dot:render_dot",
        "mmd": "treec_drawing.mermaid:render_mermaid",
        "html": "treec_drawing.graph_page:render_graph_page",
    },
)
