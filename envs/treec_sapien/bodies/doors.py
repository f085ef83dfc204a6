"""Building blocks of furniture with doors: a case and a hinged door."""

from __future__ import annotations

import math

from treec_sapien.bodies.make import DOWN, FRONT, RIGHT, UP, axis, bar_grasps, bar_handle, box
from treec_sapien.bodies.pose import Vector
from treec_sapien.bodies.spec import BodyHandle, BodyLink, Joint, Shape

GAP = 0.003
"""Gap between a door and what is beside it (m)."""


def case(
    size: Vector, base: Vector, wall: float, material: str, *, front: float = 0.0
) -> tuple[Shape, ...]:
    """Return floor, roof, back and sides; ``front`` (m) of the depth is left free for the door."""
    width, depth, height = size
    x, y, z = base
    deep = depth - front
    middle = y + front / 2
    inner = height - 2 * wall
    across = width - 2 * wall
    return (
        box((width, deep, wall), (x, middle, z), material),
        box((width, deep, wall), (x, middle, z + height - wall), material),
        box((across, wall, inner), (x, y + (depth - wall) / 2, z + wall), material),
        box((wall, deep, inner), (x - (width - wall) / 2, middle, z + wall), material),
        box((wall, deep, inner), (x + (width - wall) / 2, middle, z + wall), material),
    )


def door(
    name: str,
    size: Vector,
    base: Vector,
    hinge: str,
    *,
    material: str = "white",
    mass: float = 3.0,
    opens: float = 110.0,
    friction: float = 0.3,
    damping: float = 0.6,
    bar: float = 0.16,
    bar_at: float = 0.5,
) -> tuple[BodyLink, Joint, BodyHandle]:
    """Return a door whose base's middle is at ``base``, hinged ``left``, ``right`` or ``below``.

    ``bar`` is the length of its handle; ``bar_at`` is the handle's height as a fraction of the
    door's, for a door hinged at the side.
    """
    if hinge not in ("left", "right", "below"):
        raise ValueError(f"a hinge is left or right, not {hinge}")
    width, thick, height = size
    x, y, z = base
    face = y - thick / 2
    if hinge == "below":
        about, edge = RIGHT, (x, y, z)
        middle, along = (x, face, z + height - 0.05), RIGHT
    else:
        side = -1.0 if hinge == "left" else 1.0
        about = DOWN if hinge == "left" else UP
        edge = (x + side * width / 2, y, z)
        middle, along = (x - side * (width / 2 - 0.045), face, z + bar_at * height), UP
    shapes = (
        box((width - GAP, thick, height - GAP), (x, y, z + GAP / 2), material),
        *bar_handle(middle, along, FRONT, bar),
    )
    joint = Joint(
        name,
        "hinge",
        "body",
        name,
        edge,
        axis(about),
        (0.0, math.radians(opens)),
        friction=friction,
        damping=damping,
    )
    handle = BodyHandle(name, name, name, bar_grasps(middle, along, FRONT, name))
    return BodyLink(name, shapes, mass=mass), joint, handle
