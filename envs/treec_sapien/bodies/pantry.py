"""A tall pantry, open at the front, with boards between knee and shoulder height."""

from __future__ import annotations

from collections.abc import Sequence

from treec_sapien.bodies import shelf
from treec_sapien.bodies.spec import Body


def build(
    *,
    size: Sequence[float] = (1.2, 0.4, 1.5),
    boards: Sequence[float] = (0.4, 0.65, 0.95),
    material: str = "light wood",
) -> Body:
    """Build a pantry with boards whose upper faces are at the heights ``boards`` (m)."""
    return shelf.build(
        size=size, boards=boards, back=True, roof=True, material=material, kind="pantry"
    )
