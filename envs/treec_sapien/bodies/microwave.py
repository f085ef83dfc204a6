"""A microwave oven: door on the left, panel with one button on the right."""

from __future__ import annotations

from collections.abc import Sequence

from treec_sapien.bodies.buttons import button
from treec_sapien.bodies.doors import GAP, case, door
from treec_sapien.bodies.make import box, inside
from treec_sapien.bodies.spec import Body, BodyLink, BodyPart

WALL = 0.02
DOOR = 0.025


def build(
    *,
    size: Sequence[float] = (0.48, 0.36, 0.3),
    panel: float = 0.1,
    hinge: str = "left",
    opens: float = 110.0,
) -> Body:
    """Build an oven of ``size`` (width, depth including door, height), its panel ``panel`` wide."""
    width, depth, height = size
    room = width - panel
    left = -panel / 2
    shapes = (
        *case((room, depth, height), (left, 0, 0), WALL, "steel", front=DOOR + GAP),
        box((panel, depth, height), ((width - panel) / 2, 0, 0), "dark steel"),
    )
    inner = (room - 2 * WALL, depth - WALL - DOOR - GAP, height - 2 * WALL)
    link, joint, handle = door(
        "door",
        (room, DOOR, height),
        (left, -depth / 2 + DOOR / 2, 0),
        hinge,
        material="window",
        mass=1.5,
        opens=opens,
        friction=0.2,
        damping=0.3,
    )
    press = button("button", ((width - panel) / 2, -depth / 2, height / 2))
    return Body(
        "microwave",
        (BodyLink("body", shapes), link, press[0]),
        (joint, press[1]),
        fixed=True,
        regions=(inside("body", inner, (left, (DOOR + GAP - WALL) / 2, WALL)),),
        handles=(handle, press[2]),
        controls=(press[3],),
        parts=(BodyPart("door", "door", "door", "door"), BodyPart("body", regions=("body",))),
        opened={"door": 0.75 * joint.limits[1]},
    )
