"""How each kind of vertex looks: its family, which gives shape and colour, and its symbol.

Symbols are those of the field where it has some: → sequence, ? selector, ⇉ parallel, with * for
those that remember a finished child and ↻ for those that look at every child anew.
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
class Kind:
    """A family and, where the field has one, the symbol before the label in text."""

    family: Family
    symbol: str = ""

    @property
    def outline(self) -> Outline:
        """The shape of the box."""
        return OUTLINES[self.family]


KINDS: dict[str, Kind] = {
    "sequence": Kind("control", "→"),
    "reactive_sequence": Kind("control", "→↻"),
    "sequence_with_memory": Kind("control", "→*"),
    "selector": Kind("control", "?"),
    "reactive_selector": Kind("control", "?↻"),
    "parallel": Kind("control", "⇉"),
    "switch": Kind("control"),
    "if": Kind("control", "◇"),
    "for_each": Kind("control", "∀"),
    "skip_if": Kind("modifier"),
    "fail_if": Kind("modifier"),
    "while": Kind("modifier"),
    "timeout": Kind("modifier"),
    "retry": Kind("modifier", "↺"),
    "repeat": Kind("modifier", "↻"),
    "then_repeat": Kind("modifier", "↻"),
    "invert": Kind("modifier", "¬"),
    "force_success": Kind("modifier"),
    "force_failure": Kind("modifier"),
    "once": Kind("modifier"),
    "keep_running_until_failure": Kind("modifier", "∞"),
    "cooldown": Kind("modifier"),
    "on_failure": Kind("modifier"),
    "modifier": Kind("modifier"),
    "check": Kind("condition"),
    "condition": Kind("condition"),
    "wait": Kind("condition"),
    "on_change": Kind("condition", "Δ"),
    "decision": Kind("ask", "◆"),
    "ask": Kind("ask", "◆"),
    "reading": Kind("ask"),
    "read": Kind("ask"),
    "program": Kind("ask", "{}"),
    "action": Kind("action"),
    "do": Kind("action"),
    "skill": Kind("action"),
    "set": Kind("action"),
    "take": Kind("action"),
    "report": Kind("action"),
    "log": Kind("action"),
    "probe": Kind("action", "•"),
    "tree": Kind("part"),
    "recipe": Kind("part"),
    "task": Kind("action"),
    "subtask": Kind("action"),
}

_PLAIN = Kind("action")


def kind_of(name: str) -> Kind:
    """The look of ``name``; a plain box for a kind that is not known here."""
    found = KINDS.get(name)
    if found is None and name in registry().nodes:
        drawing = registry().nodes[name].drawing
        if drawing.group in OUTLINES:
            found = Kind(drawing.group, drawing.symbol)
    return found or _PLAIN


def said(name: str) -> str:
    """The kind's name as the legend writes it."""
    return name.replace("_", " ")
