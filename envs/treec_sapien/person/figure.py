"""A person's body as capsules between joints, and distances between such bodies."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from treec_sapien.motion.frames import Array

NECK, LEFT_ELBOW, RIGHT_ELBOW, LEFT_WRIST, RIGHT_WRIST = 0, 3, 4, 5, 6
"""Of the seven joints: neck, left and right shoulder, elbow, wrist, in this order."""

HAND = 0.17
"""Metres from the wrist to the fingertips, in line with the forearm."""

HEAD = 0.2
"""Metres from the neck to the middle of the head."""

TRUNK = 0.5
"""Metres from the neck to the hips."""

_LEFT_TIP, _RIGHT_TIP, _HEAD, _HIPS = 7, 8, 9, 10


@dataclass(frozen=True)
class Capsule:
    """A part of the body: the points between which it lies, and its radius (m)."""

    name: str
    ends: tuple[int, int]
    radius: float


CAPSULES = (
    Capsule("head", (NECK, _HEAD), 0.1),
    Capsule("trunk", (NECK, _HIPS), 0.13),
    Capsule("shoulders", (1, 2), 0.07),
    Capsule("left_upper_arm", (1, LEFT_ELBOW), 0.05),
    Capsule("right_upper_arm", (2, RIGHT_ELBOW), 0.05),
    Capsule("left_forearm", (LEFT_ELBOW, LEFT_WRIST), 0.045),
    Capsule("right_forearm", (RIGHT_ELBOW, RIGHT_WRIST), 0.045),
    Capsule("left_hand", (LEFT_WRIST, _LEFT_TIP), 0.045),
    Capsule("right_hand", (RIGHT_WRIST, _RIGHT_TIP), 0.045),
)
HANDS = (7, 8)
"""Which of the capsules are hands: left, right."""

FIRST = np.array([it.ends[0] for it in CAPSULES])
SECOND = np.array([it.ends[1] for it in CAPSULES])
RADII = np.array([it.radius for it in CAPSULES])


def points(joints: Array) -> Array:
    """Return the eleven points of the capsules (…, 11, 3) from seven joints (…, 7, 3)."""
    neck = joints[..., NECK, :]
    out = np.empty((*joints.shape[:-2], 11, 3))
    out[..., :7, :] = joints
    for tip, wrist, elbow in (
        (_LEFT_TIP, LEFT_WRIST, LEFT_ELBOW),
        (_RIGHT_TIP, RIGHT_WRIST, RIGHT_ELBOW),
    ):
        along = joints[..., wrist, :] - joints[..., elbow, :]
        length = np.maximum(np.linalg.norm(along, axis=-1, keepdims=True), 1e-6)
        out[..., tip, :] = joints[..., wrist, :] + HAND * along / length
    out[..., _HEAD, :] = neck + np.array((0.0, 0.0, HEAD))
    out[..., _HIPS, :] = neck - np.array((0.0, 0.0, TRUNK))
    return out


def segments(joints: Array) -> tuple[Array, Array]:
    """Return where the capsules begin and end (…, 9, 3)."""
    every = points(joints)
    return every[..., FIRST, :], every[..., SECOND, :]


def rotations(way: Array) -> Array:
    """Return the shortest rotations (n, 4; w, x, y, z) from the x axis to directions (n, 3)."""
    q = np.zeros((len(way), 4))
    q[:, 0], q[:, 2], q[:, 3] = 1.0 + way[:, 0], -way[:, 2], way[:, 1]
    q[q[:, 0] < 1e-6] = (0.0, 0.0, 0.0, 1.0)
    return np.asarray(q / np.linalg.norm(q, axis=1, keepdims=True))


def capsule_widths(joints: Array) -> Array:
    """Return the largest of what joints may be off (7; m) for each capsule (9)."""
    ends = np.concatenate([joints, joints[[LEFT_WRIST, RIGHT_WRIST, NECK, NECK]]])
    return np.asarray(np.maximum(ends[FIRST], ends[SECOND]))


def between(a: Array, b: Array, c: Array, d: Array) -> Array:
    """Return the distances (m) between segments a–b and c–d; all (…, 3), broadcast."""
    u, v, w = b - a, d - c, a - c
    uu, uv, vv = _dot(u, u), _dot(u, v), _dot(v, v)
    uw, vw = _dot(u, w), _dot(v, w)
    below = uu * vv - uv * uv
    s = np.where(below > 1e-12, (uv * vw - vv * uw) / np.maximum(below, 1e-12), 0.0)
    s = np.clip(s, 0.0, 1.0)
    t = np.clip((uv * s + vw) / np.maximum(vv, 1e-12), 0.0, 1.0)
    s = np.clip((uv * t - uw) / np.maximum(uu, 1e-12), 0.0, 1.0)
    apart: Array = np.linalg.norm(w + s[..., None] * u - t[..., None] * v, axis=-1)
    return apart


def _dot(one: Array, other: Array) -> Array:
    return np.asarray((one * other).sum(axis=-1))
