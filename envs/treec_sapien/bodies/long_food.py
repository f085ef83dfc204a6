"""A carrot, banana or cucumber: an octagonal prism, lying, one end to the front."""

from __future__ import annotations

import math

from treec_sapien.bodies.make import BACK, LOW, box, from_above, from_beside, rotate_shape
from treec_sapien.bodies.pose import turn
from treec_sapien.bodies.spec import Body, BodyLink


def build(*, length: float = 0.16, thick: float = 0.028, mass: float = 0.08) -> Body:
    """Build a stick; ``thick`` is its thickness (m)."""
    side = thick * math.tan(math.pi / 8)
    shapes = tuple(
        rotate_shape(
            box((thick, length, side), (0.0, 0.0, (thick - side) / 2), "skin"), turn(BACK, angle)
        )
        for angle in (0.0, 45.0, 90.0, 135.0)
    )
    height = max(thick / 2, LOW)
    at = (0.0, 0.0, height)
    front = (0.0, -length / 4, height)
    tip = (
        0.0,
        0.03 - length / 2,
        max(thick / 2, 0.019),
    )  # so that the hand stays outside the shelf it lies on
    return Body(
        "long_food",
        (BodyLink("body", shapes, mass=mass),),
        grasps=(
            *from_above("above", at, thick, (0.0, 180.0)),
            *from_beside("front end", front, thick, (0.0,), 60.0),
            *from_beside("front end", front, thick, (0.0,), 45.0),
            *from_beside("front end", front, thick, (0.0,), 30.0),
            *from_beside("tip", tip, thick, (0.0,), 15.0),
            *from_beside("tip", tip, thick, (0.0,)),
        ),
    )
