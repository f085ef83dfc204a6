"""A bottle: cylindrical body, shoulders and neck."""

from __future__ import annotations

from treec_sapien.bodies.make import cylinder, from_above, from_beside
from treec_sapien.bodies.spec import Body, BodyLink

ROUND = (0.0, 30.0, -30.0, 60.0, -60.0, 90.0, -90.0)


def build(*, diameter: float = 0.05, height: float = 0.18, mass: float = 0.3) -> Body:
    """Build a bottle. It is grasped below the shoulders."""
    body = 0.62 * height
    neck = 0.5 * diameter
    shapes = (
        cylinder(diameter, body, (0.0, 0.0, 0.0), "plastic"),
        cylinder(0.75 * diameter, 0.14 * height, (0.0, 0.0, body), "plastic"),
        cylinder(neck, 0.24 * height, (0.0, 0.0, 0.76 * height), "plastic"),
    )
    at = (0.0, 0.0, 0.5 * body)
    return Body(
        "bottle",
        (BodyLink("body", shapes, mass=mass),),
        grasps=(
            *from_beside("side", at, diameter, ROUND),
            *from_beside("side", at, diameter, ROUND, 30.0),
            *from_above("neck", (0.0, 0.0, 0.9 * height), neck, (0.0, 90.0, 45.0, -45.0)),
        ),
    )
