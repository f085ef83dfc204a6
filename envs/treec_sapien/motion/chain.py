"""Forward kinematics of one arm, in batches.

mplib's own takes one configuration a call; choosing a grasp, a base pose and an arm configuration
together needs thousands, so they are computed as numpy batches here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from treec_sapien.motion.frames import Array, Index, inverse, matrix


class Chain:
    """The joints between a robot's root and one link, and the pose of that link.

    ``names`` are the movable joints from the root outwards, ``low`` and ``high`` their limits (n,).
    Poses are in the scene's frame; ``root`` (4, 4) is the root's pose.
    """

    def __init__(self, articulation: Any, link: str, root: Array) -> None:
        steps: list[tuple[str, str, Array, Array, tuple[float, float]]] = []
        at = articulation.find_link_by_name(link)
        while at.parent is not None:
            joint = at.joint
            limits = (0.0, 0.0)
            if joint.dof:
                low, high = np.asarray(joint.limits, dtype=float)[0]
                limits = (float(low), float(high))
            kind = "fixed" if not joint.dof else joint.type.split("_")[0]
            steps.append(
                (
                    joint.name,
                    kind,
                    matrix(joint.pose_in_parent),
                    inverse(matrix(joint.pose_in_child)),
                    limits,
                )
            )
            at = at.parent
        self.root = np.array(root, dtype=float)
        self.names: list[str] = []
        self._before: list[Array] = []
        self._slides: list[bool] = []
        low_, high_ = [], []
        fixed = np.eye(4)
        for name, kind, before, after, limits in reversed(steps):
            fixed = fixed @ before
            if kind == "fixed":
                fixed = fixed @ after
                continue
            self.names.append(name)
            self._before.append(fixed)
            self._slides.append(kind == "prismatic")
            low_.append(limits[0])
            high_.append(limits[1])
            fixed = after
        self._tool = fixed
        self._sliding = np.array(self._slides)[:, None]
        self.low = np.array(low_)
        self.high = np.array(high_)

    def __len__(self) -> int:
        """The number of joints."""
        return len(self.names)

    def where(self, names: Sequence[str]) -> Index:
        """Return the indices of these joints in the chain."""
        return np.array([self.names.index(name) for name in names], dtype=np.intp)

    def poses(self, q: Array) -> Array:
        """Return the link's poses (n, 4, 4) for configurations (n, joints), or one for one."""
        single = q.ndim == 1
        _, end = self._walk(np.atleast_2d(q))
        out = _homogeneous(end)
        return out[0] if single else out

    def joints_and_poses(self, q: Array) -> tuple[Array, Array]:
        """Return where the joints are (n, joints, 3), and the link's poses (n, 4, 4)."""
        frames, end = self._walk(q)
        return np.swapaxes(frames[:, :, :, 3], 0, 1), _homogeneous(end)

    def poses_and_jacobians(self, q: Array) -> tuple[Array, Array]:
        """Return poses (n, 4, 4) and Jacobians (n, 6, joints): translation, then rotation."""
        frames, end = self._walk(q)
        axes = frames[:, :, :, 0]  # (joints, n, 3)
        x, y, z = np.moveaxis(axes, 2, 0)
        u, v, w = np.moveaxis(end[:, :, 3] - frames[:, :, :, 3], 2, 0)
        slides = self._sliding
        jacobian = np.empty((len(q), 6, len(self)))
        for row, value, along in (
            (0, y * w - z * v, x),
            (1, z * u - x * w, y),
            (2, x * v - y * u, z),
        ):
            jacobian[:, row] = np.where(slides, along, value).T
            jacobian[:, row + 3] = np.where(slides, 0.0, along).T
        return _homogeneous(end), jacobian

    def _walk(self, q: Array) -> tuple[Array, Array]:
        """The joints' frames before they rotate (joints, n, 3, 4), and the link's (n, 3, 4)."""
        count = len(q)
        frames = np.empty((len(self), count, 3, 4))
        cosines, sines = np.cos(q), np.sin(q)
        at = np.broadcast_to(self.root[:3], (count, 3, 4))
        for i, before in enumerate(self._before):
            frame = frames[i]
            np.matmul(at.reshape(-1, 4), before, out=frame.reshape(-1, 4))
            at = frame.copy()
            if self._slides[i]:
                at[:, :, 3] += frame[:, :, 0] * q[:, i, None]
                continue
            cosine, sine = cosines[:, i, None], sines[:, i, None]
            second, third = frame[:, :, 1], frame[:, :, 2]
            at[:, :, 1] = second * cosine + third * sine
            at[:, :, 2] = third * cosine - second * sine
        return frames, np.matmul(at.reshape(-1, 4), self._tool).reshape(count, 3, 4)


def _homogeneous(poses: Array) -> Array:
    """Poses (n, 3, 4) as 4×4 matrices (n, 4, 4)."""
    out = np.zeros((len(poses), 4, 4))
    out[:, :3], out[:, 3, 3] = poses, 1.0
    return out
