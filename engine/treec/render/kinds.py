"""The appearance of each kind of vertex: its family (shape and colour) and its symbol.

Symbols are those of the field where they exist: → sequence, ? selector, ⇉ parallel, with * for
nodes with memory and ↻ for reactive ones.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from treec.extensions import registry

Family = Literal["control", "modifier", "condition", "ask", "action", "part"]
Outline = Literal["box", "rounded", "hexagon", "oval", "double"]

OUTLINES: dict[Family, Outline] = {
    "control": "rounded",
    "modifier": "hexagon",
    "condition": "oval",
    "ask": "rounded",
    "action": "box",
    "part": "double",
}


@dataclass(frozen=True, slots=True)
class NodeFamily:
    """A family, and the symbol before the label in text if the field has one."""

    family: Family
    symbol: str = ""

    @property
    def outline(self) -> Outline:
        """The shape of the box."""
        return OUTLINES[self.family]


KINDS: dict[str, NodeFamily] = {
    "sequence": NodeFamily("control", "→"),
    "reactive_sequence": NodeFamily("control", "→↻"),
    "sequence_with_memory": NodeFamily("control", "→*"),
    "selector": NodeFamily("control", "?"),
    "reactive_selector": NodeFamily("control", "?↻"),
    "parallel": NodeFamily("control", "⇉"),
    "switch": NodeFamily("control"),
    "if": NodeFamily("control", "◇"),
    "for_each": NodeFamily("control", "∀"),
    "skip_if": NodeFamily("modifier"),
    "fail_if": NodeFamily("modifier"),
    "while": NodeFamily("modifier"),
    "timeout": NodeFamily("modifier"),
    "retry": NodeFamily("modifier", "↺"),
    "repeat": NodeFamily("modifier", "↻"),
    "then_repeat": NodeFamily("modifier", "↻"),
    "invert": NodeFamily("modifier", "¬"),
    "force_success": NodeFamily("modifier"),
    "force_failure": NodeFamily("modifier"),
    "once": NodeFamily("modifier"),
    "keep_running_until_failure": NodeFamily("modifier", "∞"),
    "cooldown": NodeFamily("modifier"),
    "on_failure": NodeFamily("modifier"),
    "modifier": NodeFamily("modifier"),
    "check": NodeFamily("condition"),
    "condition": NodeFamily("condition"),
    "wait": NodeFamily("condition"),
    "on_change": NodeFamily("condition", "Δ"),
    "decision": NodeFamily("ask", "◆"),
    "ask": NodeFamily("ask", "◆"),
    "reading": NodeFamily("ask"),
    "read": NodeFamily("ask"),
    "program": NodeFamily("ask", "{}"),
    "action": NodeFamily("action"),
    "do": NodeFamily("action"),
    "skill": NodeFamily("action"),
    "set": NodeFamily("action"),
    "take": NodeFamily("action"),
    "report": NodeFamily("action"),
    "log": NodeFamily("action"),
    "probe": NodeFamily("action", "•"),
    "tree": NodeFamily("part"),
    "recipe": NodeFamily("part"),
    "task": NodeFamily("action"),
    "subtask": NodeFamily("action"),
}

_PLAIN = NodeFamily("action")


def kind_of(name: str) -> NodeFamily:
    """The appearance of a kind; a plain box for unknown kinds."""
    found = KINDS.get(name)
    if found is None and name in registry().nodes:
        drawing = registry().nodes[name].drawing
        if drawing.group in OUTLINES:
            found = NodeFamily(drawing.group, drawing.symbol)
    return found or _PLAIN


def kind_label(name: str) -> str:
    """The name of a kind as written in the legend."""
    return name.replace("_", " ")
