"""An error in an expression or template, by its offset in the text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

LONGEST_CIRCLE = 10
"""Of how many names a circle is shown whole."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A rule's code, a position in the text, and the message."""

    code: str
    offset: int
    length: int
    message: str
    help: str | None = None


def circle_in_words(names: Sequence[str], between: str) -> str:
    """A cycle, its first name at both ends: 'a' needs 'b' needs 'a'; of a long one, both ends."""
    shown = [f"'{name}'" for name in names]
    if len(shown) > LONGEST_CIRCLE:
        shown = [*shown[: LONGEST_CIRCLE // 2], "…", *shown[-2:]]
    return f" {between} ".join(shown)
