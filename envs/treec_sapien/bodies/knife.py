"""A knife lying on its edge, handle to the front."""

from __future__ import annotations

from treec_sapien.bodies.make import LOW, box, from_above, from_beside
from treec_sapien.bodies.spec import Body, BodyLink


def build(*, length: float = 0.24, handle: float = 0.11, thick: float = 0.022) -> Body:
    """Build a knife. ``thick`` is the thickness of the handle (m), which keeps it upright."""
    tall = 0.028
    blade = length - handle
    front = -length / 2
    shapes = (
        box((thick, handle, tall), (0.0, front + handle / 2, 0.0), "grip", 900.0),
        box((0.003, blade, tall), (0.0, front + handle + blade / 2, 0.0), "steel", 5000.0),
    )
    at = (0.0, front + 0.045, LOW)
    grasps = (
        *from_beside("handle", at, thick, (0.0,), 30.0),
        *from_beside("handle", at, thick, (0.0, 180.0), 60.0),
        *from_above("handle", at, thick, (0.0, 180.0)),
        *from_beside("handle", at, thick, (0.0,)),
    )
    return Body("knife", (BodyLink("body", shapes, mass=0.15),), grasps=grasps)
