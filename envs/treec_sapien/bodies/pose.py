"""Rigid poses in plain Python: a position and a unit quaternion (w, x, y, z).

Checks run on every save and load nothing heavy, so this module does not use numpy.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

Vector = tuple[float, float, float]
Quaternion = tuple[float, float, float, float]

ORIGIN: Vector = (0.0, 0.0, 0.0)
UPRIGHT: Quaternion = (1.0, 0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Pose:
    """A frame in another frame: ``p`` in metres, ``q`` a unit quaternion (w, x, y, z)."""

    p: Vector = ORIGIN
    q: Quaternion = UPRIGHT

    def __matmul__(self, other: Pose) -> Pose:
        """Compose: the pose of a frame that is ``other`` in this frame."""
        return Pose(self.apply(other.p), multiply(self.q, other.q))

    def apply(self, point: Vector) -> Vector:
        """Transform a point of this frame into the parent frame."""
        x, y, z = rotate(self.q, point)
        return (x + self.p[0], y + self.p[1], z + self.p[2])

    def inverse(self) -> Pose:
        """Return the inverse pose."""
        q = conjugate(self.q)
        x, y, z = rotate(q, self.p)
        return Pose((-x, -y, -z), q)

    def axis(self, index: int) -> Vector:
        """Return the direction of the frame's x (0), y (1) or z (2) axis."""
        unit = [0.0, 0.0, 0.0]
        unit[index] = 1.0
        return rotate(self.q, (unit[0], unit[1], unit[2]))


def multiply(a: Quaternion, b: Quaternion) -> Quaternion:
    """Return the rotation ``b`` followed by ``a``."""
    aw, ax, ay, az = a
    bw, bx, by, bz = b
    return (
        aw * bw - ax * bx - ay * by - az * bz,
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
    )


def conjugate(q: Quaternion) -> Quaternion:
    """Return the inverse rotation."""
    return (q[0], -q[1], -q[2], -q[3])


def rotate(q: Quaternion, v: Vector) -> Vector:
    """Rotate a vector by ``q``."""
    w, x, y, z = q
    tx = 2.0 * (y * v[2] - z * v[1])
    ty = 2.0 * (z * v[0] - x * v[2])
    tz = 2.0 * (x * v[1] - y * v[0])
    return (
        v[0] + w * tx + y * tz - z * ty,
        v[1] + w * ty + z * tx - x * tz,
        v[2] + w * tz + x * ty - y * tx,
    )


def unit(q: Quaternion) -> Quaternion:
    """Return a quaternion scaled to length one. Raises ValueError if it is zero or not finite."""
    length = math.hypot(*q)
    if not 1e-6 < length < math.inf:
        raise ValueError(f"a rotation needs a quaternion of length 1, not {length:g}")
    return (q[0] / length, q[1] / length, q[2] / length, q[3] / length)


def turn(axis: Vector, degrees: float) -> Quaternion:
    """Return the rotation about a unit ``axis`` by ``degrees``."""
    half = math.radians(degrees) / 2.0
    s = math.sin(half)
    return (math.cos(half), axis[0] * s, axis[1] * s, axis[2] * s)


def yaw(degrees: float) -> Quaternion:
    """Return the rotation about the vertical, anticlockwise seen from above."""
    return turn((0.0, 0.0, 1.0), degrees)


def frame(z: Vector, y: Vector) -> Quaternion:
    """Return the rotation of a frame with this z axis and a y axis as close as possible to y."""
    zx, zy, zz = _unit(z)
    along = y[0] * zx + y[1] * zy + y[2] * zz
    yx, yy, yz = _unit((y[0] - along * zx, y[1] - along * zy, y[2] - along * zz))
    xx, xy, xz = yy * zz - yz * zy, yz * zx - yx * zz, yx * zy - yy * zx
    return _from_columns((xx, xy, xz), (yx, yy, yz), (zx, zy, zz))


def _unit(v: Vector) -> Vector:
    length = math.sqrt(v[0] ** 2 + v[1] ** 2 + v[2] ** 2)
    if length < 1e-9:
        raise ValueError("a direction needs a length, and two axes must not be parallel")
    return (v[0] / length, v[1] / length, v[2] / length)


def _from_columns(x: Vector, y: Vector, z: Vector) -> Quaternion:
    trace = x[0] + y[1] + z[2]
    if trace > 0:
        s = 2.0 * math.sqrt(trace + 1.0)
        return (s / 4, (y[2] - z[1]) / s, (z[0] - x[2]) / s, (x[1] - y[0]) / s)
    if x[0] > y[1] and x[0] > z[2]:
        s = 2.0 * math.sqrt(1.0 + x[0] - y[1] - z[2])
        return ((y[2] - z[1]) / s, s / 4, (y[0] + x[1]) / s, (z[0] + x[2]) / s)
    if y[1] > z[2]:
        s = 2.0 * math.sqrt(1.0 + y[1] - x[0] - z[2])
        return ((z[0] - x[2]) / s, (y[0] + x[1]) / s, s / 4, (z[1] + y[2]) / s)
    s = 2.0 * math.sqrt(1.0 + z[2] - x[0] - y[1])
    return ((x[1] - y[0]) / s, (z[0] + x[2]) / s, (z[1] + y[2]) / s, s / 4)
