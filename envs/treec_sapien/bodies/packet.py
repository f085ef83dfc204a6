"""A packet, carton or tub: an upright box."""

from __future__ import annotations

from collections.abc import Sequence

from treec_sapien.bodies.make import box, from_above, from_beside
from treec_sapien.bodies.spec import Body, BodyLink


def build(*, size: Sequence[float] = (0.06, 0.05, 0.14), mass: float = 0.25) -> Body:
    """Build a packet of ``size`` (width, depth, height)."""
    width, depth, height = size
    shape = box((width, depth, height), (0.0, 0.0, 0.0), "card")
    at = (0.0, 0.0, 0.55 * height)
    top = (0.0, 0.0, height - min(0.02, height / 2))
    return Body(
        "packet",
        (BodyLink("body", (shape,), mass=mass),),
        grasps=(
            *from_beside("side", at, width, (0.0,)),
            *from_beside("side", at, width, (0.0,), 30.0),
            *from_beside("side", at, depth, (90.0, -90.0)),
            *from_above("above", top, width, (0.0, 180.0)),
            *from_above("above", top, depth, (90.0, -90.0)),
        ),
    )
