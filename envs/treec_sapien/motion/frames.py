"""Rigid poses as 4×4 matrices and operations on them.

Everything is in metres and radians, in the scene's frame unless a name says otherwise.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
Index = npt.NDArray[np.intp]
"""Positions of joints in a qpos or in a chain."""


def matrix(pose: Any) -> Array:
    """Return the 4×4 matrix of anything with ``p`` (3,) and ``q`` (w, x, y, z)."""
    return compose(rotation(np.asarray(pose.q, dtype=float)), np.asarray(pose.p, dtype=float))


def compose(turn: Array, shift: Array) -> Array:
    """Return the pose with a rotation (3, 3) and a position (3,)."""
    out = np.eye(4)
    out[:3, :3] = turn
    out[:3, 3] = shift
    return out


def at(x: float, y: float, z: float) -> Array:
    """Return a pure translation."""
    return compose(np.eye(3), np.array([x, y, z], dtype=float))


def rotation(q: Array) -> Array:
    """Return the rotation matrix of a quaternion (w, x, y, z)."""
    w, x, y, z = q / np.linalg.norm(q)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )


def quaternion(turn: Array) -> Array:
    """Return the unit quaternion (w, x, y, z) of a rotation matrix."""
    m = turn
    four = np.array(
        [
            1 + m[0, 0] + m[1, 1] + m[2, 2],
            1 + m[0, 0] - m[1, 1] - m[2, 2],
            1 - m[0, 0] + m[1, 1] - m[2, 2],
            1 - m[0, 0] - m[1, 1] + m[2, 2],
        ]
    )
    best = int(np.argmax(four))
    if best == 0:
        q = np.array([four[0], m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1]])
    elif best == 1:
        q = np.array([m[2, 1] - m[1, 2], four[1], m[0, 1] + m[1, 0], m[0, 2] + m[2, 0]])
    elif best == 2:
        q = np.array([m[0, 2] - m[2, 0], m[0, 1] + m[1, 0], four[2], m[1, 2] + m[2, 1]])
    else:
        q = np.array([m[1, 0] - m[0, 1], m[0, 2] + m[2, 0], m[1, 2] + m[2, 1], four[3]])
    return np.asarray(q / np.linalg.norm(q))


def inverse(pose: Array) -> Array:
    """Return the inverse pose."""
    turn = pose[:3, :3].T
    return compose(turn, -turn @ pose[:3, 3])


def about(axis: Array, angle: float) -> Array:
    """Return the rotation (3, 3) about a unit axis, in radians."""
    x, y, z = axis
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.asarray(np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross)


def translate(pose: Array, *, world: Array | None = None, own: Array | None = None) -> Array:
    """Return the pose moved by a vector in the scene's frame (``world``) or its own (``own``)."""
    out = pose.copy()
    if world is not None:
        out[:3, 3] += world
    if own is not None:
        out[:3, 3] += pose[:3, :3] @ own
    return out


def twist(frm: Array, to: Array) -> Array:
    """Return translation and rotation vector (…, 6) from one or many poses (n, 4, 4) to another."""
    shift = to[..., :3, 3] - frm[..., :3, 3]
    turn = to[..., :3, :3] @ np.swapaxes(frm[..., :3, :3], -1, -2)
    return np.concatenate([shift, rotation_vector(turn)], axis=-1)


def rotation_vector(turn: Array) -> Array:
    """Return axis times angle (…, 3) of rotation matrices (…, 3, 3)."""
    skew = np.stack(
        [
            turn[..., 2, 1] - turn[..., 1, 2],
            turn[..., 0, 2] - turn[..., 2, 0],
            turn[..., 1, 0] - turn[..., 0, 1],
        ],
        axis=-1,
    )
    sine = np.linalg.norm(skew, axis=-1) / 2
    cosine = (np.trace(turn, axis1=-2, axis2=-1) - 1) / 2
    angle = np.arctan2(sine, cosine)
    with np.errstate(invalid="ignore", divide="ignore"):
        plain = skew / (2 * sine[..., None]) * angle[..., None]
    near_half = np.logical_and(sine < 1e-4, cosine < 0)
    plain = np.where((sine < 1e-9)[..., None], skew / 2, plain)
    if np.any(near_half):
        diagonal = np.sqrt(np.clip((np.diagonal(turn, axis1=-2, axis2=-1) + 1) / 2, 0, None))
        first = np.argmax(diagonal, axis=-1)
        column = np.take_along_axis(turn + np.eye(3), first[..., None, None], axis=-1)[..., 0]
        axis = column / np.linalg.norm(column, axis=-1, keepdims=True)
        plain = np.where(near_half[..., None], axis * angle[..., None], plain)
    return plain


def between(frm: Array, to: Array, shares: Array) -> Array:
    """Return the poses (n, 4, 4) fractions of the way along a straight line, rotating uniformly."""
    step = twist(frm, to)
    angle = float(np.linalg.norm(step[3:]))
    out = np.repeat(frm[None], len(shares), axis=0)
    out[:, :3, 3] += shares[:, None] * step[:3]
    if angle >= 1e-12:
        x, y, z = step[3:] / angle
        cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
        turned = (angle * shares)[:, None, None]
        turns = np.eye(3) + np.sin(turned) * cross + (1 - np.cos(turned)) * (cross @ cross)
        out[:, :3, :3] = turns @ frm[:3, :3]
    return np.asarray(out)


def line(frm: Array, to: Array, step: float = 0.015, turn: float = 0.08) -> list[Array]:
    """Return poses along the straight line to ``to``, without the first, at most one step apart."""
    way = twist(frm, to)
    far, turned = float(np.linalg.norm(way[:3])), float(np.linalg.norm(way[3:]))
    count = max(far / step, turned / turn, 1.0)
    n = int(np.ceil(count - 1e-9))
    return list(between(frm, to, np.arange(1, n + 1) / n))
