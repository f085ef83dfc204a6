"""A cup, mug or glass: upright, grasped at its wall."""

from __future__ import annotations

from treec_sapien.bodies.make import box, cylinder, from_above, from_beside, inside, ring
from treec_sapien.bodies.spec import Body, BodyLink, GraspPoint

PIECES = 12
ROUND: tuple[float, ...] = (0.0, 30.0, -30.0, 60.0, -60.0, 90.0, -90.0)


def build(
    *,
    diameter: float = 0.05,
    height: float = 0.09,
    wall: float = 0.004,
    handle: bool = False,
    mass: float = 0.15,
    material: str = "china",
) -> Body:
    """Build a cup; sizes in metres. ``handle`` adds a handle at the back, for appearance only."""
    floor = 0.006
    shapes = [
        cylinder(diameter - wall, floor, (0.0, 0.0, 0.0), material, 1500.0),
        *ring(diameter, wall, height, 0.0, material, 1500.0, PIECES),
    ]
    if handle:
        y = diameter / 2 + 0.018
        shapes.append(box((0.012, 0.01, 0.05), (0.0, y, height / 2 - 0.025), material, 800.0))
        for z in (height / 2 - 0.025, height / 2 + 0.015):
            shapes.append(box((0.012, 0.016, 0.01), (0.0, y - 0.01, z), material, 800.0))
    room = diameter - 2 * wall
    beside = ROUND
    above: tuple[float, ...] = (0.0, 90.0, 45.0, -45.0)
    if handle:  # fingers do not fit through it
        beside, above = (0.0, 30.0, -30.0), (0.0, 30.0, -30.0)
    grasps: tuple[GraspPoint, ...] = (
        *from_beside("side", (0.0, 0.0, 0.6 * height), diameter, beside),
        *from_beside("side", (0.0, 0.0, 0.6 * height), diameter, beside, 45.0),
        *from_above("above", (0.0, 0.0, height - 0.025), diameter, above),
    )
    return Body(
        "cup",
        (BodyLink("body", tuple(shapes), mass=mass),),
        regions=(inside("inside", (room, room, height - floor), (0.0, 0.0, floor)),),
        grasps=grasps,
    )
