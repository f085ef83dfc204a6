"""An error in an expression or template, by its offset in the text."""

from __future__ import annotations

from collections.abc import Sequence

from treec.frozen import frozen

LONGEST_CIRCLE = 10
"""Cycles of up to this many names are shown whole."""


@frozen
class Finding:
    """A rule's code, a position in the text, and the message."""

    code: str
    offset: int
    length: int
    message: str
    help: str | None = None


def format_cycle(names: Sequence[str], between: str) -> str:
    """Format a cycle whose first name is repeated at the end: 'a' needs 'b' needs 'a'.

    Of a long one, only both ends are shown.
    """
    shown = [f"'{name}'" for name in names]
    if len(shown) > LONGEST_CIRCLE:
        shown = [*shown[: LONGEST_CIRCLE // 2], "…", *shown[-2:]]
    return f" {between} ".join(shown)
