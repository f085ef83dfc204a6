"""A basin that hangs in the hole of a table; its base is at the height of the table's surface."""

from __future__ import annotations

from collections.abc import Sequence

from treec_sapien.bodies.make import box, inside
from treec_sapien.bodies.spec import Body, BodyLink

WALL = 0.008


def build(*, size: Sequence[float] = (0.5, 0.42, 0.15)) -> Body:
    """Build a basin of outer ``size`` (width, depth, depth below the surface)."""
    width, depth, down = size
    inner = (width - 2 * WALL, depth - 2 * WALL, down - WALL)
    shapes = (
        box((width, depth, WALL), (0.0, 0.0, -down), "steel"),
        *(
            box((WALL, depth, inner[2]), (s * (width - WALL) / 2, 0.0, WALL - down), "steel")
            for s in (-1, 1)
        ),
        *(
            box((inner[0], WALL, inner[2]), (0.0, s * (depth - WALL) / 2, WALL - down), "steel")
            for s in (-1, 1)
        ),
    )
    room = inside("basin", inner, (0.0, 0.0, WALL - down))
    return Body("sink", (BodyLink("body", shapes),), fixed=True, hangs=True, regions=(room,))
