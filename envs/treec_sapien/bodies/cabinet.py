"""A wall cabinet with two doors and a compartment behind each."""

from __future__ import annotations

from collections.abc import Sequence

from treec_sapien.bodies.doors import GAP, case, door
from treec_sapien.bodies.make import box, inside
from treec_sapien.bodies.spec import Body, BodyLink, BodyPart

WALL = 0.018
DOOR = 0.02


def build(*, size: Sequence[float] = (1.2, 0.32, 0.42), opens: float = 110.0) -> Body:
    """Build a cabinet of ``size`` (width, depth with doors, height), based at its underside."""
    width, depth, height = size
    inner = (depth - DOOR - GAP - WALL, height - 2 * WALL)
    shapes = (
        *case((width, depth, height), (0.0, 0.0, 0.0), WALL, "light wood", front=DOOR + GAP),
        box((WALL, inner[0], inner[1]), (0.0, (DOOR + GAP - WALL) / 2, WALL), "light wood"),
    )
    half = width / 2 - 1.5 * WALL
    regions, links, joints, handles, parts = [], [BodyLink("body", shapes)], [], [], []
    for side, sign in (("left", -1), ("right", 1)):
        middle = sign * (half / 2 + WALL / 2)
        base = (middle, (DOOR + GAP - WALL) / 2, WALL)
        regions.append(inside(f"{side}_part", (half, inner[0], inner[1]), base))
        leaf = (width / 2 - GAP / 2, DOOR, height)
        at = (sign * (width / 4), -depth / 2 + DOOR / 2, 0.0)
        link, joint, handle = door(
            f"{side}_door", leaf, at, side, material="white", opens=opens, bar_at=0.35
        )
        links.append(link)
        joints.append(joint)
        handles.append(handle)
        parts.append(BodyPart(f"{side}_part", regions=(f"{side}_part",)))
        parts.append(BodyPart(link.name, link.name, joint.name, handle.name))
    return Body(
        "cabinet",
        tuple(links),
        tuple(joints),
        fixed=True,
        hangs=True,
        regions=tuple(regions),
        handles=tuple(handles),
        parts=tuple(parts),
        opened={joint.name: 0.8 * joint.limits[1] for joint in joints},
    )
