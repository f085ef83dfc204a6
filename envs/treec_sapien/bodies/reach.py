"""Coarse reach of each kind of robot: an annulus around its shoulders, wherever its base can stand.

It finds what is plainly out of reach before anything runs; motion planning decides the rest.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from treec_sapien.bodies.pose import Pose, Vector
from treec_sapien.bodies.solid import WorldSolid, apart


@dataclass(frozen=True, slots=True)
class Stand:
    """A cylinder of a robot's base: radius, lowest and highest height (m)."""

    radius: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class ReachLimits:
    """The range of a robot's hands.

    Between ``near`` and ``far`` from ``shoulder`` (its height above the base) and from ``low`` to
    ``high`` above the base. A robot that ``moves`` may stand wherever ``stands`` touch nothing.
    """

    shoulder: float
    near: float
    far: float
    low: float
    high: float
    moves: bool
    stands: tuple[Stand, ...] = ()


_STEPS = 16
_RINGS = 5


def obstruction(
    robot: ReachLimits, pose: Pose, point: Vector, solids: Sequence[WorldSolid]
) -> tuple[float, str] | None:
    """Return why a robot at ``pose`` cannot bring a hand to ``point``, or None if it can.

    ``solids`` are obstacles to its base. The reason comes with its distance (m); a reason why
    nothing can stand near the point ranks as nearer than any other.
    """
    height = point[2] - pose.p[2]
    if not robot.low <= height <= robot.high:
        low, high = pose.p[2] + robot.low, pose.p[2] + robot.high
        by = max(low - point[2], point[2] - high)
        return by, f"reaches from {low:.2f} to {high:.2f} m above the floor, not {point[2]:.2f} m"
    rise = height - robot.shoulder
    if abs(rise) > robot.far:
        return abs(rise) - robot.far, f"has its shoulder {abs(rise):.2f} m off in height"
    most = math.sqrt(robot.far**2 - rise**2)
    least = math.sqrt(max(0.0, robot.near**2 - rise**2))
    if not robot.moves:
        out = math.dist(pose.p[:2], point[:2])
        if least <= out <= most:
            return None
        by = max(least - out, out - most)
        return by, f"reaches from {least:.2f} to {most:.2f} m far at that height, not {out:.2f} m"
    around = [it for it in solids if _within(it, point, most + 1.0)]
    for x, y in _places(point, least, most):
        if not any(touches(stand, (x, y, pose.p[2]), around) for stand in robot.stands):
            return None
    return 0.0, f"cannot stand anywhere within {most:.2f} m of it"


def _places(point: Vector, least: float, most: float) -> Iterable[tuple[float, float]]:
    for ring in range(_RINGS):
        out = most - (most - least) * ring / (_RINGS - 1)
        for step in range(_STEPS):
            angle = 2.0 * math.pi * step / _STEPS
            yield point[0] + out * math.cos(angle), point[1] + out * math.sin(angle)


def _within(solid: WorldSolid, point: Vector, by: float) -> bool:
    return not (
        solid.low[0] > point[0] + by
        or solid.high[0] < point[0] - by
        or solid.low[1] > point[1] + by
        or solid.high[1] < point[1] - by
    )


def touches(stand: Stand, base: Vector, solids: Sequence[WorldSolid]) -> bool:
    """Whether a robot standing at ``base`` would overlap one of the solids or their boxes."""
    x, y, z = base
    low = (x - stand.radius, y - stand.radius, z + stand.low)
    high = (x + stand.radius, y + stand.radius, z + stand.high)
    return any(not apart(low, high, it.low, it.high, 0.0) for it in solids)
