"""Symbols of node kinds as strokes on a 16 by 16 grid, since fonts lack many of them."""

from __future__ import annotations

from treec.extensions import registry

_LOOP_MARK = "M11 4.2a2.2 2.2 0 1 1 2.2 2.2"
_STAR = "M13 1.2V6.6M10.7 2.55L15.3 5.25M15.3 2.55L10.7 5.25"
_SMALL_ARROW = "M1 9.5H11M7 5.5L11 9.5L7 13.5"
_LOOP = "M13.2 8A5.2 5.2 0 1 1 10.6 3.5M10.8 .8V3.7H7.7"
_BUBBLE = "M2 3H14V11H8.2L4.8 14V11H2Z"
_TRAY = "M2.5 10.5V13.5H13.5V10.5"
_GRAPH = (
    "M3.5 5.5a1.5 1.5 0 1 0 0 -3a1.5 1.5 0 1 0 0 3M3.5 13.5a1.5 1.5 0 1 0 0 -3a1.5 1.5 0 1 0 0 3"
    "M12.5 9.5a1.5 1.5 0 1 0 0 -3a1.5 1.5 0 1 0 0 3M5 4.5L11 7.4M5 11.5L11 8.6"
)

STROKES: dict[str, str] = {
    "sequence": "M2 8H14M9.5 3.5L14 8L9.5 12.5",
    "sequence_with_memory": _SMALL_ARROW + _STAR,
    "reactive_sequence": _SMALL_ARROW + _LOOP_MARK,
    "selector": (
        "M4.7 5.2C4.7 3.2 6.1 2 8 2C9.9 2 11.3 3.2 11.3 5C11.3 7.6 8 7.6 8 10.4M8 13.6V13.7"
    ),
    "reactive_selector": (
        "M2.3 5.2C2.3 3.2 3.7 2 5.5 2C7.3 2 8.7 3.2 8.7 5C8.7 7.6 5.5 7.6 5.5 10.4M5.5 13.6V13.7"
        + _LOOP_MARK
    ),
    "parallel": "M2 4.8H14M11 1.8L14 4.8L11 7.8M2 11.2H14M11 8.2L14 11.2L11 14.2",
    "switch": "M2 8H5.5L10.5 3H14M5.5 8H14M5.5 8L10.5 13H14",
    "if": "M8 1.8L14.2 8L8 14.2L1.8 8Z",
    "for_each": "M3 2.5L8 13.5L13 2.5M4.9 6.8H11.1",
    "skip_if": "M1.8 11C2 2.5 12.2 2.5 13 9.6M9.4 7.6L13.1 10.6L15.2 6.4",
    "fail_if": "M2.2 8a5.8 5.8 0 1 0 11.6 0a5.8 5.8 0 1 0 -11.6 0M4 4L12 12",
    "while": _LOOP,
    "timeout": "M2.2 8a5.8 5.8 0 1 0 11.6 0a5.8 5.8 0 1 0 -11.6 0M8 4.5V8L10.6 9.7",
    "retry": "M2.8 8A5.2 5.2 0 1 0 5.4 3.5M5.2 .8V3.7H8.3",
    "repeat": _LOOP,
    "then_repeat": _LOOP,
    "invert": "M2.5 6.2H13.5V11",
    "force_success": "M2.5 8.5L6.3 12.3L13.5 4",
    "force_failure": "M3.5 3.5L12.5 12.5M12.5 3.5L3.5 12.5",
    "once": "M5 5L8.2 2.5V13.5M5 13.5H11.4",
    "keep_running_until_failure": (
        "M8 8C6.5 5.6 5.3 5 4.2 5A3 3 0 0 0 4.2 11C5.3 11 6.5 10.4 8 8"
        "C9.5 5.6 10.7 5 11.8 5A3 3 0 0 1 11.8 11C10.7 11 9.5 10.4 8 8"
    ),
    "cooldown": "M4 2H12M4 14H12M5 2C5 7 11 9 11 14M11 2C11 7 5 9 5 14",
    "on_failure": "M9.5 1.5L4 9H8L6.5 14.5L12 7H8Z",
    "wait": "M5.5 3.2V12.8M10.5 3.2V12.8",
    "on_change": "M8 2.5L14 13.5H2Z",
    "reading": _BUBBLE,
    "read": _BUBBLE,
    "program": (
        "M6 2C3.4 2 5.2 7 2.4 8C5.2 9 3.4 14 6 14M10 2C12.6 2 10.8 7 13.6 8C10.8 9 12.6 14 10 14"
    ),
    "recipe": _GRAPH,
    "action": "M2 4.5L3.6 6.1L6.4 2.8M9 4.5H14.2M2 11L3.6 12.6L6.4 9.3M9 11H14.2",
    "do": "M2 4.5L3.6 6.1L6.4 2.8M9 4.5H14.2M2 11L3.6 12.6L6.4 9.3M9 11H14.2",
    "set": "M3 6H13M3 10H13",
    "take": "M8 1.8V9.6M4.8 6.6L8 9.8L11.2 6.6" + _TRAY,
    "report": "M8 9.6V1.8M4.8 5L8 1.8L11.2 5" + _TRAY,
    "log": "M3 4H13M3 8H13M3 12H9",
    "tree": "M6 2H10V5H6ZM1.8 11H5.2V14H1.8ZM10.8 11H14.2V14H10.8ZM8 5V8M3.5 11V8H12.5V11",
}
"""Lines, by kind."""

FILLS: dict[str, str] = {
    "decision": "M8 1.8L14.2 8L8 14.2L1.8 8Z",
    "ask": "M8 1.8L14.2 8L8 14.2L1.8 8Z",
    "skill": "M4 2.5L13 8L4 13.5Z",
    "probe": "M5 8a3 3 0 1 0 6 0a3 3 0 1 0 -6 0",
}
"""Filled shapes, by kind."""

STATUS_STROKES: dict[str, str] = {
    "SUCCESS": "M2.5 8.5L6.3 12.3L13.5 4",
    "FAILURE": "M3.5 3.5L12.5 12.5M12.5 3.5L3.5 12.5",
}
STATUS_FILLS: dict[str, str] = {"RUNNING": "M4 2.5L13 8L4 13.5Z"}


def has_icon(kind: str) -> bool:
    """Whether a kind has a symbol."""
    return bool(stroke_of(kind)) or kind in FILLS


def stroke_of(kind: str) -> str:
    """The lines of a kind's symbol as an SVG path in a 16 by 16 square; empty if it has none."""
    if kind in STROKES:
        return STROKES[kind]
    node = registry().nodes.get(kind)
    return node.drawing.icon if node is not None else ""
