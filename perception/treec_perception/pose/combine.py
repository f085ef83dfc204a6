"""One person's joints from what several cameras found of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from treec_perception.pose.joints import JOINTS, BodyJoint, JointState
from treec_sapien.view.camera import Camera

Floats = npt.NDArray[np.float64]

AGREE = 0.03
"""Metres from the point that fits best at which another camera's counts 0.6 of it, in the mean.

It counts less and less farther away: where it did suddenly not count, the mean would jump.
"""

Look = tuple[Mapping[str, BodyJoint], Camera]
"""The joints in a camera's picture, and that camera."""


def combine(looks: Sequence[Look]) -> Floats:
    """Return the joints (7, 3) in the scene (m), in the order of `JOINTS`; NaN where none is seen.

    Each camera that sees a joint proposes its point. A joint that something hides is often taken
    to be where that is, nearer to the camera; in the pictures of others such a point is off the
    pixel where they have the joint. So the point is chosen that is nearest to all cameras' rays
    through their pixels, each counting by how visible the joint is, and averaged with those of
    others that are near it (`AGREE`). The neck is the middle of the shoulders.
    """
    out = np.full((len(JOINTS), 3), np.nan)
    for row, name in enumerate(JOINTS[1:], 1):
        points = [
            np.array(joints[name].point)
            for joints, _ in looks
            if joints[name].state is JointState.seen and joints[name].point is not None
        ]
        if not points:
            continue
        off = [
            sum(_off(point, joints[name], camera) for joints, camera in looks) for point in points
        ]
        apart = np.linalg.norm(np.array(points) - points[int(np.argmin(off))], axis=1)
        out[row] = np.average(points, axis=0, weights=np.exp(-((apart / AGREE) ** 2) / 2))
    out[0] = (out[1] + out[2]) / 2
    return out


def _off(point: Floats, joint: BodyJoint, camera: Camera) -> float:
    """The squared distance (m²) of a point from a camera's ray to the joint, by visibility."""
    if joint.pixel is None:
        return 0.0
    x, y, far = camera.pixels(point)
    if far <= 0:
        return joint.visibility * float(np.sum((point - camera.eye) ** 2))
    dx, dy = (x - joint.pixel[0]) / camera.fx, (y - joint.pixel[1]) / camera.fy
    return joint.visibility * float((dx**2 + dy**2) * far**2)
