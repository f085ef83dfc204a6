"""A tin can, upright."""

from __future__ import annotations

from treec_sapien.bodies.make import cylinder, from_above, from_beside
from treec_sapien.bodies.spec import Body, BodyLink

ROUND = (0.0, 30.0, -30.0, 60.0, -60.0, 90.0, -90.0)


def build(*, diameter: float = 0.05, height: float = 0.1, mass: float = 0.25) -> Body:
    """Build a tin can; sizes in metres."""
    shape = cylinder(diameter, height, (0.0, 0.0, 0.0), "tin")
    at = (0.0, 0.0, 0.55 * height)
    return Body(
        "tin",
        (BodyLink("body", (shape,), mass=mass),),
        grasps=(
            *from_beside("side", at, diameter, ROUND),
            *from_beside("side", at, diameter, ROUND, 30.0),
            *from_above("above", (0.0, 0.0, height - 0.02), diameter, (0.0, 90.0, 45.0, -45.0)),
        ),
    )
