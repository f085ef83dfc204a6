"""A dishwasher: a door hinged at the bottom and a rack that slides out when the door is open.

A weak spring pushes the rack out. The closed door holds it in; closing the door pushes it back.
"""

from __future__ import annotations

from collections.abc import Sequence

from treec_sapien.bodies.buttons import button
from treec_sapien.bodies.doors import GAP, case, door
from treec_sapien.bodies.make import FRONT, axis, box, inside
from treec_sapien.bodies.spec import Body, BodyLink, BodyPart, Joint, Shape

WALL = 0.02
DOOR = 0.03
FOOT = 0.1
PANEL = 0.1


def build(
    *,
    size: Sequence[float] = (0.56, 0.55, 0.7),
    rack: float = 0.2,
    glide: float = 0.36,
    opens: float = 90.0,
) -> Body:
    """Build a dishwasher; ``rack`` is the height of the rack's floor above the door's hinge (m)."""
    width, depth, height = size
    back = (DOOR + GAP) / 2
    tall = height - FOOT
    panel = box((width, DOOR, PANEL), (0.0, -depth / 2 + DOOR / 2, height - PANEL), "dark steel")
    shapes = (
        box((width, depth - DOOR - 0.05, FOOT), (0.0, back + 0.025, 0.0), "black"),
        *case((width, depth, tall), (0.0, 0.0, FOOT), WALL, "steel", front=DOOR + GAP),
        panel,
    )
    leaf = (width, DOOR, tall - PANEL - GAP)
    at = (0.0, -depth / 2 + DOOR / 2, FOOT)
    link, joint, handle = door(
        "door",
        leaf,
        at,
        "below",
        material="steel",
        mass=2.0,
        opens=opens,
        friction=1.2,
        damping=1.5,
        bar=0.24,
    )
    wide, deep = width - 2 * WALL - 0.02, depth - DOOR - WALL - 0.03
    middle = (0.0, -depth / 2 + DOOR + 0.001 + deep / 2, FOOT + rack - 0.01)
    tray = BodyLink("rack", _tray(wide, deep, middle), mass=1.5)
    slide = Joint(
        "rack",
        "slide",
        "body",
        "rack",
        middle,
        axis(FRONT),
        (0.0, glide),
        friction=0.5,
        damping=12.0,
        spring=12.0,
        rest=glide,
    )
    press = button("button", (width / 2 - 0.08, -depth / 2, height - PANEL / 2))
    base = (middle[0], middle[1], middle[2] + 0.01)
    room = inside("rack", (wide - 0.02, deep - 0.02, 0.2), base, "rack")
    return Body(
        "dishwasher",
        (BodyLink("body", shapes), link, tray, press[0]),
        (joint, slide, press[1]),
        fixed=True,
        regions=(room,),
        handles=(handle, press[2]),
        controls=(press[3],),
        parts=(
            BodyPart("door", "door", "door", "door"),
            BodyPart("rack", "rack", "rack", None, ("rack",)),
        ),
        opened={"door": 0.8 * joint.limits[1]},
    )


def _tray(wide: float, deep: float, base: tuple[float, float, float]) -> tuple[Shape, ...]:
    x, y, z = base
    edge, tall = 0.01, 0.04
    return (
        box((wide, deep, 0.01), base, "white"),
        box((wide, edge, tall), (x, y - (deep - edge) / 2, z + 0.01), "white"),
        box((wide, edge, tall), (x, y + (deep - edge) / 2, z + 0.01), "white"),
        box((edge, deep - 2 * edge, tall), (x - (wide - edge) / 2, y, z + 0.01), "white"),
        box((edge, deep - 2 * edge, tall), (x + (wide - edge) / 2, y, z + 0.01), "white"),
    )
