"""The appearance of each kind of vertex: its group (shape and colour), its symbol and icon.

A vertex's kind is the key of a node or modifier, whose specification says how it is drawn, or the
kind of a file that nodes run: a decision is drawn like the node `ask`. Symbols are those of the
field where they exist: → sequence, ? selector, ⇉ parallel, with * for nodes with memory and ↻ for
reactive ones.
"""

from __future__ import annotations

from typing import Literal

from treec.files.node_spec import Drawing, Group
from treec.files.nodes import MODIFIERS, node_spec, spec_referring

Outline = Literal["box", "rounded", "hexagon", "oval", "double"]

_OUTLINES: dict[Group, Outline] = {
    "control": "rounded",
    "modifier": "hexagon",
    "condition": "oval",
    "ask": "rounded",
    "action": "box",
    "part": "double",
}
_PLAIN = Drawing("action")


def drawing_of(kind: str) -> Drawing:
    """How a kind is drawn; a plain box for unknown kinds."""
    spec = MODIFIERS.get(kind) or node_spec(kind) or spec_referring(kind)
    return _PLAIN if spec is None or spec.drawing.group not in _OUTLINES else spec.drawing


def outline_of(kind: str) -> Outline:
    """The shape of the box of a kind."""
    return _OUTLINES[drawing_of(kind).group]


def kind_label(name: str) -> str:
    """The name of a kind as written in the legend."""
    return name.replace("_", " ")
