"""A refrigerator: a cooler with boards behind a door, above a freezer that stays shut."""

from __future__ import annotations

from collections.abc import Sequence

from treec_sapien.bodies.doors import GAP, case, door
from treec_sapien.bodies.make import box
from treec_sapien.bodies.spec import Body, BodyLink, BodyPart, Region

WALL = 0.03
DOOR = 0.04


def build(
    *,
    size: Sequence[float] = (0.6, 0.55, 1.5),
    cooler: float = 0.75,
    boards: Sequence[float] = (0.32,),
    hinge: str = "right",
    opens: float = 110.0,
) -> Body:
    """Build a refrigerator of ``size`` (width, depth including the door, height).

    ``cooler`` is the height of the cooler's floor, ``boards`` the boards' heights above that floor.
    """
    width, depth, height = size
    inner = (width - 2 * WALL, depth - WALL - DOOR - GAP)
    back = (DOOR + GAP - WALL) / 2
    freezer = box((width, depth - DOOR - GAP, cooler - WALL), (0, (DOOR + GAP) / 2, 0), "white")
    upper = (width, depth, height - cooler + WALL)
    shapes = [freezer, *case(upper, (0, 0, cooler - WALL), WALL, "white", front=DOOR + GAP)]
    floors = [cooler, *(cooler + board for board in boards)]
    regions = []
    for index, z in enumerate(floors):
        if index:
            shapes.append(
                box((inner[0], inner[1] - 0.08, 0.01), (0, back + 0.04, z - 0.01), "glass")
            )
        above = floors[index + 1] - 0.01 if index + 1 < len(floors) else height - WALL
        half = (above - z) / 2
        name = f"board_{index + 1}"
        regions.append(
            Region(name, "in", (0.0, back, z + half), (inner[0] / 2, inner[1] / 2, half))
        )
    leaf = (width, DOOR, height - cooler + WALL)
    at = (0.0, -depth / 2 + DOOR / 2, cooler - WALL)
    link, joint, handle = door(
        "door",
        leaf,
        at,
        hinge,
        mass=5.0,
        opens=opens,
        friction=0.6,
        damping=1.5,
        bar=0.22,
        bar_at=0.35,
    )
    return Body(
        "refrigerator",
        (BodyLink("body", tuple(shapes)), link),
        (joint,),
        fixed=True,
        regions=tuple(regions),
        handles=(handle,),
        parts=(BodyPart("door", "door", "door", "door"),),
        opened={"door": 0.75 * joint.limits[1]},
    )
