"""A blender: a jug on a motor, rigidly joined, grasped around the jug."""

from __future__ import annotations

from treec_sapien.bodies.make import box, cylinder, from_beside, inside, ring
from treec_sapien.bodies.spec import Body, BodyLink


def build(*, diameter: float = 0.075, height: float = 0.28, mass: float = 0.9) -> Body:
    """Build a blender from the diameter of its jug and its height including the motor (m)."""
    motor = 0.35 * height
    wall, floor = 0.005, 0.01
    foot = diameter + 0.03
    shapes = (
        box((foot, foot, motor), (0.0, 0.0, 0.0), "dark steel", 1500.0),
        cylinder(diameter - wall, floor, (0.0, 0.0, motor), "glass"),
        *ring(diameter, wall, height - motor, motor, "glass"),
    )
    room = diameter - 2 * wall
    at = (0.0, 0.0, motor + 0.4 * (height - motor))
    return Body(
        "blender",
        (BodyLink("body", shapes, mass=mass),),
        regions=(inside("jug", (room, room, height - motor - floor), (0.0, 0.0, motor + floor)),),
        grasps=from_beside("jug", at, diameter, (0.0, 30.0, -30.0, 60.0, -60.0, 90.0, -90.0)),
    )
