"""A plate with an upright rim to grasp and, optionally, a lug at the front."""

from __future__ import annotations

from treec_sapien.bodies.make import box, cylinder, from_above, from_beside, inside, rim, ring
from treec_sapien.bodies.spec import Body, BodyLink, GraspPoint

PIECES = 16
LUG = 0.055
"""Length of the lug (m)."""


def build(
    *, diameter: float = 0.24, height: float = 0.035, wall: float = 0.018, lug: bool = False
) -> Body:
    """Build a plate with a rim of this ``height`` and ``wall`` thickness (m), optionally a lug."""
    floor, thick = 0.006, 0.022
    shapes = [
        cylinder(diameter - wall, floor, (0.0, 0.0, 0.0), "china", 2000.0),
        *ring(diameter, wall, height, 0.0, "china", 1000.0, PIECES),
    ]
    grasps: tuple[GraspPoint, ...] = rim(diameter, wall, height, PIECES, 0.01)
    if lug:
        out = -diameter / 2 - LUG / 2
        shapes.append(box((thick, LUG, thick), (0.0, out, height - thick), "china", 1000.0))
        hold = (0.0, out, height - thick / 2)
        grasps = (
            *from_beside("lug", hold, thick, (0.0,)),
            *from_beside("lug", hold, thick, (0.0,), 30.0),
            *from_beside("lug", hold, thick, (0.0,), 60.0),
            *from_above("lug", hold, thick, (0.0, 180.0)),
            *grasps[1:],  # the lug takes the place of the first one
        )
    room = diameter - 2 * wall
    return Body(
        "plate",
        (BodyLink("body", tuple(shapes), mass=0.4),),
        regions=(inside("top", (room, room, 0.12), (0.0, 0.0, floor)),),
        grasps=grasps,
    )
