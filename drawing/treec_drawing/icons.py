"""Symbols as SVG paths on a 16 by 16 grid, since fonts lack many of them."""

from __future__ import annotations

from treec.render.kinds import drawing_of

STATUS_STROKES: dict[str, str] = {
    "SUCCESS": "M2.5 8.5L6.3 12.3L13.5 4",
    "FAILURE": "M3.5 3.5L12.5 12.5M12.5 3.5L3.5 12.5",
}
STATUS_FILLS: dict[str, str] = {"RUNNING": "M4 2.5L13 8L4 13.5Z"}


def has_icon(kind: str) -> bool:
    """Whether a kind has a symbol."""
    return bool(drawing_of(kind).icon)


def stroke_of(kind: str) -> str:
    """The lines of a kind's symbol; empty if it has none."""
    drawing = drawing_of(kind)
    return "" if drawing.filled else drawing.icon


def fill_of(kind: str) -> str:
    """The filled shape of a kind's symbol; empty if it has none."""
    drawing = drawing_of(kind)
    return drawing.icon if drawing.filled else ""
