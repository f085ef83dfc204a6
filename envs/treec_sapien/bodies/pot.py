"""A heavy pot with a stub handle on the left and on the right."""

from __future__ import annotations

from treec_sapien.bodies.make import (
    LEFT,
    RIGHT,
    box,
    cylinder,
    from_above,
    from_beside,
    inside,
    ring,
)
from treec_sapien.bodies.pose import Vector, frame
from treec_sapien.bodies.spec import Body, BodyHandle, BodyLink, GraspPoint

PIECES = 12
STUB = 0.065
"""Length of a handle (m)."""


def build(*, diameter: float = 0.2, height: float = 0.12, mass: float = 1.2) -> Body:
    """Build a pot; sizes in metres."""
    floor, wall, thick = 0.01, 0.008, 0.022
    up = height - 0.02
    shapes = [
        cylinder(diameter - wall, floor, (0.0, 0.0, 0.0), "steel", 4000.0),
        *ring(diameter, wall, height, 0.0, "steel", 3000.0, PIECES),
    ]
    handles = []
    for name, out in (("left", LEFT), ("right", RIGHT)):
        x = out[0] * (diameter / 2 + STUB / 2)
        shapes.append(box((STUB, thick, thick), (x, 0.0, up - thick / 2), "handle", 900.0))
        hold = (out[0] * (diameter / 2 + 0.035), 0.0, up)
        handles.append(BodyHandle(name, "body", None, _grasps(hold, out, thick)))
    room = diameter - 2 * wall
    grasps = tuple(grasp for handle in handles for grasp in handle.grasps)
    return Body(
        "pot",
        (BodyLink("body", tuple(shapes), mass=mass),),
        regions=(inside("inside", (room, room, height + 0.03 - floor), (0.0, 0.0, floor)),),
        handles=tuple(handles),
        grasps=grasps,
    )


def _grasps(hold: Vector, out: Vector, thick: float) -> tuple[GraspPoint, ...]:
    towards = (-out[0], 0.0, 0.0)
    back = (0.0, 1.0, 0.0)
    up = (0.0, 0.0, 1.0)
    return (
        *from_above("handle", hold, thick, (90.0, -90.0)),
        GraspPoint("handle from the front", hold, frame(back, up), thick),
        GraspPoint("handle from the front", hold, frame(back, (0.0, 0.0, -1.0)), thick),
        GraspPoint("handle from its end", hold, frame(towards, up), thick),
        *from_beside("handle from its end", hold, thick, (90.0 * out[0],)),
        *from_beside("handle from its end", hold, thick, (90.0 * out[0],), 45.0),
    )
