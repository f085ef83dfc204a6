"""A cutting board on non-slip feet."""

from __future__ import annotations

from collections.abc import Sequence

from treec_sapien.bodies.make import box, on
from treec_sapien.bodies.spec import Body, BodyLink


def build(*, size: Sequence[float] = (0.34, 0.24, 0.02)) -> Body:
    """Build a board of ``size`` (width, depth, thickness). It is fixed in place."""
    width, depth, height = size
    shape = box((width, depth, height), (0.0, 0.0, 0.0), "light wood", 700.0)
    region = on("top", (width, depth), (0.0, 0.0, height))
    return Body("cutting_board", (BodyLink("body", (shape,)),), fixed=True, regions=(region,))
