"""A round fruit or vegetable with a flat base, so that it stands and does not roll until pushed."""

from __future__ import annotations

from treec_sapien.bodies.make import cylinder, from_above, from_beside, sphere
from treec_sapien.bodies.spec import Body, BodyLink

FLAT = 0.5
"""Diameter of the base as a fraction of the whole."""


def build(*, diameter: float = 0.07, mass: float = 0.12, neck: float = 0.0) -> Body:
    """Build a fruit; ``neck`` adds a neck (m above the round part) like a pear's."""
    middle = diameter / 2
    shapes = [
        sphere(diameter, (0.0, 0.0, middle)),
        cylinder(FLAT * diameter, 0.6 * middle, (0.0, 0.0, 0.0), "skin"),
    ]
    if neck > 0.0:
        shapes.append(sphere(0.6 * diameter, (0.0, 0.0, diameter - 0.3 * diameter + neck)))
    at = (0.0, 0.0, middle)
    return Body(
        "round_food",
        (BodyLink("body", tuple(shapes), mass=mass),),
        grasps=(
            *from_above("above", at, diameter, (0.0, 90.0, 45.0, -45.0)),
            *from_beside("side", at, diameter, (0.0, 45.0, -45.0, 90.0, -90.0), 45.0),
            *from_beside("side", at, diameter, (0.0, 45.0, -45.0, 90.0, -90.0), 20.0),
            *from_beside("side", at, diameter, (0.0, 45.0, -45.0, 90.0, -90.0)),
        ),
    )
