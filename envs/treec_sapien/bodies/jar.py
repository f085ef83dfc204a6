"""A jar: a cylindrical body with a lid."""

from __future__ import annotations

from treec_sapien.bodies.make import cylinder, from_above, from_beside
from treec_sapien.bodies.spec import Body, BodyLink

ROUND = (0.0, 30.0, -30.0, 60.0, -60.0, 90.0, -90.0)


def build(*, diameter: float = 0.06, height: float = 0.11, mass: float = 0.25) -> Body:
    """Build a jar; ``height`` includes the lid (m)."""
    lid = 0.018
    shapes = (
        cylinder(diameter, height - lid, (0.0, 0.0, 0.0), "plastic"),
        cylinder(0.9 * diameter, lid, (0.0, 0.0, height - lid), "dark steel"),
    )
    at = (0.0, 0.0, 0.5 * height)
    return Body(
        "jar",
        (BodyLink("body", shapes, mass=mass),),
        grasps=(
            *from_beside("side", at, diameter, ROUND),
            *from_beside("side", at, diameter, ROUND, 30.0),
            *from_above("lid", (0.0, 0.0, height - 0.02), diameter, (0.0, 90.0, 45.0, -45.0)),
        ),
    )
