"""A bowl with a thick wall and, optionally, a lug at the front.

Inside a cupboard a hand cannot come from above; there it grasps the lug.
"""

from __future__ import annotations

from treec_sapien.bodies.make import box, cylinder, from_above, from_beside, inside, rim, ring
from treec_sapien.bodies.spec import Body, BodyLink, GraspPoint

PIECES = 12
LUG = 0.055
"""Length of the lug (m)."""


def build(
    *,
    diameter: float = 0.16,
    height: float = 0.075,
    wall: float = 0.018,
    lug: bool = False,
    mass: float = 0.3,
) -> Body:
    """Build a bowl; sizes in metres. ``lug`` adds a lug at the front."""
    floor = 0.01
    shapes = [
        cylinder(diameter - wall, floor, (0.0, 0.0, 0.0), "blue china", 1500.0),
        *ring(diameter, wall, height, 0.0, "blue china", 1000.0, PIECES),
    ]
    grasps: tuple[GraspPoint, ...] = ()
    if lug:
        thick = 0.022
        at = (0.0, -diameter / 2 - LUG / 2, height - thick)
        shapes.append(box((thick, LUG, thick), at, "blue china", 1000.0))
        hold = (0.0, -diameter / 2 - LUG / 2, height - thick / 2)
        grasps = (
            *from_beside("lug", hold, thick, (0.0,)),
            *from_beside("lug", hold, thick, (0.0,), 30.0),
            *from_beside("lug", hold, thick, (0.0,), 60.0),
            *from_above("lug", hold, thick, (0.0, 180.0)),
        )
    around = rim(diameter, wall, height, PIECES, 0.02)
    room = diameter - 2 * wall
    return Body(
        "bowl",
        (BodyLink("body", tuple(shapes), mass=mass),),
        regions=(inside("inside", (room, room, height + 0.04 - floor), (0.0, 0.0, floor)),),
        grasps=(
            *grasps,
            *(around[1:] if lug else around),
        ),  # the lug takes the place of the first one
    )
