"""Shapes in the world and the penetration depth of two of them.

All shapes here are symmetric along each axis. Two such convex shapes overlap exactly when there is
no direction along which their centres are further apart than their half extents together (the
separating axis theorem); only few directions can separate them, and all of those are tested.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from treec_sapien.bodies.pose import Pose, Vector
from treec_sapien.bodies.spec import Shape

_FLAT = 1e-9


@dataclass(frozen=True, slots=True)
class WorldSolid:
    """A shape in the world: centre, axes, half extents and bounding box."""

    shape: Shape
    centre: Vector
    axes: tuple[Vector, Vector, Vector]
    low: Vector
    high: Vector

    def extent(self, along: Vector) -> float:
        """Return its half length along a unit vector."""
        shape = self.shape
        if shape.kind == "sphere":
            return shape.radius
        if shape.kind == "box":
            (hx, hy, hz), (a, b, c), (x, y, z) = shape.half_size, self.axes, along
            return (
                hx * abs(a[0] * x + a[1] * y + a[2] * z)
                + hy * abs(b[0] * x + b[1] * y + b[2] * z)
                + hz * abs(c[0] * x + c[1] * y + c[2] * z)
            )
        upright = min(1.0, abs(_dot(self.axes[2], along)))
        return shape.half_length * upright + shape.radius * math.sqrt(1.0 - upright * upright)

    def nearest(self, point: Vector) -> Vector:
        """Return its point nearest to ``point``."""
        x, y, z = (_dot(axis, _sub(point, self.centre)) for axis in self.axes)
        shape = self.shape
        if shape.kind == "box":
            hx, hy, hz = shape.half_size
            x, y, z = _clamp(x, hx), _clamp(y, hy), _clamp(z, hz)
        elif shape.kind == "sphere":
            far = math.sqrt(x * x + y * y + z * z)
            scale = min(1.0, shape.radius / far) if far > _FLAT else 1.0
            x, y, z = x * scale, y * scale, z * scale
        else:
            far = math.hypot(x, y)
            scale = min(1.0, shape.radius / far) if far > _FLAT else 1.0
            x, y, z = x * scale, y * scale, _clamp(z, shape.half_length)
        a, b, c = self.axes
        return (
            self.centre[0] + a[0] * x + b[0] * y + c[0] * z,
            self.centre[1] + a[1] * x + b[1] * y + c[1] * z,
            self.centre[2] + a[2] * x + b[2] * y + c[2] * z,
        )

    def lower(self, by: float) -> WorldSolid:
        """Return the same solid, lower by ``by`` metres."""
        return WorldSolid(
            self.shape,
            (self.centre[0], self.centre[1], self.centre[2] - by),
            self.axes,
            (self.low[0], self.low[1], self.low[2] - by),
            (self.high[0], self.high[1], self.high[2] - by),
        )


def solid(shape: Shape, link: Pose) -> WorldSolid:
    """Return a shape of a link whose pose in the world is ``link``."""
    pose = link @ shape.pose
    axes = (pose.axis(0), pose.axis(1), pose.axis(2))
    bare = WorldSolid(shape, pose.p, axes, pose.p, pose.p)
    x, y, z = (
        bare.extent((1.0, 0.0, 0.0)),
        bare.extent((0.0, 1.0, 0.0)),
        bare.extent((0.0, 0.0, 1.0)),
    )
    low = (pose.p[0] - x, pose.p[1] - y, pose.p[2] - z)
    high = (pose.p[0] + x, pose.p[1] + y, pose.p[2] + z)
    return WorldSolid(shape, pose.p, axes, low, high)


def apart(low: Vector, high: Vector, other_low: Vector, other_high: Vector, by: float) -> bool:
    """Whether two upright boxes overlap by no more than ``by`` along some axis."""
    return (
        high[0] - other_low[0] <= by
        or other_high[0] - low[0] <= by
        or high[1] - other_low[1] <= by
        or other_high[1] - low[1] <= by
        or high[2] - other_low[2] <= by
        or other_high[2] - low[2] <= by
    )


def depth(a: WorldSolid, b: WorldSolid) -> tuple[float, Vector]:
    """Return the penetration depth of two solids (m, at least 0) and its direction."""
    between = _sub(b.centre, a.centre)
    best, along = -math.inf, (0.0, 0.0, 1.0)
    for direction in _directions(a, b, between):
        gap = abs(_dot(direction, between)) - a.extent(direction) - b.extent(direction)
        if gap > best:
            best, along = gap, direction
            if gap > 0.0:
                break
    return -best, along


def _directions(a: WorldSolid, b: WorldSolid, between: Vector) -> Iterator[Vector]:
    yield from a.axes
    yield from b.axes
    boxes = a.shape.kind == "box" and b.shape.kind == "box"
    for mine in a.axes:
        for theirs in b.axes:
            cross = _unit(_cross(mine, theirs))
            if cross is not None:
                yield cross
    if boxes:
        return
    # round shapes are separated along the line between the nearest points
    here, there = a.centre, b.centre
    for _ in range(6):
        here, there = a.nearest(there), b.nearest(here)
        line = _unit(_sub(there, here))
        if line is not None:
            yield line
    for one, other in ((a, b), (b, a)):
        if one.shape.kind == "cylinder":
            point = other.nearest(one.centre)
            out = _sub(point, one.centre)
            up = _dot(out, one.axes[2])
            level = _unit(_sub(out, _scale(one.axes[2], up)))
            if level is not None:
                yield level
    line = _unit(between)
    if line is not None:
        yield line


def _clamp(value: float, most: float) -> float:
    return max(-most, min(most, value))


def _sub(a: Vector, b: Vector) -> Vector:
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def _dot(a: Vector, b: Vector) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def _scale(a: Vector, by: float) -> Vector:
    return (a[0] * by, a[1] * by, a[2] * by)


def _cross(a: Vector, b: Vector) -> Vector:
    return (
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    )


def _unit(a: Vector) -> Vector | None:
    length = math.sqrt(_dot(a, a))
    return None if length < 1e-6 else (a[0] / length, a[1] / length, a[2] / length)
