"""The interval of a ray inside a convex solid, and the normal where it hits.

All in the solid's own frame; rows are pairs of a ray and a solid. A miss is an empty interval or
NaN.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from treec_sapien.view.camera import Floats

Interval = tuple[Floats, Floats]


def box(start: Floats, ray: Floats, half: Floats) -> Interval:
    """Between three pairs of planes."""
    to_low, to_high = ((-half - start) / ray).T, ((half - start) / ray).T
    (a, b, c), (d, e, f) = np.minimum(to_low, to_high), np.maximum(to_low, to_high)
    return np.maximum(np.maximum(a, b), c), np.minimum(np.minimum(d, e), f)


def cylinder(start: Floats, ray: Floats, half: Floats) -> Interval:
    """Inside the side and between the ends; aligned with z."""
    enter, leave = _round(start[:, :2], ray[:, :2], half[:, 0])
    to_low = (-half[:, 2] - start[:, 2]) / ray[:, 2]
    to_high = (half[:, 2] - start[:, 2]) / ray[:, 2]
    enter = np.maximum(enter, np.minimum(to_low, to_high))
    return enter, np.minimum(leave, np.maximum(to_low, to_high))


def sphere(start: Floats, ray: Floats, half: Floats) -> Interval:
    """Inside the sphere."""
    return _round(start, ray, half[:, 0])


def ellipsoid(start: Floats, ray: Floats, half: Floats) -> Interval:
    """Inside the ellipsoid: a ball of radius 1, once its axes are scaled to 1."""
    return _round(start / half, ray / half, np.ones(len(half)))


def plane(start: Floats, ray: Floats, half: Floats) -> Interval:
    """Below z = 0, for rays from above."""
    del half
    at = -start[:, 2] / ray[:, 2]
    return np.where((start[:, 2] > 0) & (ray[:, 2] < 0), at, np.inf), np.full(len(at), np.inf)


def hull_from(start: Floats, rays: Floats, normals: Floats, offsets: Floats) -> Interval:
    """Behind all planes, for rays from one point: in through those facing it, out of the others."""
    ahead = offsets - normals @ start
    before = ahead < 0
    speed = _speeds(rays, normals[before])
    enter = np.where(speed < 0, _singles(ahead[before]) / speed, np.inf).max(
        axis=1, initial=-np.inf
    )
    speed = _speeds(rays, normals[~before])
    leave = np.where(speed > 0, _singles(ahead[~before]) / speed, np.inf).min(
        axis=1, initial=np.inf
    )
    return enter, leave


def hull_along(starts: Floats, ray: Floats, normals: Floats, offsets: Floats) -> Interval:
    """Behind all planes, for parallel rays: in through those facing them."""
    speed = normals @ ray
    against, along = speed < 0, speed > 0
    ahead = (offsets[against] - starts @ normals[against].T) / speed[against]
    enter = ahead.max(axis=1, initial=-np.inf)
    ahead = (offsets[along] - starts @ normals[along].T) / speed[along]
    leave = ahead.min(axis=1, initial=np.inf)
    beside = ((starts @ normals[speed == 0].T) > offsets[speed == 0]).any(axis=1)
    return np.where(beside, np.inf, enter), leave


def box_normal(point: Floats, half: Floats) -> Floats:
    """The normal of the face that the point is on."""
    axis = np.argmax(np.abs(point) / half, axis=1)
    normal = np.zeros_like(point)
    rows = np.arange(len(point))
    normal[rows, axis] = np.sign(point[rows, axis])
    return normal


def cylinder_normal(point: Floats, half: Floats) -> Floats:
    """The normal of the side or end that the point is on."""
    over_end = np.abs(point[:, 2]) - half[:, 2]
    over_side = np.hypot(point[:, 0], point[:, 1]) - half[:, 0]
    side = point * (1.0, 1.0, 0.0) / half[:, :1]
    end = np.sign(point[:, 2:]) * (0.0, 0.0, 1.0)
    return np.where((over_side > over_end)[:, None], side, end)


def sphere_normal(point: Floats, half: Floats) -> Floats:
    """Away from the centre."""
    return point / half[:, :1]


def ellipsoid_normal(point: Floats, half: Floats) -> Floats:
    """Where the distance from the centre, in half axes, grows fastest."""
    out = point / half**2
    return np.asarray(out / np.linalg.norm(out, axis=1, keepdims=True))


def plane_normal(point: Floats, half: Floats) -> Floats:
    """Up."""
    del half
    return np.tile((0.0, 0.0, 1.0), (len(point), 1))


def hull_normal(point: Floats, normals: Floats, offsets: Floats) -> Floats:
    """The normal of the plane that the point is on."""
    face = np.argmax(point @ normals.T - offsets, axis=1)
    out: Floats = normals[face]
    return out


def _round(start: Floats, ray: Floats, radius: Floats) -> Interval:
    """Where |start + t ray| is less than a radius.

    The nearest point is computed first: squaring distances of metres would lose a thing of a
    centimetre to rounding. A ray without a length here (along a cylinder's axis) stays where it is.
    """
    square = np.maximum(_dot(ray, ray), 1e-24)
    near = -_dot(start, ray) / square
    off = start + near[:, None] * ray
    chord = np.sqrt((radius * radius - _dot(off, off)) / square)
    return near - chord, near + chord


def _dot(a: Floats, b: Floats) -> Floats:
    product: Floats = np.einsum("ij,ij->i", a, b)
    return product


def _speeds(rays: Floats, normals: Floats) -> npt.NDArray[np.float32]:
    """Each ray's speed along each normal, in single precision since there are so many."""
    out: npt.NDArray[np.float32] = _singles(rays) @ _singles(normals).T
    return out


def _singles(numbers: Floats) -> npt.NDArray[np.float32]:
    return numbers.astype(np.float32)
