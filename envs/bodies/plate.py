"""A plate with an upright rim, by which a hand takes it."""

from __future__ import annotations

from envs.bodies.make import cylinder, inside, rim, ring
from envs.bodies.spec import Body, Link

PIECES = 16


def build(*, diameter: float = 0.24, height: float = 0.035, wall: float = 0.018) -> Body:
    """A plate so wide, whose rim is ``height`` high and ``wall`` thick."""
    floor = 0.006
    shapes = (
        cylinder(diameter - wall, floor, (0.0, 0.0, 0.0), "china", 2000.0),
        *ring(diameter, wall, height, 0.0, "china", 1000.0, PIECES),
    )
    room = diameter - 2 * wall
    return Body(
        "plate",
        (Link("body", shapes, mass=0.4),),
        regions=(inside("top", (room, room, 0.12), (0.0, 0.0, floor)),),
        grasps=rim(diameter, wall, height, PIECES, 0.01),
    )
