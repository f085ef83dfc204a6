"""A frying pan with one long handle to the front."""

from __future__ import annotations

from treec_sapien.bodies.make import box, cylinder, from_above, from_beside, inside, ring
from treec_sapien.bodies.spec import Body, BodyHandle, BodyLink

PIECES = 12


def build(
    *, diameter: float = 0.22, height: float = 0.05, handle: float = 0.15, mass: float = 0.7
) -> Body:
    """Build a pan; ``handle`` is the length of its handle (m)."""
    floor, wall, thick = 0.008, 0.008, 0.022
    at = (0.0, -diameter / 2 - handle / 2, height - thick)
    shapes = (
        cylinder(diameter - wall, floor, (0.0, 0.0, 0.0), "black", 4000.0),
        *ring(diameter, wall, height, 0.0, "black", 3000.0, PIECES),
        box((thick, handle, thick), at, "handle", 700.0),
    )
    hold = (0.0, -diameter / 2 - 0.06, height - thick / 2)
    grasps = (
        *from_above("handle", hold, thick, (0.0, 180.0)),
        *from_beside("handle", hold, thick, (0.0,), 45.0),
    )
    room = diameter - 2 * wall
    return Body(
        "pan",
        (BodyLink("body", shapes, mass=mass),),
        regions=(inside("inside", (room, room, height + 0.05 - floor), (0.0, 0.0, floor)),),
        handles=(BodyHandle("handle", "body", None, grasps),),
        grasps=grasps,
    )
